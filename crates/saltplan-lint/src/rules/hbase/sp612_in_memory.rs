use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::schema::model::Family;

pub static RULE: Rule = Rule::new(include_str!("sp612_in_memory.md"), Detector::Family(check));

fn check(context: &Context<'_>, family: &Family) -> Option<Finding> {
    let index = context.partition().iter().position(|column| column.field().is_some())?;
    let span = context.attribute_is(family, "IN_MEMORY", "true")?;
    let message = format!("the family `{}` has priority in the block cache, and jobs scan it", family.name);
    let finding = RULE.at(context, span, message, "a scan pushes out blocks of other tables");
    let finding = finding.cause(context.places.partition_column(index), "filled by scans");
    Some(finding.help("remove `in_memory`: it is for small tables that are read all the time"))
}
