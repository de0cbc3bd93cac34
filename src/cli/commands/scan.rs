//! `scan`: prints HBase shell scans and gets.

use clap::{Args, ValueEnum};

use crate::cli::args::{
    OUTPUT, OutputArgs, PredicateArgs, RefusalArgs, RuntimeArgs, SchemaArgs, SizeArgs, WideningArgs,
};
use crate::cli::input::plan_predicate;
use crate::cli::settings;
use crate::cli::{Failure, Outcome, Reporter};
use saltplan_core::render::size::limited;
use saltplan_document::diag::json::pretty;

const HELP: &str = "\
Exit codes:
  0  done
  1  a refused plan (a full scan, nothing to read), or a difference with --check
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan scan schemas/examples/md5_nibble_day.yaml \\
    \"opera_day = 20200406 AND row_id = 'u1'\"
  saltplan scan schemas/examples/md5_nibble_day.yaml --output-format json \\
    \"opera_day = 20200406\"";

/// Print HBase shell scans and gets for a predicate
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct ScanArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,
    #[command(flatten)]
    pub predicate: PredicateArgs,

    /// `shell` for the HBase shell, `json` for programs
    #[arg(long, value_name = "FORMAT", default_value = "shell", help_heading = OUTPUT)]
    pub output_format: ScanFormat,

    #[command(flatten)]
    pub widening: WideningArgs,
    #[command(flatten)]
    pub refusal: RefusalArgs,
    #[command(flatten)]
    pub size: SizeArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScanFormat {
    Shell,
    Json,
}

pub fn run(args: &ScanArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let table = args.schema.load(reporter)?;
    let limits = settings::limits(args.widening, None, &args.schema.settings()?);
    let planned = plan_predicate(
        &table,
        &args.predicate,
        &RuntimeArgs::default(),
        args.refusal.options(limits),
        reporter,
    )?;
    if let Some(warning) = planned.scan_warning() {
        reporter.remarks(&[(&warning).into()]);
    }
    let max_bytes = args.size.max_bytes;
    let text = match args.output_format {
        ScanFormat::Shell => planned.limited_hbase_shell(max_bytes)?,
        ScanFormat::Json => pretty(&planned.scan_json(&reporter.warnings(), max_bytes)?),
    };
    args.output.deliver(&limited(text, max_bytes)?, reporter)
}
