//! `pushdown`: answers the storage handler of Hive.

use std::io::Read as _;

use anyhow::Context as _;
use clap::Args;

use crate::cli::args::OutputArgs;
use crate::cli::{Failure, Outcome, Reporter};
use saltplan_document::diag::Diagnostic;
use saltplan_pushdown::{MAX_REQUEST_BYTES, answer};

const HELP: &str = "\
For programs: the storage handler of saltplan-hive.jar asks for the ranges of
a filter that Hive has pushed down. The request is one JSON object on standard
input; docs/pushdown.md describes it. No file is read.

Exit codes:
  0  answered
  2  wrong usage, a request that is not understood, or an internal error

Examples:
  saltplan pushdown < schemas/examples/pushdown.json";

/// Answer Hive: key ranges for a filter, as JSON
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct PushdownArgs {
    #[command(flatten)]
    pub output: OutputArgs,
}

pub fn run(args: &PushdownArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let mut request = Vec::new();
    // One byte more than allowed, so that a longer one is detected without reading all of it.
    let limit = MAX_REQUEST_BYTES as u64 + 1;
    let input = reporter.inputs.standard_input()?;
    input.take(limit).read_to_end(&mut request).context("cannot read the request from standard input")?;
    let answer = answer(&request).map_err(|error| Diagnostic::error(error.to_string()))?;
    args.output.deliver(&answer, reporter)
}
