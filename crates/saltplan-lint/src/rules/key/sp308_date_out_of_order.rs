use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::key::field::FieldKind;

pub static RULE: Rule = Rule {
    code: "SP308",
    name: "date-out-of-order",
    severity: Severity::Warning,
    summary: "A date has a format whose text does not sort by time.",
    why: "\
In `ddMMyyyy` the first days of all months are neighbours, and a period is not a range of keys: a query for two days
reads the whole table, or one range per day. Write the units from coarse to fine: `yyyyMMdd`.",
    learned: "HBase orders keys as bytes",
    fires: "\
key:
  fields:
    - { name: site, type: string, width: 4, chars: alnum }
    - { name: day, type: date, »format: ddMMyyyy« }
",
    corrected: "\
key:
  fields:
    - { name: site, type: string, width: 4, chars: alnum }
    - { name: day, type: date, format: yyyyMMdd }
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (id, field) in context.stored_fields() {
        let FieldKind::Calendar(calendar) = &field.kind else { continue };
        if calendar.format.sorts() {
            continue;
        }
        let message = format!("the text of `{}` does not sort by time", field.name);
        let finding = RULE.at(context, context.field_entry(id, "format"), message, "not from coarse to fine");
        findings.push(finding.help("write the units from coarse to fine, such as `yyyyMMdd`"));
    }
    findings
}
