//! Limits the number of findings.

use std::collections::BTreeMap;

use super::report::FileReport;
use super::rule::Finding;

/// More findings of one rule in a file than this do not help.
pub(crate) const MAX_FINDINGS: usize = 100;

impl FileReport {
    /// Keeps the first findings of each rule; another finding says how many more there are.
    pub fn limit(&mut self) {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut kept = Vec::with_capacity(self.findings.len().min(MAX_FINDINGS));
        let mut cut: BTreeMap<&str, Finding> = BTreeMap::new();
        for finding in self.findings.drain(..) {
            let count = counts.entry(finding.rule.code).or_default();
            *count += 1;
            if *count <= MAX_FINDINGS {
                kept.push(finding);
            } else {
                cut.entry(finding.rule.code).or_insert(finding);
            }
        }
        kept.extend(cut.into_values().map(|mut first| {
            let more = counts.get(first.rule.code).map_or(0, |count| count - MAX_FINDINGS);
            let diagnostic = &mut first.diagnostic;
            diagnostic.message = format!("{more} more findings of {} are not shown", first.rule.code);
            diagnostic.help = Some("fix the first ones and run again".into());
            diagnostic.fix = None;
            first
        }));
        self.findings = kept;
        self.sort();
    }
}
