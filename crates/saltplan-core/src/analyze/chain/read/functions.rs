//! A key field, or a function of one whose steps have inverses: parts of texts, printed times, counted days, casts.

use super::printed::{day_in_text, from_unixtime, printed_in_parts};
use crate::analyze::bind::BoundNode;
use crate::analyze::chain::parts::Part;
use crate::analyze::chain::{Chain, Shape, Step, TextStep, TimeStep};
use crate::analyze::constant::{
    self, CallTerm, Constant, Term, Tree as _, fold, integer, read_day, text, typed,
};
use crate::key::field::{CalendarField, CalendarType, FieldId, FieldKind};
use crate::key::number::IntegerSize;
use crate::schema::model::Schema;
use saltplan_sql::ast::{BinaryOperator, TimeUnit, Type};
use saltplan_sql::functions::{Inverse, Operation};
use saltplan_sql::time::format::{ISO_DAY, TimeFormat};
use saltplan_sql::time::pattern::Granularity;
use saltplan_sql::value::NumberType;

const INT: Shape = Shape::Whole(IntegerSize::Int);

impl Chain {
    /// A field, or a function of it; `None` for other expressions.
    pub fn of(schema: &Schema, node: &BoundNode) -> Option<Self> {
        if let Some(field) = node.field() {
            return Some(Chain::bare(field));
        }
        match node.term() {
            Term::Cast(operand, to) => Chain::of(schema, operand)?.cast(schema, to),
            Term::Call(of) => call(schema, &of),
            Term::Binary(left, BinaryOperator::Concat, right) => printed_in_parts(schema, [left, right]),
            _ => None,
        }
    }

    /// A field without a step.
    pub fn bare(field: FieldId) -> Self {
        Chain { field, steps: Vec::new(), shape: Shape::Own }
    }

    /// Whether no function is around the field.
    pub fn is_bare(&self) -> bool {
        self.steps.is_empty() && self.shape == Shape::Own
    }

    pub fn text(mut self, step: TextStep) -> Self {
        self.steps.push(Step::Text(step));
        let shape = if step == TextStep::Digits { Shape::Whole(IntegerSize::Bigint) } else { Shape::Text };
        Chain { shape, ..self }
    }

    pub(super) fn print(self, format: TimeFormat) -> Self {
        self.time(TimeStep::Print(format), Shape::Text)
    }

    fn cast(self, schema: &Schema, data_type: Type) -> Option<Self> {
        let is_string = data_type == Type::String;
        let is_integer = matches!(data_type, Type::Int | Type::BigInt);
        match (self.steps.as_slice(), &schema.key.fields[self.field].kind) {
            ([], FieldKind::Calendar(CalendarField { hive_type: CalendarType::Date, .. })) if is_string => {
                self.iso_text()
            }
            (
                [],
                FieldKind::Calendar(CalendarField {
                    hive_type: CalendarType::Date | CalendarType::Timestamp,
                    ..
                }),
            ) => self.cast_to_date(data_type),
            ([], FieldKind::Calendar(calendar)) => {
                let own_text = self.clone().print(calendar.format.clone());
                own_text.cast_printed(data_type).or_else(|| self.cast_to_date(data_type))
            }
            ([], FieldKind::Epoch(_)) => match data_type {
                Type::BigInt | Type::Timestamp => Some(self),
                _ => self.cast_to_date(data_type),
            },
            ([], FieldKind::Integer(_)) => match data_type {
                Type::BigInt => Some(self),
                Type::String => {
                    let steps = vec![Step::NumberText];
                    Some(Chain { steps, shape: Shape::Text, ..self })
                }
                _ => None,
            },
            ([], FieldKind::Text(text)) if is_integer => {
                let most = if data_type == Type::Int { INT_DIGITS } else { BIGINT_DIGITS };
                let fits = text.width.is_some_and(|width| width <= most) && text.chars.is_digits();
                fits.then(|| self.text(TextStep::Digits))
            }
            ([Step::Time(TimeStep::Day)], _) => (data_type == Type::Date).then_some(self),
            ([Step::Time(TimeStep::Day), Step::Time(TimeStep::AddDays(_))], _) => {
                (data_type == Type::Date).then_some(self)
            }
            ([Step::Time(TimeStep::Day), ..], _) => None,
            ([Step::Time(TimeStep::Part(_)) | Step::Text(TextStep::Digits)], _) => is_integer.then_some(self),
            ([Step::Time(_), ..], _) => self.cast_printed(data_type),
            _ => is_string.then_some(self),
        }
    }

