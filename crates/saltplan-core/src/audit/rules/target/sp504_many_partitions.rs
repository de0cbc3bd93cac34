use crate::audit::context::Context;
use crate::audit::finding::Finding;
use crate::audit::rule::{Check, Rule};
use crate::diag::Severity;
use crate::key::time_format::Granularity;
use crate::schema::model::{Field, FieldKind};

pub static RULE: Rule = Rule {
    code: "SP504",
    name: "many-partitions",
    severity: Severity::Warning,
    summary: "The target gets a partition for each second, number or text.",
    why: "\
Every partition is a directory with at least one file and a row in the metastore. A dynamic insert fails beyond 1,000
partitions (100 on a node), and long before that small files make every query slow. Partition by the day or by a field of few
values, and store the rest as columns.",
    learned: "hive.exec.max.dynamic.partitions and hive.exec.max.dynamic.partitions.pernode, with their defaults",
    fires: "\
key:
  fields:
    - { name: site, type: string, width: 4, chars: alnum }
    - { name: ts, type: timestamp, format: yyyyMMddHHmmss }
hive:
  target: { table: visits, partition: [»ts«] }
",
    corrected: "\
key:
  fields:
    - { name: site, type: string, width: 4, chars: alnum }
    - { name: day, type: date, format: yyyyMMdd }
hive:
  target: { table: visits, partition: [day] }
",
    check: Check::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let target = context.schema.hive.as_ref().and_then(|hive| hive.target.as_ref());
    let partition = target.map(|target| target.partition.as_slice()).unwrap_or_default();
    let mut findings = Vec::new();
    for column in partition {
        let field = context.field(column.field);
        let Some(each) = unit(field) else { continue };
        let message = format!("a partition for each {each} of `{}`", field.name);
        let finding =
            context.at(&RULE, column.span, message, "too many partitions").cause(field.span, "the values");
        findings.push(finding.help("partition by the day or by a field of few values"));
    }
    findings
}

/// What there is a partition for, where that is too much.
fn unit(field: &Field) -> Option<&'static str> {
    match &field.kind {
        FieldKind::Calendar(calendar) => match calendar.format.granularity() {
            Granularity::Minute => Some("minute"),
            Granularity::Second => Some("second"),
            Granularity::Millisecond => Some("millisecond"),
            Granularity::Year | Granularity::Month | Granularity::Day | Granularity::Hour => None,
        },
        FieldKind::Epoch(_) => Some("instant"),
        FieldKind::Integer(_) => Some("number"),
        // Two characters make at most some thousand values, which may well be a country or a channel.
        FieldKind::Text(text) if text.values.is_some() || text.width.is_some_and(|width| width <= 2) => None,
        FieldKind::Text(_) => Some("text"),
    }
}
