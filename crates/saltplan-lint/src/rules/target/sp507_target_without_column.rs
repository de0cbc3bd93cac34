use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP507",
    name: "target-without-column",
    severity: Severity::Error,
    summary: "The target table has no column, or only partition columns.",
    why: "\
Hive does not parse the CREATE TABLE of such a table. A target without `columns` gets all columns of the schema except
the partition columns; if none is left, list the key fields that it should have.",
    learned: "a table partitioned by all it has, on Hive 2.3.9 and 3.1.3",
    fires: "\
key:
  fields:
    - { name: day, type: date, format: yyyyMMdd }
    - { name: uid, type: string, width: 8, chars: digits }
hive:
  target: { »table: visits«, partition: [day] }
",
    corrected: "\
key:
  fields:
    - { name: day, type: date, format: yyyyMMdd }
    - { name: uid, type: string, width: 8, chars: digits }
hive:
  target: { table: visits, partition: [day], columns: [{ name: uid, from: key.uid }] }
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let Some(target) = context.schema.target() else {
        return Vec::new();
    };
    if !target.columns.is_empty() {
        return Vec::new();
    }
    let span = context.places.entry_near(&["hive", "target", "table"]);
    let message = "Hive refuses a target table without a column";
    let finding = RULE.at(context, span, message, "no column besides its partitions");
    vec![finding.help("list its columns, such as `columns: [{ name: …, from: key.… }]`")]
}
