use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP109",
    name: "constant-salt",
    severity: Severity::Warning,
    summary: "Every row gets the same salt.",
    why: "The salt spreads nothing and makes every key longer. The cause is a modulus of 1, or inputs with a single value.",
    learned: "the exact image of the salt",
    fires: "\
key:
  salt:
    »random: { below: 1, write: decimal }«
  fields:
    - { name: id, type: string, width: 8, chars: digits }
",
    corrected: "\
key:
  salt:
    random: { below: 8, write: decimal }
  fields:
    - { name: id, type: string, width: 8, chars: digits }
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    if context.image.is_none_or(|image| image.count() != 1) {
        return Vec::new();
    }
    let finding = RULE.at(context, context.places.salt(), "every row gets the same salt", "spreads nothing");
    vec![finding.help("use a greater modulus or more inputs, or remove the salt")]
}
