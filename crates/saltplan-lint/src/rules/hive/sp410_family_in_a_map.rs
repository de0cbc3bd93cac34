use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_sql::hive_type::HiveType;

pub static RULE: Rule = Rule::new(include_str!("sp410_family_in_a_map.md"), Detector::Several(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    let whole = context.schema.columns.iter().enumerate().filter(|(_, column)| column.qualifier.is_empty());
    let maps = whole.filter(|(_, column)| matches!(*column.hive_type, HiveType::Map(..)));
    maps.filter_map(|(index, column)| {
        let span = context.entry(&["columns", &index.to_string(), "hbase"])?;
        let message = format!("`{}` is a map of all cells of the family `{}`", column.name, column.family);
        Some(
            RULE.at(context, span, message, "every query of it reads the whole family")
                .help("map the qualifiers that queries use as columns of their own, as in `hbase: 'f:name'`"),
        )
    })
    .collect()
}
