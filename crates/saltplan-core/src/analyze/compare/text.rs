//! Text fields: whole, their start or end, and as digits.

use super::cut::from_cut_sets;
use super::truth::{Comparison, NotUsed, Truth, not_used};
use super::{Compared, Comparer};
use crate::analyze::chain::{Step, TextStep};
use crate::analyze::constant::{Constant, Decimal};
use crate::analyze::values::ValueSet;
use crate::key::Value;
use crate::key::field::TextField;
use crate::key::interval::IntervalSet;
use crate::key::range::{key_successor, prefix_successor};

impl Comparer<'_> {
    /// A text field under steps, compared with a constant. `text` is the field's own kind.
    pub(super) fn text(
        &mut self,
        text: &TextField,
        steps: &[Step],
        (comparison, constant): Compared<'_>,
    ) -> Result<Truth, NotUsed> {
        let (kind, name) = (self.kind(), &self.field.name);
        let is_digits = steps == [Step::Text(TextStep::Digits)];
        let number = match constant {
            _ if is_digits => match self.number(constant)? {
                Some(number) => Some(number),
                None => return Ok(Truth::unknown(kind)),
            },
            Constant::Number(number) if steps.is_empty() => Some(*number),
            _ => None,
        };
        if let Some(number) = number {
            return self.digits(text, steps.is_empty(), comparison, number);
        }
        let constant = match constant {
            Constant::Text(constant) => constant.as_str(),
            Constant::Number(number) => {
                let digits = number.digits;
                return not_used(format!("`{name}` is text; write the constant in quotes: '{digits}'"));
            }
            _ => return not_used(format!("`{name}` is text")),
        };
        use TextStep::{End, Reverse, Start};
        let (not_below, above) = match (steps, comparison, text.reverse) {
            ([], Comparison::Equal, _) => return Ok(self.equals(constant)),
            ([], _, false) | ([Step::Text(Reverse)], _, true) => (
                IntervalSet::range(constant.as_bytes().to_vec(), None),
                IntervalSet::range(key_successor(constant.as_bytes()), None),
            ),
            ([Step::Text(Reverse)], Comparison::Equal, false) => return Ok(self.equals(&reversed(constant))),
            ([Step::Text(Start(count))], _, false)
            | ([Step::Text(Reverse), Step::Text(Start(count))], _, true) => {
                prefix_cut_of_hive(text, constant, *count)
            }
            // A text shorter than `count` has no such suffix, and Hive answers with the empty text.
            ([Step::Text(End(count))], Comparison::Equal, true)
                if units(constant) == *count && !(may_be_cut(text) && constant.starts_with(CUT)) =>
            {
                prefix_cut(&reversed(constant), constant.chars().count())
            }
            ([] | [Step::Text(Start(_))], _, true) => return self.stored_reversed(),
            _ => return not_used(format!("only the start of `{name}` makes a range of keys")),
        };
        Ok(from_cut_sets(kind, comparison, ValueSet::Text(not_below), ValueSet::Text(above)))
    }

    fn stored_reversed<T>(&self) -> Result<T, NotUsed> {
        not_used(format!("`{}` is stored reversed: its order is not the order of the key", self.field.name))
    }

    fn equals(&mut self, text: &str) -> Truth {
        match self.kind().compared(&Value::Text(text.to_string())) {
            Ok(stored) => Truth::two_valued(ValueSet::one_text(stored), self.kind()),
            Err(reason) => self.has_no_row(&reason.to_string()),
        }
    }

    fn has_no_row(&mut self, reason: &str) -> Truth {
        self.remarks.no_row(format!("no row has this value: {reason}"));
        Truth::two_valued(ValueSet::none(self.kind()), self.kind())
    }

    /// A number against text of a fixed number of digits: the order of both is the same.
    fn digits(
        &mut self,
        text: &TextField,
        is_bare: bool,
        comparison: Comparison,
        number: Decimal,
    ) -> Result<Truth, NotUsed> {
        let name = &self.field.name;
        let (ceiling, exact) = number.ceiling();
        let Some(width) = text.width.filter(|_| text.chars.is_digits()) else {
            return not_used(format!(
                "`{name}` is text, compared with a number it is cast; write the constant in quotes: '{}'",
                number.digits
            ));
        };
        let padded = format!("{:0width$}", ceiling.max(0));
        let in_domain = ceiling >= 0 && padded.len() == width;
        if is_bare && !is_exact_as_double(number, width) {
            let remedy = if exact && in_domain { format!(": write '{padded}'") } else { String::new() };
            let reason = format!(
                "Hive compares the text `{name}` and {number} as doubles, to which other numbers are equal, too{remedy}"
            );
            // Hive does not compile a comparison of a text and a bigint unless a setting allows it.
            if exact && i64::try_from(ceiling).is_ok() {
                self.remarks.rejected.push(reason.clone());
            }
            return not_used(reason);
        }
        if comparison == Comparison::Equal {
            return Ok(if exact && in_domain {
                self.equals(&padded)
            } else {
                self.has_no_row("it does not fit the declared width")
            });
        }
        if text.reverse {
            return self.stored_reversed();
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

/// [`prefix_cut`] as Hive cuts: it counts UTF-16 units, and of a character that it cuts in two a `?` stays.
fn prefix_cut_of_hive(
    text: &TextField,
    constant: &str,
    count: usize,
) -> (IntervalSet<Vec<u8>>, IntervalSet<Vec<u8>>) {
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
    let Some(last) = start.chars().next_back().filter(|last| *last >= CUT && last.len_utf16() == 1) else {
        return (not_below, above);
    };
    if is_split || units(start) < count || !may_be_cut(text) {
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
