//! Functions of the day of a date, a local time or an instant, compared with constants: those that move a day and keep the order of
//! days ([`MovedDay`]: `last_day(d)`), and numbers and texts that are made of its year and month ([`DateParts`]: `year(d) * 100 + month(d)`).

mod moved;
mod parts;
mod time_of_day;

use std::cmp::Ordering;
use std::ops::Range;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

pub(super) use moved::MovedDay;
pub(super) use parts::{DateParts, day_number};
pub(super) use time_of_day::TimeOfDay;

use super::compare::{Comparer, NotUsed};
use super::constant::Constant;
use super::sargable::{Counted, Function, Sargable, day_of};
use super::values::ValueSet;
use crate::key::field::{FieldId, FieldKind};
use crate::schema::model::Schema;
use saltplan_sql::ast::Expr;
use saltplan_sql::time::bisect::first_where;
use saltplan_sql::time::pattern::Granularity;

impl Comparer<'_> {
    /// The unit in which the field is bisected: its own, and days for an instant.
    fn unit(&self) -> Granularity {
        match self.kind() {
            FieldKind::Calendar(calendar) => calendar.format.granularity(),
            _ => Granularity::Day,
        }
    }

    /// The values whose local time is not before the start of a unit.
    fn values_from_unit(&self, ordinal: i64) -> ValueSet {
        match self.unit().start_of(ordinal) {
            Some(start) => self.not_before(start, false),
            None => ValueSet::none(self.kind()),
        }
    }

    /// The units from the start of one year to the start of another.
    fn years(&self, first: i32, end: i32) -> Range<i64> {
        let start = |year| NaiveDate::from_ymd_opt(year, 1, 1).unwrap_or_default().and_time(NaiveTime::MIN);
        self.unit().ordinal_of(start(first))..self.unit().ordinal_of(start(end))
    }

    /// The values from the first unit of a run on whose start satisfies a condition, as all later ones do.
    fn values_from_first(&self, run: Range<i64>, holds: impl Fn(NaiveDateTime) -> bool) -> ValueSet {
        self.values_from_unit(first_where(run, |ordinal| self.unit().start_of(ordinal).is_some_and(&holds)))
    }

    /// The values of a run of units not below a constant and those above it, of a result that rises with time.
    fn rising(&self, run: &Range<i64>, order: impl Fn(NaiveDateTime) -> Ordering) -> [ValueSet; 2] {
        let orders: [fn(Ordering) -> bool; 2] = [Ordering::is_ge, Ordering::is_gt];
        orders.map(|holds| self.values_from_first(run.clone(), |start| holds(order(start))))
    }
}

/// The field whose day an expression is, with nothing done to it.
fn plain_day(schema: &Schema, expr: &Expr) -> Option<FieldId> {
    let sargable = Sargable::of(schema, expr)?;
    let is_day = match (&sargable.function, &schema.key.fields[sargable.field].kind) {
        (Function::Identity, kind) if kind.time().is_some() => true,
        _ => matches!(day_of(schema, &sargable), Some(Counted { plus_days: 0, from: None })),
    };
    is_day.then_some(sargable.field)
}

/// # Errors
/// Hive 2 compares texts where Hive 3 compares numbers or dates, and one of them does not find the same rows.
fn check_list(constants: &[&Constant], is_alike: impl Fn(&Constant) -> bool) -> Result<(), NotUsed> {
    if constants.iter().all(|constant| is_alike(constant)) {
        return Ok(());
    }
    Err(NotUsed("in a list Hive 2 and Hive 3 compare it with this constant differently".into()))
}
