//! Text fields: whole, their start or end, and as digits.

use super::cut::from_cut_sets;
use super::number::number;
use super::remarks::Remarks;
use super::truth::{Comparison, NotUsed, Truth, not_used};
use crate::analyze::constant::{Constant, Decimal};
use crate::analyze::sargable::Function;
use crate::analyze::values::ValueSet;
use crate::key::Value;
use crate::key::field::{Field, FieldKind, TextField};
use crate::key::interval::IntervalSet;
use crate::key::range::{key_successor, prefix_successor};

/// A text field inside a function.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShownText<'a> {
    pub field: &'a Field,
    /// That of the field.
    pub text: &'a TextField,
    pub function: &'a Function,
}

impl ShownText<'_> {
    fn kind(&self) -> &FieldKind {
        &self.field.kind
    }

    pub fn compare(
        &self,
        comparison: Comparison,
        constant: &Constant,
        remarks: &mut Remarks,
    ) -> Result<Truth, NotUsed> {
        let ShownText { text, function, .. } = self;
        if **function == Function::Digits {
            return match number(self.field, constant, remarks)? {
                Some(number) => self.digits(comparison, number, remarks),
                None => Ok(Truth::unknown(self.kind())),
            };
        }
        let constant = match constant {
            Constant::Text(constant) => constant.clone(),
            Constant::Number(number) if **function == Function::Identity => {
                return self.digits(comparison, *number, remarks);
            }
            Constant::Number(number) => {
                return not_used(format!(
                    "`{}` is text; write the constant in quotes: '{}'",
                    self.field.name, number.digits
                ));
            }
            _ => return not_used(format!("`{}` is text", self.field.name)),
        };
        match (function, comparison, text.reverse) {
            (Function::Identity, Comparison::Equal, _) => Ok(self.equals(&constant, remarks)),
            (Function::Identity, _, false) | (Function::Reversed, _, true) => {
                let not_below = IntervalSet::range(constant.clone().into_bytes(), None);
                let above = IntervalSet::range(key_successor(constant.as_bytes()), None);
                Ok(from_cut_sets(self.kind(), comparison, ValueSet::Text(not_below), ValueSet::Text(above)))
            }
            (Function::Reversed, Comparison::Equal, false) => Ok(self.equals(&reversed(&constant), remarks)),
            (Function::Prefix(count), _, false) | (Function::ReversedPrefix(count), _, true) => {
                let (not_below, above) = self.prefix_cut(&constant, *count);
                Ok(from_cut_sets(self.kind(), comparison, ValueSet::Text(not_below), ValueSet::Text(above)))
            }
            // A text shorter than `count` has no such suffix, and Hive answers with the empty text.
            (Function::Suffix(count), Comparison::Equal, true)
                if units(&constant) == *count && !(may_be_cut(text) && constant.starts_with(CUT)) =>
            {
                let (not_below, above) = prefix_cut(&reversed(&constant), constant.chars().count());
                Ok(from_cut_sets(self.kind(), comparison, ValueSet::Text(not_below), ValueSet::Text(above)))
            }
            (Function::Identity | Function::Prefix(_), _, true) => not_used(format!(
                "`{}` is stored reversed: its order is not the order of the key",
                self.field.name
            )),
            _ => not_used(format!("only the start of `{}` makes a range of keys", self.field.name)),
        }
    }

    /// [`prefix_cut`] as Hive cuts: it counts UTF-16 units, and of a character that it cuts in two a `?` stays.
    fn prefix_cut(&self, constant: &str, count: usize) -> (IntervalSet<Vec<u8>>, IntervalSet<Vec<u8>>) {
        let mut start = constant;
        while units(start) > count {
            start = &start[..start.char_indices().next_back().map_or(0, |(at, _)| at)];
        }
        let is_whole = start.len() == constant.len();
        let is_split = !is_whole && units(start) < count;
        let chars = start.chars().count();
        let (mut not_below, mut above) = if is_whole && units(start) < count {
            prefix_cut(constant, chars + 1)
        } else {
            prefix_cut(if is_whole { start } else { constant }, chars)
        };
        let Some(last) = start.chars().next_back().filter(|last| *last >= CUT && last.len_utf16() == 1)
        else {
            return (not_below, above);
        };
        if is_split || units(start) < count || !may_be_cut(self.text) {
            return (not_below, above);
        }
        // Texts that are cut within a character: Hive sorts them by the `?` that it puts there.
        let before = &start.as_bytes()[..start.len() - last.len_utf8()];
        let cut = IntervalSet::range([before, &[FIRST_BYTE_BEYOND]].concat(), prefix_successor(before));
        if last > CUT || !is_whole {
            not_below = not_below.subtract(&cut);
        }
        above = above.subtract(&cut);
        (not_below, above)
    }

    fn equals(&self, text: &str, remarks: &mut Remarks) -> Truth {
        match self.kind().compared(&Value::Text(text.to_string())) {
            Ok(stored) => Truth::two_valued(ValueSet::one_text(stored), self.kind()),
            Err(reason) => {
                remarks.no_row(format!("no row has this value: {reason}"));
                Truth::two_valued(ValueSet::none(self.kind()), self.kind())
            }
        }
    }

    /// A number against text of a fixed number of digits: the order of both is the same.
    fn digits(
        &self,
        comparison: Comparison,
        number: Decimal,
        remarks: &mut Remarks,
    ) -> Result<Truth, NotUsed> {
        let text = self.text;
        let (ceiling, exact) = number.ceiling();
        let Some(width) = text.width.filter(|_| text.chars.is_digits()) else {
            return not_used(format!(
                "`{}` is text, compared with a number it is cast; write the constant in quotes: '{}'",
                self.field.name, number.digits
            ));
        };
        let padded = format!("{:0width$}", ceiling.max(0));
        let in_domain = ceiling >= 0 && padded.len() == width;
        if *self.function == Function::Identity && !is_exact_as_double(number, width) {
            let remedy = if exact && in_domain { format!(": write '{padded}'") } else { String::new() };
            let reason = format!(
                "Hive compares the text `{}` and {number} as doubles, to which other numbers are equal, too{remedy}",
                self.field.name
            );
            // Hive does not compile a comparison of a text and a bigint unless a setting allows it.
            if exact && i64::try_from(ceiling).is_ok() {
                remarks.rejected.push(reason.clone());
            }
            return not_used(reason);
        }
        if comparison == Comparison::Equal {
            return Ok(if exact && in_domain {
                self.equals(&padded, remarks)
            } else {
                remarks.no_row("no row has this value: it does not fit the declared width");
                Truth::two_valued(ValueSet::none(self.kind()), self.kind())
            });
        }
        if text.reverse {
            return not_used(format!(
                "`{}` is stored reversed: its order is not the order of the key",
                self.field.name
            ));
        }
        let not_below = if ceiling <= 0 {
            IntervalSet::all()
        } else if in_domain {
            IntervalSet::range(padded.clone().into_bytes(), None)
        } else {
            IntervalSet::empty()
        };
        let above = if exact && in_domain {
            IntervalSet::range(key_successor(padded.as_bytes()), None)
        } else {
            not_below.clone()
        };
        Ok(from_cut_sets(self.kind(), comparison, ValueSet::Text(not_below), ValueSet::Text(above)))
    }
}

