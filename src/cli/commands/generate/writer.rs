//! `generate writer`

use clap::Args;
use clap::builder::TypedValueParser;

use super::check_class_file;
use crate::cli::args::{OUTPUT, OutputArgs, SchemaArgs, TemplateArgs, choice};
use crate::cli::{Failure, Outcome, Refused, Reporter};
use saltplan_document::diag::Diagnostic;
use saltplan_generate::{BUILT_IN, GenerateError, Language, Writer};

const HELP: &str = "\
The class needs nothing but the standard library: Java 8 or Python 3.8. It
refuses bad values with the words of `key encode`. With --golden-test, the test
of the class is printed.

Exit codes:
  0  done
  1  refused, because the language cannot build or read these keys; or a
     difference with --check
  2  wrong usage, invalid input, or a file that cannot be written

Examples:
  saltplan generate writer schemas/examples/md5_nibble_day.yaml \\
    --lang java --package com.acme --class CallsKey -o CallsKey.java
  saltplan generate writer schemas/examples/md5_nibble_day.yaml \\
    --lang python -o calls_key.py
  saltplan generate writer schemas/examples/md5_nibble_day.yaml \\
    --lang python --golden-test -o test_calls_key.py";

/// Print a class that encodes and decodes the row keys of a schema, or its test
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct WriterArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    /// Language of the class; Scala uses the class of Java
    #[arg(long, value_name = "LANGUAGE", value_parser = languages())]
    pub lang: Language,

    /// Name of the class; by default that of the HBase table followed by `Key`
    #[arg(long, value_name = "NAME", help_heading = OUTPUT)]
    pub class: Option<String>,

    /// Package of a class in Java
    #[arg(long, hide_short_help = true, value_name = "NAME", help_heading = OUTPUT)]
    pub package: Option<String>,

    /// Print the test of the class: rows with the keys that saltplan encodes
    #[arg(long, help_heading = OUTPUT)]
    pub golden_test: bool,

    #[command(flatten)]
    pub templates: TemplateArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

fn languages() -> impl TypedValueParser<Value = Language> {
    choice(Language::ALL.map(|language| (language, language.name())))
}

pub fn run(args: &WriterArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let table = args.schema.load(reporter)?;
    let mut writer = Writer::new(args.lang);
    if args.package.is_some() && writer.language != Language::Java {
        let error = Diagnostic::error("only classes in Java have a package");
        return Err(error.with_help("remove `--package`").into());
    }
    writer.class = args.class.clone();
    writer.package = args.package.clone();
    writer.golden_test = args.golden_test;
    if writer.language == Language::Java {
        let test = if writer.golden_test { "Test" } else { "" };
        let class = writer.class_name(&table) + test;
        check_class_file(args.output.output.as_deref(), &class)?;
    }
    let settings = args.schema.settings()?;
    let templates = args.templates.load(&settings, reporter).built_in(&BUILT_IN);
    let text = writer.print(&table, &templates).map_err(failure)?;
    args.output.deliver(&text, reporter)
}

pub(super) fn failure(error: GenerateError) -> Failure {
    match error {
        GenerateError::Refused { code, reason, help } => Refused { code, reason, help }.into(),
        GenerateError::Name { .. } => {
            let error = Diagnostic::error(error.to_string());
            error.with_help("use letters, digits and `_`, and no word of the language").into()
        }
        error => anyhow::Error::new(error).into(),
    }
}
