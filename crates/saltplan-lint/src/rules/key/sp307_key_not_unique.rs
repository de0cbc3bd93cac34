use super::is_variable;
use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::field::FieldKind;
use saltplan_core::key::salt::{Cut, HashSalt, Salt, SaltInputs, SaltScheme, Spelling, Take};

pub static RULE: Rule = Rule::new(include_str!("sp307_key_not_unique.md"), Detector::Schema(check));

/// The number of hex digits that are considered enough to distinguish the rows of any table: 64 bits.
const ENOUGH_DIGITS: usize = 16;

fn check(context: &Context<'_>) -> Option<Finding> {
    let key = &context.schema.key;
    if key.stored().next().is_none() {
        return digest_alone(context, key.salt.as_ref()?);
    }
    let shared = context.stored_fields().all(|(_, field)| {
        field.kind.time().is_some() || matches!(&field.kind, FieldKind::Text(text) if text.values.is_some())
    });
    if !shared {
        return None;
    }
    let span = context.node(&[]).and_then(|root| root.entry("key")).map(|entry| entry.key.span);
    let names: Vec<String> = context.stored_fields().map(|(_, field)| format!("`{}`", field.name)).collect();
    let message = format!("rows with the same {} have the same key", names.join(", "));
    let finding = RULE.at(
        context,
        span.unwrap_or_else(|| context.places.row_key()),
        message,
        "nothing in it identifies a row",
    );
    Some(finding.help("add a field that identifies the row, such as an event id"))
}

fn digest_alone(context: &Context<'_>, salt: &Salt) -> Option<Finding> {
    let (inputs, joined_by, digits, key, more) = match &salt.scheme {
        SaltScheme::Hash(HashSalt {
            spelling,
            hash,
            of: SaltInputs::List(inputs),
            joined_by,
            take: Take::HexDigits(digits),
            ..
        }) if hash.is_cryptographic() => match spelling {
            Spelling::Md5 => (inputs, joined_by, digits.count, "first_hex_digits", "32".to_string()),
            _ => (inputs, joined_by, digits.count, "hex_digits", format!("[1, {}]", hash.hex_digits())),
        },
        _ => {
            let message = "the key is a number with few values: rows share keys";
            let finding =
                RULE.at(context, context.places.salt(), message, "nothing else is stored in the key");
            return Some(finding.help("store the fields in the key, or use the whole MD5"));
        }
    };
    if digits < ENOUGH_DIGITS {
        let message =
            format!("{digits} hex digits cannot distinguish many rows, and nothing else is in the key");
        let finding = RULE.at(context, context.salt_entry(salt, key), message, "too few for a key");
        return Some(finding.help(format!("write `{key}: {more}`")));
    }
    let (_, before_last) = inputs.split_last()?;
    let open = before_last.iter().find(|input| {
        let field = context.field(input.field);
        match input.cut {
            Cut::Whole => {
                is_variable(field) && (joined_by.is_empty() || field.kind.may_hold_part_of(joined_by))
            }
            Cut::Original => joined_by.is_empty() || field.kind.may_hold_part_of(joined_by),
            Cut::First(_) | Cut::Last(_) | Cut::Bytes { .. } | Cut::Format(_) => false,
        }
    })?;
    let field = context.field(open.field);
    let message = format!(
        "rows whose columns join to the same text have the same key: `{}` may end anywhere",
        field.name
    );
    let finding =
        RULE.at(context, context.salt_entry(salt, "of"), message, "joined without a clear boundary");
    let finding = finding.cause(context.places.field(open.field), "of variable length");
    Some(finding.help("add a `joined_by` that the values cannot contain, or give the field a `width`"))
}
