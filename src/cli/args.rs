//! The command line as it is typed.

mod simulate;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::plan::DEFAULT_MAX_BRANCHES;
pub use simulate::{CountArgs, GrowArgs, SimulateArgs, SliceBy};

const EXIT_CODES: &str = "\
Exit codes:
  0  done and clean
  1  a refused plan, findings, or a difference with --check
  2  wrong usage, invalid input, or an internal fault";

/// Exact HBase key ranges and Hive SQL for tables with salted row keys.
#[derive(Debug, Parser)]
#[command(name = "saltplan", version, arg_required_else_help = true, after_help = EXIT_CODES, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,

    #[command(flatten)]
    pub global: Global,
}

#[derive(Debug, Clone, Args)]
pub struct Global {
    /// Say nothing on stderr but errors
    #[arg(long, short, global = true)]
    pub quiet: bool,

    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print the Hive statement that reads a predicate's rows, as INSERT OVERWRITE or as a query
    #[command(after_help = EXIT_CODES)]
    Plan(PlanArgs),
    /// Show the key ranges of a predicate, and which conditions they could not use
    Explain(ExplainArgs),
    /// Print HBase shell scans and gets for a predicate
    Scan(ScanArgs),
    /// Print the statements that make the tables
    Ddl(DdlArgs),
    /// Print the Hive statement that writes a table's rows to HBase, with the row key built in HiveQL
    Load(LoadArgs),
    /// Print the Hive query that counts stored rows with a wrong key
    Verify(VerifyArgs),
    /// Print split keys: those of a schema, quantiles of real keys, or the query that finds them
    Splits(SplitsArgs),
    /// Look for faults in schema files
    #[command(after_help = EXIT_CODES)]
    Audit(AuditArgs),
    /// Explain a rule of the audit, or list all
    Rule(RuleArgs),
    /// Count how rows spread over regions, or emulate how the regions grow
    #[command(after_help = EXIT_CODES)]
    Simulate(Box<SimulateArgs>),
    /// Compare two versions of a schema: what becomes unreadable, what only looks different
    #[command(after_help = DIFF_HELP)]
    Diff(DiffArgs),
    /// Compare the split keys of a live table with those of its schema
    #[command(after_help = DRIFT_HELP)]
    Drift(DriftArgs),
    /// Start a schema file, from flags or from sample row keys
    #[command(after_help = INIT_HELP)]
    Init(InitArgs),
    /// Turn rows into row keys and back
    #[command(subcommand)]
    Key(KeyCommand),
    /// Write files for editing
    #[command(subcommand)]
    Generate(GenerateCommand),
}

const DIFF_HELP: &str = "\
Classes, from the worst:
  key       stored rows become unreadable, or are looked for under other keys
  region    the split keys
  mapping   the tables in HBase and Hive: families, columns, types, names
  query     only what is printed changes: domains, names of key fields, expressions
  cosmetic  comments, order, the same thing written otherwise

The accept file has a line for each change that is wanted: `key.salt.write`, or `key.salt.write: decimal -> decimal(3)`
as it is printed; `#` starts a comment.

Exit codes:
  0  no change at or above --fail-on, those of --accept left out
  1  such a change, or a difference with --check
  2  wrong usage, invalid input, or an internal fault";

const DRIFT_HELP: &str = "\
The dump is one of:
  echo \"get_splits 'ns:table'\" | hbase shell -n
  echo \"list_regions 'ns:table'\" | hbase shell -n      (tells blanks at the ends of keys, and region names)
  curl -H 'Accept: application/json' http://rest-server:8080/ns:table/regions      (or text/xml)

The result is a script for the HBase shell, with the differences as comments. It is never run: read it, then
`hbase shell -n FILE`.

Exit codes:
  0  the split keys agree
  1  they differ, or a difference with --check
  2  wrong usage, invalid input, or an internal fault";

const INIT_HELP: &str = "\
Fields, in key order:
  day:date(yyyyMMdd)          a date as text                 at:time(yyyyMMddHHmmss)   local time as text
  tel:text[11 digits]         11 characters of a set         name:text                 any text
  id:text[8 a-f0-9]           a class of characters          uid:text[10 digits reversed]
  country:text{cn,us}         a finite list                  uid:text[unstored]        feeds the salt only
  id:long  n:int              8 and 4 bytes, big endian      id:long(sortable)         sign bit flipped
  n:int(decimal 5)            zero-padded digits             at:epoch(ms descending)   8 bytes, newest first

