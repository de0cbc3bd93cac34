use crate::context::Context;
use crate::rule::{Detector, Finding, Rule};
use saltplan_core::diag::Severity;
use saltplan_core::key::salt::{Abs, HashCode, ModuloSalt, Reduce, SaltScheme};

pub static RULE: Rule = Rule {
    code: "SP108",
    name: "negative-salt",
    severity: Severity::Warning,
    summary: "The remainder or the mask allows negative salts.",
    why: "\
Java's `%` keeps the sign of the dividend, and a mask with the highest bit keeps the sign of a hash. There are then
nearly twice as many salts as the modulus says. As text, negative ones sort before all others; in two's complement,
after all others: they share one region, however the table is split. Hive's `%` does the same but its `pmod` does not,
so a salt built with `pmod` differs from the writer's. If the field is never negative, say so: `min: 0`.",
    learned: "Java language specification 15.17.3; measured in Hive 2.3.9 and 3.1.3: `%` keeps the sign, `pmod` does not",
    fires: "\
key:
  salt:
    java_hash: { of: [name], »abs: none«, modulo: 8, write: decimal, then: '_' }
  fields:
    - { name: name, type: string }
",
    corrected: "\
key:
  salt:
    java_hash: { of: [name], abs: after, modulo: 8, write: decimal, then: '_' }
  fields:
    - { name: name, type: string }
",
    check: Detector::Schema(check),
};

fn check(context: &Context<'_>) -> Vec<Finding> {
    let key = &context.schema.key;
    let Some(salt) = &key.salt else { return Vec::new() };
    if context.shows_no_sign(salt) {
        return Vec::new();
    }
    let hash = salt.scheme.hash_code(&key.fields).filter(HashCode::is_signed);
    let (entry, cause, help) = match (&salt.scheme, hash.map(|hash| hash.reduce)) {
        (SaltScheme::Modulo(ModuloSalt { field, by }), _) if *by > 1 => {
            let domain = context.field(*field).kind.domain();
            if domain.is_none_or(|domain| domain.start >= 0) {
                return Vec::new();
            }
            let (declared, field) = (context.places.field(*field), context.field(*field));
            let help = "add `min: 0` to the field if it is never negative";
            ("by", Some((declared, format!("`{}` can be negative", field.name))), help)
        }
        (_, Some(Reduce::Modulo { by, abs: Abs::None })) if by > 1 => {
            ("abs", None, "write `abs: after` here and in the code that writes the keys")
        }
        (_, Some(Reduce::Mask(mask))) if mask < 0 => {
            ("mask", None, "write a mask without the highest bit, such as `0x7FFFFFFF`")
        }
        _ => return Vec::new(),
    };
    let message = "the salt of a row can be negative";
    let finding = RULE.at(context, context.salt_entry(salt, entry), message, "keeps the sign");
    let finding = match cause {
        Some((span, label)) => finding.cause(span, label),
        None => finding,
    };
    vec![finding.help(help)]
}
