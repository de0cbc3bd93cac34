//! `check`: prints the query that compares the rows in HBase with those of the target table.

use clap::Args;

use crate::cli::args::{
    AskedShape, BudgetArgs, EngineArgs, OutputArgs, PredicateArgs, REFUSED, RefusalArgs, RuntimeArgs,
    STATEMENT, SchemaArgs, SizeArgs, WideningArgs, shapes,
};
use crate::cli::commands::plan::SHAPES;
use crate::cli::input::plan_predicate;
use crate::cli::settings;
use crate::cli::{Failure, Outcome, Reporter};
use saltplan_core::Planned;
use saltplan_core::hive::check::{CheckForm, CheckOptions};
use saltplan_core::hive::query::QueryOptions;

const HELP: &str = "\
The query reads the ranges of the plan once and the partitions of the target
once. It returns a row for each group of rows that differs, and nothing when
all agree. docs/check.md says what the meanings are.

Exit codes:
  0  done
  1  a refused plan (a full scan, nothing to read, a part of a partition), or
     a difference with --check
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan check schemas/examples/md5_nibble_day.yaml \"opera_day = 20200406\"
  saltplan check schemas/examples/md5_nibble_day.yaml --by opera_day \\
    \"opera_day BETWEEN 20200401 AND 20200430\" --engine mr
  saltplan check schemas/examples/md5_nibble_day.yaml --assert \\
    \"opera_day = :day\" --runtime day=hivevar:day -o check.sql";

/// Print the Hive query that says whether all rows arrived
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct CheckArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,
    #[command(flatten)]
    pub predicate: PredicateArgs,
    #[command(flatten)]
    pub runtime: RuntimeArgs,

    #[command(flatten)]
    pub engine: EngineArgs,

    /// How the ranges are combined in one statement; `auto` takes the shape that reads only the ranges
    #[arg(long, value_name = "SHAPE", default_value = "auto", value_parser = shapes(&SHAPES), hide_short_help = true, help_heading = STATEMENT)]
    pub shape: AskedShape,

    /// Field or column of the target by which rows are counted, such as the day, or `salt`.
    ///
    /// By default the salt if the target has all fields that it is computed from, else the first partition column
    #[arg(long, value_name = "FIELD", help_heading = STATEMENT)]
    pub by: Option<String>,

    /// List at most N rows that one side has more often than the other, instead of groups
    #[arg(long, value_name = "N", conflicts_with = "by", value_parser = clap::value_parser!(u32).range(1..), help_heading = STATEMENT)]
    pub rows: Option<u32>,

    /// Print a statement that fails if a group differs, for a scheduler
    #[arg(long, conflicts_with = "rows", help_heading = STATEMENT)]
    pub assert: bool,

    /// Print a shell script in which HBase counts the rows of the ranges, and compares them with the number of the target's rows.
    ///
    /// It calls `hive` and HBase's `RowCounter`, and exits with 1 if the numbers differ
    #[arg(long, conflicts_with_all = ["by", "rows", "assert"], hide_short_help = true, help_heading = STATEMENT)]
    pub count: bool,

    /// Print the query that counts the rows and files of the target that `plan` would replace
    #[arg(long, conflicts_with_all = ["by", "rows", "assert", "count"], help_heading = STATEMENT)]
    pub before: bool,

    /// Omit the guards, which keep the result correct if Hive does not apply the ranges
    #[arg(long, hide_short_help = true, help_heading = STATEMENT)]
    pub no_guard: bool,

    /// Omit the comment above the statement
    #[arg(long, hide_short_help = true, help_heading = STATEMENT)]
    pub no_header: bool,

    #[command(flatten)]
    pub widening: WideningArgs,
    #[command(flatten)]
    pub budget: BudgetArgs,
    #[command(flatten)]
    pub refusal: RefusalArgs,

    /// Compare a part of a partition: the target has no other rows in it
    #[arg(long, hide_short_help = true, help_heading = REFUSED)]
    pub allow_partial: bool,

    #[command(flatten)]
    pub size: SizeArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl CheckArgs {
    fn form(&self) -> CheckForm {
        match self.rows {
            Some(most) => CheckForm::Rows(most),
            None if self.assert => CheckForm::Assert,
            None if self.before => CheckForm::Before,
            None => CheckForm::Groups,
        }
    }
}

pub fn run(args: &CheckArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let table = args.schema.load(reporter)?;
    let settings = args.schema.settings()?;
    let limits = settings::limits(args.widening, Some(args.budget), &settings);
    let planned =
        plan_predicate(&table, &args.predicate, &args.runtime, args.refusal.options(limits), reporter)?;
    let mut query = QueryOptions::default();
    query.engine = settings::engine(args.engine.engine, &table, &settings)?;
    query.shape = args.shape;
    query.guards = !args.no_guard;
    query.allow_partial = args.allow_partial;
    query.max_bytes = args.size.max_bytes;
    query.budget = limits.budget();
    if args.count {
        return counted_by_hbase(args, &planned, query, &table.file_name(), reporter);
    }
    let planned = planned.for_statement(query.shape);
    let made_of = format!("saltplan check {} (engine {})", table.file_name(), query.engine.name());
    let header = if args.no_header { Vec::new() } else { planned.header_of(made_of) };
    let options = CheckOptions { query, by: args.by.clone(), form: args.form(), header };
    let check = planned.check(&options)?;
    for warning in &check.warnings {
        reporter.remarks(&[warning.into()]);
    }
    args.output.deliver(&check.sql, reporter)
}

fn counted_by_hbase(
    args: &CheckArgs,
    planned: &Planned,
    query: QueryOptions,
    file: &str,
    reporter: &Reporter,
) -> Result<Outcome, Failure> {
    let made_of = format!("saltplan check {file} --count");
    let header = if args.no_header { Vec::new() } else { planned.header_of(made_of) };
    let options = CheckOptions { query, by: None, form: CheckForm::Groups, header };
    args.output.deliver(&planned.counted_by_hbase(&options)?, reporter)
}
