//! `audit PATH…`

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;

use crate::cli::args::{AuditArgs, FailOn, FindingsFormat};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::input::read_limited;
use crate::cli::inputs::is_standard_input;
use crate::cli::output::write_result;
use crate::cli::talk::Talk;
use crate::cli::write::write_all;
use saltplan_core::audit::format::{Counts, concise, full, github, gitlab, json, sarif};
use saltplan_core::audit::rule::Rule;
use saltplan_core::audit::walk;
use saltplan_core::audit::{Report, fix, rules, run};
use saltplan_core::diag::{Diagnostic, Severity, Source, visible};
use saltplan_core::schema;

pub fn audit(args: &AuditArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let selection = Selection::new(args)?;
    if args.fix && args.paths.iter().any(|path| is_standard_input(path)) {
        let error = Diagnostic::error("standard input cannot be mended");
        return Err(error.with_help("see the fixes with `--diff`, or name the file").into());
    }
    let selected = |rule: &Rule| selection.takes(rule);
    let mut reports = reports(args, talk, &selected)?;
    if args.diff {
        return diff(&reports, talk);
    }
    if args.fix {
        mend(&mut reports, talk, &selected)?;
    }
    let text = render(&reports, args.output_format, talk);
    write_result(&text, args.output.as_deref(), talk)?;
    summarise(&reports, talk);
    let worst = reports.iter().filter_map(Report::worst).max();
    let limit = match args.fail_on {
        FailOn::Error => Severity::Error,
        FailOn::Warning => Severity::Warning,
        FailOn::Note => Severity::Note,
        FailOn::Never => return Ok(Outcome::Clean),
    };
    Ok(if worst.is_some_and(|worst| worst >= limit) { Outcome::Findings } else { Outcome::Clean })
}

/// The rules of `--select` without those of `--ignore`.
struct Selection {
    select: Vec<String>,
    ignore: Vec<String>,
}

impl Selection {
    fn new(args: &AuditArgs) -> Result<Self, Failure> {
        for selector in args.select.iter().chain(&args.ignore) {
            if !rules::all().iter().any(|rule| matches(selector, rule)) {
                let error = Diagnostic::error(format!("no rule has the code or the name `{selector}`"));
                return Err(super::rule::with_similar(error, selector).into());
            }
        }
        Ok(Selection { select: args.select.clone(), ignore: args.ignore.clone() })
    }

    fn takes(&self, rule: &Rule) -> bool {
        let chosen = self.select.is_empty() || self.select.iter().any(|selector| matches(selector, rule));
        chosen && !self.ignore.iter().any(|selector| matches(selector, rule))
    }
}

fn matches(selector: &str, rule: &Rule) -> bool {
    let code = selector.to_ascii_uppercase();
    code.len() >= 2 && rule.code.starts_with(&code) || rule.name == selector
}

type Selected<'a> = &'a (dyn Fn(&Rule) -> bool + Sync);

fn reports(args: &AuditArgs, talk: &Talk, selected: Selected<'_>) -> Result<Vec<Report>, Failure> {
    let (stdin, paths): (Vec<PathBuf>, Vec<PathBuf>) =
        args.paths.iter().cloned().partition(|path| is_standard_input(path));
    let candidates = walk::files(&paths).map_err(|found| {
        let reason = found.error.to_string().to_lowercase();
        Diagnostic::error(format!("cannot read `{}`: {reason}", found.path.display()))
            .with_help("name schema files, or folders with *.yaml files in them")
    })?;
    let mut reports = Vec::new();
    if !stdin.is_empty() {
        reports.push(standard_input(&args.stdin_filename, selected)?);
    }
    let audited = run::audit_files(&candidates, selected);
    candidates.iter().for_each(|candidate| talk.inputs.add(&candidate.path));
    if let Some(note) = left_out(&audited.foreign) {
        talk.note(note);
    }
    reports.extend(audited.reports);
    reports.iter().filter_map(|report| report.sample.as_ref()).for_each(|sample| talk.inputs.add(sample));
    if reports.is_empty() {
        let error = Diagnostic::error("there is no schema file under these paths");
        return Err(error.with_help("name schema files, or folders with *.yaml files in them").into());
    }
    Ok(reports)
}

/// A note about YAML in folders that is something else.
fn left_out(foreign: &[PathBuf]) -> Option<String> {
    match foreign {
        [] => None,
        [only] => Some(format!("left out {}: it is no schema", only.display())),
        [first, ..] => Some(format!(
            "left out {} YAML files that are no schemas, such as {}",
            foreign.len(),
            first.display()
        )),
    }
}

