use crate::rule::{Context, Detector, Finding, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp111_locale_of_lower_case.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    let key = &context.schema.key;
    let salt = key.salt.as_ref()?;
    let input = salt.inputs(&key.fields).into_iter().find(|input| input.lower)?;
    let name = &context.field(input.field).name;
    let message = format!("the lower case of `{name}` depends on the locale of the program that writes");
    let finding = RULE.at(context, context.salt_entry(salt, "of"), message, "lower-cased here");
    Some(finding.help("use `toLowerCase(Locale.ROOT)` in the code that writes the keys"))
}
