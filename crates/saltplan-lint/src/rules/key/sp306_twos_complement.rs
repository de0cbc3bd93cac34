use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::key::field::FieldKind;
use saltplan_core::key::number::Order;

pub static RULE: Rule =
    Rule::new(Severity::Note, include_str!("sp306_twos_complement.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    let signed = context.stored_fields().filter(|(_, field)| match &field.kind {
        FieldKind::Integer(number) => number.order() == Order::NegativesLast && number.domain().start < 0,
        _ => false,
    });
    signed
        .map(|(id, field)| {
            let message = format!("negative values of `{}` sort after positive ones", field.name);
            let finding = RULE.at(context, context.field_entry(id, "encoding"), message, "two's complement");
            finding.help("add `min: 0` if it is never negative, otherwise write `encoding: be_sortable`")
        })
        .collect()
}
