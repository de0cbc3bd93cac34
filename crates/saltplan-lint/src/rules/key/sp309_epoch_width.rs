use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::key::field::{EpochUnit, FieldKind};

pub static RULE: Rule = Rule {
    code: "SP309",
    name: "epoch-width",
    severity: Severity::Warning,
    summary: "An instant is stored as decimal text of varying width, or in a width too small for today.",
    why: "\
Seconds since 1970 have ten digits since September 2001, milliseconds thirteen. Without a `width` an earlier instant,
such as a default of 0 or a test in 1999, sorts among later ones; with a smaller width no present instant fits. Write
`width: 13` for milliseconds and `width: 10` for seconds, or store the number as binary: milliseconds in six or eight
bytes, seconds in four or eight.",
    learned: "java.lang.System#currentTimeMillis; 10^9 seconds were reached on 2001-09-09",
    fires: "\
key:
  fields:
    - { name: site, type: string, width: 4, chars: alnum }
    - { name: ts, type: timestamp, epoch: ms, »encoding: decimal« }
",
    corrected: "\
key:
  fields:
    - { name: site, type: string, width: 4, chars: alnum }
    - { name: ts, type: timestamp, epoch: ms, encoding: decimal, width: 13 }
",
    check: Detector::Schema(check),
};

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
