//! Parts of the local time of a key field, as HiveQL that does not depend on the zone of a session or a server.

use crate::analyze::ValueSet;
use crate::analyze::clock::{ClockPart, ClockReading, OF_DATE, Run, Truncation};
use crate::hive::condition::{HiveConditions, Unwritten};
use crate::hive::date::iso_text;
use crate::hive::instant::Clock;
use crate::hive::not_in_hive::NotInHive;
use crate::key::field::{EpochUnit, FieldKind};
use crate::key::interval::Interval;
use saltplan_sql::ast::{BinaryOperator, Expr};
use saltplan_sql::build::Case;
use saltplan_sql::functions::DATE_FORMAT;
use saltplan_sql::hive_type::Type;
use saltplan_sql::time::format::TimeFormat;
use saltplan_sql::time::pattern::Granularity;

/// The parts of a time, each an expression.
struct Face {
    date: Expr,
    hour: Expr,
    minute: Expr,
    second: Expr,
    /// A number from 0 to 999.
    millisecond: Expr,
    /// Whether every row has a local time.
    is_total: bool,
}

impl HiveConditions<'_> {
    pub(super) fn reading(&self, reading: &ClockReading) -> Result<Expr, Unwritten> {
        let face = self.face(reading)?;
        Ok(match &reading.shown {
            ClockPart::Hour => face.hour,
            ClockPart::Minute => face.minute,
            ClockPart::Second => face.second,
            ClockPart::Date => face.date,
            ClockPart::Printed(runs) => face.printed(runs),
        })
    }

    fn face(&self, reading: &ClockReading) -> Result<Face, Unwritten> {
        match &self.schema.key.fields[reading.field].kind {
            FieldKind::Epoch(epoch) => self.of_instant(reading, epoch.unit),
            FieldKind::Calendar(calendar) => {
                Ok(of_local_time(&calendar.format, &self.key.stored_text(reading.field)?))
            }
            _ => Err(NotInHive::NoTime.into()),
        }
    }

    fn of_instant(&self, reading: &ClockReading, unit: EpochUnit) -> Result<Face, Unwritten> {
        let field = &self.schema.key.fields[reading.field];
        let zone = self.schema.time_zone.ok_or(NotInHive::NoTimeZone)?;
        let mut number = self.key.typed(reading.field)?;
        let mut within = field.kind.domain().ok_or(NotInHive::NotANumber)?;
        if let Some(hull) = self.bound.get(&reading.field).and_then(ValueSet::hull) {
            within = hull;
        }
        let mut unit = unit;
        if reading.cut == Truncation::TowardsZero && unit == EpochUnit::Milliseconds {
            number = number.binary(BinaryOperator::IntegerDivide, &1_000.into()).bracketed();
            within = Interval::new(
                within.start.div_euclid(1_000),
                within.stop.map(|stop| stop.div_euclid(1_000) + 1),
            );
            unit = EpochUnit::Seconds;
        }
        let clock = Clock::new(&number, unit, zone, within);
        let has_fraction = unit == EpochUnit::Milliseconds && reading.cut == Truncation::None;
        let millisecond =
            if has_fraction { clock.text().substr(21, 3).cast(Type::Int) } else { Expr::number(0) };
        Ok(Face {
            date: clock.date(),
            hour: clock.hour().bracketed(),
            minute: clock.minute().bracketed(),
            second: clock.second().bracketed(),
            millisecond,
            is_total: clock.is_total(),
        })
    }
}

/// The stored digits; parts that the key does not store are 0.
fn of_local_time(format: &TimeFormat, stored: &Expr) -> Face {
    let part = |unit: Granularity| match format.place_of(unit) {
        Some((start, width)) => stored.substr(start + 1, width).cast(Type::Int),
        None => Expr::number(0),
    };
    Face {
        date: iso_text(format, stored).substr(1, 10).cast(Type::Date),
        hour: part(Granularity::Hour),
        minute: part(Granularity::Minute),
        second: part(Granularity::Second),
        millisecond: part(Granularity::Millisecond),
        is_total: true,
    }
}

impl Face {
    fn printed(&self, runs: &[Run]) -> Expr {
        // Adjacent parts of the date are printed together.
        let mut parts: Vec<Expr> = Vec::new();
        let mut of_date = String::new();
        for run in runs {
            match run {
                Run::Letters(c, count) if OF_DATE.contains(*c) => {
                    of_date.extend(std::iter::repeat_n(*c, *count));
                }
                Run::Literal(text) if !of_date.is_empty() => {
                    of_date.push_str(&format!("'{}'", text.replace('\'', "''")));
                }
                Run::Literal(text) => parts.push(Expr::text(text)),
                Run::Letters(c, count) => {
                    self.print_date(&mut of_date, &mut parts);
                    parts.push(self.of_time(*c, *count));
                }
            }
        }
        self.print_date(&mut of_date, &mut parts);
        let text = Expr::concatenated(parts);
        // `printf` turns NULL into a text.
        if self.is_total { text } else { Case::when(&self.date.is_not_null(), &text).or_null() }
    }

    fn print_date(&self, pattern: &mut String, parts: &mut Vec<Expr>) {
        if !pattern.is_empty() {
            parts.push(Expr::call(&DATE_FORMAT, [self.date.clone(), Expr::text(std::mem::take(pattern))]));
        }
    }

    fn of_time(&self, letter: char, count: usize) -> Expr {
        let hour = &self.hour;
        let number = match letter {
            'H' => hour.clone(),
            'k' => hour
                .binary(BinaryOperator::Plus, &23.into())
                .binary(BinaryOperator::Modulo, &24.into())
                .binary(BinaryOperator::Plus, &1.into()),
            'K' => hour.binary(BinaryOperator::Modulo, &12.into()),
            'h' => hour
                .binary(BinaryOperator::Plus, &11.into())
                .binary(BinaryOperator::Modulo, &12.into())
                .binary(BinaryOperator::Plus, &1.into()),
            'm' => self.minute.clone(),
            's' => self.second.clone(),
            'S' => self.millisecond.clone(),
            _ => {
                let is_morning = hour.binary(BinaryOperator::Lt, &12.into());
                return Case::when(&is_morning, &Expr::text("AM")).or_else(&Expr::text("PM"));
            }
        };
        number.zero_filled(count)
    }
}
