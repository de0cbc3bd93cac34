//! Rules for schema files: mistakes that load without an error but will hurt later.
//!
//! [`audit`] checks one file, [`walk::files`] finds the files of a folder, `format` prints findings. Each
//! rule is a file under `rules/`, with its documentation and an example for which it fires.
//!
//! ```
//! # let yaml = "
//! # saltplan: 1
//! # hbase: { table: visits, families: { f: {} } }
//! # key:
//! #   salt: { md5: { of: key, first_hex_digits: 1, write: hex } }
//! #   fields: [{ name: day, type: date, format: yyyyMMdd }, { name: id, type: string, chars: alnum }]
//! # ";
//! use saltplan_core::Table;
//!
//! let table = Table::from_yaml(yaml)?;
//! let report = saltplan_lint::audit_table(&table, &|_| true);
//! let codes: Vec<&str> = report.findings.iter().map(|finding| finding.rule.code).collect();
//! assert!(codes.contains(&"SP210")); // the keys are salted, but the table is not split
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod baseline;
pub(crate) mod context;
pub(crate) mod distribution;
pub mod docs;
mod edit;
pub mod example;
pub mod fix;
pub mod format;
pub(crate) mod keyspace;
mod limit;
mod report;
pub mod rule;
pub mod rules;
pub mod run;
mod suppress;
pub mod walk;

use std::path::Path;
use std::sync::Arc;

use context::Context;
pub use report::FileReport;
use rule::{Finding, Rule};
use rules::file::{
    sp901_invalid_file, sp902_unknown_key, sp903_duplicate_key, sp907_doubtful_value, sp909_comma_in_braces,
};
use rules::hbase::sp606_attribute_value;
use rules::region::sp207_unquoted_split_key;
use rules::target::sp503_partition_type;

use saltplan_core::files::named::Folder;
use saltplan_core::schema;
use saltplan_core::table::Table;
use saltplan_document::diag::{Diagnostic, DiagnosticKind, Diagnostics, Severity, Source};

impl FileReport {
    /// A file that does not exist or is not text.
    #[doc(hidden)]
    pub fn unreadable(path: String, errors: Diagnostics) -> Self {
        let source = errors.0.iter().find_map(|error| error.source.clone());
        let findings = errors.0.into_iter().map(loader_finding).collect();
        FileReport { path, file: None, source, sample: None, findings }
    }
}

/// Audits a schema. Paths in the schema are relative to `folder`; `selected` says which rules to check.
/// Errors of the loader are findings that are always reported.
pub fn audit(source: &Arc<Source>, folder: &Path, selected: &dyn Fn(&Rule) -> bool) -> FileReport {
    match schema::load(source) {
        Err(errors) => FileReport::new(source, None, errors.0.into_iter().map(loader_finding).collect()),
        Ok(loaded) => audit_table(&Table::new(source, loaded, Folder::new(folder)), selected),
    }
}

/// Audits a table by the `selected` rules; see [`rules::all`].
pub fn audit_table(table: &Table, selected: &dyn Fn(&Rule) -> bool) -> FileReport {
    let mut findings = check(&Context::new(table), selected);
    let warnings = table.warnings().iter().cloned().map(loader_finding);
    findings.extend(warnings.filter(|finding| selected(finding.rule)));
    suppress::apply(table.source(), table.places(), &mut findings, selected);
    FileReport::new(table.source(), table.sample_path(), findings)
}

fn check(context: &Context<'_>, selected: &dyn Fn(&Rule) -> bool) -> Vec<Finding> {
    rules::all().iter().filter(|rule| selected(rule)).flat_map(|rule| rule.check.run(context)).collect()
}

/// An error or a warning of the loader, with the code of its rule.
fn loader_finding(diagnostic: Diagnostic) -> Finding {
    let rule = match (diagnostic.kind, diagnostic.severity) {
        (DiagnosticKind::UnknownKey, _) => &sp902_unknown_key::RULE,
        (DiagnosticKind::Duplicate, _) => &sp903_duplicate_key::RULE,
        (DiagnosticKind::Unquoted, _) => &sp207_unquoted_split_key::RULE,
        (DiagnosticKind::CutByComma, _) => &sp909_comma_in_braces::RULE,
        (DiagnosticKind::Mismatch, _) => &sp503_partition_type::RULE,
        (DiagnosticKind::Setting, _) => &sp606_attribute_value::RULE,
        // Messages about predicates and printed text do not occur in a file.
        (_, Severity::Error) => &sp901_invalid_file::RULE,
        _ => &sp907_doubtful_value::RULE,
    };
    Finding { rule, diagnostic }
}

#[cfg(test)]
mod tests {
    use super::audit_table;
    use saltplan_core::Table;

    #[test]
    fn a_table_is_audited() {
        let yaml = "
saltplan: 1
hbase: { table: visits, families: { f: {} } }
key:
  salt: { md5: { of: key, first_hex_digits: 1, write: hex } }
  fields: [{ name: id, type: string, chars: ascii }]
";
        let report = audit_table(&Table::from_yaml(yaml).expect("a schema"), &|_| true);
        let codes: Vec<&str> = report.findings.iter().map(|finding| finding.rule.code).collect();
        assert!(codes.contains(&"SP210"), "{codes:?}");
    }
}
