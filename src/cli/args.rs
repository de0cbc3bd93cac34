//! The command line: arguments that commands share. Each group of commands has its own file.

mod audit;
mod build;
mod config;
mod diff;
mod drift;
mod help;
mod init;
mod key;
mod plan;
mod reader;
mod report;
mod rewrite;
mod simulate;
mod splits;
mod tables;
mod writer;

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub use audit::{AuditArgs, FailOn, RuleArgs};
pub use build::BuildArgs;
pub use config::ConfigArgs;
pub use diff::{ClassChoice, DiffArgs, DiffFormat};
pub use drift::DriftArgs;
pub use init::InitArgs;
pub use key::{KeyArgs, KeyCommand, KeyForm};
pub use plan::{AskedEngine, ExplainArgs, ExplainFormat, PlanArgs, PlanFormat, ScanArgs, ShapeChoice};
pub use reader::ReaderArgs;
pub use report::{NamedPredicate, ReportArgs};
pub use rewrite::{RewriteArgs, RewriteFormat};
use saltplan_core::plan::{DEFAULT_MAX_BRANCHES, MaxWidening};
use saltplan_core::render::size::DEFAULT_MAX_BYTES;
pub use simulate::{CountArgs, GrowArgs, SimulateArgs, SliceBy};
pub use splits::SplitsArgs;
pub use tables::{DdlArgs, LoadArgs, VerifyArgs};
pub use writer::WriterArgs;

/// Headings of options in the help.
const PREDICATE: &str = "Predicate";
const LIMITS: &str = "Limits (a plan above them is refused)";
const OUTPUT: &str = "Output";
pub const GLOBAL: &str = "Global options";

/// Exact HBase key ranges and Hive SQL for tables with salted row keys.
#[derive(Debug, Parser)]
#[command(name = "saltplan", version, arg_required_else_help = true, after_help = help::ROOT, max_term_width = 100)]
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
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = GLOBAL)]
    pub color: ColorChoice,

    /// Format of messages on stderr: text, or one JSON document per line
    #[arg(
        long,
        global = true,
        value_name = "FORMAT",
        default_value = "text",
        help_heading = GLOBAL
    )]
    pub message_format: MessageFormat,

    /// Print help
    // Only the short form: the long one would spread every option over three lines.
    #[arg(long, short, global = true, action = ArgAction::HelpShort, help_heading = GLOBAL)]
    help: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    Text,
    Json,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print the Hive statement that reads the rows of a predicate, as an INSERT OVERWRITE or a query
    #[command(after_help = help::PLAN)]
    Plan(PlanArgs),
    /// Show the key ranges of a predicate, and which conditions do not narrow them
    #[command(after_help = help::EXPLAIN)]
    Explain(ExplainArgs),
    /// Print HBase shell scans and gets for a predicate
    #[command(after_help = help::SCAN)]
    Scan(ScanArgs),
    /// Print the statements that create the tables
    #[command(after_help = help::DDL)]
    Ddl(DdlArgs),
    /// Print the Hive statement that writes the rows of a table to HBase and builds their row keys
    #[command(after_help = help::LOAD)]
    Load(LoadArgs),
    /// Print the Hive query that counts stored rows with a wrong key
    #[command(after_help = help::VERIFY)]
    Verify(VerifyArgs),
    /// Print split keys: those of a schema, quantiles of real keys, or a query that computes them
    #[command(after_help = help::SPLITS)]
    Splits(SplitsArgs),
    /// Replace salted tables in queries with the key ranges that the queries need
    #[command(after_help = rewrite::REWRITE_HELP)]
    Rewrite(Box<RewriteArgs>),
    /// Write the statements of a jobs file, for many tables and many days
    #[command(after_help = build::BUILD_HELP)]
    Build(BuildArgs),
    /// Show the settings that apply to a file, and where they come from
    #[command(after_help = config::CONFIG_HELP)]
    Config(ConfigArgs),
    /// Check schema files for mistakes
    #[command(after_help = help::AUDIT)]
    Audit(AuditArgs),
    /// Explain a rule of the audit, or list all rules
    #[command(after_help = help::RULE)]
    Rule(RuleArgs),
    /// Count how rows spread over regions, or emulate how regions grow
    #[command(after_help = help::SIMULATE)]
    Simulate(Box<SimulateArgs>),
    /// Write an HTML page about tables: their plans, findings and growth
    #[command(after_help = report::REPORT_HELP)]
    Report(Box<ReportArgs>),
    /// Compare two versions of a schema: which changes make stored rows unreadable, and which are cosmetic
    #[command(after_help = diff::DIFF_HELP)]
    Diff(DiffArgs),
    /// Compare the split keys of a live table with those of its schema
    #[command(after_help = drift::DRIFT_HELP)]
    Drift(DriftArgs),
    /// Write a first schema, from flags, sample row keys or a live table
    #[command(after_help = init::INIT_HELP)]
    Init(InitArgs),
    /// Encode rows as row keys, and decode them
    #[command(subcommand, after_help = help::KEY)]
    Key(KeyCommand),
    /// Write programs, completions, manual pages, JSON schemas, templates and references
    #[command(subcommand)]
    Generate(GenerateCommand),
}

/// A schema file.
#[derive(Debug, Clone, Args)]
pub struct SchemaArgs {
    /// Schema file, or `-` for standard input
    #[arg(value_name = "SCHEMA")]
    pub schema: PathBuf,

    /// Name used in messages for standard input
    #[arg(long, value_name = "NAME", default_value = "<stdin>")]
    pub stdin_filename: String,
}

