//! Local time and instants. Both are milliseconds since 1970-01-01T00:00:00, an instant in UTC.

use chrono::{DateTime, Duration, MappedLocalTime, NaiveDate, NaiveDateTime, Offset, TimeZone};
use chrono_tz::Tz;

use super::interval::{Interval, IntervalSet};

/// The local time of an instant; `None` outside the calendar.
pub fn local_time(zone: Tz, milliseconds: i64) -> Option<NaiveDateTime> {
    let utc = DateTime::from_timestamp_millis(milliseconds)?.naive_utc();
    utc.checked_add_offset(zone.offset_from_utc_datetime(&utc).fix())
}

/// The instant of a local time, by the rules of Java's `ZonedDateTime.of`: if it occurs twice, the earlier
/// instant; if it is skipped, it moves forward by the length of the gap.
pub fn instant(zone: Tz, local: NaiveDateTime) -> i64 {
    let offset = match zone.offset_from_local_datetime(&local) {
        MappedLocalTime::Single(offset) | MappedLocalTime::Ambiguous(offset, _) => {
            offset.fix().local_minus_utc()
        }
        MappedLocalTime::None => offset(zone, local - Duration::days(1)),
    };
    (local - Duration::seconds(i64::from(offset))).and_utc().timestamp_millis()
}

/// All instants whose local time is `bound` or later.
///
/// If clocks go back, this is not one interval: 02:00 comes again after 02:59.
pub(crate) fn instants_not_before(zone: Tz, bound: NaiveDateTime) -> IntervalSet<i128> {
    // No zone is more than 26 hours from UTC, so only this window has to be searched.
    let second = bound.and_utc().timestamp();
    let (from, to) = (second - 27 * 3_600, second + 28 * 3_600);
    let mut pieces = vec![Interval::new(1_000 * i128::from(to), None)];
    let (mut start, mut ahead) = (from, offset_at(zone, from));
    let end = OffsetChange { at: to, offset: 0 };
    for change in changes(zone, from, to).into_iter().chain([end]) {
        let first = milliseconds(bound) - 1_000 * i128::from(ahead);
        let (from, to) = (1_000 * i128::from(start), 1_000 * i128::from(change.at));
        pieces.push(Interval::new(first.max(from), Some(to)));
        (start, ahead) = (change.at, change.offset);
    }
    IntervalSet::from_intervals(pieces)
}

fn milliseconds(utc: NaiveDateTime) -> i128 {
    i128::from(utc.and_utc().timestamp_millis())
}

/// The offset of local time from UTC in seconds.
fn offset(zone: Tz, utc: NaiveDateTime) -> i32 {
    zone.offset_from_utc_datetime(&utc).fix().local_minus_utc()
}

/// The offset of local time from UTC in seconds, at a second since 1970-01-01T00:00:00Z.
pub(crate) fn offset_at(zone: Tz, second: i64) -> i32 {
    DateTime::from_timestamp(second, 0).map_or(0, |utc| offset(zone, utc.naive_utc()))
}

/// A clock change of a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OffsetChange {
    /// The first second with the new offset, since 1970-01-01T00:00:00Z.
    pub at: i64,
    /// The new offset from UTC in seconds.
    pub offset: i32,
}

/// The seconds of 1800-01-01 and 2101-01-01. In the tables of all zones there is no change outside.
const TABLES: (i64, i64) = (-5_364_662_400, 4_133_980_800);

/// The clock changes after the second `from`, up to and including the second `to`.
pub fn changes(zone: Tz, from: i64, to: i64) -> Vec<OffsetChange> {
    // No zone has two changes within a day.
    let step = 86_400;
    let (mut at, to) = (from.max(TABLES.0), to.min(TABLES.1));
    let mut found = Vec::new();
    while at < to {
        let next = (at + step).min(to);
        let (before, after) = (offset_at(zone, at), offset_at(zone, next));
        if before != after {
            let (mut low, mut high) = (at, next);
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if offset_at(zone, middle) == before { low = middle } else { high = middle }
            }
            found.push(OffsetChange { at: high, offset: offset_at(zone, high) });
        }
        at = next;
    }
    found
}

/// The instants at which the clock of a zone shows the times of some days, by the rules of [`instant`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayClock {
    /// The first and the last of the days.
    pub days: (NaiveDate, NaiveDate),
    /// Seconds that the clock is ahead of UTC when the first day begins.
    first: i32,
    changes: Vec<OffsetChange>,
}

impl DayClock {
    pub fn new(zone: Tz, days: (NaiveDate, NaiveDate)) -> Self {
        let second = |day: NaiveDate| day.and_time(chrono::NaiveTime::MIN).and_utc().timestamp();
        // No zone is further than 26 hours away from UTC.
        let (from, to) = (second(days.0) - 2 * 86_400, second(days.1) + 3 * 86_400);
        DayClock { days, first: offset_at(zone, from), changes: changes(zone, from, to) }
    }

    /// How often the clock is put forward or back.
    pub fn change_count(&self) -> usize {
        self.changes.len()
    }

    /// Whether each day is one interval of instants that begins at midnight. It is not if the clock is put back over
    /// midnight, or forward from before midnight to after it.
    pub fn has_whole_days(&self) -> bool {
        let mut before = self.first;
        self.changes.iter().all(|change| {
            let (low, high) = (before.min(change.offset), before.max(change.offset));
            before = change.offset;
            (change.at + i64::from(low)).rem_euclid(86_400) + i64::from(high - low) <= 86_400
        })
    }

