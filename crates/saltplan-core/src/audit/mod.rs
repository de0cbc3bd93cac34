//! Rules for schema files: what works and will hurt.
//!
//! [`audit`] looks at one file, [`walk::files`] finds the files of a folder, `format` prints findings. Each rule is a
//! file under `rules/`, with its documentation and an example that fires.

pub mod context;
pub mod docs;
pub mod example;
pub mod finding;
pub mod fix;
pub mod format;
pub mod keyspace;
pub mod load;
pub mod rule;
pub mod rules;
pub mod run;
mod suppress;
pub mod walk;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use context::Context;
use finding::{Finding, Fix};
use rule::{Check, Rule};
use rules::file::{sp901_invalid_file, sp907_doubtful_value};

use crate::diag::{Diagnostic, Diagnostics, Severity, Source, visible};
use crate::schema;

/// The findings of one file.
#[derive(Debug)]
pub struct Report {
    /// As it was named or found.
    pub path: String,
    /// Where the file lies; absent for text that comes from elsewhere.
    pub file: Option<PathBuf>,
    /// Absent for a file that cannot be read.
    pub source: Option<Arc<Source>>,
    /// The sample keys that the file names, if they were looked at.
    pub sample: Option<PathBuf>,
    /// By place, then by code; of one rule no more than a hundred.
    pub findings: Vec<Finding>,
    /// Fixes of findings that are not listed any more.
    pub further_fixes: Vec<Fix>,
}

impl Report {
    /// A file that is no text, or not there.
    pub fn unreadable(path: String, errors: Diagnostics) -> Self {
        let source = errors.0.iter().find_map(|error| error.source.clone());
        let findings = errors.0.into_iter().map(loader_finding).collect();
        Report { path, file: None, source, sample: None, findings, further_fixes: Vec::new() }
    }

    /// The worst severity among the findings.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.diagnostic.severity).max()
    }
}

/// Audits a schema. `folder` is the one that paths in the schema are relative to, `selected` tells which rules to look
/// at. Errors of the loader are findings that no selection leaves out.
pub fn audit(source: &Arc<Source>, folder: &Path, selected: &dyn Fn(&Rule) -> bool) -> Report {
    let mut sample = None;
    let findings = match schema::load(source) {
        Err(errors) => errors.0.into_iter().map(loader_finding).collect(),
        Ok(loaded) => {
            let context = Context::new(source, &loaded, folder);
            let mut findings = check(&context, selected);
            let warnings = loaded.warnings.iter().cloned().map(loader_finding);
            findings.extend(warnings.filter(|finding| selected(finding.rule)));
            sample.clone_from(&context.sample.path);
            suppress::apply(source, &loaded.document, &mut findings, selected);
            findings
        }
    };
    let (mut findings, further_fixes) = limited(findings);
    findings.sort_by_key(|finding| (finding.span(), finding.rule.code));
    Report {
        path: source.name.clone(),
        file: None,
        source: Some(Arc::clone(source)),
        sample,
        findings,
        further_fixes,
    }
}

/// More findings of one rule in a file than this help nobody.
const MAX_FINDINGS: usize = 100;

/// The first findings of each rule, the one behind them says how many more there are; and the fixes of those.
fn limited(findings: Vec<Finding>) -> (Vec<Finding>, Vec<Fix>) {
    let mut fixes = Vec::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut kept = Vec::with_capacity(findings.len().min(rules::all().len() * MAX_FINDINGS));
    let mut cut: BTreeMap<&str, Finding> = BTreeMap::new();
    for finding in findings {
        let count = counts.entry(finding.rule.code).or_default();
        *count += 1;
        if *count <= MAX_FINDINGS {
            kept.push(finding);
        } else {
            fixes.extend(finding.fix.clone());
            cut.entry(finding.rule.code).or_insert(finding);
        }
    }
    kept.extend(cut.into_values().map(|mut first| {
        let more = counts.get(first.rule.code).map_or(0, |count| count - MAX_FINDINGS);
        first.diagnostic.message = format!("{more} more findings of {} are not shown", first.rule.code);
        first.diagnostic.help = Some("mend the first ones and run again".into());
        Finding { fix: None, ..first }
    }));
    (kept, fixes)
}

fn check(context: &Context<'_>, selected: &dyn Fn(&Rule) -> bool) -> Vec<Finding> {
    let checks = rules::all().iter().filter(|rule| selected(rule)).filter_map(|rule| match rule.check {
        Check::Schema(check) => Some(check),
        Check::Loader(_) | Check::Engine => None,
    });
    checks.flat_map(|check| check(context)).collect()
}

/// An error or a warning of the loader under the code of its rule.
fn loader_finding(diagnostic: Diagnostic) -> Finding {
    if diagnostic.severity != Severity::Error {
        return Finding { rule: &sp907_doubtful_value::RULE, diagnostic, fix: None };
    }
    let starts = |rule: &Rule| match rule.check {
        Check::Loader(messages) => {
            messages.iter().any(|start| !start.is_empty() && diagnostic.message.starts_with(start))
        }
        Check::Schema(_) | Check::Engine => false,
    };
    let rule = rules::all().iter().copied().find(|rule| starts(rule)).unwrap_or(&sp901_invalid_file::RULE);
    Finding { rule, diagnostic, fix: None }
}

/// Text of the user in a message: short, and on one line.
fn excerpt(text: &str) -> String {
    let mut short: String = text.chars().take(40).map(visible::shown).collect();
    if text.chars().nth(40).is_some() {
        short.push('…');
    }
    short
}
