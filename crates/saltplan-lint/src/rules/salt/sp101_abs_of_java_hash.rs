use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::salt::Abs;

pub static RULE: Rule = Rule::new(include_str!("sp101_abs_of_java_hash.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    let key = &context.schema.key;
    let salt = key.salt.as_ref()?;
    let hash = salt.scheme.hash_code(&key.fields)?;
    let Some((by, Abs::Before)) = hash.reduction.signed_modulo() else { return None };
    let rest = i32::MIN.checked_rem(by).unwrap_or(0);
    if rest == 0 || !hash.reaches_min_value() || context.shows_no_sign(salt) {
        return None;
    }
    let message = format!("the salt of a row can be {rest}: `Math.abs(Integer.MIN_VALUE)` is negative");
    let finding = RULE
        .at(context, context.salt_entry(salt, "abs"), message, "applied before the modulo")
        .cause(context.salt_entry(salt, "of"), "these inputs can hash to any number");
    Some(finding.help("write `abs: after` here and in the code that writes the keys"))
}
