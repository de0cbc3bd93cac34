//! What the clock shows of a key field, as HiveQL in which no zone of a session or a server counts.

use super::hive_condition::{HiveConditions, Unwritten};
use super::hive_instant::Clock;
use super::hive_key::iso_text;
use super::hive_text::literal;
use crate::key::interval::Interval;
use crate::key::time_format::{Granularity, TimeFormat};
use crate::predicate::reading::{ClockReading, OF_DATE, Run, Shown, Truncation, hull};
use crate::schema::model::{EpochUnit, FieldKind};

/// The parts of a time, each an expression.
struct Face {
    date: String,
    hour: String,
    minute: String,
    second: String,
    /// A number from 0 to 999.
    millisecond: String,
    /// Whether every row has a reading.
    is_total: bool,
}

impl HiveConditions<'_> {
    pub(super) fn reading(&self, reading: &ClockReading) -> Result<String, Unwritten> {
        let face = self.face(reading)?;
        Ok(match &reading.shown {
            Shown::Hour => face.hour,
            Shown::Minute => face.minute,
            Shown::Second => face.second,
            Shown::Date => face.date,
            Shown::Printed(runs) => face.printed(runs),
        })
    }

    fn face(&self, reading: &ClockReading) -> Result<Face, Unwritten> {
        match &self.schema.key.fields[reading.field].kind {
            FieldKind::Epoch(epoch) => self.of_instant(reading, epoch.unit),
            FieldKind::Calendar(calendar) => {
                Ok(of_local_time(&calendar.format, &self.key.stored_text(reading.field)?))
            }
            _ => Err("it is no time".into()),
        }
    }

    fn of_instant(&self, reading: &ClockReading, unit: EpochUnit) -> Result<Face, Unwritten> {
        let field = &self.schema.key.fields[reading.field];
        let zone = self.schema.time_zone.ok_or("the schema has no `time_zone`")?;
        let mut number = self.key.typed(reading.field)?;
        let mut within = field.kind.domain().ok_or("it is no number")?;
        if let Some(hull) = self.bound.get(&reading.field).and_then(hull) {
            within = hull;
        }
        let mut unit = unit;
        if reading.cut == Truncation::TowardsZero && unit == EpochUnit::Milliseconds {
            number = format!("({number} DIV 1000)");
            within = Interval::new(
                within.start.div_euclid(1_000),
                within.stop.map(|stop| stop.div_euclid(1_000) + 1),
            );
            unit = EpochUnit::Seconds;
        }
        let clock = Clock::new(&number, unit, zone, within);
        let has_fraction = unit == EpochUnit::Milliseconds && reading.cut == Truncation::None;
        let millisecond =
            if has_fraction { format!("cast(substr({}, 21, 3) as int)", clock.text()) } else { "0".into() };
        Ok(Face {
            date: clock.date(),
            hour: format!("({})", clock.hour()),
            minute: format!("({})", clock.minute()),
            second: format!("({})", clock.second()),
            millisecond,
            is_total: clock.is_total(),
        })
    }
}

/// The digits that the key stores; what it does not store is 0.
fn of_local_time(format: &TimeFormat, stored: &str) -> Face {
    let part = |unit: Granularity| match format.place_of(unit) {
        Some((start, width)) => format!("cast(substr({stored}, {}, {width}) as int)", start + 1),
        None => "0".into(),
    };
    Face {
        date: format!("cast(substr({}, 1, 10) as date)", iso_text(format, stored)),
        hour: part(Granularity::Hour),
        minute: part(Granularity::Minute),
        second: part(Granularity::Second),
        millisecond: part(Granularity::Millisecond),
        is_total: true,
    }
}

impl Face {
    fn printed(&self, runs: &[Run]) -> String {
        // Neighbours that a date alone decides are printed together.
        let mut parts: Vec<String> = Vec::new();
        let mut of_date = String::new();
        for run in runs {
            match run {
                Run::Letters(c, count) if OF_DATE.contains(*c) => {
                    of_date.extend(std::iter::repeat_n(*c, *count));
                }
                Run::Literal(text) if !of_date.is_empty() => {
                    of_date.push_str(&format!("'{}'", text.replace('\'', "''")));
                }
                Run::Literal(text) => parts.push(literal(text)),
                Run::Letters(c, count) => {
                    self.print_date(&mut of_date, &mut parts);
                    parts.push(self.of_time(*c, *count));
                }
            }
        }
        self.print_date(&mut of_date, &mut parts);
        let text = match parts.as_slice() {
            [] => "''".into(),
            [only] => only.clone(),
            _ => format!("concat({})", parts.join(", ")),
        };
        // `printf` makes a text of NULL.
        if self.is_total { text } else { format!("CASE WHEN {} IS NOT NULL THEN {text} END", self.date) }
    }

    fn print_date(&self, pattern: &mut String, parts: &mut Vec<String>) {
        if !pattern.is_empty() {
            parts.push(format!("date_format({}, {})", self.date, literal(pattern)));
            pattern.clear();
        }
    }

    fn of_time(&self, letter: char, count: usize) -> String {
        let hour = &self.hour;
        let number = match letter {
            'H' => hour.clone(),
            'k' => format!("({hour} + 23) % 24 + 1"),
            'K' => format!("{hour} % 12"),
            'h' => format!("({hour} + 11) % 12 + 1"),
            'm' => self.minute.clone(),
            's' => self.second.clone(),
            'S' => self.millisecond.clone(),
            _ => return format!("CASE WHEN {hour} < 12 THEN 'AM' ELSE 'PM' END"),
        };
        format!("printf({}, {number})", literal(&format!("%0{count}d")))
    }
}
