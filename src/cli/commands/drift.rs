//! `drift`: compares the split keys of a live table with those of its schema, or what its mapping table carries with the schema.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value as Json, json};

use crate::cli::args::{KeyForm, OutputArgs, SchemaArgs, TextOrJson};
use crate::cli::inputs::name_of;
use crate::cli::key_lines::{MAX_DUMP_BYTES, read_splits};
use crate::cli::{Failure, Outcome, Refused, Reporter};
use saltplan_core::Table;
use saltplan_core::key::range::{to_hex, to_string_binary};
use saltplan_document::diag::json::pretty;
use saltplan_document::diag::{Diagnostic, counted, grouped};
use saltplan_project::drift::{Difference, Dump, Gap, carried_schema, compare, is_same_table, mend};

const HELP: &str = "\
The dump is one of:
  echo \"get_splits 'ns:table'\" | hbase shell -n
  echo \"list_regions 'ns:table'\" | hbase shell -n
    (shows region names, and blanks at the ends of keys)
  curl -H 'Accept: application/json' \\
    http://rest-server:8080/ns:table/regions
    (or text/xml)
  echo \"scan 'hbase:meta', {ROWPREFIXFILTER => 'ns:table,'}\" | hbase shell -n
  the table of regions of HBase's web page, copied with its heading
  a file with one split key per line, as `splits --output-format file`
    prints it

The result is a script for the HBase shell, with the differences as comments.
It is never run: read it, then `hbase shell -n FILE`.

With --from-hive it is what `SHOW CREATE TABLE` prints for the mapping table,
and the schema that the table carries for Hive is compared with this one.

Exit codes:
  0  they agree
  1  they differ, or a difference with --check
  2  wrong usage, invalid input, the dump of another table, or an internal error

Examples:
  saltplan drift schemas/examples/md5_nibble_day.yaml \\
    --from-splits schemas/examples/get_splits.txt
  saltplan drift schemas/examples/md5_nibble_day.yaml \\
    --from-splits schemas/examples/get_splits.txt \\
    --output-format json -o drift.json
  saltplan drift schemas/examples/md5_nibble_day.yaml \\
    --from-hive schemas/examples/show_create_table.txt";

/// Compare a live table with its schema: the split keys, or what its mapping table carries
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct DriftArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    /// Regions of the live table, as the HBase shell or the REST server prints them, or one split key per line; `-` is standard input
    #[arg(long, alias = "splits", value_name = "DUMP", required_unless_present = "from_hive")]
    pub from_splits: Option<PathBuf>,

    /// What `SHOW CREATE TABLE` prints for the mapping table, in place of the split keys; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from_splits", "key_form"])]
    pub from_hive: Option<PathBuf>,

    /// How keys are written in a file with one key per line: as the HBase shell prints them (`\xNN`), or in hex
    #[arg(long, hide_short_help = true, alias = "keys", value_name = "FORM", default_value = "text")]
    pub key_form: KeyForm,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub output_format: TextOrJson,

    #[command(flatten)]
    pub output: OutputArgs,
}

/// The version of the JSON form.
const FORMAT_VERSION: u32 = 1;

pub fn run(args: &DriftArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let other = args.from_hive.as_deref().or(args.from_splits.as_deref()).unwrap_or(Path::new("-"));
    reporter.inputs.differ([args.schema.schema.as_path(), other])?;
    let table = args.schema.load(reporter)?;
    match args.from_hive {
        Some(_) => of_hive(args, &table, other, reporter),
        None => of_splits(args, &table, other, reporter),
    }
}

/// The schema that the mapping table carries.
fn of_hive(args: &DriftArgs, table: &Table, file: &Path, reporter: &Reporter) -> Result<Outcome, Failure> {
    let name = name_of(file);
    let create = reporter.inputs.text(file, MAX_DUMP_BYTES)?;
    let carried = carried_schema(table, &create)
        .map_err(|(message, help)| Diagnostic::error(format!("{name}: {message}")).with_help(help))?;
    let mapping = table.schema().mapping().map(|mapping| mapping.table.to_string()).unwrap_or_default();
    let text = match args.output_format {
        TextOrJson::Text => {
            let remedy = "-- drop it and create it as `ddl --only mapping` prints it; HBase is not touched\n";
            format!("-- {mapping}: {}\n{}", carried.about(), if carried.is_same() { "" } else { remedy })
        }
        TextOrJson::Json => pretty(&json!({
            "format_version": FORMAT_VERSION,
            "table": mapping,
            "carried_schema": carried.word(),
            "about": carried.about(),
        })),
    };
    let delivered = args.output.deliver(&text, reporter)?;
    Ok(if carried.is_same() { delivered } else { Outcome::Findings })
}

