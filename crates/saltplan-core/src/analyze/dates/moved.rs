//! Functions that move a day and keep the order of days: `last_day`, `trunc`, `add_months`, `next_day`, `+ INTERVAL`.

use std::cmp::Ordering;

use chrono::{Datelike as _, NaiveDate, NaiveDateTime, NaiveTime, Weekday};

use super::check_list;
use crate::analyze::compare::{Compared, Comparer, Comparison, NotUsed, Truth, from_cut_sets, is_iso_day};
use crate::analyze::constant::{
    Constant, FIRST_YEAR, TruncUnit, add_months, interval_of, last_day, moved_by, next_day, text, weekday,
    whole,
};
use crate::analyze::sargable::{Counted, Function, Printed, ReadAs, Sargable, day_of};
use crate::analyze::values::ValueSet;
use crate::key::field::{CalendarType, FieldId, FieldKind};
use crate::schema::model::Schema;
use saltplan_sql::ast::{BinaryOperator, Call, Expr, TimeUnit, Type};
use saltplan_sql::functions::Operation;
use saltplan_sql::time::format::{ISO_DAY, TimeFormat};
use saltplan_sql::time::pattern::Granularity;

/// Months and days that a day may be moved by: no day leaves the years that are computed with on both sides.
const MAX_MONTHS: i64 = 12_000;
const MAX_DAYS: i64 = 365_000;

/// The day of a field and the steps that are applied to it.
#[derive(Debug, Clone)]
pub(crate) struct MovedDay {
    pub field: FieldId,
    steps: Vec<Step>,
    shown: Shown,
}

#[derive(Debug, Clone, Copy)]
enum Step {
    /// The time of day is dropped.
    Day,
    Days(i64),
    Months(i64),
    LastDay,
    NextDay(Weekday),
    Trunc(TruncUnit),
    Interval(i64, TimeUnit),
}

/// The type of the result in Hive.
#[derive(Debug, Clone)]
enum Shown {
    Date,
    Timestamp,
    Text(TimeFormat),
}

/// A result outside the years for which all versions of Hive have the same calendar.
enum Beyond {
    Before,
    After,
}

impl MovedDay {
    /// Reads an expression; `None` for every other one, and for a field with nothing done to it.
    pub fn of(schema: &Schema, expr: &Expr) -> Option<Self> {
        let moved = Self::read(schema, expr)?;
        let is_text = matches!(moved.shown, Shown::Text(_));
        let is_cast = matches!(expr.unnested(), Expr::Cast { data_type: Type::Timestamp, .. });
        (moved.has_moved() || is_text || is_cast).then_some(moved)
    }

    fn has_moved(&self) -> bool {
        self.steps.iter().any(|step| !matches!(step, Step::Day | Step::Days(0)))
    }

    fn read(schema: &Schema, expr: &Expr) -> Option<Self> {
        if let Some(day) = Self::of_term(schema, expr) {
            return Some(day);
        }
        match expr.unnested() {
            Expr::Cast { expr, data_type, .. } => Self::read(schema, expr)?.cast(*data_type),
            Expr::BinaryOp { left, op, right } => {
                let (moved, count, unit) = match interval_of(right, *op) {
                    Some((count, unit)) => (Self::read(schema, left)?, count, unit),
                    None if *op == BinaryOperator::Plus => {
                        let (count, unit) = interval_of(left, *op)?;
                        (Self::read(schema, right)?, count, unit)
                    }
                    None => return None,
                };
                moved.plus(schema, count, unit)
            }
            Expr::Call(call) => Self::call(schema, call),
            _ => None,
        }
    }

    /// A field, its day, and days counted from it.
    fn of_term(schema: &Schema, expr: &Expr) -> Option<Self> {
        let sargable = Sargable::of(schema, expr)?;
        let day = |steps| Some(MovedDay { field: sargable.field, steps, shown: Shown::Date });
        match (&sargable.function, &schema.key.fields[sargable.field].kind) {
            (Function::Identity, FieldKind::Calendar(calendar))
                if calendar.format.granularity() >= Granularity::Day =>
            {
                // Hive shows a TIMESTAMP with its time of day, even if the key stores none.
                let has_time = calendar.time_of_day || calendar.hive_type == CalendarType::Timestamp;
                let shown = if has_time { Shown::Timestamp } else { Shown::Date };
                Some(MovedDay { field: sargable.field, steps: Vec::new(), shown })
            }
            (Function::Printed(Printed { read_as: ReadAs::Date, .. }), _) => day(vec![Step::Day]),
            (Function::Counted(Counted { plus_days, from: None }), _) => {
                day(vec![Step::Day, Step::Days(*plus_days)])
            }
            _ => None,
        }
    }

    /// What a function of dates takes as its first argument.
    fn argument(schema: &Schema, expr: &Expr) -> Option<Self> {
        if let Some(sargable) = Sargable::of(schema, expr)
            && let Some(Counted { plus_days, from: None }) = day_of(schema, &sargable)
        {
            let steps = vec![Step::Day, Step::Days(plus_days)];
            return Some(MovedDay { field: sargable.field, steps, shown: Shown::Date });
        }
        Self::read(schema, expr).filter(Self::is_read_as_date)
    }

