use super::length;
use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_document::wording::plural;

pub static RULE: Rule = Rule::new(include_str!("sp301_key_length.md"), Detector::Schema(check));

const MOST: usize = 100;

fn check(context: &Context<'_>) -> Option<Finding> {
    let (least, exact) = length(&context.schema.key);
    if least <= MOST {
        return None;
    }
    let span = context.node(&[]).and_then(|root| root.entry("key")).map(|entry| entry.key.span);
    let span = span.unwrap_or_else(|| context.places.row_key());
    let at_least = if exact { "" } else { "at least " };
    let message = format!("every row key takes {at_least}{least} bytes");
    let finding = RULE.at(context, span, message, format!("more than {MOST}"));
    let widths = context.stored_fields().filter_map(|(id, field)| Some((field.kind.fixed_width()?, id)));
    let finding = match widths.max_by_key(|(width, _)| *width) {
        Some((width, id)) => finding.cause(context.places.field(id), plural(width, "byte")),
        None => finding,
    };
    Some(finding.help("store numbers as binary, use short codes, or a digest of long columns"))
}
