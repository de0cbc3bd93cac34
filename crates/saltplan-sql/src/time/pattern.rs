//! Patterns that print units of time, in Java's letters: `yyyyMMdd`, or a part of a date such as `HH`.

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, NaiveTime, Timelike};

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
    /// The coarsest first.
    pub const ALL: [Granularity; 7] = [
        Granularity::Year,
        Granularity::Month,
        Granularity::Day,
        Granularity::Hour,
        Granularity::Minute,
        Granularity::Second,
        Granularity::Millisecond,
    ];

    /// The name of the unit in messages: `day`.
    pub fn word(self) -> &'static str {
        match self {
            Granularity::Year => "year",
            Granularity::Month => "month",
            Granularity::Day => "day",
            Granularity::Hour => "hour",
            Granularity::Minute => "minute",
            Granularity::Second => "second",
            Granularity::Millisecond => "millisecond",
        }
    }

    /// The pattern of the unit alone: `dd`.
    pub fn letters(self) -> &'static str {
        ["yyyy", "MM", "dd", "HH", "mm", "ss", "SSS"][self as usize]
    }

    /// The pattern of a time down to this unit, in the order of time: `yyyyMMdd`.
    pub fn digits(self) -> String {
        Self::ALL[..=self as usize].iter().map(|unit| unit.letters()).collect()
    }

    /// The length of the unit in milliseconds; `None` for years and months, whose lengths vary.
    pub fn milliseconds(self) -> Option<i64> {
        match self {
            Granularity::Year | Granularity::Month => None,
            Granularity::Day => Some(86_400_000),
            Granularity::Hour => Some(3_600_000),
            Granularity::Minute => Some(60_000),
            Granularity::Second => Some(1_000),
            Granularity::Millisecond => Some(1),
        }
    }

    /// The ordinal of the unit that contains this local time.
    pub fn ordinal_of(self, at: NaiveDateTime) -> i64 {
        match self.milliseconds() {
            Some(length) => at.and_utc().timestamp_millis().div_euclid(length),
            None if self == Granularity::Year => i64::from(at.year()),
            None => i64::from(at.year()) * 12 + i64::from(at.month0()),
        }
    }

    /// The first local time of the unit; `None` outside the calendar.
    pub fn start_of(self, ordinal: i64) -> Option<NaiveDateTime> {
        match self.milliseconds() {
            Some(length) => {
                DateTime::from_timestamp_millis(ordinal.checked_mul(length)?).map(|at| at.naive_utc())
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

/// A part of a printed time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PatternPiece {
    Unit(Granularity),
    Literal(char),
}

impl PatternPiece {
    /// The character, if it is none of a unit.
    fn literal(self) -> Option<char> {
        match self {
            PatternPiece::Unit(_) => None,
            PatternPiece::Literal(c) => Some(c),
        }
    }

    /// In bytes.
    pub fn width(self) -> usize {
        match self {
            PatternPiece::Unit(unit) => unit.letters().len(),
            PatternPiece::Literal(c) => c.len_utf8(),
        }
    }
}

/// Some units of time as text of fixed width: each unit once, in any order, with punctuation in between.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TimePattern {
    text: String,
    pieces: Vec<PatternPiece>,
}

impl TimePattern {
    /// Parses a pattern of the letters `yyyy MM dd HH mm ss SSS`, punctuation, and text in single quotes.
    ///
    /// # Errors
    /// A letter or a count without a fixed width, a repeated unit, or no unit at all.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let pattern = Self::of_pieces(text)?;
        let units = pattern.sorted_units();
        match twice(&units) {
            Some(unit) => Err(PatternError::Twice { pattern: text.into(), unit }),
            None if units.is_empty() => Err(PatternError::NoUnit { pattern: text.into() }),
            None => Ok(pattern),
        }
    }

    /// A pattern that may repeat a unit, or print none.
    pub(super) fn of_pieces(text: &str) -> Result<Self, PatternError> {
        Ok(TimePattern { text: text.to_string(), pieces: tokenize(text)? })
    }

    /// The pattern that prints the pieces of some patterns one after the other.
    ///
    /// # Errors
    /// A unit is repeated, or there is none.
    pub fn of_parts(parts: &[PatternPiece]) -> Result<Self, PatternError> {
        Self::parse(&text_of(parts))
    }

    /// The pattern as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn pieces(&self) -> &[PatternPiece] {
        &self.pieces
    }

    /// The units in the order in which they are printed.
    pub fn units(&self) -> impl Iterator<Item = Granularity> {
        self.pieces.iter().filter_map(|piece| match piece {
            PatternPiece::Unit(unit) => Some(*unit),
            PatternPiece::Literal(_) => None,
        })
    }

    /// The units, coarsest first.
    pub fn sorted_units(&self) -> Vec<Granularity> {
        let mut units: Vec<Granularity> = self.units().collect();
        units.sort_unstable();
        units
    }

    /// The width of every printed text in bytes.
    pub fn width(&self) -> usize {
        self.pieces.iter().map(|piece| piece.width()).sum()
    }

    /// Width of every printed text in characters.
    pub fn characters(&self) -> usize {
        characters(&self.pieces)
    }

    /// Start and width, in characters, of a unit in the printed text.
    pub fn place_of(&self, unit: Granularity) -> Option<(usize, usize)> {
        let at = self.pieces.iter().position(|piece| *piece == PatternPiece::Unit(unit))?;
        Some((characters(&self.pieces[..at]), unit.letters().len()))
    }

    /// Where in the printed text the output of another pattern occurs, if it does: start and width in
    /// characters.
    pub fn place_of_text(&self, other: &TimePattern) -> Option<(usize, usize)> {
        let at = self.pieces.windows(other.pieces.len()).position(|pieces| pieces == other.pieces)?;
        Some((characters(&self.pieces[..at]), characters(&other.pieces)))
    }

    /// Whether only digits are printed.
    pub fn is_digits(&self) -> bool {
        self.pieces.iter().all(|piece| matches!(piece, PatternPiece::Unit(_)))
    }

    /// The number of digits, if the texts keep their order and width as numbers: only digits, and the year
    /// comes first.
    pub fn number_digits(&self) -> Option<usize> {
        let starts_with_year = self.place_of(Granularity::Year).is_some_and(|(start, _)| start == 0);
        (self.is_digits() && starts_with_year).then(|| self.width())
    }

    /// The text of a local time in the years 1 to 9999.
    pub fn format(&self, at: NaiveDateTime) -> String {
        let mut text = Vec::with_capacity(self.width());
        self.write(at, &mut text);
        String::from_utf8_lossy(&text).into_owned()
    }

    /// Appends the text of a local time in the years 1 to 9999.
    pub fn write(&self, at: NaiveDateTime, out: &mut Vec<u8>) {
        for piece in &self.pieces {
            match piece {
                PatternPiece::Literal(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                PatternPiece::Unit(unit) => {
                    let number = match unit {
                        Granularity::Year => at.year().unsigned_abs(),
                        Granularity::Month => at.month(),
                        Granularity::Day => at.day(),
                        Granularity::Hour => at.hour(),
                        Granularity::Minute => at.minute(),
                        Granularity::Second => at.second(),
                        Granularity::Millisecond => at.nanosecond() / 1_000_000,
                    };
                    push_digits(out, number, unit.letters().len());
                }
            }
        }
    }
}

