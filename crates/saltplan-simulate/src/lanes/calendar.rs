//! Dates and times as text, many rows side by side.

use super::columns::{Divisor, Numbers, four_digits, or_bytes, two_digits};
use super::values::Bounded;
use super::{Column, ROWS};
use saltplan_core::key::time_format::{Granularity, TimeFormat};

/// Days from 0000-03-01, where the years of the algorithm below begin, to 1970-01-01.
const DAYS_TO_1970: i64 = 719_468;

/// Most words of a text.
const MAX_WORDS: usize = 16;

/// A format with the unit that the numbers count.
#[derive(Debug, Clone)]
pub struct Calendar {
    /// The text with zeros where digits stand.
    template: Vec<u8>,
    units: Vec<(Granularity, usize)>,
    numbers: Counted,
}

/// What a number counts.
#[derive(Debug, Clone, Copy)]
enum Counted {
    Years,
    Months,
    /// Parts of a day, from 0000-03-01 on with `offset` added; `milliseconds` in a part.
    Parts {
        offset: i64,
        of_day: Divisor,
        milliseconds: u32,
    },
}

/// The units of the rows' times.
struct Units {
    year: Column,
    month: Column,
    day: Column,
    second_of_day: Column,
    millisecond: Column,
}

impl Calendar {
    /// `None` for numbers outside the years 1 to 9999, characters of more than one byte, and very long texts.
    pub fn new(format: &TimeFormat, counted: Granularity, values: &Bounded) -> Option<Self> {
        let text = format.format(format.domain().0)?;
        if !text.is_ascii() || text.len() > 4 * MAX_WORDS {
            return None;
        }
        let start = |ordinal| {
            counted.start_of(ordinal).filter(|at| {
                use chrono::Datelike;
                (1..=9999).contains(&at.year())
            })
        };
        start(values.low)?;
        start(values.high)?;
        let all = [
            Granularity::Year,
            Granularity::Month,
            Granularity::Day,
            Granularity::Hour,
            Granularity::Minute,
            Granularity::Second,
            Granularity::Millisecond,
        ];
        let mut template = text.into_bytes();
        let mut units = Vec::new();
        for unit in all {
            if let Some((at, width)) = format.place_of(unit) {
                template.get_mut(at..at + width)?.fill(0);
                units.push((unit, at));
            }
        }
        Some(Calendar { template, units, numbers: Counted::new(counted)? })
    }

    pub fn width(&self) -> usize {
        self.template.len()
    }

    #[inline(always)]
    pub fn write(&self, numbers: &Numbers, text: &mut [Column]) {
        let mut words = [0; MAX_WORDS];
        for (word, bytes) in words.iter_mut().zip(self.template.chunks(4)) {
            *word = bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
        }
        let (units, day) = self.numbers.units(numbers);
        if let Some(day) = day {
            self.or_date(&mut words, day);
        }
        for (column, word) in text.iter_mut().zip(words) {
            column.fill(word);
        }
        let mut digits = [0; ROWS];
        for (unit, at) in self.units.iter().filter(|(unit, _)| day.is_none() || *unit > Granularity::Day) {
            let width = units.digits(*unit, &mut digits);
            or_bytes(text, *at, &digits, width);
        }
    }

    /// Writes the date of all rows into the words of the text.
    fn or_date(&self, words: &mut [u32; MAX_WORDS], day: u32) {
        let (year, month, day) = date(day);
        for (unit, at) in &self.units {
            let digits = match unit {
                Granularity::Year => four_digits(year),
                Granularity::Month => two_digits(month),
                Granularity::Day => two_digits(day),
                _ => continue,
            };
            let both = u64::from(digits) << (8 * (at % 4));
            for (place, part) in [(at / 4, both as u32), (at / 4 + 1, (both >> 32) as u32)] {
                if let Some(word) = words.get_mut(place) {
                    *word |= part;
                }
            }
        }
    }
}

impl Counted {
    fn new(counted: Granularity) -> Option<Self> {
        let milliseconds: u32 = match counted {
            Granularity::Year => return Some(Counted::Years),
            Granularity::Month => return Some(Counted::Months),
            Granularity::Day => 86_400_000,
            Granularity::Hour => 3_600_000,
            Granularity::Minute => 60_000,
            Granularity::Second => 1_000,
            Granularity::Millisecond => 1,
        };
        let of_day = 86_400_000 / milliseconds;
        Some(Counted::Parts {
            offset: DAYS_TO_1970 * i64::from(of_day),
            of_day: Divisor::new(u64::from(of_day))?,
            milliseconds,
        })
    }

