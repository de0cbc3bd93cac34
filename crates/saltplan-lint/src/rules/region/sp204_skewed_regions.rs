use super::split_name;
use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::schema::model::Regions;
use saltplan_document::diag::Severity;

pub static RULE: Rule = Rule::new(include_str!("sp204_skewed_regions.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    let (shares, splits) = (context.shares()?, context.splits.as_ref()?);
    let reached = || shares.iter().enumerate().filter(|(_, share)| **share > 0);
    // The first of the fullest regions, and the first of the emptiest.
    let (fullest, &most) = reached().rev().max_by_key(|(_, share)| **share)?;
    let (emptiest, &least) = reached().min_by_key(|(_, share)| **share)?;
    // most / least > 1.5, in integer arithmetic.
    if most.saturating_mul(2) <= least.saturating_mul(3) {
        return None;
    }
    let ratio = most as f64 / least as f64;
    let message = format!(
        "the fullest region is expected to get {ratio:.1} times the rows of the emptiest: {} against {}",
        region(context, splits.len(), fullest),
        region(context, splits.len(), emptiest)
    );
    let span = context.places.entry_near(&["regions"]);
    let finding = RULE.at(context, span, message, "uneven");
    let finding = finding.cause(context.places.salt(), "the salts are equally likely");
    if matches!(context.schema.regions, Some(Regions::Sampled(_))) {
        return Some(
            finding.severity(Severity::Note).help("take a larger sample of keys, which cuts more evenly"),
        );
    }
    let help =
        "split between the salts at equal distances: `per_salt: {}`, or `hex_string: n` for hex digits";
    Some(finding.help(help))
}

/// A region of a table with split keys.
fn region(context: &Context<'_>, splits: usize, index: usize) -> String {
    let start = index.checked_sub(1).map(|before| split_name(context, before));
    let stop = (index < splits).then(|| split_name(context, index));
    match (start, stop) {
        (None, Some(stop)) => format!("below {stop}"),
        (Some(start), Some(stop)) => format!("{start} to {stop}"),
        (Some(start), None) => format!("{start} and above"),
        (None, None) => "all keys".into(),
    }
}
