//! Comparisons of a `Sargable` with a constant, as exact sets of field values.
//!
//! Every comparison is answered with the values for which it is true and those for which it is false; with a NULL
//! constant both are empty. An ordered comparison is a *cut*: the values not below the constant, and those above.

mod calendar;
mod counted;
mod cut;
mod cycle;
mod date_text;
mod instant;
mod like;
mod number;
mod number_text;
mod printed;
mod remarks;
mod text;
mod truth;

use chrono_tz::Tz;

use super::constant::Constant;
use super::like::LikePattern;
use super::sargable::{Function, Sargable};
use super::values::ValueSet;
use crate::key::field::{Field, FieldKind};
use crate::schema::model::Schema;
pub use calendar::{day_fault, text_fault};
use cut::of_numbers;
pub(super) use cut::{Position, from_cut_sets};
pub use cycle::Cyclic;
pub(super) use cycle::in_every_year;
pub(super) use number::number;
pub(super) use printed::values_not_before;
pub use remarks::Remarks;
use text::ShownText;
use truth::not_used;
pub use truth::{Comparison, Join, NotUsed, Truth};

/// Compares a sargable expression with constants.
#[derive(Debug)]
pub(crate) struct Comparer<'a> {
    pub field: &'a Field,
    pub function: &'a Function,
    pub time_zone: Option<Tz>,
    pub remarks: Remarks,
}

impl<'a> Comparer<'a> {
    pub fn new(schema: &'a Schema, sargable: &'a Sargable) -> Self {
        Comparer {
            field: &schema.key.fields[sargable.field],
            function: &sargable.function,
            time_zone: schema.time_zone,
            remarks: Remarks::default(),
        }
    }

    /// For the month or the day of a field: makes values of the field from the numbers of months or days that are compared.
    pub(crate) fn cyclic(&self) -> Option<Cyclic<'a>> {
        Cyclic::of(self.field, self.function)
    }

    /// The values of the field that compare so with a constant; of months and days their numbers.
    ///
    /// # Errors
    /// The comparison makes no set of values.
    pub fn compare(&mut self, comparison: Comparison, constant: &Constant) -> Result<Truth, NotUsed> {
        let Comparer { field, function, time_zone, ref mut remarks } = *self;
        if let Some(cyclic) = Cyclic::of(field, function) {
            return cyclic.compare(comparison, constant, remarks);
        }
        let kind = &field.kind;
        if *constant == Constant::Null {
            return Ok(Truth::unknown(kind));
        }
        let cut = match (kind, function) {
            (FieldKind::Text(text), _) => {
                return ShownText { field, text, function }.compare(comparison, constant, remarks);
            }
            (FieldKind::Calendar(calendar), Function::Prefix(count)) => {
                return calendar::calendar_prefix(field, calendar, *count, comparison, constant);
            }
            (_, Function::Printed(printed)) => {
                return printed::compare_printed(field, time_zone, printed, (comparison, constant), remarks);
            }
            (_, Function::Counted(counted)) => {
                return counted::compare(field, time_zone, *counted, (comparison, constant), remarks);
            }
            (FieldKind::Integer(_), Function::NumberText) => {
                return number_text::compare(field, comparison, constant);
            }
            (FieldKind::Calendar(calendar), Function::Identity) => {
                Some(calendar::calendar_cut(field, calendar, (comparison, constant), remarks)?)
            }
            (FieldKind::Integer(_), Function::Identity) => {
                number(field, constant, remarks)?.map(Position::of)
            }
            (FieldKind::Epoch(epoch), Function::Identity) => {
                instant::epoch_cut(field, epoch, time_zone, constant, remarks)?
            }
            _ => return not_used(format!("a function of `{}` has no range of its own", field.name)),
        };
        Ok(cut.map_or_else(|| Truth::unknown(kind), |cut| of_numbers(kind, comparison, cut)))
    }

    /// The values of the field that match a pattern.
    ///
    /// # Errors
    /// The pattern makes no set of values.
    pub fn like(&mut self, pattern: &LikePattern) -> Result<Truth, NotUsed> {
        like::like(self.field, self.function, pattern, &mut self.remarks)
    }

    /// The values that start with this text, where they are one range.
    pub(crate) fn like_prefix(&self, prefix: &str) -> Option<ValueSet> {
        like::like_prefix(&self.field.kind, self.function, prefix)
    }

    /// BETWEEN makes doubles of a number and a text.
    ///
    /// # Errors
    /// Other numbers are equal to one of the bounds then.
    pub fn check_bounds(&self, bounds: &[&Constant]) -> Result<(), NotUsed> {
        number::check_bounds(self.field, self.function, bounds)
    }

    /// A list of a number and texts is compared as numbers by one Hive, as texts by the other.
    ///
    /// # Errors
    /// The two differ for these constants.
    pub(crate) fn check_listed(&mut self, constants: &[Constant]) -> Result<(), NotUsed> {
        number::check_listed(self.field, self.function, constants, &mut self.remarks)
    }
}
