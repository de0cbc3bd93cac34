//! `audit PATH…`

use std::path::{Path, PathBuf};

use anyhow::Context;
use rayon::prelude::*;

use crate::audit::format::{Counts, concise, full, github, gitlab, json, sarif};
use crate::audit::rule::Rule;
use crate::audit::walk::{self, Candidate};
use crate::audit::{Report, fix, rules};
use crate::cli::args::{AuditArgs, FailOn, FindingsFormat};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::input::read_limited;
use crate::cli::output::{write_result, write_whole};
use crate::cli::talk::Talk;
use crate::diag::{Diagnostic, Severity};
use crate::schema;

pub fn audit(args: &AuditArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let selection = Selection::new(args)?;
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
                let known = rules::all().iter().flat_map(|rule| [rule.code, rule.name]);
                let error = Diagnostic::error(format!("no rule has the code or the name `{selector}`"))
                    .with_help("`saltplan rule` lists the rules")
                    .with_suggestion(selector, known);
                return Err(error.into());
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
        args.paths.iter().cloned().partition(|path| path.as_os_str() == "-");
    let candidates = walk::files(&paths).map_err(|found| {
        let reason = found.error.to_string().to_lowercase();
        Diagnostic::error(format!("cannot read `{}`: {reason}", found.path.display()))
            .with_help("name schema files, or folders with *.yaml files in them")
    })?;
    let mut reports = Vec::new();
    if !stdin.is_empty() {
        reports.push(standard_input(&args.stdin_filename, selected)?);
    }
    let audited: Vec<Option<Report>> =
        candidates.par_iter().map(|candidate| one(candidate, selected)).collect();
    let foreign = audited.iter().filter(|report| report.is_none()).count();
    if foreign > 0 {
        talk.note(format!("{foreign} YAML files in the folders are no schemas and were left out"));
    }
    reports.extend(audited.into_iter().flatten());
    if reports.is_empty() {
        let error = Diagnostic::error("there is no schema file under these paths");
        return Err(error.with_help("name schema files, or folders with *.yaml files in them").into());
    }
    Ok(reports)
}

/// The report of a file; `None` for YAML of something else that was met in a folder.
fn one(candidate: &Candidate, selected: Selected<'_>) -> Option<Report> {
    let folder = candidate.path.parent().unwrap_or(Path::new(""));
    match schema::read_file(&candidate.path) {
        Ok(source) if !candidate.named && walk::is_foreign(&source) => None,
        Ok(source) => Some(crate::audit::audit(&source, folder, selected)),
        Err(errors) => Some(Report::unreadable(candidate.path.display().to_string(), errors)),
    }
}

fn standard_input(name: &str, selected: Selected<'_>) -> Result<Report, Failure> {
    let bytes = read_limited(std::io::stdin().lock(), schema::MAX_BYTES as u64 + 1)
        .context("cannot read the schema from standard input")?;
    let folder = Path::new(name).parent().unwrap_or(Path::new(""));
    Ok(match schema::source_from_bytes(name, bytes) {
        Ok(source) => crate::audit::audit(&source, folder, selected),
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
        let header = format!("{} (fixed)", report.path);
        patch.push_str(&diff.unified_diff().header(&report.path, &header).to_string());
        count += made;
    }
    write_result(&patch, None, talk)?;
    talk.note(format!("{count} fixes; `--fix` makes them"));
    Ok(if count > 0 { Outcome::Findings } else { Outcome::Clean })
}

/// Fixes until nothing is left to fix: a fix that overlapped another one gets its turn in the next round.
const MAX_ROUNDS: usize = 10;

/// Makes the fixes, writes the files, and audits them again.
fn mend(reports: &mut [Report], talk: &Talk, selected: Selected<'_>) -> Result<(), Failure> {
    let mut count = 0;
    for report in reports.iter_mut() {
        let path = PathBuf::from(&report.path);
        let mut made_here = 0;
        for _ in 0..MAX_ROUNDS {
            let Some((text, made)) = fix::apply(report) else { break };
            let folder = path.parent().unwrap_or(Path::new(""));
            let source = crate::diag::Source::new(report.path.clone(), text);
            *report = crate::audit::audit(&source, folder, selected);
            made_here += made;
        }
        if let (true, Some(source)) = (made_here > 0, &report.source) {
            write_back(&path, &source.text)?;
            count += made_here;
        }
    }
    if count > 0 {
        talk.note(format!("made {count} fixes"));
    }
    Ok(())
}

/// Writes a file as a whole; a byte order mark, which messages do not count, stays.
fn write_back(path: &Path, text: &str) -> Result<(), Failure> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    let old = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mark = if old.starts_with(MARK) { MARK } else { b"" };
    Ok(write_whole(path, &[mark, text.as_bytes()].concat())?)
}

fn summarise(reports: &[Report], talk: &Talk) {
    let Counts { errors, warnings, notes } = Counts::of(reports);
    let count = |count: usize, what: &str| match count {
        0 => None,
        1 => Some(format!("1 {what}")),
        count => Some(format!("{count} {what}s")),
    };
    let found: Vec<String> = [count(errors, "error"), count(warnings, "warning"), count(notes, "note")]
        .into_iter()
        .flatten()
        .collect();
    let found = if found.is_empty() { "no findings".to_string() } else { found.join(", ") };
    let fixable =
        reports.iter().flat_map(|report| &report.findings).filter(|found| found.fix.is_some()).count();
    let fixable = if fixable > 0 { format!(" ({fixable} fixable with `--fix`)") } else { String::new() };
    let files = count(reports.len(), "file").unwrap_or_default();
    talk.note(format!("{files}: {found}{fixable}"));
}
