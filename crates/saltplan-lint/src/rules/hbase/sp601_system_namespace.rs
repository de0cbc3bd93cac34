use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP601",
    name: "system-namespace",
    severity: Severity::Error,
    summary: "The table is in the namespace of HBase's own tables.",
    why: "\
`hbase` contains the catalog tables. Whoever may create tables there can also break the cluster, backups and replication
treat the namespace differently, and a later version of HBase may use the name itself. Use a namespace of your own.",
    learned: "HBase reference guide, \"Predefined namespaces\"",
    fires: "\
hbase: { »table: 'hbase:visits'«, families: { f: {} } }
",
    corrected: "\
hbase: { table: 'web:visits', families: { f: {} } }
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let table = &context.schema.hbase;
    if table.namespace.as_deref() != Some("hbase") {
        return Vec::new();
    }
    let span = context.places.entry_near(&["hbase", "table"]);
    let finding = RULE.at(context, span, "`hbase` is the namespace of HBase's own tables", "reserved");
    vec![finding.help("use a namespace of your own")]
}