fn standard_input(name: &str, selected: Selected<'_>) -> Result<Report, Failure> {
    let bytes = read_limited(std::io::stdin().lock(), schema::MAX_BYTES as u64 + 1)
        .context("cannot read the schema from standard input")?;
    Ok(match schema::source_from_bytes(name, bytes) {
        Ok(source) => saltplan_core::audit::audit(&source, run::folder_of(Path::new(name)), selected),
        Err(errors) => Report::unreadable(name.to_string(), errors),
    })
}

fn render(reports: &[Report], format: FindingsFormat, talk: &Talk) -> String {
    match format {
        FindingsFormat::Full => full::render_full(reports, talk.stdout_style()),
        FindingsFormat::Concise => concise::render(reports),
        FindingsFormat::Json => json::render(reports),
        FindingsFormat::Github => github::render(reports),
        FindingsFormat::Gitlab => gitlab::render(reports),
        FindingsFormat::Sarif => sarif::render(reports),
    }
}

/// The changes of all fixes as one patch.
fn diff(reports: &[Report], talk: &Talk) -> Result<Outcome, Failure> {
    let mut patch = String::new();
    let mut count = 0;
    for report in reports {
        let (Some(source), Some((text, made))) = (&report.source, fix::apply(report)) else { continue };
        let diff = similar::TextDiff::from_lines(source.text.as_str(), text.as_str());
        let path = visible::line(&report.path);
        patch.push_str(&diff.unified_diff().header(&path, &path).to_string());
        count += made;
    }
    write_result(&patch, None, talk)?;
    talk.note(match count {
        0 => "nothing to fix".to_string(),
        1 => "1 fix; `--fix` makes it".to_string(),
        count => format!("{count} fixes; `--fix` makes them"),
    });
    Ok(if count > 0 { Outcome::Findings } else { Outcome::Clean })
}

/// Fixes until nothing is left to fix: a fix that overlapped another one gets its turn in the next round.
const MAX_ROUNDS: usize = 10;

/// Makes the fixes, writes the files, and audits them again. Nothing is written when one of the files must not be.
fn mend(reports: &mut [Report], talk: &Talk, selected: Selected<'_>) -> Result<(), Failure> {
    let mut changed = Vec::new();
    let mut count = 0;
    for report in reports {
        let Some(path) = report.file.clone() else { continue };
        let made = mend_text(report, &path, selected);
        if let (true, Some(source)) = (made > 0, &report.source) {
            changed.push((path, Arc::clone(source)));
            count += made;
        }
    }
    for (path, _) in &changed {
        check_writable(path)?;
    }
    let files = changed.iter().map(|(path, source)| Ok((path.clone(), with_mark(path, &source.text)?)));
    write_all(&files.collect::<Result<Vec<_>, Failure>>()?)?;
    if count > 0 {
        talk.note(format!("made {}", counted(count, "fix", "fixes")));
    }
    Ok(())
}

/// Makes the fixes of one file in memory; the report becomes that of the new text. The number of fixes.
fn mend_text(report: &mut Report, path: &Path, selected: Selected<'_>) -> usize {
    let mut count = 0;
    for _ in 0..MAX_ROUNDS {
        let Some((text, made)) = fix::apply(report) else { break };
        let source = Source::new(report.path.clone(), text);
        let mended = saltplan_core::audit::audit(&source, run::folder_of(path), selected);
        *report = Report { file: report.file.take(), ..mended };
        count += made;
    }
    count
}

fn check_writable(path: &Path) -> Result<(), Diagnostic> {
    let read_only = std::fs::metadata(path).is_ok_and(|metadata| metadata.permissions().readonly());
    if !read_only {
        return Ok(());
    }
    let error = Diagnostic::error(format!("`{}` is read-only; nothing was changed", path.display()));
    Err(error.with_help("make the file writable, or see the fixes with `--diff`"))
}

/// The new content of a file: a byte order mark, which messages do not count, stays.
fn with_mark(path: &Path, text: &str) -> Result<Vec<u8>, Failure> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    let old = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mark = if old.starts_with(MARK) { MARK } else { b"" };
    Ok([mark, text.as_bytes()].concat())
}

fn summarise(reports: &[Report], talk: &Talk) {
    let Counts { errors, warnings, notes } = Counts::of(reports);
    let found = [(errors, "error", "errors"), (warnings, "warning", "warnings"), (notes, "note", "notes")];
    let found: Vec<String> = found
        .iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, more)| counted(*count, one, more))
        .collect();
    let found = if found.is_empty() { "no findings".to_string() } else { found.join(", ") };
    let fixable =
        reports.iter().flat_map(|report| &report.findings).filter(|found| found.fix.is_some()).count();
    let fixable = if fixable > 0 { format!(" ({fixable} fixable with `--fix`)") } else { String::new() };
    talk.note(format!("{}: {found}{fixable}", counted(reports.len(), "file", "files")));
}

fn counted(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}
