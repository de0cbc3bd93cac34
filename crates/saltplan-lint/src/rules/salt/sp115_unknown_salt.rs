use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::salt::SaltScheme;

pub static RULE: Rule = Rule::new(include_str!("sp115_unknown_salt.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    let (Some(salt), Some(salt_domain)) = (&context.schema.key.salt, &context.salt_domain) else {
        return None;
    };
    if !matches!(salt.scheme, SaltScheme::Unknown(_)) {
        return None;
    }
    let span = context.places.entry_near(&["key", "salt", "unknown"]);
    let message = format!("the salt cannot be computed: every query reads all {} salts", salt_domain.count());
    let finding = RULE.at(context, span, message, "its rule is not known");
    Some(finding.help(
        "look for the rule with `saltplan init --from-keys FILE`, or ask the team that writes the keys",
    ))
}
