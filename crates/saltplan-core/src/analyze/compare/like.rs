//! LIKE: exact where the fixed part of a pattern makes one range.

use super::Comparer;
use super::calendar::text_range_as_numbers;
use super::number_text;
use super::text::{CUT, may_be_cut, reversed, units};
use super::truth::{Comparison, NotUsed, Truth, not_used};
use crate::analyze::chain::{Chain, Step, TextStep, TimeStep};
use crate::analyze::constant::Constant;
use crate::analyze::like::{LikePattern, PatternRest};
use crate::analyze::values::ValueSet;
use crate::key::field::{FieldKind, TextField};
use crate::key::interval::IntervalSet;
use crate::key::range::KeyRange;

impl Comparer<'_> {
    /// The values of the field that match a pattern.
    ///
    /// # Errors
    /// The pattern makes no set of values.
    pub fn like(&mut self, chain: &Chain, pattern: &LikePattern) -> Result<Truth, NotUsed> {
        let (kind, name) = (self.kind(), &self.field.name);
        if let FieldKind::Calendar(calendar) = kind
            && chain.steps.is_empty()
            && !calendar.hive_type.is_stored_form()
        {
            return not_used(format!(
                "Hive matches the text of a {}, not the stored form",
                calendar.hive_type.name()
            ));
        }
        let number_text = [Step::NumberText];
        let steps: &[Step] = match chain.steps.as_slice() {
            steps if is_number_text(kind, steps) => &number_text,
            steps if is_own_text(kind, steps) => &[],
            steps => steps,
        };
        match pattern.rest {
            PatternRest::Nothing => return self.like_text(steps, &pattern.prefix),
            PatternRest::Anything if pattern.prefix.is_empty() => {
                return Ok(Truth::two_valued(ValueSet::all(kind), kind));
            }
            PatternRest::Anything => {}
            PatternRest::More => {
                let yes = pattern.suffix.as_deref().and_then(|suffix| like_suffix(kind, steps, suffix));
                return match yes {
                    Some(yes) => Ok(Truth::two_valued(yes, kind)),
                    None if pattern.prefix.is_empty() => not_used(format!(
                        "the pattern begins with a wildcard, and a range holds texts with one start; `{name} LIKE 'x%'` would make one"
                    )),
                    None => not_used("only the start of the pattern makes a range"),
                };
            }
        }
        Ok(Truth::two_valued(self.like_prefix(steps, &pattern.prefix)?, kind))
    }

    /// `LIKE` without a wildcard: the text itself. Unlike `=` it knows no other spelling of a date or a number.
    fn like_text(&mut self, steps: &[Step], text: &str) -> Result<Truth, NotUsed> {
        let kind = self.kind();
        let equal = (Comparison::Equal, &Constant::Text(text.to_string()));
        match (kind, steps) {
            (FieldKind::Text(declared), steps) if *steps != [Step::Text(TextStep::Digits)] => {
                self.text(declared, steps, equal)
            }
            (FieldKind::Calendar(calendar), []) => {
                let yes = calendar.format.parse_text(text).map_or_else(IntervalSet::empty, |ordinal| {
                    IntervalSet::range(ordinal.into(), Some(i128::from(ordinal) + 1))
                });
                Ok(Truth::two_valued(ValueSet::numbers(kind, &yes), kind))
            }
            (FieldKind::Integer(_), [Step::NumberText]) => self.number_text(equal),
            _ => not_used(format!("`{}` is not text", self.field.name)),
        }
    }

    /// The values that start with this text.
    ///
    /// # Errors
    /// They are not one range.
    pub(crate) fn like_prefix(&self, steps: &[Step], prefix: &str) -> Result<ValueSet, NotUsed> {
        like_prefix(self.kind(), steps, prefix).ok_or_else(|| {
            NotUsed(format!("the values of `{}` are not stored in this order", self.field.name))
        })
    }
}

/// The values that start with this text, where they are one range.
fn like_prefix(kind: &FieldKind, steps: &[Step], prefix: &str) -> Option<ValueSet> {
    match (kind, steps) {
        (FieldKind::Text(TextField { reverse: false, .. }), [])
        | (FieldKind::Text(TextField { reverse: true, .. }), [Step::Text(TextStep::Reverse)]) => Some(
            ValueSet::Text(IntervalSet::from_intervals(vec![KeyRange::prefix(prefix.as_bytes().to_vec())])),
        ),
        (FieldKind::Text(text @ TextField { reverse: false, .. }), [Step::Text(TextStep::Start(count))]) => {
            // Hive replaces half a surrogate pair by `?`.
            let is_cut = units(prefix) == *count && prefix.ends_with(CUT) && may_be_cut(text);
            match units(prefix) <= *count {
                true if is_cut => None,
                true => like_prefix(kind, &[], prefix),
                false => Some(ValueSet::none(kind)),
            }
        }
        (FieldKind::Calendar(calendar), [Step::Text(TextStep::Start(count))])
            if calendar.format.sorts() && prefix.len() > *count =>
        {
            Some(ValueSet::none(kind))
        }
        (FieldKind::Calendar(calendar), [] | [Step::Text(TextStep::Start(_))])
            if calendar.format.sorts() && kind.shows_stored_text() =>
        {
            let range = KeyRange::prefix(prefix.as_bytes().to_vec());
            Some(text_range_as_numbers(kind, &calendar.format, &range))
        }
        _ if is_number_text(kind, steps) => Some(number_text::starts_with(kind, prefix)),
        // A cast to a text gives the stored text.
        _ if is_own_text(kind, steps) => like_prefix(kind, &[], prefix),
        _ => None,
    }
}

/// Whether a printed time is the text that the key stores.
fn is_own_text(kind: &FieldKind, steps: &[Step]) -> bool {
    match (kind, steps) {
        (FieldKind::Calendar(calendar), [Step::Time(TimeStep::Print(format))]) => {
            *format == calendar.format && calendar.hive_type.is_stored_form()
        }
        _ => false,
    }
}

/// Whether LIKE is about the text of a number: it takes any value as its text.
fn is_number_text(kind: &FieldKind, steps: &[Step]) -> bool {
    matches!((kind, steps), (FieldKind::Integer(_), [] | [Step::NumberText]))
}

/// The values that end with this text, where they are one range: those of a field that is stored in reverse.
fn like_suffix(kind: &FieldKind, steps: &[Step], suffix: &str) -> Option<ValueSet> {
    let is_prefix_in_key = matches!(
        (kind, steps),
        (FieldKind::Text(TextField { reverse: true, .. }), [])
            | (FieldKind::Text(TextField { reverse: false, .. }), [Step::Text(TextStep::Reverse)])
    );
    let prefix = KeyRange::prefix(reversed(suffix).into_bytes());
    is_prefix_in_key.then(|| ValueSet::Text(IntervalSet::from_intervals(vec![prefix])))
}