Salts:
  md5:2          first 2 hex digits of the MD5 of the key    md5:8(a,b)       of the fields a and b
  hash:16        Math.abs(hashCode % 16) of all fields       hash:16(a,b)     of the fields a and b
  modulo:20(id)  remainder of a number                       random:100       cannot be computed: no point reads

Regions: per-salt, hex:16, decimal:10, uniform:8, longs:1-19, or split keys separated by commas

Examples:
  saltplan init --table log:calls --field 'day:date(yyyyMMdd)' --field 'tel:text[11 digits]' --salt md5:1
  saltplan init --table shop:orders --field 'user:text[10 digits reversed]' --field 'at:epoch(ms descending)' \\
    --column 'amount:decimal(18,2)@info:amount' --mapping shop.orders_map --time-zone Asia/Shanghai
  saltplan init --table log:calls --from-keys keys.txt -o calls.yaml

Exit codes:
  0  done
  1  the keys follow no layout that can be written down, or a difference with --check
  2  wrong usage, invalid input, or an internal fault";

/// A schema file.
#[derive(Debug, Clone, Args)]
pub struct SchemaArgs {
    /// Schema file, or `-` for standard input
    #[arg(value_name = "SCHEMA")]
    pub schema: PathBuf,

    /// Name of the schema in messages when it comes from standard input
    #[arg(long, value_name = "NAME", default_value = "<stdin>")]
    pub stdin_filename: String,
}

/// A predicate and its parameters.
#[derive(Debug, Clone, Args)]
pub struct PredicateArgs {
    /// Condition on key fields and columns, such as "opera_day = 20200406"; `@FILE` or `@-` reads it
    #[arg(value_name = "PREDICATE", allow_hyphen_values = true)]
    pub predicate: String,

    /// Value of a parameter `:name` of the predicate; repeatable
    #[arg(long = "param", value_name = "NAME=VALUE")]
    pub params: Vec<String>,

    /// File with a `name=value` line for each parameter
    #[arg(long, value_name = "FILE")]
    pub params_file: Option<PathBuf>,

    /// Most key ranges of a plan; a finer one is widened
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_BRANCHES, value_parser = parse_limit)]
    pub max_branches: usize,
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
    #[arg(long)]
    pub allow_full_scan: bool,

    /// Print a plan that reads nothing
    #[arg(long)]
    pub allow_empty: bool,
}

/// Where the result goes.
#[derive(Debug, Clone, Args)]
pub struct OutputArgs {
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Write nothing; show how FILE differs and exit with 1 if it does
    #[arg(long, requires = "output")]
    pub check: bool,
}

#[derive(Debug, Clone, Args)]
pub struct TemplateArgs {
    /// Folder with templates that replace built-in ones of the same relative path
    #[arg(long, value_name = "DIR")]
    pub templates: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct PlanArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,
    #[command(flatten)]
    pub predicate: PredicateArgs,

    /// What Hive runs on
    #[arg(long, value_name = "ENGINE", default_value = "tez")]
    pub engine: EngineChoice,

    /// How the branches are put together; `auto` takes the one that reads only the ranges
    #[arg(long, value_name = "SHAPE", default_value = "auto")]
    pub shape: ShapeChoice,

    /// Print the query without the INSERT
    #[arg(long)]
    pub select: bool,

    /// Leave out the guards that keep rows right when Hive does not apply the ranges
    #[arg(long)]
    pub no_guard: bool,

    /// Leave out the comment above the statement
    #[arg(long)]
    pub no_header: bool,

