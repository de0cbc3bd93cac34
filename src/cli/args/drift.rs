//! The arguments of `drift`.

use std::path::PathBuf;

use clap::Args;

use super::{ExplainFormat, KeyForm, OutputArgs, SchemaArgs};

pub(super) const DRIFT_HELP: &str = "\
The dump is one of:
  echo \"get_splits 'ns:table'\" | hbase shell -n
  echo \"list_regions 'ns:table'\" | hbase shell -n
    (shows region names, and blanks at the ends of keys)
  curl -H 'Accept: application/json' \\
    http://rest-server:8080/ns:table/regions
    (or text/xml)
  a file with one split key per line, as `splits --output-format file`
    prints it

The result is a script for the HBase shell, with the differences as comments.
It is never run: read it, then `hbase shell -n FILE`.

Exit codes:
  0  the split keys agree
  1  they differ, or a difference with --check
  2  wrong usage, invalid input, the dump of another table, or an internal error

Examples:
  saltplan drift schemas/examples/md5_nibble_day.yaml \\
    --from-splits schemas/examples/get_splits.txt
  saltplan drift schemas/examples/md5_nibble_day.yaml \\
    --from-splits schemas/examples/get_splits.txt \\
    --output-format json -o drift.json";

#[derive(Debug, Args)]
pub struct DriftArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    /// Regions of the live table, as the HBase shell or the REST server prints them, or one split key per line; `-` is standard input
    #[arg(long, alias = "splits", value_name = "DUMP")]
    pub from_splits: PathBuf,

    /// How keys are written in a file with one key per line: as the HBase shell prints them (`\xNN`), or in hex
    #[arg(long, alias = "keys", value_name = "FORM", default_value = "text")]
    pub key_form: KeyForm,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub output_format: ExplainFormat,

    #[command(flatten)]
    pub output: OutputArgs,
}
