use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::field::FieldKind;
use saltplan_core::key::salt::Cut;

pub static RULE: Rule = Rule::new(include_str!("sp114_salt_over_prefixes.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    let key = &context.schema.key;
    let (Some(salt), Some(salt_domain)) = (&key.salt, &context.salt_domain) else { return None };
    if salt_domain.count() < 2 {
        return None;
    }
    let inputs = salt.inputs(&key.fields);
    let reversed = inputs.iter().find(|input| {
        let is_reversed = matches!(&context.field(input.field).kind, FieldKind::Text(text) if text.reverse);
        is_reversed && matches!(input.cut, Cut::Whole | Cut::Original)
    });
    let input = reversed?;
    let name = &context.field(input.field).name;
    let message = format!("a query by the end of `{name}` reads every salt");
    let finding = RULE.at(context, context.salt_entry(salt, "of"), message, format!("takes `{name}` whole"));
    let finding =
        finding.cause(context.places.field(input.field), "reversed, so that such queries are ranges");
    Some(finding.help(format!("in a new table, leave `{name}` out of the salt, or leave the salt out")))
}
