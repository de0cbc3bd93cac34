use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::schema::model::Family;

pub static RULE: Rule = Rule::new(include_str!("sp605_long_names.md"), Detector::Family(check));

const MOST: usize = 8;

fn check(context: &Context<'_>, family: &Family) -> Option<Finding> {
    let bytes = family.name.len();
    if bytes <= MOST {
        return None;
    }
    let message = format!("the name of the family, {bytes} bytes, is stored with every cell");
    let finding = RULE.at(context, context.family(family)?, message, "long");
    Some(finding.help("use a short name, such as `i`"))
}
