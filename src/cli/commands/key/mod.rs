//! `key encode` and `key decode`: converts rows to row keys and back, line by line.

mod csv;
pub mod decode;
pub mod encode;

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use crate::cli::args::{KeyForm, OutputArgs, SchemaArgs};
use crate::cli::inputs::{NamedLines, is_dash};
use crate::cli::key_lines::KeyFault;
use crate::cli::output::CANNOT_WRITE;
use crate::cli::{Failure, Outcome, Reporter};
use saltplan_document::diag::{Diagnostic, counted};

const HELP: &str = "\
Exit codes:
  0  every line has a result
  1  rows or keys that do not fit the schema, wrong salts, or a difference with
     --check
  2  wrong usage, lines that are not JSON, CSV, UTF-8 or hex, or an internal
     error
Invalid lines are reported; the others are processed.";

super::commands! {
    /// Encode rows as row keys, and decode them
    #[command(after_help = HELP)]
    KeyCommand {
        Encode(encode::EncodeArgs),
        Decode(decode::DecodeArgs),
    }
}

#[derive(Debug, Args)]
pub struct KeyArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    /// File with one row or key per line; by default, or with `-`, standard input
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// Old spelling of FILE
    #[arg(long, value_name = "FILE", hide = true, conflicts_with = "file")]
    pub input: Option<PathBuf>,

    /// How row keys are written: as the HBase shell prints them (`\xNN`), or in hex
    #[arg(long, alias = "keys", value_name = "FORM", default_value = "text")]
    pub key_form: KeyForm,

    #[command(flatten)]
    pub output: OutputArgs,
}

impl KeyArgs {
    /// The input file, by either option.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref().or(self.input.as_deref())
    }
}

/// The number of invalid lines that are reported individually.
const MAX_SHOWN_LINES: usize = 20;

/// Why a line has no result.
enum LineFault {
    /// It does not have the requested form.
    Unreadable(KeyFault),
    /// It does not fit the schema.
    Mismatch(String),
}

/// The lines of the input file.
fn lines_of(args: &KeyArgs, reporter: &Reporter) -> Result<NamedLines, Failure> {
    if args.input.is_some() {
        reporter.note("`--input FILE` is now called `FILE`");
    }
    let file = args.file().unwrap_or(Path::new("-"));
    let mut lines = reporter.inputs.lines(file)?;
    if is_dash(file) {
        lines.name.clone_from(&args.schema.stdin_filename);
    }
    Ok(lines)
}

/// Processes the input line by line: invalid lines are reported, and the others are processed. `work` gets a line with its number,
/// and gives `None` for a line that has no result of its own.
fn each_line(
    args: &KeyArgs,
    mut lines: NamedLines,
    reporter: &Reporter,
    mut work: impl FnMut(u64, &[u8]) -> Result<Option<(String, Option<String>)>, LineFault>,
) -> Result<Outcome, Failure> {
    // Results are printed as they come, but a file is written as a whole.
    let mut stdout = BufWriter::new(std::io::stdout().lock());
    let mut whole = args.output.output.as_ref().map(|_| String::new());
    let mut faults = 0usize;
    let mut unreadable = 0u128;
    while let Some((number, line)) = lines.next_line()? {
        if line.is_empty() {
            continue;
        }
        let (text, fault) = match work(number, line) {
            Ok(None) => continue,
            Ok(Some((text, finding))) => (Some(text), finding.map(KeyFault::from)),
            Err(LineFault::Mismatch(reason)) => (None, Some(reason.into())),
            Err(LineFault::Unreadable(fault)) => {
                unreadable += 1;
                (None, Some(fault))
            }
        };
        match (text, &mut whole) {
            (None, _) => {}
            (Some(text), None) => writeln!(stdout, "{text}").context(CANNOT_WRITE)?,
            (Some(text), Some(whole)) => whole.extend([text.as_str(), "\n"]),
        }
        if let Some(fault) = fault {
            faults += 1;
            if faults <= MAX_SHOWN_LINES {
                reporter.error(&lines.fault_of_key(number, &fault));
            }
        }
    }
    stdout.flush().context(CANNOT_WRITE)?;
    let delivered = match whole {
        Some(text) => args.output.deliver(&text, reporter)?,
        None => Outcome::Clean,
    };
    if faults > MAX_SHOWN_LINES {
        reporter.error(&Diagnostic::error(format!("{} more lines are invalid", faults - MAX_SHOWN_LINES)));
    }
    if unreadable > 0 {
        let message = format!("{} cannot be read", counted(unreadable, "line", "lines"));
        return Err(Diagnostic::error(message).with_help("the other lines were processed").into());
    }
    Ok(if faults == 0 { delivered } else { Outcome::Findings })
}
