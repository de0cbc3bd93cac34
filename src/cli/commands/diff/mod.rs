//! `diff`: two versions of a schema.

mod folders;
mod json;
mod markdown;
mod report;
mod text;

pub use folders::are_folders;

use std::path::Path;
use std::path::PathBuf;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::cli::args::{OutputArgs, choice};
use crate::cli::git;
use crate::cli::input::load_version;
use crate::cli::inputs::name_of;
use crate::cli::{Failure, Outcome, Reporter};
use report::DiffReport;
use saltplan_document::diag::json::pretty;
use saltplan_document::diag::{Diagnostic, Source};
use saltplan_project::diff::accept::AcceptList;
use saltplan_project::diff::{self, Class};

const HELP: &str = "\
Classes, worst first:
  key       stored rows become unreadable, or are looked up under other keys
  data_loss HBase deletes stored cells: a shorter ttl, fewer versions, a family
            that is removed
  region    the split keys change
  mapping   the HBase and Hive tables change: families, columns, types, names
  query     only printed queries change: value ranges, names, expressions
  cosmetic  comments, order, another spelling of the same thing

The accept file has one line per accepted change: a path such as
`key.salt.write` or `column.tel`, or a line as printed, such as
`key.salt.write: decimal -> decimal(3)` or `- column tel (string, f:tel)`.
`#` starts a comment.

Two folders are compared file by file. A line of the accept file then applies
to all files, or to one: `calls.yaml: key.salt.write`. `+ calls.yaml` accepts a
new file, `- calls.yaml` a removed one. Both count as `mapping`.

Exit codes:
  0  no change at or above --fail-on, apart from those listed in --accept
  1  such a change, or a difference with --check
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan diff schemas/examples/md5_nibble_day.yaml
  saltplan diff git:main:schemas schemas
  saltplan diff git:main:schemas/examples/plain_concat.yaml \\
    schemas/examples/plain_concat.yaml
  saltplan diff schemas/examples/md5_prefix.yaml \\
    schemas/examples/md5_whole.yaml --output-format markdown";

/// Compare two versions of a schema: which changes make stored rows unreadable, and which are cosmetic
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct DiffArgs {
    /// Old version: a file, a folder, `git:REF:path` with the path from the root of the repository, or `-` for standard input. If it is the only one, it is the new version, and the old one is that of `git:HEAD:`
    #[arg(value_name = "OLD")]
    pub old: String,

    /// New version, in the same forms
    #[arg(value_name = "NEW")]
    pub new: Option<String>,

    /// Exit with 1 if there is a change of this class or a worse one
    #[arg(long, value_name = "CLASS", default_value = "query", value_parser = classes())]
    pub fail_on: FailOn,

    /// File with accepted changes, one per line
    #[arg(long, value_name = "FILE")]
    pub accept: Option<PathBuf>,

    /// Output format; `markdown` is for a comment on a pull request
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub output_format: DiffFormat,

    #[command(flatten)]
    pub output: OutputArgs,
}

/// A class, or `None` for `never`. An alias, because clap takes a field of the type `Option` for an optional
/// argument.
pub type FailOn = Option<Class>;

fn classes() -> impl TypedValueParser<Value = FailOn> {
    let named = Class::ALL.map(|class| {
        let name = PossibleValue::new(class.name());
        (Some(class), if class == Class::DataLoss { name.alias("data-loss") } else { name })
    });
    choice(named.into_iter().chain([(None, "never".into())]))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    Text,
    Json,
    Markdown,
}

/// The maximum size of an accept list in bytes.
const MAX_ACCEPT_BYTES: u64 = 1 << 20;

/// The old and the new version. A single one is compared with the last commit.
fn versions(args: &DiffArgs) -> Result<(String, String), Failure> {
    let Some(new) = &args.new else {
        if args.old.starts_with("git:") || args.old == "-" {
            let error = Diagnostic::error("the new version is missing");
            return Err(error.with_help(format!("write `saltplan diff {} NEW`", args.old)).into());
        }
        return Ok((git::of_head(Path::new(&args.old))?, args.old.clone()));
    };
    if !Path::new(&args.old).exists() && git::is_revision(&args.old)? {
        let error = Diagnostic::error(format!("`{}` is a revision of git, not a file", args.old));
        let path = if new.starts_with("git:") || new == "-" { "path/from/the/root.yaml" } else { new };
        let start = if Path::new(path).is_relative() { "./" } else { "" };
        let path = path.strip_prefix("./").unwrap_or(path);
        return Err(error.with_help(format!("did you mean `git:{}:{start}{path}`?", args.old)).into());
    }
    Ok((args.old.clone(), new.clone()))
}

pub fn run(args: &DiffArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let (old_name, new_name) = versions(args)?;
    reporter.inputs.differ([Path::new(&old_name), Path::new(&new_name)])?;
    let accept = match &args.accept {
        Some(path) => Source::new(name_of(path), reporter.inputs.text(path, MAX_ACCEPT_BYTES)?),
        None => Source::new("", ""),
    };
    let accept = AcceptList::parse(&accept);
    let (text, worst) = if are_folders(&old_name, &new_name)? {
        let report = folders::compare(&old_name, &new_name, &accept, reporter)?;
        reporter.remarks(&report.unused);
        let text = match args.output_format {
            DiffFormat::Text => report.text(),
            DiffFormat::Markdown => report.markdown(),
            DiffFormat::Json => pretty(&report.json()),
        };
        (text, report.worst_unaccepted())
    } else {
        let (old, new) = (load_version(&old_name, reporter)?, load_version(&new_name, reporter)?);
        let comparison = diff::tables(&old, &new)?;
        let (accepted, unused) = accept.apply(&comparison);
        reporter.remarks(&unused);
        let report = DiffReport::of(&old, &new, &comparison, &accepted);
        let text = match args.output_format {
            DiffFormat::Text => text::text(&report),
            DiffFormat::Markdown => markdown::markdown(&report),
            DiffFormat::Json => pretty(&json::json(&report, &unused)),
        };
        (text, report.worst_unaccepted())
    };
    let delivered = args.output.deliver(&text, reporter)?;
    let is_too_much = worst.zip(args.fail_on).is_some_and(|(worst, limit)| worst >= limit);
    Ok(if is_too_much { Outcome::Findings } else { delivered })
}
