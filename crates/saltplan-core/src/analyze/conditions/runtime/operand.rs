//! What is compared with a run-time value: a key field whose bounds Hive can compute, or a function of one.

use chrono::{DateTime, Days};

use super::{With, runtime_names};
use crate::analyze::bind::BoundNode;
use crate::analyze::chain::{Chain, Step, TextStep, TimeStep};
use crate::analyze::runtime::{has_time_of_day, is_number_of_instant};
use crate::key::field::{EpochField, Field, FieldId, FieldKind};
use crate::key::number::{NumberForm, Order};
use crate::key::zone::DayClock;
use saltplan_document::diag::Diagnostic;
use saltplan_sql::Runtime;
use saltplan_sql::time::format::{ISO_DAY, TimeFormat};
use saltplan_sql::time::pattern::Granularity;
use saltplan_sql::time::zone::Zone;

/// The maximum number of clock changes of a zone in one statement: 32 years of summer time.
const MAX_CHANGES: usize = 64;

/// The end of the year 8999.
const LAST_MILLISECOND: i64 = 221_845_391_999_999;

/// What a condition compares of a field.
pub(super) struct Operand {
    pub field: FieldId,
    pub part: Part,
    /// The form of a day or a month for which no other is given.
    pub given: Option<TimeFormat>,
    pub clock: Option<DayClock>,
}

#[derive(Clone, Copy)]
pub(super) enum Part {
    /// The value of a field without a time of day.
    Whole,
    /// The value of a field with one.
    Time,
    /// The day of a field.
    Day,
    /// The unit that a time lies in.
    Within(Granularity),
}

