use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::salt::{Cut, Hash, HashSalt, SaltInput, SaltScheme};

pub static RULE: Rule = Rule::new(include_str!("sp110_hive_hash_of_wide_text.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    let key = &context.schema.key;
    let salt = key.salt.as_ref()?;
    let mapped = context.schema.hive.as_ref().is_some_and(|hive| hive.mapping.is_some());
    let SaltScheme::Hash(HashSalt { hash: Hash::StringCode | Hash::ObjectsCode, of, .. }) = &salt.scheme
    else {
        return None;
    };
    let is_wide = |input: &&SaltInput| {
        let kind = &context.field(input.field).kind;
        match input.cut {
            Cut::Format(_) => false,
            _ if kind.number().is_some() => false,
            _ => !kind.is_ascii_in_key(),
        }
    };
    let inputs = of.list(&context.schema.key.fields);
    let input = inputs.iter().find(is_wide)?;
    if !mapped {
        return None;
    }
    let field = context.field(input.field);
    let message = format!("for non-ASCII text in `{}` Hive computes another salt than Java", field.name);
    let finding = RULE
        .at(context, context.salt_entry(salt, "of"), message, "hashed with `String.hashCode`")
        .cause(context.places.field(input.field), "may contain any character");
    Some(
        finding.help(format!(
            "declare the characters of `{}`, such as `chars: alnum`, or use `md5`",
            field.name
        )),
    )
}
