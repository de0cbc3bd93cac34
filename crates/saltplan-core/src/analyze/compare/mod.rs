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
mod instant;
mod like;
mod number;
mod number_text;
mod printed;
mod remarks;
mod text;
mod truth;

use super::constant::Constant;
use super::sargable::Function;
use crate::key::field::{Field, FieldId, FieldKind};
use crate::schema::model::Schema;
pub use calendar::{day_fault, text_fault};
use cut::of_numbers;
pub(super) use cut::{Position, from_cut_sets};
pub(super) use cycle::{in_every_year, numbered};
pub(super) use date_text::is_iso_day;
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
