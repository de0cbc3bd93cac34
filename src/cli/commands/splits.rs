//! `splits`: prints the split keys of a schema, or those that follow from real keys.

use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args, ValueEnum};
use serde_json::{Value as Json, json};

use crate::cli::args::{KeyForm, OutputArgs, SchemaArgs, TemplateArgs};
use crate::cli::inputs::name_of;
use crate::cli::key_lines;
use crate::cli::settings;
use crate::cli::statements;
use crate::cli::{Failure, Outcome, Refused, Reporter};
use saltplan_core::Table;
use saltplan_core::files::kind::line_of_key;
use saltplan_core::hbase::shell::split_list;
use saltplan_core::hive;
use saltplan_core::hive::splits::SplitQuery;
use saltplan_core::key::range::{to_hex, to_string_binary};
use saltplan_core::region::{self, SplitInputs};
use saltplan_core::render::{parse_column_name, parse_table_name};
use saltplan_core::schema::model::{Regions, Sampled};
use saltplan_document::diag::Diagnostic;
use saltplan_document::diag::json::pretty;

const HELP: &str = "\
Exit codes:
  0  done
  1  the schema does not say how the table is split, or a difference with
     --check
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan splits schemas/examples/md5_nibble_day.yaml
  saltplan splits schemas/examples/md5_nibble_day.yaml --output-format file \\
    -o splits.txt
  saltplan splits --from-keys schemas/examples/keys.txt --regions 16
  saltplan splits schemas/examples/md5_sampled.yaml --emit-sql --regions 64";

/// Version of the JSON form.
const FORMAT_VERSION: u32 = 1;

/// Print split keys: those of a schema, quantiles of real keys, or a query that computes them
#[derive(Debug, Args)]
#[command(after_help = HELP)]
#[command(group(ArgGroup::new("key_file").args(["from_keys", "from_splits"])))]
pub struct SplitsArgs {
    /// Schema file, or `-` for standard input; not needed with --from-keys and --from-splits
    #[arg(value_name = "SCHEMA")]
    pub schema: Option<PathBuf>,

    /// Name used in messages for standard input
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "<stdin>")]
    pub stdin_filename: String,

    /// `SPLITS => […]` for the shell's `create`, a file for `SPLITS_FILE`, or JSON
    #[arg(
        long,
        alias = "format",
        value_name = "FORMAT",
        default_value = "shell",
        conflicts_with = "emit_sql"
    )]
    pub output_format: SplitsFormat,

    /// Split at the quantiles of the row keys in a file, one per line; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from_splits", "emit_sql"])]
    pub from_keys: Option<PathBuf>,

    /// Take the split keys from what `get_splits`, `list_regions` or the REST server print, or from a file.
    ///
    /// The file has one split key per line, such as the result of the --emit-sql query; `-` is standard input
    #[arg(long, value_name = "DUMP", conflicts_with = "emit_sql")]
    pub from_splits: Option<PathBuf>,

    /// Print a Hive query that computes the split keys on the cluster
    #[arg(long, alias = "from-sql")]
    pub emit_sql: bool,

    /// With --from-keys, --emit-sql or a schema with `sampled` regions: number of regions; by default that of the schema
    #[arg(long, value_name = "N", conflicts_with = "from_splits", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub regions: Option<u32>,

    /// With --emit-sql: Hive table with the keys, instead of the mapping table
    #[arg(long, hide_short_help = true, value_name = "TABLE", requires = "emit_sql", conflicts_with_all = ["from_keys", "from_splits"])]
    pub from: Option<String>,

    /// With --emit-sql: column with the keys
    #[arg(long, hide_short_help = true, value_name = "COLUMN", requires = "emit_sql", conflicts_with_all = ["from_keys", "from_splits"])]
    pub key_column: Option<String>,

    /// With --emit-sql: sample one key in N; 1 takes all keys
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 1000, requires = "emit_sql", conflicts_with_all = ["from_keys", "from_splits"], value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub one_in: u32,

    /// How keys are written in the input: as the HBase shell prints them (`\xNN`), or in hex
    #[arg(
        long,
        hide_short_help = true,
        alias = "keys",
        value_name = "FORM",
        default_value = "text",
        requires = "key_file"
    )]
    pub key_form: KeyForm,

    #[command(flatten)]
    pub templates: TemplateArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SplitsFormat {
    Shell,
    File,
    Json,
}

pub fn run(args: &SplitsArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let schema =
        args.schema.clone().map(|schema| SchemaArgs { schema, stdin_filename: args.stdin_filename.clone() });
    let table = schema.map(|schema| schema.load(reporter)).transpose()?;
    if args.templates.templates.is_some() && !args.emit_sql {
        let error = Diagnostic::error("`--templates` has an effect only with `--emit-sql`");
        return Err(error.with_help("omit it: split keys are printed without a template").into());
    }
    if args.emit_sql {
        let sql = query(args, table.as_ref(), reporter)?;
        return args.output.deliver(&sql, reporter);
    }
    let keys = match (&args.from_keys, &args.from_splits, &table) {
        (Some(path), _, _) => quantiles(path, args, table.as_ref(), reporter)?,
        (_, Some(path), _) => given(path, args, table.as_ref(), reporter)?,
        (_, _, Some(table)) => of_schema(table, args.regions)?,
        (None, None, None) => return Err(missing_input().into()),
    };
    let text = match args.output_format {
        SplitsFormat::Shell => format!("{}\n", split_list(&keys)),
        SplitsFormat::File => keys.iter().map(|key| line_of_key(key) + "\n").collect(),
        SplitsFormat::Json => {
            let keys = keys.iter().map(|key| json!({ "text": to_string_binary(key), "hex": to_hex(key) }));
            let keys: Vec<Json> = keys.collect();
            pretty(&json!({ "format_version": FORMAT_VERSION, "split_keys": keys }))
        }
    };
    args.output.deliver(&text, reporter)
}

