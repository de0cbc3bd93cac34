//! The instants of local times and days, in milliseconds since 1970-01-01T00:00:00Z.

use chrono::{DateTime, NaiveDate, NaiveDateTime};

use super::interval::{Interval, IntervalSet};
use saltplan_sql::time::zone::{OffsetChange, Zone};

/// All instants whose local time is `bound` or later.
///
/// If clocks go back, this is not one interval: 02:00 comes again after 02:59.
pub(crate) fn instants_not_before(zone: Zone, bound: NaiveDateTime) -> IntervalSet<i128> {
    // No zone is more than 26 hours from UTC, so only this window has to be searched.
    let second = bound.and_utc().timestamp();
    let (from, to) = (second - 27 * 3_600, second + 28 * 3_600);
    let mut pieces = vec![Interval::new(1_000 * i128::from(to), None)];
    let (mut start, mut ahead) = (from, zone.offset_at(from));
    let end = OffsetChange { at: to, offset: 0 };
    for change in zone.changes(from, to).into_iter().chain([end]) {
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

/// The instants at which the clock of a zone shows the times of some days, by the rules of [`Zone::instant`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayClock {
    /// The first and the last of the days.
    pub days: (NaiveDate, NaiveDate),
    /// Seconds that the clock is ahead of UTC when the first day begins.
    first: i32,
    changes: Vec<OffsetChange>,
}

impl DayClock {
    pub fn new(zone: Zone, days: (NaiveDate, NaiveDate)) -> Self {
        let second = |day: NaiveDate| day.and_time(chrono::NaiveTime::MIN).and_utc().timestamp();
        // No zone is further than 26 hours away from UTC.
        let (from, to) = (second(days.0) - 2 * 86_400, second(days.1) + 3 * 86_400);
        DayClock { days, first: zone.offset_at(from), changes: zone.changes(from, to) }
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

    /// Whether each hour is one interval of instants that begins with the hour or when the clock is put forward to it. It is not if the
    /// clock is put back into an earlier hour than the one that ends, or forward over the beginning of an hour.
    pub fn has_whole_hours(&self) -> bool {
        let mut before = self.first;
        self.changes.iter().all(|change| {
            let (old, new) = (change.at + i64::from(before), change.at + i64::from(change.offset));
            before = change.offset;
            if new < old {
                (old - 1).div_euclid(3_600) == new.div_euclid(3_600)
            } else {
                (old.div_euclid(3_600) + 1) * 3_600 >= new
            }
        })
    }

    /// The first offset; then each later offset with the first local hour that begins under it.
    pub fn hour_offsets(&self) -> (i32, Vec<(NaiveDateTime, i32)>) {
        let mut before = self.first;
        let offsets = self.changes.iter().map(|change| {
            // The new offset applies from the later of the two readings on.
            let shown = change.at + i64::from(before.max(change.offset));
            before = change.offset;
            let hour = shown.div_euclid(3_600) + i64::from(shown.rem_euclid(3_600) > 0);
            (DateTime::from_timestamp(hour * 3_600, 0).unwrap_or_default().naive_utc(), before)
        });
        (self.first, offsets.collect())
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
    use chrono::Duration;

    fn zone(name: &str) -> Zone {
        name.parse().unwrap()
    }

    /// Compares [`DayClock`] with [`instant`], and its days with the instants at which the clock shows them.
    #[test]
    fn clocks_of_days() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        for (zone, first, last, whole) in [
            (zone("Europe/Berlin"), "2019-01-01", "2022-12-31", true),
            (zone("America/New_York"), "2019-01-01", "2022-12-31", true),
            (zone("America/Sao_Paulo"), "2015-01-01", "2020-12-31", true),
            (zone("Asia/Shanghai"), "1985-01-01", "1993-12-31", true),
            (zone("Pacific/Apia"), "2011-01-01", "2012-12-31", true),
            (zone("Africa/Cairo"), "2014-01-01", "2015-12-31", true),
            (zone("America/St_Johns"), "2009-01-01", "2012-12-31", false),
            (Zone::utc(), "1970-01-02", "1990-12-31", true),
        ] {
            let clock = DayClock::new(zone, (day(first), day(last)));
            assert_eq!(clock.has_whole_days(), whole, "{zone}");
            for day in day(first).iter_days().take_while(|at| *at <= day(last)) {
                for time in [0, 1, 3_600_000, 9_000_000, 86_399_999] {
                    let local = day.and_time(chrono::NaiveTime::MIN) + Duration::milliseconds(time);
                    let offsets = clock.offsets(time);
                    let offset = offsets.iter().rev().find(|(from, _)| *from <= day).unwrap().1;
                    let read = local.and_utc().timestamp_millis() - i64::from(offset) * 1_000;
                    assert_eq!(read, zone.instant(local), "{zone} {local}");
                    if whole && time == 0 {
                        let shown = instants_not_before(zone, local);
                        assert_eq!(shown, IntervalSet::range(i128::from(read), None), "{zone} {local}");
                    }
                }
            }
        }
    }

    /// Compares the hours of [`DayClock`] with the instants at which the clock shows them.
    #[test]
    fn clocks_of_hours() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        for (zone, first, last, whole) in [
            (zone("Europe/Berlin"), "2019-01-01", "2022-12-31", true),
            (zone("America/New_York"), "2019-01-01", "2022-12-31", true),
            (zone("Australia/Lord_Howe"), "2019-01-01", "2022-12-31", true),
            (zone("America/Sao_Paulo"), "2015-01-01", "2020-12-31", true),
            (zone("Asia/Shanghai"), "1992-01-01", "1993-12-31", true),
            (zone("Asia/Kolkata"), "1992-01-01", "1993-12-31", true),
            (zone("Pacific/Apia"), "2011-01-01", "2012-12-31", false),
            (zone("America/St_Johns"), "2009-01-01", "2012-12-31", false),
            (zone("Antarctica/Troll"), "2019-01-01", "2020-12-31", false),
        ] {
            let clock = DayClock::new(zone, (day(first), day(last)));
            assert_eq!(clock.has_whole_hours(), whole, "{zone}");
            let (before, offsets) = clock.hour_offsets();
            let start = |hour: NaiveDateTime| {
                let offset =
                    offsets.iter().rev().find(|(from, _)| *from <= hour).map_or(before, |found| found.1);
                i128::from((hour.and_utc().timestamp() - i64::from(offset)) * 1_000)
            };
            let midnight = day(first).and_time(chrono::NaiveTime::MIN);
            for hour in (0..24 * 700).filter(|_| whole).map(|hours| midnight + Duration::hours(hours)) {
                let next = hour + Duration::hours(1);
                let shown = instants_not_before(zone, hour).subtract(&instants_not_before(zone, next));
                assert_eq!(shown, IntervalSet::range(start(hour), Some(start(next))), "{zone} {hour}");
            }
        }
    }

    fn at(text: &str) -> NaiveDateTime {
        text.parse().unwrap()
    }

    fn day_length_hours(zone: Zone, day: &str, next: &str) -> i128 {
        let set = instants_not_before(zone, at(day)).subtract(&instants_not_before(zone, at(next)));
        let lengths = set.intervals().iter().map(|interval| interval.stop.unwrap() - interval.start);
        lengths.sum::<i128>() / 3_600_000
    }

    #[test]
    fn days_of_23_and_25_hours() {
        let zone = zone("Europe/Berlin");
        assert_eq!(day_length_hours(zone, "2020-03-29T00:00:00", "2020-03-30T00:00:00"), 23);
        assert_eq!(day_length_hours(zone, "2020-10-25T00:00:00", "2020-10-26T00:00:00"), 25);
        assert_eq!(day_length_hours(zone, "2020-10-26T00:00:00", "2020-10-27T00:00:00"), 24);
    }

    /// Clocks in St. John's went back at 00:01, so 59 minutes of the day before are repeated.
    #[test]
    fn a_day_in_two_pieces() {
        let zone = zone("America/St_Johns");
        let day = instants_not_before(zone, at("2010-11-07T00:00:00"));
        assert_eq!(day.intervals().len(), 2);
        for hour in 0..80 {
            for minute in [0, 1, 29, 30, 31, 59] {
                let utc = at("2010-11-05T12:00:00") + Duration::hours(hour) + Duration::minutes(minute);
                let local = zone.local_time(milliseconds(utc) as i64).unwrap();
                assert_eq!(day.contains(&milliseconds(utc)), local >= at("2010-11-07T00:00:00"), "{utc}");
            }
        }
    }
}
