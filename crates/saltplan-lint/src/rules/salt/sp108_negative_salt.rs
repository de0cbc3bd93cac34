use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::salt::{Abs, HashCode, ModuloSalt, Reduction, SaltScheme};

pub static RULE: Rule = Rule::new(include_str!("sp108_negative_salt.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    let key = &context.schema.key;
    let salt = key.salt.as_ref()?;
    if context.shows_no_sign(salt) {
        return None;
    }
    let hash = salt.scheme.hash_code(&key.fields).filter(HashCode::is_signed);
    let (entry, cause, help) = match (&salt.scheme, hash.map(|hash| hash.reduction)) {
        (SaltScheme::Modulo(ModuloSalt { field, by }), _) if *by > 1 => {
            let domain = context.field(*field).kind.domain();
            if domain.is_none_or(|domain| domain.start >= 0) {
                return None;
            }
            let (declared, field) = (context.places.field(*field), context.field(*field));
            let help = "add `min: 0` to the field if it is never negative";
            ("by", Some((declared, format!("`{}` can be negative", field.name))), help)
        }
        (_, Some(Reduction { mask: None, abs: Abs::None, modulo: Some(by), .. })) if by > 1 => {
            ("abs", None, "write `abs: after` here and in the code that writes the keys")
        }
        (_, Some(Reduction { mask: Some(mask), .. })) if mask < 0 => {
            ("mask", None, "write a mask without the highest bit, such as `0x7FFFFFFF`")
        }
        _ => return None,
    };
    let message = "the salt of a row can be negative";
    let finding = RULE.at(context, context.salt_entry(salt, entry), message, "keeps the sign");
    let finding = match cause {
        Some((span, label)) => finding.cause(span, label),
        None => finding,
    };
    Some(finding.help(help))
}
