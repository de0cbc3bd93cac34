//! Dates and times as texts: formats in the letters of Java, and instants.

pub mod bisect;
pub mod format;
pub mod pattern;
pub mod zone;

use self::zone::Zone;
use chrono::{DateTime, NaiveDateTime, Utc};

/// An instant written with its offset, such as `2020-04-06T10:00:00+08:00`, `2020-04-06 02:00:00Z` or `20200406T020000+0000`.
pub fn parse_instant(text: &str) -> Option<DateTime<Utc>> {
    let is_basic = text.len() == 20 && text.as_bytes().get(8) == Some(&b'T');
    let at = if is_basic {
        DateTime::parse_from_str(text, "%Y%m%dT%H%M%S%z")
    } else {
        DateTime::parse_from_rfc3339(text)
    };
    format::without_leap_second(at.ok()?.to_utc())
}

/// The local time of a text with an offset, as a text without one; `None` for other texts.
pub fn as_local_time(text: &str, zone: Zone) -> Option<String> {
    Some(zone.local_time_of(parse_instant(text)?)?.format("%Y-%m-%d %H:%M:%S%.f").to_string())
}

/// The local time of an instant; `None` if this local time occurs twice.
pub fn unique_local_time(zone: Zone, instant: DateTime<Utc>) -> Option<NaiveDateTime> {
    zone.local_time_of(instant).filter(|local| zone.is_unique(*local))
}
