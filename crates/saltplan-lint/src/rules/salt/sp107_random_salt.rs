use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::salt::{RandomSalt, SaltScheme};

pub static RULE: Rule = Rule::new(include_str!("sp107_random_salt.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    let salt = context.schema.key.salt.as_ref()?;
    let SaltScheme::Random(RandomSalt { below }) = salt.scheme else { return None };
    let span = context.places.entry_near(&["key", "salt", "random"]);
    let message = format!("no row can be read by its key: its salt is one of {below} random ones");
    let finding = RULE.at(context, span, message, "not computable");
    Some(finding.help("compute the salt: `md5: { of: key, first_hex_digits: 1, write: hex }`"))
}
