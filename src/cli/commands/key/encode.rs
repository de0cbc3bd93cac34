//! `key encode`

use clap::Args;

use super::{KeyArgs, LineFault, each_line};
use crate::cli::key_lines::written;
use crate::cli::{Failure, Outcome, Reporter};
use saltplan_core::row::RowError;

const HELP: &str = "\
Exit codes:
  0  every row has a key
  1  rows that do not fit the schema, or a difference with --check
  2  wrong usage, lines that are not JSON, or an internal error
Invalid lines are reported; the others are processed.

Examples:
  echo '{\"opera_day\": 20200406, \"row_id\": \"u1\"}' |
    saltplan key encode schemas/examples/md5_nibble_day.yaml
  saltplan key decode schemas/examples/md5_sampled.yaml \\
    schemas/examples/keys.txt |
    saltplan key encode schemas/examples/md5_sampled.yaml - --key-form hex";

/// Encode rows, given as JSON lines, as row keys, one per line
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct EncodeArgs {
    #[command(flatten)]
    lines: KeyArgs,
}

pub fn run(args: &EncodeArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let args = &args.lines;
    let table = args.schema.load(reporter)?;
    let codec = table.row_codec();
    each_line(args, reporter, |line| {
        let key = codec.encode_json(line).map_err(|error| match error {
            RowError::NotJson(_) => LineFault::Unreadable(error.to_string()),
            _ => LineFault::Mismatch(error.to_string()),
        })?;
        Ok((written(&key, args.key_form), None))
    })
}
