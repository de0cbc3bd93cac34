//! Dates and clocks of the oracle: Java date patterns and time zones, implemented a second time.

use chrono::{DateTime, Datelike, Duration, MappedLocalTime, NaiveDate, NaiveDateTime, TimeZone, Timelike};
use chrono_tz::Tz;

/// The letters of the units, the longest first.
const UNITS: &str = "yMdHmsS";

/// Pattern letters with their widths, and literal characters between them.
fn tokens(pattern: &str) -> Vec<(char, usize)> {
    let mut tokens: Vec<(char, usize)> = Vec::new();
    for c in pattern.chars() {
        match tokens.last_mut() {
            Some((last, width)) if *last == c && c.is_ascii_alphabetic() => *width += 1,
            _ => tokens.push((c, 1)),
        }
    }
    tokens
}

pub fn format(pattern: &str, at: NaiveDateTime) -> String {
    let mut text = String::new();
    for (letter, width) in tokens(pattern) {
        let number = match letter {
            'y' => at.year().unsigned_abs(),
            'M' => at.month(),
            'd' => at.day(),
            'H' => at.hour(),
            'm' => at.minute(),
            's' => at.second(),
            'S' => at.nanosecond() / 1_000_000,
            other => {
                text.push(other);
                continue;
            }
        };
        text += &format!("{number:0width$}");
    }
    text
}

/// The start of the unit that a text in this format names.
pub fn parse(pattern: &str, text: &str) -> Option<NaiveDateTime> {
    let mut at = 0;
    let mut units = [0, 1, 1, 0, 0, 0, 0];
    for (letter, width) in tokens(pattern) {
        let part = text.get(at..at + width)?;
        at += width;
        if !letter.is_ascii_alphabetic() {
            if part != letter.to_string() {
                return None;
            }
            continue;
        }
        if !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        units[UNITS.find(letter)?] = part.parse::<u32>().ok()?;
    }
    let [year, month, day, hour, minute, second, millisecond] = units;
    let date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
    (at == text.len() && year > 0).then(|| date.and_hms_milli_opt(hour, minute, second, millisecond))?
}

/// The start of the unit of the format that contains a time.
pub fn truncate(pattern: &str, at: NaiveDateTime) -> NaiveDateTime {
    parse(pattern, &format(pattern, at)).expect("what was printed can be read")
}

/// Whether the text sorts like time.
pub fn sorts(pattern: &str) -> bool {
    let order: Vec<usize> = tokens(pattern).iter().filter_map(|(letter, _)| UNITS.find(*letter)).collect();
    order.is_sorted()
}

pub fn is_digits(pattern: &str) -> bool {
    pattern.chars().all(|c| c.is_ascii_alphabetic())
}

/// `yyyy-MM-dd`, with `HH:mm[:ss[.f]]` after a blank or a `T`; the fraction has up to nine digits.
pub fn parse_iso(text: &str) -> Option<NaiveDateTime> {
    let text = text.trim().replace('T', " ");
    if let Some((seconds, fraction)) = text.split_once('.') {
        let is_fraction = (1..=9).contains(&fraction.len()) && fraction.bytes().all(|b| b.is_ascii_digit());
        let nanoseconds: i64 = format!("{fraction:0<9}").parse().ok().filter(|_| is_fraction)?;
        return Some(parse("yyyy-MM-dd HH:mm:ss", seconds)? + Duration::nanoseconds(nanoseconds));
    }
    ["yyyy-MM-dd", "yyyy-MM-dd HH:mm", "yyyy-MM-dd HH:mm:ss"].iter().find_map(|pattern| parse(pattern, &text))
}

/// A text as Hive parses it as a date, with or without a time: one digit is enough for month and day, and a
/// day beyond the end of its month is in the next month.
pub fn read(text: &str) -> Option<NaiveDateTime> {
    let (date, time) = text.trim().split_once(' ').map_or((text.trim(), None), |(d, t)| (d, Some(t)));
    let mut parts = date.split('-').map(|part| part.parse::<u32>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if parts.next().is_some() || !(1..=9999).contains(&year) || !(1..=31).contains(&day) {
        return None;
    }
    let first = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, 1)?;
    let date = first + Duration::days(i64::from(day) - 1);
    let time = match time {
        None => chrono::NaiveTime::MIN,
        Some(time) => chrono::NaiveTime::parse_from_str(time, "%H:%M:%S%.f").ok()?,
    };
    Some(date.and_time(time))
}

pub fn local(zone: Tz, milliseconds: i64) -> Option<NaiveDateTime> {
    DateTime::from_timestamp_millis(milliseconds).map(|at| at.with_timezone(&zone).naive_local())
}

/// The instant of a local time: the earlier of two; a skipped time is read with the previous offset.
pub fn instant(zone: Tz, at: NaiveDateTime) -> i64 {
    match zone.from_local_datetime(&at) {
        MappedLocalTime::Single(at) | MappedLocalTime::Ambiguous(at, _) => at.timestamp_millis(),
        MappedLocalTime::None => {
            let day = Duration::days(1);
            instant(zone, at - day) + day.num_milliseconds()
        }
    }
}

/// The number that the planner gives a calendar value: units since year 0 (years, months) or since 1970.
pub fn ordinal(pattern: &str, at: NaiveDateTime) -> i64 {
    let milliseconds = at.and_utc().timestamp_millis();
    match tokens(pattern).iter().filter_map(|(letter, _)| UNITS.find(*letter)).max() {
        Some(0) => i64::from(at.year()),
        Some(1) => i64::from(at.year()) * 12 + i64::from(at.month0()),
        Some(2) => milliseconds.div_euclid(86_400_000),
        Some(3) => milliseconds.div_euclid(3_600_000),
        Some(4) => milliseconds.div_euclid(60_000),
        Some(5) => milliseconds.div_euclid(1_000),
        _ => milliseconds,
    }
}
