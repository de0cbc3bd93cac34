use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::field::FieldKind;

pub static RULE: Rule = Rule::new(include_str!("sp113_field_spreads.md"), Detector::Schema(check));

/// Texts of this width have too few values to spread writes by themselves.
const NARROW: usize = 2;

fn check(context: &Context<'_>) -> Option<Finding> {
    let (Some(salt), Some(salt_domain)) = (&context.schema.key.salt, &context.salt_domain) else {
        return None;
    };
    let (id, field) = context.stored_fields().next().filter(|_| salt_domain.count() > 1)?;
    let FieldKind::Text(text) = &field.kind else { return None };
    let is_narrow = text.width.is_some_and(|width| width <= NARROW);
    // SP107 reports random salts.
    if text.values.is_some() || is_narrow || !salt.scheme.takes_whole_key() {
        return None;
    }
    let name = &field.name;
    let message =
        format!("a query for one `{name}` reads every salt, and `{name}` spreads the rows by itself");
    let finding = RULE.at(context, context.places.salt(), message, "not known from the field alone");
    let finding = finding.cause(context.places.field(id), "many values, in no order of time");
    Some(finding.help(format!(
        "in a new table, leave the salt out or compute it from this field alone: `of: [{name}]`"
    )))
}
