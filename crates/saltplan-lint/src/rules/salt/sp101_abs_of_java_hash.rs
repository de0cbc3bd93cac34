use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::key::salt::{Abs, Reduce};

pub static RULE: Rule = Rule {
    code: "SP101",
    name: "abs-of-java-hash",
    severity: Severity::Warning,
    summary: "`Math.abs` before the modulo can leave the salt negative.",
    why: "\
`Math.abs(Integer.MIN_VALUE)` is negative, and Java's `%` keeps the sign. Rows with that one hash get a salt such as
`-2`, which no split key expects and which sorts before `0`: they pile up in the first region, and a reader that
computes the salt with another library does not find them. The rule fires only if the inputs can reach the number: the
xor of the hashes of four and of six digits stays far below it. `abs: after` takes the absolute value of the remainder.
If the code that writes the keys cannot be changed, suppress the finding: saltplan also reads the negative salt.",
    learned: "java.lang.Math#abs and the article on region numbers that the region_number example follows",
    fires: "\
key:
  salt:
    java_hash: { of: [name], »abs: before«, modulo: 6, write: decimal, then: '_' }
  fields:
    - { name: name, type: string }
",
    corrected: "\
key:
  salt:
    java_hash: { of: [name], abs: after, modulo: 6, write: decimal, then: '_' }
  fields:
    - { name: name, type: string }
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let key = &context.schema.key;
    let Some(salt) = &key.salt else { return Vec::new() };
    let Some(hash) = salt.scheme.hash_code(&key.fields) else { return Vec::new() };
    let Reduce::Modulo { by, abs: Abs::Before } = hash.reduce else { return Vec::new() };
    let rest = i32::MIN.checked_rem(by).unwrap_or(0);
    if rest == 0 || !hash.reaches_min_value() || context.shows_no_sign(salt) {
        return Vec::new();
    }
    let message = format!("the salt of a row can be {rest}: `Math.abs(Integer.MIN_VALUE)` is negative");
    let finding = RULE
        .at(context, context.salt_entry(salt, "abs"), message, "applied before the modulo")
        .cause(context.salt_entry(salt, "of"), "these inputs can hash to any number");
    vec![finding.help("write `abs: after` here and in the code that writes the keys")]
}
