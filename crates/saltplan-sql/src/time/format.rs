//! Date formats of fixed width, written in Java's pattern letters (`yyyyMMddHHmmss`).
//!
//! A format has a *granularity*, the finest unit that it prints. The *ordinal* of a value is the number of
//! these units since the year 0 (for years and months) or since 1970-01-01T00:00:00 local time (for finer
//! units).

use std::fmt;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, Timelike};

use super::bisect::first_where;
use super::pattern::{Granularity, PatternError, PatternPiece, TimePattern, text_of, twice};

/// The only format of text that Hive's functions of dates read.
pub const ISO_DAY: &str = "yyyy-MM-dd";

/// A date format of fixed width for the years 1 to 9999.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TimeFormat {
    pattern: TimePattern,
    granularity: Granularity,
    /// The first and the last ordinal.
    domain: (i64, i64),
}

impl fmt::Debug for TimeFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TimeFormat({})", self.pattern())
    }
}

impl TimeFormat {
    /// Parses a pattern of the letters `yyyy MM dd HH mm ss SSS`, punctuation, and text in single quotes.
    ///
    /// # Errors
    /// A letter or a count without a fixed width, a repeated unit, or a missing unit in between (`yyyydd`).
    pub fn parse(pattern: &str) -> Result<Self, PatternError> {
        let printed = TimePattern::of_pieces(pattern)?;
        let units = printed.sorted_units();
        let Some(finest) = units.last().copied().filter(|_| units.first() == Some(&Granularity::Year)) else {
            return Err(PatternError::NoYear { pattern: pattern.into() });
        };
        if let Some(unit) = twice(&units) {
            return Err(PatternError::Twice { pattern: pattern.into(), unit });
        }
        if finest as usize + 1 != units.len() {
            return Err(PatternError::Gap { pattern: pattern.into() });
        }
        let start = |year| NaiveDate::from_ymd_opt(year, 1, 1).unwrap_or_default().and_time(NaiveTime::MIN);
        let domain = (finest.ordinal_of(start(1)), finest.ordinal_of(start(10_000)) - 1);
        Ok(TimeFormat { pattern: printed, granularity: finest, domain })
    }

    /// The pattern as written.
    pub fn pattern(&self) -> &str {
        self.pattern.text()
    }

    /// The pieces that are printed, in order.
    pub fn printed(&self) -> &TimePattern {
        &self.pattern
    }

    pub fn granularity(&self) -> Granularity {
        self.granularity
    }

    /// Width of every printed value in bytes.
    pub fn width(&self) -> usize {
        self.pattern.width()
    }

    /// The start and the width of a unit in the printed text, in characters.
    pub fn place_of(&self, unit: Granularity) -> Option<(usize, usize)> {
        self.pattern.place_of(unit)
    }

    /// Whether every printed text starts with a printed text of `coarser`.
    pub fn continues(&self, coarser: &TimeFormat) -> bool {
        self.pattern.pieces().starts_with(coarser.pattern.pieces())
    }

    /// Whether the order of the text is the order of time, that is, the units go from coarse to fine.
    pub fn sorts(&self) -> bool {
        self.pattern.units().is_sorted()
    }

    /// The start of the format, up to and including a unit. `None` if the format does not have the unit, or
    /// if its units do not go from coarse to fine.
    pub fn down_to(&self, unit: Granularity) -> Option<TimeFormat> {
        let pieces = self.pattern.pieces();
        let at =
            pieces.iter().position(|piece| *piece == PatternPiece::Unit(unit)).filter(|_| self.sorts())?;
        TimeFormat::parse(&text_of(&pieces[..=at])).ok()
    }

    /// The greatest character that a printed value can hold.
    pub fn greatest_char(&self) -> char {
        let literals = self.pattern.pieces().iter().filter_map(|piece| match piece {
            PatternPiece::Literal(c) => Some(*c),
            PatternPiece::Unit(_) => None,
        });
        literals.chain(['9']).max().unwrap_or('9')
    }

    /// Whether only digits are printed.
    pub fn is_digits(&self) -> bool {
        self.pattern.is_digits()
    }

    /// The first and the last ordinal: the years 1 and 9999.
    pub fn domain(&self) -> (i64, i64) {
        self.domain
    }

    /// The text of an ordinal; `None` outside [`TimeFormat::domain`].
    pub fn format(&self, ordinal: i64) -> Option<String> {
        self.start_of(ordinal).map(|at| self.format_local(at))
    }

    /// Appends the text of an ordinal. `None`, and appends nothing, outside [`TimeFormat::domain`].
    pub fn write(&self, ordinal: i64, out: &mut Vec<u8>) -> Option<()> {
        self.start_of(ordinal).map(|at| self.write_local(at, out))
    }

    fn start_of(&self, ordinal: i64) -> Option<NaiveDateTime> {
        let (first, last) = self.domain;
        if (first..=last).contains(&ordinal) { self.granularity.start_of(ordinal) } else { None }
    }

    /// The text of the unit that contains a local time in the years 1 to 9999.
    pub fn format_local(&self, at: NaiveDateTime) -> String {
        self.pattern.format(at)
    }

