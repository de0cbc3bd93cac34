use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::key::field::FieldKind;

pub static RULE: Rule = Rule {
    code: "SP302",
    name: "monotonic-key",
    severity: Severity::Warning,
    summary: "Keys start with the time or with a counter, so all writes go to one region.",
    why: "\
Rows that are written at the same time have neighbouring keys: one region takes all writes, one server works while the
others wait, and after a split the writes move on to the upper half. Put a salt in front, or a field that spreads, such
as a reversed id. A number may be a counter; the schema does not say so, so that is only a note.",
    learned: "HBase reference guide, \"Hotspotting\" and \"Monotonically increasing row keys/timeseries data\"",
    fires: "\
key:
  fields:
    - »{ name: day, type: date, format: yyyyMMdd }«
    - { name: id, type: string, width: 8, chars: digits }
",
    corrected: "\
key:
  salt:
    md5: { of: key, first_hex_digits: 1, write: hex }
  fields:
    - { name: day, type: date, format: yyyyMMdd }
    - { name: id, type: string, width: 8, chars: digits }
regions:
  per_salt: {}
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let spread = context.image.as_ref().is_some_and(|image| image.count() > 1);
    let Some((id, field)) = context.stored_fields().next().filter(|_| !spread) else { return Vec::new() };
    let (message, severity, label) = match &field.kind {
        FieldKind::Calendar(_) | FieldKind::Epoch(_) => (
            format!("keys start with the time `{}`: all writes go to one region", field.name),
            Severity::Warning,
            "grows with every row",
        ),
        FieldKind::Integer(_) => (
            format!(
                "keys start with the number `{}`: if it is a counter, all writes go to one region",
                field.name
            ),
            Severity::Note,
            "grows if it is a counter",
        ),
        FieldKind::Text(_) => return Vec::new(),
    };
    let finding = RULE.at(context, context.places.field(id), message, label).severity(severity);
    vec![finding.help("add a salt: `salt: { md5: { of: key, first_hex_digits: 1, write: hex } }`")]
}
