//! Comparisons of a `Term` with a constant, as exact sets of field values.
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
mod printed;
mod remarks;
mod text;
mod truth;
mod written;

use chrono_tz::Tz;

use super::constant::Constant;
use super::like::LikePattern;
use super::term::{Term, View};
use super::values::ValueSet;
use crate::key::field::{Field, FieldKind};
use crate::schema::model::Schema;
pub use calendar::text_fault;
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

/// Compares what a term shows of a field with constants.
#[derive(Debug)]
pub(crate) struct Comparer<'a> {
    pub field: &'a Field,
    pub view: &'a View,
    pub time_zone: Option<Tz>,
    pub remarks: Remarks,
}

impl<'a> Comparer<'a> {
    pub fn new(schema: &'a Schema, term: &'a Term) -> Self {
        Comparer {
            field: &schema.key.fields[term.field],
            view: &term.view,
            time_zone: schema.time_zone,
            remarks: Remarks::default(),
        }
    }

    /// The months or days that are compared, where the term shows such; their numbers are not yet values of the field.
    pub(crate) fn cyclic(&self) -> Option<Cyclic<'a>> {
        Cyclic::of(self.field, self.view)
    }

    /// The values of the field that compare so with a constant; of months and days their numbers.
    ///
    /// # Errors
    /// The comparison makes no set of values.
    pub fn compare(&mut self, comparison: Comparison, constant: &Constant) -> Result<Truth, NotUsed> {
        let Comparer { field, view, time_zone, ref mut remarks } = *self;
        if let Some(cyclic) = Cyclic::of(field, view) {
            return cyclic.compare(comparison, constant, remarks);
        }
        let kind = &field.kind;
        if *constant == Constant::Null {
            return Ok(Truth::unknown(kind));
        }
        let cut = match (kind, view) {
            (FieldKind::Text(text), _) => {
                return ShownText { field, text, view }.compare(comparison, constant, remarks);
            }
            (FieldKind::Calendar(calendar), View::Prefix(count)) => {
                return calendar::calendar_prefix(field, calendar, *count, comparison, constant);
            }
            (_, View::Printed(printed)) => {
                return printed::compare_printed(field, time_zone, printed, (comparison, constant), remarks);
            }
            (_, View::Counted(counted)) => {
                return counted::compare(field, time_zone, *counted, (comparison, constant), remarks);
            }
            (FieldKind::Integer(_), View::Written) => return written::compare(field, comparison, constant),
            (FieldKind::Calendar(calendar), View::Whole) => {
                Some(calendar::calendar_cut(field, calendar, constant, remarks)?)
            }
            (FieldKind::Integer(_), View::Whole) => number(field, constant, remarks)?.map(Position::of),
            (FieldKind::Epoch(epoch), View::Whole) => {
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
        like::like(self.field, self.view, pattern, &mut self.remarks)
    }

    /// The values that start with this text, where they are one range.
    pub(crate) fn like_prefix(&self, prefix: &str) -> Option<ValueSet> {
        like::like_prefix(&self.field.kind, self.view, prefix)
    }

    /// BETWEEN makes doubles of a number and a text.
    ///
    /// # Errors
    /// Other numbers are equal to one of the bounds then.
    pub fn check_bounds(&self, bounds: &[&Constant]) -> Result<(), NotUsed> {
        number::check_bounds(self.field, self.view, bounds)
    }

    /// A list of a number and texts is compared as numbers by one Hive, as texts by the other.
    ///
    /// # Errors
    /// The two differ for these constants.
    pub(crate) fn check_listed(&mut self, constants: &[Constant]) -> Result<(), NotUsed> {
        number::check_listed(self.field, self.view, constants, &mut self.remarks)
    }
}
