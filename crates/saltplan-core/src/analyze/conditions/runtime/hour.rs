//! A day and its hour, each filled in on its own: `dt = :dt AND hr = :hr`.

use super::With;
use crate::analyze::bind::{Bound, Operator};
use crate::analyze::chain::Chain;
use crate::analyze::runtime::{RuntimeCondition, RuntimePart, RuntimeRange, RuntimeValue};
use crate::key::field::{FieldId, FieldKind};
use saltplan_document::diag::Diagnostic;
use saltplan_sql::Runtime;
use saltplan_sql::ast::BinaryOperator;
use saltplan_sql::time::format::TimeFormat;
use saltplan_sql::time::pattern::{Granularity, TimePattern};

/// The hour of a field, as two digits.
pub(super) struct Hour {
    pub field: FieldId,
    value: RuntimeValue,
}

impl With<'_> {
    /// `hour(t) = :hour` and its like; `None` for every other condition.
    pub(super) fn hour(&self) -> Option<Hour> {
        let (Operator::Binary(BinaryOperator::Eq), [left, right]) = self.leaf.operation()? else {
            return None;
        };
        let (time, value) = match Chain::of_time_of_day(self.schema, left) {
            Some(time) => (time, right),
            None => (Chain::of_time_of_day(self.schema, right)?, left),
        };
        let Bound::Runtime(name) = &value.uncast().what else { return None };
        let value = self.value_named(name)?;
        time.is_hour().then_some(Hour { field: time.field, value })
    }

    /// One hour of one day.
    pub(super) fn hour_of_day(
        &self,
        condition: Option<RuntimeCondition>,
        hour: Hour,
    ) -> Result<RuntimeCondition, Diagnostic> {
        let no_day = || {
            self.refused(
                "an hour of every day makes no range, and no condition beside it names one day by a run-time value",
                "an hour without its day",
            )
        };
        let condition = condition.filter(|condition| condition.field == hour.field).ok_or_else(no_day)?;
        let [RuntimeRange::Between { .. }] = condition.ranges.as_slice() else { return Err(no_day()) };
        let day =
            condition.ranges[0].only().filter(|day| day.moved == 0 && day.time == 0).ok_or_else(no_day)?;
        let format = day.given.format().filter(|format| format.granularity() == Granularity::Day);
        let joined = format.and_then(|format| TimeFormat::parse(&format!("{}HH", format.pattern())).ok());
        let (Some(format), Some(joined)) = (format, joined) else { return Err(no_day()) };
        let pattern = TimePattern::parse("HH").map_err(|_| no_day())?;
        let part = |value: &RuntimeValue, pattern: TimePattern| RuntimePart {
            name: value.name.clone(),
            given: value.given.clone(),
            pattern,
        };
        let parts = vec![part(day, format.printed().clone()), part(&hour.value, pattern)];
        let given = day.given.joined_with(&hour.value.given, joined);
        let value = RuntimeValue { given, parts, ..day.clone() };
        let range = self.within_hour(&condition, value)?;
        Ok(RuntimeCondition { ranges: vec![range], ..condition })
    }

    /// The range of an hour that a value tells.
    pub(super) fn within_hour(
        &self,
        condition: &RuntimeCondition,
        value: RuntimeValue,
    ) -> Result<RuntimeRange, Diagnostic> {
        let field = &self.schema.key.fields[condition.field];
        if let Some(clock) = &condition.clock
            && !clock.has_whole_hours()
        {
            return Err(self.refused(
                "the clock of the schema's `time_zone` shows some hour in two pieces, or skips the beginning of one",
                "an hour of this zone",
            ));
        }
        match &field.kind {
            FieldKind::Calendar(calendar) if calendar.format.granularity() == Granularity::Hour => {
                let ranges = [RuntimeRange::Is(value)];
                self.check_ends(condition.field, field)?;
                let [range] = ranges;
                Ok(range)
            }
            _ => Ok(RuntimeRange::Within { value, unit: Granularity::Hour }),
        }
    }

    fn value_named(&self, name: &str) -> Option<RuntimeValue> {
        let given: &Runtime = self.origin.runtime.get(name)?;
        Some(RuntimeValue::new(name, given))
    }
}
