use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::key::field::FieldId;
use saltplan_core::key::id::Id;
use saltplan_core::key::range::to_string_binary;

pub static RULE: Rule =
    Rule::new(Severity::Warning, include_str!("sp304_separator_in_field.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    let doubtful = context
        .stored_fields()
        .filter(|(_, field)| !field.separator.is_empty() && field.kind.may_hold_part_of(&field.separator));
    doubtful
        .map(|(id, field)| {
            let separator = to_string_binary(&field.separator);
            let message = format!("`{}` may contain the separator `{separator}`", field.name);
            let finding = RULE.at(context, context.places.field(id), message, "its end is ambiguous");
            let finding = match separator_entry(context, id) {
                Some(span) => finding.cause(span, "the separator"),
                None => finding,
            };
            finding.help(format!(
                "declare the characters of `{}`, such as `chars: alnum`, or its `width`",
                field.name
            ))
        })
        .collect()
}

fn separator_entry(context: &Context<'_>, field: FieldId) -> Option<saltplan_core::diag::Span> {
    let own = context.entry(&["key", "fields", &field.position().to_string(), "then"]);
    own.or_else(|| context.entry(&["key", "separator"]))
}