/// A predicate and its parameters.
#[derive(Debug, Clone, Args)]
pub struct PredicateArgs {
    /// Condition on key fields and columns, such as "`opera_day` = 20200406"; `@FILE` reads it from a file, `@-` from standard input
    #[arg(value_name = "PREDICATE", allow_hyphen_values = true)]
    pub predicate: String,

    #[command(flatten)]
    pub parameters: ParameterArgs,

    /// Maximum number of key ranges; above it, neighbouring ranges are merged
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_BRANCHES, value_parser = parse_limit, help_heading = PREDICATE)]
    pub max_branches: usize,
}

/// Values that complete a predicate.
#[derive(Debug, Clone, Default, Args)]
pub struct ParameterArgs {
    /// Value of a parameter `:name` of the predicate; repeatable. For a list, `IN (:name)`, separate the values by commas or repeat the option
    #[arg(long = "param", value_name = "NAME=VALUE", help_heading = PREDICATE)]
    pub params: Vec<String>,

    /// For `plan`: a parameter that the scheduler fills in when the statement runs. TEXT is the scheduler's own, such as `{{ ds }}`, or a preset, such as `hivevar:day`. Write `NAME:FORMAT=` if the value has another format than the key; repeatable
    #[arg(long, value_name = "NAME=TEXT", help_heading = PREDICATE)]
    pub runtime: Vec<String>,

    /// File with the values of a list parameter, one per line; repeatable
    #[arg(long = "param-file", value_name = "NAME=FILE", help_heading = PREDICATE)]
    pub param_files: Vec<String>,

    /// Time for `current_date` and `current_timestamp`, such as 2020-04-06 or "2020-04-06 10:00:00"
    #[arg(long, value_name = "TIME", help_heading = PREDICATE)]
    pub now: Option<String>,

    /// File with one `name=value` line per parameter, or a JSON object with one member per parameter
    #[arg(long, value_name = "FILE", help_heading = PREDICATE)]
    pub params_file: Option<PathBuf>,
}

fn parse_limit(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(limit @ 1..=100_000) => Ok(limit),
        _ => Err("expected a number from 1 to 100000".into()),
    }
}

/// What to do with plans that are probably a mistake.
#[derive(Debug, Clone, Args)]
pub struct RefusalArgs {
    /// Print a plan that reads the whole table
    #[arg(long, help_heading = "Plans that are refused by default")]
    pub allow_full_scan: bool,

    /// Print a plan that reads nothing
    #[arg(long, help_heading = "Plans that are refused by default")]
    pub allow_empty: bool,
}

/// How much more than requested a plan may read.
#[derive(Debug, Clone, Copy, Args)]
pub struct WideningArgs {
    /// If ranges are merged: maximum ratio of values read to values requested, or `any`; by default `max_widening` of saltplan.toml, or 10
    #[arg(long, value_name = "N", value_parser = parse_widening, help_heading = LIMITS)]
    pub max_widening: Option<MaxWidening>,
}

/// What a statement may cost.
#[derive(Debug, Clone, Copy, Args)]
pub struct BudgetArgs {
    /// Maximum number of HBase scans of the statement; by default `max_scans` of saltplan.toml, or no limit
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = LIMITS)]
    pub max_scans: Option<usize>,

    /// Maximum number of jobs of the statement; by default `max_jobs` of saltplan.toml, or no limit
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = LIMITS)]
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
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_BYTES, help_heading = OUTPUT)]
    pub max_bytes: usize,
}

/// Where the result goes.
#[derive(Debug, Clone, Args)]
pub struct OutputArgs {
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,

    /// Write nothing; show the differences from FILE and exit with 1 if there are any
    #[arg(long, requires = "output", help_heading = OUTPUT)]
    pub check: bool,
}

#[derive(Debug, Clone, Args)]
pub struct TemplateArgs {
    /// Folder with templates that replace the built-in ones of the same relative path
    #[arg(long, value_name = "DIR", help_heading = OUTPUT)]
    pub templates: Option<PathBuf>,
}

/// A kind of file that has a JSON schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FileKind {
    /// Schema files
    Schema,
    /// Jobs files, for `build`
    Jobs,
    /// `saltplan.toml`
    Settings,
}

#[derive(Debug, Subcommand)]
pub enum GenerateCommand {
    /// Print the reference of all commands, as Markdown
    #[command(after_help = help::COMMANDS)]
    Commands {
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Print completions for a shell
    #[command(after_help = help::COMPLETIONS)]
    Completions {
        /// Shell to complete the command line in
        shell: Shell,

        #[command(flatten)]
        output: OutputArgs,
    },
    /// Print the JSON schema of a kind of file, for editors
    #[command(after_help = help::JSON_SCHEMA)]
    JsonSchema {
        /// Kind of file
        #[arg(long, value_name = "KIND", default_value = "schema")]
        of: FileKind,

        #[command(flatten)]
        output: OutputArgs,
    },
    /// Write the manual pages, one per command, into a folder
    #[command(after_help = help::MAN)]
    Man {
        /// Folder to write to; existing pages are replaced
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Print the documentation of all rules of the audit, as Markdown
    #[command(after_help = help::RULES)]
    Rules {
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Print a class that encodes and decodes the row keys of a schema, or its test
    #[command(after_help = help::WRITER)]
    Writer(WriterArgs),
    /// Print a program that reads the rows of a predicate from HBase, and no others
    #[command(after_help = help::READER)]
    Reader(Box<ReaderArgs>),
    /// Write the built-in templates into a folder, to be edited and used with `--templates`
    #[command(after_help = help::TEMPLATES)]
    Templates {
        /// Folder to write to; existing files are not overwritten
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}
