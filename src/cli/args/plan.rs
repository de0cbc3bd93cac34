//! The arguments of `plan`, `explain` and `scan`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use saltplan_core::internals::schema::model::Engine;

use super::{OUTPUT, OutputArgs, PredicateArgs, RefusalArgs, SchemaArgs, SizeArgs, TemplateArgs};

const STATEMENT: &str = "Statement";

#[derive(Debug, Args)]
pub struct PlanArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,
    #[command(flatten)]
    pub predicate: PredicateArgs,

    /// What Hive runs on; by default `hive.engine` of the schema, `engine` of saltplan.toml, or tez
    #[arg(long, value_name = "ENGINE", value_parser = engines(), help_heading = STATEMENT)]
    pub engine: Option<Engine>,

    /// How the branches are put together, see below; `auto` takes the shape that reads only the ranges
    #[arg(long, value_name = "SHAPE", default_value = "auto", help_heading = STATEMENT)]
    pub shape: ShapeChoice,

    /// Print the query without the INSERT
    #[arg(long, help_heading = STATEMENT)]
    pub select: bool,

    /// Leave out the guards that keep rows right when Hive does not apply the ranges
    #[arg(long, help_heading = STATEMENT)]
    pub no_guard: bool,

    /// Leave out the comment above the statement
    #[arg(long, help_heading = STATEMENT)]
    pub no_header: bool,

    /// `sql` for Hive, `json` with the partitions and the warnings beside it
    #[arg(long, value_name = "FORMAT", default_value = "sql", help_heading = OUTPUT)]
    pub output_format: PlanFormat,

    #[command(flatten)]
    pub refusal: RefusalArgs,
    #[command(flatten)]
    pub templates: TemplateArgs,
    #[command(flatten)]
    pub size: SizeArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The engines by name.
fn engines() -> impl TypedValueParser<Value = Engine> {
    let value = |engine: Engine| PossibleValue::new(engine.name()).aliases(engine.aliases());
    PossibleValuesParser::new(Engine::ALL.map(value))
        .try_map(|name| Engine::from_name(&name).ok_or("no such engine"))
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
}

#[derive(Debug, Args)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,
    #[command(flatten)]
    pub predicate: PredicateArgs,

    /// Form of the explanation
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = OUTPUT)]
    pub output_format: ExplainFormat,

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
