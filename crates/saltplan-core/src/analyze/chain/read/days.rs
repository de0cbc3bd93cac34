//! Functions that move a day and keep the order of days: `last_day`, `trunc`, `add_months`, `next_day`, `+ INTERVAL`.

use crate::analyze::bind::BoundNode;
use crate::analyze::chain::day_call::DayCall;
use crate::analyze::chain::{Chain, Shape, Step, TimeStep};
use crate::analyze::constant::{CallTerm, Term, Tree as _, interval_of, text, typed, whole};
use crate::key::field::{CalendarType, FieldId, FieldKind};
use crate::key::number::IntegerSize;
use crate::schema::model::Schema;
use saltplan_sql::ast::{BinaryOperator, TimeUnit, Type};
use saltplan_sql::functions::Operation;
use saltplan_sql::time::format::{ISO_DAY, TimeFormat};
use saltplan_sql::time::pattern::Granularity;

/// The most days, and the most other units of an interval, that a day may be moved by. The days whose result leaves the calendar then
/// lie all at its end or all at its beginning.
const MAX_DAYS: i64 = 365_000;
const MAX_UNITS: i64 = 12_000;

impl Chain {
    /// A day that is moved or printed; `None` for every other expression, and for a field with nothing done to it.
    pub(in crate::analyze) fn of_days(schema: &Schema, node: &BoundNode) -> Option<Self> {
        let chain = Self::read_days(schema, node)?;
        let is_cast = matches!(node.term(), Term::Cast(_, Type::Timestamp));
        (chain.moves() || chain.shape == Shape::Text || is_cast).then_some(chain)
    }

    /// Whether a day becomes another one.
    fn moves(&self) -> bool {
        let keeps = |step: &Step| {
            matches!(step, Step::Time(TimeStep::Day | TimeStep::AddDays(0) | TimeStep::Print(_)))
        };
        !self.steps.iter().all(keeps)
    }

    fn read_days(schema: &Schema, node: &BoundNode) -> Option<Self> {
        if let Some(day) = Self::of_day_term(schema, node) {
            return Some(day);
        }
        match node.term() {
            Term::Cast(operand, to) => Self::read_days(schema, operand)?.cast_day(to),
            Term::Binary(left, op, right) => {
                let (chain, count, unit) = match interval_of(right, op) {
                    Some((count, unit)) => (Self::read_days(schema, left)?, count, unit),
                    None if op == BinaryOperator::Plus => {
                        let (count, unit) = interval_of(left, op)?;
                        (Self::read_days(schema, right)?, count, unit)
                    }
                    None => return None,
                };
                chain.plus_interval(schema, count, unit)
            }
            Term::Call(call) => Self::day_call(schema, &call),
            _ => None,
        }
    }

    /// A field, its day, and days counted from it.
    fn of_day_term(schema: &Schema, node: &BoundNode) -> Option<Self> {
        let chain = Chain::of(schema, node)?;
        match (chain.steps.as_slice(), &schema.key.fields[chain.field].kind) {
            ([], FieldKind::Calendar(calendar)) if calendar.format.granularity() >= Granularity::Day => {
                // Hive shows a TIMESTAMP with its time of day, even if the key stores none.
                let has_time = calendar.time_of_day || calendar.hive_type == CalendarType::Timestamp;
                let shape = if has_time { Shape::Timestamp } else { Shape::Date };
                Some(Chain { shape, ..chain })
            }
            ([_, ..], _) if chain.shape == Shape::Date => Some(chain),
            _ => None,
        }
    }

    /// What a function of dates takes as its first argument.
    fn day_argument(schema: &Schema, node: &BoundNode) -> Option<Self> {
        if let Some(chain) = Chain::of(schema, node)
            && let Some(days) = chain.days_added(schema)
        {
            return Some(Chain::day_plus(chain.field, days));
        }
        Self::read_days(schema, node)?.read_as_date()
    }

