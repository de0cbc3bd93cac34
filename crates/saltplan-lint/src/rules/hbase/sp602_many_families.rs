use crate::rule::{Context, Detector, Finding, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp602_many_families.md"), Detector::Schema(check));

const MOST: usize = 3;

fn check(context: &Context<'_>) -> Option<Finding> {
    let families = context.schema.hbase.families.len();
    let span = context.entry(&["hbase", "families"]).filter(|_| families > MOST)?;
    let message = format!("{families} column families are flushed and compacted together");
    Some(
        RULE.at(context, span, message, format!("more than {MOST}"))
            .help("put columns that are read together into one family"),
    )
}
