//! Applies the fixes of findings to the text of a file.

use std::collections::BTreeMap;

use super::FileReport;
use saltplan_document::diag::{Edit, Fix, Safety};

/// The fixes of a report's findings that are at least as safe as `least`.
pub fn fixes(report: &FileReport, least: Safety) -> impl Iterator<Item = &Fix> {
    let all = report.findings.iter().filter_map(|finding| finding.diagnostic.fix.as_deref());
    all.filter(move |fix| fix.safety <= least)
}

/// The text of a file after all fixes that are at least as safe as `least`, and their number. If fixes
/// overlap, the first one is applied; the others are found again in the next run.
pub fn apply(report: &FileReport, least: Safety) -> Option<(String, usize)> {
    let source = report.source.as_ref()?;
    // Sorted by position, so that comparing neighbours is enough to find overlaps.
    let mut taken: BTreeMap<usize, &Edit> = BTreeMap::new();
    let mut made = 0;
    for fix in fixes(report, least) {
        let free = |edit: &Edit| {
            let before = taken.range(..=edit.span.start).next_back();
            let behind = taken.range(edit.span.start..).next();
            before.is_none_or(|(_, other)| {
                other.span.end <= edit.span.start && other.span.start < edit.span.start
            }) && behind.is_none_or(|(start, _)| edit.span.end <= *start)
                && source.text.get(edit.span.start..edit.span.end).is_some()
        };
        if fix.edits.iter().all(free) {
            taken.extend(fix.edits.iter().map(|edit| (edit.span.start, edit)));
            made += 1;
        }
    }
    if made == 0 {
        return None;
    }
    let mut text = String::with_capacity(source.text.len());
    let mut at = 0;
    for edit in taken.into_values() {
        text.push_str(source.text.get(at..edit.span.start)?);
        text.push_str(&edit.text);
        at = edit.span.end;
    }
    text.push_str(source.text.get(at..)?);
    Some((text, made))
}
