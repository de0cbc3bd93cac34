//! `drift`: compares a live table with its schema: split keys, families, attributes, the mapping table and what that carries.

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
use saltplan_document::diag::{Diagnostic, counted, grouped, visible};
use saltplan_project::drift::{
    Difference, Dump, Gap, TableDifference, TableDrift, carried_schema, compare, compare_described,
    compare_mapping, is_same_table, mend,
};

const HELP: &str = "\
--from-describe compares families, their attributes, those of the table and its
metadata, --from-show-create the columns of the mapping table, --from-splits the
regions. They can be combined.

The dump of --from-splits is one of:
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
It is never run: read it, then `hbase shell -n FILE`. It has no command that
makes HBase delete cells (a family that the schema lacks, fewer versions, a
shorter TTL) without --allow-loss, and none that merges regions of two salts if
the salts can be listed.

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
    --from-describe schemas/examples/describe.txt \\
    --from-show-create schemas/examples/show_create_table.txt \\
    --from-splits schemas/examples/list_regions.txt
  saltplan drift schemas/examples/md5_nibble_day.yaml \\
    --from-hive schemas/examples/show_create_table.txt";

/// Compare a live table with its schema: regions, families, attributes, its mapping table
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct DriftArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    /// Regions of the live table, as the HBase shell or the REST server prints them, or one split key per line; `-` is standard input
    #[arg(long, alias = "splits", value_name = "DUMP", required_unless_present_any = ["from_hive", "from_describe", "from_show_create"])]
    pub from_splits: Option<PathBuf>,

    /// What the HBase shell's `describe` prints, to compare families and attributes; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub from_describe: Option<PathBuf>,

    /// What `SHOW CREATE TABLE` prints for the mapping table, or the statement that created it, to compare its columns; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub from_show_create: Option<PathBuf>,

    /// Also print commands after which HBase deletes cells, such as those of a family that the schema does not have
    #[arg(long, hide_short_help = true, requires = "from_describe")]
    pub allow_loss: bool,

    /// What `SHOW CREATE TABLE` prints for the mapping table, to compare the schema that it carries for Hive's planner; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from_splits", "key_form", "from_describe", "from_show_create"])]
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
    let others = [&args.from_hive, &args.from_splits, &args.from_describe, &args.from_show_create];
    let others = others.into_iter().flatten().map(PathBuf::as_path);
    reporter.inputs.differ(std::iter::once(args.schema.schema.as_path()).chain(others))?;
    let table = args.schema.load(reporter)?;
    match &args.from_hive {
        Some(file) => of_hive(args, &table, file, reporter),
        None => of_table(args, &table, reporter),
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

/// The regions, the families and the mapping table, as far as files are given.
fn of_table(args: &DriftArgs, table: &Table, reporter: &Reporter) -> Result<Outcome, Failure> {
    let schema = table.schema();
    let read = |path: &Path| -> Result<String, Failure> {
        Ok(String::from_utf8_lossy(&reporter.inputs.bytes(path, MAX_DUMP_BYTES)?).into_owned())
    };
    let in_file = |path: &Path, (message, help): (String, String)| {
        Diagnostic::error(format!("{}: {message}", name_of(path))).with_help(help)
    };
    let mut report = DriftReport { name: schema.hbase.full_name(), ..DriftReport::default() };
    if let Some(path) = &args.from_describe {
        let described = compare_described(schema, &read(path)?, args.allow_loss);
        let described = described.map_err(|fault| in_file(path, fault))?;
        for left_out in &described.left_out {
            reporter.note(format!("not compared, because a schema file has no place for it: {left_out}"));
        }
        report.described = Some(described);
    }
    if let Some(path) = &args.from_show_create {
        let mapping = compare_mapping(schema, &read(path)?);
        report.mapping = Some(mapping.map_err(|fault| in_file(path, fault))?);
    }
    if let Some(path) = &args.from_splits {
        report.regions = Some(Regions::read(path, args.key_form, table, reporter)?);
    }
    let text = match args.output_format {
        TextOrJson::Text => report.text(args.allow_loss),
        TextOrJson::Json => pretty(&report.json()),
    };
    let delivered = args.output.deliver(&text, reporter)?;
    Ok(if report.is_same() { delivered } else { Outcome::Findings })
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

/// The regions of the schema and of the live table.
struct Regions<'t> {
    /// The number of split keys in the schema.
    wanted: usize,
    found: Dump,
    gaps: Vec<Gap>,
    salts: &'t [Vec<u8>],
}

impl<'t> Regions<'t> {
    fn read(dump: &Path, form: KeyForm, table: &'t Table, reporter: &Reporter) -> Result<Self, Failure> {
        let help = "add `regions:`, such as `regions: { per_salt: {} }`";
        let no_regions = || Refused::no_regions(", so there is nothing to compare", help);
        let wanted = table.split_keys()?.ok_or_else(no_regions)?;
        let name = name_of(dump);
        let found = read_splits(dump, form, Some(table), reporter)?;
        refuse_other_table(&table.schema().hbase.full_name(), &found, &name)?;
        let gaps = compare(wanted, &found.split_keys().collect::<Vec<_>>());
        Ok(Regions { wanted: wanted.len(), found, gaps, salts: table.salts() })
    }

    fn differences(&self) -> impl Iterator<Item = Difference> + '_ {
        self.gaps.iter().flat_map(Gap::differences)
    }

    fn counts(&self) -> String {
        let found = self.found.regions.len().saturating_sub(1);
        format!("{} in the schema, {} in the table", keys(self.wanted), grouped(found as u128))
    }

    fn commands(&self, table: &str) -> Vec<String> {
        mend::commands(table, &self.found, &self.gaps, self.salts)
    }
}

