use crate::rule::{Context, Detector, Finding, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp109_constant_salt.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    if context.salt_domain.is_none_or(|salt_domain| salt_domain.count() != 1) {
        return None;
    }
    let finding = RULE.at(context, context.places.salt(), "every row gets the same salt", "spreads nothing");
    Some(finding.help("use a greater modulus or more inputs, or remove the salt"))
}
