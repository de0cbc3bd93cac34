use crate::audit::context::Context;
use crate::audit::finding::Finding;
use crate::audit::rule::{Check, Rule};
use crate::diag::{Severity, Span, Spanned};

pub static RULE: Rule = Rule {
    code: "SP206",
    name: "count-in-comment",
    severity: Severity::Warning,
    summary: "A comment beside `regions` gives another number of regions or split keys than there are.",
    why: "\
n split keys make n + 1 regions; documents that count one for the other are off by one, and the reader who trusts them
plans one region too few or too many. The rule looks at comments inside `regions`, at its side and directly above it, for a
number in digits before `regions` or `split keys`.",
    learned: "the published text of the region_number example lists six split keys for six regions",
    fires: "\
key:
  fields:
    - { name: id, type: string, width: 8, chars: digits }
regions:
  explicit: ['2', '4', '6']    »# 3 regions«
",
    corrected: "\
key:
  fields:
    - { name: id, type: string, width: 8, chars: digits }
regions:
  explicit: ['2', '4', '6']    # 4 regions
",
    check: Check::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let (Some(splits), Some(span)) = (&context.splits, context.entry(&["regions"])) else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    for comment in context.document.comments.iter().filter(|comment| belongs(context, comment, span)) {
        for (what, actual) in [("regions", splits.len() + 1), ("split keys", splits.len())] {
            let Some(count) = number_before(&comment.value, what).filter(|count| *count != actual) else {
                continue;
            };
            let message = format!("the comment says {count} {what}, the schema has {actual}");
            let finding = context
                .at(&RULE, comment.span, message, "says so")
                .cause(span, format!("{} split keys", splits.len()));
            findings.push(finding.help(format!("write `{actual} {what}`: n split keys make n + 1 regions")));
        }
    }
    findings
}

/// A comment inside the entry, behind it on its last line, or on the line above.
fn belongs(context: &Context<'_>, comment: &Spanned<String>, entry: Span) -> bool {
    let line = |offset| context.source.line_column(offset).0;
    let (start, end) = (line(entry.start), line(entry.end.max(entry.start + 1) - 1));
    (start.saturating_sub(1)..=end).contains(&line(comment.span.start))
}

/// The number in `12 regions`.
fn number_before(text: &str, what: &str) -> Option<usize> {
    let at = text.find(what)?;
    let before = text[..at].strip_suffix(' ')?;
    let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    before[before.len() - digits..].parse().ok()
}
