//! The arguments of `rewrite`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use saltplan_core::plans::MAX_BRANCHES;
use saltplan_core::queries::{Engine, QueryShape};

use super::plan::engines;
use super::{BudgetArgs, OUTPUT, WideningArgs, parse_limit};

const QUERY: &str = "Query";
const STATEMENT: &str = "Ranges";

pub(super) const REWRITE_HELP: &str = "\
Queries name the logical table of a schema, which is called by its `hive.view`.
Each place where one is read is replaced by the ranges that the query's own
conditions leave; the rest stays as it is. What cannot be narrowed stays, too,
with a message at its place. docs/rewrite.md has the rules.

Exit codes:
  0  every place is narrowed, or there is none
  1  a place that still reads the whole table, or a difference with --check
  2  wrong usage, invalid input (no HiveQL, no UTF-8), or an internal fault

Examples:
  saltplan rewrite --schemas examples/rewrite --hivevar day=20200406 \\
    examples/rewrite/users.sql
  saltplan rewrite --schemas examples/rewrite --hivevar day=20200406 \\
    examples/rewrite/users.sql --explain
  saltplan rewrite --schemas examples/rewrite --hivevar day=20200406 \\
    examples/rewrite --engine mr -o target/sql";

#[derive(Debug, Args)]
pub struct RewriteArgs {
    /// Files of HiveQL, and folders that are searched for *.hql and *.sql; `-` is standard input
    #[arg(value_name = "PATH", default_value = "-")]
    pub paths: Vec<PathBuf>,

    /// Schema file, or a folder of them; repeatable
    #[arg(long, value_name = "PATH", required = true)]
    pub schemas: Vec<PathBuf>,

    /// Name in messages of what comes from standard input
    #[arg(long, value_name = "NAME", default_value = "<stdin>")]
    pub stdin_filename: String,

    /// Value of `${NAME}` and `${hivevar:NAME}`, put into the query; repeatable
    #[arg(long, value_name = "NAME=VALUE", help_heading = QUERY)]
    pub hivevar: Vec<String>,

    /// Value of `${hiveconf:NAME}`, put into the query; repeatable
    #[arg(long, value_name = "NAME=VALUE", help_heading = QUERY)]
    pub hiveconf: Vec<String>,

    /// Database that the script begins in, for names without one
    #[arg(long, value_name = "NAME", help_heading = QUERY)]
    pub database: Option<String>,

    /// What Hive runs on; by default `hive.engine` of the schema, `engine` of saltplan.toml, or tez
    #[arg(long, value_name = "ENGINE", value_parser = engines(), help_heading = STATEMENT)]
    pub engine: Option<Engine>,

    /// How the ranges of a table are put together; `auto` takes the shape that reads only the ranges
    #[arg(long, value_name = "SHAPE", default_value = "auto", help_heading = STATEMENT)]
    pub shape: RewriteShape,

    /// Maximum number of key ranges of a table; with more, ranges are merged
    #[arg(long, value_name = "N", default_value_t = MAX_BRANCHES, value_parser = parse_limit, help_heading = STATEMENT)]
    pub max_branches: usize,

    /// Accept places that still read the whole table: they do not make the exit code 1
    #[arg(long, help_heading = STATEMENT)]
    pub allow_full_scan: bool,

    /// Write to a file, or of several files to a folder, instead of standard output
    #[arg(long, short, value_name = "PATH", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,

    /// Replace the files by their new text
    #[arg(long, conflicts_with_all = ["output", "explain"], help_heading = OUTPUT)]
    pub in_place: bool,

    /// Write nothing; show what would change, with -o in the files there, and exit with 1 if something does
    #[arg(long, conflicts_with = "explain", help_heading = OUTPUT)]
    pub check: bool,

    /// Print, in place of the query, what is read, which conditions were used, and which were not and why
    #[arg(long, help_heading = OUTPUT)]
    pub explain: bool,

    /// `sql` for Hive, `json` for a report with the new texts in it
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "sql",
        conflicts_with_all = ["in_place", "check", "explain"],
        help_heading = OUTPUT
    )]
    pub output_format: RewriteFormat,

    #[command(flatten)]
    pub widening: WideningArgs,
    #[command(flatten)]
    pub budget: BudgetArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RewriteFormat {
    Sql,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum RewriteShape {
    Auto,
    UnionAll,
    Isolated,
    OneScan,
}

impl RewriteShape {
    pub fn shape(self) -> Option<QueryShape> {
        match self {
            RewriteShape::Auto => None,
            RewriteShape::UnionAll => Some(QueryShape::UnionAll),
            RewriteShape::Isolated => Some(QueryShape::Isolated),
            RewriteShape::OneScan => Some(QueryShape::OneScan),
        }
    }
}
