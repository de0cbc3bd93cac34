use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP409",
    name: "mapping-without-column",
    severity: Severity::Error,
    summary: "The mapping table has no column besides the row key.",
    why: "\
Hive refuses to create it: \"A valid Hive-HBase table must specify at least one additional column\". In HBase a row
always has at least one cell; `ddl` and `load` need a column for it.",
    learned: "a table that is a set of keys, on Hive 2.3.9 and 3.1.3",
    fires: "\
hive:
  »mapping: { table: visits, key_column: rowkey }«
",
    corrected: "\
columns:
  - { name: seen, type: string, hbase: 'f:seen' }
hive:
  mapping: { table: visits, key_column: rowkey }
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    if context.schema.mapping().is_none() || !context.schema.columns.is_empty() {
        return Vec::new();
    }
    let span = context.places.entry_near(&["hive", "mapping"]);
    let message = "Hive refuses a mapping table with only the row key";
    let finding = RULE.at(context, span, message, "no column besides the key");
    vec![
        finding
            .help("add `columns`, such as `columns: [{ name: …, type: string, hbase: 'family:qualifier' }]`"),
    ]
}
