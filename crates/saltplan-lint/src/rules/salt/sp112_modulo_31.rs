use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::salt::{Hash, HashCode, Reduction, SaltScheme};

pub static RULE: Rule = Rule::new(include_str!("sp112_modulo_31.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    let salt = context.schema.key.salt.as_ref()?;
    // The hash of a number is no sum of powers of 31.
    if matches!(&salt.scheme, SaltScheme::Hash(hash) if hash.hash == Hash::LongCode) {
        return None;
    }
    let hash = salt.scheme.hash_code(&context.schema.key.fields);
    let Some(HashCode { reduction: Reduction { modulo: Some(by), .. }, .. }) = hash else { return None };
    if by % 31 != 0 {
        return None;
    }
    let message = format!("a Java hash modulo {by} is skewed: the hash is a sum of powers of 31");
    let finding = RULE.at(context, context.salt_entry(salt, "modulo"), message, "a multiple of 31");
    Some(finding.help(format!("write `modulo: {}` here and in the code that writes the keys", by + 1)))
}
