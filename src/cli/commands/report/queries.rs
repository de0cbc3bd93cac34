//! The queries of a page: files of the command line, and jobs of the kind `rewrite`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::{ReportArgs, Subject};
use crate::cli::failure::Failure;
use crate::cli::input::parameters;
use crate::cli::reporter::Reporter;
use crate::cli::settings;
use saltplan_core::files::named::Folder;
use saltplan_core::refusal::Remedy;
use saltplan_core::{Parameter, Table};
use saltplan_document::diag::Diagnostic;
use saltplan_project::jobs::{JobFault, QueryOfJob};
use saltplan_project::remedy::{flag, key};
use saltplan_report::{Explanation, QueryReport};
use saltplan_rewrite::{Catalog, MAX_BYTES, Options, Rewritten, rewrite};

/// Every query with its ranges, or why there are none.
pub fn all(
    args: &ReportArgs,
    subjects: &[Subject],
    files: &[PathBuf],
    of_jobs: Vec<QueryOfJob>,
    reporter: &Reporter,
) -> Result<Vec<QueryReport>, Failure> {
    let mut queries = Vec::new();
    if !args.queries.is_empty() {
        let catalog = catalog(subjects, files)?;
        let options = options(args, subjects, reporter)?;
        for file in &args.queries {
            let name = file.display().to_string();
            let text = reporter.inputs.text(file, MAX_BYTES as u64)?;
            let rewritten = rewrite(&name, &text, &catalog, &options)?;
            let rewritten = unless_refused(rewritten, flag_of_rewrite);
            queries.push(QueryReport { name, rewritten, help: |why| why.help_with(flag_of_rewrite) });
        }
    }
    queries.extend(of_jobs.into_iter().map(|job| {
        QueryReport {
            name: job.title,
            rewritten: job
                .rewritten
                .map_err(|fault| explain(&fault))
                .and_then(|rewritten| unless_refused(rewritten, key)),
            help: |why| why.help_with(key),
        }
    }));
    Ok(queries)
}

/// The page itself has no options.
fn flag_of_rewrite(way: Remedy) -> String {
    flag(way).replacen("`--", "`rewrite --", 1)
}

/// A query without an INSERT OVERWRITE that is refused, or why it is.
fn unless_refused(rewritten: Rewritten, name: fn(Remedy) -> String) -> Result<Rewritten, Explanation> {
    match rewritten.refused.first() {
        None => Ok(rewritten),
        Some(refused) => {
            let why = &refused.why;
            Err(Explanation::new(format!("`rewrite` refuses this: {why}"), Some(why.help_with(name))))
        }
    }
}

/// The logical tables of the page.
fn catalog(subjects: &[Subject], files: &[PathBuf]) -> Result<Catalog, Failure> {
    let mut catalog = Catalog::default();
    for (subject, file) in subjects.iter().zip(files) {
        let table = Table::read(subject.table.source(), Folder::of(file))?;
        let engine = settings::engine(None, &table, &subject.settings)?;
        catalog.add(table, engine)?;
    }
    match catalog.is_empty() {
        true => {
            let diagnostic = Diagnostic::error("`--query`: no schema of this page names a logical table");
            Err(diagnostic
                .with_help("add `view: db.name` under `hive` of a schema, next to its `mapping`")
                .into())
        }
        false => Ok(catalog),
    }
}

fn options(args: &ReportArgs, subjects: &[Subject], reporter: &Reporter) -> Result<Options, Failure> {
    let mut options = Options::default();
    let Some(first) = subjects.first() else { return Ok(options) };
    let mut variables = BTreeMap::new();
    for (name, value) in parameters(&args.parameters, &args.runtime, &first.table, reporter)?.iter() {
        match value {
            Parameter::Value(value) => drop(variables.insert(name.to_string(), value.clone())),
            Parameter::Runtime(runtime) => options.runtime.push(runtime.clone()),
            // A list has no meaning in a query.
            _ => {}
        }
    }
    options.variables.hivevar = variables;
    let limits = first.settings.limits();
    options.plan.max_branches = args.max_branches;
    options.plan.max_widening = limits.max_widening();
    options.budget = limits.budget();
    Ok(options)
}

fn explain(fault: &JobFault) -> Explanation {
    let diagnostic = match fault {
        JobFault::Refused(diagnostic) => Some(&**diagnostic),
        JobFault::Invalid(diagnostics) => diagnostics.first(),
    };
    diagnostic.map_or_else(
        || Explanation::new("", None),
        |diagnostic| Explanation::new(diagnostic.message.clone(), diagnostic.help.clone()),
    )
}
