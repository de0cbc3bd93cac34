//! `ddl`: prints the statements that create the tables.

use clap::Args;
use clap::builder::TypedValueParser;

use crate::cli::args::{OutputArgs, SchemaArgs, SizeArgs, TemplateArgs, choice};
use crate::cli::statements;
use crate::cli::{Failure, Outcome, Reporter};
use saltplan_core::ddl::{self as ddl_text, DdlTable};
use saltplan_core::refusal::Refusal;

const HELP: &str = "\
Exit codes:
  0  done
  1  a table that the schema does not describe, or a difference with --check
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan ddl schemas/examples/md5_nibble_day.yaml
  saltplan ddl schemas/examples/md5_nibble_day.yaml --only hbase \\
    --if-not-exists -o create.rb
  saltplan ddl schemas/examples/md5_nibble_day.yaml --only mapping,target";

/// Print the statements that create the tables
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct DdlArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    /// Parts to print, separated by commas.
    ///
    /// The HBase shell commands, the Hive table over HBase, the Hive view of the logical table, the Hive table to insert into, and, only if named here, Phoenix's view over the HBase table
    #[arg(long, value_name = "PARTS", value_delimiter = ',', value_parser = parts())]
    pub only: Vec<DdlTable>,

    /// Create the HBase table only if it does not exist.
    ///
    /// For the namespace and the Hive tables this is always done
    #[arg(long)]
    pub if_not_exists: bool,

    /// Declare the Hive table over HBase with the storage handler of `saltplan-hive.jar`, as `hive.mapping.one_scan: true` does
    #[arg(long, hide_short_help = true)]
    pub with_jar: bool,

    #[command(flatten)]
    pub templates: TemplateArgs,
    #[command(flatten)]
    pub size: SizeArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

fn parts() -> impl TypedValueParser<Value = DdlTable> {
    choice([
        (DdlTable::Hbase, "hbase"),
        (DdlTable::Mapping, "mapping"),
        (DdlTable::View, "view"),
        (DdlTable::Target, "target"),
        (DdlTable::Phoenix, "phoenix"),
    ])
}

pub fn run(args: &DdlArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let table = args.schema.load(reporter)?;
    let templates = args.templates.load(&args.schema.settings()?, reporter);
    let mut schema = table.schema().clone();
    if args.with_jar {
        let mapping = schema.hive.as_mut().and_then(|hive| hive.mapping.as_mut());
        mapping.ok_or(Refusal::NoPart { part: "hive.mapping" })?.one_scan = true;
    }
    let parts = match args.only.is_empty() {
        true => ddl_text::parts_of(&schema),
        false => args.only.clone(),
    };
    let split_keys = table.split_keys_of(&parts)?;
    let max_bytes = args.size.max_bytes;
    let text = ddl_text::all(
        &schema,
        table.places(),
        &parts,
        split_keys,
        args.if_not_exists,
        max_bytes,
        &templates,
    )?;
    statements::check(&templates, reporter);
    args.output.deliver(&text, reporter)
}
