//! `generate reader`

use saltplan_core::PlanOptions;
use saltplan_core::diag::Diagnostic;
use saltplan_generate::{BUILT_IN, Reader, ReaderLanguage};

use super::writer::failure;
use super::{accept, check_scans};
use crate::cli::args::ReaderArgs;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::input::{load_table, plan_predicate};
use crate::cli::output::deliver;
use crate::cli::settings;
use crate::cli::talk::Talk;

pub fn reader(args: &ReaderArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let mut reader = Reader::new(args.lang.meaning());
    let java = [("--class", &args.class), ("--package", &args.package)];
    let given = java.into_iter().find(|(_, name)| name.is_some());
    if let (Some((flag, _)), true) = (given, reader.language != ReaderLanguage::Java) {
        let error = Diagnostic::error(format!("`{flag}` is for Java: a reader in Python is a module"));
        return Err(error.with_help(format!("remove `{flag}`")).into());
    }
    reader.class = args.class.clone();
    reader.package = args.package.clone();
    reader.accept_residual = args.allow_residual;
    let table = load_table(&args.schema, talk)?;
    let settings = settings::of_schema(&args.schema)?;
    let limits = settings::limits(args.widening, None, &settings);
    let options = PlanOptions::default().accepting(accept(&args.refusal));
    let planned =
        plan_predicate(&table, &args.predicate, options.with_max_widening(limits.max_widening()), talk)?;
    planned.check_known("the program has the keys themselves")?;
    check_scans(&planned, limits)?;
    let templates = settings::templates(&args.templates, &settings, talk).built_in(&BUILT_IN);
    let program = reader.print(&table, &planned, &templates).map_err(failure)?;
    if let [first, ..] = program.unwritten.as_slice() {
        let warning = format!("the program fails until you write the check of `{first}`");
        talk.remarks(&[Diagnostic::warning(warning)]);
    }
    deliver(&program.text, &args.output, talk)
}
