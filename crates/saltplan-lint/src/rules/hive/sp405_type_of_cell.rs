use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::id::Id;
use saltplan_core::key::number::{NumberEncoding, NumberForm};
use saltplan_core::schema::model::{CellEncoding, Schema};
use saltplan_document::wording::with_article;

pub static RULE: Rule = Rule::new(include_str!("sp405_type_of_cell.md"), Detector::Several(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    if !writes_bytes(context.schema) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (id, column) in context.schema.columns.entries() {
        let index = id.position().to_string();
        if !column.hive_type.has_bytes() || context.node(&["columns", &index, "encoding"]).is_some() {
            continue;
        }
        let span = context.places.entry_near(&["columns", &index, "type"]);
        let value = with_article(&column.hive_type.hive_type().to_string());
        let message = format!("`{}` is NULL unless its cells hold {value} as text", column.name);
        let finding = RULE.at(context, span, message, "read from text");
        findings.push(finding.help(
            "write `encoding: be` if `Bytes.toBytes` wrote the cells, `encoding: text` if they hold text",
        ));
    }
    findings
}

/// Whether the table stores other numbers as bytes.
fn writes_bytes(schema: &Schema) -> bool {
    let is_in_bytes = |form: &NumberForm| form.encoding != NumberEncoding::Decimal;
    let in_key = schema.key.fields.iter().any(|field| field.kind.number().is_some_and(is_in_bytes));
    in_key || schema.columns.iter().any(|column| column.encoding == CellEncoding::BigEndian)
}