impl With<'_> {
    /// What is compared: a key field whose bounds Hive can compute, or a function of one.
    pub(super) fn operand(&self, operand: &BoundNode) -> Result<Operand, Diagnostic> {
        let unknown = || self.unknown();
        let not_sargable = || match operand.uncast().column() {
            Some(_) => self.refused("it is compared with what is not a key field", "not a key field"),
            None => self.unknown(),
        };
        let chain = Chain::of(self.schema, operand).ok_or_else(not_sargable)?;
        let field = chain.field;
        let declared = &self.schema.key.fields[field];
        if !declared.stored {
            return Err(self.refused("the key does not store the field", "only in the salt"));
        }
        let no_bounds = || {
            self.refused(
                "only days, months, times, numbers and texts that the key stores in their order have bounds that Hive can \
                 compute",
                "not such a field",
            )
        };
        let clock = match &declared.kind {
            FieldKind::Text(text) if text.form.is_plain() => None,
            FieldKind::Calendar(calendar) if calendar.format.sorts() => {
                let finest = calendar.format.granularity();
                let has_bounds = finest >= Granularity::Month
                    && (finest <= Granularity::Day || calendar.format.down_to(Granularity::Day).is_some());
                if !has_bounds {
                    return Err(no_bounds());
                }
                None
            }
            // Digits without padding are compared as texts.
            FieldKind::Integer(number)
                if number.is_text() && (has_bounds(number) || number.fixed_width().is_none()) =>
            {
                None
            }
            FieldKind::Epoch(epoch) if has_bounds(&epoch.number) && self.is_of_numbers() => None,
            FieldKind::Epoch(epoch) if has_bounds(&epoch.number) => Some(self.clock(declared, epoch)?),
            _ => return Err(no_bounds()),
        };
        let of_day = |format: TimeFormat| (Part::Day, Some(format));
        let iso = || TimeFormat::parse(ISO_DAY).map_err(|_| unknown());
        let (part, given) = match chain.steps.as_slice() {
            [_, ..] if self.compares_numbers(declared) => return Err(unknown()),
            // A field of hours, and a value that is an hour.
            [] if self.is_of_hours(&declared.kind) => {
                let FieldKind::Calendar(calendar) = &declared.kind else { return Err(unknown()) };
                (Part::Within(Granularity::Hour), Some(calendar.format.clone()))
            }
            [] if has_time_of_day(declared) && !self.compares_numbers(declared) => (Part::Time, None),
            [] => (Part::Whole, None),
            [Step::Text(TextStep::Start(count))] => {
                let FieldKind::Calendar(calendar) = &declared.kind else { return Err(unknown()) };
                let starts =
                    Granularity::ALL.into_iter().filter(|unit| *unit < calendar.format.granularity());
                let mut starts = starts.filter_map(|unit| Some((unit, calendar.format.down_to(unit)?)));
                let start = starts.find(|(_, start)| start.printed().characters() == *count);
                let (unit, start) =
                    start.filter(|(unit, _)| *unit <= Granularity::Day).ok_or_else(unknown)?;
                (Part::Within(unit), Some(start))
            }
            [Step::Time(TimeStep::Day)] => of_day(iso()?),
            [Step::Time(TimeStep::Print(format))]
            | [Step::Time(TimeStep::Print(format)), Step::Text(TextStep::Digits)]
                if format.sorts() =>
            {
                match (format.granularity(), &declared.kind) {
                    (Granularity::Day, _) => of_day(format.clone()),
                    (Granularity::Hour, FieldKind::Epoch(_)) => {
                        (Part::Within(Granularity::Hour), Some(format.clone()))
                    }
                    (Granularity::Hour, FieldKind::Calendar(calendar))
                        if calendar.format.down_to(Granularity::Hour).is_some() =>
                    {
                        (Part::Within(Granularity::Hour), Some(format.clone()))
                    }
                    (unit @ (Granularity::Year | Granularity::Month), FieldKind::Calendar(calendar))
                        if calendar.format.down_to(unit).is_some() =>
                    {
                        (Part::Within(unit), Some(format.clone()))
                    }
                    _ => return Err(unknown()),
                }
            }
            [Step::Time(TimeStep::Day), Step::Time(TimeStep::AddDays(0))] => of_day(iso()?),
            _ => return Err(unknown()),
        };
        if let (Part::Day, Some(clock)) = (part, &clock)
            && !clock.has_whole_days()
        {
            return Err(self.refused(
                "the clock of the schema's `time_zone` shows some day in two pieces, or begins it late",
                "a day of this zone",
            ));
        }
        Ok(Operand { field, part, given, clock })
    }

    /// Whether an instant is compared with numbers of its unit. For them, no clock matters.
    pub(super) fn compares_numbers(&self, declared: &Field) -> bool {
        matches!(declared.kind, FieldKind::Epoch(_)) && self.is_of_numbers()
    }

    /// Whether all values are numbers, if the field is an instant.
    fn is_of_numbers(&self) -> bool {
        let is_number = |name: &&str| self.origin.runtime.get(*name).is_some_and(is_number_of_instant);
        runtime_names(self.leaf).iter().all(is_number)
    }

    /// The days whose instants a statement can compute.
    fn clock(&self, declared: &Field, epoch: &EpochField) -> Result<DayClock, Diagnostic> {
        let is_instant = |name: &&str| self.origin.runtime.get(*name).is_some_and(Runtime::is_instant);
        // An instant with its offset needs no zone.
        let zone = if runtime_names(self.leaf).iter().all(is_instant) {
            Some(Zone::utc())
        } else {
            self.schema.time_zone
        };
        let Some(zone) = zone else {
            return Err(self.refused("the schema has no `time_zone`", "a day of no zone"));
        };
        let day = |number: i128| {
            let milliseconds = number.saturating_mul(i128::from(epoch.unit.milliseconds()));
            let milliseconds = milliseconds.clamp(0, i128::from(LAST_MILLISECOND));
            DateTime::from_timestamp_millis(i64::try_from(milliseconds).unwrap_or_default())
                .unwrap_or_default()
                .date_naive()
        };
        let domain = epoch.number.domain();
        let last = domain.stop.map_or(i128::MAX, |stop| stop - 1);
        // The bounds of a day and of the next day are numbers of the field in every zone.
        let (mut first, mut last) = (day(domain.start) + Days::new(2), day(last) - Days::new(3));
        if let Some(plausible) = declared.window.first {
            first = first.max(day(plausible.into()));
        }
        if let Some(plausible) = declared.window.last {
            last = last.min(day(plausible.into()) + Days::new(2));
        }
        let clock = DayClock::new(zone, (first, last));
        if clock.change_count() > MAX_CHANGES {
            return Err(self.refused(
                &format!(
                    "the clock of {zone} changes {} times between {first} and {last}, and a statement has room for \
                     {MAX_CHANGES}; with a plausible `min` and `max` of the field in the schema they are fewer",
                    clock.change_count()
                ),
                "a day of this zone",
            ));
        }
        Ok(clock)
    }

    /// Whether a field stores hours, and the condition compares it with an hour.
    fn is_of_hours(&self, kind: &FieldKind) -> bool {
        let is_hour = |name: &&str| {
            let format = self.origin.runtime.get(*name).and_then(Runtime::format);
            format.is_some_and(|format| format.granularity() >= Granularity::Hour)
        };
        matches!(kind, FieldKind::Calendar(calendar) if calendar.format.granularity() == Granularity::Hour)
            && runtime_names(self.leaf).iter().all(is_hour)
    }
}

/// Whether a range of numbers is one of bytes.
fn has_bounds(number: &NumberForm) -> bool {
    match number.order() {
        Order::Rising | Order::Falling => true,
        Order::NegativesLast => number.domain().start >= 0,
        Order::None => false,
    }
}
