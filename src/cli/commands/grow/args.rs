//! The arguments of `grow`, some of which `report` has too.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::{KeyForm, OutputArgs, SchemaArgs, TextOrJson};
use crate::cli::commands::simulate::{RowArgs, parse_count, scaled};

const HELP: &str = "\
Exit codes:
  0  done
  1  a difference with --check, or interrupted before the end
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan grow schemas/examples/region_number.yaml --rows-per-day 1M \\
    --for 2d --keys 5k
  saltplan grow schemas/examples/md5_sampled.yaml --rows-per-day 100k --for 1d \\
    --from-keys schemas/examples/keys.txt --svg growth.svg";

/// Emulate how the files and regions of a table grow
#[derive(Debug, Args)]
#[command(after_help = HELP, mut_arg("rows_per_day", |rows| rows.required(true)))]
pub struct GrowArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    /// Emulate HBase over this time, such as 12h, 90d or 1y
    #[arg(
        long = "for",
        alias = "grow",
        value_name = "TIME",
        num_args = 0..=1,
        default_value = "1y",
        default_missing_value = "1y",
        value_parser = parse_time,
        help_heading = "Growth"
    )]
    pub time: f64,

    #[command(flatten)]
    pub rows: RowArgs,

    /// Real row keys, one per line, instead of generated ones; `-` is standard input
    #[arg(long, alias = "keys-from", value_name = "FILE", conflicts_with_all = ["keys", "seed", "workload"])]
    pub from_keys: Option<PathBuf>,

    /// How keys are written in the input: as the HBase shell prints them (`\xNN`), or in hex
    #[arg(long, value_name = "FORM", default_value = "text", hide_short_help = true, requires = "from_keys")]
    pub key_form: KeyForm,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub output_format: TextOrJson,

    /// Also draw the report as an SVG picture
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    #[command(flatten)]
    pub output: OutputArgs,

    #[command(flatten)]
    pub growth: GrowthArgs,
}

/// How the table's files and regions grow.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Growth")]
pub struct GrowthArgs {
    /// Rows written per day, such as 250k or 100M
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub rows_per_day: Option<u64>,

    /// Average size of a column value in bytes
    #[arg(long, hide_short_help = true, value_name = "BYTES", default_value_t = 20, value_parser = clap::value_parser!(u64).range(..=1 << 30))]
    pub value_size: u64,

    /// Bytes on disk per byte of data; below 1 with compression
    #[arg(long, hide_short_help = true, value_name = "RATIO", value_parser = parse_ratio)]
    pub disk_ratio: Option<f64>,

    /// HBase settings (hbase-site.xml); the others have the defaults of HBase 2.4
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    pub hbase_site: Option<PathBuf>,

    /// An HBase setting or an attribute of the table; repeatable, overrides the file
    #[arg(long, hide_short_help = true, value_name = "NAME=VALUE")]
    pub hbase_conf: Vec<String>,

    /// Number of region servers
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub servers: u32,

    /// Heap size of a region server, such as 16g; without it, the limit on all its memstores is not emulated
    #[arg(long, hide_short_help = true, value_name = "SIZE", value_parser = parse_size)]
    pub heap: Option<u64>,

    /// Seed of the jitter of region sizes and major compactions
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 1)]
    pub grow_seed: u64,
}

/// Seconds of a text such as `90d`.
pub fn parse_time(text: &str) -> Result<f64, String> {
    let units = [("y", 365.0 * 86_400.0), ("d", 86_400.0), ("h", 3600.0), ("m", 60.0), ("s", 1.0)];
    let found = units.into_iter().find_map(|(unit, seconds)| {
        let number: f64 = text.strip_suffix(unit)?.trim().parse().ok()?;
        (number.is_finite() && number > 0.0).then_some(number * seconds)
    });
    found.filter(|seconds| *seconds <= 100.0 * 365.0 * 86_400.0).ok_or_else(|| {
        "expected a number and a unit of time up to 100 years, such as 12h, 90d or 1y".to_string()
    })
}

/// Bytes of a text such as `16g`; the units are powers of 1024, as in Java's `-Xmx`.
fn parse_size(text: &str) -> Result<u64, String> {
    let (mib, gib, tib) = ((1u64 << 20) as f64, (1u64 << 30) as f64, (1u64 << 40) as f64);
    scaled(&text.to_ascii_lowercase(), &[("k", 1024.0), ("m", mib), ("g", gib), ("t", tib)])
        .ok_or_else(|| "expected a size such as 8g or 512m".to_string())
}

fn parse_ratio(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|ratio| (0.001..=10.0).contains(ratio))
        .ok_or_else(|| "expected a number from 0.001 to 10, such as 0.3".to_string())
}
