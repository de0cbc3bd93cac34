//! LIKE: exact where the fixed part of a pattern makes one range.

use super::text::{CUT, may_be_cut, reversed, units};
use super::time::text_range_as_numbers;
use super::{Comparer, Comparison, NotUsed, Truth, not_used};
use crate::key::interval::IntervalSet;
use crate::key::range::KeyRange;
use crate::predicate::constant::Constant;
use crate::predicate::like::{LikePattern, PatternRest};
use crate::predicate::term::View;
use crate::predicate::values::ValueSet;
use crate::schema::model::{FieldKind, TextField};

impl Comparer<'_> {
    /// The values of the field that match a pattern.
    ///
    /// # Errors
    /// The pattern makes no set of values.
    pub fn like(&mut self, pattern: &LikePattern) -> Result<Truth, NotUsed> {
        match pattern.rest {
            PatternRest::Nothing => return self.like_text(&pattern.prefix),
            PatternRest::Anything if pattern.prefix.is_empty() => {
                return Ok(Truth::two_valued(ValueSet::all(self.kind()), self.kind()));
            }
            PatternRest::Anything => {}
            PatternRest::More => {
                let yes = pattern.suffix.as_deref().and_then(|suffix| self.like_suffix(suffix));
                return match yes {
                    Some(yes) => Ok(Truth::two_valued(yes, self.kind())),
                    None => not_used("only the start of the pattern is fixed"),
                };
            }
        }
        self.like_prefix(&pattern.prefix).map(|yes| Truth::two_valued(yes, self.kind())).ok_or_else(|| {
            NotUsed(format!("the values of `{}` are not stored in this order", self.field.name))
        })
    }

    /// `LIKE` without a wildcard: the text itself. Unlike `=` it knows no other spelling of a date or a number.
    fn like_text(&mut self, text: &str) -> Result<Truth, NotUsed> {
        let field = self.field;
        match (&field.kind, self.view) {
            (FieldKind::Text(_), view) if *view != View::Digits => {
                self.compare(Comparison::Equal, &Constant::Text(text.to_string()))
            }
            (FieldKind::Calendar(calendar), View::Whole) => {
                let yes = calendar.format.parse_text(text).map_or_else(IntervalSet::empty, |ordinal| {
                    IntervalSet::range(ordinal.into(), Some(i128::from(ordinal) + 1))
                });
                Ok(Truth::two_valued(ValueSet::numbers(&field.kind, &yes), &field.kind))
            }
            _ => not_used(format!("`{}` is not text", field.name)),
        }
    }

    /// The values that start with this text, where they are one range.
    pub fn like_prefix(&self, prefix: &str) -> Option<ValueSet> {
        match (&self.field.kind, self.view) {
            (FieldKind::Text(TextField { reverse: false, .. }), View::Whole)
            | (FieldKind::Text(TextField { reverse: true, .. }), View::Reversed) => Some(ValueSet::Text(
                IntervalSet::from_intervals(vec![KeyRange::prefix(prefix.as_bytes().to_vec())]),
            )),
            (FieldKind::Text(text @ TextField { reverse: false, .. }), View::Prefix(count)) => {
                // Of a character that is cut in two a `?` stays.
                let is_cut = units(prefix) == *count && prefix.ends_with(CUT) && may_be_cut(text);
                let whole =
                    Comparer { view: &View::Whole, warnings: Vec::new(), rejected: Vec::new(), ..*self };
                match units(prefix) <= *count {
                    true if is_cut => None,
                    true => whole.like_prefix(prefix),
                    false => Some(ValueSet::none(self.kind())),
                }
            }
            (FieldKind::Calendar(calendar), View::Prefix(count))
                if calendar.format.sorts() && prefix.len() > *count =>
            {
                Some(ValueSet::none(self.kind()))
            }
            (FieldKind::Calendar(calendar), View::Whole | View::Prefix(_)) if calendar.format.sorts() => {
                let range = KeyRange::prefix(prefix.as_bytes().to_vec());
                Some(text_range_as_numbers(self.kind(), &calendar.format, &range))
            }
            _ => None,
        }
    }

    /// The values that end with this text, where they are one range: those of a field that is stored in reverse.
    fn like_suffix(&self, suffix: &str) -> Option<ValueSet> {
        let is_prefix_in_key = matches!(
            (&self.field.kind, self.view),
            (FieldKind::Text(TextField { reverse: true, .. }), View::Whole)
                | (FieldKind::Text(TextField { reverse: false, .. }), View::Reversed)
        );
        let prefix = KeyRange::prefix(reversed(suffix).into_bytes());
        is_prefix_in_key.then(|| ValueSet::Text(IntervalSet::from_intervals(vec![prefix])))
    }
}
