//! Numbers and texts that are made of the time of day: `hour(t)`, `date_format(t, 'HH:mm')`, `lpad(hour(t), 2, '0')`.

use std::cmp::Ordering;

use chrono::DateTime;

use super::check_list;
use crate::analyze::compare::{Compared, Comparer, Comparison, NotUsed, Truth};
use crate::analyze::constant::{Constant, Decimal, fold, whole};
use crate::analyze::sargable::bare_field;
use crate::analyze::values::ValueSet;
use crate::key::field::FieldId;
use crate::key::interval::{Interval, IntervalSet};
use crate::schema::model::Schema;
use saltplan_sql::ast::{Expr, TimeUnit, Type};
use saltplan_sql::functions::Operation;
use saltplan_sql::time::bisect::first_where;
use saltplan_sql::time::pattern::{Granularity, TimePattern};

const DAY: i64 = 86_400_000;

/// A number or a text that rises from midnight to midnight.
#[derive(Debug, Clone)]
pub(crate) struct TimeOfDay {
    pub field: FieldId,
    pattern: TimePattern,
    /// The digits of the pattern as a number.
    is_number: bool,
}

impl TimeOfDay {
    /// Reads an expression; `None` for every other one.
    pub fn of(schema: &Schema, expr: &Expr) -> Option<Self> {
        let call = match expr.unnested() {
            Expr::Cast { expr, data_type, .. } => {
                let time = TimeOfDay::of(schema, expr)?;
                return match data_type {
                    Type::Int | Type::BigInt if time.is_number => Some(time),
                    Type::Int | Type::BigInt if time.pattern.is_digits() && time.pattern.width() <= 9 => {
                        Some(TimeOfDay { is_number: true, ..time })
                    }
                    Type::String if !time.is_number => Some(time),
                    _ => None,
                };
            }
            Expr::Call(call) => call,
            _ => return None,
        };
        match (call.operation(), call.arguments.as_slice()) {
            (Operation::Part(TimeUnit::Hour), [time]) => Self::printed(schema, time, "HH", true),
            (Operation::Print, [time, pattern]) => {
                let Constant::Text(pattern) = fold(pattern)? else { return None };
                Self::printed(schema, time, &pattern, false)
            }
            (Operation::PadStart, [padded, width, zero]) => {
                let is_plain =
                    matches!(fold(zero)?, Constant::Text(zero) if zero == "0") && whole(width)?.number == 2;
                let time = TimeOfDay::of(schema, padded)?;
                let is_hour = time.is_number && time.pattern.text() == "HH";
                (is_plain && is_hour).then_some(TimeOfDay { is_number: false, ..time })
            }
            _ => None,
        }
    }

    fn printed(schema: &Schema, time: &Expr, pattern: &str, is_number: bool) -> Option<Self> {
        let field = bare_field(schema, time)?;
        schema.key.fields[field].kind.time()?;
        let pattern = TimePattern::parse(pattern).ok()?;
        // In the order of time, from the hour on.
        let is_rising = pattern.units().zip(&Granularity::ALL[3..]).all(|(unit, next)| unit == *next);
        is_rising.then_some(TimeOfDay { field, pattern, is_number })
    }

    /// Whether it is the hour alone.
    pub fn is_hour(&self) -> bool {
        self.pattern.text() == "HH"
    }

    /// # Errors
    /// Hive compares a constant of a list as a number in one version and as a text in another.
    pub(crate) fn check_list(&self, constants: &[&Constant]) -> Result<(), NotUsed> {
        check_list(constants, |constant| match constant {
            Constant::Number(_) => self.is_number,
            Constant::Text(text) if self.is_number => {
                Decimal::parse(text).is_some_and(|number| number.to_string() == *text)
            }
            _ => true,
        })
    }

    /// The milliseconds since midnight for which the comparison holds.
    ///
    /// # Errors
    /// The constant is of another kind.
    pub fn compare(
        &self,
        comparer: &mut Comparer<'_>,
        (comparison, constant): Compared<'_>,
    ) -> Result<Truth, NotUsed> {
        let is_number = self.is_number || matches!(constant, Constant::Number(_)) && self.pattern.is_digits();
        match constant {
            Constant::Null => Ok(times(comparison, None)),
            Constant::Number(_) | Constant::Text(_) if is_number => {
                let Some(number) = comparer.number(constant)? else { return Ok(times(comparison, None)) };
                let order = |shown: &str| {
                    let digits = shown.parse::<i64>().unwrap_or_default();
                    Decimal::integer(digits.into()).order(number)
                };
                Ok(times(comparison, Some(self.cuts(&order))))
            }
            Constant::Text(text) => {
                Ok(times(comparison, Some(self.cuts(&|shown: &str| shown.cmp(text.as_str())))))
            }
            _ => Err(NotUsed(format!("the constant is not text in the format `{}`", self.pattern.text()))),
        }
    }

    /// The first time of day that is not below a constant, and the first one above it.
    fn cuts(&self, order: &dyn Fn(&str) -> Ordering) -> (i64, i64) {
        let unit = self.pattern.units().max().and_then(Granularity::milliseconds).unwrap_or(1);
        let order = |number: i64| {
            let at = DateTime::from_timestamp_millis(number * unit).unwrap_or_default().naive_utc();
            order(&self.pattern.format(at))
        };
        let first = |holds: fn(Ordering) -> bool| first_where(0..DAY / unit, |number| holds(order(number)));
        (first(Ordering::is_ge) * unit, first(Ordering::is_gt) * unit)
    }
}

/// The times of day by the first that is not below a constant, and the first above it; without them the comparison is NULL.
fn times(comparison: Comparison, cuts: Option<(i64, i64)>) -> Truth {
    let set = |intervals: &[(i64, i64)]| {
        let intervals =
            intervals.iter().map(|(start, stop)| Interval::new((*start).into(), Some((*stop).into())));
        ValueSet::Numbers(IntervalSet::from_intervals(intervals.collect()))
    };
    let Some((not_below, above)) = cuts else { return Truth { when_true: set(&[]), when_false: set(&[]) } };
    let (is, is_not) = match comparison {
        Comparison::Equal => (set(&[(not_below, above)]), set(&[(0, not_below), (above, DAY)])),
        Comparison::Less => (set(&[(0, not_below)]), set(&[(not_below, DAY)])),
        Comparison::LessOrEqual => (set(&[(0, above)]), set(&[(above, DAY)])),
        Comparison::Greater => (set(&[(above, DAY)]), set(&[(0, above)])),
        Comparison::GreaterOrEqual => (set(&[(not_below, DAY)]), set(&[(0, not_below)])),
    };
    Truth { when_true: is, when_false: is_not }
}
