use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_document::diag::{Edit, Span};
use saltplan_document::yaml::{Node, NodeKind};

pub static RULE: Rule = Rule::new(include_str!("sp908_text_read_otherwise.md"), Detector::Several(check));

/// Keys whose values are text in the row key.
const KEY_TEXT: [&str; 4] = ["separator", "then", "joined_by", "suffix"];

fn check(context: &Context<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for part in ["key", "regions"] {
        if let Some(node) = context.node(&[part]) {
            walk(context, node, &mut findings);
        }
    }
    findings
}

/// The nesting of a parsed file is limited, so the recursion ends.
fn walk(context: &Context<'_>, node: &Node, findings: &mut Vec<Finding>) {
    match &node.kind {
        NodeKind::Scalar(_) => {}
        NodeKind::Sequence(items) => items.iter().for_each(|item| walk(context, item, findings)),
        NodeKind::Mapping(entries) => {
            for entry in entries {
                match &entry.value.kind {
                    NodeKind::Sequence(items) if entry.key.value == "values" => {
                        items.iter().for_each(|item| findings.extend(finding(context, item)));
                    }
                    _ if KEY_TEXT.contains(&entry.key.value.as_str()) => {
                        findings.extend(finding(context, &entry.value));
                    }
                    _ => walk(context, &entry.value, findings),
                }
            }
        }
    }
}

fn finding(context: &Context<'_>, node: &Node) -> Option<Finding> {
    let NodeKind::Scalar(scalar) = &node.kind else { return None };
    if !scalar.plain {
        return None;
    }
    let other = read_as(&scalar.text)?;
    let text = context.text(node.span);
    let message = format!("`{text}` without quotes is {other} for other YAML parsers");
    let edit = Edit { span: Span::new(node.span.start, node.span.end), text: format!("'{text}'") };
    let finding = RULE.at(context, node.span, message, "meant as text");
    Some(finding.help(format!("write `'{text}'`")).fix(format!("put `{text}` in quotes"), Some(vec![edit])))
}

/// The type that a YAML 1.1 reader gives to plain text, if it is not text.
fn read_as(text: &str) -> Option<&'static str> {
    const BOOLEANS: [&str; 8] = ["y", "n", "yes", "no", "on", "off", "true", "false"];
    let lower = text.to_ascii_lowercase();
    if BOOLEANS.contains(&lower.as_str()) {
        return Some("a truth value");
    }
    let body = lower.strip_prefix(['-', '+']).unwrap_or(&lower);
    let is_number_sign = |c: char| c.is_ascii_digit() || matches!(c, '_' | '.' | ':');
    let starts = body.starts_with(|c: char| c.is_ascii_digit());
    if starts && body.chars().all(is_number_sign) {
        return Some("a number");
    }
    if body.strip_prefix("0x").is_some_and(|hex| hex.chars().all(|c| c.is_ascii_hexdigit())) {
        return Some("a number");
    }
    if starts && body.contains('e') && body.parse::<f64>().is_ok() {
        return Some("a number");
    }
    let parts: Vec<&str> = body.split('-').collect();
    let digits = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    (parts.len() == 3 && parts[0].len() == 4 && parts.iter().all(digits)).then_some("a date")
}
