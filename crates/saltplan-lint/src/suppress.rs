//! Comments that suppress findings: `# saltplan: ignore[SP107, SP301] reason`.

use std::sync::Arc;

use super::rule::{Finding, Rule};
use super::rules::{
    self,
    file::{sp904_unused_suppression, sp905_unknown_rule_code, sp906_suppression_without_reason},
};
use saltplan_core::schema::Places;
use saltplan_document::diag::{Diagnostic, Edit, Fix, Source, Span, Spanned};
use saltplan_document::wording::excerpt;
use saltplan_document::yaml::{Node, NodeKind};

/// A file with more suppressions should be excluded instead.
const MAX_SUPPRESSIONS: usize = 1_000;

const FORM: &str = "write `# saltplan: ignore[SP107] reason`";

/// A suppressing comment.
#[derive(Debug)]
struct Suppression {
    comment: Span,
    /// Codes with their places; unknown codes are reported and left out.
    codes: Vec<(&'static Rule, Span)>,
    /// Findings that start in this span are suppressed.
    covers: Span,
}

/// Removes the suppressed findings, and adds findings about the suppressions themselves. `selected` says
/// which rules were checked, because a suppression of an unchecked rule may be needed.
pub fn apply(
    source: &Arc<Source>,
    places: &Places,
    findings: &mut Vec<Finding>,
    selected: &dyn Fn(&Rule) -> bool,
) {
    let mut own = Vec::new();
    let mut comments = places.comments().iter().filter(|comment| suppressing(&comment.value).is_some());
    let suppressions: Vec<Suppression> = comments
        .by_ref()
        .take(MAX_SUPPRESSIONS)
        .filter_map(|comment| read(source, places, comment, &mut own))
        .collect();
    if let Some(comment) = comments.next() {
        let message = format!("only the first {MAX_SUPPRESSIONS} suppressions of a file are used");
        let rule = &sp906_suppression_without_reason::RULE;
        own.push(finding(rule, source, comment.span, message, "suppresses nothing").help("use `--ignore`"));
    }
    let mut used = vec![Vec::new(); suppressions.len()];
    findings.retain(|finding| {
        let start = finding.span().start;
        let mut kept = true;
        for (suppression, used) in suppressions.iter().zip(&mut used) {
            let covers = suppression.covers.start <= start
                && start < suppression.covers.end.max(suppression.covers.start + 1);
            if covers && suppression.codes.iter().any(|(rule, _)| rule.code == finding.rule.code) {
                used.push(finding.rule.code);
                kept = false;
            }
        }
        kept
    });
    for (suppression, used) in suppressions.iter().zip(&used) {
        own.extend(unused(source, suppression, used, selected));
    }
    findings.extend(own.into_iter().filter(|finding| selected(finding.rule)));
}

fn finding(rule: &'static Rule, source: &Arc<Source>, span: Span, message: String, label: &str) -> Finding {
    let diagnostic = Diagnostic::warning(message).at(source, span, label);
    Finding { rule, diagnostic }
}

/// The text after `saltplan: ignore` in a comment.
fn suppressing(text: &str) -> Option<&str> {
    let body = without_word(text.trim_start_matches('#').trim_start(), "saltplan:")?;
    without_word(body.trim_start(), "ignore")
}

/// The text after a word at its start, in upper or lower case.
fn without_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (start, rest) = text.split_at_checked(word.len())?;
    start.eq_ignore_ascii_case(word).then_some(rest)
}

/// Parses a comment; reports one that is intended as a suppression but is not valid.
fn read(
    source: &Arc<Source>,
    places: &Places,
    comment: &Spanned<String>,
    reports: &mut Vec<Finding>,
) -> Option<Suppression> {
    let rest = suppressing(source.text.get(comment.span.start..comment.span.end)?)?;
    let useless = |message: &str, label: &str, help: &str| {
        let rule = &sp906_suppression_without_reason::RULE;
        finding(rule, source, comment.span, message.to_string(), label).help(help)
    };
    let listed = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let listed = listed.filter(|(list, _)| list.split(',').any(|code| !code.trim().is_empty()));
    let Some((list, reason)) = listed else {
        reports.push(useless("this comment suppresses nothing: it names no rule", "no `[CODE]`", FORM));
        return None;
    };
    // The offsets of the list in the file.
    let list_start = comment.span.end - rest.len() + 1;
    let codes = codes(source, comment.span, list, list_start, reports);
    if reason.trim().is_empty() {
        let help = "write a reason after the bracket";
        reports.push(useless("a suppression without a reason suppresses nothing", "no reason", help));
        return None;
    }
    Some(Suppression { comment: comment.span, codes, covers: covered(source, places, comment.span) })
}

fn codes(
    source: &Arc<Source>,
    comment: Span,
    list: &str,
    start: usize,
    reports: &mut Vec<Finding>,
) -> Vec<(&'static Rule, Span)> {
    let mut codes = Vec::new();
    let mut at = start;
    for part in list.split(',') {
        let code = part.trim();
        let from = at + (part.len() - part.trim_start().len());
        at += part.len() + 1;
        match rules::find(code) {
            Some(rule) => codes.push((rule, Span::new(from, from + code.len()))),
            None if code.is_empty() => {}
            None => reports.push(unknown_code(source, comment, code)),
        }
    }
    codes
}

