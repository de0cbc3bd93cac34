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
  saltplan simulate schemas/examples/md5_nibble_day.yaml --emit-sql -o count.sql
  saltplan simulate schemas/examples/region_number.yaml \\
    --grow 2d --rows-per-day 1M --keys 5k";

/// Count how rows spread over regions, or emulate how regions grow
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct SimulateArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    #[command(flatten)]
    pub count: CountArgs,

    #[command(flatten)]
    pub grow: GrowArgs,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub output_format: TextOrJson,

    /// Draw the regions as bars instead of listing them
    #[arg(long, conflicts_with_all = ["grow", "emit_sql"])]
    pub chart: bool,

    /// Also draw the report as an SVG picture
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    #[command(flatten)]
    pub output: OutputArgs,
}

/// What rows are made, and what is counted.
#[derive(Debug, Clone, Default, Args)]
pub struct CountArgs {
    /// Number of rows to generate, such as 250k or 100M; with --grow the number of keys that represent all rows
    #[arg(long, value_name = "N", default_value = "1M", value_parser = parse_count)]
    pub keys: u64,

    /// Seed of the random rows: the same seed gives the same rows
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Number of threads; by default one per processor
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,

    /// Distribution of a field's values, such as 'name=zipf(1.1, 1000)'; repeatable, overrides the schema's `workload`
    #[arg(long = "field", value_name = "NAME=VALUES")]
    pub fields: Vec<String>,

    /// Also count puts by time: by day, hour, month, or in a number of equal parts
    #[arg(long, value_name = "UNIT", conflicts_with_all = ["from_keys", "from_counts", "emit_sql", "grow"], value_parser = parse_slices)]
    pub by: Option<SliceBy>,

    /// Also count the rows that a predicate reads
    #[arg(long = "where", value_name = "PREDICATE", conflicts_with_all = ["from_keys", "from_counts", "emit_sql", "grow"])]
    pub predicate: Option<String>,

    /// Value of a parameter `:name` of the predicate; repeatable
    #[arg(long = "param", value_name = "NAME=VALUE", requires = "predicate")]
    pub params: Vec<String>,

    /// Split the table at the quantiles of this many simulated keys, instead of the schema's split keys
    #[arg(long, value_name = "N", conflicts_with_all = ["from_keys", "from_counts", "emit_sql", "grow"], value_parser = parse_count)]
    pub sample: Option<u64>,

    /// With --sample: number of regions; by default that of the schema
    #[arg(long, value_name = "N", requires = "sample", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub regions: Option<u32>,

    /// Count real row keys, one per line, instead of generated ones; `-` is standard input
    #[arg(long, alias = "keys-from", value_name = "FILE", conflicts_with_all = ["from_counts", "emit_sql"])]
    pub from_keys: Option<PathBuf>,

    /// Print a Hive query that counts the rows of the real table per region
    #[arg(long, conflicts_with_all = ["from_counts", "grow"])]
    pub emit_sql: bool,

    /// With --emit-sql: Hive table with the keys, instead of the mapping table
    #[arg(long, value_name = "TABLE", requires = "emit_sql")]
    pub from: Option<String>,

    /// With --emit-sql: column with the keys
    #[arg(long, value_name = "COLUMN", requires = "emit_sql")]
    pub key_column: Option<String>,

    /// Read the result of the --emit-sql query instead of generating rows; `-` is standard input
    #[arg(long, alias = "counts", value_name = "FILE", conflicts_with = "grow")]
    pub from_counts: Option<PathBuf>,

    /// How keys are written in the input: as the HBase shell prints them (`\xNN`), or in hex
    #[arg(long, value_name = "FORM", default_value = "text")]
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

/// How the table's files and regions grow.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Growth")]
pub struct GrowArgs {
    /// Emulate HBase over this time, such as 12h, 90d or 1y
    #[arg(long, value_name = "TIME", requires = "rows_per_day", num_args = 0..=1, default_missing_value = "1y", value_parser = parse_time)]
    pub grow: Option<f64>,

    /// Rows written per day, such as 250k or 100M
    #[arg(long, value_name = "N", requires = "grow", value_parser = parse_count)]
    pub rows_per_day: Option<u64>,

    /// Average size of a column value in bytes
    #[arg(long, value_name = "BYTES", requires = "grow", default_value_t = 20, value_parser = clap::value_parser!(u64).range(..=1 << 30))]
    pub value_size: u64,

    /// Bytes on disk per byte of data; below 1 with compression
    #[arg(long, value_name = "RATIO", requires = "grow", value_parser = parse_ratio)]
    pub disk_ratio: Option<f64>,

    /// HBase settings (hbase-site.xml); the others have the defaults of HBase 2.4
    #[arg(long, value_name = "FILE", requires = "grow")]
    pub hbase_site: Option<PathBuf>,

    /// An HBase setting or an attribute of the table; repeatable, overrides the file
    #[arg(long, value_name = "NAME=VALUE", requires = "grow")]
    pub hbase_conf: Vec<String>,

    /// Number of region servers
    #[arg(long, value_name = "N", requires = "grow", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub servers: u32,

    /// Heap size of a region server, such as 16g; without it, the limit on all its memstores is not emulated
    #[arg(long, value_name = "SIZE", requires = "grow", value_parser = parse_size)]
    pub heap: Option<u64>,

    /// Seed of the jitter of region sizes and major compactions
    #[arg(long, value_name = "N", requires = "grow", default_value_t = 1)]
    pub grow_seed: u64,
}

/// Seconds of a text such as `90d`.
fn parse_time(text: &str) -> Result<f64, String> {
    let units = [("y", 365.0 * 86_400.0), ("d", 86_400.0), ("h", 3600.0), ("m", 60.0), ("s", 1.0)];
    let found = units.into_iter().find_map(|(unit, seconds)| {
        let number: f64 = text.strip_suffix(unit)?.trim().parse().ok()?;
        (number.is_finite() && number > 0.0).then_some(number * seconds)
    });
    found.filter(|seconds| *seconds <= 100.0 * 365.0 * 86_400.0).ok_or_else(|| {
        "expected a number and a unit of time up to 100 years, such as 12h, 90d or 1y".to_string()
    })
}

/// A number such as `250k`, `1_000` or `100M`.
pub fn parse_count(text: &str) -> Result<u64, String> {
    scaled(text, &[("k", 1e3), ("K", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12)])
        .ok_or_else(|| "expected a number above 0, such as 250000, 250k or 100M".to_string())
}

/// Bytes of a text such as `16g`; the units are powers of 1024, as in Java's `-Xmx`.
fn parse_size(text: &str) -> Result<u64, String> {
    let (mib, gib, tib) = ((1u64 << 20) as f64, (1u64 << 30) as f64, (1u64 << 40) as f64);
    scaled(&text.to_ascii_lowercase(), &[("k", 1024.0), ("m", mib), ("g", gib), ("t", tib)])
        .ok_or_else(|| "expected a size such as 8g or 512m".to_string())
}

fn scaled(text: &str, units: &[(&str, f64)]) -> Option<u64> {
    let (digits, factor) = units
        .iter()
        .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)))
        .unwrap_or((text, 1.0));
    let number = digits.replace('_', "").parse::<f64>().ok()? * factor;
    (1.0..=1e15).contains(&number).then_some(number.round() as u64)
}

fn parse_ratio(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|ratio| (0.001..=10.0).contains(ratio))
        .ok_or_else(|| "expected a number from 0.001 to 10, such as 0.3".to_string())
}
