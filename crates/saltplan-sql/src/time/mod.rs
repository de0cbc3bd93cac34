//! Dates and times as texts: formats in the letters of Java, and instants.

pub mod bisect;
pub mod format;
pub mod pattern;
pub mod zone;

use self::zone::Zone;
use chrono::{DateTime, NaiveDateTime, Utc};

/// An instant written with its offset, such as `2020-04-06T10:00:00+08:00` or `2020-04-06 02:00:00Z`.
pub fn parse_instant(text: &str) -> Option<DateTime<Utc>> {
    format::without_leap_second(DateTime::parse_from_rfc3339(text).ok()?.to_utc())
}

/// The local time of an instant; `None` if this local time occurs twice.
pub fn unique_local_time(zone: Zone, instant: DateTime<Utc>) -> Option<NaiveDateTime> {
    zone.local_time_of(instant).filter(|local| zone.is_unique(*local))
}
