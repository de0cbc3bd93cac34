//! Arguments that commands share.

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args, ColorChoice, Parser, ValueEnum};

use super::commands::Command;
use saltplan_core::PlanOptions;
use saltplan_core::limits::Limits;
use saltplan_core::plan::{DEFAULT_MAX_BRANCHES, MaxWidening};
use saltplan_core::queries::QueryShape;
use saltplan_core::render::size::DEFAULT_MAX_BYTES;
use saltplan_core::schema::model::Engine;

/// Headings of options in the help.
pub const PREDICATE: &str = "Predicate";
const LIMITS: &str = "Limits (a plan above them is refused)";
pub const REFUSED: &str = "Plans that are refused by default";
pub const STATEMENT: &str = "Statement";
pub const OUTPUT: &str = "Output";
pub const GLOBAL: &str = "Global options";

const HELP: &str = "\
Exit codes:
  0  done, nothing found
  1  a refused plan, findings, or a difference with --check
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan explain schemas/examples/md5_nibble_day.yaml \"opera_day = 20200406\"
  saltplan plan --help";

/// The version of the program, and that of the tables that it reads local times from.
static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    let tables = saltplan_sql::time::zone::release();
    format!("{}\ntime zones: tz database {tables}", env!("CARGO_PKG_VERSION"))
});

/// Exact HBase key ranges and Hive SQL for tables with salted row keys.
#[derive(Debug, Parser)]
#[command(name = "saltplan", version, long_version = LONG_VERSION.as_str(), arg_required_else_help = true, after_help = HELP, max_term_width = 100)]
#[command(disable_help_flag = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,

    #[command(flatten)]
    pub global: Global,
}

#[derive(Debug, Clone, Args)]
pub struct Global {
    /// Print only errors on stderr
    #[arg(long, short, global = true, help_heading = GLOBAL)]
    pub quiet: bool,

    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_short_help = true, help_heading = GLOBAL)]
    pub color: ColorChoice,

    /// Format of messages on stderr: text, or one JSON document per line
    #[arg(
        long,
        global = true,
        value_name = "FORMAT",
        default_value = "text",
        hide_short_help = true,
        help_heading = GLOBAL
    )]
    pub message_format: MessageFormat,

    /// Print help; `--help` shows all options
    // Both in the short form, where an option has one line; `help.rs` shortens what `-h` shows.
    #[arg(long, short, global = true, action = ArgAction::HelpShort, help_heading = GLOBAL)]
    help: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    Text,
    Json,
}

/// A schema file.
#[derive(Debug, Clone, Args)]
pub struct SchemaArgs {
    /// Schema file, or `-` for standard input
    #[arg(value_name = "SCHEMA")]
    pub schema: PathBuf,

    /// Name used in messages for standard input
    #[arg(long, value_name = "NAME", default_value = "<stdin>", hide_short_help = true)]
    pub stdin_filename: String,
}

/// A predicate and its parameters.
#[derive(Debug, Clone, Args)]
pub struct PredicateArgs {
    /// Condition on key fields and columns, such as "`opera_day` = 20200406".
    ///
    /// `@FILE` reads it from a file, `@-` from standard input
    #[arg(value_name = "PREDICATE", allow_hyphen_values = true)]
    pub predicate: String,

    #[command(flatten)]
    pub parameters: ParameterArgs,

    /// Maximum number of key ranges; above it, neighbouring ranges are merged
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_BRANCHES, value_parser = parse_limit, hide_short_help = true, help_heading = PREDICATE)]
    pub max_branches: usize,
}

/// Values that complete a predicate.
#[derive(Debug, Clone, Default, Args)]
pub struct ParameterArgs {
    /// Value of a parameter `:name` of the predicate; repeatable.
    ///
    /// For a list, `IN (:name)`, separate the values by commas or repeat the option
    #[arg(long = "param", value_name = "NAME=VALUE", help_heading = PREDICATE)]
    pub params: Vec<String>,

    /// File with the values of all parameters: one `name=value` per line, or a JSON object
    #[arg(long, value_name = "FILE", help_heading = PREDICATE)]
    pub params_file: Option<PathBuf>,

    /// File with the values of one list parameter, one per line; repeatable
    #[arg(
        long = "param-list",
        alias = "param-file",
        value_name = "NAME=FILE",
        hide_short_help = true,
        help_heading = PREDICATE
    )]
    pub param_lists: Vec<String>,

    /// Time for `current_date` and `current_timestamp`, such as 2020-04-06 or "2020-04-06 10:00:00"
    #[arg(long, value_name = "TIME", hide_short_help = true, help_heading = PREDICATE)]
    pub now: Option<String>,
}

/// Values that are known only when the statement runs.
#[derive(Debug, Clone, Default, Args)]
pub struct RuntimeArgs {
    /// Parameter that the scheduler fills in when the statement runs; repeatable.
    ///
    /// TEXT is the scheduler's own, such as `{{ ds }}`, or a preset, such as `hivevar:day`. Write `NAME:FORMAT=` if the value has another format than the key
    #[arg(long, value_name = "NAME=TEXT", help_heading = PREDICATE)]
    pub runtime: Vec<String>,
}

pub fn parse_limit(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(limit @ 1..=100_000) => Ok(limit),
        _ => Err("expected a number from 1 to 100000".into()),
    }
}