    #[command(flatten)]
    pub refusal: RefusalArgs,
    #[command(flatten)]
    pub templates: TemplateArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineChoice {
    /// Hive on Tez
    Tez,
    /// Hive on MapReduce
    #[value(alias = "mapreduce")]
    Mr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum ShapeChoice {
    Auto,
    /// One query, branches joined by UNION ALL
    UnionAll,
    /// The same, every branch in a job of its own
    Isolated,
    /// One INSERT per branch; not atomic
    Statements,
}

#[derive(Debug, Args)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,
    #[command(flatten)]
    pub predicate: PredicateArgs,

    /// Form of the explanation
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub output_format: ExplainFormat,

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
    #[arg(long, value_name = "FORMAT", default_value = "shell")]
    pub output_format: ScanFormat,

    #[command(flatten)]
    pub refusal: RefusalArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScanFormat {
    Shell,
    Json,
}

#[derive(Debug, Args)]
pub struct DdlArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    /// Parts to print, separated by commas
    #[arg(long, value_name = "PARTS", value_delimiter = ',')]
    pub only: Vec<DdlPart>,

    #[command(flatten)]
    pub templates: TemplateArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DdlPart {
    /// Commands for the HBase shell: namespace and table
    Hbase,
    /// The external Hive table on HBase
    Mapping,
    /// The Hive table that a plan fills
    Target,
}

#[derive(Debug, Args)]
pub struct LoadArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    /// Hive table or view with a column for every key field and every column of the schema
    #[arg(long, value_name = "TABLE")]
    pub from: String,

    /// Print the query for rows that the statement would fail at, N at most
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "100", value_parser = clap::value_parser!(u32).range(1..))]
    pub faults: Option<u32>,

    /// Leave out the comment above the statement
    #[arg(long)]
    pub no_header: bool,

    #[command(flatten)]
    pub templates: TemplateArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    /// Wrong rows to list, at most; 0 only counts them
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub list: u32,

    /// Leave out the comment above the query
    #[arg(long)]
    pub no_header: bool,

    #[command(flatten)]
    pub templates: TemplateArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Args)]
pub struct SplitsArgs {
    /// Schema file, or `-` for standard input; not needed with --from-keys and --from-splits
    #[arg(value_name = "SCHEMA")]
    pub schema: Option<PathBuf>,

    /// Name of the schema in messages when it comes from standard input
    #[arg(long, value_name = "NAME", default_value = "<stdin>")]
    pub stdin_filename: String,

    /// How split keys are written
    #[arg(long, value_name = "FORMAT", default_value = "shell", conflicts_with = "from_sql")]
    pub format: SplitsFormat,

    /// Cut the keys of a file, one a line, into regions of equal size; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from_splits", "from_sql"])]
    pub from_keys: Option<PathBuf>,

    /// Take split keys from a file, one a line, such as the result of the query of --from-sql
    #[arg(long, value_name = "FILE", conflicts_with = "from_sql")]
    pub from_splits: Option<PathBuf>,

    /// Print a Hive query that finds the split keys on the cluster
    #[arg(long)]
    pub from_sql: bool,

    /// Number of regions; by default as many as the schema has
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub regions: Option<u32>,

    /// With --from-sql: the Hive table that holds the keys, instead of the mapping table
    #[arg(long, value_name = "TABLE", requires = "from_sql")]
    pub from: Option<String>,

    /// With --from-sql: the column that holds the keys
    #[arg(long, value_name = "COLUMN", requires = "from_sql")]
    pub key_column: Option<String>,

    /// With --from-sql: sort one key in N; 1 sorts all of them
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "from_sql", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub one_in: u32,

    /// How keys are written in the input: as the HBase shell prints them (`\xNN`), or in hex
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub keys: KeyForm,

    #[command(flatten)]
    pub templates: TemplateArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SplitsFormat {
    /// The `SPLITS => […]` of the shell's `create`
    Shell,
    /// One key a line, for the shell's SPLITS_FILE
    File,
    /// Text and hex of every key, for programs
    Json,
}

#[derive(Debug, Args)]
pub struct AuditArgs {
    /// Schema files, and folders that are searched for *.yaml and *.yml; `-` is standard input
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,

    /// Name of the schema in messages when it comes from standard input
    #[arg(long, value_name = "NAME", default_value = "<stdin>")]
    pub stdin_filename: String,

    /// Rules to look at: codes, starts of codes such as `SP2`, or names, separated by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub select: Vec<String>,

    /// Rules to leave out, in the same forms
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub ignore: Vec<String>,

    /// Exit with 1 when there is a finding of this severity or a worse one
    #[arg(long, value_name = "SEVERITY", default_value = "warning")]
    pub fail_on: FailOn,

    /// Mend what can be mended safely, and report the rest
    #[arg(long)]
    pub fix: bool,

    /// Show what --fix would change, and change nothing
    #[arg(long, conflicts_with = "fix")]
    pub diff: bool,

    /// Form of the findings
    #[arg(long, value_name = "FORMAT", default_value = "full")]
    pub output_format: FindingsFormat,