#[derive(Default)]
struct DriftReport<'t> {
    /// The name of the HBase table.
    name: String,
    described: Option<TableDrift>,
    /// The differences, and whether DROP TABLE deletes the rows.
    mapping: Option<(Vec<TableDifference>, bool)>,
    regions: Option<Regions<'t>>,
}

impl DriftReport<'_> {
    fn table_differences(&self) -> &[TableDifference] {
        self.described.as_ref().map_or(&[], |described| &described.differences)
    }

    fn mapping_differences(&self) -> &[TableDifference] {
        self.mapping.as_ref().map_or(&[], |(differences, _)| differences)
    }

    fn is_same(&self) -> bool {
        self.table_differences().is_empty()
            && self.mapping_differences().is_empty()
            && self.regions.as_ref().is_none_or(|regions| regions.gaps.is_empty())
    }

    fn commands(&self) -> Vec<String> {
        let altered = self.described.iter().flat_map(|described| described.commands.iter().cloned());
        altered.chain(self.regions.iter().flat_map(|regions| regions.commands(&self.name))).collect()
    }

    /// What was compared.
    fn counts(&self) -> String {
        let count = |differences: &[TableDifference]| match differences.len() {
            0 => "as in the schema".to_string(),
            count => counted(count as u128, "difference", "differences"),
        };
        let described = self
            .described
            .as_ref()
            .map(|_| format!("families and attributes: {}", count(self.table_differences())));
        let mapping =
            self.mapping.as_ref().map(|_| format!("mapping table: {}", count(self.mapping_differences())));
        let regions = self.regions.as_ref().map(Regions::counts);
        described.into_iter().chain(mapping).chain(regions).collect::<Vec<_>>().join("; ")
    }

    /// A script for the HBase shell: the differences as comments, then the commands.
    fn text(&self, accepts_loss: bool) -> String {
        if self.is_same() {
            return format!("# {}: no drift; {}\n", self.name, self.counts());
        }
        let mut text = format!("# {}: {}\n", self.name, self.counts());
        let mut line = |line: &str| text.push_str(&format!("# {}\n", visible::line(line)));
        for difference in self.table_differences().iter().chain(self.mapping_differences()) {
            line(&difference.shown());
            match difference.loss {
                Some(loss) if accepts_loss => line(&format!("         accepted: {loss}")),
                Some(loss) => line(&format!("         no command without --allow-loss: {loss}")),
                None => {}
            }
            difference.no_command.iter().for_each(|reason| line(&format!("         no command: {reason}")));
        }
        if let Some((differences, drop_deletes_rows)) = &self.mapping
            && !differences.is_empty()
        {
            if *drop_deletes_rows {
                line(
                    "mapping  DROP TABLE would delete the rows: first ALTER TABLE … SET TBLPROPERTIES ('EXTERNAL'='TRUE', 'external.table.purge'='FALSE')",
                );
                line("mapping  then DROP TABLE, and create it as `ddl --only mapping` prints it");
            } else {
                line(
                    "mapping  DROP TABLE, which leaves HBase as it is, then create it as `ddl --only mapping` prints it",
                );
            }
        }
        for difference in self.regions.iter().flat_map(Regions::differences) {
            line(&match difference {
                Difference::Missing(key) => format!("missing  {}", to_string_binary(&key)),
                Difference::Extra(key) => format!("extra    {}", to_string_binary(&key)),
                Difference::Moved { from, to } => {
                    format!("moved    {} should be {}", to_string_binary(&from), to_string_binary(&to))
                }
            });
        }
        let commands = self.commands();
        if !commands.is_empty() {
            text.push_str("# HBase shell commands to fix it:\n");
        }
        for command in commands {
            text.push_str(&command);
            text.push('\n');
        }
        text
    }

    fn json(&self) -> Json {
        let key = |key: &[u8]| json!({ "text": to_string_binary(key), "hex": to_hex(key) });
        let mut json = json!({ "format_version": FORMAT_VERSION, "table": self.name });
        if let Some(regions) = &self.regions {
            let differences = regions.differences().map(|difference| match difference {
                Difference::Missing(missing) => json!({ "kind": "missing", "key": key(&missing) }),
                Difference::Extra(extra) => json!({ "kind": "extra", "key": key(&extra) }),
                Difference::Moved { from, to } => {
                    json!({ "kind": "moved", "from": key(&from), "to": key(&to) })
                }
            });
            json["schema_split_keys"] = regions.wanted.into();
            json["table_split_keys"] = regions.found.regions.len().saturating_sub(1).into();
            json["differences"] = differences.collect::<Vec<Json>>().into();
        }
        let listed = |differences: &[TableDifference]| -> Json {
            differences.iter().map(TableDifference::json).collect::<Vec<Json>>().into()
        };
        if self.described.is_some() {
            json["table_differences"] = listed(self.table_differences());
        }
        if self.mapping.is_some() {
            json["mapping_differences"] = listed(self.mapping_differences());
        }
        json["commands"] = self.commands().into();
        json
    }
}

fn keys(count: usize) -> String {
    counted(count as u128, "split key", "split keys")
}