/// The number of characters that some pieces print.
fn characters(pieces: &[PatternPiece]) -> usize {
    let width = |piece: &PatternPiece| match piece {
        PatternPiece::Unit(unit) => unit.letters().len(),
        PatternPiece::Literal(_) => 1,
    };
    pieces.iter().map(width).sum()
}

/// A unit that occurs twice in a sorted list.
pub(super) fn twice(units: &[Granularity]) -> Option<Granularity> {
    units.windows(2).find(|pair| pair[0] == pair[1]).and_then(<[_]>::first).copied()
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

/// Why a text is not a date pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    #[error("the format `{pattern}` has no year (`yyyy`)")]
    NoYear { pattern: String },
    #[error("the format `{pattern}` has no unit of time")]
    NoUnit { pattern: String },
    #[error("the format `{pattern}` has the {} twice", unit.word())]
    Twice { pattern: String, unit: Granularity },
    #[error("the format `{pattern}` lacks a unit between the year and its finest unit")]
    Gap { pattern: String },
    #[error("the format `{pattern}` has an unclosed quote")]
    OpenQuote { pattern: String },
    #[error("`{written}` is not supported; the letters are yyyy MM dd HH mm ss SSS")]
    Letter { written: String },
    #[error("`{written}` has no fixed width here; write `{fixed}`")]
    NoFixedWidth { written: String, fixed: String },
}

/// A part of a pattern of Java's `SimpleDateFormat`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Run {
    /// A pattern letter and its repeat count.
    Letters(char, usize),
    Literal(String),
}

