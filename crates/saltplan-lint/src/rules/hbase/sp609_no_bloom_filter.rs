use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::key::salt::SaltDomain;
use saltplan_core::plan::DEFAULT_MAX_BRANCHES;

pub static RULE: Rule =
    Rule::new(Severity::Warning, include_str!("sp609_no_bloom_filter.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    let Some(salts) = context.salt_domain.map(SaltDomain::count) else { return Vec::new() };
    if salts <= DEFAULT_MAX_BRANCHES as u128 {
        return Vec::new();
    }
    let families = context.schema.hbase.families.iter();
    let none = families.filter_map(|family| {
        let (span, value) = context.attribute(family, "BLOOMFILTER")?;
        value.text().eq_ignore_ascii_case("none").then_some((family, span))
    });
    none.map(|(family, span)| {
        let message =
            format!("the family `{}` has no Bloom filter, and rows are read one by one", family.name);
        RULE.at(context, span, message, "each read opens every file of the region")
            .cause(context.places.salt(), "too many salts for ranges")
            .help("write `bloom_filter: ROW`, or remove the attribute: ROW is the default")
    })
    .collect()
}