    /// Hive reads no other text as a date.
    fn is_read_as_date(&self) -> bool {
        match &self.shown {
            Shown::Date | Shown::Timestamp => true,
            Shown::Text(format) => format.pattern() == ISO_DAY,
        }
    }

    fn call(schema: &Schema, call: &Call) -> Option<Self> {
        let (first, rest) = call.arguments.split_first()?;
        let day = |steps: &[Step], shown: Shown| {
            let mut moved = Self::argument(schema, first)?;
            moved.steps.push(Step::Day);
            moved.steps.extend(steps);
            Some(MovedDay { shown, ..moved })
        };
        let number = |most: i64| {
            let [number] = rest else { return None };
            let number = whole(number).filter(|number| !number.is_bigint)?.number;
            i64::try_from(number).ok().filter(|number| number.abs() <= most)
        };
        let word = || text(rest.first()?);
        match (call.operation(), rest) {
            (Operation::ToDate, []) => day(&[], Shown::Date),
            (Operation::AddDays { sign }, [_]) => day(&[Step::Days(sign * number(MAX_DAYS)?)], Shown::Date),
            (Operation::LastDay, []) => day(&[Step::LastDay], iso_text()?),
            (Operation::AddMonths, [_]) => day(&[Step::Months(number(MAX_MONTHS)?)], iso_text()?),
            (Operation::NextDay, [_]) => day(&[Step::NextDay(weekday(&word()?)?)], iso_text()?),
            (Operation::Truncate, [_]) => day(&[Step::Trunc(TruncUnit::of(&word()?)?)], iso_text()?),
            (Operation::Print, [_]) => {
                let format = TimeFormat::parse(&word()?).ok().filter(TimeFormat::sorts)?;
                let moved = Self::argument(schema, first)?;
                // A field itself is known by its own function.
                moved.has_moved().then_some(MovedDay { shown: Shown::Text(format), ..moved })
            }
            _ => None,
        }
    }

    fn cast(mut self, data_type: Type) -> Option<Self> {
        let shown = match data_type {
            Type::Date if self.is_read_as_date() => {
                self.steps.push(Step::Day);
                Shown::Date
            }
            Type::Timestamp if self.is_read_as_date() => Shown::Timestamp,
            Type::String => match self.shown {
                Shown::Date => iso_text()?,
                // How a time of day is written differs between the versions.
                Shown::Timestamp => return None,
                text @ Shown::Text(_) => text,
            },
            _ => return None,
        };
        Some(MovedDay { shown, ..self })
    }

    fn plus(mut self, schema: &Schema, count: i64, unit: TimeUnit) -> Option<Self> {
        let has_time_of_day = matches!(self.shown, Shown::Timestamp);
        let is_instant = matches!(schema.key.fields[self.field].kind, FieldKind::Epoch(_));
        let shown = match unit {
            // Times of day of two days may change places: the 30th at noon and the 31st at ten.
            TimeUnit::Year | TimeUnit::Month if has_time_of_day => return None,
            TimeUnit::Year | TimeUnit::Month => Shown::Date,
            TimeUnit::Day | TimeUnit::Hour | TimeUnit::Minute | TimeUnit::Second => Shown::Timestamp,
            _ => return None,
        };
        if matches!(self.shown, Shown::Text(_)) || is_instant && has_time_of_day || count.abs() > MAX_MONTHS {
            return None;
        }
        self.steps.push(Step::Interval(count, unit));
        Some(MovedDay { shown, ..self })
    }

    fn apply(&self, start: NaiveDateTime) -> Result<NaiveDateTime, Beyond> {
        let in_calendar = |at: NaiveDateTime| match at.year() {
            year if year < FIRST_YEAR => Err(Beyond::Before),
            year if year > 9999 => Err(Beyond::After),
            _ => Ok(at),
        };
        let mut at = in_calendar(start)?;
        for step in &self.steps {
            let (day, forward) =
                (at.date(), !matches!(step, Step::Days(..0) | Step::Months(..0) | Step::Interval(..0, _)));
            let midnight = |day: NaiveDate| day.and_time(NaiveTime::MIN);
            let moved = match step {
                Step::Day => Some(midnight(day)),
                Step::Days(days) => moved_by(midnight(day), *days, TimeUnit::Day),
                Step::Months(months) => add_months(day, *months).map(midnight),
                Step::LastDay => last_day(day).map(midnight),
                Step::NextDay(weekday) => next_day(day, *weekday).map(midnight),
                Step::Trunc(unit) => unit.start(day).map(midnight),
                Step::Interval(count, unit) => moved_by(at, *count, *unit),
            };
            let beyond = if forward { Beyond::After } else { Beyond::Before };
            at = in_calendar(moved.ok_or(beyond)?)?;
        }
        Ok(at)
    }

