use crate::audit::context::Context;
use crate::audit::finding::Finding;
use crate::audit::rule::{Check, Rule};
use crate::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP103",
    name: "salt-input-not-in-key",
    severity: Severity::Warning,
    summary: "The salt is computed from a field that is not in the row key.",
    why: "\
Whoever holds a row key cannot compute its salt again, so nothing can check the salt of a stored row; and whoever looks for
a row by the fields of its key does not know the salt and has to try all of them. With the current time as an input, as in a
published benchmark, not even the writer can repeat it: a row written twice is stored twice. A key that is nothing but the
digest of fields which are stored as columns, too, is not meant: there the digest is the key.",
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
    check: Check::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let key = &context.schema.key;
    let Some(salt) = &key.salt else { return Vec::new() };
    let is_digest_alone = key.stored().next().is_none();
    let mut findings = Vec::new();
    for (index, field) in key.fields.iter().enumerate() {
        let in_column = context.schema.column(&field.name).is_some();
        if field.stored || (is_digest_alone && in_column) {
            continue;
        }
        let message = format!("the salt depends on `{}`, which is not in the row key", field.name);
        let finding = context
            .at(&RULE, context.field_entry(index, "stored"), message, "cannot be computed from a row key")
            .cause(salt.span, "the salt");
        let help = if is_digest_alone {
            format!("store `{}` in a column of this name", field.name)
        } else {
            format!("remove `{}` from the salt's inputs, or store it in the key", field.name)
        };
        findings.push(finding.help(help));
    }
    findings
}
