use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::key::field::{EpochUnit, FieldKind};

pub static RULE: Rule =
    Rule::new(Severity::Warning, include_str!("sp309_epoch_width.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (id, field) in context.stored_fields() {
        let FieldKind::Epoch(epoch) = &field.kind else { continue };
        let is_text = epoch.number.is_text();
        let (needed, places) = match (epoch.unit, is_text) {
            (EpochUnit::Milliseconds, true) => (13, "digits"),
            (EpochUnit::Seconds, true) => (10, "digits"),
            (EpochUnit::Milliseconds, false) => (6, "bytes"),
            (EpochUnit::Seconds, false) => (4, "bytes"),
        };
        let (entry, message, label) = match epoch.number.fixed_width() {
            None => ("encoding", format!("the width of `{}` depends on the time", field.name), "no `width`"),
            Some(width) if width < needed => (
                "width",
                format!("the present time does not fit `{}`: it has {needed} {places}", field.name),
                "too narrow",
            ),
            Some(_) => continue,
        };
        let finding = RULE.at(context, context.field_entry(id, entry), message, label);
        findings.push(finding.help(format!("write `width: {needed}`, or `encoding: be`")));
    }
    findings
}
