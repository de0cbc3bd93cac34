//! Fixed-width date formats, written in Java's letters (`yyyyMMddHHmmss`).
//!
//! A format determines a *granularity*: the finest unit that it prints. A value is its *ordinal*: the number of
//! such units since the year 0 (for years and months) or since 1970-01-01T00:00:00 local time (for the others).

use std::fmt;

use chrono::{DateTime, Datelike, Duration, NaiveDate, NaiveDateTime, NaiveTime, Timelike};

use super::bisect::first_where;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Granularity {
    Year,
    Month,
    Day,
    Hour,
    Minute,
    Second,
    Millisecond,
}

impl Granularity {
    /// Milliseconds of a unit; `None` for years and months, whose lengths differ.
    fn milliseconds(self) -> Option<i64> {
        match self {
            Granularity::Year | Granularity::Month => None,
            Granularity::Day => Some(86_400_000),
            Granularity::Hour => Some(3_600_000),
            Granularity::Minute => Some(60_000),
            Granularity::Second => Some(1_000),
            Granularity::Millisecond => Some(1),
        }
    }

    /// The ordinal of the unit that holds this local time.
    pub fn ordinal_of(self, at: NaiveDateTime) -> i64 {
        match self.milliseconds() {
            Some(length) => at.and_utc().timestamp_millis().div_euclid(length),
            None if self == Granularity::Year => i64::from(at.year()),
            None => i64::from(at.year()) * 12 + i64::from(at.month0()),
        }
    }

    /// The first local time of the unit; `None` outside the calendar's range.
    pub fn start_of(self, ordinal: i64) -> Option<NaiveDateTime> {
        match self.milliseconds() {
            Some(length) => {
                let milliseconds = Duration::try_milliseconds(ordinal.checked_mul(length)?)?;
                DateTime::UNIX_EPOCH.naive_utc().checked_add_signed(milliseconds)
            }
            None if self == Granularity::Year => Self::Month.start_of(ordinal.checked_mul(12)?),
            None => {
                let year = i32::try_from(ordinal.div_euclid(12)).ok()?;
                let month = u32::try_from(ordinal.rem_euclid(12) + 1).ok()?;
                NaiveDate::from_ymd_opt(year, month, 1).map(|day| day.and_time(NaiveTime::MIN))
            }
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum FormatToken {
    Unit(Granularity),
    Literal(char),
}

impl FormatToken {
    fn width(&self) -> usize {
        match self {
            FormatToken::Unit(unit) => unit_width(*unit),
            FormatToken::Literal(c) => c.len_utf8(),
        }
    }
}

fn unit_width(unit: Granularity) -> usize {
    match unit {
        Granularity::Year => 4,
        Granularity::Millisecond => 3,
        _ => 2,
    }
}

const LETTERS: [(char, Granularity); 7] = [
    ('y', Granularity::Year),
    ('M', Granularity::Month),
    ('d', Granularity::Day),
    ('H', Granularity::Hour),
    ('m', Granularity::Minute),
    ('s', Granularity::Second),
    ('S', Granularity::Millisecond),
];

/// A date format of fixed width, for the years 1 to 9999.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TimeFormat {
    pattern: String,
    tokens: Vec<FormatToken>,
    granularity: Granularity,
    /// First and last ordinal.
    domain: (i64, i64),
}

impl fmt::Debug for TimeFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TimeFormat({})", self.pattern)
    }
}

impl TimeFormat {
    /// Reads a pattern of the letters `yyyy MM dd HH mm ss SSS`, signs, and text in single quotes.
    ///
    /// # Errors
    /// A letter or a count that has no fixed width, a unit that stands twice, or units with a gap (`yyyydd`).
    pub fn parse(pattern: &str) -> Result<Self, PatternError> {
        let tokens = tokenize(pattern)?;
        let mut units: Vec<Granularity> = tokens
            .iter()
            .filter_map(|token| match token {
                FormatToken::Unit(unit) => Some(*unit),
                FormatToken::Literal(_) => None,
            })
            .collect();
        units.sort_unstable();
        if units.first() != Some(&Granularity::Year) {
            return Err(PatternError::NoYear { pattern: pattern.into() });
        }
        let twice = units.windows(2).find(|pair| pair[0] == pair[1]).and_then(<[_]>::first).copied();
        if let Some(twice) = twice {
            return Err(PatternError::Twice { pattern: pattern.into(), unit: twice });
        }
        let finest = units[units.len() - 1];
        if finest as usize + 1 != units.len() {
            return Err(PatternError::Gap { pattern: pattern.into() });
        }
        let start = |year| NaiveDate::from_ymd_opt(year, 1, 1).unwrap_or_default().and_time(NaiveTime::MIN);
        let domain = (finest.ordinal_of(start(1)), finest.ordinal_of(start(10_000)) - 1);
        Ok(TimeFormat { pattern: pattern.to_string(), tokens, granularity: finest, domain })
    }