    /// The truth of a comparison with a constant, and the values for which it is not known.
    ///
    /// # Errors
    /// The constant is of another kind, or lies where versions of Hive have different calendars.
    pub fn compare(
        &self,
        comparer: &mut Comparer<'_>,
        (comparison, constant): Compared<'_>,
    ) -> Result<(Truth, ValueSet), NotUsed> {
        let kind = comparer.kind();
        let none = ValueSet::none(kind);
        let Some(bound) = self.bound(comparer, constant)? else {
            return Ok((Truth::unknown(kind), none));
        };
        if bound.is_before_calendar() {
            return Err(NotUsed("some versions of Hive count days before 1583 differently".into()));
        }
        let run = comparer.years(1, 10_000);
        let [not_below, above] = comparer.rising(&run, |start| match self.apply(start) {
            Ok(at) => bound.order(at, &self.shown),
            Err(Beyond::Before) => Ordering::Less,
            Err(Beyond::After) => Ordering::Greater,
        });
        if !matches!(self.shown, Shown::Text(_)) {
            return Ok((from_cut_sets(kind, comparison, not_below, above), none));
        }
        let is_beyond = |start| matches!(self.apply(start), Err(Beyond::After));
        let beyond = comparer.values_from_first(run.clone(), is_beyond);
        let is_equal = comparison == Comparison::Equal;
        match bound {
            // The year 10000 as a text, with a sign or without, is below the text of every year from 1100 on. Later years of an
            // instant may be above it, but are no text of ten characters.
            Bound::Text(text)
                if text.as_str() >= "11"
                    && (is_equal && is_iso(&text) || comparer.values_from_unit(run.end).is_empty()) =>
            {
                let within = beyond.complement(kind);
                let (not_below, above) = (not_below.intersect(&within), above.intersect(&within));
                Ok((from_cut_sets(kind, comparison, not_below, above), none))
            }
            _ => Ok((from_cut_sets(kind, comparison, not_below, above).without(&beyond, kind), beyond)),
        }
    }

    /// What the result is compared with; `None` where the comparison gives NULL.
    fn bound(&self, comparer: &mut Comparer<'_>, constant: &Constant) -> Result<Option<Bound>, NotUsed> {
        Ok(Some(match (constant, &self.shown) {
            (Constant::Null, _) => return Ok(None),
            (Constant::Text(text), Shown::Text(_)) => Bound::Text(text.clone()),
            (Constant::Date(_) | Constant::Timestamp(_), Shown::Text(_)) if !self.is_read_as_date() => {
                return Err(NotUsed("the constant is not a text".into()));
            }
            (Constant::Date(day), _) => Bound::Time(day.and_time(NaiveTime::MIN)),
            (Constant::Timestamp(at), _) => Bound::Time(*at),
            (Constant::Text(text), shown) => match comparer.time_in_text(text)? {
                Some(at) if matches!(shown, Shown::Date) => Bound::Time(at.date().and_time(NaiveTime::MIN)),
                Some(at) => Bound::Time(at),
                None => return Ok(None),
            },
            _ => return Err(NotUsed("the constant is not a date".into())),
        }))
    }

    /// # Errors
    /// Hive compares a constant of a list as a date in one version and as a text in another, or constants of two kinds.
    pub fn check(&self, is_list: bool, constants: &[&Constant]) -> Result<(), NotUsed> {
        let is_alike = |constant: &Constant| match (&self.shown, constant) {
            (Shown::Date, Constant::Text(text)) => is_iso_day(text),
            (Shown::Timestamp, Constant::Text(_)) => false,
            _ => true,
        };
        check_list(if is_list { constants } else { &[] }, is_alike)?;
        let known = constants.iter().filter(|constant| ***constant != Constant::Null);
        let (texts, others): (Vec<&Constant>, Vec<&Constant>) =
            known.partition(|constant| matches!(constant, Constant::Text(_)));
        if texts.is_empty() || others.is_empty() {
            return Ok(());
        }
        Err(NotUsed("texts and dates are compared with it at once".into()))
    }
}

fn iso_text() -> Option<Shown> {
    TimeFormat::parse(ISO_DAY).ok().map(Shown::Text)
}

/// Whether a text starts with a year of four digits, as no text of a later year does.
fn is_iso(text: &str) -> bool {
    let year = text.bytes().take_while(u8::is_ascii_digit).count();
    year == 4 && text.as_bytes().get(year) == Some(&b'-')
}

enum Bound {
    Time(NaiveDateTime),
    Text(String),
}

impl Bound {
    fn order(&self, at: NaiveDateTime, shown: &Shown) -> Ordering {
        match (self, shown) {
            (Bound::Time(bound), _) => at.cmp(bound),
            (Bound::Text(bound), Shown::Text(format)) => format.format_local(at).as_str().cmp(bound.as_str()),
            (Bound::Text(_), _) => Ordering::Equal,
        }
    }

    /// A month from the change of the calendars.
    fn is_before_calendar(&self) -> bool {
        match self {
            Bound::Time(at) => at.year() <= FIRST_YEAR,
            Bound::Text(text) => text.as_str() < "1584",
        }
    }
}
