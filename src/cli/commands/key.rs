//! `key encode` and `key decode`: converts rows to row keys and back, line by line.

use std::io::{BufWriter, StdoutLock, Write};
use std::path::Path;

use serde_json::json;

use crate::cli::args::KeyArgs;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::input::load_table;
use crate::cli::inputs::is_dash;
use crate::cli::key_lines::{read_line, written};
use crate::cli::output::deliver;
use crate::cli::talk::Talk;
use saltplan_core::diag::{Diagnostic, counted};
use saltplan_core::row::RowError;

/// The number of invalid lines that are reported individually.
const MAX_SHOWN_LINES: usize = 20;

pub fn encode(args: &KeyArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let table = load_table(&args.schema, talk)?;
    let codec = table.row_codec();
    each_line(args, talk, |line| {
        let key = codec.encode_json(line).map_err(|error| match error {
            RowError::NotJson(_) => LineFault::Unreadable(error.to_string()),
            _ => LineFault::Mismatch(error.to_string()),
        })?;
        Ok((written(&key, args.key_form), None))
    })
}

pub fn decode(args: &KeyArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let table = load_table(&args.schema, talk)?;
    let codec = table.row_codec();
    each_line(args, talk, |line| {
        let key = read_line(line, args.key_form).map_err(LineFault::Unreadable)?.unwrap_or_default();
        let key = codec.decode(&key).map_err(|error| LineFault::Mismatch(error.to_string()))?;
        let finding = key.salt_fault();
        Ok((json!(codec.to_json(&key)).to_string(), finding))
    })
}

/// Why a line has no result.
enum LineFault {
    /// It does not have the requested form.
    Unreadable(String),
    /// It does not fit the schema.
    Mismatch(String),
}

/// Processes the input line by line: invalid lines are reported, and the others are processed.
fn each_line(
    args: &KeyArgs,
    talk: &Talk,
    mut work: impl FnMut(&[u8]) -> Result<(String, Option<String>), LineFault>,
) -> Result<Outcome, Failure> {
    let file = args.file().unwrap_or(Path::new("-"));
    let mut lines = talk.inputs.lines(file)?;
    if is_dash(file) {
        lines.name.clone_from(&args.schema.stdin_filename);
    }
    let mut output = LineOutput::new(args)?;
    let mut faults = 0usize;
    let mut unreadable = 0u128;
    while let Some((number, line)) = lines.next_line()? {
        if line.is_empty() {
            continue;
        }
        let (text, fault) = match work(line) {
            Ok((text, finding)) => (Some(text), finding),
            Err(LineFault::Mismatch(reason)) => (None, Some(reason)),
            Err(LineFault::Unreadable(reason)) => {
                unreadable += 1;
                (None, Some(reason))
            }
        };
        if let Some(text) = text {
            output.line(&text)?;
        }
        if let Some(fault) = fault {
            faults += 1;
            if faults <= MAX_SHOWN_LINES {
                talk.error(&lines.fault(number, &fault));
            }
        }
    }
    let delivered = output.finish(talk)?;
    if faults > MAX_SHOWN_LINES {
        talk.error(&Diagnostic::error(format!("{} more lines are invalid", faults - MAX_SHOWN_LINES)));
    }
    if unreadable > 0 {
        let message = format!("{} cannot be read", counted(unreadable, "line", "lines"));
        return Err(Diagnostic::error(message).with_help("the other lines were processed").into());
    }
    Ok(if faults == 0 { delivered } else { Outcome::Findings })
}

/// Lines that are written to standard output immediately, or to a file at the end.
enum LineOutput<'a> {
    Stream(BufWriter<StdoutLock<'static>>),
    Whole { text: String, args: &'a KeyArgs },
}

impl<'a> LineOutput<'a> {
    fn new(args: &'a KeyArgs) -> Result<Self, Failure> {
        Ok(match args.output.output {
            None => LineOutput::Stream(BufWriter::new(std::io::stdout().lock())),
            Some(_) => LineOutput::Whole { text: String::new(), args },
        })
    }

    fn line(&mut self, line: &str) -> Result<(), Failure> {
        match self {
            LineOutput::Stream(stdout) => writeln!(stdout, "{line}")?,
            LineOutput::Whole { text, .. } => {
                text.push_str(line);
                text.push('\n');
            }
        }
        Ok(())
    }

    fn finish(self, talk: &Talk) -> Result<Outcome, Failure> {
        match self {
            LineOutput::Stream(mut stdout) => {
                stdout.flush()?;
                Ok(Outcome::Clean)
            }
            LineOutput::Whole { text, args } => deliver(&text, &args.output, talk),
        }
    }
}
