//! A baseline: a file that lists accepted findings, which are not reported.
//!
//! A finding is identified by its file, its rule, its message and the text that it marks, not by its line.
//! Errors of the loader are never accepted, because no command can use the file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::FileReport;
use super::rule::{Finding, Rule};
use super::rules;

const FORMAT_VERSION: u32 = 1;

/// Longer marked text is identified by its start.
const MAX_TEXT: usize = 80;

/// Findings with the same identity are the same finding.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AcceptedFinding {
    /// Relative to the folder of the baseline, with `/`.
    pub path: String,
    pub code: String,
    pub message: String,
    /// The marked text on one line.
    pub text: String,
}

/// Accepted findings, and how often each is accepted.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    entries: BTreeMap<AcceptedFinding, usize>,
}

/// The result of applying the entries of one file.
#[derive(Debug, Default)]
pub struct BaselineUse {
    /// Findings that were removed from the report.
    pub accepted: usize,
    /// Entries without a finding.
    pub stale: Vec<AcceptedFinding>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineFile {
    format_version: u32,
    findings: Vec<CountedFinding>,
}

#[derive(Serialize, Deserialize)]
struct CountedFinding {
    #[serde(flatten)]
    entry: AcceptedFinding,
    #[serde(default = "once", skip_serializing_if = "is_once")]
    count: usize,
}

fn once() -> usize {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_once(count: &usize) -> bool {
    *count == 1
}

impl Baseline {
    /// Reads a baseline.
    ///
    /// # Errors
    /// What is wrong with the text, with its position.
    pub fn parse(text: &str) -> Result<Self, String> {
        let document: BaselineFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if document.format_version != FORMAT_VERSION {
            let version = document.format_version;
            return Err(format!("this version of saltplan does not know format version {version}"));
        }
        let mut entries = BTreeMap::new();
        for CountedFinding { entry, count } in document.findings {
            *entries.entry(entry).or_default() += count;
        }
        Ok(Baseline { entries })
    }

    /// The baseline as a file: one entry per line, sorted, so that versions of it can be compared and merged.
    pub fn to_json(&self) -> String {
        let lines = self.entries.iter().map(|(entry, count)| {
            let listed = CountedFinding { entry: entry.clone(), count: *count };
            // A list of texts can always be written as JSON.
            format!("    {}", serde_json::to_string(&listed).unwrap_or_default())
        });
        let lines = lines.collect::<Vec<_>>().join(",\n");
        let list = if lines.is_empty() { "[]".to_string() } else { format!("[\n{lines}\n  ]") };
        format!("{{\n  \"format_version\": {FORMAT_VERSION},\n  \"findings\": {list}\n}}\n")
    }

    /// Accepts the findings of a report; `path` is the path of its file in the baseline. Returns the number
    /// of findings that cannot be accepted.
    pub fn accept(&mut self, path: &str, report: &FileReport) -> usize {
        let mut refused = 0;
        for finding in &report.findings {
            if finding.is_of_loader() {
                refused += 1;
            } else {
                *self.entries.entry(entry(path, finding)).or_default() += 1;
            }
        }
        refused
    }

    pub fn len(&self) -> usize {
        self.entries.values().sum()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The files that the baseline has entries for, in order.
    pub fn paths(&self) -> Vec<&str> {
        let mut paths: Vec<&str> = self.entries.keys().map(|entry| entry.path.as_str()).collect();
        paths.dedup();
        paths
    }

    /// The entries of a file.
    pub fn of_file<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a AcceptedFinding> {
        self.counted(path).map(|(entry, _)| entry)
    }

    fn counted<'a>(&'a self, path: &'a str) -> impl Iterator<Item = (&'a AcceptedFinding, usize)> {
        let first = AcceptedFinding { path: path.into(), ..AcceptedFinding::default() };
        let listed = self.entries.range(first..).take_while(move |(entry, _)| entry.path == path);
        listed.map(|(entry, count)| (entry, *count))
    }

    /// Removes the accepted findings from a report; `path` is the path of its file in the baseline.
    /// `selected` says which rules were checked.
    pub fn apply(
        &self,
        path: &str,
        report: &mut FileReport,
        selected: &dyn Fn(&Rule) -> bool,
    ) -> BaselineUse {
        let mut left: BTreeMap<&AcceptedFinding, usize> = self.counted(path).collect();
        let mut outcome = BaselineUse::default();
        report.findings.retain(|finding| {
            let found = entry(path, finding);
            let accepted = !finding.is_of_loader()
                && left.get_mut(&found).filter(|left| **left > 0).map(|left| *left -= 1).is_some();
            outcome.accepted += usize::from(accepted);
            !accepted
        });
        // If a file cannot be loaded, its other findings are unknown.
        if report.findings.iter().all(|finding| !finding.is_of_loader()) {
            let is_stale = |entry: &AcceptedFinding| rules::find(&entry.code).is_none_or(selected);
            let unused = left.into_iter().filter(|(entry, left)| *left > 0 && is_stale(entry));
            outcome.stale.extend(unused.map(|(entry, _)| entry.clone()));
        }
        outcome
    }
}

fn entry(path: &str, finding: &Finding) -> AcceptedFinding {
    let marked = finding.diagnostic.text(finding.span()).unwrap_or_default();
    let text = marked.split_whitespace().collect::<Vec<_>>().join(" ");
    AcceptedFinding {
        path: path.to_string(),
        code: finding.rule.code.to_string(),
        message: finding.diagnostic.message.clone(),
        text: text.chars().take(MAX_TEXT).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::audit;
    use saltplan_document::diag::Source;

    const SCHEMA: &str = "\
saltplan: 1
hbase: { table: t, families: { f: {} } }
key:
  separator: '_'
  fields:
    - { name: a, type: int, encoding: decimal }
    - { name: b, type: int, encoding: decimal }
";

    fn report(text: &str) -> FileReport {
        audit(&Source::new("a.yaml", text), Path::new(""), &|rule| rule.code == "SP305")
    }

    fn baseline(text: &str) -> Baseline {
        let mut baseline = Baseline::default();
        assert_eq!(baseline.accept("a.yaml", &report(text)), 0);
        baseline
    }

    fn applied(baseline: &Baseline, text: &str) -> (usize, usize, usize) {
        let mut report = report(text);
        let outcome = baseline.apply("a.yaml", &mut report, &|_| true);
        (outcome.accepted, report.findings.len(), outcome.stale.len())
    }

    #[test]
    fn findings_are_identified_without_lines() {
        let baseline = baseline(SCHEMA);
        assert_eq!(baseline.len(), 2);
        assert_eq!(applied(&baseline, SCHEMA), (2, 0, 0));
        assert_eq!(applied(&baseline, &format!("# a line\n\n{SCHEMA}")), (2, 0, 0));
        assert_eq!(applied(&baseline, &SCHEMA.replace("    - {", "    -   {")), (2, 0, 0));
    }

    #[test]
    fn new_findings_are_reported_and_missing_ones_are_stale() {
        let baseline = baseline(SCHEMA);
        let more = format!("{SCHEMA}    - {{ name: c, type: int, encoding: decimal }}\n");
        assert_eq!(applied(&baseline, &more), (2, 1, 0));
        let fewer =
            SCHEMA.replace("name: a, type: int, encoding: decimal", "name: a, type: int, encoding: be");
        assert_eq!(applied(&baseline, &fewer), (1, 0, 1));
        let mut other = report(&fewer);
        let outcome = baseline.apply("a.yaml", &mut other, &|rule| rule.code != "SP305");
        assert_eq!(outcome.stale, []);
    }

    #[test]
    fn entries_of_another_file_accept_nothing() {
        let mut found = report(SCHEMA);
        let outcome = baseline(SCHEMA).apply("b/a.yaml", &mut found, &|_| true);
        assert_eq!((outcome.accepted, found.findings.len(), outcome.stale.len()), (0, 2, 0));
    }

    #[test]
    fn errors_of_the_loader_are_not_accepted() {
        let broken = format!("{SCHEMA}typo: 1\n");
        let mut empty = Baseline::default();
        assert_eq!(empty.accept("a.yaml", &report(&broken)), 1);
        assert!(empty.is_empty());
        assert_eq!(applied(&baseline(SCHEMA), &broken), (0, 1, 0));
    }

    #[test]
    fn a_written_baseline_can_be_read() {
        let mut written = baseline(SCHEMA);
        written.entries.insert(
            AcceptedFinding {
                path: "ü \"q\".yaml".into(),
                code: "SP1".into(),
                message: "a\\b".into(),
                text: "x".into(),
            },
            3,
        );
        let text = written.to_json();
        assert_eq!(Baseline::parse(&text), Ok(written));
        assert_eq!(Baseline::parse(&Baseline::default().to_json()), Ok(Baseline::default()));
        for wrong in [
            "",
            "[]",
            "{}",
            "{\"format_version\": 2, \"findings\": []}",
            "{\"format_version\": 1, \"findings\": [{}]}",
        ] {
            assert!(Baseline::parse(wrong).is_err(), "{wrong}");
        }
    }
}
