//! Dates and times as text, for many rows at once.

use std::ops::Range;

use chrono::Datelike;
use saltplan_lanes::{
    DigitUnit, Divisor, Divisor31, Kernels, NumberColumn, ROWS, WordColumn, date, four_digits_of,
    two_digits_of,
};
use saltplan_sql::time::format::TimeFormat;
use saltplan_sql::time::pattern::Granularity;

use super::columns::or_bytes;
use super::values::Bounded;

/// Days from 0000-03-01, where the years of the date algorithm start, to 1970-01-01.
const DAYS_TO_1970: i64 = 719_468;

/// The maximum number of words of a text.
const MAX_WORDS: usize = 16;

/// A format with the unit of its numbers.
#[derive(Debug, Clone)]
pub struct Calendar {
    /// The text with zeros at the places of digits.
    template: Vec<u8>,
    /// What times of day write into each word.
    words: Vec<TimeWord>,
    date: Vec<DateDigits>,
    time: Vec<DateDigits>,
    numbers: CountedPart,
}

/// Digits of a text.
#[derive(Debug, Clone, Copy)]
struct DateDigits {
    unit: Granularity,
    digits: DigitUnit,
    at: usize,
    width: usize,
    /// Whether they are alone in their word.
    alone: bool,
}

impl DateDigits {
    /// Whether any of them are among these bytes of the text.
    fn touches(&self, bytes: &Range<usize>) -> bool {
        self.at < bytes.end && bytes.start < self.at + self.width
    }
}

/// How a time of day is written into a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TimeWord {
    Nothing,
    /// Digits next to others.
    Some,
    /// Digits that are alone in the word.
    All,
}

/// The unit that a number counts.
#[derive(Debug, Clone, Copy)]
enum CountedPart {
    Years,
    Months,
    /// Fractions of a day, since 0000-03-01 with `offset` added.
    Parts {
        offset: i64,
        of_day: Divisor,
        clock: DayClock,
    },
}

/// The second of a day from its fraction.
#[derive(Debug, Clone, Copy)]
enum DayClock {
    /// Seconds per fraction.
    Seconds(u32),
    /// Fractions of a thousandth of a second.
    Milliseconds(Divisor31),
}

impl Calendar {
    /// `None` for numbers outside the years 1 to 9999, for characters of more than one byte, and for very
    /// long texts.
    pub fn new(format: &TimeFormat, counted: Granularity, values: &Bounded) -> Option<Self> {
        let text = format.format(format.domain().0)?;
        if !text.is_ascii() || text.len() > 4 * MAX_WORDS {
            return None;
        }
        let start = |ordinal| counted.start_of(ordinal).filter(|at| (1..=9999).contains(&at.year()));
        start(values.low)?;
        start(values.high)?;
        let mut template = text.into_bytes();
        let (mut date, mut time) = (Vec::new(), Vec::new());
        for (unit, digits, width) in [
            (Granularity::Year, DigitUnit::FourDigits, 4),
            (Granularity::Month, DigitUnit::TwoDigits, 2),
            (Granularity::Day, DigitUnit::TwoDigits, 2),
            (Granularity::Hour, DigitUnit::Hour, 2),
            (Granularity::Minute, DigitUnit::Minute, 2),
            (Granularity::Second, DigitUnit::Second, 2),
            (Granularity::Millisecond, DigitUnit::ThreeDigits, 3),
        ] {
            let Some((at, _)) = format.place_of(unit) else { continue };
            template.get_mut(at..at + width)?.fill(0);
            let parts = if unit <= Granularity::Day { &mut date } else { &mut time };
            parts.push(DateDigits { unit, digits, at, width, alone: false });
        }
        let numbers = CountedPart::new(counted)?;
        let mut calendar = Calendar { template, words: Vec::new(), date, time, numbers };
        calendar.join_hour_and_minute();
        calendar.find_alone();
        calendar.words = (0..calendar.width().div_ceil(4)).map(|place| calendar.time_word(place)).collect();
        Some(calendar)
    }

    /// An hour that is directly followed by the minute is written together with it.
    fn join_hour_and_minute(&mut self) {
        let place = |unit| self.time.iter().find(|digits| digits.unit == unit).map(|digits| digits.at);
        if let (Some(hour), Some(minute)) = (place(Granularity::Hour), place(Granularity::Minute))
            && minute == hour + 2
        {
            self.time.retain(|digits| digits.unit != Granularity::Minute);
            for part in self.time.iter_mut().filter(|digits| digits.unit == Granularity::Hour) {
                (part.digits, part.width) = (DigitUnit::HourMinute, 4);
            }
        }
    }

    fn find_alone(&mut self) {
        let all: Vec<DateDigits> = self.date.iter().chain(&self.time).copied().collect();
        for digits in &mut self.time {
            let word = digits.at..(digits.at + 4).min(self.template.len());
            let is_empty = self.template.get(word.clone()).is_some_and(|bytes| bytes.iter().all(|b| *b == 0));
            digits.alone = digits.at.is_multiple_of(4)
                && is_empty
                && all.iter().filter(|other| other.touches(&word)).count() == 1;
        }
    }

    fn time_word(&self, place: usize) -> TimeWord {
        match self.time.iter().find(|digits| digits.touches(&(4 * place..4 * place + 4))) {
            None => TimeWord::Nothing,
            Some(digits) if digits.alone => TimeWord::All,
            Some(_) => TimeWord::Some,
        }
    }

    pub fn width(&self) -> usize {
        self.template.len()
    }

