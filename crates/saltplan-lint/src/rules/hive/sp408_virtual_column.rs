use super::hive_names;
use crate::rule::{Context, Detector, Finding, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp408_virtual_column.md"), Detector::Several(check));

const VIRTUAL: [&str; 6] = [
    "block__offset__inside__file",
    "grouping__id",
    "input__file__name",
    "raw__data__size",
    "row__id",
    "row__offset__inside__block",
];

fn check(context: &Context<'_>) -> Vec<Finding> {
    let names = hive_names(context).into_iter();
    let is_virtual = |name: &str| VIRTUAL.contains(&name.to_ascii_lowercase().as_str());
    let virtual_ones = names.filter(|(what, name, _)| what.ends_with("column") && is_virtual(name));
    virtual_ones
        .map(|(what, name, span)| {
            let message = format!("the {what} `{name}` has the name of a virtual column of Hive");
            RULE.at(context, span, message, "every table already has it").help("rename the column")
        })
        .collect()
}