    /// The units of the rows, and their day where they have one in common: then the dates are left out.
    #[inline(always)]
    fn units(self, numbers: &Numbers) -> (Units, Option<u32>) {
        let zero = [0; ROWS];
        let mut units =
            Units { year: zero, month: [1; ROWS], day: [1; ROWS], second_of_day: zero, millisecond: zero };
        match self {
            Counted::Years => {
                for (year, number) in units.year.iter_mut().zip(numbers) {
                    *year = *number as u32;
                }
            }
            Counted::Months => {
                for ((year, month), number) in units.year.iter_mut().zip(&mut units.month).zip(numbers) {
                    (*year, *month) = (*number as u32 / 12, *number as u32 % 12 + 1);
                }
            }
            Counted::Parts { offset, of_day, milliseconds } => {
                let (mut days, mut rests) = (zero, zero);
                let (today, _) = of_day.divide(numbers[0].wrapping_add(offset as u64));
                let start = today.wrapping_mul(of_day.number()).wrapping_sub(offset as u64);
                let outside = |number: &u64| u64::from(number.wrapping_sub(start) >= of_day.number());
                if numbers.iter().fold(0, |any, number| any | outside(number)) == 0 {
                    for (rest, number) in rests.iter_mut().zip(numbers) {
                        *rest = number.wrapping_sub(start) as u32;
                    }
                    units.set_times(&rests, milliseconds);
                    return (units, Some(today as u32));
                }
                for ((day, rest), number) in days.iter_mut().zip(&mut rests).zip(numbers) {
                    let (quotient, remainder) = of_day.divide(number.wrapping_add(offset as u64));
                    (*day, *rest) = (quotient as u32, remainder as u32);
                }
                units.set_times(&rests, milliseconds);
                units.set_dates(&days);
            }
        }
        (units, None)
    }
}

impl Units {
    /// Times from the parts of a day that have passed.
    #[inline(always)]
    fn set_times(&mut self, parts: &Column, milliseconds: u32) {
        if milliseconds == 1 {
            let both = self.second_of_day.iter_mut().zip(&mut self.millisecond);
            for ((second, millisecond), part) in both.zip(parts) {
                (*second, *millisecond) = (part / 1_000, part % 1_000);
            }
        } else {
            map(parts, &mut self.second_of_day, |part| part * (milliseconds / 1_000));
        }
    }

    /// Year, month and day of the days since 0000-03-01 (Howard Hinnant, "chrono-compatible low-level date
    /// algorithms", `civil_from_days`).
    #[inline(always)]
    fn set_dates(&mut self, days: &Column) {
        for (((year, month), day), days) in
            self.year.iter_mut().zip(&mut self.month).zip(&mut self.day).zip(days)
        {
            (*year, *month, *day) = date(*days);
        }
    }

    /// The text of a unit, and its width.
    #[inline(always)]
    fn digits(&self, unit: Granularity, digits: &mut Column) -> usize {
        let time = &self.second_of_day;
        match unit {
            Granularity::Year => map(&self.year, digits, four_digits),
            Granularity::Month => map(&self.month, digits, two_digits),
            Granularity::Day => map(&self.day, digits, two_digits),
            Granularity::Hour => map(time, digits, |time| two_digits(hours(time))),
            Granularity::Minute => map(time, digits, |time| two_digits(minutes(time) - 60 * hours(time))),
            Granularity::Second => map(time, digits, |time| two_digits(time - 60 * minutes(time))),
            Granularity::Millisecond => map(&self.millisecond, digits, |time| four_digits(time) >> 8),
        }
        match unit {
            Granularity::Year => 4,
            Granularity::Millisecond => 3,
            _ => 2,
        }
    }
}

#[inline(always)]
fn map(source: &Column, target: &mut Column, f: impl Fn(u32) -> u32) {
    for (target, source) in target.iter_mut().zip(source) {
        *target = f(*source);
    }
}

/// `second_of_day / 3600`, exact below 86,400.
#[inline(always)]
fn hours(second_of_day: u32) -> u32 {
    ((second_of_day >> 4) * 4_661) >> 20
}

/// `second_of_day / 60`, exact below 86,400.
#[inline(always)]
fn minutes(second_of_day: u32) -> u32 {
    ((second_of_day >> 2) * 17_477) >> 18
}

#[inline(always)]
fn date(days: u32) -> (u32, u32, u32) {
    let era = days / 146_097;
    let day_of_era = days - era * 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (year_of_era + era * 400 + u32::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::{hours, minutes};

    #[test]
    fn every_second_of_a_day() {
        assert!((0..86_400).all(|second| (hours(second), minutes(second)) == (second / 3_600, second / 60)));
    }
}
