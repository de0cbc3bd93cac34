use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::document::wording::with_article;
use saltplan_core::key::field::{EpochField, FieldKind};
use saltplan_core::key::id::Id;
use saltplan_core::key::number::NumberEncoding;
use saltplan_core::schema::conversion::{HiveType, hive_type};
use saltplan_core::schema::model::{CellEncoding, Schema};

pub static RULE: Rule = Rule {
    code: "SP405",
    name: "type-of-cell",
    severity: Severity::Note,
    summary: "The writer stores numbers as bytes, and a column of numbers does not say what its cells hold.",
    why: "\
Hive reads the cells of a number or a `boolean` as text (`42`, `true`) unless the mapping has the storage type `#b`. Cells that a
Java client wrote with `Bytes.toBytes(42L)` hold eight bytes instead and come out as NULL, without an error. The rule looks at tables
whose key holds numbers as bytes, or that have another column with `encoding: be`: the same program most likely wrote the cells.
`encoding: be` makes `ddl` declare `#b`, `encoding: text` says that the cells hold text.",
    learned: "HIVE-1634 (storage type `#b`); org.apache.hadoop.hive.serde2.lazy.LazyBinary",
    fires: "\
key:
  fields:
    - { name: id, type: bigint, encoding: be_sortable }
columns:
  - { name: amount, »type: bigint«, hbase: 'f:amount' }
",
    corrected: "\
key:
  fields:
    - { name: id, type: bigint, encoding: be_sortable }
columns:
  - { name: amount, type: bigint, hbase: 'f:amount', encoding: be }
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    if !writes_bytes(context.schema) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (id, column) in context.schema.columns.entries() {
        let index = id.position().to_string();
        let has_bytes = hive_type(&column.hive_type).is_some_and(HiveType::has_bytes);
        if !has_bytes || context.node(&["columns", &index, "encoding"]).is_some() {
            continue;
        }
        let span = context.places.entry_near(&["columns", &index, "type"]);
        let value = with_article(&column.hive_type.trim().to_lowercase());
        let message = format!("`{}` is NULL unless its cells hold {value} as text", column.name);
        let finding = RULE.at(context, span, message, "read from text");
        findings.push(finding.help(
            "write `encoding: be` if `Bytes.toBytes` wrote the cells, `encoding: text` if they hold text",
        ));
    }
    findings
}

/// Whether the table holds numbers as bytes elsewhere.
fn writes_bytes(schema: &Schema) -> bool {
    let in_key = schema.key.fields.iter().any(|field| match &field.kind {
        FieldKind::Integer(form) | FieldKind::Epoch(EpochField { number: form, .. }) => {
            form.encoding != NumberEncoding::Decimal
        }
        FieldKind::Text(_) | FieldKind::Calendar(_) => false,
    });
    in_key || schema.columns.iter().any(|column| column.encoding == CellEncoding::BigEndian)
}
