use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::key::field::FieldKind;
use saltplan_core::key::number::Order;

pub static RULE: Rule =
    Rule::new(Severity::Warning, include_str!("sp305_unpadded_number.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    let unpadded = context.stored_fields().filter(|(_, field)| match &field.kind {
        FieldKind::Integer(number) => number.order() == Order::None,
        _ => false,
    });
    unpadded
        .map(|(id, field)| {
            let message = format!("`{}` is not padded: as text `10` sorts before `9`", field.name);
            let finding = RULE.at(context, context.field_entry(id, "encoding"), message, "no `width`");
            finding.help("add a `width`, or store the number with `encoding: be_sortable`")
        })
        .collect()
}
