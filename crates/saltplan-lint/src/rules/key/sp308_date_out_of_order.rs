use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::key::field::FieldKind;

pub static RULE: Rule =
    Rule::new(Severity::Warning, include_str!("sp308_date_out_of_order.md"), Detector::Schema(check));

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
