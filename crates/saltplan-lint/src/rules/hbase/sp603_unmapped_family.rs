use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP603",
    name: "unmapped-family",
    severity: Severity::Note,
    summary: "A column family has no column in the schema, while others have.",
    why: "\
Hive cannot see what is stored in the family, but every flush and every compaction still works on it. Map a column of
it, or remove it.",
    learned: "Hive wiki, HBaseIntegration: families that are not mapped are inaccessible",
    fires: "\
hbase: { table: 't', families: { f: {}, »raw«: {} } }
columns:
  - { name: page, type: string, hbase: 'f:page' }
",
    corrected: "\
hbase: { table: 't', families: { f: {}, raw: {} } }
columns:
  - { name: page, type: string, hbase: 'f:page' }
  - { name: line, type: string, hbase: 'raw:line' }
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let schema = context.schema;
    let Some(families) = context.node(&["hbase", "families"]).filter(|_| !schema.columns.is_empty()) else {
        return Vec::new();
    };
    let unmapped = schema
        .hbase
        .families
        .iter()
        .filter(|family| !schema.columns.iter().any(|column| column.family == family.name));
    unmapped
        .filter_map(|family| {
            let span = families.entry(&family.name)?.key.span;
            let message = format!("no column is in the family `{}`", family.name);
            Some(
                RULE.at(context, span, message, "not visible in Hive")
                    .help("map a column of it, or remove it"),
            )
        })
        .collect()
}