/// What to do with plans that are probably a mistake.
#[derive(Debug, Clone, Args)]
pub struct RefusalArgs {
    /// Accept that the whole table is read
    #[arg(long, help_heading = REFUSED)]
    pub allow_full_scan: bool,

    /// Accept that nothing is read
    #[arg(long, help_heading = REFUSED)]
    pub allow_empty: bool,
}

impl RefusalArgs {
    /// How a plan is made: full scans and empty plans are printed only on request: the former are expensive, the latter empty a
    /// partition.
    pub fn options(&self, limits: Limits) -> PlanOptions {
        let mut options = PlanOptions::default();
        options.max_widening = limits.max_widening();
        options.allow_full_scan = self.allow_full_scan;
        options.allow_empty = self.allow_empty;
        options
    }
}

/// How much more than requested a plan may read.
#[derive(Debug, Clone, Copy, Args)]
pub struct WideningArgs {
    /// If ranges are merged: maximum ratio of values read to values requested, or `any`.
    ///
    /// By default `max_widening` of saltplan.toml, or 10
    #[arg(long, value_name = "N", value_parser = parse_widening, hide_short_help = true, help_heading = LIMITS)]
    pub max_widening: Option<MaxWidening>,
}

/// What a statement may cost.
#[derive(Debug, Clone, Copy, Args)]
pub struct BudgetArgs {
    /// Maximum number of HBase scans of the statement; by default `max_scans` of saltplan.toml, or no limit
    #[arg(long, value_name = "N", value_parser = parse_count, hide_short_help = true, help_heading = LIMITS)]
    pub max_scans: Option<usize>,

    /// Maximum number of jobs of the statement; by default `max_jobs` of saltplan.toml, or no limit
    #[arg(long, value_name = "N", value_parser = parse_count, hide_short_help = true, help_heading = LIMITS)]
    pub max_jobs: Option<usize>,
}

fn parse_widening(text: &str) -> Result<MaxWidening, String> {
    match text.parse() {
        _ if text == MaxWidening::ANY => Ok(MaxWidening::Any),
        Ok(limit @ 1..) => Ok(MaxWidening::Times(limit)),
        _ => Err("expected a number of at least 1, or `any`".into()),
    }
}

fn parse_count(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|count| *count > 0).ok_or_else(|| "expected a number of at least 1".into())
}

/// How long the result may be.
#[derive(Debug, Clone, Args)]
pub struct SizeArgs {
    /// Maximum size of the result in bytes; a larger one is refused
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_BYTES, hide_short_help = true, help_heading = OUTPUT)]
    pub max_bytes: usize,
}

/// Where the result goes.
#[derive(Debug, Clone, Args)]
pub struct OutputArgs {
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,

    /// Write nothing; show the differences from FILE and exit with 1 if there are any
    #[arg(long, requires = "output", hide_short_help = true, help_heading = OUTPUT)]
    pub check: bool,
}

#[derive(Debug, Clone, Args)]
pub struct TemplateArgs {
    /// Folder with templates that replace the built-in ones of the same relative path
    #[arg(long, value_name = "DIR", hide_short_help = true, help_heading = OUTPUT)]
    pub templates: Option<PathBuf>,
}

/// Execution engine of Hive.
#[derive(Debug, Clone, Copy, Args)]
pub struct EngineArgs {
    /// Execution engine of Hive.
    ///
    /// By default `hive.engine` of the schema, `engine` of saltplan.toml, or tez
    #[arg(long, value_name = "ENGINE", value_parser = engines(), help_heading = STATEMENT)]
    pub engine: Option<AskedEngine>,
}

/// The values of `--engine`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedEngine {
    Hive(Engine),
    /// Accepted only to be refused with a reason.
    Spark,
}

/// Parses the name of an engine.
pub fn engines() -> impl TypedValueParser<Value = AskedEngine> {
    let known = Engine::ALL.map(|engine| {
        (AskedEngine::Hive(engine), PossibleValue::new(engine.name()).aliases(engine.aliases()))
    });
    choice(known.into_iter().chain([(AskedEngine::Spark, PossibleValue::new("spark").hide(true))]))
}

/// How ranges are combined; `None` is `auto`. An alias, because clap takes a field of the type `Option` for an
/// optional argument.
pub type AskedShape = Option<QueryShape>;

/// Parses the name of a shape.
pub fn shapes(known: &[QueryShape]) -> impl TypedValueParser<Value = AskedShape> {
    let known = known.iter().map(|shape| (Some(*shape), shape.name()));
    choice([(None, "auto")].into_iter().chain(known))
}

/// Parses the names of some values, which the help lists in this order.
pub fn choice<T: Copy + Send + Sync + 'static>(
    values: impl IntoIterator<Item = (T, impl Into<PossibleValue>)>,
) -> impl TypedValueParser<Value = T> {
    let values: Vec<(T, PossibleValue)> =
        values.into_iter().map(|(value, name)| (value, name.into())).collect();
    PossibleValuesParser::new(values.iter().map(|(_, name)| name.clone())).try_map(move |text| {
        let found = values.iter().find(|(_, name)| name.matches(&text, false));
        found.map(|(value, _)| *value).ok_or("not one of the values")
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TextOrJson {
    Text,
    Json,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum KeyForm {
    #[default]
    Text,
    Hex,
}
