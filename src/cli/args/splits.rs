//! The arguments of `splits`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use saltplan_core::diag::json::pretty;
use saltplan_core::hbase::shell::split_list;
use saltplan_core::key::range::{to_hex, to_string_binary};
use serde_json::{Value as Json, json};

use super::{KeyForm, OutputArgs, TemplateArgs};

/// Version of the JSON form.
const FORMAT_VERSION: u32 = 1;

#[derive(Debug, Args)]
pub struct SplitsArgs {
    /// Schema file, or `-` for standard input; not needed with --from-keys and --from-splits
    #[arg(value_name = "SCHEMA")]
    pub schema: Option<PathBuf>,

    /// Name used in messages for standard input
    #[arg(long, value_name = "NAME", default_value = "<stdin>")]
    pub stdin_filename: String,

    /// Output format: `SPLITS => […]` for the shell's `create`, a file for `SPLITS_FILE`, or JSON
    #[arg(
        long,
        alias = "format",
        value_name = "FORMAT",
        default_value = "shell",
        conflicts_with = "emit_sql"
    )]
    pub output_format: SplitsFormat,

    /// Split at the quantiles of the row keys in a file, one per line; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from_splits", "emit_sql"])]
    pub from_keys: Option<PathBuf>,

    /// Take the split keys from a file, one per line, such as the result of the --emit-sql query, or from what `get_splits`, `list_regions` or the REST server print; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "emit_sql")]
    pub from_splits: Option<PathBuf>,

    /// Print a Hive query that computes the split keys on the cluster
    #[arg(long, alias = "from-sql")]
    pub emit_sql: bool,

    /// Number of regions; by default that of the schema
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub regions: Option<u32>,

    /// With --emit-sql: Hive table with the keys, instead of the mapping table
    #[arg(long, value_name = "TABLE", requires = "emit_sql")]
    pub from: Option<String>,

    /// With --emit-sql: column with the keys
    #[arg(long, value_name = "COLUMN", requires = "emit_sql")]
    pub key_column: Option<String>,

    /// With --emit-sql: sample one key in N; 1 takes all keys
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "emit_sql", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub one_in: u32,

    /// How keys are written in the input: as the HBase shell prints them (`\xNN`), or in hex
    #[arg(long, alias = "keys", value_name = "FORM", default_value = "text")]
    pub key_form: KeyForm,

    #[command(flatten)]
    pub templates: TemplateArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SplitsFormat {
    Shell,
    File,
    Json,
}

impl SplitsFormat {
    pub fn text(self, keys: &[Vec<u8>]) -> String {
        match self {
            SplitsFormat::Shell => format!("{}\n", split_list(keys)),
            SplitsFormat::File => keys.iter().map(|key| to_string_binary(key) + "\n").collect(),
            SplitsFormat::Json => {
                let keys =
                    keys.iter().map(|key| json!({ "text": to_string_binary(key), "hex": to_hex(key) }));
                pretty(
                    &json!({ "format_version": FORMAT_VERSION, "split_keys": keys.collect::<Vec<Json>>() }),
                )
            }
        }
    }
}
