//! Comparisons of a [`Chain`] with a constant, as exact sets of field values.
//!
//! Every comparison is answered with the values for which it is true and those for which it is false; with a NULL
//! constant both are empty. An ordered comparison is a *cut*: the values not below the constant, and those above.
//!
//! `method` says which file solves a chain. Steps with inverses lead from the constant to values of the field (`calendar`, `instant`,
//! `text`, `printed`, `counted`, `number_text`, `like`), steps that keep the order are bisected (`arithmetic`, `days`, `parts`), and
//! results that recur are numbers of a cycle (`cycle`, `time_of_day`, `parts` without a year).

mod arithmetic;
mod calendar;
mod comparand;
mod counted;
mod cut;
mod cycle;
mod date_text;
mod days;
mod instant;
mod like;
mod lists;
mod method;
mod number;
mod number_text;
mod parts;
mod printed;
mod remarks;
#[cfg(test)]
mod tests;
mod text;
mod time_of_day;
mod truth;

use super::chain::{Chain, Step, TextStep};
use super::constant::Constant;
use super::values::ValueSet;
use crate::key::field::{Field, FieldId, FieldKind};
use crate::schema::model::Schema;
pub use calendar::{day_fault, text_fault};
use cut::{Position, of_numbers};
pub(super) use cycle::in_every_year;
use lists::{check_days, check_numbers_and_texts};
use method::Method;
pub(super) use number::is_mixed;
pub use remarks::Remarks;
use saltplan_sql::time::zone::Zone;
use truth::not_used;
pub use truth::{Comparison, Join, NotUsed, Truth};

/// A comparison with a constant.
pub(crate) type Compared<'c> = (Comparison, &'c Constant);

/// Compares chains of one field with constants.
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
    pub fn check(&mut self, chain: &Chain, join: Join, constants: &[&Constant]) -> Result<(), NotUsed> {
        let is_list = matches!(join, Join::Any);
        match (Method::of_chain(chain), join) {
            (Method::Arithmetic, _) => Ok(()),
            (Method::MovedDay, _) => {
                self.check_zone()?;
                check_days(chain.shape, is_list, constants)
            }
            (Method::Parts(_) | Method::TimeOfDay(_), _) => {
                self.check_zone()?;
                if is_list { check_numbers_and_texts(chain.shape, constants) } else { Ok(()) }
            }
            (_, Join::Any) => self.check_listed(chain, constants),
            (_, Join::Bounds) => self.check_bounds(chain, constants),
            (_, Join::One) => Ok(()),
        }
    }

    /// The values of the field that compare so with a constant, and those for which Hive's result cannot be predicted. Of what recurs
    /// they are numbers of the cycle.
    ///
    /// # Errors
    /// The comparison makes no set of values.
    pub fn compare(&mut self, chain: &Chain, compared: Compared<'_>) -> Result<(Truth, ValueSet), NotUsed> {
        let kind = self.kind();
        let truth = match (Method::of_chain(chain), compared.1) {
            (Method::Arithmetic, _) => return self.arithmetic(chain, compared),
            (Method::MovedDay, _) => return self.moved_day(chain, compared),
            (Method::Parts(parts), _) => self.parts_of_date(parts, compared)?,
            (Method::TimeOfDay(time), _) => self.time_of_day(time, compared)?,
            (Method::MonthOrDay(part), _) => self.month_or_day(part, compared)?,
            (_, Constant::Null) => Truth::unknown(kind),
            (Method::Field, _) => self.own_value(compared)?,
            (Method::Text(steps), _) => self.function_of_text(steps, compared)?,
            (Method::Printed(printed), _) => self.printed(&printed, compared)?,
            (Method::Day, _) => self.day(compared)?,
            (Method::CountedDays { plus_days, distance }, _) => {
                self.counted(plus_days, distance, compared)?
            }
        };
        Ok((truth, ValueSet::none(kind)))
    }

    /// Whether the values of the field follow from the constants that a chain is compared with.
    pub fn is_of_values(chain: &Chain) -> bool {
        Method::of_chain(chain).is_inverse()
    }

    /// The field itself, compared with a constant.
    fn own_value(&mut self, compared: Compared<'_>) -> Result<Truth, NotUsed> {
        let (kind, (comparison, constant)) = (self.kind(), compared);
        let cut = match kind {
            FieldKind::Text(text) => return self.text(text, &[], compared),
            FieldKind::Calendar(calendar) => Some(self.calendar_cut(calendar, compared)?),
            FieldKind::Integer(_) => self.number(constant)?.map(Position::of),
            FieldKind::Epoch(epoch) => self.epoch_cut(epoch, constant)?,
        };
        Ok(cut.map_or_else(|| Truth::unknown(kind), |cut| of_numbers(kind, comparison, cut)))
    }

    fn function_of_text(&mut self, steps: &[Step], compared: Compared<'_>) -> Result<Truth, NotUsed> {
        match (self.kind(), steps) {
            (FieldKind::Text(text), _) => self.text(text, steps, compared),
            (FieldKind::Calendar(calendar), [Step::Text(TextStep::Start(count))]) => {
                self.calendar_prefix(calendar, *count, compared)
            }
            (FieldKind::Integer(_), [Step::NumberText]) => self.number_text(compared),
            _ => not_used(format!("a function of `{}` has no range of its own", self.field.name)),
        }
    }
}
