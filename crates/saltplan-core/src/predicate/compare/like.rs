//! LIKE: exact where the fixed part of a pattern makes one range.

use super::calendar::text_range_as_numbers;
use super::remarks::Remarks;
use super::text::{CUT, ShownText, may_be_cut, reversed, units};
use super::truth::{Comparison, NotUsed, Truth, not_used};
use super::written;
use crate::key::field::{Field, FieldKind, TextField};
use crate::key::interval::IntervalSet;
use crate::key::range::KeyRange;
use crate::predicate::constant::Constant;
use crate::predicate::like::{LikePattern, PatternRest};
use crate::predicate::term::{Printed, ReadAs, View};
use crate::predicate::values::ValueSet;

/// The values of the field that match a pattern.
///
/// # Errors
/// The pattern makes no set of values.
pub(super) fn like(
    field: &Field,
    view: &View,
    pattern: &LikePattern,
    remarks: &mut Remarks,
) -> Result<Truth, NotUsed> {
    let kind = &field.kind;
    if let FieldKind::Calendar(calendar) = kind
        && *view == View::Whole
        && !calendar.hive_type.is_stored_form()
    {
        return not_used(format!(
            "Hive matches the text of a {}, not the stored form",
            calendar.hive_type.name()
        ));
    }
    let view = match view {
        view if is_written(kind, view) => &View::Written,
        View::Printed(printed) if is_own_text(kind, printed) => &View::Whole,
        view => view,
    };
    match pattern.rest {
        PatternRest::Nothing => return like_text(field, view, &pattern.prefix, remarks),
        PatternRest::Anything if pattern.prefix.is_empty() => {
            return Ok(Truth::two_valued(ValueSet::all(kind), kind));
        }
        PatternRest::Anything => {}
        PatternRest::More => {
            let yes = pattern.suffix.as_deref().and_then(|suffix| like_suffix(kind, view, suffix));
            return match yes {
                Some(yes) => Ok(Truth::two_valued(yes, kind)),
                None if pattern.prefix.is_empty() => not_used(format!(
                    "the pattern begins with a wildcard, and a range holds texts with one start; `{} LIKE 'x%'` would make one",
                    field.name
                )),
                None => not_used("only the start of the pattern makes a range"),
            };
        }
    }
    like_prefix(kind, view, &pattern.prefix)
        .map(|yes| Truth::two_valued(yes, kind))
        .ok_or_else(|| NotUsed(format!("the values of `{}` are not stored in this order", field.name)))
}

/// `LIKE` without a wildcard: the text itself. Unlike `=` it knows no other spelling of a date or a number.
fn like_text(field: &Field, view: &View, text: &str, remarks: &mut Remarks) -> Result<Truth, NotUsed> {
    match (&field.kind, view) {
        (FieldKind::Text(declared), view) if *view != View::Digits => {
            let shown = ShownText { field, text: declared, view };
            shown.compare(Comparison::Equal, &Constant::Text(text.to_string()), remarks)
        }
        (FieldKind::Calendar(calendar), View::Whole) => {
            let yes = calendar.format.parse_text(text).map_or_else(IntervalSet::empty, |ordinal| {
                IntervalSet::range(ordinal.into(), Some(i128::from(ordinal) + 1))
            });
            Ok(Truth::two_valued(ValueSet::numbers(&field.kind, &yes), &field.kind))
        }
        (FieldKind::Integer(_), View::Written) => {
            written::compare(field, Comparison::Equal, &Constant::Text(text.to_string()))
        }
        _ => not_used(format!("`{}` is not text", field.name)),
    }
}

/// The values that start with this text, where they are one range.
pub(super) fn like_prefix(kind: &FieldKind, view: &View, prefix: &str) -> Option<ValueSet> {
    match (kind, view) {
        (FieldKind::Text(TextField { reverse: false, .. }), View::Whole)
        | (FieldKind::Text(TextField { reverse: true, .. }), View::Reversed) => Some(ValueSet::Text(
            IntervalSet::from_intervals(vec![KeyRange::prefix(prefix.as_bytes().to_vec())]),
        )),
        (FieldKind::Text(text @ TextField { reverse: false, .. }), View::Prefix(count)) => {
            // Of a character that is cut in two a `?` stays.
            let is_cut = units(prefix) == *count && prefix.ends_with(CUT) && may_be_cut(text);
            match units(prefix) <= *count {
                true if is_cut => None,
                true => like_prefix(kind, &View::Whole, prefix),
                false => Some(ValueSet::none(kind)),
            }
        }
        (FieldKind::Calendar(calendar), View::Prefix(count))
            if calendar.format.sorts() && prefix.len() > *count =>
        {
            Some(ValueSet::none(kind))
        }
        (FieldKind::Calendar(calendar), View::Whole | View::Prefix(_))
            if calendar.format.sorts() && kind.shows_stored_text() =>
        {
            let range = KeyRange::prefix(prefix.as_bytes().to_vec());
            Some(text_range_as_numbers(kind, &calendar.format, &range))
        }
        _ if is_written(kind, view) => Some(written::starts_with(kind, prefix)),
        // A cast to a text gives the stored text.
        (_, View::Printed(printed)) if is_own_text(kind, printed) => like_prefix(kind, &View::Whole, prefix),
        _ => None,
    }
}

/// Whether a printed date is the text that the key stores.
fn is_own_text(kind: &FieldKind, printed: &Printed) -> bool {
    let FieldKind::Calendar(calendar) = kind else { return false };
    printed.read_as == ReadAs::Text
        && printed.format == calendar.format
        && calendar.hive_type.is_stored_form()
}

/// Whether LIKE is about the text of a number: it takes any value as its text.
fn is_written(kind: &FieldKind, view: &View) -> bool {
    matches!((kind, view), (FieldKind::Integer(_), View::Whole | View::Written))
}

/// The values that end with this text, where they are one range: those of a field that is stored in reverse.
fn like_suffix(kind: &FieldKind, view: &View, suffix: &str) -> Option<ValueSet> {
    let is_prefix_in_key = matches!(
        (kind, view),
        (FieldKind::Text(TextField { reverse: true, .. }), View::Whole)
            | (FieldKind::Text(TextField { reverse: false, .. }), View::Reversed)
    );
    let prefix = KeyRange::prefix(reversed(suffix).into_bytes());
    is_prefix_in_key.then(|| ValueSet::Text(IntervalSet::from_intervals(vec![prefix])))
}
