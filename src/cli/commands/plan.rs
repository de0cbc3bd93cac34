//! `plan`: prints the Hive statement of a predicate.

use clap::{Args, ValueEnum};

use crate::cli::args::{
    AskedShape, BudgetArgs, EngineArgs, OUTPUT, OutputArgs, PredicateArgs, REFUSED, RefusalArgs, RuntimeArgs,
    STATEMENT, SchemaArgs, SizeArgs, TemplateArgs, WideningArgs, shapes,
};
use crate::cli::input::plan_predicate;
use crate::cli::settings;
use crate::cli::statements;
use crate::cli::{Failure, Outcome, Refused, Reporter};
use saltplan_core::Planned;
use saltplan_core::hive::query::{QueryOptions, QueryShape};
use saltplan_core::limits::Limits;
use saltplan_core::render::size::limited;
use saltplan_document::diag::Diagnostic;
use saltplan_document::diag::json::pretty;

const HELP: &str = "\
Shapes:
  union_all   one query, one UNION ALL branch per range; on MapReduce it reads
              the whole table
  isolated    the same with one job per branch, for MapReduce
  one_scan    one scan for all ranges, for mapping tables with `one_scan: true`

Exit codes:
  0  done
  1  a refused plan (a full scan, nothing to read, a part of what it would
     replace, an unbound partition), or a difference with --check
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan plan schemas/examples/md5_nibble_day.yaml \"opera_day = 20200406\"
  saltplan plan schemas/examples/md5_nibble_day.yaml \"opera_day = :day\" \\
    --param day=20200406 --engine mr -o day.sql
  saltplan plan schemas/examples/md5_nibble_day.yaml --select --no-header \\
    \"opera_day = 20200406 AND row_id = 'u1'\"";

pub const SHAPES: [QueryShape; 3] = [QueryShape::UnionAll, QueryShape::Isolated, QueryShape::OneScan];

/// Print the Hive statement that reads the rows of a predicate, as an INSERT OVERWRITE or a query
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct PlanArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,
    #[command(flatten)]
    pub predicate: PredicateArgs,
    #[command(flatten)]
    pub runtime: RuntimeArgs,

    #[command(flatten)]
    pub engine: EngineArgs,

    /// How the ranges are combined in one statement; `auto` takes the shape that reads only the ranges
    #[arg(long, value_name = "SHAPE", default_value = "auto", value_parser = shapes(&SHAPES), help_heading = STATEMENT)]
    pub shape: AskedShape,

    /// Print the query without the INSERT
    #[arg(long, help_heading = STATEMENT)]
    pub select: bool,

    /// Print an INSERT INTO, which adds rows, instead of an INSERT OVERWRITE
    #[arg(long, conflicts_with = "select", help_heading = STATEMENT)]
    pub into: bool,

    /// With --select: print the columns of the logical table (key fields decoded), as in the view of `ddl --only view`
    #[arg(long, requires = "select", hide_short_help = true, help_heading = STATEMENT)]
    pub logical: bool,

    /// Omit the guards, which keep the result correct if Hive does not apply the ranges
    #[arg(long, hide_short_help = true, help_heading = STATEMENT)]
    pub no_guard: bool,

    /// Omit the comment above the statement
    #[arg(long, hide_short_help = true, help_heading = STATEMENT)]
    pub no_header: bool,

    /// `sql` for Hive, `json` with partitions and warnings, or `ranges` for programs that scan HBase.
    ///
    /// `ranges` prints start rows and stop rows in hex as JSON instead of a statement
    #[arg(long, value_name = "FORMAT", default_value = "sql", help_heading = OUTPUT)]
    pub output_format: PlanFormat,

    #[command(flatten)]
    pub widening: WideningArgs,
    #[command(flatten)]
    pub budget: BudgetArgs,
    #[command(flatten)]
    pub refusal: RefusalArgs,

    /// Accept that an INSERT OVERWRITE has only a part of the rows that it replaces
    #[arg(long, hide_short_help = true, help_heading = REFUSED)]
    pub allow_partial: bool,

    #[command(flatten)]
    pub templates: TemplateArgs,
    #[command(flatten)]
    pub size: SizeArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlanFormat {
    Sql,
    Json,
    Ranges,
}

