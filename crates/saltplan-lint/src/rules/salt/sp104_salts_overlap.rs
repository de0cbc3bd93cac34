use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::layout::RowKey;
use saltplan_core::key::range::to_string_binary;
use saltplan_core::key::salt::{Salt, SaltWrite};

pub static RULE: Rule = Rule::new(include_str!("sp104_salts_overlap.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    let key = &context.schema.key;
    let salt = key.salt.as_ref()?;
    // If nothing follows the salt, its end is not ambiguous.
    key.stored().next()?;
    if context.salts().is_some_and(of_one_width) {
        return None;
    }
    let message = match salt.overlapping_pair(&key.fields) {
        Some((short, long)) => {
            format!(
                "rows of the salts `{}` and `{}` cannot be distinguished",
                to_string_binary(&short),
                to_string_binary(&long)
            )
        }
        None if context.salts().is_none() && unpadded(salt, key) && !salt.ends_at_separator(&key.fields) => {
            let (short, long) = if salt.write == SaltWrite::Text { ("a", "ab") } else { ("1", "10") };
            format!("rows of salts such as `{short}` and `{long}` cannot be distinguished")
        }
        None => return None,
    };
    let finding =
        RULE.at(context, context.salt_entry(salt, "write"), message, "no fixed width and no separator");
    let help = match salt.write {
        SaltWrite::Text => "add a separator to the salt that it cannot contain, such as `then: '_'`",
        SaltWrite::Alphabet { .. } => "add a `width` to the alphabet, or `then: '_'` to the salt",
        _ => "write `{ decimal: width }`, or add `then: '_'` to the salt",
    };
    Some(finding.help(help))
}

fn unpadded(salt: &Salt, key: &RowKey) -> bool {
    match salt.write {
        SaltWrite::Decimal { width } | SaltWrite::Alphabet { width, .. } => width.is_none(),
        SaltWrite::Hex | SaltWrite::UpperHex | SaltWrite::Text => salt.fixed_width(&key.fields).is_none(),
        SaltWrite::BigEndian { .. } | SaltWrite::Bytes => false,
    }
}

/// Different salts of the same width are never prefixes of each other.
fn of_one_width(salts: &[Vec<u8>]) -> bool {
    salts.iter().zip(salts.iter().skip(1)).all(|(a, b)| a.len() == b.len())
}
