use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::field::{Field, FieldId};
use saltplan_core::key::id::Id;
use saltplan_core::key::range::to_string_binary;
use saltplan_document::diag::Span;

pub static RULE: Rule = Rule::new(include_str!("sp304_separator_in_field.md"), Detector::Field(check));

fn check(context: &Context<'_>, id: FieldId, field: &Field) -> Option<Finding> {
    if field.separator.is_empty() || !field.kind.may_hold_part_of(&field.separator) {
        return None;
    }
    let (name, separator) = (&field.name, to_string_binary(&field.separator));
    let message = format!("`{name}` may contain the separator `{separator}`");
    let finding = RULE.at(context, context.places.field(id), message, "its end is ambiguous");
    let finding = finding.cause_at(separator_entry(context, id), "the separator");
    Some(finding.help(format!("declare the characters of `{name}`, such as `chars: alnum`, or its `width`")))
}

fn separator_entry(context: &Context<'_>, field: FieldId) -> Option<Span> {
    let own = context.entry(&["key", "fields", &field.position().to_string(), "then"]);
    own.or_else(|| context.entry(&["key", "separator"]))
}
