//! How the salt's number is stored at the start of the key.

use std::ops::RangeInclusive;

use crate::key::salt::{Alphabet, Numbers, SaltWrite};
use saltplan_document::diag::{DiagnosticKind, Span};
use saltplan_document::format::{Choice, Key, Map, OneOf, Text, ValueType, number, optional, required, word};
use saltplan_document::reader::{FileValue, FromFile, Reader};

/// How the salt's number is stored; `decimal` may have a width.
pub static WORDS: Choice<SaltWrite> = Choice(&[
    word("decimal", SaltWrite::Decimal { width: None }, "text without padding"),
    word("hex", SaltWrite::Hex, "lower-case hex digits"),
    word("HEX", SaltWrite::UpperHex, "hex digits in capitals"),
    word("bytes", SaltWrite::Bytes, "the hex digits of a digest as bytes, two digits each"),
    word("be8", SaltWrite::BigEndian { bytes: 1 }, "one byte"),
    word("be16", SaltWrite::BigEndian { bytes: 2 }, "two bytes, big-endian"),
    word("be32", SaltWrite::BigEndian { bytes: 4 }, "four bytes, big-endian"),
    word("be64", SaltWrite::BigEndian { bytes: 8 }, "eight bytes, big-endian"),
]);

pub static WIDTH: Key = required("decimal", number(1, 64), "2", "Digits, padded with zeros.");

/// `{ decimal: width }`
pub(crate) static PADDED: OneOf<()> =
    OneOf { about: "Text of a fixed width.", forms: &[(&WIDTH, ())], misplaced: &[] };

pub static ALPHABET: Key = required(
    "alphabet",
    ValueType::Text(Text::Alphabet),
    "0-9a-z",
    "The digits of a base in their order: characters, and ranges of them.",
);
pub static ALPHABET_WIDTH: Key =
    optional("width", number(1, 64), "4", "Digits, padded with the first character of the alphabet.");

/// `{ alphabet: 0-9a-z, width: 4 }`
pub(crate) static DIGITS: Map = Map {
    about: "Digits of another base, or one character of an alphabet.",
    keys: &[&ALPHABET, &ALPHABET_WIDTH],
    cases: &[],
    misplaced: &[],
};

pub static WRITE: Key = required(
    "write",
    ValueType::Either(&[ValueType::Words(&WORDS), ValueType::Forms(&PADDED), ValueType::Map(&DIGITS)]),
    "hex",
    "How the salt is stored.",
);

pub static THEN: Key = optional(
    "then",
    ValueType::Text(Text::Bytes),
    "'_'",
    "Separator after the salt, if it differs from the `separator` of the key.",
);

