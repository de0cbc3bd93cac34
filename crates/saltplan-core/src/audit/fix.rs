//! Safe fixes: edits that keep the meaning of a file.

use std::collections::BTreeMap;

use super::Report;
use super::finding::Edit;

/// The text of a file after all its fixes, and how many were made. Of fixes that overlap the first wins; the others
/// come up again in the next run.
pub fn apply(report: &Report) -> Option<(String, usize)> {
    let source = report.source.as_ref()?;
    // Start to edit: neighbours are enough to see an overlap.
    let mut taken: BTreeMap<usize, &Edit> = BTreeMap::new();
    let mut made = 0;
    let listed = report.findings.iter().filter_map(|finding| finding.fix.as_ref());
    for fix in listed.chain(&report.further_fixes) {
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
