//! Bounds of values that are filled in when the statement runs, and the check that stops it before it writes where they are
//! none. Hive folds all of it to literals before it hands the bounds to the storage handler.

use super::hive_text::{hex_digits, least_text_from};
use crate::hiveql::ast::{BinaryOperator, Expr};
use crate::key::field::{Field, FieldKind};
use crate::key::range::{KeyRange, prefix_successor};
use crate::key::time_format::TimeFormat;
use crate::key::time_pattern::{Granularity, TimePattern};
use crate::predicate::runtime::{RuntimeCondition, RuntimeRange, RuntimeValue};

const ISO: &str = "yyyy-MM-dd";

/// What schedulers and Hive leave where nobody has filled in a text; each is built of two literals, so that it is none itself.
const UNFILLED: [(&str, &str); 4] = [("$", "{"), ("$", "["), ("{", "{"), ("#", "{")];

/// The bounds of a range of values behind the bytes of a key that stand before the field, which are text.
pub(super) fn bounds(key: &Expr, field: &Field, prefix: &[u8], range: &RuntimeRange) -> Expr {
    let before = String::from_utf8_lossy(prefix).into_owned();
    let end = KeyRange::prefix(prefix.to_vec()).stop.and_then(|stop| least_text_from(&stop));
    let (start, stop) = match range {
        RuntimeRange::Is(value) if field.separator.is_empty() => {
            return key.binary(BinaryOperator::Eq, &literal(&before, value, ""));
        }
        RuntimeRange::Is(value) => {
            let separator = String::from_utf8_lossy(&field.separator);
            let behind = prefix_successor(&field.separator).and_then(|next| least_text_from(&next));
            (
                Some(literal(&before, value, &separator)),
                Some(literal(&before, value, &behind.unwrap_or_default())),
            )
        }
        RuntimeRange::Between { from, until } => {
            let bound = |value: &RuntimeValue| stored(field, value, &before);
            let least = (!before.is_empty()).then(|| Expr::text(&before));
            (
                from.as_ref().map(bound).or(least),
                until.as_ref().map(bound).or(end.map(|end| Expr::text(&end))),
            )
        }
    };
    between(key, start, stop)
}

/// [`bounds`] on the hex digits of a key whose bytes may be no text.
pub(super) fn hex_bounds(hex: &Expr, field: &Field, prefix: &[u8], range: &RuntimeRange) -> Expr {
    let before = hex_digits(prefix);
    let shown = |value: Expr, behind: &str| {
        let text = |part: &str| (!part.is_empty()).then(|| Expr::text(part));
        let parts = [text(&before), Some(Expr::call("hex", [value])), text(behind)];
        Expr::concatenated(parts.into_iter().flatten().collect())
    };
    let (start, stop) = match range {
        RuntimeRange::Is(value) if field.separator.is_empty() => {
            return hex.binary(BinaryOperator::Eq, &shown(literal("", value, ""), ""));
        }
        RuntimeRange::Is(value) => {
            // `G` sorts behind all digits.
            let behind = prefix_successor(&field.separator).map_or("G".into(), |next| hex_digits(&next));
            let bound = |behind: &str| Some(shown(literal("", value, ""), behind));
            (bound(&hex_digits(&field.separator)), bound(&behind))
        }
        RuntimeRange::Between { from, until } => {
            let bound = |value: &RuntimeValue| shown(stored(field, value, ""), "");
            let end = KeyRange::prefix(prefix.to_vec()).stop.map(|stop| Expr::text(hex_digits(&stop)));
            let least = (!before.is_empty()).then(|| Expr::text(&before));
            (from.as_ref().map(bound).or(least), until.as_ref().map(bound).or(end))
        }
    };
    between(hex, start, stop)
}

fn between(shown: &Expr, start: Option<Expr>, stop: Option<Expr>) -> Expr {
    let bounds = [(BinaryOperator::GtEq, start), (BinaryOperator::Lt, stop)];
    Expr::all(bounds.into_iter().filter_map(|(op, bound)| Some(shown.binary(op, &bound?))).collect())
}

