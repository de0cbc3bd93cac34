use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::schema::model::{Regions, Sampled};
use saltplan_document::diag::Severity;
use saltplan_document::wording::excerpt;

pub static RULE: Rule = Rule::new(include_str!("sp208_sample_missing.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    let Some(Regions::Sampled(Sampled { keys, regions: wanted })) = &context.schema.regions else {
        return None;
    };
    let span = |key| context.places.entry_near(&["regions", "sampled", key]);
    if let Err(error) = context.table.sample() {
        let message = format!("no sample keys from `{}`: {error}", excerpt(keys));
        let finding = RULE.at(context, span("keys"), message, "searched for next to the schema file");
        return Some(finding.help(error.help()));
    }
    let splits = context.splits.as_ref()?;
    if splits.len() + 1 >= *wanted as usize {
        return None;
    }
    let message = format!("the sample gives {} regions, not {wanted}", splits.len() + 1);
    let finding = RULE
        .at(context, span("regions"), message, "more than the sample has keys for")
        .cause(span("keys"), "has too few different keys");
    Some(finding.severity(Severity::Warning).help("take a larger sample, or use fewer regions"))
}
