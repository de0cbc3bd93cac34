use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP505",
    name: "target-is-mapping",
    severity: Severity::Error,
    summary: "The target table and the mapping table are the same table.",
    why: "\
The plan would insert what it reads from the HBase table back into it, with the columns of the target in the places of
those of the mapping. Names are not case-sensitive, as in Hive, and a name without a database is in `default`.",
    learned: "Hive compares table names in lower case",
    fires: "\
columns: [{ name: seen, type: string, hbase: 'f:seen' }]
hive:
  mapping: { table: web.visits, key_column: rowkey }
  target: { »table: web.Visits« }
",
    corrected: "\
columns: [{ name: seen, type: string, hbase: 'f:seen' }]
hive:
  mapping: { table: web.visits_map, key_column: rowkey }
  target: { table: web.visits }
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let Some(hive) = &context.schema.hive else { return Vec::new() };
    let (Some(mapping), Some(target)) = (&hive.mapping, &hive.target) else { return Vec::new() };
    let full = |table: &saltplan_core::schema::model::HiveTableName| {
        let database = table.database.as_deref().unwrap_or("default");
        format!("{database}.{}", table.table).to_lowercase()
    };
    if full(&mapping.table) != full(&target.table) {
        return Vec::new();
    }
    let span = context.places.entry_near(&["hive", "target", "table"]);
    let cause = context.places.entry_near(&["hive", "mapping", "table"]);
    let finding =
        RULE.at(context, span, "the plan would write into the table that it reads", "the same table");
    vec![finding.cause(cause, "the mapping table").help("give the target table another name")]
}
