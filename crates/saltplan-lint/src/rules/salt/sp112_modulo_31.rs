use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::key::salt::{HashCode, Reduce};

pub static RULE: Rule = Rule {
    code: "SP112",
    name: "modulo-31",
    severity: Severity::Warning,
    summary: "A Java hash modulo a multiple of 31 depends on little more than the last character.",
    why: "\
`String.hashCode` multiplies by 31 for each character. Modulo 31 all characters but the last vanish, as long as the hash
does not overflow; for longer text only the number of overflows is added. Text that ends in a digit then has only ten of
the 31 salts, and the regions of the others stay empty. Any modulus that is not a multiple of 31 mixes all characters.",
    learned: "java.lang.String#hashCode: s[0]*31^(n-1) + … + s[n-1]",
    fires: "\
key:
  salt:
    java_hash: { of: [id], abs: after, »modulo: 31«, write: { decimal: 2 } }
  fields:
    - { name: id, type: string, width: 6, chars: digits }
",
    corrected: "\
key:
  salt:
    java_hash: { of: [id], abs: after, modulo: 32, write: { decimal: 2 } }
  fields:
    - { name: id, type: string, width: 6, chars: digits }
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let Some(salt) = &context.schema.key.salt else { return Vec::new() };
    let hash = salt.scheme.hash_code(&context.schema.key.fields);
    let Some(HashCode { reduce: Reduce::Modulo { by, .. }, .. }) = hash else { return Vec::new() };
    if by % 31 != 0 {
        return Vec::new();
    }
    let message = format!("a Java hash modulo {by} is skewed: the hash is a sum of powers of 31");
    let finding = RULE.at(context, context.salt_entry(salt, "modulo"), message, "a multiple of 31");
    vec![finding.help(format!("write `modulo: {}` here and in the code that writes the keys", by + 1))]
}
