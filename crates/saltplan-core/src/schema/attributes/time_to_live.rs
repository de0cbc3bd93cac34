//! Times as HBase parses them (`org.apache.hadoop.hbase.util.PrettyPrinter`).

use super::number::{java_number, number};
use crate::schema::model::AttributeValue;

/// For HBase the greatest `int` means forever.
pub const FOREVER: i64 = i32::MAX as i64;

/// A day in milliseconds.
const MILLISECONDS: i64 = 86_400_000;

/// The units in the required order, with their seconds.
const UNITS: [(&str, i64); 4] = [("DAY", 86_400), ("HOUR", 3_600), ("MINUTE", 60), ("SECOND", 1)];

/// The seconds of a value: a number, `FOREVER`, `1 DAY 12 HOURS`, or the output of `describe`, `90 SECONDS (1
/// MINUTE 30 SECONDS)`.
pub fn seconds(value: &AttributeValue) -> Option<i64> {
    let seconds = match value {
        AttributeValue::Number(_) => number(value)?,
        AttributeValue::Bool(_) => return None,
        AttributeValue::Text(text) if text.eq_ignore_ascii_case("FOREVER") => FOREVER,
        AttributeValue::Text(text) => {
            java_number(text).or_else(|| human(text)).or_else(|| described(text))?
        }
    };
    (1..=FOREVER).contains(&seconds).then_some(seconds)
}

/// `7776000 SECONDS (90 DAYS)`; HBase requires that both are the same time.
fn described(text: &str) -> Option<i64> {
    let (seconds, rest) = text.split_once('(')?;
    let same = human(rest.trim_end().strip_suffix(')')?)?;
    let (count, unit) = part(seconds)?;
    (unit.eq_ignore_ascii_case("SECOND") || unit.eq_ignore_ascii_case("SECONDS"))
        .then_some(count)
        .filter(|count| *count == same)
}

/// `1 DAY 12 HOURS`: days, hours, minutes and seconds in this order, each at most once.
fn human(text: &str) -> Option<i64> {
    let mut rest = text.trim_end();
    let mut total = 0i64;
    let mut units = UNITS.iter();
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let behind = rest[digits..].trim_start();
        let letters = behind.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(behind.len());
        let (word, next) = behind.split_at(letters);
        let word = word.to_ascii_uppercase();
        let unit = word.strip_suffix('S').unwrap_or(&word);
        let (_, seconds) = units.find(|(name, _)| *name == unit)?;
        total = total.checked_add(rest[..digits].parse::<i64>().ok()?.checked_mul(*seconds)?)?;
        rest = next.trim_start();
    }
    Some(total)
}

/// A number followed by a word, as in `90d` or `3 weeks`.
fn part(text: &str) -> Option<(i64, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (count, unit) = text.split_at(digits);
    Some((count.parse().ok()?, unit.trim()))
}

/// A time such as `90d`, which HBase does not understand, in a form that it does.
pub fn meant(text: &str) -> Option<String> {
    let text = text.trim();
    let whole: Result<i64, _> = text.parse();
    let (count, unit) = match whole {
        // More seconds than HBase counts, but whole days in milliseconds.
        Ok(count) if count > FOREVER && count % MILLISECONDS == 0 => (count / MILLISECONDS, "d"),
        _ => part(text)?,
    };
    let (count, unit) = match unit.to_ascii_lowercase().as_str() {
        "w" | "week" | "weeks" => (count.checked_mul(7)?, "DAY"),
        "d" | "day" | "days" => (count, "DAY"),
        "h" | "hr" | "hour" | "hours" => (count, "HOUR"),
        // Not `m`, which could mean months.
        "min" | "mins" | "minute" | "minutes" => (count, "MINUTE"),
        "s" | "sec" | "secs" | "second" | "seconds" => (count, "SECOND"),
        _ => return None,
    };
    let written = format!("{count} {unit}{}", if count == 1 { "" } else { "S" });
    seconds(&AttributeValue::Text(written.clone())).map(|_| written)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds_of(text: &str) -> Option<i64> {
        seconds(&AttributeValue::Text(text.into()))
    }

    #[test]
    fn what_hbase_reads() {
        for (text, expected) in [
            ("FOREVER", FOREVER),
            ("forever", FOREVER),
            ("90", 90),
            ("+90", 90),
            ("007", 7),
            ("90 DAYS", 7_776_000),
            ("1 Day", 86_400),
            ("1  DAY", 86_400),
            ("90DAYS", 7_776_000),
            ("1DAY2HOURS", 93_600),
            ("1 DAY 1 SECOND", 86_401),
            ("24855 DAYS", 2_147_472_000),
            ("86400 SECONDS (1 DAY)", 86_400),
        ] {
            assert_eq!(seconds_of(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_hbase_does_not_read() {
        for text in [
            "",
            "x",
            "90d",
            "0",
            "-1",
            "0 DAYS",
            "1 DAY 2",
            "2 HOURS 1 DAY",
            "1 DAYS 1 DAYS",
            "1 HOUR,30 MINUTES",
            "1 DAY x",
            "x 1 DAY",
            " 90 ",
            "FOREVER ",
            "24856 DAYS",
            "3000000000",
            "99999999999999999999",
            "99999999999999999999 DAYS",
            "86400 SECONDS (2 DAYS)",
            "90 SECONDS ()",
            "1 MONTH",
            "1 YEAR",
            "1 日",
        ] {
            assert_eq!(seconds_of(text), None, "{text}");
        }
        assert_eq!(seconds(&AttributeValue::Bool(true)), None);
    }

    #[test]
    fn what_was_meant() {
        for (text, expected) in [
            ("90d", "90 DAYS"),
            ("1 d", "1 DAY"),
            ("2w", "14 DAYS"),
            ("12h", "12 HOURS"),
            ("30s", "30 SECONDS"),
        ] {
            assert_eq!(meant(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["many", "90", "1 MONTH", "3m", "90ms", "0d", "30000d", ""] {
            assert_eq!(meant(text), None, "{text}");
        }
    }
}
