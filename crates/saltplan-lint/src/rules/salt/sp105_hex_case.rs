use crate::rule::{Context, Detector, Finding, Rule};
use saltplan_core::key::range::to_string_binary;
use saltplan_core::key::salt::SaltWrite;
use saltplan_core::schema::model::Regions;

pub static RULE: Rule = Rule::new(include_str!("sp105_hex_case.md"), Detector::Schema(check));

fn check(context: &Context<'_>) -> Option<Finding> {
    let key = &context.schema.key;
    let (Some(salt), Some(Regions::Explicit(splits))) = (&key.salt, &context.schema.regions) else {
        return None;
    };
    let (written, other) = match salt.write {
        SaltWrite::Hex => ("lower", "upper"),
        SaltWrite::UpperHex => ("upper", "lower"),
        SaltWrite::Decimal { .. }
        | SaltWrite::BigEndian { .. }
        | SaltWrite::Bytes
        | SaltWrite::Text
        | SaltWrite::Alphabet { .. } => {
            return None;
        }
    };
    let start = salt.behind.len();
    let width = salt.fixed_width(&key.fields).map_or(8, |width| width - start);
    let is_other = |split: &[u8]| {
        let Some(digits) = split.strip_prefix(salt.behind.as_slice()) else { return false };
        let salted = &digits[..width.min(digits.len())];
        let is_other = if other == "upper" { u8::is_ascii_uppercase } else { u8::is_ascii_lowercase };
        salted.iter().all(u8::is_ascii_hexdigit) && salted.iter().any(is_other)
    };
    let mut wrong = splits.iter().enumerate().filter(|(_, split)| is_other(split));
    let (index, first) = wrong.next()?;
    let more = wrong.count();
    let text = to_string_binary(first);
    let also = if more > 0 { format!(" (and {more} more)") } else { String::new() };
    let message = format!("the split key `{text}`{also} is in {other} case, the salts are in {written} case");
    let finding = RULE
        .at(
            context,
            context.places.split_key(index),
            message,
            format!("sorts {} all salts with a letter", if other == "upper" { "before" } else { "after" }),
        )
        .cause(context.salt_entry(salt, "write"), format!("{written}-case digits"));
    let (behind, digits) = text.split_at(to_string_binary(&salt.behind).len());
    let digits = if other == "upper" { digits.to_ascii_lowercase() } else { digits.to_ascii_uppercase() };
    let right = format!("{behind}{digits}");
    Some(finding.help(format!("write `'{right}'`")))
}