    /// Write the findings to a file instead of standard output
    #[arg(long, short, value_name = "FILE", conflicts_with = "diff")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    Error,
    Warning,
    Note,
    /// Findings never make the exit code 1
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FindingsFormat {
    /// With the lines of the file
    Full,
    /// One line a finding
    Concise,
    Json,
    /// Annotations of GitHub Actions
    Github,
    /// Code Quality report of GitLab
    Gitlab,
    /// SARIF 2.1.0
    Sarif,
}

#[derive(Debug, Args)]
pub struct RuleArgs {
    /// Code or name of a rule; all rules are listed without it
    #[arg(value_name = "CODE")]
    pub rule: Option<String>,

    /// Form of the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub output_format: ExplainFormat,
}

#[derive(Debug, Args)]
pub struct DiffArgs {
    /// Schema as it was: a file, or `git:REF:path` with the path from the root of the repository
    #[arg(value_name = "OLD")]
    pub old: String,

    /// Schema as it will be, in the same forms
    #[arg(value_name = "NEW")]
    pub new: String,

    /// Exit with 1 when there is a change of this class or a worse one
    #[arg(long, value_name = "CLASS", default_value = "query")]
    pub fail_on: ClassChoice,

    /// File with changes that are wanted, a line each
    #[arg(long, value_name = "FILE")]
    pub accept: Option<PathBuf>,

    /// Form of the comparison; `markdown` is for a comment on a pull request
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub output_format: DiffFormat,

    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ClassChoice {
    Key,
    Region,
    Mapping,
    Query,
    Cosmetic,
    /// Changes never make the exit code 1
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    Text,
    Json,
    Markdown,
}

#[derive(Debug, Args)]
pub struct DriftArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    /// What the HBase shell or the REST server says about the table's regions; `-` is standard input
    #[arg(long, value_name = "DUMP")]
    pub splits: PathBuf,

    /// Form of the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub output_format: ExplainFormat,

    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Args)]
pub struct InitArgs {
    /// HBase table, `ns:name` or `name`
    #[arg(long, value_name = "TABLE")]
    pub table: Option<String>,

    /// Key field, `name:type`, see below; repeat it in key order
    #[arg(long = "field", value_name = "FIELD")]
    pub fields: Vec<String>,

    /// Guess the fields and the salt from real row keys, one a line; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fields", "salt", "separator"])]
    pub from_keys: Option<PathBuf>,

    /// How keys are written in the file: as the HBase shell prints them (`\xNN`), or in hex
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub keys: KeyForm,

    /// Salt in front of the key, see below
    #[arg(long, value_name = "SALT")]
    pub salt: Option<String>,

    /// Text between all parts of the key
    #[arg(long, value_name = "TEXT")]
    pub separator: Option<String>,

    /// How the table is split, see below; one region per salt when there is a salt of at most 256 values
    #[arg(long, value_name = "REGIONS")]
    pub regions: Option<String>,

    /// Column outside the key, `name:type@family:qualifier`; repeatable
    #[arg(long = "column", value_name = "COLUMN")]
    pub columns: Vec<String>,

    /// Hive table on HBase, `db.table`
    #[arg(long, value_name = "TABLE")]
    pub mapping: Option<String>,

    /// Hive table that plans fill, `db.table`; dates of the key become its partitions
    #[arg(long, value_name = "TABLE", requires = "mapping")]
    pub target: Option<String>,

    /// Zone in which instants are shown as local time, such as `Asia/Shanghai`
    #[arg(long, value_name = "ZONE")]
    pub time_zone: Option<String>,

    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Rows as JSON lines to row keys, one a line
    Encode(KeyArgs),
    /// Row keys, one a line, to rows as JSON lines; a wrong salt is a finding
    Decode(KeyArgs),
}

#[derive(Debug, Args)]
pub struct KeyArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    /// Input file; standard input by default
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,

    /// How row keys are written: as the HBase shell prints them (`\xNN`), or in hex
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub keys: KeyForm,

    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KeyForm {
    Text,
    Hex,
}

#[derive(Debug, Subcommand)]
pub enum GenerateCommand {
    /// Print the JSON schema of schema files, for editors
    JsonSchema {
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Print the documentation of all rules of the audit, as Markdown
    Rules {
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Write the built-in templates into a folder, to change them there
    Templates {
        /// Folder to write to; files that exist are not overwritten
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}
