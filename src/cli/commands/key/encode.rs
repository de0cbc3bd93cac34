//! `key encode`

use clap::Args;
use serde_json::{Map, Value as Json};

use super::csv::{self, Header};
use super::{KeyArgs, LineFault, each_line, lines_of};
use crate::cli::inputs::NamedLines;
use crate::cli::key_lines::written;
use crate::cli::{Failure, Outcome, Reporter};
use saltplan_core::row::{RowCodec, RowError};

const HELP: &str = "\
Rows are JSON objects, one per line, or CSV whose first line has the names;
then \\N is null. A single row may stand in the place of FILE.

Exit codes:
  0  every row has a key
  1  rows that do not fit the schema, or a difference with --check
  2  wrong usage, lines that are not JSON or CSV, or an internal error
Invalid lines are reported; the others are processed.

Examples:
  saltplan key encode schemas/examples/md5_nibble_day.yaml \\
    '{\"opera_day\": 20200406, \"row_id\": \"u1\"}'
  printf 'opera_day,row_id\\n20200406,u1\\n' |
    saltplan key encode schemas/examples/md5_nibble_day.yaml
  saltplan key decode schemas/examples/md5_sampled.yaml \\
    schemas/examples/keys.txt |
    saltplan key encode schemas/examples/md5_sampled.yaml - --key-form hex";

/// Encode rows, given as JSON lines or CSV, as row keys, one per line
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
    let row = args.file.as_deref().and_then(|file| file.to_str()).filter(|file| file.starts_with('{'));
    let lines = match row {
        Some(row) => NamedLines::of("<row>".into(), row.replace(['\n', '\r'], " ").into_bytes()),
        None => lines_of(args, reporter)?,
    };
    let mut header: Option<Header> = None;
    let mut is_first = true;
    each_line(args, lines, reporter, |_, line| {
        if std::mem::take(&mut is_first) && csv::is_header(line, &table) {
            header = Some(csv::header(line).map_err(|reason| LineFault::Unreadable(reason.into()))?);
            reporter.note("the rows are CSV");
            return Ok(None);
        }
        let key = match &header {
            Some(header) => csv::row(header, line)
                .map_err(|reason| LineFault::Unreadable(reason.into()))
                .and_then(|row| encode(&codec, &row)),
            None => codec.encode_json(line).map_err(|error| match error {
                RowError::NotJson(_) => LineFault::Unreadable(error.to_string().into()),
                _ => LineFault::Mismatch(error.to_string()),
            }),
        };
        Ok(Some((written(&key?, args.key_form), None)))
    })
}

fn encode(codec: &RowCodec<'_>, row: &Map<String, Json>) -> Result<Vec<u8>, LineFault> {
    codec.encode(row).map_err(|error| LineFault::Mismatch(error.to_string()))
}
