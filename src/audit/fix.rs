//! Safe fixes: edits that keep the meaning of a file.

use super::Report;
use super::finding::Edit;

/// The text of a file after all its fixes, and how many were made. Of fixes that overlap the first wins; the others
/// come up again in the next run.
pub fn apply(report: &Report) -> Option<(String, usize)> {
    let source = report.source.as_ref()?;
    let mut taken: Vec<&Edit> = Vec::new();
    let mut made = 0;
    for fix in report.findings.iter().filter_map(|finding| finding.fix.as_ref()) {
        let free = |edit: &Edit| {
            let apart =
                |other: &&Edit| edit.span.end <= other.span.start || other.span.end <= edit.span.start;
            taken.iter().all(apart) && source.text.get(edit.span.start..edit.span.end).is_some()
        };
        if fix.edits.iter().all(free) {
            taken.extend(&fix.edits);
            made += 1;
        }
    }
    if made == 0 {
        return None;
    }
    taken.sort_by_key(|edit| edit.span);
    let mut text = String::with_capacity(source.text.len());
    let mut at = 0;
    for edit in taken {
        text.push_str(source.text.get(at..edit.span.start)?);
        text.push_str(&edit.text);
        at = edit.span.end;
    }
    text.push_str(source.text.get(at..)?);
    Some((text, made))
}
