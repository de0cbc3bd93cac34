use crate::rule::{Context, Detector, Finding, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp507_target_without_column.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    let target = context.schema.target()?;
    if !target.columns.is_empty() {
        return None;
    }
    let span = context.places.entry_near(&["hive", "target", "table"]);
    let message = "Hive refuses a target table without a column";
    let finding = RULE.at(context, span, message, "no column besides its partitions");
    Some(
        finding.help(
            "leave a key field out of `partition`, or list columns: `columns: [{ name: …, from: key.… }]`",
        ),
    )
}
