//! `load`: prints the statement that writes a Hive table's rows to HBase.

use clap::Args;

use crate::cli::args::{OutputArgs, SchemaArgs, SizeArgs, TemplateArgs};
use crate::cli::statements;
use crate::cli::{Failure, Outcome, Reporter};
use saltplan_core::hive;
use saltplan_core::hive::load::LoadOptions;
use saltplan_core::render::parse_table_name;
use saltplan_core::render::size::limited;

const HELP: &str = "\
Exit codes:
  0  done
  1  a row key that Hive cannot build, or a difference with --check
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan load schemas/examples/md5_nibble_day.yaml \\
    --from staging.recommend_log
  saltplan load schemas/examples/md5_nibble_day.yaml \\
    --from staging.recommend_log --list 20";

/// Print the Hive statement that writes the rows of a table to HBase and builds their row keys
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct LoadArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    /// Hive table or view with a column for every key field and every column of the schema
    #[arg(long, value_name = "TABLE")]
    pub from: String,

    /// Instead, print a query that lists up to N rows on which the statement would fail
    #[arg(long, alias = "faults", value_name = "N", num_args = 0..=1, default_missing_value = "100", value_parser = clap::value_parser!(u32).range(1..))]
    pub list: Option<u32>,

    /// Omit the comment above the statement
    #[arg(long, hide_short_help = true)]
    pub no_header: bool,

    #[command(flatten)]
    pub templates: TemplateArgs,
    #[command(flatten)]
    pub size: SizeArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

pub fn run(args: &LoadArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let table = args.schema.load(reporter)?;
    let mut options =
        LoadOptions { from: parse_table_name(&args.from)?, list_faults: args.list, header: Vec::new() };
    if !args.no_header {
        options.header = hive::load::header(&table.file_name(), &options);
    }
    if let Some(warning) = hive::load::warning(table.schema(), &options) {
        reporter.remarks(&[(&warning).into()]);
    }
    let templates = args.templates.load(&args.schema.settings()?, reporter);
    let sql = hive::load::render(table.schema(), &options, &templates)?;
    statements::check(&templates, reporter);
    args.output.deliver(&limited(sql, args.size.max_bytes)?, reporter)
}