/// The parts of a pattern; `None` for a quote without an end.
pub fn runs(pattern: &str) -> impl Iterator<Item = Option<Run>> {
    let mut chars = pattern.chars().peekable();
    std::iter::from_fn(move || match chars.next()? {
        '\'' => Some(quoted(&mut chars).map(Run::Literal)),
        c if c.is_ascii_alphabetic() => {
            let mut count = 1;
            while chars.next_if_eq(&c).is_some() {
                count += 1;
            }
            Some(Some(Run::Letters(c, count)))
        }
        c => Some(Some(Run::Literal(c.to_string()))),
    })
}

/// Everything up to the closing quote. `''` is an escaped quote, inside and outside of quotes.
fn quoted(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<String> {
    if chars.next_if_eq(&'\'').is_some() {
        return Some("'".into());
    }
    let mut text = String::new();
    loop {
        match chars.next()? {
            '\'' if chars.next_if_eq(&'\'').is_some() => text.push('\''),
            '\'' => return Some(text),
            c => text.push(c),
        }
    }
}

fn tokenize(pattern: &str) -> Result<Vec<PatternPiece>, PatternError> {
    let mut tokens = Vec::new();
    for run in runs(pattern) {
        match run.ok_or_else(|| PatternError::OpenQuote { pattern: pattern.into() })? {
            Run::Letters(letter, count) => tokens.push(PatternPiece::Unit(unit_of(letter, count)?)),
            Run::Literal(text) => tokens.extend(text.chars().map(PatternPiece::Literal)),
        }
    }
    Ok(tokens)
}

/// Pieces as a pattern. Letters and quote signs are written in quotes.
pub(super) fn text_of(pieces: &[PatternPiece]) -> String {
    let runs = pieces.chunk_by(|one, other| one.literal().is_some() && other.literal().is_some());
    let written = runs.map(|run| match run {
        [PatternPiece::Unit(unit), ..] => unit.letters().to_string(),
        literals => in_quotes(&literals.iter().filter_map(|piece| piece.literal()).collect::<String>()),
    });
    written.collect()
}

/// A text of a pattern. A quote sign is written twice, at the beginning outside of the quotes.
fn in_quotes(text: &str) -> String {
    if !text.contains(|c: char| c.is_alphanumeric() || c == '\'') {
        return text.into();
    }
    let behind = text.trim_start_matches('\'');
    let signs = "''".repeat(text.len() - behind.len());
    match behind {
        "" => signs,
        _ => format!("{signs}'{}'", behind.replace('\'', "''")),
    }
}

fn unit_of(letter: char, count: usize) -> Result<Granularity, PatternError> {
    let written: String = std::iter::repeat_n(letter, count).collect();
    let Some(unit) = Granularity::ALL.into_iter().find(|unit| unit.letters().starts_with(letter)) else {
        return Err(PatternError::Letter { written });
    };
    if written != unit.letters() {
        return Err(PatternError::NoFixedWidth { written, fixed: unit.letters().into() });
    }
    Ok(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_date() {
        let at = NaiveDate::from_ymd_opt(2020, 4, 6).unwrap().and_hms_milli_opt(7, 8, 9, 10).unwrap();
        for (pattern, text) in [
            ("HH", "07"),
            ("MM/dd", "04/06"),
            ("'y='yyyy", "y=2020"),
            ("ss.SSS", "09.010"),
            ("dd.MM.", "06.04."),
        ] {
            let pattern = TimePattern::parse(pattern).unwrap();
            assert_eq!((pattern.format(at).as_str(), pattern.width()), (text, text.len()));
        }
        let stored = TimePattern::parse("yyyy/MM/ddHH").unwrap();
        for (part, place) in [("MM/dd", Some((5, 5))), ("HH", Some((10, 2))), ("yyyyMM", None), ("mm", None)]
        {
            assert_eq!(stored.place_of_text(&TimePattern::parse(part).unwrap()), place, "{part}");
        }
        for literal in ["'", "''", "'a", "a'", "a'b", "-", "T:", "é", "''a''b''"] {
            let parts: Vec<PatternPiece> = literal.chars().map(PatternPiece::Literal).collect();
            let joined = [parts.as_slice(), &[PatternPiece::Unit(Granularity::Hour)], &parts].concat();
            let pattern = TimePattern::of_parts(&joined).unwrap();
            assert_eq!(pattern.format(at), format!("{literal}07{literal}"), "{}", pattern.text());
        }
        for wrong in ["", "'x'", "HHHH", "HHmmHH", "E", "'x"] {
            assert!(TimePattern::parse(wrong).is_err(), "{wrong}");
        }
    }
}
