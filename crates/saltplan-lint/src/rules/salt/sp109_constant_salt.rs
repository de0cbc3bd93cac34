use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule =
    Rule::new(Severity::Warning, include_str!("sp109_constant_salt.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    if context.salt_domain.is_none_or(|salt_domain| salt_domain.count() != 1) {
        return Vec::new();
    }
    let finding = RULE.at(context, context.places.salt(), "every row gets the same salt", "spreads nothing");
    vec![finding.help("use a greater modulus or more inputs, or remove the salt")]
}