    /// Appends the text of the unit that contains a local time in the years 1 to 9999.
    pub fn write_local(&self, at: NaiveDateTime, out: &mut Vec<u8>) {
        self.pattern.write(at, out);
    }

    /// The ordinal of a text in exactly this format; `None` if it is invalid (`20200231`).
    pub fn parse_text(&self, text: &str) -> Option<i64> {
        let mut rest = text;
        let mut units = [0u32, 1, 1, 0, 0, 0, 0];
        for piece in self.pattern.pieces() {
            match piece {
                PatternPiece::Literal(c) => rest = rest.strip_prefix(*c)?,
                PatternPiece::Unit(unit) => {
                    let (digits, tail) = rest.split_at_checked(piece.width())?;
                    if !digits.bytes().all(|b| b.is_ascii_digit()) {
                        return None;
                    }
                    units[*unit as usize] = digits.parse().ok()?;
                    rest = tail;
                }
            }
        }
        if !rest.is_empty() || units[0] == 0 {
            return None;
        }
        let [year, month, day, hour, minute, second, millisecond] = units;
        let date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
        let at = date.and_hms_milli_opt(hour, minute, second, millisecond)?;
        // chrono represents a leap second as milliseconds from 1000 on, which no text here can express.
        Some(self.granularity.ordinal_of(at))
    }

    /// The first ordinal whose text is at least `bound` in byte order, for a format that
    /// [sorts](Self::sorts). One past the domain if every text is smaller.
    pub fn first_not_below(&self, bound: &[u8]) -> i64 {
        debug_assert!(self.sorts());
        let (first, last) = self.domain();
        first_where(first..last + 1, |ordinal| {
            self.format(ordinal).is_none_or(|text| text.as_bytes() >= bound)
        })
    }
}

/// `yyyy-MM-dd`, with `HH:mm[:ss[.fraction]]` after a blank or a `T`.
pub fn parse_timestamp(text: &str) -> Option<NaiveDateTime> {
    let text = text.trim();
    let shape = |text: &str, width| text.len() == width && text.is_ascii();
    if shape(text, 10) {
        return NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().map(|date| date.and_time(NaiveTime::MIN));
    }
    let (date, time) = text.split_once([' ', 'T'])?;
    let date = parse_timestamp(date).filter(|_| shape(date, 10))?.date();
    // chrono accepts one digit where two are required.
    let time = match time.split('.').next()?.len() {
        5 => NaiveTime::parse_from_str(time, "%H:%M"),
        8 => NaiveTime::parse_from_str(time, "%H:%M:%S%.f"),
        _ => return None,
    };
    Some(date.and_time(without_leap_second(time.ok()?)?))
}

/// `None` for a leap second (`23:59:60`), which chrono represents as nanoseconds from 10^9 on. Hive has none: it reads the next
/// minute.
pub fn without_leap_second<T: Timelike>(time: T) -> Option<T> {
    (time.nanosecond() < 1_000_000_000).then_some(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_round_trip() {
        let format = TimeFormat::parse("yyyyMMdd").unwrap();
        let day = format.parse_text("20200406").unwrap();
        assert_eq!(day, 18_358);
        assert_eq!(format.format(day).unwrap(), "20200406");
        assert_eq!(format.format(day + 25).unwrap(), "20200501");
        assert_eq!(format.parse_text("20200231"), None);
        assert_eq!(format.parse_text("2020040"), None);
        assert_eq!(format.parse_text("202004066"), None);
        let (first, last) = format.domain();
        assert_eq!(format.format(first).unwrap(), "00010101");
        assert_eq!(format.format(last).unwrap(), "99991231");
        assert_eq!(format.format(last + 1), None);
    }

    #[test]
    fn text_order_between_values() {
        let format = TimeFormat::parse("yyyyMMdd").unwrap();
        let at = |text: &str| format.format(format.first_not_below(text.as_bytes())).unwrap();
        assert_eq!(at("20200231"), "20200301");
        assert_eq!(at("202004"), "20200401");
        assert_eq!(at(""), "00010101");
        assert_eq!(format.first_not_below(b"a"), format.domain().1 + 1);
    }

    #[test]
    fn other_formats() {
        let format = TimeFormat::parse("yyyy-MM-dd'T'HH:mm:ss.SSS").unwrap();
        let text = "2020-04-06T07:08:09.123";
        assert_eq!(format.format(format.parse_text(text).unwrap()).unwrap(), text);
        assert_eq!(format.width(), 23);
        assert!(format.sorts() && !format.is_digits());
        assert!(!TimeFormat::parse("ddMMyyyy").unwrap().sorts());
        let month = TimeFormat::parse("yyyyMM").unwrap();
        assert_eq!(month.format(month.parse_text("201912").unwrap() + 1).unwrap(), "202001");
        for wrong in ["yyMMdd", "MMdd", "yyyydd", "yyyyMMddMM", "yyyy'", "yyyyDDD", "yyyyM"] {
            assert!(TimeFormat::parse(wrong).is_err(), "{wrong}");
        }
    }
}
