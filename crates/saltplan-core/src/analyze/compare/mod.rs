//! Comparisons of a `Sargable` with a constant, as exact sets of field values.
//!
//! Every comparison is answered with the values for which it is true and those for which it is false; with a NULL
//! constant both are empty. An ordered comparison is a *cut*: the values not below the constant, and those above.

mod arithmetic;
mod bound;
mod calendar;
mod counted;
mod cut;
mod cycle;
mod date_text;
mod days;
mod instant;
mod like;
mod lists;
mod number;
mod number_text;
mod parts;
mod printed;
mod remarks;
mod text;
mod time_of_day;
mod truth;

use super::chain::{Chain, Shape, Step, TimeStep};
use super::constant::Constant;
use super::sargable::Function;
use super::values::ValueSet;
use crate::key::field::{Field, FieldId, FieldKind};
use crate::schema::model::Schema;
pub use calendar::{day_fault, text_fault};
use cut::Position;
use cut::of_numbers;
pub(super) use cycle::in_every_year;
use lists::{check_days, check_numbers_and_texts};
pub(super) use number::is_mixed;
pub use remarks::Remarks;
use saltplan_sql::time::zone::Zone;
use truth::not_used;
pub use truth::{Comparison, Join, NotUsed, Truth};

/// A comparison with a constant.
pub(crate) type Compared<'c> = (Comparison, &'c Constant);

/// Compares functions of one field with constants.
#[derive(Debug)]
pub(crate) struct Comparer<'a> {
    pub field: &'a Field,
    pub time_zone: Option<Zone>,
    pub remarks: Remarks,
}

impl<'a> Comparer<'a> {
    pub fn new(schema: &'a Schema, field: FieldId) -> Self {
        let field = &schema.key.fields[field];
        Comparer { field, time_zone: schema.time_zone, remarks: Remarks::default() }
    }

    pub fn kind(&self) -> &'a FieldKind {
        &self.field.kind
    }

    /// Whether versions of Hive compare a chain with these constants alike.
    ///
    /// # Errors
    /// They do not, or the schema has no zone for an instant.
    pub fn check_chain(&self, chain: &Chain, join: Join, constants: &[&Constant]) -> Result<(), NotUsed> {
        let is_list = matches!(join, Join::Any);
        match (chain.steps.as_slice(), chain.shape) {
            ([Step::Time(TimeStep::Parts(_) | TimeStep::TimeOfDay(_))], shape) => {
                self.check_zone()?;
                if is_list { check_numbers_and_texts(shape, constants) } else { Ok(()) }
            }
            (_, shape @ (Shape::Text | Shape::Date | Shape::Timestamp)) => {
                self.check_zone()?;
                check_days(shape, is_list, constants)
            }
            _ => Ok(()),
        }
    }

    /// The values of the field for which a chain compares so with a constant, and those for which Hive's result cannot be predicted. Of
    /// what recurs they are numbers of the cycle.
    ///
    /// # Errors
    /// The comparison makes no set of values.
    pub fn compare_chain(
        &mut self,
        chain: &Chain,
        compared: Compared<'_>,
    ) -> Result<(Truth, ValueSet), NotUsed> {
        let truth = match (chain.steps.as_slice(), chain.shape) {
            ([Step::Time(TimeStep::Parts(parts))], _) => self.parts_of_date(parts, compared)?,
            ([Step::Time(TimeStep::TimeOfDay(time))], _) => self.time_of_day(time, compared)?,
            (_, Shape::Text | Shape::Date | Shape::Timestamp) => return self.moved_day(chain, compared),
            _ => return self.arithmetic(chain, compared),
        };
        Ok((truth, ValueSet::none(self.kind())))
    }

    /// The values of the field that compare so with a constant; of months and days their numbers.
    ///
    /// # Errors
    /// The comparison makes no set of values.
    pub fn compare(&mut self, function: &Function, compared: Compared<'_>) -> Result<Truth, NotUsed> {
        let (kind, (comparison, constant)) = (self.kind(), compared);
        let cut = match (kind, function) {
            (FieldKind::Calendar(_) | FieldKind::Epoch(_), Function::Month | Function::Day) => {
                self.check_zone()?;
                return self.month_or_day(*function == Function::Month, compared);
            }
            _ if *constant == Constant::Null => None,
            (FieldKind::Text(text), _) => return self.text(text, function, compared),
            (FieldKind::Calendar(calendar), Function::Prefix(count)) => {
                return self.calendar_prefix(calendar, *count, compared);
            }
            (_, Function::Printed(printed)) => return self.printed(printed, compared),
            (_, Function::Counted(counted)) => return self.counted(*counted, compared),
            (FieldKind::Integer(_), Function::NumberText) => return self.number_text(compared),
            (FieldKind::Calendar(calendar), Function::Identity) => {
                Some(self.calendar_cut(calendar, compared)?)
            }
            (FieldKind::Integer(_), Function::Identity) => self.number(constant)?.map(Position::of),
            (FieldKind::Epoch(epoch), Function::Identity) => self.epoch_cut(epoch, constant)?,
            _ => return not_used(format!("a function of `{}` has no range of its own", self.field.name)),
        };
        Ok(cut.map_or_else(|| Truth::unknown(kind), |cut| of_numbers(kind, comparison, cut)))
    }
}
