//! `generate json-schema`

use clap::{Args, ValueEnum};

use crate::cli::args::OutputArgs;
use crate::cli::{Failure, Outcome, Reporter};
use saltplan_core::schema::json_schema;
use saltplan_project::jobs;
use saltplan_project::settings;

const HELP: &str = "\
Exit codes:
  0  done
  1  a difference with --check
  2  wrong usage, or a file that cannot be written

Examples:
  saltplan generate json-schema -o saltplan.schema.json
  saltplan generate json-schema --of jobs -o jobs.schema.json";

/// Print the JSON schema of a kind of file, for editors
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct JsonSchemaArgs {
    /// Kind of file
    #[arg(long, value_name = "KIND", default_value = "schema")]
    of: FileKind,

    #[command(flatten)]
    output: OutputArgs,
}

/// A kind of file that has a JSON schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FileKind {
    /// Schema files
    Schema,
    /// Jobs files, for `build`
    Jobs,
    /// `saltplan.toml`
    Settings,
}

pub fn run(args: &JsonSchemaArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let text = match args.of {
        FileKind::Schema => json_schema::text(),
        FileKind::Jobs => jobs::json_schema_text(),
        FileKind::Settings => settings::json_schema_text(),
    };
    args.output.deliver(&text, reporter)
}
