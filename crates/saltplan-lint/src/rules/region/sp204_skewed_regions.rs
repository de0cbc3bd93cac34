use super::split_name;
use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::schema::model::Regions;

pub static RULE: Rule = Rule {
    code: "SP204",
    name: "skewed-regions",
    severity: Severity::Warning,
    summary: "The fullest region is expected to get more than one and a half times the rows of the emptiest.",
    why: "\
A table is as fast as its fullest region. The expected share follows from the exact set of salts, each equally likely:
an MD5 prefix in hex with binary split keys, or sixteen salts over ten regions, give some regions a multiple of the
others. Regions that no row reaches are reported by SP201 and SP202 and are not counted here.",
    learned: "the skew figures of the sampled and the modulo design: 1.0105 and 1.0",
    fires: "\
key:
  salt:
    md5: { of: key, first_hex_digits: 8, write: hex }
  fields:
    - { name: id, type: string, width: 8, chars: digits }
»regions:
  explicit: ['2', '8', 'c']«
",
    corrected: "\
key:
  salt:
    md5: { of: key, first_hex_digits: 8, write: hex }
  fields:
    - { name: id, type: string, width: 8, chars: digits }
regions:
  explicit: ['4', '8', 'c']
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let Some(shares) = context.shares() else { return Vec::new() };
    finding(context, &shares).into_iter().collect()
}

fn finding(context: &Context<'_>, shares: &[u128]) -> Option<Finding> {
    let splits = context.splits.as_ref()?;
    let reached = || shares.iter().enumerate().filter(|(_, share)| **share > 0);
    // The first of the fullest, the first of the emptiest.
    let (fullest, &most) = reached().rev().max_by_key(|(_, share)| **share)?;
    let (emptiest, &least) = reached().min_by_key(|(_, share)| **share)?;
    // most / least > 1.5, without leaving the integers.
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
    if matches!(context.schema.regions, Some(Regions::Sampled { .. })) {
        return Some(
            finding.severity(Severity::Note).help("take a larger sample of keys, which cuts more evenly"),
        );
    }
    let help =
        "split between the salts at equal distances: `per_salt: {}`, or `hex_string: n` for hex digits";
    Some(finding.help(help))
}

/// A region of a table with some split keys.
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
