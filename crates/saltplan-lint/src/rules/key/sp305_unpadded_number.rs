use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::field::{Field, FieldId, FieldKind};
use saltplan_core::key::number::Order;

pub static RULE: Rule = Rule::new(include_str!("sp305_unpadded_number.md"), Detector::Field(check));

fn check(context: &Context<'_>, id: FieldId, field: &Field) -> Option<Finding> {
    let FieldKind::Integer(number) = &field.kind else { return None };
    if number.order() != Order::None {
        return None;
    }
    let message = format!("`{}` is not padded: as text `10` sorts before `9`", field.name);
    let finding = RULE.at(context, context.field_entry(id, "encoding"), message, "no `width`");
    Some(finding.help("add a `width`, or store the number with `encoding: be_sortable`"))
}
