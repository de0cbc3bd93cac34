//! How the salt's number is written in front of the key.

use std::ops::RangeInclusive;

use super::{MAX_DECIMAL_WIDTH, MAX_NUMBER_DIGITS};
use crate::diag::Span;
use crate::schema::model::{Abs, Reduce, SaltScheme, SaltWrite};
use crate::schema::read::{Reader, Value};

pub(super) fn write(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<SaltWrite> {
    if value.is_mapping() {
        let ((), width) = value.variant(reader, &[("decimal", ())])?;
        let width = width.number(reader, 1..=MAX_DECIMAL_WIDTH)?;
        return Some(SaltWrite::Decimal { width: Some(width) });
    }
    let words = [
        ("decimal", SaltWrite::Decimal { width: None }),
        ("hex", SaltWrite::Hex),
        ("be16", SaltWrite::Be16),
        ("be32", SaltWrite::Be32),
        ("be64", SaltWrite::Be64),
    ];
    value.word(reader, &words)
}

/// Whether the salt's numbers fit the way they are written.
pub(super) fn check_write(
    reader: &mut Reader<'_>,
    scheme: &SaltScheme,
    write: SaltWrite,
    span: Span,
) -> Option<()> {
    if let SaltScheme::Md5 { first_hex_digits, .. } = scheme
        && *first_hex_digits > MAX_NUMBER_DIGITS
        && write != SaltWrite::Hex
    {
        let message = format!("{first_hex_digits} hex digits do not fit a number of 8 bytes");
        reader.error(
            span,
            message,
            "written as a number",
            format!("write `hex`, or take at most {MAX_NUMBER_DIGITS} digits"),
        );
        return None;
    }
    let Some(numbers) = numbers(scheme) else { return Some(()) };
    match write {
        SaltWrite::Decimal { width: Some(width) } => check_width(reader, &numbers, width, span),
        SaltWrite::Be16 => warn_narrowing(reader, &numbers, 16, span),
        SaltWrite::Be32 => warn_narrowing(reader, &numbers, 32, span),
        SaltWrite::Decimal { width: None } | SaltWrite::Hex | SaltWrite::Be64 => Some(()),
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
    let message = format!("the salt reaches {widest}, which needs a width of {longest}");
    reader.error(span, message, "too narrow", format!("write `{{ decimal: {longest} }}`"));
    None
}

/// Java's cast to `short` or `int` keeps the low bytes. That is well defined, and hardly ever meant.
fn warn_narrowing(
    reader: &mut Reader<'_>,
    numbers: &RangeInclusive<i128>,
    bits: u32,
    span: Span,
) -> Option<()> {
    // A bit pattern that fits unsigned loses nothing either.
    let fits = *numbers.start() >= -(1 << (bits - 1)) && *numbers.end() < 1 << bits;
    if !fits {
        let bytes = bits / 8;
        let widest = if *numbers.end() >= 1 << bits { numbers.end() } else { numbers.start() };
        let message = format!("the salt reaches {widest}, of which `be{bits}` keeps the low {bytes} bytes");
        let warning = reader.warning(span, message, "cut, as a Java cast does");
        reader.report(
            warning.with_help(format!("write `be{}` unless the code that writes the keys casts", bits * 2)),
        );
    }
    Some(())
}

/// The least and the greatest number of a salt in ordinary rows; the negative numbers that only the absolute value of
/// `Integer.MIN_VALUE` leads to are left out. `None` for MD5 digits that are no number.
fn numbers(scheme: &SaltScheme) -> Option<RangeInclusive<i128>> {
    match scheme {
        SaltScheme::Md5 { first_hex_digits, .. } if *first_hex_digits <= MAX_NUMBER_DIGITS => {
            Some(0..=(1 << (4 * first_hex_digits)) - 1)
        }
        SaltScheme::Md5 { .. } => None,
        SaltScheme::JavaHash { reduce: Reduce::Mask(mask), .. } if *mask < 0 => {
            Some(i128::from(i32::MIN)..=i128::from(*mask & i32::MAX))
        }
        SaltScheme::JavaHash { reduce: Reduce::Mask(mask), .. } => Some(0..=i128::from(*mask)),
        SaltScheme::JavaHash { reduce: Reduce::Modulo { by, abs: Abs::None }, .. } => {
            Some(1 - i128::from(*by)..=i128::from(*by) - 1)
        }
        SaltScheme::JavaHash { reduce: Reduce::Modulo { by, .. }, .. } => Some(0..=i128::from(*by) - 1),
        SaltScheme::Modulo { by, .. } => Some(0..=i128::from(*by) - 1),
        SaltScheme::Random { below } => Some(0..=i128::from(*below) - 1),
    }
}
