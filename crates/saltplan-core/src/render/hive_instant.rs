//! The clock of an instant in a zone, as HiveQL that no zone of a session, a server or a JVM changes.
//!
//! Hive's own functions do not give it. `from_unixtime` prints the clock of the session. `from_utc_timestamp` takes a TIMESTAMP, which
//! Hive 2 keeps on the server's clock, so that readings which that clock skips move by an hour; and `cast(… as timestamp)`
//! of a number is seconds here and milliseconds there. So the offsets are written out as numbers, for the changes of the clock within
//! the instants that can occur, and the rest is arithmetic on whole numbers and days. Measured by `types::` of the engine suite.

use std::fmt::Write as _;

use chrono::DateTime;
use chrono_tz::Tz;

use super::hive_field::REAL_DATE;
use super::hive_text::literal;
use crate::key::interval::Interval;
use crate::key::zone::{self, OffsetChange};
use crate::schema::model::EpochUnit;

/// Seconds from [`FIRST_DAY`] to 1970-01-01.
const BEFORE_1970: i64 = 12_219_292_800;

/// The first day that Hive 2 and Hive 3 call by one name: before it Hive 2 counts days of the Julian calendar.
const FIRST_DAY: &str = "1582-10-15";

/// Seconds from 1970-01-01 to the first day after the year 9999.
const AFTER_9999: i64 = 253_402_300_800;

const DAY: i64 = 86_400;

/// An instant as HiveQL, to be read on the clock of a zone.
///
/// Every text below is NULL where the clock shows a time before 1582-10-15 or after the year 9999, which not every Hive can hold.
#[derive(Debug, Clone)]
pub struct Clock {
    /// The number of the instant's unit since 1970-01-01T00:00:00Z.
    number: String,
    unit: EpochUnit,
    /// Number of the unit on the clock since `first_day`, never negative within the calendar.
    elapsed: String,
    first_day: &'static str,
    /// Least and greatest instant with a reading, where some can lie outside.
    guard: Option<(i64, i64)>,
}

impl Clock {
    /// The clock of `zone` at the instant `number`, a BIGINT expression of `unit`s. Only instants in `within` need to be right:
    /// what is known of them keeps the text short.
    pub fn new(number: &str, unit: EpochUnit, zone: Tz, within: Interval<i128>) -> Self {
        let per_second = per_second(unit);
        let (least, most) = readable(zone);
        let (from, to) = seconds_within(unit, zone, &within);
        let (least_number, most_number) = (least * per_second, (most + 1) * per_second - 1);
        let is_inside = within.start >= i128::from(least_number)
            && within.stop.is_some_and(|stop| stop <= i128::from(most_number) + 1);
        let guard = (!is_inside).then_some((least_number, most_number));

        let first = zone::offset_at(zone, from);
        let changes = zone::changes(zone, from, to);
        let is_after_1970 = from + i64::from(first) >= 0 && from >= DAY;
        let (shift, first_day) = if is_after_1970 { (0, "1970-01-01") } else { (BEFORE_1970, FIRST_DAY) };
        let added = added(number, per_second, shift, first, &changes);
        let elapsed = if added == "0" { number.to_string() } else { format!("({number} + {added})") };
        Clock { number: number.into(), unit, elapsed, first_day, guard }
    }

    /// A number that the texts of this clock are made from, where it is long: it may be computed once, and given a name.
    pub fn elapsed(&self) -> Option<&str> {
        self.elapsed.contains("CASE").then_some(&self.elapsed)
    }

    /// The clock whose [`elapsed`](Clock::elapsed) is a column.
    #[must_use]
    pub fn with_elapsed(self, column: String) -> Self {
        Clock { elapsed: column, ..self }
    }

    /// Whether every instant has a reading, so that nothing is NULL.
    pub fn is_total(&self) -> bool {
        self.guard.is_none()
    }

    /// The day on the clock, a DATE.
    pub fn date(&self) -> String {
        self.guarded(self.bare_date())
    }

    /// The hour of the day, from 0: a BIGINT.
    pub fn hour(&self) -> String {
        self.guarded(self.part(3_600, 24))
    }

    /// The minute of the hour: a BIGINT.
    pub fn minute(&self) -> String {
        self.guarded(self.part(60, 60))
    }

    /// The second of the minute: a BIGINT.
    pub fn second(&self) -> String {
        self.guarded(self.part(1, 60))
    }