fn missing_input() -> Diagnostic {
    Diagnostic::error("a schema or row keys are missing")
        .with_help("pass a schema, or row keys with `--from-keys FILE --regions N`")
}

fn keys_of(table: &Table) -> Result<&[Vec<u8>], Failure> {
    let help = "add `regions:`, such as `regions: { per_salt: {} }`, or use `--from-keys FILE --regions N`";
    Ok(table.split_keys()?.ok_or_else(|| Refused::no_regions("", help))?)
}

/// The split keys of the schema. Only those of a sample can be of another number of regions.
fn of_schema(table: &Table, regions: Option<u32>) -> Result<Vec<Vec<u8>>, Failure> {
    let Some(regions) = regions else { return Ok(keys_of(table)?.to_vec()) };
    if let Some(Regions::Sampled(sampled)) = &table.schema().regions {
        let sample = table.sample().map_err(|error| {
            Diagnostic::error(format!("{}: {error}", sampled.keys)).with_help(error.help())
        })?;
        return quantiles_of(sample, regions)
            .map_err(|error| Diagnostic::error(format!("{}: {error}", sampled.keys)).into());
    }
    let count = keys_of(table)?.len() + 1;
    if regions as usize == count {
        return Ok(keys_of(table)?.to_vec());
    }
    Err(Diagnostic::error(format!("`--regions {regions}`: the schema says how the table is split, into {count} regions"))
        .with_help("change `regions` in the schema, or the salt if each has its own; `--from-keys FILE --regions N` splits at the quantiles of row keys")
        .into())
}

fn quantiles_of(sample: &[Vec<u8>], regions: u32) -> Result<Vec<Vec<u8>>, region::SplitError> {
    let form = Regions::Sampled(Sampled { keys: String::new(), regions });
    region::split_keys(&form, SplitInputs { sample, ..SplitInputs::default() })
}

/// The requested number of regions, or the number in the schema.
pub fn regions(requested: Option<u32>, table: Option<&Table>) -> Result<u32, Failure> {
    match (requested, table.map(|table| (table, &table.schema().regions))) {
        (Some(regions), _) => Ok(regions),
        // The file with its keys may not exist yet: this command creates it.
        (None, Some((_, Some(Regions::Sampled(sampled))))) => Ok(sampled.regions),
        (None, Some((table, Some(_)))) => {
            Ok(u32::try_from(keys_of(table)?.len()).unwrap_or(u32::MAX).saturating_add(1))
        }
        _ => Err(Diagnostic::error("the number of regions is missing").with_help("add `--regions N`").into()),
    }
}

fn quantiles(
    path: &Path,
    args: &SplitsArgs,
    table: Option<&Table>,
    reporter: &Reporter,
) -> Result<Vec<Vec<u8>>, Failure> {
    let regions = regions(args.regions, table)?;
    let sample = key_lines::read_all(path, args.key_form, &reporter.inputs)?;
    let keys = quantiles_of(&sample, regions)
        .map_err(|error| Diagnostic::error(format!("{}: {error}", name_of(path))))?;
    if keys.len() + 1 < regions as usize {
        reporter.warning(format!(
            "{} different keys are too few for {regions} regions; the result has {}",
            sample.len(),
            keys.len() + 1
        ));
    }
    Ok(keys)
}

/// Existing split keys, in byte order.
fn given(
    path: &Path,
    args: &SplitsArgs,
    table: Option<&Table>,
    reporter: &Reporter,
) -> Result<Vec<Vec<u8>>, Failure> {
    let found = key_lines::read_splits(path, args.key_form, table, reporter)?;
    let keys: Vec<Vec<u8>> = found.split_keys().map(<[u8]>::to_vec).collect();
    if keys.is_empty() {
        let error =
            Diagnostic::error(format!("{}: the table has one region, so no split keys", name_of(path)));
        return Err(error.with_help("pass the dump of a split table").into());
    }
    Ok(keys)
}

fn query(args: &SplitsArgs, table: Option<&Table>, reporter: &Reporter) -> Result<String, Failure> {
    let table = table.ok_or_else(|| {
        Diagnostic::error("`--emit-sql` needs a schema")
            .with_help("pass the schema whose mapping table has the keys")
    })?;
    let from = args.from.as_deref().map(parse_table_name).transpose()?;
    let key_column = args.key_column.as_deref().map(parse_column_name).transpose()?;
    let query = SplitQuery {
        regions: regions(args.regions, Some(table))?,
        one_in: args.one_in,
        table: from,
        key_column: key_column.as_deref(),
    };
    let settings = args.schema.as_deref().map(settings::of_file).transpose()?.unwrap_or_default();
    let templates = args.templates.load(&settings, reporter);
    let sql = hive::splits::render(table.schema(), &query, &templates)?;
    statements::check(&templates, reporter);
    Ok(sql)
}
