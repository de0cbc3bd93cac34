//! The arguments of `rewrite`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::args::{
    AskedShape, BudgetArgs, EngineArgs, OUTPUT, REFUSED, STATEMENT, WideningArgs, parse_limit, shapes,
};
use saltplan_core::plans::MAX_BRANCHES;
use saltplan_core::queries::QueryShape;

const QUERY: &str = "Query";

const HELP: &str = "\
Queries read the logical table of a schema, whose name is `hive.view`, or the
mapping table, from whose row key they cut pieces. Each reference to one of
these is replaced with the key ranges that follow from the query's own
conditions; the rest of the query stays as it is. A reference that cannot be
narrowed is reported and stays as it is. docs/rewrite.md has the rules.

Exit codes:
  0  every reference is narrowed, or there is none
  1  a reference that still reads the whole table, a refused INSERT OVERWRITE,
     or a difference with --check
  2  wrong usage, input that is not HiveQL or not UTF-8, or an internal error

Examples:
  saltplan rewrite --schemas examples/rewrite --hivevar day=20200406 \\
    examples/rewrite/users.sql
  saltplan rewrite --schemas examples/rewrite --hivevar day=20200406 \\
    examples/rewrite/users.sql --explain
  saltplan rewrite --schemas examples/rewrite --hivevar day=20200406 \\
    examples/rewrite --engine mr -o target/sql";

/// A query is one statement.
const SHAPES: [QueryShape; 3] = [QueryShape::UnionAll, QueryShape::Isolated, QueryShape::OneScan];

/// Replace salted tables in queries with the key ranges that the queries need
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct RewriteArgs {
    /// HiveQL files, and folders to search for *.hql and *.sql; `-` is standard input
    #[arg(value_name = "PATH", default_value = "-")]
    pub paths: Vec<PathBuf>,

    /// Schema file, or a folder with schema files; repeatable
    #[arg(long, value_name = "PATH", required = true)]
    pub schemas: Vec<PathBuf>,

    /// File with the columns of other tables: CREATE TABLE statements, or the output of DESCRIBE; repeatable.
    ///
    /// Output is that of SHOW CREATE TABLE, DESCRIBE or DESCRIBE FORMATTED, of Beeline or the `hive` command. That of DESCRIBE has
    /// no name: the file is named after the table, such as `dim.users.txt`
    #[arg(long, hide_short_help = true, value_name = "FILE", help_heading = QUERY)]
    pub tables: Vec<PathBuf>,

    /// Name used in messages for standard input
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "<stdin>")]
    pub stdin_filename: String,

    /// Value that replaces `${NAME}` and `${hivevar:NAME}` in the query; repeatable
    #[arg(long, value_name = "NAME=VALUE", help_heading = QUERY)]
    pub hivevar: Vec<String>,

    /// Value that replaces `${hiveconf:NAME}` in the query; repeatable
    #[arg(long, hide_short_help = true, value_name = "NAME=VALUE", help_heading = QUERY)]
    pub hiveconf: Vec<String>,

    /// Time at which the query runs, such as `2020-04-06`: it replaces `current_date` and the like in the query
    #[arg(long, hide_short_help = true, value_name = "TIME", help_heading = QUERY)]
    pub now: Option<String>,

    /// Text in the query that Hive or the scheduler fills in in the form of the key, such as `day=hivevar:day`; repeatable.
    ///
    /// The script then fails for a value of another form. Other placeholders are known when the query runs, too, but a value of another
    /// form reads the whole table. TEXT as in `plan`; the name may be left out
    #[arg(long, value_name = "NAME=TEXT", help_heading = QUERY)]
    pub runtime: Vec<String>,

    /// Current database at the start of the script, for names without a database
    #[arg(long, hide_short_help = true, value_name = "NAME", help_heading = QUERY)]
    pub database: Option<String>,

    #[command(flatten)]
    pub engine: EngineArgs,

    /// How the ranges of a table are combined; `auto` takes the shape that reads only the ranges
    #[arg(long, value_name = "SHAPE", default_value = "auto", value_parser = shapes(&SHAPES), help_heading = STATEMENT)]
    pub shape: AskedShape,

    /// Maximum number of key ranges of a table; above it, neighbouring ranges are merged
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = MAX_BRANCHES, value_parser = parse_limit, help_heading = STATEMENT)]
    pub max_branches: usize,

    /// Accept that the whole table is read
    #[arg(long, help_heading = STATEMENT)]
    pub allow_full_scan: bool,

    /// Accept that nothing is read
    #[arg(long, hide_short_help = true, help_heading = REFUSED)]
    pub allow_empty: bool,

    /// Accept that an INSERT OVERWRITE has only a part of the rows that it replaces
    #[arg(long, hide_short_help = true, help_heading = REFUSED)]
    pub allow_partial: bool,

    /// Accept that an INSERT OVERWRITE replaces rows that the script has written before
    #[arg(long, hide_short_help = true, help_heading = REFUSED)]
    pub allow_overlap: bool,

    /// Write to a file, or for several files to a folder, instead of standard output
    #[arg(long, short, value_name = "PATH", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,

    /// Replace the files with the rewritten ones
    #[arg(long, conflicts_with_all = ["output", "explain"], help_heading = OUTPUT)]
    pub in_place: bool,

    /// Write nothing; show what would change in the files, or in those of -o, and exit with 1 if anything would
    #[arg(long, hide_short_help = true, conflicts_with = "explain", help_heading = OUTPUT)]
    pub check: bool,

    /// Instead of the query, print what is read, and which conditions were used
    #[arg(long, help_heading = OUTPUT)]
    pub explain: bool,

    /// `sql` for Hive; `json` for a report that contains the rewritten queries
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
