use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::key::field::FieldKind;
use saltplan_core::key::number::Order;

pub static RULE: Rule = Rule {
    code: "SP305",
    name: "unpadded-number",
    severity: Severity::Warning,
    summary: "A number is stored as text without padding.",
    why: "\
As text, `10` sorts before `9`: a range of numbers is not a range of keys. A query for a range reads more than it
should, and a scan does not return rows in numeric order. Give the field a `width`, which pads it with zeros, or store
it as binary (`encoding: be_sortable`).",
    learned: "HBase orders keys as bytes; docs/predicates.md on unpadded decimals",
    fires: "\
key:
  fields:
    - { name: site, type: string, width: 4, chars: alnum }
    - { name: id, type: bigint, »encoding: decimal« }
",
    corrected: "\
key:
  fields:
    - { name: site, type: string, width: 4, chars: alnum }
    - { name: id, type: bigint, encoding: decimal, width: 19 }
",
    check: Detector::Schema(check),
};

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
