use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::{Edit, Severity};

pub static RULE: Rule = Rule {
    code: "SP406",
    name: "not-external",
    severity: Severity::Error,
    summary: "The mapping table is not external: Hive would own the data in HBase.",
    why: "\
DROP TABLE on a managed mapping table disables and deletes the HBase table with all its rows. Also, CREATE TABLE fails
if the HBase table exists, and it does: `ddl` creates it first, with its split keys. The fix writes `external: true`.",
    learned: "Hive wiki, HBaseIntegration; org.apache.hadoop.hive.hbase.HBaseMetaHook",
    fires: "\
columns: [{ name: seen, type: string, hbase: 'f:seen' }]
hive:
  mapping: { table: visits, key_column: rowkey, »external: false« }
",
    corrected: "\
columns: [{ name: seen, type: string, hbase: 'f:seen' }]
hive:
  mapping: { table: visits, key_column: rowkey, external: true }
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    if context.schema.mapping().is_none_or(|mapping| mapping.external) {
        return Vec::new();
    }
    let path = ["hive", "mapping", "external"];
    let span = context.places.entry_near(&path);
    let message = "DROP TABLE in Hive would delete the HBase table";
    let finding = RULE.at(context, span, message, "not external").help("write `external: true`");
    let edit = context.node(&path).map(|node| Edit { span: node.span, text: "true".into() });
    vec![match edit {
        Some(edit) => finding.fix("make the mapping table external", vec![edit]),
        None => finding,
    }]
}
