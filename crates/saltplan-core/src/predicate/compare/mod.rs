//! Comparisons of a `Term` with a constant, as exact sets of field values.
//!
//! Every comparison is answered with the values for which it is true and those for which it is false; with a NULL
//! constant both are empty. An ordered comparison is a *cut*: the values not below the constant, and those above.

mod cycle;
mod like;
mod text;
mod time;

use chrono::NaiveDateTime;
use chrono_tz::Tz;

use super::constant::{Constant, Decimal};
use super::term::View;
use super::values::ValueSet;
use crate::key::interval::IntervalSet;
use crate::key::time_format::Granularity;
use crate::schema::model::{Field, FieldKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    /// The comparison with its sides exchanged.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Comparison::Equal => Comparison::Equal,
            Comparison::Less => Comparison::Greater,
            Comparison::LessOrEqual => Comparison::GreaterOrEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterOrEqual => Comparison::LessOrEqual,
        }
    }

    pub fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Comparison::Equal => order.is_eq(),
            Comparison::Less => order.is_lt(),
            Comparison::LessOrEqual => order.is_le(),
            Comparison::Greater => order.is_gt(),
            Comparison::GreaterOrEqual => order.is_ge(),
        }
    }
}

/// The values for which a condition is true, and for which it is false; the others give NULL.
#[derive(Debug, Clone, PartialEq)]
pub struct Truth {
    pub when_true: ValueSet,
    pub when_false: ValueSet,
}

impl Truth {
    fn two_valued(yes: ValueSet, kind: &FieldKind) -> Self {
        let no = yes.complement(kind);
        Truth { when_true: yes, when_false: no }
    }

    fn unknown(kind: &FieldKind) -> Self {
        Truth { when_true: ValueSet::none(kind), when_false: ValueSet::none(kind) }
    }

    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Truth {
            when_true: self.when_true.intersect(&other.when_true),
            when_false: self.when_false.union(&other.when_false),
        }
    }

    /// The truth for values outside of a set.
    #[must_use]
    pub fn without(&self, values: &ValueSet, kind: &FieldKind) -> Self {
        if values.is_empty() {
            return self.clone();
        }
        let others = values.complement(kind);
        Truth { when_true: self.when_true.intersect(&others), when_false: self.when_false.intersect(&others) }
    }

    /// Both bounds of a BETWEEN: Hive looks at the upper one only where the lower one is not NULL.
    #[must_use]
    pub fn and_then(&self, upper: &Self) -> Self {
        Truth {
            when_true: self.when_true.intersect(&upper.when_true),
            when_false: self.when_false.union(&self.when_true.intersect(&upper.when_false)),
        }
    }

    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Truth {
            when_true: self.when_true.union(&other.when_true),
            when_false: self.when_false.intersect(&other.when_false),
        }
    }
}

/// Why a comparison has no exact set of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotUsed(pub String);

fn not_used<T>(reason: impl Into<String>) -> Result<T, NotUsed> {
    Err(NotUsed(reason.into()))
}

/// Compares terms of one schema with constants and gathers warnings.
#[derive(Debug)]
pub struct Comparer<'a> {
    pub field: &'a Field,
    pub view: &'a View,
    pub time_zone: Option<Tz>,
    /// Remarks on constants that no value of the field can equal.
    pub warnings: Vec<String>,
    /// What is wrong with constants that the field's declaration rejects, though they could be read as its values.
    pub rejected: Vec<String>,
}

impl Comparer<'_> {
    fn kind(&self) -> &FieldKind {
        &self.field.kind
    }

    /// The values of the field that compare so with a constant.
    ///
    /// # Errors
    /// The comparison makes no set of values.
    pub fn compare(&mut self, comparison: Comparison, constant: &Constant) -> Result<Truth, NotUsed> {
        if *constant == Constant::Null {
            return Ok(Truth::unknown(self.kind()));
        }
        let field = self.field;
        match (&field.kind, self.view) {
            (FieldKind::Text(text), view) => self.text(text, view, comparison, constant),
            (FieldKind::Calendar(calendar), View::Whole) => {
                let cut = self.calendar_cut(calendar, constant)?;
                Ok(self.number_truth(comparison, cut))
            }
            (FieldKind::Calendar(calendar), View::Prefix(count)) => {
                self.calendar_prefix(calendar, *count, comparison, constant)
            }
            (FieldKind::Integer(_), View::Whole) => match self.number(constant)? {
                Some(number) => {
                    let (position, exact) = number.ceiling();
                    Ok(self.number_truth(comparison, Position { position, exact }))
                }
                None => Ok(Truth::unknown(self.kind())),
            },
            (FieldKind::Epoch(epoch), View::Whole) => {
                let cut = self.epoch_cut(epoch, constant)?;
                Ok(cut.map_or_else(|| Truth::unknown(self.kind()), |cut| self.number_truth(comparison, cut)))
            }
            (_, View::Printed(printed)) => self.printed(printed, comparison, constant),
            _ => not_used(format!("a function of `{}` has no range of its own", field.name)),
        }
    }

    /// The truth of a comparison with a cut of the field's own numbers.
    fn number_truth(&self, comparison: Comparison, cut: Position) -> Truth {
        let kind = self.kind();
        let not_below = |position| ValueSet::numbers(kind, &IntervalSet::range(position, None));
        ordered(kind, comparison, cut, not_below)
    }

    /// A constant as a number; `None` where it is text that is none, so that the comparison gives NULL.
    fn number(&mut self, constant: &Constant) -> Result<Option<Decimal>, NotUsed> {
        match constant {
            Constant::Number(number) => Ok(Some(*number)),
            Constant::Text(text) => {
                let number = Decimal::parse(text);
                if number.is_none() && looks_like_a_number(text) {
                    return not_used(format!("`{text}` has more digits than are computed with"));
                }
                if number.is_none() {
                    self.reject_no_number(text);
                }
                Ok(number)
            }
            _ => not_used(format!("`{}` is a number", self.field.name)),
        }
    }
}