    /// The offsets at which a time of the day, in milliseconds, is read, each with the first day on which it applies,
    /// in the order of the days.
    pub fn offsets(&self, time: i64) -> Vec<(NaiveDate, i32)> {
        let mut before = self.first;
        let mut offsets = vec![(self.days.0, before)];
        for change in &self.changes {
            // The new offset applies from the later of the two readings on. A time that is shown twice or never is read
            // with the old offset.
            let shown = (change.at + i64::from(before.max(change.offset))) * 1_000 - time;
            let day = shown.div_euclid(86_400_000) + i64::from(shown.rem_euclid(86_400_000) > 0);
            let day = DateTime::from_timestamp(day * 86_400, 0).unwrap_or_default().date_naive();
            before = change.offset;
            if day <= self.days.0 {
                offsets = vec![(self.days.0, before)];
            } else {
                offsets.push((day, before));
            }
        }
        offsets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares [`DayClock`] with [`instant`], and its days with the instants at which the clock shows them.
    #[test]
    fn clocks_of_days() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        for (zone, first, last, whole) in [
            (chrono_tz::Europe::Berlin, "2019-01-01", "2022-12-31", true),
            (chrono_tz::America::New_York, "2019-01-01", "2022-12-31", true),
            (chrono_tz::America::Sao_Paulo, "2015-01-01", "2020-12-31", true),
            (chrono_tz::Asia::Shanghai, "1985-01-01", "1993-12-31", true),
            (chrono_tz::Pacific::Apia, "2011-01-01", "2012-12-31", true),
            (chrono_tz::Africa::Cairo, "2014-01-01", "2015-12-31", true),
            (chrono_tz::America::St_Johns, "2009-01-01", "2012-12-31", false),
            (chrono_tz::UTC, "1970-01-02", "1990-12-31", true),
        ] {
            let clock = DayClock::new(zone, (day(first), day(last)));
            assert_eq!(clock.has_whole_days(), whole, "{zone}");
            for day in day(first).iter_days().take_while(|at| *at <= day(last)) {
                for time in [0, 1, 3_600_000, 9_000_000, 86_399_999] {
                    let local = day.and_time(chrono::NaiveTime::MIN) + Duration::milliseconds(time);
                    let offsets = clock.offsets(time);
                    let offset = offsets.iter().rev().find(|(from, _)| *from <= day).unwrap().1;
                    let read = local.and_utc().timestamp_millis() - i64::from(offset) * 1_000;
                    assert_eq!(read, instant(zone, local), "{zone} {local}");
                    if whole && time == 0 {
                        let shown = instants_not_before(zone, local);
                        assert_eq!(shown, IntervalSet::range(i128::from(read), None), "{zone} {local}");
                    }
                }
            }
        }
    }

    fn at(text: &str) -> NaiveDateTime {
        text.parse().unwrap()
    }

    fn day_length_hours(zone: Tz, day: &str, next: &str) -> i128 {
        let set = instants_not_before(zone, at(day)).subtract(&instants_not_before(zone, at(next)));
        let lengths = set.intervals().iter().map(|interval| interval.stop.unwrap() - interval.start);
        lengths.sum::<i128>() / 3_600_000
    }

    #[test]
    fn days_of_23_and_25_hours() {
        let zone = chrono_tz::Europe::Berlin;
        assert_eq!(day_length_hours(zone, "2020-03-29T00:00:00", "2020-03-30T00:00:00"), 23);
        assert_eq!(day_length_hours(zone, "2020-10-25T00:00:00", "2020-10-26T00:00:00"), 25);
        assert_eq!(day_length_hours(zone, "2020-10-26T00:00:00", "2020-10-27T00:00:00"), 24);
    }

    #[test]
    fn gaps_and_overlaps_follow_java() {
        let zone = chrono_tz::Europe::Berlin;
        assert_eq!(instant(zone, at("2020-03-29T02:30:00")), milliseconds(at("2020-03-29T01:30:00")) as i64);
        assert_eq!(instant(zone, at("2020-10-25T02:30:00")), milliseconds(at("2020-10-25T00:30:00")) as i64);
        assert_eq!(
            local_time(zone, instant(zone, at("2020-04-06T10:00:00"))),
            Some(at("2020-04-06T10:00:00"))
        );
    }

    /// Checks what [`changes`] relies on: two changes are more than a day apart, and none is outside the
    /// tables.
    #[test]
    fn clock_changes_are_complete() {
        let (from, to) = (-6_000_000_000, 8_000_000_000);
        for zone in chrono_tz::TZ_VARIANTS.into_iter().step_by(25) {
            let mut next = changes(zone, from, to).into_iter().peekable();
            let mut offset = offset_at(zone, from);
            for second in (from..to).step_by(50 * 3_600 + 1) {
                while let Some(change) = next.next_if(|change| change.at <= second) {
                    assert_eq!(offset_at(zone, change.at - 1), offset, "{zone} {change:?}");
                    offset = change.offset;
                }
                assert_eq!(offset_at(zone, second), offset, "{zone} at {second}");
            }
        }
    }

    /// Clocks in St. John's went back at 00:01, so 59 minutes of the day before are repeated.
    #[test]
    fn a_day_in_two_pieces() {
        let zone = chrono_tz::America::St_Johns;
        let day = instants_not_before(zone, at("2010-11-07T00:00:00"));
        assert_eq!(day.intervals().len(), 2);
        for hour in 0..80 {
            for minute in [0, 1, 29, 30, 31, 59] {
                let utc = at("2010-11-05T12:00:00") + Duration::hours(hour) + Duration::minutes(minute);
                let local = local_time(zone, milliseconds(utc) as i64).unwrap();
                assert_eq!(day.contains(&milliseconds(utc)), local >= at("2010-11-07T00:00:00"), "{utc}");
            }
        }
    }
}
