//! LIKE: exact where the fixed part of a pattern makes one range.

use super::Comparer;
use super::calendar::text_range_as_numbers;
use super::number_text;
use super::text::{CUT, may_be_cut, reversed, units};
use super::truth::{Comparison, NotUsed, Truth, not_used};
use crate::analyze::constant::Constant;
use crate::analyze::like::{LikePattern, PatternRest};
use crate::analyze::sargable::{Function, Printed, ReadAs};
use crate::analyze::values::ValueSet;
use crate::key::field::{FieldKind, TextField};
use crate::key::interval::IntervalSet;
use crate::key::range::KeyRange;

impl Comparer<'_> {
    /// The values of the field that match a pattern.
    ///
    /// # Errors
    /// The pattern makes no set of values.
    pub fn like(&mut self, function: &Function, pattern: &LikePattern) -> Result<Truth, NotUsed> {
        let (kind, name) = (self.kind(), &self.field.name);
        if let FieldKind::Calendar(calendar) = kind
            && *function == Function::Identity
            && !calendar.hive_type.is_stored_form()
        {
            return not_used(format!(
                "Hive matches the text of a {}, not the stored form",
                calendar.hive_type.name()
            ));
        }
        let function = match function {
            function if is_number_text(kind, function) => &Function::NumberText,
            Function::Printed(printed) if is_own_text(kind, printed) => &Function::Identity,
            function => function,
        };
        match pattern.rest {
            PatternRest::Nothing => return self.like_text(function, &pattern.prefix),
            PatternRest::Anything if pattern.prefix.is_empty() => {
                return Ok(Truth::two_valued(ValueSet::all(kind), kind));
            }
            PatternRest::Anything => {}
            PatternRest::More => {
                let yes = pattern.suffix.as_deref().and_then(|suffix| like_suffix(kind, function, suffix));
                return match yes {
                    Some(yes) => Ok(Truth::two_valued(yes, kind)),
                    None if pattern.prefix.is_empty() => not_used(format!(
                        "the pattern begins with a wildcard, and a range holds texts with one start; `{name} LIKE 'x%'` would make one"
                    )),
                    None => not_used("only the start of the pattern makes a range"),
                };
            }
        }
        Ok(Truth::two_valued(self.like_prefix(function, &pattern.prefix)?, kind))
    }

    /// `LIKE` without a wildcard: the text itself. Unlike `=` it knows no other spelling of a date or a number.
    fn like_text(&mut self, function: &Function, text: &str) -> Result<Truth, NotUsed> {
        let kind = self.kind();
        let equal = (Comparison::Equal, &Constant::Text(text.to_string()));
        match (kind, function) {
            (FieldKind::Text(declared), function) if *function != Function::Digits => {
                self.text(declared, function, equal)
            }
            (FieldKind::Calendar(calendar), Function::Identity) => {
                let yes = calendar.format.parse_text(text).map_or_else(IntervalSet::empty, |ordinal| {
                    IntervalSet::range(ordinal.into(), Some(i128::from(ordinal) + 1))
                });
                Ok(Truth::two_valued(ValueSet::numbers(kind, &yes), kind))
            }
            (FieldKind::Integer(_), Function::NumberText) => self.number_text(equal),
            _ => not_used(format!("`{}` is not text", self.field.name)),
        }
    }

    /// The values that start with this text.
    ///
    /// # Errors
    /// They are not one range.
    pub(crate) fn like_prefix(&self, function: &Function, prefix: &str) -> Result<ValueSet, NotUsed> {
        like_prefix(self.kind(), function, prefix).ok_or_else(|| {
            NotUsed(format!("the values of `{}` are not stored in this order", self.field.name))
        })
    }
}

/// The values that start with this text, where they are one range.
fn like_prefix(kind: &FieldKind, function: &Function, prefix: &str) -> Option<ValueSet> {
    match (kind, function) {
        (FieldKind::Text(TextField { reverse: false, .. }), Function::Identity)
        | (FieldKind::Text(TextField { reverse: true, .. }), Function::Reversed) => Some(ValueSet::Text(
            IntervalSet::from_intervals(vec![KeyRange::prefix(prefix.as_bytes().to_vec())]),
        )),
        (FieldKind::Text(text @ TextField { reverse: false, .. }), Function::Prefix(count)) => {
            // Hive replaces half a surrogate pair by `?`.
            let is_cut = units(prefix) == *count && prefix.ends_with(CUT) && may_be_cut(text);
            match units(prefix) <= *count {
                true if is_cut => None,
                true => like_prefix(kind, &Function::Identity, prefix),
                false => Some(ValueSet::none(kind)),
            }
        }
        (FieldKind::Calendar(calendar), Function::Prefix(count))
            if calendar.format.sorts() && prefix.len() > *count =>
        {
            Some(ValueSet::none(kind))
        }
        (FieldKind::Calendar(calendar), Function::Identity | Function::Prefix(_))
            if calendar.format.sorts() && kind.shows_stored_text() =>
        {
            let range = KeyRange::prefix(prefix.as_bytes().to_vec());
            Some(text_range_as_numbers(kind, &calendar.format, &range))
        }
        _ if is_number_text(kind, function) => Some(number_text::starts_with(kind, prefix)),
        // A cast to a text gives the stored text.
        (_, Function::Printed(printed)) if is_own_text(kind, printed) => {
            like_prefix(kind, &Function::Identity, prefix)
        }
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
fn is_number_text(kind: &FieldKind, function: &Function) -> bool {
    matches!((kind, function), (FieldKind::Integer(_), Function::Identity | Function::NumberText))
}

/// The values that end with this text, where they are one range: those of a field that is stored in reverse.
fn like_suffix(kind: &FieldKind, function: &Function, suffix: &str) -> Option<ValueSet> {
    let is_prefix_in_key = matches!(
        (kind, function),
        (FieldKind::Text(TextField { reverse: true, .. }), Function::Identity)
            | (FieldKind::Text(TextField { reverse: false, .. }), Function::Reversed)
    );
    let prefix = KeyRange::prefix(reversed(suffix).into_bytes());
    is_prefix_in_key.then(|| ValueSet::Text(IntervalSet::from_intervals(vec![prefix])))
}
