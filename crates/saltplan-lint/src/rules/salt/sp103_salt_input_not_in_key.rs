use crate::rule::{Context, Detector, Finding, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp103_salt_input_not_in_key.md"), Detector::Several(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    let key = &context.schema.key;
    // A key that is only a digest is computed from the fields, so this is fine; SP404 checks that they have
    // columns.
    if key.salt.is_none() || key.stored().next().is_none() {
        return Vec::new();
    }
    let lost = key.fields.entries().filter(|(_, field)| !field.stored);
    lost.map(|(id, field)| {
        let message = format!("the salt depends on `{}`, which is not in the row key", field.name);
        let span = context.field_entry(id, "stored");
        let finding = RULE.at(context, span, message, "cannot be computed from a row key");
        let help = format!("remove `{}` from the salt's inputs, or store it in the key", field.name);
        finding.cause(context.places.salt(), "the salt").help(help)
    })
    .collect()
}
