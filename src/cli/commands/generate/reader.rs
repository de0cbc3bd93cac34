//! `generate reader`

use clap::Args;
use clap::builder::TypedValueParser;

use super::check_class_file;
use super::writer::failure;
use crate::cli::args::{
    OUTPUT, OutputArgs, PredicateArgs, RefusalArgs, RuntimeArgs, SchemaArgs, TemplateArgs, WideningArgs,
    choice,
};
use crate::cli::commands::plan::check_scans;
use crate::cli::input::plan_predicate;
use crate::cli::settings;
use crate::cli::{Failure, Outcome, Reporter};
use saltplan_document::diag::Diagnostic;
use saltplan_generate::{BUILT_IN, Reader, ReaderLanguage};

const HELP: &str = "\
The program reads the planned key ranges and nothing else. Java uses the HBase
client, Python happybase, and pyspark happybase in one task per range. Values of
parameters are part of the program; `plan --output-format ranges` and the Python
function `saltplan.ranges` give ranges to a program that runs every day.

Exit codes:
  0  done
  1  a refused plan (a full scan, nothing to read, rows that must be checked),
     or a difference with --check
  2  wrong usage, invalid input, or a file that cannot be written

Examples:
  saltplan generate reader schemas/examples/md5_nibble_day.yaml \\
    \"opera_day = 20200406\" --lang java --class DayReader -o DayReader.java
  saltplan generate reader schemas/examples/md5_nibble_day.yaml --lang python \\
    \"opera_day = :day\" --param day=20200406 -o read_day.py";

/// Print a program that reads the rows of a predicate from HBase, and no others
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct ReaderArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,
    #[command(flatten)]
    pub predicate: PredicateArgs,

    /// Language of the program
    #[arg(long, value_name = "LANGUAGE", value_parser = languages())]
    pub lang: ReaderLanguage,

    /// Name of the class in Java; by default that of the HBase table followed by `Reader`
    #[arg(long, value_name = "NAME", help_heading = OUTPUT)]
    pub class: Option<String>,

    /// Package of the class in Java
    #[arg(long, hide_short_help = true, value_name = "NAME", help_heading = OUTPUT)]
    pub package: Option<String>,

    #[command(flatten)]
    pub widening: WideningArgs,
    #[command(flatten)]
    pub refusal: RefusalArgs,

    /// Print a program even if its ranges have more rows than the predicate and it cannot check them.
    ///
    /// It has a function for each such condition, which fails until you write it
    #[arg(long, help_heading = "Plans that are refused by default")]
    pub allow_residual: bool,

    #[command(flatten)]
    pub templates: TemplateArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

fn languages() -> impl TypedValueParser<Value = ReaderLanguage> {
    choice(ReaderLanguage::ALL.map(|language| (language, language.name())))
}

pub fn run(args: &ReaderArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let mut reader = Reader::new(args.lang);
    let java = [("--class", &args.class), ("--package", &args.package)];
    let given = java.into_iter().find(|(_, name)| name.is_some());
    if let (Some((flag, _)), true) = (given, reader.language != ReaderLanguage::Java) {
        let error = Diagnostic::error(format!("`{flag}` is for Java: a reader in Python is a module"));
        return Err(error.with_help(format!("remove `{flag}`")).into());
    }
    reader.class = args.class.clone();
    reader.package = args.package.clone();
    reader.accept_residual = args.allow_residual;
    let table = args.schema.load(reporter)?;
    if reader.language == ReaderLanguage::Java {
        check_class_file(args.output.output.as_deref(), &reader.class_name(&table))?;
    }
    let settings = args.schema.settings()?;
    let limits = settings::limits(args.widening, None, &settings);
    let planned = plan_predicate(
        &table,
        &args.predicate,
        &RuntimeArgs::default(),
        args.refusal.options(limits),
        reporter,
    )?;
    check_scans(&planned, limits)?;
    let templates = args.templates.load(&settings, reporter).built_in(&BUILT_IN);
    let program = reader.print(&table, &planned, &templates).map_err(failure)?;
    if let [first, ..] = program.unwritten.as_slice() {
        let warning = format!("the program fails until you write the check of `{first}`");
        reporter.remarks(&[Diagnostic::warning(warning)]);
    }
    args.output.deliver(&program.text, reporter)
}
