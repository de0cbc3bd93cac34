//! Functions of the day of a date, a local time or an instant, compared with constants: those that move a day and keep the order of
//! days ([`MovedDay`]: `last_day(d)`), and numbers and texts that are made of its year and month ([`DateParts`]: `year(d) * 100 + month(d)`).

mod moved;
mod parts;

use chrono::NaiveDateTime;
use chrono_tz::Tz;

pub(super) use moved::MovedDay;
pub(super) use parts::{DateParts, day_number};

use super::compare::{Comparison, NotUsed, Truth, values_not_before};
use super::constant::Constant;
use super::sargable::{Counted, Function, Sargable, day_of};
use super::values::ValueSet;
use crate::key::field::{Field, FieldId, FieldKind};
use crate::schema::model::Schema;
use saltplan_sql::ast::Expr;
use saltplan_sql::time::bisect::first_where;
use saltplan_sql::time::pattern::Granularity;

/// A field that has a day, and the zone that shows it.
#[derive(Debug, Clone, Copy)]
pub(super) struct DayField<'a> {
    pub field: &'a Field,
    pub time_zone: Option<Tz>,
}

impl<'a> DayField<'a> {
    /// # Errors
    /// The field is an instant, and the schema has no zone.
    pub fn new(schema: &'a Schema, id: FieldId) -> Result<Self, NotUsed> {
        let field = &schema.key.fields[id];
        if matches!(field.kind, FieldKind::Epoch(_)) && schema.time_zone.is_none() {
            return Err(NotUsed(format!(
                "`{}` is an instant, and the schema has no `time_zone` to show it in",
                field.name
            )));
        }
        Ok(DayField { field, time_zone: schema.time_zone })
    }

    fn kind(self) -> &'a FieldKind {
        &self.field.kind
    }

    /// The unit in which the field is bisected: its own, and days for an instant.
    fn unit(self) -> Granularity {
        match self.kind() {
            FieldKind::Calendar(calendar) => calendar.format.granularity(),
            _ => Granularity::Day,
        }
    }

    /// The values whose local time is not before the start of a unit.
    fn not_before(self, ordinal: i64) -> ValueSet {
        match self.unit().start_of(ordinal) {
            Some(start) => values_not_before(self.kind(), self.time_zone, start, false),
            None => ValueSet::none(self.kind()),
        }
    }

    /// The units from the start of one year to the start of another.
    fn years(self, first: i32, end: i32) -> std::ops::Range<i64> {
        let start = |year: i32| {
            let day =
                chrono::NaiveDate::from_ymd_opt(year, 1, 1).map(|day| day.and_time(chrono::NaiveTime::MIN));
            day.map_or(0, |day| self.unit().ordinal_of(day))
        };
        start(first)..start(end)
    }

    /// The first unit of a run from which on something holds of its start.
    fn first_where(self, run: std::ops::Range<i64>, holds: impl Fn(NaiveDateTime) -> bool) -> i64 {
        first_where(run, |ordinal| self.unit().start_of(ordinal).is_some_and(&holds))
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

/// A function of a day that is compared with constants.
pub(super) enum DateForm {
    Moved(MovedDay),
    Parts(DateParts),
}

impl DateForm {
    /// `None` for every other expression.
    pub fn of(schema: &Schema, expr: &Expr) -> Option<Self> {
        MovedDay::of(schema, expr)
            .map(DateForm::Moved)
            .or_else(|| DateParts::of(schema, expr).map(DateForm::Parts))
    }

    /// Whether all Hives find a constant of a list in the same rows: Hive 2 compares texts where Hive 3 compares numbers or dates.
    pub(crate) fn is_listed_alike(&self, constant: &Constant) -> bool {
        match self {
            DateForm::Moved(moved) => moved.is_listed_alike(constant),
            DateForm::Parts(parts) => parts.is_listed_alike(constant),
        }
    }

    pub fn field(&self) -> FieldId {
        match self {
            DateForm::Moved(moved) => moved.field,
            DateForm::Parts(parts) => parts.field,
        }
    }
}

/// The truth of a comparison, by the values that are not below the constant and those above it.
fn truth(kind: &FieldKind, comparison: Comparison, not_below: ValueSet, above: ValueSet) -> Truth {
    super::compare::from_cut_sets(kind, comparison, not_below, above)
}
