//! Readers of small values that several parts of a schema share.

use super::{FileValue, Reader};
use crate::diag::{Span, Spanned};
use crate::key::field::{Field, FieldKind};
pub use crate::key::range::MAX_KEY_BYTES;
use crate::key::range::hex_byte;
use crate::key::time_format::TimeFormat;
use crate::key::time_pattern::{PatternError, TimePattern};
use crate::schema::wording::{excerpt, shorten};
use crate::schema::{NameFault, hive_type, names};

/// Characters of a reason that repeats text of the file.
pub const MAX_REASON: usize = 100;

/// Text as bytes, in the text form of HBase: `\xNN` is one byte, everything else its UTF-8.
pub fn bytes(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Spanned<Vec<u8>>> {
    let text = value.text(reader)?;
    match unescape(&text.value) {
        Some(bytes) if bytes.len() <= MAX_KEY_BYTES => Some(Spanned::new(bytes, text.span)),
        Some(_) => {
            let message = format!("longer than the {MAX_KEY_BYTES} bytes that a row key can have");
            reader.error(text.span, message, "too long", "shorten it");
            None
        }
        None => {
            reader.error(
                text.span,
                "`\\x` without two hex digits",
                "an unfinished escape",
                "write one byte as `\\xNN`, and a backslash before an `x` as `\\x5C`",
            );
            None
        }
    }
}

fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut parts = text.split("\\x");
    bytes.extend_from_slice(parts.next()?.as_bytes());
    for part in parts {
        bytes.push(hex_byte(part.as_bytes().get(..2)?)?);
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    Some(bytes)
}

/// A name of a key field, a Hive column, table or database.
pub fn hive_name(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Spanned<String>> {
    let text = value.text(reader)?;
    checked(reader, text, names::hive_name, ("a name", "use letters, digits and `_`"))
}

/// A Hive column type.
pub fn hive_type(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<String> {
    let text = value.text(reader)?;
    let Err(fault) = hive_type::parse(&text.value) else { return Some(text.value) };
    let message = format!("`{}` is not a Hive type", excerpt(&text.value));
    let diagnostic = reader.fault(text.span, message, shorten(&fault.reason, MAX_REASON));
    let diagnostic = diagnostic.with_help("write a type such as `string`, `bigint` or `decimal(18,2)`");
    let diagnostic = match &fault.unknown {
        Some(word) => reader.suggesting(diagnostic, word, hive_type::TYPES),
        None => diagnostic,
    };
    reader.report(diagnostic);
    None
}

/// A text that passes a check of [`names`]; `what` it should be, with its article, and how to write one.
pub fn checked(
    reader: &mut Reader<'_>,
    text: Spanned<String>,
    check: impl Fn(&str) -> Result<(), NameFault>,
    (what, help): (&str, &str),
) -> Option<Spanned<String>> {
    match check(&text.value) {
        Ok(()) => Some(text),
        Err(reason) => {
            reader.error(
                text.span,
                format!("`{}` is not {what}", excerpt(&text.value)),
                reason.to_string(),
                help,
            );
            None
        }
    }
}

/// A date format in Java's letters.
pub fn time_format(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<TimeFormat> {
    printed(reader, value, TimeFormat::parse, "write a format such as `yyyyMMdd` or `yyyyMMddHHmmss`")
}

/// Units of time in Java's letters.
pub fn time_pattern(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<TimePattern> {
    printed(reader, value, TimePattern::parse, "write a format such as `yyyyMMdd` or `HH`")
}

fn printed<T>(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    parse: impl Fn(&str) -> Result<T, PatternError>,
    help: &str,
) -> Option<T> {
    let text = value.text(reader)?;
    match parse(&text.value) {
        Ok(format) => Some(format),
        Err(reason) => {
            let message = format!("`{}` is not a date format", excerpt(&text.value));
            reader.error(text.span, message, shorten(&reason.to_string(), MAX_REASON), help);
            None
        }
    }
}

/// Whether a field can be printed so; else a report, for what is no time with `help`.
pub fn check_printed(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    pattern: &TimePattern,
    (field, declared): (&Field, Span),
    zoned: bool,
    help: &str,
) -> Option<()> {
    match &field.kind {
        FieldKind::Calendar(calendar) if pattern.units().max() > Some(calendar.format.granularity()) => {
            let message = format!("`{}` is finer than what `{}` stores", excerpt(pattern.text()), field.name);
            let fault = reader.fault(value.span(), message, "cannot be computed from the key");
            let stored = format!("stored as `{}`", excerpt(calendar.format.pattern()));
            reader.report(fault.with_label(declared, stored).with_help("use units that the field stores"));
            None
        }
        FieldKind::Epoch(_) if !zoned => {
            reader.error(
                value.span(),
                "formatting an instant needs a `time_zone`",
                "an instant as local time",
                "add a line such as `time_zone: Asia/Shanghai` to the schema",
            );
            None
        }
        FieldKind::Calendar(_) | FieldKind::Epoch(_) => Some(()),
        FieldKind::Text(_) | FieldKind::Integer(_) => {
            let fault = reader.fault(
                value.key_span(),
                format!("`{}` is not a date or timestamp", field.name),
                "has no format",
            );
            reader.report(fault.with_label(declared, "declared here").with_help(help));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::unescape;

    #[test]
    fn bytes_in_the_text_form_of_hbase() {
        assert_eq!(unescape(r"a\x00\xFFb").unwrap(), b"a\x00\xFFb");
        assert_eq!(unescape(r"\\x41").unwrap(), b"\\A");
        assert_eq!(unescape(r"a\b|").unwrap(), br"a\b|");
        assert_eq!(unescape("ü").unwrap(), "ü".as_bytes());
        for wrong in [r"\x", r"\x1", r"\xG0", r"\x1ü", r"\x+1"] {
            assert_eq!(unescape(wrong), None, "{wrong}");
        }
    }
}
