//! `generate rules`

use clap::Args;

use crate::cli::args::OutputArgs;
use crate::cli::{Failure, Outcome, Reporter};
use saltplan_lint::docs;

const HELP: &str = "\
Exit codes:
  0  done
  1  a difference with --check
  2  wrong usage, or a file that cannot be written

Examples:
  saltplan generate rules -o rules.md";

/// Print the documentation of all rules of the audit, as Markdown
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct RulesArgs {
    #[command(flatten)]
    output: OutputArgs,
}

pub fn run(args: &RulesArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    args.output.deliver(&docs::markdown(), reporter)
}
