use crate::rule::{Context, Detector, Finding, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp501_partition_not_in_key.md"), Detector::Several(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    let fields = context
        .partition()
        .iter()
        .enumerate()
        .filter_map(|(index, column)| Some((index, column, column.field()?)));
    let lost = fields.filter(|(_, _, id)| !context.field(*id).stored);
    lost.map(|(index, column, id)| {
        let message = format!("the partition column `{}` is not in the row key", column.name);
        let finding = RULE.at(context, context.places.partition_column(index), message, "cannot be decoded");
        let finding = finding.cause(context.field_entry(id, "stored"), "not stored");
        finding.help("store the field in the key, or bind it to one value in every predicate")
    })
    .collect()
}