    /// A cast of a printed time, or of the number that its digits are.
    fn cast_printed(self, data_type: Type) -> Option<Self> {
        let (format, is_text) = match self.steps.as_slice() {
            [.., Step::Time(TimeStep::Print(format))] => (format, true),
            [.., Step::Time(TimeStep::Print(format)), Step::Text(TextStep::Digits)] => (format, false),
            _ => return None,
        };
        let most = if data_type == Type::BigInt { BIGINT_DIGITS } else { INT_DIGITS };
        let is_number = format.is_digits() && format.width() <= most;
        match data_type {
            Type::String if is_text => Some(self),
            Type::Int | Type::BigInt if is_number && is_text => Some(self.text(TextStep::Digits)),
            Type::Int | Type::BigInt if is_number => Some(self),
            Type::Date if self.is_iso_text() => Chain::bare(self.field).cast_to_date(data_type),
            _ => None,
        }
    }

    fn cast_to_date(self, data_type: Type) -> Option<Self> {
        (data_type == Type::Date).then(|| self.day())
    }

    /// Whether the result is the date as a text that date functions read.
    fn is_iso_text(&self) -> bool {
        matches!(self.steps.as_slice(), [Step::Time(TimeStep::Print(format))] if format.pattern() == ISO_DAY)
    }

    /// The number of days that the chain adds to the field's day; `None` if its result is no day.
    pub fn days_added(&self, schema: &Schema) -> Option<i64> {
        let has_day = has_day(&schema.key.fields[self.field].kind);
        match self.steps.as_slice() {
            [Step::Time(TimeStep::Day), Step::Time(TimeStep::AddDays(days))] => Some(*days),
            [] | [Step::Time(TimeStep::Day)] => has_day.then_some(0),
            _ => (has_day && self.is_iso_text()).then_some(0),
        }
    }
}

/// The field that an expression is, without a function around it.
pub(crate) fn bare_field(schema: &Schema, node: &BoundNode) -> Option<FieldId> {
    Chain::of(schema, node).filter(Chain::is_bare).map(|chain| chain.field)
}

/// Whether each value of a field lies in one day.
pub(crate) fn has_day(kind: &FieldKind) -> bool {
    match kind {
        FieldKind::Calendar(calendar) => calendar.format.granularity() >= Granularity::Day,
        FieldKind::Epoch(_) => true,
        _ => false,
    }
}

/// Digits that every `int` and every `bigint` can hold.
const INT_DIGITS: usize = 9;
const BIGINT_DIGITS: usize = 18;

fn call(schema: &Schema, call: &CallTerm<'_, BoundNode>) -> Option<Chain> {
    let (first, rest) = call.arguments.split_first()?;
    let operation = call.operation();
    match (operation, rest) {
        (Operation::ShowSeconds, []) => return from_unixtime(schema, first, "yyyy-MM-dd HH:mm:ss"),
        (Operation::ShowSeconds, [pattern]) => return from_unixtime(schema, first, &text(pattern)?),
        (Operation::ShowSeconds, _) => return None,
        (Operation::DaysBetween, [second]) => return days_between(schema, first, second),
        (Operation::AddDays { sign }, [second]) => return counted(schema, first, second, sign),
        (Operation::Concatenate, _) => {
            return printed_in_parts(schema, call.arguments);
        }
        _ => {}
    }
    let is_date = operation == Operation::ToDate && rest.is_empty();
    if is_date && let Some(field) = day_in_text(schema, first) {
        return Some(Chain::bare(field).day());
    }
    let chain = Chain::of(schema, first)?;
    let kind = &schema.key.fields[chain.field].kind;
    if is_date && chain.is_iso_text() {
        return Some(Chain::bare(chain.field).day());
    }
    // Key fields are never NULL unless the schema says so.
    if operation == Operation::FirstNotNull {
        if kind.is_nullable() {
            return None;
        }
        let is_alike = |other: &BoundNode| match (fold(other), kind) {
            (Some(Constant::Text(_)), FieldKind::Text(_) | FieldKind::Calendar(_))
            | (Some(Constant::Date(_) | Constant::Timestamp(_)), FieldKind::Calendar(_)) => true,
            // With a double the value is one, too, which is the same for several large numbers.
            (Some(Constant::Number(_)), FieldKind::Integer(_) | FieldKind::Epoch(_)) => {
                typed(other).is_some_and(|number| number.of != NumberType::Double)
            }
            _ => false,
        };
        return (chain.is_bare() && rest.iter().all(is_alike)).then_some(chain);
    }
    if let Some(text) = TextFunction::of(call) {
        return text_call(chain, kind, text, rest);
    }
    if kind.time().is_none() || !chain.is_bare() {
        return None;
    }
    let part = |part| Some(chain.clone().time(TimeStep::Part(part), INT));
    match (operation, rest) {
        (Operation::Print, [pattern]) => Some(chain.print(TimeFormat::parse(&text(pattern)?).ok()?)),
        (Operation::ToDate, []) => Some(chain.day()),
        (Operation::Part(TimeUnit::Year), []) => {
            Some(chain.print(TimeFormat::parse("yyyy").ok()?).text(TextStep::Digits))
        }
        (Operation::Part(TimeUnit::Month), []) => part(Part::Month),
        (Operation::Part(TimeUnit::Day), []) => part(Part::Day),
        _ => None,
    }
}