    /// Writes the text. `held` is the day whose text is already there, if any.
    pub fn write(
        &self,
        kernels: &Kernels,
        numbers: &NumberColumn,
        text: &mut [WordColumn],
        held: &mut Option<u32>,
    ) {
        let mut parts = [0; ROWS];
        let today = match self.numbers {
            CountedPart::Parts { offset, of_day, .. } => {
                kernels.split_once(of_day, offset as u64, numbers, &mut parts).map(|day| day as u32)
            }
            CountedPart::Years | CountedPart::Months => None,
        };
        let is_there = today.is_some() && *held == today;
        *held = today;
        self.fill(kernels, text, today, is_there);
        if today.is_none() {
            self.write_dates(kernels, &self.dates(kernels, numbers, &mut parts), text);
        }
        if !self.time.is_empty() {
            self.write_times(kernels, &mut parts, text);
        }
    }

    /// The years, months and days of the rows, and the fractions of their days.
    fn dates(&self, kernels: &Kernels, numbers: &NumberColumn, parts: &mut WordColumn) -> [WordColumn; 3] {
        let mut dates = [[0; ROWS], [1; ROWS], [1; ROWS]];
        let [years, months, days_of_month] = &mut dates;
        match self.numbers {
            CountedPart::Years => kernels.low_words(numbers, years),
            CountedPart::Months => {
                for ((year, month), number) in years.iter_mut().zip(months).zip(numbers) {
                    (*year, *month) = (*number as u32 / 12, *number as u32 % 12 + 1);
                }
            }
            CountedPart::Parts { offset, of_day, .. } => {
                let (mut days, mut since) = (*numbers, [0; ROWS]);
                kernels.split(of_day, offset as u64, &mut days, parts);
                kernels.low_words(&days, &mut since);
                kernels.dates(&since, years, months, days_of_month);
            }
        }
        dates
    }

    /// Fills all rows with the text of a day, or with the text without a date. If it is already there, only
    /// words with times of day are reset.
    fn fill(&self, kernels: &Kernels, text: &mut [WordColumn], day: Option<u32>, is_there: bool) {
        if is_there && !self.words.contains(&TimeWord::Some) {
            return;
        }
        let mut words = [0; MAX_WORDS];
        for (word, bytes) in words.iter_mut().zip(self.template.chunks(4)) {
            *word = bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
        }
        if let Some(day) = day {
            self.or_date(&mut words, day);
        }
        for ((time, column), word) in self.words.iter().zip(text).zip(words) {
            let stays = is_there && *time == TimeWord::Nothing;
            if !stays && *time != TimeWord::All {
                kernels.put(word, &[], column);
            }
        }
    }

    /// Writes a date into the words of the text.
    fn or_date(&self, words: &mut [u32; MAX_WORDS], day: u32) {
        let (year, month, day) = date(day);
        for DateDigits { unit, at, .. } in &self.date {
            let digits = match unit {
                Granularity::Year => four_digits_of(year),
                Granularity::Month => two_digits_of(month),
                _ => two_digits_of(day),
            };
            let both = u64::from(digits) << (8 * (at % 4));
            for (place, part) in [(at / 4, both as u32), (at / 4 + 1, (both >> 32) as u32)] {
                if let Some(word) = words.get_mut(place) {
                    *word |= part;
                }
            }
        }
    }

    fn write_dates(&self, kernels: &Kernels, dates: &[WordColumn; 3], text: &mut [WordColumn]) {
        let mut words = [0; ROWS];
        for DateDigits { unit, digits, at, width, .. } in &self.date {
            kernels.unit_digits(*digits, &dates[*unit as usize], &mut words);
            or_bytes(kernels, text, *at, &words, *width);
        }
    }

    /// Writes the time of day for these fractions.
    fn write_times(&self, kernels: &Kernels, parts: &mut WordColumn, text: &mut [WordColumn]) {
        let (mut seconds, mut words) = ([0; ROWS], [0; ROWS]);
        match self.numbers {
            CountedPart::Parts { clock: DayClock::Milliseconds(thousand), .. } => {
                kernels.divide(thousand, parts, &mut seconds);
            }
            CountedPart::Parts { clock: DayClock::Seconds(each), .. } => {
                seconds.iter_mut().zip(parts.iter_mut()).for_each(|(second, part)| {
                    *second = std::mem::take(part) * each;
                });
            }
            CountedPart::Years | CountedPart::Months => {}
        }
        let milliseconds = &*parts;
        for DateDigits { unit, digits, at, width, alone } in &self.time {
            let source = if *unit == Granularity::Millisecond { milliseconds } else { &seconds };
            match text.get_mut(at / 4).filter(|_| *alone) {
                Some(word) => kernels.unit_digits(*digits, source, word),
                None => {
                    kernels.unit_digits(*digits, source, &mut words);
                    or_bytes(kernels, text, *at, &words, *width);
                }
            }
        }
    }
}

impl CountedPart {
    fn new(counted: Granularity) -> Option<Self> {
        let milliseconds: u32 = match counted {
            Granularity::Year => return Some(CountedPart::Years),
            Granularity::Month => return Some(CountedPart::Months),
            Granularity::Day => 86_400_000,
            Granularity::Hour => 3_600_000,
            Granularity::Minute => 60_000,
            Granularity::Second => 1_000,
            Granularity::Millisecond => 1,
        };
        let of_day = 86_400_000 / milliseconds;
        let clock = match milliseconds {
            1 => DayClock::Milliseconds(Divisor31::new(1_000)?),
            more => DayClock::Seconds(more / 1_000),
        };
        let offset = DAYS_TO_1970 * i64::from(of_day);
        Some(CountedPart::Parts { offset, of_day: Divisor::new(u64::from(of_day))?, clock })
    }
}
