//! `generate writer`

use saltplan_core::diag::Diagnostic;
use saltplan_generate::{BUILT_IN, GenerateError, Language, Writer};

use crate::cli::args::WriterArgs;
use crate::cli::failure::{Failure, Outcome, Refused};
use crate::cli::input::load_table;
use crate::cli::output::deliver;
use crate::cli::settings;
use crate::cli::talk::Talk;

pub fn writer(args: &WriterArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let table = load_table(&args.schema, talk)?;
    let mut writer = Writer::new(args.lang.meaning());
    if args.package.is_some() && writer.language != Language::Java {
        let error = Diagnostic::error("only classes in Java have a package");
        return Err(error.with_help("remove `--package`").into());
    }
    writer.class = args.class.clone();
    writer.package = args.package.clone();
    writer.golden_test = args.golden_test;
    let settings = settings::of_schema(&args.schema)?;
    let templates = settings::templates(&args.templates, &settings, talk).built_in(&BUILT_IN);
    let text = writer.print(&table, &templates).map_err(failure)?;
    deliver(&text, &args.output, talk)
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