/// Whether the bounds of a range can be written as text behind some bytes.
pub(super) fn are_text(field: &Field, prefix: &[u8], range: &RuntimeRange) -> bool {
    let separator = &field.separator;
    // Times end by their width.
    let ends_in_text = !matches!(range, RuntimeRange::Is(_))
        || separator.is_empty()
        || std::str::from_utf8(separator).is_ok()
            && prefix_successor(separator).is_some_and(|next| least_text_from(&next).is_some());
    std::str::from_utf8(prefix).is_ok() && ends_in_text
}

/// The value as it is filled in, where that is how the field stores it.
pub(super) fn as_stored(field: &Field, value: &RuntimeValue) -> Option<Expr> {
    let is_same = match &field.kind {
        FieldKind::Calendar(calendar) => value.given.format().is_none_or(|format| *format == calendar.format),
        _ => true,
    };
    (value.moved == 0 && is_same).then(|| literal("", value, ""))
}

/// The value as it is filled in, where that is what a pattern prints of it.
pub(super) fn as_printed(field: &Field, value: &RuntimeValue, pattern: &TimePattern) -> Option<Expr> {
    let FieldKind::Calendar(calendar) = &field.kind else { return None };
    let given = value.given.format().unwrap_or(&calendar.format);
    (value.moved == 0 && given.printed() == pattern).then(|| literal("", value, ""))
}

/// One literal where nothing before or behind the text could be taken for a part of it.
fn literal(before: &str, value: &RuntimeValue, behind: &str) -> Expr {
    let is_plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric());
    if is_plain(before) && is_plain(behind) {
        return Expr::filled_in(before, value.given.text(), behind);
    }
    let text = |part: &str| (!part.is_empty()).then(|| Expr::text(part));
    let parts = [text(before), Some(Expr::filled_in("", value.given.text(), "")), text(behind)];
    Expr::concatenated(parts.into_iter().flatten().collect())
}

/// A time as the field stores it, behind the text of the key before it.
fn stored(field: &Field, value: &RuntimeValue, before: &str) -> Expr {
    let FieldKind::Calendar(calendar) = &field.kind else { return literal(before, value, "") };
    if as_stored(field, value).is_some() {
        return literal(before, value, "");
    }
    let given = value.given.format().unwrap_or(&calendar.format);
    let moved = moved(&iso(&literal("", value, ""), given), calendar.format.granularity(), value.moved);
    let text = written(&moved, &calendar.format);
    if before.is_empty() { text } else { Expr::concatenated(vec![Expr::text(before), text]) }
}

/// The text of a day in a format as `yyyy-MM-dd`; of a month its first day.
fn iso(text: &Expr, format: &TimeFormat) -> Expr {
    if format.pattern() == ISO {
        return text.clone();
    }
    let part = |unit| {
        let (start, width) = format.place_of(unit)?;
        Some(text.substr(Expr::number(start + 1), Expr::number(width)))
    };
    let units = [Granularity::Year, Granularity::Month, Granularity::Day];
    let parts = units.into_iter().map(|unit| part(unit).unwrap_or_else(|| Expr::text("01")));
    let mut pieces = Vec::new();
    for part in parts {
        if !pieces.is_empty() {
            pieces.push(Expr::text("-"));
        }
        pieces.push(part);
    }
    Expr::concatenated(pieces)
}

/// `yyyy-MM-dd` moved by days or months; NULL of a text that is no day.
fn moved(iso: &Expr, unit: Granularity, by: i64) -> Expr {
    match unit {
        Granularity::Month => Expr::call("add_months", [iso.clone(), Expr::number(by)]),
        _ => Expr::call("date_add", [iso.clone(), Expr::number(by)]).cast("string"),
    }
}