/// What Hive puts for half a character.
pub(super) const CUT: char = '?';
/// The first byte of characters of two UTF-16 units.
const FIRST_BYTE_BEYOND: u8 = 0xF0;

pub(super) fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Whether values of the field have characters of two UTF-16 units.
pub(super) fn may_be_cut(field: &TextField) -> bool {
    let is_beyond = |c: char| c.len_utf16() > 1;
    match &field.values {
        Some(values) => values.in_stored_order().any(|(_, value)| value.contains(is_beyond)),
        None => is_beyond(field.chars.greatest()),
    }
}

/// The texts whose first `count` characters are not below a constant, and those above it.
pub(super) fn prefix_cut(constant: &str, count: usize) -> (IntervalSet<Vec<u8>>, IntervalSet<Vec<u8>>) {
    let from = |start: Option<Vec<u8>>| {
        start.map_or_else(IntervalSet::empty, |start| IntervalSet::range(start, None))
    };
    let after_prefix = |prefix: &str| from(prefix_successor(prefix.as_bytes()));
    let length = constant.chars().count();
    if length > count {
        // Even an equal start is shorter than the constant, and so below it.
        let start: String = constant.chars().take(count).collect();
        return (after_prefix(&start), after_prefix(&start));
    }
    let not_below = from(Some(constant.as_bytes().to_vec()));
    if length == count {
        (not_below, after_prefix(constant))
    } else {
        (not_below, from(Some(key_successor(constant.as_bytes()))))
    }
}

pub(super) fn reversed(text: &str) -> String {
    text.chars().rev().collect()
}

/// Hive compares a number and a text as doubles. Whether no other number that the text may be becomes the same double.
fn is_exact_as_double(number: Decimal, width: usize) -> bool {
    number.is_exact_as_double() || width <= 15 && number.reduced().scale == 0
}