/// The maximum number of days that are added. Far below the limits of Hive's `int`.
const MAX_DAYS: i64 = 1_000_000;

/// The days between a day of the key and a constant one.
fn days_between(schema: &Schema, to: &BoundNode, from: &BoundNode) -> Option<Chain> {
    let (day, step) = match (Chain::of(schema, to), Chain::of(schema, from)) {
        (Some(chain), None) => (chain, TimeStep::DaysSince(read_day(&fold(from)?)?)),
        (None, Some(chain)) => (chain, TimeStep::DaysUntil(read_day(&fold(to)?)?)),
        _ => return None,
    };
    let days = day.days_added(schema)?;
    Some(Chain::day_plus(day.field, days).time(step, INT))
}

/// A day of the key plus, or with the sign -1 minus, a constant number of days.
fn counted(schema: &Schema, first: &BoundNode, second: &BoundNode, sign: i64) -> Option<Chain> {
    let day = Chain::of(schema, first)?;
    let before = day.days_added(schema)?;
    let days = constant::whole(second).filter(|days| days.size < IntegerSize::Bigint)?;
    let days = before + sign * i64::try_from(days.number).ok()?;
    (days.abs() <= MAX_DAYS).then(|| Chain::day_plus(day.field, days))
}

/// A function of texts that is known by its inverse, or by what it does.
#[derive(Clone, Copy)]
enum TextFunction {
    Substring,
    Start,
    End,
    Reverse,
    LowerCase,
}

impl TextFunction {
    fn of(call: &CallTerm<'_, BoundNode>) -> Option<Self> {
        match (call.operation(), call.function?.inverse) {
            (Operation::Substring, _) => Some(TextFunction::Substring),
            (Operation::Reverse, _) => Some(TextFunction::Reverse),
            (Operation::LowerCase, _) => Some(TextFunction::LowerCase),
            (_, Inverse::StartsWith) => Some(TextFunction::Start),
            (_, Inverse::EndsWith) => Some(TextFunction::End),
            _ => None,
        }
    }
}

/// Functions of text. A calendar field whose value is its stored form counts as the text that it is stored as.
fn text_call(chain: Chain, kind: &FieldKind, function: TextFunction, rest: &[BoundNode]) -> Option<Chain> {
    if !kind.shows_stored_text() {
        return None;
    }
    let numbers = rest.iter().map(integer).collect::<Option<Vec<i64>>>()?;
    if let (TextFunction::Reverse, [Step::Text(TextStep::Reverse)], []) =
        (function, chain.steps.as_slice(), numbers.as_slice())
    {
        return Some(Chain::bare(chain.field));
    }
    let is_reversed = chain.steps == [Step::Text(TextStep::Reverse)];
    if !chain.is_bare() && !is_reversed {
        return None;
    }
    let step = match (function, numbers.as_slice()) {
        // Hive counts from 1 and takes 0 for 1.
        (TextFunction::Substring, [0 | 1, count]) | (TextFunction::Start, [count]) => {
            TextStep::Start(positive(*count)?)
        }
        _ if is_reversed => return None,
        (TextFunction::Substring, [from]) if *from < 0 => TextStep::End(positive(from.checked_neg()?)?),
        (TextFunction::Substring, [from, count]) if *from < 0 && from.checked_neg()? <= *count => {
            TextStep::End(positive(from.checked_neg()?)?)
        }
        // In texts of one width, all characters from a position on are a suffix.
        (TextFunction::Substring, [from, rest @ ..]) if *from > 1 => {
            let FieldKind::Text(text) = kind else { return None };
            let width = i64::try_from(text.width.filter(|_| text.chars.greatest().is_ascii())?).ok()?;
            let count = width - from + 1;
            let is_to_the_end = rest.first().is_none_or(|taken| *taken >= count) && rest.len() <= 1;
            TextStep::End(positive(count).filter(|_| is_to_the_end)?)
        }
        (TextFunction::Substring, [0 | 1]) if matches!(kind, FieldKind::Text(_)) => return Some(chain),
        (TextFunction::End, [count]) => TextStep::End(positive(*count)?),
        (TextFunction::Reverse, []) => TextStep::Reverse,
        (TextFunction::LowerCase, []) => TextStep::LowerCase,
        _ => return None,
    };
    Some(chain.text(step))
}

fn positive(count: i64) -> Option<usize> {
    usize::try_from(count).ok().filter(|count| *count > 0)
}
