//! Sets of dates that are the same in every year: months, and days of months.
//!
//! As intervals they need one or more per year, between ten thousand and two million for the years 1 to 9999.
//! As months and days they are a few words.

use chrono::{Datelike, NaiveDate, NaiveTime};

use super::interval::{Interval, IntervalSet};
use saltplan_sql::time::format::TimeFormat;
use saltplan_sql::time::pattern::Granularity;

/// A set with fewer intervals is short enough as it is.
const MIN_INTERVALS: usize = 367;

/// The number of days in each month of a leap year.
const DAYS: [u32; 12] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// Days that are the same in every year.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cycle {
    /// The days of every month; the lowest bit is the first day.
    months: [u32; 12],
}

impl Cycle {
    /// The days for which `holds` is true. It gets month and day, both counted from 1.
    pub fn new(holds: impl Fn(u32, u32) -> bool) -> Self {
        let mut months = [0; 12];
        for (month, (bits, days)) in (1..).zip(months.iter_mut().zip(DAYS)) {
            *bits = (1..=days).filter(|day| holds(month, *day)).fold(0, |bits, day| bits | 1 << (day - 1));
        }
        Cycle { months }
    }

    /// The cycle of a set of ordinals within the years of `domain`. `None` if the set is not a cycle, or if
    /// it is short as intervals.
    pub fn of(format: &TimeFormat, domain: &Interval<i128>, set: &IntervalSet<i128>) -> Option<Self> {
        let own = format.granularity();
        if set.intervals().len() < MIN_INTERVALS || own < Granularity::Month {
            return None;
        }
        // Any nine years contain a 29 February, also across a century.
        let first = years(own, domain)?.start + 1;
        let mut cycle = Cycle::new(|_, _| false);
        for year in first..first + 9 {
            for (bits, month) in cycle.months.iter_mut().zip(1..) {
                for day in 0..31 {
                    let date = NaiveDate::from_ymd_opt(year, month, day + 1);
                    let ordinal = date.map(|date| i128::from(own.ordinal_of(date.and_time(NaiveTime::MIN))));
                    if ordinal.is_some_and(|ordinal| set.contains(&ordinal)) {
                        *bits |= 1 << day;
                    }
                }
            }
        }
        (cycle.set(format, domain) == *set).then_some(cycle)
    }

    /// The ordinals of a format (months or finer) that are in these days and in `domain`.
    ///
    /// A format of months contains a month if the first day of the month is in the set.
    pub fn set(&self, format: &TimeFormat, domain: &Interval<i128>) -> IntervalSet<i128> {
        let own = format.granularity();
        let Some(years) = years(own, domain) else { return IntervalSet::empty() };
        let (common, leap) = (self.runs(own, false), self.runs(own, true));
        let mut intervals: Vec<Interval<i128>> = Vec::new();
        for year in years {
            let Some(start) = NaiveDate::from_ymd_opt(year, 1, 1) else { continue };
            let (runs, start) =
                (if start.leap_year() { &leap } else { &common }, start.and_time(NaiveTime::MIN));
            let (start, day) = (i128::from(own.ordinal_of(start)), units_of_a_day(own));
            for (from, to) in runs {
                let (from, to) = (start + from * day, start + to * day);
                match intervals.last_mut() {
                    Some(last) if last.stop == Some(from) => last.stop = Some(to),
                    _ => intervals.push(Interval::new(from, Some(to))),
                }
            }
        }
        IntervalSet::from_intervals(intervals).intersect(&IntervalSet::from_intervals(vec![domain.clone()]))
    }

    /// Intervals of days in one year, or of months, counted from 0.
    fn runs(&self, own: Granularity, leap: bool) -> Vec<(i128, i128)> {
        let month = |(bits, days): (&u32, u32)| -> Vec<bool> {
            match own {
                Granularity::Month => vec![bits & 1 == 1],
                _ => {
                    (0..if days == 29 && !leap { 28 } else { days }).map(|day| bits >> day & 1 == 1).collect()
                }
            }
        };
        let all = self.months.iter().zip(DAYS).flat_map(month);
        let mut runs: Vec<(i128, i128)> = Vec::new();
        for (at, _) in (0..).zip(all).filter(|(_, holds)| *holds) {
            match runs.last_mut() {
                Some((_, to)) if *to == at => *to += 1,
                _ => runs.push((at, at + 1)),
            }
        }
        runs
    }