    /// The pattern as written.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    pub fn granularity(&self) -> Granularity {
        self.granularity
    }

    /// Width of every printed value in bytes.
    pub fn width(&self) -> usize {
        self.tokens.iter().map(FormatToken::width).sum()
    }

    /// Start and width, in characters, of a unit in the printed text.
    pub fn place_of(&self, unit: Granularity) -> Option<(usize, usize)> {
        let mut start = 0;
        for token in &self.tokens {
            match token {
                FormatToken::Unit(printed) if *printed == unit => return Some((start, unit_width(unit))),
                FormatToken::Unit(printed) => start += unit_width(*printed),
                FormatToken::Literal(_) => start += 1,
            }
        }
        None
    }

    /// Whether every printed text begins with one of `coarser`.
    pub fn continues(&self, coarser: &TimeFormat) -> bool {
        self.tokens.starts_with(&coarser.tokens)
    }

    /// Whether the order of the text is the order of time: the units stand from coarse to fine.
    pub fn sorts(&self) -> bool {
        let units = self.tokens.iter().filter_map(|token| match token {
            FormatToken::Unit(unit) => Some(*unit),
            FormatToken::Literal(_) => None,
        });
        units.is_sorted()
    }

    /// The greatest character that a printed value can hold.
    pub fn greatest_char(&self) -> char {
        let literals = self.tokens.iter().filter_map(|token| match token {
            FormatToken::Literal(c) => Some(*c),
            FormatToken::Unit(_) => None,
        });
        literals.chain(['9']).max().unwrap_or('9')
    }

    /// Whether only digits are printed.
    pub fn is_digits(&self) -> bool {
        self.tokens.iter().all(|token| matches!(token, FormatToken::Unit(_)))
    }

    /// First and last ordinal: the years 1 and 9999.
    pub fn domain(&self) -> (i64, i64) {
        self.domain
    }

    /// The text of an ordinal; `None` outside [`TimeFormat::domain`].
    pub fn format(&self, ordinal: i64) -> Option<String> {
        self.start_of(ordinal).map(|at| self.format_local(at))
    }

    /// Appends the text of an ordinal; `None`, and nothing, outside [`TimeFormat::domain`].
    pub fn write(&self, ordinal: i64, out: &mut Vec<u8>) -> Option<()> {
        self.start_of(ordinal).map(|at| self.write_local(at, out))
    }

    fn start_of(&self, ordinal: i64) -> Option<NaiveDateTime> {
        let (first, last) = self.domain;
        if (first..=last).contains(&ordinal) { self.granularity.start_of(ordinal) } else { None }
    }

    /// The text of the unit that holds a local time in the years 1 to 9999.
    pub fn format_local(&self, at: NaiveDateTime) -> String {
        let mut text = Vec::with_capacity(self.width());
        self.write_local(at, &mut text);
        String::from_utf8_lossy(&text).into_owned()
    }

    /// Appends the text of the unit that holds a local time in the years 1 to 9999.
    pub fn write_local(&self, at: NaiveDateTime, out: &mut Vec<u8>) {
        for token in &self.tokens {
            match token {
                FormatToken::Literal(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                FormatToken::Unit(unit) => {
                    let number = match unit {
                        Granularity::Year => at.year().unsigned_abs(),
                        Granularity::Month => at.month(),
                        Granularity::Day => at.day(),
                        Granularity::Hour => at.hour(),
                        Granularity::Minute => at.minute(),
                        Granularity::Second => at.second(),
                        Granularity::Millisecond => at.nanosecond() / 1_000_000,
                    };
                    push_digits(out, number, unit_width(*unit));
                }
            }
        }
    }

    /// The ordinal of a text in exactly this format; `None` when it is not one (`20200231`).
    pub fn parse_text(&self, text: &str) -> Option<i64> {
        let mut rest = text;
        let mut units = [0u32, 1, 1, 0, 0, 0, 0];
        for token in &self.tokens {
            match token {
                FormatToken::Literal(c) => rest = rest.strip_prefix(*c)?,
                FormatToken::Unit(unit) => {
                    let (digits, tail) = rest.split_at_checked(unit_width(*unit))?;
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
        // chrono takes a leap second as milliseconds from 1000 on; no text here can say one.
        Some(self.granularity.ordinal_of(at))
    }

    /// The first ordinal whose text is not below `bound` in byte order, for a format that [sorts](Self::sorts);
    /// one past the domain when every text is below.
    pub fn first_not_below(&self, bound: &[u8]) -> i64 {
        debug_assert!(self.sorts());
        let (first, last) = self.domain();
        first_where(first..last + 1, |ordinal| {
            self.format(ordinal).is_none_or(|text| text.as_bytes() >= bound)
        })
    }
}

/// Writes a number with leading zeros.
fn push_digits(out: &mut Vec<u8>, mut number: u32, width: usize) {
    let start = out.len();
    out.resize(start + width, b'0');
    for digit in out[start..].iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
}

/// Why a text is no pattern of dates.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    #[error("the format `{pattern}` has no year (`yyyy`)")]
    NoYear { pattern: String },
    #[error("{}", format!("the format `{pattern}` prints the {unit:?} twice").to_lowercase())]
    Twice { pattern: String, unit: Granularity },
    #[error("the format `{pattern}` leaves out a unit between the year and its finest one")]
    Gap { pattern: String },
    #[error("the format `{pattern}` has an open quote")]
    OpenQuote { pattern: String },
    #[error("`{written}` is not supported; the letters are yyyy MM dd HH mm ss SSS")]
    Letter { written: String },
    #[error("`{written}` has no fixed width here; write `{fixed}`")]
    NoFixedWidth { written: String, fixed: String },
}

fn tokenize(pattern: &str) -> Result<Vec<FormatToken>, PatternError> {
    let mut tokens = Vec::new();
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\'' {
            quoted_literal(&mut chars, &mut tokens)
                .ok_or_else(|| PatternError::OpenQuote { pattern: pattern.into() })?;
        } else if c.is_ascii_alphabetic() {
            let mut count = 1;
            while chars.next_if_eq(&c).is_some() {
                count += 1;
            }
            tokens.push(FormatToken::Unit(unit_of(c, count)?));
        } else {
            tokens.push(FormatToken::Literal(c));
        }
    }
    Ok(tokens)
}

/// Java: text between single quotes is literal, two quotes are one.
fn quoted_literal(
    chars: &mut std::iter::Peekable<std::str::Chars<'_>>,
    tokens: &mut Vec<FormatToken>,
) -> Option<()> {
    if chars.next_if_eq(&'\'').is_some() {
        tokens.push(FormatToken::Literal('\''));
        return Some(());
    }
    loop {
        match chars.next()? {
            '\'' if chars.next_if_eq(&'\'').is_some() => tokens.push(FormatToken::Literal('\'')),
            '\'' => return Some(()),
            c => tokens.push(FormatToken::Literal(c)),
        }
    }
}

fn unit_of(letter: char, count: usize) -> Result<Granularity, PatternError> {
    let written: String = std::iter::repeat_n(letter, count).collect();
    let Some((_, unit)) = LETTERS.iter().find(|(known, _)| *known == letter) else {
        return Err(PatternError::Letter { written });
    };
    let width = unit_width(*unit);
    if count != width {
        let fixed: String = std::iter::repeat_n(letter, width).collect();
        return Err(PatternError::NoFixedWidth { written, fixed });
    }
    Ok(*unit)
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
    // chrono takes one digit for two.
    let time = match time.split('.').next()?.len() {
        5 => NaiveTime::parse_from_str(time, "%H:%M"),
        8 => NaiveTime::parse_from_str(time, "%H:%M:%S%.f"),
        _ => return None,
    };
    Some(date.and_time(time.ok()?))
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