    /// `yyyy-MM-dd HH:mm:ss`, of milliseconds `yyyy-MM-dd HH:mm:ss.SSS`: a STRING.
    pub fn text(&self) -> String {
        self.guarded(self.bare_text())
    }

    /// What the clock shows, a TIMESTAMP. On Hive 2 a reading that the server's clock skips moves by an hour: that is how it
    /// keeps the type.
    pub fn timestamp(&self) -> String {
        format!("cast({} as timestamp)", self.text())
    }

    fn bare_date(&self) -> String {
        let day = DAY * per_second(self.unit);
        format!("date_add('{}', cast({} DIV {day} as int))", self.first_day, self.elapsed)
    }

    fn bare_text(&self) -> String {
        let mut parts = vec![self.part(3_600, 24), self.part(60, 60), self.part(1, 60)];
        let mut format = " %02d:%02d:%02d".to_string();
        if self.unit == EpochUnit::Milliseconds {
            parts.push(format!("{} % 1000", self.elapsed));
            format.push_str(".%03d");
        }
        format!(
            "concat(cast({} as string), printf({}, {}))",
            self.bare_date(),
            literal(&format),
            parts.join(", ")
        )
    }

    /// How often so many seconds have passed on the clock, modulo `of`.
    fn part(&self, seconds: i64, of: i64) -> String {
        match seconds * per_second(self.unit) {
            1 => format!("{} % {of}", self.elapsed),
            divisor => format!("{} DIV {divisor} % {of}", self.elapsed),
        }
    }

    fn guarded(&self, text: String) -> String {
        match self.guard {
            None => text,
            Some((least, most)) => {
                format!("CASE WHEN {} BETWEEN {least} AND {most} THEN {text} END", self.number)
            }
        }
    }
}

/// The instant at which the clocks of a zone show a text, as HiveQL.
#[derive(Debug, Clone)]
pub struct LocalInstant {
    /// Whether the text is a time of the calendar: `yyyy-MM-dd HH:mm:ss`, with a fraction or without.
    pub condition: String,
    /// The number of the unit since 1970-01-01T00:00:00Z where `condition` holds, a BIGINT; NULL where they show the text twice or
    /// never.
    pub instant: String,
}

impl LocalInstant {
    /// `text` is a STRING expression. Only instants in `within` are found.
    pub fn new(text: &str, unit: EpochUnit, zone: Tz, within: Interval<i128>) -> Self {
        let per_second = per_second(unit);
        let (from, to) = seconds_within(unit, zone, &within);
        let fraction = if unit == EpochUnit::Milliseconds { "[0-9]{1,3}0{0,6}" } else { "0{1,9}" };
        let shape =
            format!(r"\A[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}} [0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}}(\.{fraction})?\z");
        let real = format!("substr({text}, 1, 19) RLIKE {}", literal(REAL_DATE));
        let offset = format!("({})", offset_of_reading(text, zone, from, to));
        let condition = format!("{text} RLIKE {} AND {real} AND {text} >= '{FIRST_DAY}'", literal(&shape));
        let part = |at: u32| format!("cast(substr({text}, {at}, 2) as bigint)");
        let seconds = format!(
            "cast(datediff(substr({text}, 1, 10), '1970-01-01') as bigint) * {DAY} + {} * 3600 + {} * 60 + {} - {offset}",
            part(12),
            part(15),
            part(18)
        );
        let instant = match unit {
            EpochUnit::Seconds => format!("({seconds})"),
            EpochUnit::Milliseconds => {
                format!("(({seconds}) * {per_second} + cast(rpad(substr({text}, 21, 3), 3, '0') as bigint))")
            }
        };
        LocalInstant { condition, instant }
    }
}

/// The offset by which the clocks show a text in seconds; NULL where they show it twice or never.
fn offset_of_reading(text: &str, zone: Tz, from: i64, to: i64) -> String {
    let shown = |second: i64| {
        literal(&DateTime::from_timestamp(second, 0).unwrap_or_default().format("%F %T").to_string())
    };
    let mut before = zone::offset_at(zone, from);
    let first = before;
    let mut steps = Vec::new();
    for OffsetChange { at, offset } in zone::changes(zone, from, to) {
        let (low, high) = (before.min(offset), before.max(offset));
        steps.push((shown(at + i64::from(low)), "NULL".to_string()));
        steps.push((shown(at + i64::from(high)), offset.to_string()));
        before = offset;
    }
    stepped(text, &first.to_string(), &steps)
}

