use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_document::diag::{Span, Spanned};

pub static RULE: Rule = Rule::new(include_str!("sp206_count_in_comment.md"), Detector::Several(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    let (Some(splits), Some(span)) = (&context.splits, context.entry(&["regions"])) else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    let near = neighbourhood(&context.source.text, span);
    let beside =
        |comment: &&Spanned<String>| near.start <= comment.span.start && comment.span.start < near.end;
    for comment in context.places.comments().iter().filter(beside) {
        for (what, actual) in [("regions", splits.len() + 1), ("split keys", splits.len())] {
            let Some(count) = number_before(&comment.value, what).filter(|count| *count != actual) else {
                continue;
            };
            let message = format!("the comment says {count} {what}, but the schema has {actual}");
            let finding = RULE
                .at(context, comment.span, message, "says so")
                .cause(span, format!("{} split keys", splits.len()));
            findings.push(finding.help(format!("write `{actual} {what}`: n split keys make n + 1 regions")));
        }
    }
    findings
}

/// From the start of the line above the entry to the end of its last line.
fn neighbourhood(text: &str, entry: Span) -> Span {
    let line_start = |offset: usize| text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let own = line_start(entry.start);
    let end = text[entry.end..].find('\n').map_or(text.len(), |at| entry.end + at);
    Span::new(line_start(own.saturating_sub(1)), end)
}

/// The number in `12 regions`.
fn number_before(text: &str, what: &str) -> Option<usize> {
    let at = text.find(what)?;
    let before = text[..at].strip_suffix(' ')?;
    let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    before[before.len() - digits..].parse().ok()
}