/// `yyyy-MM-dd` in a format.
fn written(iso: &Expr, format: &TimeFormat) -> Expr {
    if format.pattern() == ISO {
        return iso.clone();
    }
    if format.is_digits() {
        let digits = match format.granularity() {
            Granularity::Month => iso.substr(Expr::number(1), Expr::number(7)),
            _ => iso.clone(),
        };
        return Expr::call("regexp_replace", [digits, Expr::text("-"), Expr::text("")]);
    }
    let places = [(Granularity::Year, 1), (Granularity::Month, 6), (Granularity::Day, 9)];
    let mut units: Vec<(usize, usize, usize)> = places
        .into_iter()
        .filter_map(|(unit, in_iso)| format.place_of(unit).map(|(start, width)| (start, width, in_iso)))
        .collect();
    units.sort_unstable();
    let sample: Vec<char> = format.format(format.domain().0).unwrap_or_default().chars().collect();
    let mut pieces = Vec::new();
    let mut at = 0;
    let between = |pieces: &mut Vec<Expr>, from: usize, to: usize| {
        let text: String = sample.get(from..to).unwrap_or_default().iter().collect();
        if !text.is_empty() {
            pieces.push(Expr::text(&text));
        }
    };
    for (start, width, in_iso) in units {
        between(&mut pieces, at, start);
        pieces.push(iso.substr(Expr::number(in_iso), Expr::number(width)));
        at = start + width;
    }
    between(&mut pieces, at, sample.len());
    Expr::concatenated(pieces)
}

/// What must hold of the values before anything is written: each is one of its field, and ranges are neither empty nor overlap.
pub(super) fn check(field: &Field, condition: &RuntimeCondition) -> Expr {
    let mut checks: Vec<Expr> = Vec::new();
    let mut add = |check: Expr| {
        if !checks.contains(&check) {
            checks.push(check);
        }
    };
    condition.values().for_each(|value| checks_of(field, value).into_iter().for_each(&mut add));
    for range in &condition.ranges {
        if let RuntimeRange::Between { from: Some(from), until: Some(until) } = range
            && !(from.name == until.name && from.moved < until.moved)
        {
            add(stored(field, from, "").binary(BinaryOperator::Lt, &stored(field, until, "")));
        }
    }
    for (index, one) in condition.ranges.iter().enumerate() {
        for other in &condition.ranges[index + 1..] {
            if let (Some(one), Some(other)) = (one.only(), other.only()) {
                add(stored(field, one, "").binary(BinaryOperator::NotEq, &stored(field, other, "")));
            }
        }
    }
    Expr::call("coalesce", [Expr::all(checks), Expr::truth(false)])
}

fn checks_of(field: &Field, value: &RuntimeValue) -> Vec<Expr> {
    let text = literal("", value, "");
    match &field.kind {
        FieldKind::Calendar(calendar) => {
            let given = value.given.format().unwrap_or(&calendar.format);
            let again = written(&moved(&iso(&text, given), given.granularity(), 0), given);
            let (start, width) = given.place_of(Granularity::Year).unwrap_or((0, 4));
            let year = text.substr(Expr::number(start + 1), Expr::number(width));
            // What is added to a day must not lead out of the years of four digits.
            vec![
                again.binary(BinaryOperator::Eq, &text),
                year.between(Expr::text("1000"), Expr::text("8999")),
            ]
        }
        kind => {
            let absent = |part: Expr| {
                Expr::call("instr", [text.clone(), part]).binary(BinaryOperator::Eq, &Expr::number(0))
            };
            let length = match kind {
                FieldKind::Text(field) if field.width.is_some() => Expr::call("octet_length", [text.clone()])
                    .binary(BinaryOperator::Eq, &Expr::number(field.width.unwrap_or_default())),
                _ => text.length().binary(BinaryOperator::Gt, &Expr::number(0)),
            };
            let unfilled = UNFILLED
                .iter()
                .map(|(a, b)| absent(Expr::concatenated(vec![Expr::text(*a), Expr::text(*b)])));
            // Bytes that are no text are in none.
            let separator = std::str::from_utf8(&field.separator).ok().filter(|text| !text.is_empty());
            let separator = separator.map(|separator| absent(Expr::text(separator)));
            std::iter::once(length).chain(unfilled).chain(separator).collect()
        }
    }
}