impl PlanArgs {
    /// A given flag that has no meaning without a statement.
    pub fn flag_of_statement(&self) -> Option<&'static str> {
        let given = [
            ("--engine", self.engine.engine.is_some()),
            ("--shape", self.shape.is_some()),
            ("--select", self.select),
            ("--into", self.into),
            ("--allow-partial", self.allow_partial),
            ("--no-guard", self.no_guard),
            ("--no-header", self.no_header),
            ("--max-jobs", self.budget.max_jobs.is_some()),
            ("--templates", self.templates.templates.is_some()),
        ];
        given.into_iter().find_map(|(flag, is_given)| is_given.then_some(flag))
    }
}

pub fn run(args: &PlanArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    if args.output_format == PlanFormat::Ranges {
        return ranges(args, reporter);
    }
    let table = args.schema.load(reporter)?;
    let settings = args.schema.settings()?;
    let limits = settings::limits(args.widening, Some(args.budget), &settings);
    let mut plan_options = args.refusal.options(limits);
    plan_options.overwrites = !args.select && !args.into;
    let planned = plan_predicate(&table, &args.predicate, &args.runtime, plan_options, reporter)?;
    let mut options = QueryOptions::default();
    options.engine = settings::engine(args.engine.engine, &table, &settings)?;
    options.shape = args.shape;
    options.guards = !args.no_guard;
    options.select_only = args.select;
    options.into = args.into;
    options.allow_partial = args.allow_partial;
    options.logical = args.logical;
    options.max_bytes = args.size.max_bytes;
    options.budget = limits.budget();
    let planned = planned.for_statement(options.shape);
    options.header = if args.no_header { Vec::new() } else { planned.header(options.engine) };
    let templates = args.templates.load(&settings, reporter);
    let query = planned.query(&options, &templates)?;
    statements::check(&templates, reporter);
    for warning in &query.warnings {
        reporter.remarks(&[warning.into()]);
    }
    let text = match args.output_format {
        PlanFormat::Json => pretty(&query.to_json(planned.plan(), &reporter.warnings())),
        PlanFormat::Sql | PlanFormat::Ranges => query.sql,
    };
    args.output.deliver(&text, reporter)
}

/// The ranges without a statement. They need no Hive table.
fn ranges(args: &PlanArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    if let Some(flag) = args.flag_of_statement() {
        let error = Diagnostic::error(format!("`{flag}` applies to a statement, but `ranges` prints none"));
        return Err(error.with_help(format!("remove `{flag}`, or print another output format")).into());
    }
    let table = args.schema.load(reporter)?;
    let limits = settings::limits(args.widening, Some(args.budget), &args.schema.settings()?);
    let planned =
        plan_predicate(&table, &args.predicate, &args.runtime, args.refusal.options(limits), reporter)?;
    check_scans(&planned, limits)?;
    if let Some(warning) = planned.scan_warning() {
        reporter.remarks(&[(&warning).into()]);
    }
    let text = pretty(&planned.ranges_json(&reporter.warnings(), args.size.max_bytes)?);
    args.output.deliver(&limited(text, args.size.max_bytes)?, reporter)
}

/// A program makes one scan of each range.
pub fn check_scans(planned: &Planned, limits: Limits) -> Result<(), Failure> {
    let scans = planned.plan().branches.len();
    match limits.max_scans.filter(|limit| scans > *limit) {
        Some(limit) => Err(Refused {
            code: "too_many_scans",
            reason: format!("the plan has {scans} ranges, and `max_scans` allows {limit}"),
            help: format!(
                "narrow the predicate, merge ranges with `--max-branches {limit}`, or raise `max_scans`"
            ),
        }
        .into()),
        None => Ok(()),
    }
}
