use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::schema::model::Family;

pub static RULE: Rule = Rule::new(include_str!("sp613_mob_threshold.md"), Detector::Family(check));

/// The default of `hbase.client.keyvalue.maxsize`, in bytes.
const LARGEST_CELL: i64 = 10 << 20;

fn check(context: &Context<'_>, family: &Family) -> Option<Finding> {
    let (span, _) = context.attribute(family, "MOB_THRESHOLD")?;
    if context.attribute_is(family, "IS_MOB", "true").is_none() {
        let message = format!(
            "the family `{}` has a threshold for large cells, but does not store them apart",
            family.name
        );
        let finding = RULE.at(context, span, message, "has no effect");
        return Some(finding.help("add `is_mob: true`, or remove it"));
    }
    let threshold = family.number("MOB_THRESHOLD").filter(|threshold| *threshold >= LARGEST_CELL)?;
    let message = format!("no cell reaches the threshold of {threshold} bytes");
    let finding = RULE.at(context, span, message, "clients refuse cells above 10 MB");
    Some(finding.help("write a smaller threshold: 102400 is the default"))
}
