//! The arguments of `simulate`, some of which `report` has too.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::{KeyForm, OutputArgs, SchemaArgs, TextOrJson};
use saltplan_sql::time::pattern::Granularity;

const HELP: &str = "\
Exit codes:
  0  done
  1  a difference with --check, or interrupted before the end
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan simulate schemas/examples/md5_nibble_day.yaml --keys 100k --chart
  saltplan simulate schemas/examples/md5_sampled.yaml \\
    --from-keys schemas/examples/keys.txt --svg regions.svg
  saltplan simulate schemas/examples/md5_nibble_day.yaml --emit-sql -o count.sql";

/// Count how rows spread over regions
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct SimulateArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    #[command(flatten)]
    pub count: CountArgs,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", conflicts_with = "emit_sql")]
    pub output_format: TextOrJson,

    /// Draw the regions as bars instead of listing them
    #[arg(long, conflicts_with = "emit_sql")]
    pub chart: bool,

    /// Also draw the report as an SVG picture
    #[arg(long, value_name = "FILE", conflicts_with = "emit_sql")]
    pub svg: Option<PathBuf>,

    #[command(flatten)]
    pub output: OutputArgs,
}

/// What rows are made.
#[derive(Debug, Clone, Default, Args)]
pub struct RowArgs {
    /// Number of keys to generate, such as 250k or 100M; in `grow` each represents equally many rows
    #[arg(long, value_name = "N", default_value = "1M", value_parser = parse_count)]
    pub keys: u64,

    /// Seed of the random rows: the same seed gives the same rows
    #[arg(long, value_name = "N", default_value_t = 1, hide_short_help = true)]
    pub seed: u64,

    /// Distribution of a field's values, such as 'name=zipf(1.1, 1000)'; repeatable.
    ///
    /// Overrides the schema's `workload`
    #[arg(long, alias = "field", value_name = "NAME=VALUES")]
    pub workload: Vec<String>,
}

/// What rows are made, and what is counted.
// clap does not check `requires` of a flag that conflicts with another one on the command line, so what a flag cannot do without is
// also in its conflicts.
#[derive(Debug, Clone, Default, Args)]
pub struct CountArgs {
    #[command(flatten)]
    pub rows: RowArgs,

    /// Number of threads; by default one per processor
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,

    /// Also count puts by time: by day, hour, month, or in a number of equal parts
    #[arg(long, value_name = "UNIT", conflicts_with_all = ["from_keys", "from_counts", "emit_sql"], value_parser = parse_slices)]
    pub by: Option<SliceBy>,

    /// Also count the rows that a predicate reads
    #[arg(long, alias = "where", value_name = "PREDICATE", conflicts_with_all = ["from_keys", "from_counts", "emit_sql"])]
    pub predicate: Option<String>,

    /// Value of a parameter `:name` of the predicate; repeatable
    #[arg(long = "param", hide_short_help = true, value_name = "NAME=VALUE", requires = "predicate", conflicts_with_all = ["from_keys", "from_counts", "emit_sql"])]
    pub params: Vec<String>,

    /// Split the table at the quantiles of this many simulated keys, instead of the schema's split keys
    #[arg(long, hide_short_help = true, value_name = "N", conflicts_with_all = ["from_keys", "from_counts", "emit_sql"], value_parser = parse_count)]
    pub sample: Option<u64>,

    /// With --sample: number of regions; by default that of the schema
    #[arg(long, hide_short_help = true, value_name = "N", requires = "sample", conflicts_with_all = ["from_keys", "from_counts", "emit_sql"], value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub regions: Option<u32>,

    /// Count real row keys, one per line, instead of generated ones; `-` is standard input
    #[arg(long, alias = "keys-from", value_name = "FILE", conflicts_with_all = ["from_counts", "emit_sql", "keys", "seed", "workload", "threads"])]
    pub from_keys: Option<PathBuf>,

    /// Print a Hive query that counts the rows of the real table per region
    #[arg(long, hide_short_help = true, conflicts_with_all = ["from_counts", "keys", "seed", "workload", "threads"])]
    pub emit_sql: bool,

    /// With --emit-sql: Hive table with the keys, instead of the mapping table
    #[arg(long, hide_short_help = true, value_name = "TABLE", requires = "emit_sql", conflicts_with_all = ["from_keys", "from_counts"])]
    pub from: Option<String>,

    /// With --emit-sql: column with the keys
    #[arg(long, hide_short_help = true, value_name = "COLUMN", requires = "emit_sql", conflicts_with_all = ["from_keys", "from_counts"])]
    pub key_column: Option<String>,

    /// Read the result of the --emit-sql query instead of generating rows; `-` is standard input
    #[arg(long, hide_short_help = true, alias = "counts", value_name = "FILE", conflicts_with_all = ["keys", "seed", "workload", "threads"])]
    pub from_counts: Option<PathBuf>,

    /// How keys are written in the input: as the HBase shell prints them (`\xNN`), or in hex
    #[arg(long, hide_short_help = true, value_name = "FORM", default_value = "text", requires = "from_keys", conflicts_with_all = ["from_counts", "emit_sql"])]
    pub key_form: KeyForm,
}

/// How puts are cut by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SliceBy {
    Unit(Granularity),
    Parts(u32),
}

pub fn parse_slices(text: &str) -> Result<SliceBy, String> {
    match text {
        "month" => Ok(SliceBy::Unit(Granularity::Month)),
        "day" => Ok(SliceBy::Unit(Granularity::Day)),
        "hour" => Ok(SliceBy::Unit(Granularity::Hour)),
        _ => match text.parse() {
            Ok(parts @ 1..=10_000) => Ok(SliceBy::Parts(parts)),
            _ => Err("expected `day`, `hour`, `month` or a number from 1 to 10000".into()),
        },
    }
}

/// A number such as `250k`, `1_000` or `100M`.
pub fn parse_count(text: &str) -> Result<u64, String> {
    scaled(text, &[("k", 1e3), ("K", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12)])
        .ok_or_else(|| "expected a number above 0, such as 250000, 250k or 100M".to_string())
}

pub fn scaled(text: &str, units: &[(&str, f64)]) -> Option<u64> {
    let (digits, factor) = units
        .iter()
        .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)))
        .unwrap_or((text, 1.0));
    let number = digits.replace('_', "").parse::<f64>().ok()? * factor;
    (1.0..=1e15).contains(&number).then_some(number.round() as u64)
}
