//! `rewrite`: replaces logical tables in queries with the key ranges that they need.

mod args;
mod files;
mod summary;

pub use args::RewriteArgs;

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde_json::json;

use crate::cli::failure::{Failure, Outcome};
use crate::cli::inputs::{is_dash, name_of};
use crate::cli::output::{current, print, unified, write_file, write_result};
use crate::cli::progress;
use crate::cli::reporter::Reporter;
use crate::cli::settings;
use crate::cli::write::{create_folder, write_made, write_whole};
use args::RewriteFormat;
use files::{QueryFile, query_files, replaced_files, schema_files};
use saltplan_core::Table;
use saltplan_core::messages::{Diagnostic, Diagnostics, Source};
use saltplan_document::diag::Severity;
use saltplan_document::diag::json::pretty;
use saltplan_document::wording::plural;
use saltplan_project::remedy::flag;
use saltplan_rewrite::{
    Catalog, MAX_BYTES, Now, Options, Rewritten, VALUE_IN_QUERY, Variables, WhyLeft, has_runtime, not_utf8,
    rewrite as rewrite_text,
};
use saltplan_simulate::watch::Watch;
use saltplan_sql::{Runtime, RuntimeFault, is_parameter_name};
use summary::Summary;

/// The number of files that are in memory at the same time.
const BATCH: usize = 64;

pub fn run(args: &RewriteArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    if args.in_place && args.paths.iter().any(|path| is_dash(path)) {
        let diagnostic = Diagnostic::error("standard input cannot be replaced");
        return Err(diagnostic.with_help("name the files, or leave out `--in-place`").into());
    }
    reporter.inputs.differ(args.paths.iter().chain(&args.tables).map(PathBuf::as_path))?;
    let catalog = catalog(args, reporter)?;
    let options = options(args)?;
    let mut files = query_files(&args.paths, args.output.as_deref())?;
    if args.in_place {
        files = replaced_files(files);
    }
    let to_folder = args.paths.len() > 1 || args.paths.iter().any(|path| path.is_dir());
    let is_shown = args.in_place || args.check || args.explain || args.output_format == RewriteFormat::Json;
    if to_folder && !is_shown && args.output.is_none() {
        let diagnostic = Diagnostic::error("several files cannot be written to standard output");
        return Err(diagnostic
            .with_help("name a folder with `-o`, or replace the files with `--in-place`")
            .into());
    }
    let unread = options.runtime.clone();
    let mut run = Run { args, reporter, to_folder, summary: Summary::default(), reports: Vec::new(), unread };
    let mut work = |watch: &Watch| -> Result<(), Failure> {
        for batch in files.chunks(BATCH) {
            for (file, done) in batch.iter().zip(rewrite_all(batch, args, &catalog, &options, reporter)) {
                if watch.is_stopped() {
                    run.summary.is_broken_off = true;
                    return Ok(());
                }
                run.add(file, done)?;
                watch.add(1);
            }
        }
        Ok(())
    };
    match to_folder {
        true => progress::breakable(Some(files.len() as u64), "files", reporter, work)?,
        false => work(&Watch::default())?,
    }
    run.finish()
}

/// The tables of the schemas.
fn catalog(args: &RewriteArgs, reporter: &Reporter) -> Result<Catalog, Failure> {
    let mut catalog = Catalog::default();
    for file in schema_files(&args.schemas)? {
        let table = Table::load(&file.path)?;
        reporter.inputs.add(&file.path);
        reporter.remarks(table.warnings());
        let engine = settings::engine(args.engine.engine, &table, &settings::of_file(&file.path)?)?;
        if !catalog.add(table, engine)? && file.is_named {
            let diagnostic = Diagnostic::warning(format!("`{}` has no `hive.mapping`", file.path.display()));
            reporter.remarks(&[diagnostic
                .with_help("queries read a table of Hive: add `mapping` and `view: db.name` under `hive`")]);
        }
    }
    if catalog.is_empty() {
        let diagnostic = Diagnostic::error("no schema has a table of Hive");
        return Err(diagnostic
            .with_help("add `mapping` and `view: db.name` under `hive` of a schema")
            .into());
    }
    for path in &args.tables {
        let text = reporter.inputs.text(path, saltplan_tables::MAX_BYTES as u64)?;
        catalog.add_other_tables(&Source::new(name_of(path), text))?;
    }
    Ok(catalog)
}

