//! Reading bytes and times from files.

use super::field::{Field, FieldTime};
use super::range::{MAX_KEY_BYTES, hex_byte};
use saltplan_document::diag::{Span, Spanned};
use saltplan_document::reader::{FileValue, Reader};
use saltplan_document::wording::{MAX_REASON, excerpt, shorten};
use saltplan_sql::time::format::TimeFormat;
use saltplan_sql::time::pattern::{PatternError, TimePattern};

/// Text as bytes, in HBase's text form: `\xNN` is one byte, everything else is UTF-8.
pub fn bytes(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Spanned<Vec<u8>>> {
    let text = value.text(reader)?;
    match unescape(&text.value) {
        Some(bytes) if bytes.len() <= MAX_KEY_BYTES => Some(Spanned::new(bytes, text.span)),
        Some(_) => {
            let message = format!("longer than {MAX_KEY_BYTES} bytes, the limit for a row key");
            reader.reject(text.span, message, "too long", "shorten it")
        }
        None => reader.reject(
            text.span,
            "`\\x` without two hex digits",
            "an unfinished escape",
            "write a byte as `\\xNN`, and a backslash before an `x` as `\\x5C`",
        ),
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
    let parse = |text: &str| parse(text).map_err(|reason| shorten(&reason.to_string(), MAX_REASON));
    reader.parsed(&text, parse, "a date format", help)
}

/// Checks that a field can be printed in a format, and reports an error if not; `help` is for fields without
/// a time.
pub(crate) fn check_printed(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    pattern: &TimePattern,
    (field, declared): (&Field, Span),
    zoned: bool,
    help: &str,
) -> Option<()> {
    match field.kind.time() {
        Some(FieldTime::Local(calendar)) if pattern.units().max() > Some(calendar.format.granularity()) => {
            let message = format!("`{}` is finer than what `{}` stores", excerpt(pattern.text()), field.name);
            let fault = reader.fault(value.span(), message, "cannot be computed from the key");
            let stored = format!("stored as `{}`", excerpt(calendar.format.pattern()));
            reader.rejected(fault.with_label(declared, stored).with_help("use units that the field stores"))
        }
        Some(FieldTime::Instant(_)) if !zoned => reader.reject(
            value.span(),
            "formatting an instant needs a `time_zone`",
            "an instant as local time",
            "add a line such as `time_zone: Asia/Shanghai` to the schema",
        ),
        Some(_) => Some(()),
        None => {
            let fault = reader.fault(
                value.key_span(),
                format!("`{}` is not a date or timestamp", field.name),
                "has no format",
            );
            reader.rejected(fault.with_label(declared, "declared here").with_help(help))
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