fn unknown_code(source: &Arc<Source>, comment: Span, code: &str) -> Finding {
    let rule = &sp905_unknown_rule_code::RULE;
    let message = format!("there is no rule `{}`", excerpt(code));
    let mut report = finding(rule, source, comment, message, "suppresses nothing");
    report.diagnostic = report
        .diagnostic
        .with_help("`saltplan rule` lists the rules")
        .with_suggestion(code, rules::all().iter().map(|rule| rule.code));
    report
}

/// The span that a comment covers: its line, or, if it is on a line of its own, the entry or item below it.
fn covered(source: &Source, places: &Places, comment: Span) -> Span {
    let text = &source.text;
    let line_start = text[..comment.start].rfind('\n').map_or(0, |at| at + 1);
    if !text[line_start..comment.start].trim().is_empty() {
        return Span::new(line_start, comment.end);
    }
    let below = below(text, comment.end);
    outermost(places.root(), below).unwrap_or_else(|| Span::new(below, line_end(text, below)))
}

/// The first position after `offset` that is not blank and not in a comment on a line of its own.
fn below(text: &str, offset: usize) -> usize {
    let mut at = line_end(text, offset);
    loop {
        let rest = &text[at..];
        let content = at + (rest.len() - rest.trim_start().len());
        if !text[content..].starts_with('#') {
            return content;
        }
        at = line_end(text, content);
    }
}

fn line_end(text: &str, offset: usize) -> usize {
    text[offset..].find('\n').map_or(text.len(), |at| offset + at)
}

/// The largest entry or item that starts at a position.
fn outermost(node: &Node, start: usize) -> Option<Span> {
    match &node.kind {
        NodeKind::Scalar(_) => None,
        NodeKind::Mapping(entries) => entries.iter().find_map(|entry| {
            let span = entry.key.span.to(entry.value.span);
            if span.start == start { Some(span) } else { within(&entry.value, span, start) }
        }),
        // An item starts at its dash, which is not included in the item's span.
        NodeKind::Sequence(items) => items.iter().enumerate().find_map(|(index, item)| {
            let before = if index == 0 { node.span.start } else { items[index - 1].span.end };
            if before <= start && start <= item.span.start {
                return Some(Span::new(start, item.span.end));
            }
            within(item, item.span, start)
        }),
    }
}

fn within(node: &Node, span: Span, start: usize) -> Option<Span> {
    if span.start <= start && start < span.end { outermost(node, start) } else { None }
}

/// A finding for the codes of a suppression that suppressed nothing.
fn unused(
    source: &Arc<Source>,
    suppression: &Suppression,
    used: &[&str],
    selected: &dyn Fn(&Rule) -> bool,
) -> Option<Finding> {
    let is_unused = |rule: &Rule| !used.contains(&rule.code) && selected(rule);
    let unused: Vec<&(&Rule, Span)> = suppression.codes.iter().filter(|(rule, _)| is_unused(rule)).collect();
    let first = unused.first()?;
    let names: Vec<String> = unused.iter().map(|(rule, _)| format!("`{}`", rule.code)).collect();
    let message =
        format!("{} {} nothing here", names.join(", "), if names.len() == 1 { "finds" } else { "find" });
    let all = unused.len() == suppression.codes.len();
    let span = if all { suppression.comment } else { first.1 };
    let report = finding(&sp904_unused_suppression::RULE, source, span, message, "suppresses nothing");
    let (help, fix) = if all {
        ("remove the comment", removal(source, suppression.comment))
    } else {
        ("remove the code from the list", shorter_list(source, suppression, &unused)?)
    };
    let diagnostic = report.diagnostic.with_help(help).with_fix(fix);
    Some(Finding { diagnostic, ..report })
}

/// The comment with the blanks before it; if it is alone on its line, the whole line.
fn removal(source: &Source, comment: Span) -> Fix {
    let text = &source.text;
    let line_start = text[..comment.start].rfind('\n').map_or(0, |at| at + 1);
    let before = &text[line_start..comment.start];
    let span = if before.trim().is_empty() {
        let end = line_end(text, comment.end);
        Span::new(line_start, (end + 1).min(text.len()))
    } else {
        Span::new(line_start + before.trim_end().len(), comment.end)
    };
    Fix::safe("remove the suppression", vec![Edit::new(span, "")])
}

/// The list without the codes that suppress nothing.
fn shorter_list(source: &Source, suppression: &Suppression, unused: &[&(&Rule, Span)]) -> Option<Fix> {
    let (first, last) = (suppression.codes.first()?, suppression.codes.last()?);
    let span = first.1.to(last.1);
    source.text.get(span.start..span.end)?;
    let kept =
        suppression.codes.iter().filter(|(rule, _)| !unused.iter().any(|(other, _)| other.code == rule.code));
    let text = kept.map(|(rule, _)| rule.code).collect::<Vec<_>>().join(", ");
    Some(Fix::safe("remove the codes that suppress nothing", vec![Edit::new(span, text)]))
}
