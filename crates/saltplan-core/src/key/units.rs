//! Days, hours and other units of dates, local times and instants, in the local time of a zone.

use chrono::NaiveDateTime;

use super::field::{FieldKind, FieldTime};
use super::interval::{Interval, IntervalSet};
use super::zone;
use saltplan_sql::time::pattern::Granularity;
use saltplan_sql::time::zone::Zone;

/// Units of equal length to which dates, local times or instants belong. A unit is identified by its ordinal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimeUnits<'a> {
    pub kind: &'a FieldKind,
    /// The time zone; only instants need it.
    pub zone: Option<Zone>,
    /// Not finer than the stored unit.
    pub unit: Granularity,
}

impl TimeUnits<'_> {
    /// The units that contain some numbers. `None` for an unbounded set, for a number outside the calendar,
    /// and for a kind of field without times.
    pub fn touched(&self, numbers: &IntervalSet<i128>) -> Option<IntervalSet<i128>> {
        let mut units = Vec::new();
        for interval in numbers.intervals() {
            for (first, last) in self.pieces(interval)? {
                let [first, last] =
                    [local_time(self.kind, self.zone, first)?, local_time(self.kind, self.zone, last)?]
                        .map(|at| i128::from(self.unit.ordinal_of(at)));
                units.push(Interval::new(first, Some(last + 1)));
            }
        }
        Some(IntervalSet::from_intervals(units))
    }

    /// All numbers of the kind that belong to some units.
    pub fn numbers(&self, units: &IntervalSet<i128>) -> Option<IntervalSet<i128>> {
        let not_before = |ordinal: i128| {
            not_before(self.kind, self.zone, self.unit.start_of(i64::try_from(ordinal).ok()?)?)
        };
        let mut numbers = IntervalSet::empty();
        for interval in units.intervals() {
            let within = not_before(interval.start)?.subtract(&not_before(interval.stop?)?);
            numbers = numbers.union(&within);
        }
        Some(numbers.intersect(&IntervalSet::from_intervals(vec![self.kind.domain()?])))
    }

    /// Whether some numbers cover all units that they touch completely.
    pub fn are_whole(&self, numbers: &IntervalSet<i128>) -> bool {
        let whole = self.touched(numbers).and_then(|units| self.numbers(&units));
        whole.as_ref() == Some(numbers)
    }

    /// The first and the last number of each part of an interval in which local time only moves forward.
    fn pieces(&self, interval: &Interval<i128>) -> Option<Vec<(i128, i128)>> {
        let last = interval.stop? - 1;
        let (FieldKind::Epoch(epoch), Some(zone)) = (self.kind, self.zone) else {
            return Some(vec![(interval.start, last)]);
        };
        let second = |number: i128| {
            i64::try_from((number * i128::from(epoch.unit.milliseconds())).div_euclid(1_000)).ok()
        };
        let mut first = interval.start;
        let mut pieces = Vec::new();
        for change in zone.changes(second(first)?, second(last)?) {
            let at = epoch.unit.ceiling(i128::from(change.at) * 1_000);
            if first < at && at <= last {
                pieces.push((first, at - 1));
                first = at;
            }
        }
        pieces.push((first, last));
        Some(pieces)
    }
}

/// The local time of a number; `None` outside the calendar, and if the field has no time.
pub fn local_time(kind: &FieldKind, zone: Option<Zone>, number: i128) -> Option<NaiveDateTime> {
    let number = i64::try_from(number).ok()?;
    match kind.time()? {
        FieldTime::Local(calendar) => calendar.format.granularity().start_of(number),
        FieldTime::Instant(epoch) => zone?.local_time(number.checked_mul(epoch.unit.milliseconds())?),
    }
}

/// The numbers of a kind whose local time is `start` or later.
pub(crate) fn not_before(
    kind: &FieldKind,
    zone: Option<Zone>,
    start: NaiveDateTime,
) -> Option<IntervalSet<i128>> {
    match kind.time()? {
        FieldTime::Local(calendar) => {
            let own = calendar.format.granularity();
            let position = own.ordinal_of(start);
            let exact = own.start_of(position) == Some(start);
            Some(IntervalSet::range(i128::from(position) + i128::from(!exact), None))
        }
        FieldTime::Instant(epoch) => {
            let instants = zone::instants_not_before(zone?, start);
            Some(instants.map(|milliseconds| epoch.unit.ceiling(milliseconds)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::field::{EpochField, EpochUnit};
    use crate::key::number::{IntegerSize, NumberEncoding, NumberForm};

    fn instants(unit: EpochUnit) -> FieldKind {
        let number = NumberForm {
            size: IntegerSize::Bigint,
            encoding: NumberEncoding::BigEndianSortable,
            width: None,
            descending: false,
            min: None,
            max: None,
        };
        FieldKind::Epoch(EpochField { unit, number })
    }

    /// Brute force: the unit of every quarter of an hour.
    #[test]
    fn units_are_those_that_the_clocks_show() {
        let (york, johns) = ("America/New_York", "America/St_Johns");
        for (zone, day) in [(york, 18_329), (york, 18_567), (johns, 14_920)] {
            let zone = zone.parse().unwrap();
            for unit in [Granularity::Hour, Granularity::Day, Granularity::Month] {
                let kind = instants(EpochUnit::Seconds);
                let units = TimeUnits { kind: &kind, zone: Some(zone), unit };
                let quarters = || (0..400).map(|quarter| i128::from(day) * 86_400 - 180_000 + quarter * 900);
                let unit_of = |at| i128::from(unit.ordinal_of(local_time(&kind, Some(zone), at).unwrap()));
                for first in quarters().step_by(7) {
                    let range = IntervalSet::range(first, Some(first + 50 * 900));
                    let touched = units.touched(&range).unwrap();
                    let whole = units.numbers(&touched).unwrap();
                    for at in quarters() {
                        assert!(!range.contains(&at) || touched.contains(&unit_of(at)));
                        assert_eq!(
                            whole.contains(&at),
                            touched.contains(&unit_of(at)),
                            "{zone} {unit:?} {at}"
                        );
                    }
                    assert!(units.are_whole(&whole));
                    assert_eq!(units.are_whole(&range), range == whole);
                }
            }
        }
    }
}
