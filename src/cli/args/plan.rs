//! The arguments of `plan`, `explain` and `scan`.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use saltplan_core::Planned;
use saltplan_core::diag::Diagnostic;
use saltplan_core::diag::json::pretty;
use saltplan_core::queries::Cost;
use saltplan_core::refusal::Refusal;
use saltplan_core::schema::model::Engine;
use saltplan_project::live_reads::LiveReads;
use serde_json::Value as Json;

use super::{
    BudgetArgs, OUTPUT, OutputArgs, PredicateArgs, RefusalArgs, SchemaArgs, SizeArgs, TemplateArgs,
    WideningArgs,
};

const STATEMENT: &str = "Statement";

#[derive(Debug, Args)]
pub struct PlanArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,
    #[command(flatten)]
    pub predicate: PredicateArgs,

    /// Execution engine of Hive; by default `hive.engine` of the schema, `engine` of saltplan.toml, or tez
    #[arg(long, value_name = "ENGINE", value_parser = engines(), help_heading = STATEMENT)]
    pub engine: Option<AskedEngine>,

    /// How the ranges are combined in one statement, see below; `auto` takes the shape that reads only the ranges
    #[arg(long, value_name = "SHAPE", default_value = "auto", help_heading = STATEMENT)]
    pub shape: ShapeChoice,

    /// Print the query without the INSERT
    #[arg(long, help_heading = STATEMENT)]
    pub select: bool,

    /// With --select: print the columns of the logical table (key fields decoded), as in the view of `ddl --only view`
    #[arg(long, requires = "select", help_heading = STATEMENT)]
    pub logical: bool,

    /// Omit the guards, which keep the result correct if Hive does not apply the ranges
    #[arg(long, help_heading = STATEMENT)]
    pub no_guard: bool,

    /// Omit the comment above the statement
    #[arg(long, help_heading = STATEMENT)]
    pub no_header: bool,

    /// `sql` for Hive; `json` adds the partitions and the warnings; `ranges` prints start rows
    /// and stop rows in hex as JSON instead of a statement, for any program that scans HBase
    #[arg(long, value_name = "FORMAT", default_value = "sql", help_heading = OUTPUT)]
    pub output_format: PlanFormat,

    #[command(flatten)]
    pub widening: WideningArgs,
    #[command(flatten)]
    pub budget: BudgetArgs,
    #[command(flatten)]
    pub refusal: RefusalArgs,
    #[command(flatten)]
    pub templates: TemplateArgs,
    #[command(flatten)]
    pub size: SizeArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The values of `--engine`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedEngine {
    Hive(Engine),
    /// Accepted only to be refused with a reason.
    Spark,
}

/// Parses the name of an engine.
pub(super) fn engines() -> impl TypedValueParser<Value = AskedEngine> {
    let value = |engine: Engine| PossibleValue::new(engine.name()).aliases(engine.aliases());
    let spark = PossibleValue::new("spark").hide(true);
    PossibleValuesParser::new(Engine::ALL.map(value).into_iter().chain([spark]))
        .map(|name| Engine::from_name(&name).map_or(AskedEngine::Spark, AskedEngine::Hive))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum ShapeChoice {
    Auto,
    UnionAll,
    Isolated,
    Statements,
    OneScan,
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
            ("--engine", self.engine.is_some()),
            ("--shape", self.shape != ShapeChoice::Auto),
            ("--select", self.select),
            ("--no-guard", self.no_guard),
            ("--no-header", self.no_header),
            ("--max-jobs", self.budget.max_jobs.is_some()),
            ("--templates", self.templates.templates.is_some()),
        ];
        given.into_iter().find_map(|(flag, is_given)| is_given.then_some(flag))
    }
}

#[derive(Debug, Args)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,
    #[command(flatten)]
    pub predicate: PredicateArgs,

    /// Execution engine of Hive; by default `hive.engine` of the schema, `engine` of saltplan.toml, or tez
    #[arg(long, value_name = "ENGINE", value_parser = engines(), help_heading = STATEMENT)]
    pub engine: Option<AskedEngine>,

    /// Regions of the live table, as `list_regions` of the HBase shell prints them: also show how many regions,
    /// servers, bytes and requests the plan reads; `-` is standard input
    #[arg(long, value_name = "DUMP", help_heading = STATEMENT)]
    pub regions: Option<PathBuf>,

    /// With --regions: a sample of row keys, one per line, as the HBase shell prints them. It gives the share of each region
    /// that the plan reads; `-` is standard input
    #[arg(long, value_name = "FILE", requires = "regions", help_heading = STATEMENT)]
    pub from_keys: Option<PathBuf>,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = OUTPUT)]
    pub output_format: ExplainFormat,

    #[command(flatten)]
    pub widening: WideningArgs,
    #[command(flatten)]
    pub budget: BudgetArgs,
    #[command(flatten)]
    pub size: SizeArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExplainFormat {
    Text,
    Json,
}

impl ExplainFormat {
    /// # Errors
    /// The JSON form is longer than `max_bytes`.
    pub fn text(
        self,
        planned: &Planned<'_>,
        cost: Option<&Cost>,
        live: Option<&LiveReads>,
        warnings: &[Diagnostic],
        (width, max_bytes): (usize, usize),
    ) -> Result<String, Refusal> {
        Ok(match self {
            ExplainFormat::Text => {
                let live = live.map(|live| format!("\n{}", live.to_text())).unwrap_or_default();
                planned.explained(width, cost) + &live
            }
            ExplainFormat::Json => {
                let mut json = planned.limited_json(warnings, max_bytes)?;
                json["statement"] = cost.map_or(Json::Null, Cost::to_json);
                if let Some(live) = live {
                    json["live_table"] = live.to_json();
                }
                pretty(&json)
            }
        })
    }
}

#[derive(Debug, Args)]
pub struct ScanArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,
    #[command(flatten)]
    pub predicate: PredicateArgs,

    /// `shell` for the HBase shell, `json` for programs
    #[arg(long, value_name = "FORMAT", default_value = "shell", help_heading = OUTPUT)]
    pub output_format: ScanFormat,

    #[command(flatten)]
    pub widening: WideningArgs,
    #[command(flatten)]
    pub refusal: RefusalArgs,
    #[command(flatten)]
    pub size: SizeArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScanFormat {
    Shell,
    Json,
}

impl ScanFormat {
    /// # Errors
    /// The text is longer than `max_bytes`.
    pub fn text(
        self,
        planned: &Planned<'_>,
        warnings: &[Diagnostic],
        max_bytes: usize,
    ) -> Result<String, Refusal> {
        Ok(match self {
            ScanFormat::Shell => planned.limited_hbase_shell(max_bytes)?,
            ScanFormat::Json => pretty(&planned.scan_json(warnings, max_bytes)?),
        })
    }
}
