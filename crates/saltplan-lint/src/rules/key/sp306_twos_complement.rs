use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::field::{Field, FieldId, FieldKind};
use saltplan_core::key::number::Order;

pub static RULE: Rule = Rule::new(include_str!("sp306_twos_complement.md"), Detector::Field(check));

fn check(context: &Context<'_>, id: FieldId, field: &Field) -> Option<Finding> {
    let FieldKind::Integer(number) = &field.kind else { return None };
    // Nobody asks for a range of hashes.
    let is_hash = context.schema.key.hashed.contains_key(&id);
    if is_hash || number.order() != Order::NegativesLast || number.domain().start >= 0 {
        return None;
    }
    let message = format!("negative values of `{}` sort after positive ones", field.name);
    let finding = RULE.at(context, context.field_entry(id, "encoding"), message, "two's complement");
    Some(finding.help("add `min: 0` if it is never negative, otherwise write `encoding: be_sortable`"))
}
