//! `verify`: prints the query that counts stored rows with a wrong key.

use clap::Args;

use crate::cli::args::{OutputArgs, SchemaArgs, SizeArgs, TemplateArgs};
use crate::cli::statements;
use crate::cli::{Failure, Outcome, Reporter};
use saltplan_core::hive;
use saltplan_core::hive::verify::VerifyOptions;
use saltplan_core::render::size::limited;

const HELP: &str = "\
Exit codes:
  0  done
  1  a row key that Hive cannot decode, or a difference with --check
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan verify schemas/examples/md5_nibble_day.yaml
  saltplan verify schemas/examples/md5_nibble_day.yaml --list 0 -o count.sql";

/// Print the Hive query that counts stored rows with a wrong key
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    /// Maximum number of wrong rows to list; 0 only counts them
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub list: u32,

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

pub fn run(args: &VerifyArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let table = args.schema.load(reporter)?;
    let header = if args.no_header { Vec::new() } else { hive::verify::header(&table.file_name()) };
    let options = VerifyOptions { list: args.list, header };
    let templates = args.templates.load(&args.schema.settings()?, reporter);
    let sql = hive::verify::render(table.schema(), &options, &templates)?;
    statements::check(&templates, reporter);
    args.output.deliver(&limited(sql, args.size.max_bytes)?, reporter)
}