impl Comparer<'_> {
    /// Of a text that is no number some Hives make FALSE and some NULL, so that not even its negation has one meaning.
    fn reject_no_number(&mut self, text: &str) {
        self.warnings.push(format!("`{text}` is not a number, the condition is true for no row"));
        let name = &self.field.name;
        let remedy = match text.trim() {
            trimmed if trimmed != text && Decimal::parse(trimmed).is_some() => format!(": write {trimmed}"),
            _ => String::new(),
        };
        self.rejected.push(format!("`{text}` is not a number, and `{name}` is one{remedy}"));
    }

    /// A list of a number and texts is compared as numbers by one Hive, as texts by the other.
    ///
    /// # Errors
    /// The two differ for these constants.
    pub fn check_listed(&mut self, constants: &[Constant]) -> Result<(), NotUsed> {
        let name = &self.field.name;
        match (&self.field.kind, self.view) {
            (FieldKind::Integer(_) | FieldKind::Epoch(_), View::Whole)
            | (FieldKind::Text(_), View::Digits) => {
                let odd = constants.iter().find_map(|constant| match constant {
                    Constant::Text(text) => {
                        let number = Decimal::parse(text)?;
                        (number.to_string() != *text).then_some((text, number))
                    }
                    _ => None,
                });
                let Some((text, number)) = odd else { return Ok(()) };
                let reason = format!(
                    "in a list Hive 2 compares `{name}` with '{text}' as texts and Hive 3 as numbers: write {number}"
                );
                self.rejected.push(reason.clone());
                not_used(reason)
            }
            (FieldKind::Text(text), View::Whole) if text.chars.is_digits() => {
                let odd = constants.iter().find_map(|constant| match constant {
                    Constant::Number(number) if text.width != Some(number.to_string().len()) => Some(number),
                    _ => None,
                });
                odd.map_or(Ok(()), |odd| {
                    not_used(format!(
                        "in a list Hive 2 compares `{name}` with {odd} as texts and Hive 3 as numbers; write texts in quotes"
                    ))
                })
            }
            _ => Ok(()),
        }
    }
}

/// Where a constant stands among whole numbers: `position` is the first that is not below it.
#[derive(Debug, Clone, Copy)]
struct Position {
    position: i128,
    /// Whether the constant is that number.
    exact: bool,
}

impl Position {
    fn at(granularity: Granularity, at: NaiveDateTime) -> Self {
        let ordinal = granularity.ordinal_of(at);
        let exact = granularity.start_of(ordinal) == Some(at);
        Position { position: i128::from(ordinal) + i128::from(!exact), exact }
    }
}

/// Whether a text is written like a number, of whatever size.
fn looks_like_a_number(text: &str) -> bool {
    let unsigned = |text: &str| text.strip_prefix(['+', '-']).unwrap_or(text).to_string();
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let text = unsigned(text);
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent = unsigned(exponent);
    let is_empty = exponent.is_empty() || whole.is_empty() && fraction.is_empty();
    !is_empty && digits(whole) && digits(fraction) && digits(&exponent)
}

fn ordered(
    kind: &FieldKind,
    comparison: Comparison,
    cut: Position,
    not_below: impl Fn(i128) -> ValueSet,
) -> Truth {
    let above = if cut.exact { cut.position.saturating_add(1) } else { cut.position };
    from_cut_sets(kind, comparison, not_below(cut.position), not_below(above))
}

fn from_cut_sets(kind: &FieldKind, comparison: Comparison, not_below: ValueSet, above: ValueSet) -> Truth {
    let yes = match comparison {
        Comparison::Equal => not_below.intersect(&above.complement(kind)),
        Comparison::Less => not_below.complement(kind),
        Comparison::LessOrEqual => above.complement(kind),
        Comparison::Greater => above,
        Comparison::GreaterOrEqual => not_below,
    };
    Truth::two_valued(yes, kind)
}
