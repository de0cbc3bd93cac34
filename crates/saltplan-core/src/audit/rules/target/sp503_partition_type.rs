use crate::audit::context::Context;
use crate::audit::finding::Finding;
use crate::audit::rule::{Check, Rule};
use crate::diag::Severity;
use crate::schema::model::{Field, FieldKind, IntegerSize};

pub static RULE: Rule = Rule {
    code: "SP503",
    name: "partition-type",
    severity: Severity::Error,
    summary: "The values of a partition column lie outside its type.",
    why: "\
A partition value is text in a path, and Hive reads it back as the column's type. `20200406` is no `smallint`; a `date` is
compared by the metastore as yyyy-MM-dd only; text in a number column loses its leading zeros or becomes
`__HIVE_DEFAULT_PARTITION__`. The partition is written and never found again.",
    learned: "\
HIVE-27827, in the review of its change: the metastore looks for dates as uuuu-MM-dd; Hive wiki, LanguageManual DDL",
    fires: "\
key:
  fields:
    - { name: site, type: string, width: 4, chars: alnum }
    - { name: day, type: date, format: yyyyMMdd }
hive:
  target:
    table: visits
    partition: [{ name: day, »type: smallint« }]
",
    corrected: "\
key:
  fields:
    - { name: site, type: string, width: 4, chars: alnum }
    - { name: day, type: date, format: yyyyMMdd }
hive:
  target:
    table: visits
    partition: [{ name: day, type: int }]
",
    check: Check::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let target = context.schema.hive.as_ref().and_then(|hive| hive.target.as_ref());
    let partition = target.map(|target| target.partition.as_slice()).unwrap_or_default();
    let mut findings = Vec::new();
    for (index, column) in partition.iter().enumerate() {
        let field = context.field(column.field);
        let Some(reason) = misfit(field, &column.hive_type.trim().to_ascii_lowercase()) else { continue };
        let path = ["hive", "target", "partition", &index.to_string(), "type"];
        let span = context.entry(&path).unwrap_or(column.span);
        let message = format!(
            "values of the partition column `{}` do not fit {}: {reason}",
            field.name, column.hive_type
        );
        let finding =
            context.at(&RULE, span, message, "too small or of another kind").cause(field.span, "the values");
        findings.push(finding.help("write `type: string`, or a number type that is wide enough"));
    }
    findings
}

/// Decimal digits that every value of a number type can have.
fn digits_of(hive_type: &str) -> Option<usize> {
    match hive_type {
        "tinyint" => Some(2),
        "smallint" => Some(4),
        "int" | "integer" => Some(9),
        "bigint" => Some(18),
        _ => None,
    }
}

fn misfit(field: &Field, hive_type: &str) -> Option<String> {
    match (&field.kind, digits_of(hive_type)) {
        (FieldKind::Calendar(calendar), Some(digits)) => {
            let width = calendar.format.width();
            if !calendar.format.is_digits() {
                return Some(format!("`{}` prints signs", calendar.format.pattern()));
            }
            (width > digits).then(|| format!("{width} digits"))
        }
        (FieldKind::Calendar(calendar), None) if hive_type == "date" => {
            let pattern = calendar.format.pattern();
            (pattern != "yyyy-MM-dd").then(|| format!("a date is yyyy-MM-dd, the text is {pattern}"))
        }
        (FieldKind::Text(text), Some(_)) if !text.chars.is_digits() => {
            Some("the text can hold letters".into())
        }
        (FieldKind::Text(_), Some(_)) => Some("leading zeros are lost".into()),
        (FieldKind::Integer(integer), Some(digits)) => {
            let needed = match integer.size {
                IntegerSize::Int => 9,
                IntegerSize::Bigint => 18,
            };
            (needed > digits).then(|| "the numbers are wider".into())
        }
        _ => None,
    }
}
