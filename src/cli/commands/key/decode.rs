//! `key decode`

use clap::Args;
use serde_json::json;

use super::{KeyArgs, LineFault, each_line, lines_of};
use crate::cli::key_lines::{LineOf, read_line};
use crate::cli::{Failure, Outcome, Reporter};

const HELP: &str = "\
Exit codes:
  0  every key has a row
  1  keys that do not fit the schema or have a wrong salt, or a difference with
     --check
  2  wrong usage, lines that are not UTF-8 or hex, or an internal error
Invalid lines are reported; the others are processed.

Examples:
  saltplan key decode schemas/examples/md5_sampled.yaml \\
    schemas/examples/keys.txt
  echo '01520200406u1' |
    saltplan key decode schemas/examples/md5_nibble_day.yaml -";

/// Decode row keys, one per line, to JSON lines; report wrong salts
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct DecodeArgs {
    #[command(flatten)]
    lines: KeyArgs,
}

pub fn run(args: &DecodeArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let args = &args.lines;
    let table = args.schema.load(reporter)?;
    let codec = table.row_codec();
    let lines = lines_of(args, reporter)?;
    each_line(args, lines, reporter, |number, line| {
        let key = read_line((number, line), args.key_form, LineOf::RowKeys).map_err(LineFault::Unreadable)?;
        let key = codec.decode(&key.unwrap_or_default());
        let key = key.map_err(|error| LineFault::Mismatch(error.to_string()))?;
        let finding = key.salt_fault();
        Ok(Some((json!(codec.to_json(&key)).to_string(), finding)))
    })
}
