use crate::rule::{Context, Detector, Finding, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp210_salt_without_regions.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    if context.schema.key.salt.is_none() || context.schema.regions.is_some() {
        return None;
    }
    let span = context.places.entry_near(&["key", "salt"]);
    let finding = RULE.at(
        context,
        span,
        "the keys are salted, but the table starts with one region",
        "spreads nothing yet",
    );
    Some(
        finding
            .help("add `regions: { per_salt: {} }`, or `regions: { hex_string: n }` for a long MD5 prefix"),
    )
}
