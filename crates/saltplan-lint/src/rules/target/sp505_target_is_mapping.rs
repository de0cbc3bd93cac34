use crate::rule::{Context, Detector, Finding, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp505_target_is_mapping.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    let hive = context.schema.hive.as_ref()?;
    let (Some(mapping), Some(target)) = (&hive.mapping, &hive.target) else { return None };
    if !mapping.table.is_same(&target.table) {
        return None;
    }
    let span = context.places.entry_near(&["hive", "target", "table"]);
    let cause = context.places.entry_near(&["hive", "mapping", "table"]);
    let finding =
        RULE.at(context, span, "the plan would write into the table that it reads", "the same table");
    Some(finding.cause(cause, "the mapping table").help("give the target table another name"))
}
