use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP103",
    name: "salt-input-not-in-key",
    severity: Severity::Warning,
    summary: "The salt is computed from a field that is not in the row key.",
    why: "\
The salt of a row key cannot be computed from the key, so the salts of stored rows cannot be checked, and a query by the
fields of the key has to try all salts. With the current time as an input, as in a published benchmark, not even the
writer can repeat it: a row written twice is stored twice. A key that is only the digest of fields that are also stored
as columns is not reported: there the digest is the key.",
    learned: "the published code of the md5_sampled example, which hashes the current time",
    fires: "\
key:
  salt:
    md5: { of: [id, written_at], first_hex_digits: 2, write: hex }
  fields:
    - { name: id, type: bigint, encoding: be_sortable }
    - { name: written_at, type: timestamp, epoch: ms, encoding: be, »stored: false« }
",
    corrected: "\
key:
  salt:
    md5: { of: [id], first_hex_digits: 2, write: hex }
  fields:
    - { name: id, type: bigint, encoding: be_sortable }
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let key = &context.schema.key;
    // A key that is nothing but the digest is computed from the fields, not the other way round; SP404 asks for their
    // columns.
    if key.salt.is_none() || key.stored().next().is_none() {
        return Vec::new();
    }
    let lost = key.fields.entries().filter(|(_, field)| !field.stored);
    lost.map(|(id, field)| {
        let message = format!("the salt depends on `{}`, which is not in the row key", field.name);
        let span = context.field_entry(id, "stored");
        let finding = RULE.at(context, span, message, "cannot be computed from a row key");
        let help = format!("remove `{}` from the salt's inputs, or store it in the key", field.name);
        finding.cause(context.places.salt(), "the salt").help(help)
    })
    .collect()
}