fn options(args: &RewriteArgs) -> Result<Options, Failure> {
    let first = args.schemas.first().map_or(Path::new(""), PathBuf::as_path);
    let beside = if first.is_dir() { first.join("schema") } else { first.to_path_buf() };
    let limits = settings::limits(args.widening, Some(args.budget), &settings::of_file(&beside)?);
    let mut options = Options::default();
    options.variables = Variables {
        hivevar: variables(&args.hivevar, "--hivevar")?.collect(),
        hiveconf: variables(&args.hiveconf, "--hiveconf")?.collect(),
    };
    for given in &args.runtime {
        check_form(given)?;
        // The name is that of a jobs file; the query has the text itself.
        let text = given
            .split_once('=')
            .filter(|(name, _)| is_parameter_name(name))
            .map_or(&**given, |(_, text)| text);
        let runtime = Runtime::new(text, None).map_err(|fault| {
            Diagnostic::error(format!("--runtime {text}: {fault}")).with_help(help_of_runtime(&fault))
        })?;
        options.runtime.push(runtime);
    }
    options.now = args.now.as_deref().map(now).transpose()?;
    options.database = args.database.clone();
    options.shape = args.shape;
    options.plan.max_branches = args.max_branches;
    options.plan.max_widening = limits.max_widening();
    options.allow_empty = args.allow_empty;
    options.allow_partial = args.allow_partial;
    options.allow_overlap = args.allow_overlap;
    options.budget = limits.budget();
    Ok(options)
}

/// Refuses the form with a format, which `plan` takes.
fn check_form(given: &str) -> Result<(), Diagnostic> {
    let Some((name, text)) = given.split_once('=') else { return Ok(()) };
    match name.split_once(':') {
        Some((name, format)) if is_parameter_name(name) && is_parameter_name(format) => {
            let told = Diagnostic::error(format!("--runtime {given}: {VALUE_IN_QUERY}"));
            Err(told.with_help(format!("write `--runtime {name}={text}`, without `:{format}`")))
        }
        _ => Ok(()),
    }
}

/// Notes texts that are filled in, but are in none of the queries.
fn note_unread<'r>(unread: impl IntoIterator<Item = &'r Runtime>, reporter: &Reporter) {
    let note = |runtime: &Runtime| {
        let note = Diagnostic::note(format!("no query has `{}`, which `--runtime` names", runtime.text()));
        note.with_help("write the text as it is in the query; the value is not checked otherwise")
    };
    reporter.remarks(&unread.into_iter().map(note).collect::<Vec<_>>());
}

fn now(text: &str) -> Result<Now, Diagnostic> {
    Now::parse(text).ok_or_else(|| {
        let no_time = Diagnostic::error(format!("--now: `{text}` is not a time"));
        no_time.with_help("write a day, `2020-04-06`, or a time of Hive's session, `2020-04-06 10:00:00`")
    })
}

fn variables(given: &[String], flag: &str) -> Result<impl Iterator<Item = (String, String)>, Diagnostic> {
    let mut found = Vec::new();
    for text in given {
        let Some((name, value)) = text.split_once('=').filter(|(name, _)| !name.trim().is_empty()) else {
            let diagnostic = Diagnostic::error(format!("{flag}: `{text}` is not of the form `name=value`"));
            return Err(diagnostic.with_help(format!("write for example `{flag} day=20200406`")));
        };
        found.push((name.trim().to_string(), value.to_string()));
    }
    Ok(found.into_iter())
}

/// The text of a file, and what it becomes.
type Done = Result<(String, Rewritten), Diagnostics>;

/// Rewrites some files, in parallel on all processors.
fn rewrite_all(
    files: &[QueryFile],
    args: &RewriteArgs,
    catalog: &Catalog,
    options: &Options,
    reporter: &Reporter,
) -> Vec<Done> {
    let texts: Vec<Result<String, Diagnostic>> = files.iter().map(|file| read(file, reporter)).collect();
    let one = |(text, file): (&Result<String, Diagnostic>, &QueryFile)| {
        let text = text.clone()?;
        let name =
            if is_dash(&file.path) { args.stdin_filename.clone() } else { file.path.display().to_string() };
        let rewritten = rewrite_text(&name, &text, catalog, options)?;
        Ok((text, rewritten))
    };
    texts.par_iter().zip(files).map(one).collect()
}

fn read(file: &QueryFile, reporter: &Reporter) -> Result<String, Diagnostic> {
    let bytes = reporter.inputs.bytes(&file.path, MAX_BYTES as u64)?;
    String::from_utf8(bytes).map_err(|error| not_utf8(&name_of(&file.path), error.utf8_error().valid_up_to()))
}

/// What is done with the files one after the other.
struct Run<'a> {
    args: &'a RewriteArgs,
    reporter: &'a Reporter,
    to_folder: bool,
    summary: Summary,
    reports: Vec<serde_json::Value>,
    /// Texts of `--runtime` that no query so far has.
    unread: Vec<Runtime>,
}

