use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::plan::DEFAULT_MAX_BRANCHES;
use saltplan_core::schema::model::Family;

pub static RULE: Rule = Rule::new(include_str!("sp609_no_bloom_filter.md"), Detector::Family(check));

fn check(context: &Context<'_>, family: &Family) -> Option<Finding> {
    if context.salt_domain?.count() <= DEFAULT_MAX_BRANCHES as u128 {
        return None;
    }
    let span = context.attribute_is(family, "BLOOMFILTER", "none")?;
    let message = format!("the family `{}` has no Bloom filter, and rows are read one by one", family.name);
    let finding = RULE.at(context, span, message, "each read opens every file of the region");
    let finding = finding.cause(context.places.salt(), "too many salts for ranges");
    Some(finding.help("write `bloom_filter: ROW`, or remove the attribute: ROW is the default"))
}
