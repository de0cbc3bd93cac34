use std::collections::BTreeMap;

use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::id::Id;
use saltplan_document::diag::Span;

pub static RULE: Rule = Rule::new(include_str!("sp404_cell_mapping.md"), Detector::Several(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut seen: BTreeMap<(&str, &str), (&str, Span)> = BTreeMap::new();
    for (id, column) in context.schema.columns.entries() {
        let span = context.places.entry_near(&["columns", &id.position().to_string(), "hbase"]);
        let cell = (column.family.as_str(), column.qualifier.as_str());
        if let Some((first, first_span)) = seen.get(&cell) {
            let message =
                format!("`{}` and `{first}` are the same cell, `{}:{}`", column.name, cell.0, cell.1);
            let finding = RULE.at(context, span, message, "mapped again").cause(*first_span, "mapped here");
            findings.push(finding.help("give this column its own cell, or remove it"));
        } else {
            seen.insert(cell, (&column.name, span));
        }
    }
    findings.extend(lost_fields(context));
    findings
}

fn lost_fields<'a>(context: &'a Context<'_>) -> impl Iterator<Item = Finding> + 'a {
    let is_digest_alone = context.schema.key.stored().next().is_none();
    let fields = context.schema.key.fields.entries().filter(move |_| is_digest_alone);
    let lost = fields.filter(|(_, field)| !field.stored && context.schema.column(&field.name).is_none());
    lost.map(|(id, field)| {
        let message = format!("the value of `{}` is not stored", field.name);
        let finding =
            RULE.at(context, context.field_entry(id, "stored"), message, "not in the key, and no column");
        finding.help(format!("add a column named `{}`", field.name))
    })
}