/// The first and the last second of the instants that can occur and have a reading.
fn seconds_within(unit: EpochUnit, zone: Tz, within: &Interval<i128>) -> (i64, i64) {
    let per_second = i128::from(per_second(unit));
    let (least, most) = readable(zone);
    let clamp = |number: i128| {
        let second = number.div_euclid(per_second).clamp(i128::from(least), i128::from(most));
        i64::try_from(second).unwrap_or(least)
    };
    (clamp(within.start), clamp(within.stop.unwrap_or(i128::from(i64::MAX)).saturating_sub(1)))
}

/// The first and the last second with a reading from 1582-10-15 to 9999-12-31.
fn readable(zone: Tz) -> (i64, i64) {
    let least = -BEFORE_1970 - i64::from(zone::offset_at(zone, -BEFORE_1970));
    let most = AFTER_9999 - 1 - i64::from(zone::offset_at(zone, AFTER_9999));
    (least, most)
}

fn per_second(unit: EpochUnit) -> i64 {
    match unit {
        EpochUnit::Seconds => 1,
        EpochUnit::Milliseconds => 1_000,
    }
}

/// What is added to an instant: its offset, and the shift to the first day.
fn added(number: &str, per_second: i64, shift: i64, first: i32, changes: &[OffsetChange]) -> String {
    let offset = |seconds: i32| ((shift + i64::from(seconds)) * per_second).to_string();
    let later = changes.iter().map(|change| ((change.at * per_second).to_string(), offset(change.offset)));
    stepped(number, &offset(first), &later.collect::<Vec<_>>())
}

/// Steps that one CASE has at most.
const STEPS: usize = 16;

/// The value of the last step that `operand` has reached: a CASE, or a CASE of cases where the steps are many, so that few
/// comparisons tell a row's.
fn stepped(operand: &str, first: &str, steps: &[(String, String)]) -> String {
    if steps.is_empty() {
        return first.into();
    }
    let size = steps.len().div_ceil(STEPS).max(1);
    let mut value = first.to_string();
    let mut arms = String::new();
    let mut rest = steps;
    while let Some(((bound, next), within)) = rest.split_at_checked(size - 1).and_then(|(within, later)| {
        let (step, later) = later.split_first()?;
        rest = later;
        Some((step, within))
    }) {
        let _ = write!(arms, "WHEN {operand} < {bound} THEN {} ", stepped(operand, &value, within));
        value.clone_from(next);
    }
    format!("CASE {arms}ELSE {} END", stepped(operand, &value, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono_tz::{America::New_York, Asia::Shanghai, UTC};

    #[test]
    fn offsets_of_the_instants_that_can_occur() {
        // 2020-03-08 and the day after, in New York.
        let days = Interval::new(1_583_643_600, Some(1_583_812_800));
        let clock = Clock::new("n", EpochUnit::Seconds, New_York, days);
        let elapsed = "(n + CASE WHEN n < 1583650800 THEN -18000 ELSE -14400 END)";
        assert_eq!(clock.hour(), format!("{elapsed} DIV 3600 % 24"));
        assert_eq!(clock.second(), format!("{elapsed} % 60"));
        assert_eq!(clock.date(), format!("date_add('1970-01-01', cast({elapsed} DIV 86400 as int))"));
        let february = Interval::new(1_580_486_400_000, Some(1_582_992_000_000));
        let clock = Clock::new("n", EpochUnit::Milliseconds, Shanghai, february);
        assert_eq!(clock.minute(), "(n + 28800000) DIV 60000 % 60");
    }

    #[test]
    fn instants_that_no_clock_shows() {
        let any = Interval::new(i64::MIN.into(), Some(i128::from(i64::MAX) + 1));
        let clock = Clock::new("n", EpochUnit::Milliseconds, UTC, any);
        assert_eq!(
            clock.date(),
            "CASE WHEN n BETWEEN -12219292800000 AND 253402300799999 THEN date_add('1582-10-15', \
             cast((n + 12219292800000) DIV 86400000 as int)) END"
        );
        // All of a field of thirteen digits has a reading.
        let digits = Interval::new(0, Some(10_000_000_000_000));
        assert!(!Clock::new("n", EpochUnit::Milliseconds, UTC, digits).text().contains("BETWEEN"));
    }
}
