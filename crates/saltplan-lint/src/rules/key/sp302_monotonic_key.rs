use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_document::diag::Severity;

pub static RULE: Rule = Rule::new(include_str!("sp302_monotonic_key.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    let spread = context.salt_domain.as_ref().is_some_and(|salt_domain| salt_domain.count() > 1);
    let (id, field) = context.stored_fields().next().filter(|_| !spread)?;
    // Hashes do not grow.
    if context.schema.key.hashed.contains_key(&id) {
        return None;
    }
    let (message, severity, label) = match &field.kind {
        kind if kind.time().is_some() => (
            format!("keys start with the time `{}`: all writes go to one region", field.name),
            Severity::Warning,
            "grows with every row",
        ),
        kind if kind.is_number() => (
            format!(
                "keys start with the number `{}`: if it is a counter, all writes go to one region",
                field.name
            ),
            Severity::Note,
            "grows if it is a counter",
        ),
        _ => return None,
    };
    let finding = RULE.at(context, context.places.field(id), message, label).severity(severity);
    Some(finding.help("add a salt: `salt: { md5: { of: key, first_hex_digits: 1, write: hex } }`"))
}