pub fn write(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<SaltWrite> {
    if value.has(&ALPHABET) {
        return value.mapping(reader, |reader, fields| {
            let alphabet = fields.required(reader, &ALPHABET, alphabet);
            let width = fields.optional(reader, &ALPHABET_WIDTH, usize::from_file);
            Some(SaltWrite::Alphabet { alphabet: alphabet?, width: width? })
        });
    }
    if value.is_mapping() {
        let ((), width) = value.variant(reader, &PADDED)?;
        let width = width.number(reader)?;
        return Some(SaltWrite::Decimal { width: Some(width) });
    }
    value.word(reader)
}

fn alphabet(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Alphabet> {
    let text = value.text(reader)?;
    match Alphabet::parse(&text.value) {
        Ok(alphabet) => Some(alphabet),
        Err(reason) => {
            let help = "write characters and ranges, such as `0-9a-zA-Z`";
            reader.reject(text.span, reason, "not an alphabet", help)
        }
    }
}

/// Checks that the numbers of the salt fit their stored form.
pub(crate) fn check_write(
    reader: &mut Reader<'_>,
    numbers: &Numbers,
    write: SaltWrite,
    span: Span,
) -> Option<()> {
    if write == SaltWrite::Bytes {
        return check_bytes(reader, numbers, span);
    }
    let Some(usual) = numbers.usual_range() else {
        if write.is_hex() {
            return Some(());
        }
        let digits = numbers.hex_digits().unwrap_or_default();
        let message = format!("{digits} hex digits do not fit an 8-byte number");
        let remedy = format!("write `hex`, or use at most {} digits", Numbers::MAX_NUMBER_DIGITS);
        return reader.reject(span, message, "written as a number", remedy);
    };
    match write {
        SaltWrite::Alphabet { alphabet, width } => {
            check_alphabet(reader, &numbers.range().unwrap_or(usual), alphabet, width, span)
        }
        SaltWrite::Decimal { width: Some(width) } => check_width(reader, &usual, width, span),
        SaltWrite::BigEndian { bytes } if bytes < 8 => warn_narrowing(reader, &usual, bytes, span),
        _ => Some(()),
    }
}

/// Bytes are made of whole pairs of hex digits.
fn check_bytes(reader: &mut Reader<'_>, numbers: &Numbers, span: Span) -> Option<()> {
    match numbers.hex_digits() {
        Some(digits) if digits.is_multiple_of(2) => Some(()),
        Some(digits) => {
            let message = format!("{digits} hex digits are not whole bytes");
            reader.reject(
                span,
                message,
                "half a byte is left",
                "take an even number of digits, or write `hex`",
            )
        }
        None => {
            let message = "only hex digits of a digest can be written as `bytes`";
            reader.reject(span, message, "the salt is a number", "write `be8`, `be16`, `be32` or `be64`")
        }
    }
}

fn check_width(
    reader: &mut Reader<'_>,
    numbers: &RangeInclusive<i128>,
    width: usize,
    span: Span,
) -> Option<()> {
    let longest = numbers.start().to_string().len().max(numbers.end().to_string().len());
    if longest <= width {
        return Some(());
    }
    let widest = if numbers.start().to_string().len() == longest { numbers.start() } else { numbers.end() };
    let message = format!("the greatest salt is {widest}, which needs a width of {longest}");
    reader.reject(span, message, "too narrow", format!("write `{{ decimal: {longest} }}`"))
}

/// The digits of an alphabet have no sign.
fn check_alphabet(
    reader: &mut Reader<'_>,
    numbers: &RangeInclusive<i128>,
    alphabet: Alphabet,
    width: Option<usize>,
    span: Span,
) -> Option<()> {
    if *numbers.start() < 0 {
        return reader.reject(
            span,
            format!("the salt can be {}, which an alphabet cannot write", numbers.start()),
            "written without a sign",
            "write `abs: after` if the code has `Math.abs`: it fails for the one hash for which the two differ",
        );
    }
    let longest = alphabet.digits_of(*numbers.end());
    match width {
        Some(width) if width < longest => {
            let message = format!("the greatest salt is {}, which has {longest} digits", numbers.end());
            reader.reject(span, message, "too narrow", format!("write `width: {longest}`"))
        }
        _ => Some(()),
    }
}

/// Java's cast to `short` or `int` keeps the low bytes. That is well defined, but rarely intended.
fn warn_narrowing(
    reader: &mut Reader<'_>,
    numbers: &RangeInclusive<i128>,
    bytes: usize,
    span: Span,
) -> Option<()> {
    let bits = 8 * bytes;
    // A number that fits as unsigned bits loses nothing either.
    let fits = *numbers.start() >= -(1 << (bits - 1)) && *numbers.end() < 1 << bits;
    if !fits {
        let widest = if *numbers.end() >= 1 << bits { numbers.end() } else { numbers.start() };
        let kept = if bytes == 1 { "byte".to_string() } else { format!("{bytes} bytes") };
        let message = format!("the greatest salt is {widest}, but `be{bits}` keeps only the low {kept}");
        let warning = reader
            .warning(span, message, "truncated, as by a Java cast")
            .with_kind(DiagnosticKind::Truncated);
        reader.report(
            warning.with_help(format!("write `be{}`, unless the code that writes the keys casts", bits * 2)),
        );
    }
    Some(())
}