    /// As Hive reads it as a date or a time; `None` for a text of another form than `2020-04-06`.
    pub(in crate::analyze) fn read_as_date(mut self) -> Option<Self> {
        if self.shape != Shape::Text {
            return Some(self);
        }
        match self.steps.pop() {
            Some(Step::Time(TimeStep::Print(format))) if format.pattern() == ISO_DAY => Some(self.day()),
            _ => None,
        }
    }

    /// The day of a field, and days that are added to it.
    pub(super) fn day_plus(field: FieldId, days: i64) -> Self {
        Chain::bare(field).day().time(TimeStep::AddDays(days), Shape::Date)
    }

    pub(super) fn time(mut self, step: TimeStep, shape: Shape) -> Self {
        self.steps.push(Step::Time(step));
        Chain { shape, ..self }
    }

    pub(super) fn day(self) -> Self {
        self.time(TimeStep::Day, Shape::Date)
    }

    pub(super) fn iso_text(self) -> Option<Self> {
        Some(self.time(TimeStep::Print(TimeFormat::parse(ISO_DAY).ok()?), Shape::Text))
    }

    fn day_call(schema: &Schema, call: &CallTerm<'_, BoundNode>) -> Option<Self> {
        let (first, rest) = call.arguments.split_first()?;
        let argument = || Self::day_argument(schema, first);
        match (call.operation(), rest) {
            (Operation::ToDate, []) => Some(argument()?.day()),
            (Operation::AddDays { sign }, [count]) => {
                let count = whole(count).filter(|count| count.size < IntegerSize::Bigint)?.number;
                let days = i64::try_from(count).ok().filter(|days| days.abs() <= MAX_DAYS)?;
                Some(argument()?.day().time(TimeStep::AddDays(sign * days), Shape::Date))
            }
            (Operation::Print, [pattern]) => {
                let format = TimeFormat::parse(&text(pattern)?).ok().filter(TimeFormat::sorts)?;
                // A field itself is known by its own function.
                let chain = argument()?;
                chain.moves().then(|| chain.time(TimeStep::Print(format), Shape::Text))
            }
            _ => {
                let others = rest.iter().map(typed).collect::<Option<Vec<_>>>()?;
                let function = DayCall::of(call.function?, others)?;
                let is_printed = function.is_printed();
                let mut chain = argument()?.day();
                chain.steps.push(Step::DayCall(function));
                if is_printed { chain.iso_text() } else { Some(chain) }
            }
        }
    }

    fn cast_day(self, data_type: Type) -> Option<Self> {
        match (data_type, self.shape) {
            (Type::Date, _) => Some(self.read_as_date()?.day()),
            (Type::Timestamp, _) => Some(Chain { shape: Shape::Timestamp, ..self.read_as_date()? }),
            (Type::String, Shape::Date) => self.iso_text(),
            (Type::String, Shape::Text) => Some(self),
            // How a time of day is written differs between the versions.
            _ => None,
        }
    }

    fn plus_interval(self, schema: &Schema, count: i64, unit: TimeUnit) -> Option<Self> {
        let has_time_of_day = self.shape == Shape::Timestamp;
        let is_instant = matches!(schema.key.fields[self.field].kind, FieldKind::Epoch(_));
        let shape = match unit {
            // Times of day of two days may change places: the 30th at noon and the 31st at ten.
            TimeUnit::Year | TimeUnit::Month if has_time_of_day => return None,
            TimeUnit::Year | TimeUnit::Month => Shape::Date,
            TimeUnit::Day | TimeUnit::Hour | TimeUnit::Minute | TimeUnit::Second => Shape::Timestamp,
            _ => return None,
        };
        if self.shape == Shape::Text || is_instant && has_time_of_day || count.abs() > MAX_UNITS {
            return None;
        }
        Some(self.time(TimeStep::AddInterval(count, unit), shape))
    }
}

/// The field whose day an expression is, with nothing done to it.
pub(super) fn plain_day(schema: &Schema, node: &BoundNode) -> Option<FieldId> {
    let chain = Chain::of(schema, node)?;
    let is_time = chain.is_bare() && schema.key.fields[chain.field].kind.time().is_some();
    (is_time || chain.days_added(schema) == Some(0)).then_some(chain.field)
}
