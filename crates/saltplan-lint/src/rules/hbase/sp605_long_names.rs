use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP605",
    name: "long-family-name",
    severity: Severity::Note,
    summary: "The name of a column family is longer than eight characters.",
    why: "\
HBase stores the name of the family with every cell. One letter is enough: people read the column names of Hive, which
are stored once. The name of a family cannot be changed later.",
    learned: "HBase reference guide, \"Try to minimize row and column sizes\"",
    fires: "\
hbase: { table: 't', families: { »information«: {} } }
",
    corrected: "\
hbase: { table: 't', families: { i: {} } }
",
    check: Detector::Schema(check),
};

const MOST: usize = 8;

fn check(context: &Context<'_>) -> Vec<Finding> {
    let Some(families) = context.node(&["hbase", "families"]) else { return Vec::new() };
    let long = context.schema.hbase.families.iter().filter(|family| family.name.len() > MOST);
    long.filter_map(|family| {
        let span = families.entry(&family.name)?.key.span;
        let message =
            format!("the name of the family, {} bytes, is stored with every cell", family.name.len());
        Some(RULE.at(context, span, message, "long").help("use a short name, such as `i`"))
    })
    .collect()
}