    /// Months with the same days, and these days; `None` means all days. Both are counted from 1.
    pub fn groups(&self) -> Vec<(Vec<u32>, Option<Vec<u32>>)> {
        let all = |month: &u32| (1u32 << DAYS[*month as usize - 1]) - 1;
        let bits = |month: &u32| self.months[*month as usize - 1];
        let mut months: Vec<u32> = (1..=12).filter(|month| bits(month) != 0).collect();
        // A month can share the days of one that is at least as long: the additional days do not exist in its
        // dates.
        months.sort_by_key(|month| std::cmp::Reverse(all(month)));
        let mut groups: Vec<(Vec<u32>, u32)> = Vec::new();
        for month in months {
            match groups.iter_mut().find(|(_, of)| of & all(&month) == bits(&month)) {
                Some((alike, _)) => alike.push(month),
                None => groups.push((vec![month], bits(&month))),
            }
        }
        let finish = |(mut months, of): (Vec<u32>, u32)| {
            months.sort_unstable();
            let every_day = months.iter().all(|month| of & all(month) == all(month));
            (months, (!every_day).then(|| (1..=31).filter(|day| of >> (day - 1) & 1 == 1).collect()))
        };
        groups.into_iter().map(finish).collect()
    }
}

fn years(own: Granularity, domain: &Interval<i128>) -> Option<std::ops::Range<i32>> {
    let year = |ordinal: i128| own.start_of(i64::try_from(ordinal).ok()?).map(|at| at.year());
    Some(year(domain.start)?..year(domain.stop? - 1)? + 1)
}

/// Units of the format per day; 1 if its units are days or longer.
fn units_of_a_day(own: Granularity) -> i128 {
    match own {
        Granularity::Hour => 24,
        Granularity::Minute => 24 * 60,
        Granularity::Second => 86_400,
        Granularity::Millisecond => 86_400_000,
        Granularity::Year | Granularity::Month | Granularity::Day => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_back(pattern: &str, cycle: &Cycle) -> (TimeFormat, Interval<i128>, IntervalSet<i128>) {
        let format = TimeFormat::parse(pattern).unwrap();
        let (first, last) = format.domain();
        let domain = Interval::new(first.into(), Some(i128::from(last) + 1));
        let set = cycle.set(&format, &domain);
        (format, domain, set)
    }

    #[test]
    fn a_set_holds_the_same_days_of_every_year() {
        let cycle = Cycle::new(|month, day| month == 2 && day > 27 || month == 12 && day == 31);
        for pattern in ["yyyyMMdd", "dd.MM.yyyy HH", "yyyyMMddHHmmssSSS"] {
            let (format, domain, set) = read_back(pattern, &cycle);
            let contains = |text: &str| {
                let at = saltplan_sql::time::format::parse_timestamp(text).unwrap();
                set.contains(&format.granularity().ordinal_of(at).into())
            };
            for text in
                ["0001-02-28", "1900-02-28", "2020-02-29 23:59", "2020-12-31 12:00", "9999-12-31 23:00"]
            {
                assert!(contains(text), "{pattern} {text}");
            }
            for text in ["0001-01-01", "1900-03-01", "2020-02-27 23:59", "2021-01-01", "9999-12-30"] {
                assert!(!contains(text), "{pattern} {text}");
            }
            assert_eq!(Cycle::of(&format, &domain, &set), Some(cycle.clone()), "{pattern}");
            let day = set.intervals()[5_000].start;
            let less = set.subtract(&IntervalSet::range(day, Some(day + 1)));
            assert_eq!(Cycle::of(&format, &domain, &less), None, "{pattern}");
        }
    }

    #[test]
    fn months_without_days() {
        let cycle = Cycle::new(|month, _| month == 2);
        let (format, domain, set) = read_back("yyyyMM", &cycle);
        assert_eq!(set.intervals().len(), 9_999);
        assert_eq!(Cycle::of(&format, &domain, &set), Some(cycle));
    }

    #[test]
    fn groups_have_the_days_of_the_cycle() {
        let holds: [fn(u32, u32) -> bool; 4] = [
            |_, day| day == 29 || day == 31,
            |month, _| month == 2 || month == 11,
            |month, day| (month * 31 + day) % 7 == 3,
            |month, day| month == 2 && day == 29 || month == 4 && day < 30 || month == 6,
        ];
        for holds in holds {
            let groups = Cycle::new(holds).groups();
            for (month, days) in (1..).zip(DAYS) {
                for day in 1..=days {
                    let said = groups.iter().any(|(months, days)| {
                        months.contains(&month) && days.as_ref().is_none_or(|days| days.contains(&day))
                    });
                    assert_eq!(said, holds(month, day), "{month} {day} {groups:?}");
                }
            }
        }
        assert_eq!(Cycle::new(|_, day| day == 31).groups().len(), 1);
        assert_eq!(Cycle::new(|month, _| month < 4).groups(), [(vec![1, 2, 3], None)]);
    }
}