impl Run<'_> {
    fn add(&mut self, file: &QueryFile, done: Done) -> Result<(), Failure> {
        self.summary.files += 1;
        let (text, rewritten) = match done {
            Ok(done) => done,
            Err(diagnostics) => return self.invalid(diagnostics.0),
        };
        self.unread.retain(|runtime| !has_runtime(&text, runtime));
        self.report(&rewritten);
        self.summary.count(&rewritten);
        if !rewritten.refused.is_empty() {
            return self.refuse(&rewritten);
        }
        let written = self.deliver(file, &text, &rewritten);
        match written {
            Ok(()) => Ok(()),
            // A file that cannot be written does not affect the others.
            Err(failure) if self.to_folder => self.invalid(vec![failure.into_diagnostic()]),
            Err(failure) => Err(failure),
        }
    }

    fn invalid(&mut self, diagnostics: Vec<Diagnostic>) -> Result<(), Failure> {
        if !self.to_folder {
            return Err(Failure::Invalid(diagnostics));
        }
        self.summary.invalid += 1;
        self.reporter.errors(&diagnostics);
        Ok(())
    }

    /// Reports what is refused, and writes nothing but a description.
    fn refuse(&mut self, rewritten: &Rewritten) -> Result<(), Failure> {
        let refused = rewritten.refused.iter().map(|refused| rewritten.refusal(refused, flag));
        self.reporter.errors(&refused.collect::<Vec<_>>());
        self.summary.refused += 1;
        if self.args.explain {
            return print(&rewritten.to_text(&help));
        }
        if self.args.output_format == RewriteFormat::Json {
            let mut report = rewritten.to_json(&help);
            report["sql"] = serde_json::Value::Null;
            self.reports.push(report);
        }
        Ok(())
    }

    fn report(&self, rewritten: &Rewritten) {
        let left = rewritten.references.iter().filter_map(|reference| rewritten.message(reference, help));
        // An explanation already describes each reference.
        let left = left.filter(|_| !self.args.explain);
        let is_told = |note: &&Diagnostic| !self.args.explain || note.severity == Severity::Warning;
        let notes = rewritten.notes.iter().filter(is_told).cloned();
        self.reporter.remarks(&left.chain(notes).collect::<Vec<_>>());
    }

    fn deliver(&mut self, file: &QueryFile, text: &str, rewritten: &Rewritten) -> Result<(), Failure> {
        let args = self.args;
        if args.explain {
            return print(&rewritten.to_text(&help));
        }
        if args.output_format == RewriteFormat::Json {
            let mut report = rewritten.to_json(&help);
            report["sql"] = json!(rewritten.text);
            self.reports.push(report);
            return Ok(());
        }
        if args.check {
            return self.check(file, text, rewritten);
        }
        if args.in_place {
            if *text != rewritten.text {
                write_whole(&file.path, rewritten.text.as_bytes())?;
                self.summary.written += 1;
            }
            return Ok(());
        }
        match &file.output {
            Some(path) if self.to_folder => {
                create_folder(path)?;
                self.reporter.inputs.spare(path)?;
                write_made(path, rewritten.text.as_bytes())?;
                self.summary.written += 1;
                Ok(())
            }
            Some(path) if !is_dash(path) => write_file(path, &rewritten.text, self.reporter),
            _ => print(&rewritten.text),
        }
    }

    fn check(&mut self, file: &QueryFile, text: &str, rewritten: &Rewritten) -> Result<(), Failure> {
        let (path, current) = match &file.output {
            Some(path) => (path.as_path(), current(path, u64::MAX)?),
            None => (file.path.as_path(), text.to_string()),
        };
        if current != rewritten.text {
            self.summary.differing += 1;
            print(&unified(&current, &rewritten.text, path))?;
        }
        Ok(())
    }

    fn finish(self) -> Result<Outcome, Failure> {
        let Run { args, reporter, summary, reports, to_folder, unread } = self;
        if args.output_format == RewriteFormat::Json {
            let report = json!({ "format_version": 1, "files": reports });
            write_result(&pretty(&report), args.output.as_deref(), reporter)?;
        }
        reporter.note(summary.to_string());
        if summary.is_broken_off {
            reporter.note("interrupted: the other files are unchanged");
            return Ok(Outcome::Findings);
        }
        note_unread(&unread, reporter);
        if summary.invalid > 0 && to_folder {
            let files = plural(summary.invalid, "file");
            let diagnostic = Diagnostic::error(format!("{files} could not be rewritten"));
            return Err(diagnostic.with_help("the other files are not affected").into());
        }
        let is_left = summary.left > 0 && !args.allow_full_scan;
        Ok(if is_left || summary.differing + summary.refused > 0 {
            Outcome::Findings
        } else {
            Outcome::Clean
        })
    }
}

fn help_of_runtime(fault: &RuntimeFault) -> String {
    match fault {
        RuntimeFault::Constant { .. } => {
            "write the text of the query, such as `${hivevar:day}` or `{{ ds_nodash }}`, or a preset such as `hivevar:day`; put a known value into the query with `--hivevar`".into()
        }
        fault => fault.help(),
    }
}

/// The help, with names of flags.
fn help(why: &WhyLeft) -> String {
    why.help_with(flag)
}
