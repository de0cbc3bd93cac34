//! GitLab's Code Quality report: an array of issues, each with a fingerprint.

use std::collections::BTreeMap;

use md5::{Digest, Md5};
use serde_json::{Value as Json, json};

use super::{findings, plain_path, region};
use crate::FileReport;
use crate::rule::Finding;
use saltplan_core::key::range::to_hex;
use saltplan_document::diag::Severity;
use saltplan_document::diag::json::pretty;

pub fn render(reports: &[FileReport]) -> String {
    // Equal findings in one file need different fingerprints. The line is not used, because it would change
    // with every edit above it.
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let issues = findings(reports).map(|(report, finding)| {
        let identity =
            format!("{}\0{}\0{}", plain_path(report), finding.rule.code, finding.diagnostic.message);
        let count = seen.entry(identity.clone()).or_default();
        *count += 1;
        issue(report, finding, &to_hex(&Md5::digest(format!("{identity}\0{count}"))))
    });
    let issues: Vec<Json> = issues.collect();
    pretty(&Json::from(issues))
}

fn issue(report: &FileReport, finding: &Finding, fingerprint: &str) -> Json {
    let severity = match finding.diagnostic.severity {
        Severity::Error => "major",
        Severity::Warning => "minor",
        Severity::Note => "info",
    };
    // The report requires a line.
    let (begin, end) = region(finding).map_or((1, 1), |region| (region.line, region.end_line));
    json!({
        "type": "issue",
        "check_name": finding.rule.code,
        "description": format!("{} ({})", finding.diagnostic.message, finding.rule.name),
        "categories": ["Bug Risk"],
        "severity": severity,
        "fingerprint": fingerprint,
        "location": { "path": plain_path(report), "lines": { "begin": begin, "end": end } },
    })
}
