//! Rules for schema files: what works and will hurt.
//!
//! [`audit`] looks at one file, [`walk::files`] finds the files of a folder, `format` prints findings. Each rule is a
//! file under `rules/`, with its documentation and an example that fires.

pub mod baseline;
pub(crate) mod context;
pub mod docs;
mod edit;
pub mod example;
pub mod finding;
pub mod fix;
pub mod format;
pub(crate) mod keyspace;
mod limit;
pub(crate) mod load;
pub mod rule;
pub mod rules;
pub mod run;
mod suppress;
pub mod walk;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use context::Context;
use finding::Finding;
use rule::{Check, Rule};
use rules::file::{
    sp901_invalid_file, sp902_unknown_key, sp903_duplicate_key, sp907_doubtful_value, sp909_comma_in_braces,
};
use rules::hbase::sp606_attribute_value;
use rules::region::sp207_unquoted_split_key;
use rules::target::sp503_partition_type;

use crate::diag::{Diagnostic, Diagnostics, Kind, Severity, Source, visible};
use crate::files::named::Folder;
use crate::schema;
use crate::table::Table;

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
    /// By place, then by code.
    pub findings: Vec<Finding>,
}

impl Report {
    fn new(source: &Arc<Source>, sample: Option<&Path>, findings: Vec<Finding>) -> Self {
        let mut report = Report {
            path: source.name.clone(),
            file: None,
            source: Some(Arc::clone(source)),
            sample: sample.map(Path::to_path_buf),
            findings,
        };
        report.sort();
        report
    }

    fn sort(&mut self) {
        self.findings.sort_by_key(|finding| (finding.span(), finding.rule.code));
    }

    /// A file that is no text, or not there.
    pub fn unreadable(path: String, errors: Diagnostics) -> Self {
        let source = errors.0.iter().find_map(|error| error.source.clone());
        let findings = errors.0.into_iter().map(loader_finding).collect();
        Report { path, file: None, source, sample: None, findings }
    }

    /// The worst severity among the findings.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.diagnostic.severity).max()
    }
}

/// Audits a schema. `folder` is the one that paths in the schema are relative to, `selected` tells which rules to look
/// at. Errors of the loader are findings that no selection leaves out.
pub fn audit(source: &Arc<Source>, folder: &Path, selected: &dyn Fn(&Rule) -> bool) -> Report {
    match schema::load(source) {
        Err(errors) => Report::new(source, None, errors.0.into_iter().map(loader_finding).collect()),
        Ok(loaded) => audit_table(&Table::new(source, loaded, Folder::new(folder)), selected),
    }
}

fn audit_table(table: &Table, selected: &dyn Fn(&Rule) -> bool) -> Report {
    let mut findings = check(&Context::new(table), selected);
    let warnings = table.warnings().iter().cloned().map(loader_finding);
    findings.extend(warnings.filter(|finding| selected(finding.rule)));
    suppress::apply(table.source(), table.document(), &mut findings, selected);
    Report::new(table.source(), table.sample_path(), findings)
}

impl Table {
    /// What works and will hurt, by all rules; see [`rules::all`].
    pub fn audit(&self) -> Report {
        audit_table(self, &|_| true)
    }
}

fn check(context: &Context<'_>, selected: &dyn Fn(&Rule) -> bool) -> Vec<Finding> {
    let checks = rules::all().iter().filter(|rule| selected(rule)).filter_map(|rule| match rule.check {
        Check::Schema(check) => Some(check),
        Check::Loader | Check::Engine => None,
    });
    checks.flat_map(|check| check(context)).collect()
}

/// An error or a warning of the loader under the code of its rule.
fn loader_finding(diagnostic: Diagnostic) -> Finding {
    let rule = match (diagnostic.kind, diagnostic.severity) {
        (Kind::UnknownKey, _) => &sp902_unknown_key::RULE,
        (Kind::Duplicate, _) => &sp903_duplicate_key::RULE,
        (Kind::Unquoted, _) => &sp207_unquoted_split_key::RULE,
        (Kind::CutByComma, _) => &sp909_comma_in_braces::RULE,
        (Kind::Misfit, _) => &sp503_partition_type::RULE,
        (Kind::Setting, _) => &sp606_attribute_value::RULE,
        // The two of predicates are none of a file.
        (Kind::Other | Kind::ImplausibleValue | Kind::DayAsBound | Kind::Refused(_), Severity::Error) => {
            &sp901_invalid_file::RULE
        }
        (Kind::Other | Kind::ImplausibleValue | Kind::DayAsBound | Kind::Refused(_), _) => {
            &sp907_doubtful_value::RULE
        }
    };
    Finding { rule, diagnostic }
}

/// Text of the user in a message: short, and on one line.
fn excerpt(text: &str) -> String {
    let mut short: String = text.chars().take(40).map(visible::shown).collect();
    if text.chars().nth(40).is_some() {
        short.push('…');
    }
    short
}
