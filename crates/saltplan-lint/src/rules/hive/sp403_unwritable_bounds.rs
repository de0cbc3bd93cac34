use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::schema::model::MappingTable;
use saltplan_document::diag::Span;

pub static RULE: Rule = Rule::new(include_str!("sp403_unwritable_bounds.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    // With one scan, bounds are written as hex digits.
    if context.schema.mapping().is_none_or(MappingTable::has_jar) {
        return None;
    }
    let (what, span) = binary_salt(context).or_else(|| binary_field(context))?;
    let message = format!("{what} is binary: not every bound of a range can be written in Hive");
    let place = context.places.entry_near(&["hive", "mapping", "key_column"]);
    let finding = RULE.at(context, span, message, "not always UTF-8 text").cause(place, "read as a string");
    Some(
        finding.help(
            "store it as text if Hive has to read ranges, or read it with `scan` or with `one_scan: true`",
        ),
    )
}

fn binary_salt(context: &Context<'_>) -> Option<(String, Span)> {
    let salt = context.schema.key.salt.as_ref()?;
    let is_text =
        context.salts().is_some_and(|salts| salts.iter().all(|salt| std::str::from_utf8(salt).is_ok()));
    let is_binary = salt.write.is_binary();
    (is_binary && !is_text).then(|| ("the salt".to_string(), context.salt_entry(salt, "write")))
}

fn binary_field(context: &Context<'_>) -> Option<(String, Span)> {
    let (id, field) = context.stored_fields().find(|(_, field)| !field.kind.is_text_in_key())?;
    Some((format!("`{}`", field.name), context.field_entry(id, "encoding")))
}
