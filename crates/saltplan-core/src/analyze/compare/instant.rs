//! Instants that are stored as numbers.

use chrono::NaiveTime;

use super::Comparer;
use super::cut::Position;
use super::number::looks_like_a_number;
use super::truth::{NotUsed, not_used};
use crate::analyze::constant::Constant;
use crate::key::field::{EpochField, FieldKind};
use saltplan_sql::time::format::parse_timestamp;
use saltplan_sql::time::zone::Zone;

impl Comparer<'_> {
    /// The cut of a constant among instants; `None` where it is text that is neither a time nor a number.
    pub(super) fn epoch_cut(
        &mut self,
        epoch: &EpochField,
        constant: &Constant,
    ) -> Result<Option<Position>, NotUsed> {
        let local = match constant {
            Constant::Number(number) => return Ok(Some(Position::of(*number))),
            Constant::Date(date) => date.and_time(NaiveTime::MIN),
            Constant::Timestamp(at) => *at,
            Constant::Text(text) => match parse_timestamp(text) {
                Some(at) => at,
                // With blanks around it, a text is not a number; that message says what to write.
                None if looks_like_a_number(text.trim()) => {
                    return Ok(self.number(constant)?.map(Position::of));
                }
                None => {
                    self.remarks.no_row(format!(
                        "`{text}` is neither a time nor a number, the condition is true for no row"
                    ));
                    // Its negation is true in Hive 2.
                    self.remarks.rejected.push(format!(
                        "`{text}` is neither a time nor a number, and `{}` is an instant",
                        self.field.name
                    ));
                    return Ok(None);
                }
            },
            _ => return not_used(format!("`{}` is a timestamp", self.field.name)),
        };
        let milliseconds = self.zone()?.instant(local);
        let unit = epoch.unit.milliseconds();
        let position = epoch.unit.ceiling(milliseconds.into());
        Ok(Some(Position { position, exact: position * i128::from(unit) == i128::from(milliseconds) }))
    }

    /// The zone that shows the instants of the field.
    fn zone(&self) -> Result<Zone, NotUsed> {
        self.time_zone.ok_or_else(|| {
            let name = &self.field.name;
            NotUsed(format!("`{name}` is an instant, and the schema has no `time_zone` to show it in"))
        })
    }

    /// # Errors
    /// The field is an instant, and the schema has no zone.
    pub(crate) fn check_zone(&self) -> Result<(), NotUsed> {
        if matches!(self.kind(), FieldKind::Epoch(_)) { self.zone().map(drop) } else { Ok(()) }
    }
}
