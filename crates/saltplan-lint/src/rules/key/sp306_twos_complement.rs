use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::key::field::FieldKind;
use saltplan_core::key::number::Order;

pub static RULE: Rule = Rule {
    code: "SP306",
    name: "twos-complement",
    severity: Severity::Note,
    summary: "Negative numbers sort after positive ones.",
    why: "\
In two's complement -1 is eight bytes FF and sorts after every positive number. saltplan splits a range at zero, but
ranges written by hand, and the split keys, have negative numbers at the end. If numbers can be negative, `encoding:
be_sortable` flips the sign bit and keeps the order. If they cannot, say so: `min: 0`.",
    learned: "org.apache.hadoop.hbase.util.Bytes#toBytes(long) against OrderedBytes#encodeInt64",
    fires: "\
key:
  fields:
    - { name: site, type: string, width: 4, chars: alnum }
    - { name: id, type: bigint, »encoding: be« }
",
    corrected: "\
key:
  fields:
    - { name: site, type: string, width: 4, chars: alnum }
    - { name: id, type: bigint, encoding: be_sortable }
",
    check: Detector::Schema(check),
};

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
