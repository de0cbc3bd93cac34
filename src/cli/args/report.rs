//! The arguments of `report`.

use std::path::PathBuf;

use clap::Args;

use super::simulate::{parse_count, parse_slices};
use super::{GrowArgs, OutputArgs, PREDICATE, ParameterArgs, SliceBy, parse_limit};
use saltplan_core::plan::DEFAULT_MAX_BRANCHES;

pub(super) const REPORT_HELP: &str = "\
The page is a single HTML file that loads nothing from the network. It shows
the row key and the regions of every table, the ranges of each predicate, the
statements for every engine, the findings of the audit, and with --base the
changes. docs/report.md has a picture.

Exit codes:
  0  the page is written
  1  a simulation that was interrupted, or a difference with --check
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan report schemas/examples/md5_nibble_day.yaml -o report.html \\
    --predicate 'day=opera_day = 20200406'
  saltplan report schemas/examples/*.yaml --keys 100k -o report.html";

#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Schema files, and folders with schema files; by default the schemas of the jobs file
    #[arg(value_name = "SCHEMA", required_unless_present = "jobs")]
    pub schemas: Vec<PathBuf>,

    /// Predicate to plan for every schema, with a name for the page, such as "`day=opera_day = 20200406`";
    /// repeatable
    #[arg(long = "predicate", value_name = "NAME=PREDICATE", value_parser = parse_named, help_heading = PREDICATE)]
    pub predicates: Vec<NamedPredicate>,

    #[command(flatten)]
    pub parameters: ParameterArgs,

    /// File with a HiveQL query on logical tables, shown side by side with the rewritten query; values of --param
    /// replace `${name}` in it; repeatable
    #[arg(long = "query", value_name = "FILE")]
    pub queries: Vec<PathBuf>,

    /// Jobs file, whose predicates and queries are shown as its jobs make them
    #[arg(long, value_name = "FILE", help_heading = PREDICATE)]
    pub jobs: Option<PathBuf>,

    /// Maximum number of key ranges of a plan; above it, neighbouring ranges are merged
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_BRANCHES, value_parser = parse_limit, help_heading = PREDICATE)]
    pub max_branches: usize,

    /// Old version of the schema, to show what changes: a file or `git:REF:path`; repeatable, one for each
    /// SCHEMA in the same order
    #[arg(long, value_name = "OLD", requires = "schemas")]
    pub base: Vec<String>,

    /// Heading of the page
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,

    /// Number of rows to generate, such as 250k or 100M, to show how they spread over the regions; with
    /// --grow the number of keys that represent all rows
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = LOAD)]
    pub keys: Option<u64>,

    /// Seed of the random rows: the same seed gives the same rows
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = LOAD)]
    pub seed: u64,

    /// Distribution of a field's values, such as 'name=zipf(1.1, 1000)'; repeatable, overrides the schema's
    /// `workload`
    #[arg(long = "field", value_name = "NAME=VALUES", help_heading = LOAD)]
    pub fields: Vec<String>,

    /// Also show rows by time: by day, hour, month, or in a number of equal parts
    #[arg(long, value_name = "UNIT", requires = "keys", value_parser = parse_slices, help_heading = LOAD)]
    pub by: Option<SliceBy>,

    #[command(flatten)]
    pub grow: GrowArgs,

    #[command(flatten)]
    pub output: OutputArgs,
}

const LOAD: &str = "Load";

/// A predicate and its name on the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPredicate {
    pub name: String,
    pub text: String,
}

fn parse_named(text: &str) -> Result<NamedPredicate, String> {
    let named = text.split_once('=').filter(|(name, predicate)| {
        !name.is_empty() && !name.contains(char::is_whitespace) && !predicate.trim().is_empty()
    });
    let (name, predicate) = named.ok_or_else(|| {
        "expected a name without blanks and a predicate, such as 'day=opera_day = 20200406'".to_string()
    })?;
    Ok(NamedPredicate { name: name.into(), text: predicate.trim().into() })
}
