//! What a clock shows of a key field: of an instant the clock of the schema's zone, of a local time its own digits.

use thiserror::Error;

use crate::key::field::FieldId;
use saltplan_sql::time::pattern;
pub use saltplan_sql::time::pattern::Run;

/// The form in which Hive gets a key field at one place of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FieldForm {
    /// The value in the field's Hive type.
    #[default]
    Value,
    /// The text that the key stores.
    Stored,
    /// The DATE or the TIMESTAMP of a calendar field.
    Date,
}

/// A part of a date or a time of day that the clock shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClockReading {
    /// An instant or a local time of the key.
    pub field: FieldId,
    /// Milliseconds were cut to whole seconds first.
    pub cut: Truncation,
    pub shown: ClockPart,
}

/// How an instant is cut to whole seconds before the clock is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truncation {
    /// Milliseconds are kept.
    None,
    /// To the second that has begun.
    Down,
    /// Towards 1970, as `DIV` and casts do.
    TowardsZero,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClockPart {
    Hour,
    Minute,
    Second,
    Date,
    /// A pattern of Java's `SimpleDateFormat`.
    Printed(Vec<Run>),
}

/// Letters that a date alone decides.
pub const OF_DATE: &str = "GyMdEDuFwW";
/// Letters of the time of day.
pub(crate) const OF_TIME: &str = "HkKhmsSa";

/// Why a condition on times is ambiguous, or cannot be written for Hive.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unclear {
    #[error("the pattern `{pattern}` has a quote without an end")]
    OpenQuote { pattern: String },
    #[error("`{letter}` in the pattern `{pattern}` is not part of a date or a time of day")]
    Letter { letter: char, pattern: String },
    #[error("the pattern is not a constant")]
    PatternNotConstant,
    #[error("of an instant it takes nothing but its whole seconds, such as `from_unixtime(ts DIV 1000, …)`")]
    NotWholeSeconds,
    #[error(
        "its value depends on the zone of the session or of the server; write `to_date`, `hour`, `date_format` or compare the number"
    )]
    ZoneOfSession,
    #[error("`{field}` is an instant, and the schema has no `time_zone` to show it in")]
    NoTimeZone { field: String },
    #[error("`{field}` is an instant: a local time and something else are compared with it at once")]
    MixedWithLocalTime { field: String },
}

impl Unclear {
    /// What to write instead; `reads_clock`: the condition has a function of the engine's clock, such as `current_date`.
    pub(crate) fn help(&self, reads_clock: bool) -> &'static str {
        match self {
            Unclear::NoTimeZone { .. } => {
                "add a line such as `time_zone: Asia/Shanghai` to the schema, or compare the number that the key stores"
            }
            _ if reads_clock => {
                "say what time it is with `--now`, or give the day as a parameter, such as `:day`"
            }
            Unclear::MixedWithLocalTime { .. } => {
                "compare it with constants alone, in a condition of their own, or compare the number that the key stores"
            }
            Unclear::ZoneOfSession | Unclear::NotWholeSeconds => {
                "write it so, or compare the number that the key stores"
            }
            Unclear::OpenQuote { .. } | Unclear::Letter { .. } | Unclear::PatternNotConstant => {
                "write a constant pattern of dates and times, such as 'yyyyMMdd HH'"
            }
        }
    }
}

/// The parts of a pattern.
///
/// # Errors
/// A letter that is not part of a date or a time of day, such as `z`, or a quote without an end.
pub fn runs(pattern: &str) -> Result<Vec<Run>, Unclear> {
    let mut runs: Vec<Run> = Vec::new();
    for run in pattern::runs(pattern) {
        match (run.ok_or_else(|| Unclear::OpenQuote { pattern: pattern.to_string() })?, runs.last_mut()) {
            (Run::Letters(letter, _), _) if !OF_DATE.contains(letter) && !OF_TIME.contains(letter) => {
                return Err(Unclear::Letter { letter, pattern: pattern.to_string() });
            }
            (Run::Literal(text), Some(Run::Literal(before))) => before.push_str(&text),
            (run, _) => runs.push(run),
        }
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_runs() {
        let literal = |text: &str| Run::Literal(text.into());
        let expected = vec![Run::Letters('H', 2), literal(" o'clock, "), Run::Letters('E', 3)];
        assert_eq!(runs("HH' o''clock', EEE").unwrap(), expected);
        assert!(runs("HH z").is_err());
        assert!(runs("HH 'o").is_err());
    }
}