fn of_splits(args: &DriftArgs, table: &Table, dump: &Path, reporter: &Reporter) -> Result<Outcome, Failure> {
    let help = "add `regions:`, such as `regions: { per_salt: {} }`";
    let no_regions = || Refused::no_regions(", so there is nothing to compare", help);
    let wanted = table.split_keys()?.ok_or_else(no_regions)?;
    let name = name_of(dump);
    let found = read_splits(dump, args.key_form, Some(table), reporter)?;
    let name_in_schema = table.schema().hbase.full_name();
    refuse_other_table(&name_in_schema, &found, &name)?;
    let gaps = compare(wanted, &found.split_keys().collect::<Vec<_>>());
    let report = DriftReport { table: name_in_schema, wanted: wanted.len(), found: &found, gaps: &gaps };
    let text = match args.output_format {
        TextOrJson::Text => report.text(),
        TextOrJson::Json => pretty(&report.json()),
    };
    let delivered = args.output.deliver(&text, reporter)?;
    Ok(if gaps.is_empty() { delivered } else { Outcome::Findings })
}

/// A dump of another table says nothing about this one.
pub fn refuse_other_table(table: &str, found: &Dump, name: &str) -> Result<(), Failure> {
    match &found.table {
        Some(other) if !is_same_table(other, table) => Err(Diagnostic::error(format!(
            "{name} is a dump of the table `{other}`, the schema describes `{table}`"
        ))
        .with_help(format!("dump the regions of `{table}`, or pass the schema of `{other}`"))
        .into()),
        _ => Ok(()),
    }
}

struct DriftReport<'a> {
    table: String,
    /// The number of split keys in the schema.
    wanted: usize,
    found: &'a Dump,
    gaps: &'a [Gap],
}

impl DriftReport<'_> {
    fn differences(&self) -> impl Iterator<Item = Difference> + '_ {
        self.gaps.iter().flat_map(Gap::differences)
    }

    /// A script for the HBase shell: the differences as comments, then the commands.
    fn text(&self) -> String {
        let found = self.found.regions.len().saturating_sub(1);
        let counts = format!("{} in the schema, {} in the table", keys(self.wanted), grouped(found as u128));
        if self.gaps.is_empty() {
            return format!("# {}: no drift; {counts}\n", self.table);
        }
        let mut text = format!("# {}: {counts}\n", self.table);
        for difference in self.differences() {
            let line = match difference {
                Difference::Missing(key) => format!("missing  {}", to_string_binary(&key)),
                Difference::Extra(key) => format!("extra    {}", to_string_binary(&key)),
                Difference::Moved { from, to } => {
                    format!("moved    {} should be {}", to_string_binary(&from), to_string_binary(&to))
                }
            };
            text.push_str(&format!("# {line}\n"));
        }
        text.push_str("# HBase shell commands to fix it:\n");
        for command in mend::commands(&self.table, self.found, self.gaps) {
            text.push_str(&command);
            text.push('\n');
        }
        text
    }

    fn json(&self) -> Json {
        let key = |key: &[u8]| json!({ "text": to_string_binary(key), "hex": to_hex(key) });
        let differences = self.differences().map(|difference| match difference {
            Difference::Missing(missing) => json!({ "kind": "missing", "key": key(&missing) }),
            Difference::Extra(extra) => json!({ "kind": "extra", "key": key(&extra) }),
            Difference::Moved { from, to } => json!({ "kind": "moved", "from": key(&from), "to": key(&to) }),
        });
        json!({
            "format_version": FORMAT_VERSION,
            "table": self.table,
            "schema_split_keys": self.wanted,
            "table_split_keys": self.found.regions.len().saturating_sub(1),
            "differences": differences.collect::<Vec<Json>>(),
            "commands": mend::commands(&self.table, self.found, self.gaps),
        })
    }
}

fn keys(count: usize) -> String {
    counted(count as u128, "split key", "split keys")
}
