use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;

pub static RULE: Rule = Rule {
    code: "SP501",
    name: "partition-not-in-key",
    severity: Severity::Warning,
    summary: "The target is partitioned by a field that is not in the row key.",
    why: "\
The value of a partition comes from the predicate, or from the decoded row key if the predicate covers several values. A
field with `stored: false` is not in the key: only a predicate that binds it to one value can be planned, all others are
refused. A predicate that does not bind the partition at all is refused for every table when it is planned.",
    learned: "the refusals of `plan`; Hive wiki, DynamicPartitions",
    fires: "\
key:
  salt:
    md5: { of: [day, id], first_hex_digits: 32, write: hex }
  fields:
    - { name: day, type: date, format: yyyyMMdd, stored: false }
    - { name: id, type: string, width: 8, chars: hex, stored: false }
columns:
  - { name: day, type: string, hbase: 'f:day' }
  - { name: id, type: string, hbase: 'f:id' }
hive:
  mapping: { table: visits_map, key_column: rowkey }
  target: { table: visits, partition: [»day«] }
",
    corrected: "\
key:
  salt:
    md5: { of: [day, id], first_hex_digits: 1, write: hex }
  fields:
    - { name: day, type: date, format: yyyyMMdd }
    - { name: id, type: string, width: 8, chars: hex }
columns:
  - { name: page, type: string, hbase: 'f:page' }
hive:
  mapping: { table: visits_map, key_column: rowkey }
  target: { table: visits, partition: [day] }
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let target = context.schema.target();
    let partition = target.map(|target| target.partition.as_slice()).unwrap_or_default();
    let fields =
        partition.iter().enumerate().filter_map(|(index, column)| Some((index, column, column.field()?)));
    let lost = fields.filter(|(_, _, id)| !context.field(*id).stored);
    lost.map(|(index, column, id)| {
        let message = format!("the partition column `{}` is not in the row key", column.name);
        let finding = RULE.at(context, context.places.partition_column(index), message, "cannot be decoded");
        let finding = finding.cause(context.field_entry(id, "stored"), "not stored");
        finding.help("store the field in the key, or bind it to one value in every predicate")
    })
    .collect()
}
