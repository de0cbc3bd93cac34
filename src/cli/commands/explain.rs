//! `explain`: shows the key ranges of a predicate.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value as Json, json};

use super::drift::refuse_other_table;
use crate::cli::args::{
    BudgetArgs, EngineArgs, KeyForm, OUTPUT, OutputArgs, PredicateArgs, RuntimeArgs, STATEMENT, SchemaArgs,
    SizeArgs, TextOrJson, WideningArgs,
};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::input::{load_predicate, plan_to_explain};
use crate::cli::inputs::name_of;
use crate::cli::key_lines::{read_all, read_splits};
use crate::cli::reporter::Reporter;
use crate::cli::settings;
use saltplan_core::hive::query::QueryOptions;
use saltplan_core::queries::Cost;
use saltplan_core::refusal::Refusal;
use saltplan_core::render::size::limited;
use saltplan_core::table::Verdict;
use saltplan_core::{PlanOptions, Planned, Table};
use saltplan_document::diag::json::pretty;
use saltplan_document::diag::visible;
use saltplan_project::live_reads::LiveReads;
use saltplan_project::remedy::in_flags_of;

const HELP: &str = "\
Exit codes:
  0  done
  1  a difference with --check
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan explain schemas/examples/md5_nibble_day.yaml \\
    \"opera_day = 20200406 AND phone_number LIKE '138%'\"
  saltplan explain schemas/examples/md5_nibble_day.yaml --output-format json \\
    \"opera_day BETWEEN :first AND :last\" \\
    --param first=20200406 --param last=20200408";

/// Show the key ranges of a predicate, and which conditions do not narrow them
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,
    #[command(flatten)]
    pub predicate: PredicateArgs,

    #[command(flatten)]
    pub engine: EngineArgs,

    /// Also show what the plan reads of the live table, from what `list_regions` of the HBase shell prints.
    ///
    /// These are regions, servers, bytes and requests; `-` is standard input
    #[arg(long, alias = "regions", value_name = "DUMP", help_heading = STATEMENT)]
    pub from_splits: Option<PathBuf>,

    /// With --from-splits: a sample of row keys, one per line, as the HBase shell prints them.
    ///
    /// It gives the share of each region that the plan reads; `-` is standard input
    #[arg(long, value_name = "FILE", requires = "from_splits", hide_short_help = true, help_heading = STATEMENT)]
    pub from_keys: Option<PathBuf>,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = OUTPUT)]
    pub output_format: TextOrJson,

    #[command(flatten)]
    pub widening: WideningArgs,
    #[command(flatten)]
    pub budget: BudgetArgs,
    #[command(flatten)]
    pub size: SizeArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

pub fn run(args: &ExplainArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let files = [Some(&args.schema.schema), args.from_splits.as_ref(), args.from_keys.as_ref()];
    reporter.inputs.differ(files.into_iter().flatten().map(PathBuf::as_path))?;
    let table = args.schema.load(reporter)?;
    let settings = args.schema.settings()?;
    let flags = settings::flags(args.widening, Some(args.budget));
    let limits = flags.or(settings.limits());
    let analysis = load_predicate(&args.predicate, &RuntimeArgs::default(), &table, reporter)?;
    let max_branches = args.predicate.max_branches;
    let planned = plan_to_explain(&table, &analysis, max_branches, flags.max_widening, reporter)?;
    let mut options = QueryOptions::default();
    options.engine = settings::engine(args.engine.engine, &table, &settings)?;
    if let Some(cost) = &planned.cost(&options) {
        flags.budget().check(cost)?;
    }
    options.budget = limits.budget();
    let mut asked = PlanOptions::default();
    asked.max_branches = max_branches;
    asked.max_widening = limits.max_widening();
    let verdict = table.verdict(&analysis, &asked, &options)?;
    let live = match &args.from_splits {
        Some(dump) => Some(live_reads(&table, &planned, (dump, args.from_keys.as_deref()), reporter)?),
        None => None,
    };
    let text = match args.output_format {
        TextOrJson::Text => {
            let live = live.map(|live| format!("\n{}", live.to_text())).unwrap_or_default();
            planned.explained(reporter.text_width(&args.output)) + &live + &verdict_text(&verdict, reporter)
        }
        TextOrJson::Json => {
            let mut json = planned.limited_json(&reporter.warnings(), args.size.max_bytes)?;
            let cost = verdict.insert.as_ref().ok().or(verdict.query.as_ref());
            json["statement"] = cost.map_or(Json::Null, Cost::to_json);
            let refused = verdict.insert.as_ref().err();
            json["refused"] = refused.map_or(Json::Null, |refusal| refusal_json(refusal, reporter));
            if let Some(live) = live {
                json["live_table"] = live.to_json();
            }
            pretty(&json)
        }
    };
    args.output.deliver(&limited(text, args.size.max_bytes)?, reporter)
}

/// What `plan` does with the predicate.
fn verdict_text(verdict: &Verdict, reporter: &Reporter) -> String {
    let refusal = match &verdict.insert {
        Ok(cost) => return format!("\n`plan` prints an INSERT OVERWRITE: {cost}\n"),
        // Its ranges are read by other programs.
        Err(refusal @ Refusal::NoMapping) => return format!("\n`plan` prints no statement: {refusal}\n"),
        Err(refusal) => refusal,
    };
    let query = verdict.query.as_ref().map(|cost| format!("  `plan --select` prints the query: {cost}\n"));
    let help = help_of(refusal, reporter);
    // The notes say why.
    let reason = match refusal {
        Refusal::FullScan { .. } => "the plan reads the whole table".into(),
        Refusal::Empty { .. } => "the predicate is never true".into(),
        other => other.to_string(),
    };
    let reason = visible::line(&reason);
    format!("\n`plan` refuses this: {reason}\n  help: {help}\n{}", query.unwrap_or_default())
}

fn refusal_json(refusal: &Refusal, reporter: &Reporter) -> Json {
    let help = help_of(refusal, reporter);
    json!({ "code": refusal.code(), "message": refusal.to_string(), "help": help })
}

/// The help with flags of `explain`, and of `plan` for those that only this has.
fn help_of(refusal: &Refusal, reporter: &Reporter) -> String {
    in_flags_of(refusal, "plan", |flag| reporter.has_option(flag))
}

fn live_reads(
    table: &Table,
    planned: &Planned,
    (path, sample): (&Path, Option<&Path>),
    reporter: &Reporter,
) -> Result<LiveReads, Failure> {
    let dump = read_splits(path, KeyForm::Text, Some(table), reporter)?;
    refuse_other_table(&table.schema().hbase.full_name(), &dump, &name_of(path))?;
    let sample = match sample {
        Some(sample) => read_all(sample, KeyForm::Text, &reporter.inputs)?,
        None => Vec::new(),
    };
    let ranges = planned.plan().branches.iter().map(|branch| &branch.range);
    Ok(LiveReads::of(ranges, &dump, &sample))
}
