//! Dates and times of day.

use crate::digits::{four_digits, to_four_digits, two_digits_of};
use crate::{Divisor31, WordColumn};

/// A part of a date or time, with the column that contains it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DigitUnit {
    /// A number below 10,000.
    FourDigits,
    /// A number below 100.
    TwoDigits,
    /// The three digits of a number below 1,000.
    ThreeDigits,
    /// The hour, from the second of a day.
    Hour,
    /// The minute of the hour.
    Minute,
    /// The second of the minute.
    Second,
    /// The hour followed by the minute.
    HourMinute,
}

#[inline(always)]
pub(crate) fn unit_digits(unit: DigitUnit, source: &WordColumn, words: &mut WordColumn) {
    match unit {
        DigitUnit::FourDigits => four_digits(source, 0, words),
        DigitUnit::TwoDigits => map(source, words, two_digits_of),
        DigitUnit::ThreeDigits => four_digits(source, 8, words),
        DigitUnit::Hour => map(source, words, |second| two_digits_of(hours(second))),
        DigitUnit::Minute => map(source, words, |second| two_digits_of(minutes(second) - 60 * hours(second))),
        DigitUnit::Second => map(source, words, |second| two_digits_of(second - 60 * minutes(second))),
        DigitUnit::HourMinute => {
            // An hour counts 100 instead of its 60 minutes.
            map(source, words, |second| minutes(second) + 40 * hours(second));
            to_four_digits(words, 0);
        }
    }
}

#[inline(always)]
fn map(source: &WordColumn, words: &mut WordColumn, f: impl Fn(u32) -> u32) {
    for (word, source) in words.iter_mut().zip(source) {
        *word = f(*source);
    }
}

/// `second_of_day / 3600`, exact below 86,400.
#[inline(always)]
fn hours(second_of_day: u32) -> u32 {
    // The mask tells the compiler the range: 16-bit multiplication is faster.
    (((second_of_day >> 4) & 0x1fff) * 4_661) >> 20
}

/// `second_of_day / 60`, exact below 86,400.
#[inline(always)]
fn minutes(second_of_day: u32) -> u32 {
    (((second_of_day >> 2) & 0x7fff) * 17_477) >> 18
}

#[inline(always)]
pub(crate) fn divide(by: Divisor31, numbers: &mut WordColumn, quotients: &mut WordColumn) {
    for (number, quotient) in numbers.iter_mut().zip(quotients) {
        (*quotient, *number) = by.divide(*number);
    }
}

#[inline(always)]
pub(crate) fn dates(
    days: &WordColumn,
    years: &mut WordColumn,
    months: &mut WordColumn,
    days_of_month: &mut WordColumn,
) {
    for (((year, month), day), days) in years.iter_mut().zip(months).zip(days_of_month).zip(days) {
        (*year, *month, *day) = date(*days);
    }
}

/// Year, month and day from days since 0000-03-01 (Howard Hinnant, "chrono-compatible low-level date
/// algorithms", `civil_from_days`).
#[inline(always)]
#[must_use]
pub fn date(days: u32) -> (u32, u32, u32) {
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
