//! Sargable expressions: a key field, or a function of one for which ranges can be computed.

use super::constant::{self, Constant, fold, integer, read_day, text};
use chrono::NaiveDate;
use saltplan_sql::ast::{BinaryOperator, Call, Expr, Node, TimeUnit, Type};
use saltplan_sql::functions::Operation;

use crate::key::field::{CalendarField, CalendarType, EpochUnit, FieldId, FieldKind};
use crate::schema::model::Schema;
use saltplan_sql::time::format::{ISO_DAY, TimeFormat};
use saltplan_sql::time::pattern::Granularity;

/// A key field inside a function that is monotone or invertible, so that a comparison makes ranges of the field.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sargable {
    pub field: FieldId,
    pub function: Function,
}

/// The function around a field.
#[derive(Debug, Clone, PartialEq)]
pub enum Function {
    /// No function: the field itself.
    Identity,
    /// The first characters.
    Prefix(usize),
    /// The last characters.
    Suffix(usize),
    /// The characters in reverse order.
    Reversed,
    /// The first characters of the reversed text.
    ReversedPrefix(usize),
    Lower,
    /// A text of digits, read as a number.
    Digits,
    /// A number as its text.
    NumberText,
    /// A date or an instant, printed.
    Printed(Printed),
    /// The day of a date or a time, and days counted from it.
    Counted(Counted),
    /// Month of the year, 1 to 12.
    Month,
    /// Day of the month, 1 to 31.
    Day,
}

/// A printed date, or the number or date that is read from the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Printed {
    pub format: TimeFormat,
    pub read_as: ReadAs,
    /// The instant was first cut to whole seconds by dropping the rest, which before 1970 goes forward in time.
    pub(crate) towards_zero: bool,
}

/// `date_add(f, days)`, or how many days there are between it and another day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    pub(crate) plus_days: i64,
    pub from: Option<Distance>,
}

/// What `datediff` counts: its first day less its second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distance {
    /// `datediff(f, day)`.
    Since(NaiveDate),
    /// `datediff(day, f)`.
    Until(NaiveDate),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadAs {
    Text,
    Number,
    Date,
}

impl Sargable {
    /// The sargable expression; `None` for other expressions.
    pub fn of(schema: &Schema, expr: &Expr) -> Option<Self> {
        match expr.unnested() {
            Expr::Column(column) => {
                schema.field(&column.name).map(|field| Sargable { field, function: Function::Identity })
            }
            Expr::Cast { expr, data_type, .. } => {
                let sargable = Sargable::of(schema, expr)?;
                let kind = &schema.key.fields[sargable.field].kind;
                Some(Sargable { function: cast(kind, &sargable.function, *data_type)?, ..sargable })
            }
            Expr::Call(of) => call(schema, of),
            Expr::BinaryOp { left, op: BinaryOperator::Concat, right } => {
                printed_in_parts(schema, [&left.expr, &right.expr])
            }
            _ => None,
        }
    }

    /// Whether no function is around the field.
    pub fn is_bare(&self) -> bool {
        self.function == Function::Identity
    }
}

/// The field that an expression is, without a function around it.
pub(crate) fn bare_field(schema: &Schema, expr: &Expr) -> Option<FieldId> {
    Sargable::of(schema, expr).filter(Sargable::is_bare).map(|sargable| sargable.field)
}

fn is_string(data_type: Type) -> bool {
    data_type == Type::String
}

fn is_integer(data_type: Type) -> bool {
    matches!(data_type, Type::Int | Type::BigInt)
}

/// The function that a cast makes of another one; `None` if the result is not sargable.
fn cast(kind: &FieldKind, function: &Function, data_type: Type) -> Option<Function> {
    match (function, kind) {
        (Function::Identity, FieldKind::Calendar(CalendarField { hive_type: CalendarType::Date, .. })) => {
            match data_type {
                Type::String => printed(ISO_DAY, ReadAs::Text),
                _ => cast_to_date(data_type),
            }
        }
        (
            Function::Identity,
            FieldKind::Calendar(CalendarField { hive_type: CalendarType::Timestamp, .. }),
        ) => cast_to_date(data_type),
        (Function::Identity, FieldKind::Calendar(calendar)) => {
            let own_text =
                Printed { format: calendar.format.clone(), read_as: ReadAs::Text, towards_zero: false };
            cast_printed(&own_text, data_type).or_else(|| cast_to_date(data_type))
        }
        (Function::Identity, FieldKind::Epoch(_)) => match data_type {
            Type::BigInt | Type::Timestamp => Some(Function::Identity),
            _ => cast_to_date(data_type),
        },
        (Function::Identity, FieldKind::Integer(_)) => match data_type {
            Type::BigInt => Some(Function::Identity),
            Type::String => Some(Function::NumberText),
            _ => None,
        },
        (Function::Identity, FieldKind::Text(text)) if is_integer(data_type) => {
            let most = if data_type == Type::Int { INT_DIGITS } else { BIGINT_DIGITS };
            let fits = text.width.is_some_and(|width| width <= most) && text.chars.is_digits();
            fits.then_some(Function::Digits)
        }
        (Function::Printed(printed), _) => cast_printed(printed, data_type),
        (Function::Counted(Counted { from: None, .. }), _) => {
            (data_type == Type::Date).then(|| function.clone())
        }
        (Function::Counted(_), _) => None,
        (Function::Month | Function::Day | Function::Digits, _) => {
            is_integer(data_type).then(|| function.clone())
        }
        _ => is_string(data_type).then(|| function.clone()),
    }
}

/// Digits that every `int` and every `bigint` can hold.
const INT_DIGITS: usize = 9;
const BIGINT_DIGITS: usize = 18;

fn cast_printed(printed: &Printed, data_type: Type) -> Option<Function> {
    let width = printed.format.width();
    let fits = match data_type {
        Type::BigInt => width <= BIGINT_DIGITS,
        _ => width <= INT_DIGITS,
    };
    let read_as = match printed.read_as {
        ReadAs::Text if is_string(data_type) => ReadAs::Text,
        ReadAs::Text | ReadAs::Number if is_integer(data_type) && printed.format.is_digits() && fits => {
            ReadAs::Number
        }
        ReadAs::Date if data_type == Type::Date => ReadAs::Date,
        ReadAs::Text if data_type == Type::Date && is_iso_text(&Function::Printed(printed.clone())) => {
            ReadAs::Date
        }
        _ => return None,
    };
    Some(Function::Printed(Printed { read_as, ..printed.clone() }))
}

fn cast_to_date(data_type: Type) -> Option<Function> {
    if data_type == Type::Date { printed(ISO_DAY, ReadAs::Date) } else { None }
}

fn printed(pattern: &str, read_as: ReadAs) -> Option<Function> {
    let format = TimeFormat::parse(pattern).ok()?;
    Some(Function::Printed(Printed { format, read_as, towards_zero: false }))
}

fn call(schema: &Schema, call: &Call) -> Option<Sargable> {
    let (first, rest) = call.arguments.split_first()?;
    let operation = call.operation();
    if operation == Operation::ShowSeconds {
        let pattern = match rest {
            [] => "yyyy-MM-dd HH:mm:ss".to_string(),
            [pattern] => text(pattern)?,
            _ => return None,
        };
        return from_unixtime(schema, first, &pattern);
    }
    if let (Operation::DaysBetween, [second]) = (operation, rest) {
        return days_between(schema, first, second);
    }
    if let (Operation::AddDays { sign }, [second]) = (operation, rest) {
        return counted(schema, first, second, sign);
    }
    let is_date = operation == Operation::ToDate && rest.is_empty();
    if is_date && let Some(field) = day_in_text(schema, first) {
        return Some(Sargable { field, function: printed(ISO_DAY, ReadAs::Date)? });
    }
    if operation == Operation::Concatenate {
        return printed_in_parts(schema, call.arguments.iter().map(|argument| &argument.expr));
    }
    let sargable = Sargable::of(schema, first)?;
    let kind = &schema.key.fields[sargable.field].kind;
    if is_date && is_iso_text(&sargable.function) {
        return Some(Sargable { function: printed(ISO_DAY, ReadAs::Date)?, ..sargable });
    }
    // Key fields are never NULL unless the schema says so.
    if operation == Operation::FirstNotNull {
        if kind.is_nullable() {
            return None;
        }
        let is_alike = |other: &Expr| {
            matches!(
                (fold(other), kind),
                (Some(Constant::Text(_)), FieldKind::Text(_) | FieldKind::Calendar(_))
                    | (Some(Constant::Date(_) | Constant::Timestamp(_)), FieldKind::Calendar(_))
                    | (Some(Constant::Number(_)), FieldKind::Integer(_) | FieldKind::Epoch(_))
            )
        };
        return (sargable.is_bare() && rest.iter().all(|other| is_alike(other))).then_some(sargable);
    }
    if matches!(
        operation,
        Operation::Substring | Operation::Start | Operation::End | Operation::Reverse | Operation::LowerCase
    ) {
        return text_call(sargable, kind, operation, rest);
    }
    if kind.time().is_none() || !sargable.is_bare() {
        return None;
    }
    let function = match (operation, rest) {
        (Operation::Print, [pattern]) => printed(&text(pattern)?, ReadAs::Text)?,
        (Operation::ToDate, []) => printed(ISO_DAY, ReadAs::Date)?,
        (Operation::Part(TimeUnit::Year), []) => printed("yyyy", ReadAs::Number)?,
        (Operation::Part(TimeUnit::Month), []) => Function::Month,
        (Operation::Part(TimeUnit::Day), []) => Function::Day,
        _ => return None,
    };
    Some(Sargable { function, ..sargable })
}

/// The maximum number of days that are added. Far below the limits of Hive's `int`.
const MAX_DAYS: i64 = 1_000_000;

/// The days between a day of the key and a constant one.
fn days_between(schema: &Schema, to: &Expr, from: &Expr) -> Option<Sargable> {
    let (day, distance) = match (Sargable::of(schema, to), Sargable::of(schema, from)) {
        (Some(sargable), None) => (sargable, Distance::Since(read_day(&fold(from)?)?)),
        (None, Some(sargable)) => (sargable, Distance::Until(read_day(&fold(to)?)?)),
        _ => return None,
    };
    let Counted { plus_days, from: None } = day_of(schema, &day)? else { return None };
    Some(Sargable { function: Function::Counted(Counted { plus_days, from: Some(distance) }), ..day })
}

/// A day of the key plus, or with the sign -1 minus, a constant number of days.
fn counted(schema: &Schema, first: &Expr, second: &Expr, sign: i64) -> Option<Sargable> {
    let day = Sargable::of(schema, first)?;
    let Counted { plus_days, from: None } = day_of(schema, &day)? else { return None };
    let days = constant::whole(second).filter(|days| !days.is_bigint)?;
    let days = i64::try_from(days.number).ok()?;
    let plus_days = plus_days + sign * days;
    (plus_days.abs() <= MAX_DAYS)
        .then_some(Sargable { function: Function::Counted(Counted { plus_days, from: None }), ..day })
}

/// Whether the result is the date as a text that date functions read.
fn is_iso_text(function: &Function) -> bool {
    matches!(function, Function::Printed(Printed { format, read_as: ReadAs::Text, towards_zero: false })
        if format.pattern() == ISO_DAY)
}

/// Whether each value of a field lies in one day.
pub(super) fn has_day(kind: &FieldKind) -> bool {
    match kind {
        FieldKind::Calendar(calendar) => calendar.format.granularity() >= Granularity::Day,
        FieldKind::Epoch(_) => true,
        _ => false,
    }
}

/// The day of a sargable expression.
pub(super) fn day_of(schema: &Schema, sargable: &Sargable) -> Option<Counted> {
    let has_day = has_day(&schema.key.fields[sargable.field].kind);
    match &sargable.function {
        Function::Counted(counted) => Some(*counted),
        Function::Identity | Function::Printed(Printed { read_as: ReadAs::Date, .. }) if has_day => {
            Some(Counted { plus_days: 0, from: None })
        }
        function if has_day && is_iso_text(function) => Some(Counted { plus_days: 0, from: None }),
        _ => None,
    }
}

/// Functions of text. A calendar field whose value is its stored form counts as the text that it is stored as.
fn text_call(sargable: Sargable, kind: &FieldKind, operation: Operation, rest: &[Node]) -> Option<Sargable> {
    if !kind.shows_stored_text() {
        return None;
    }
    let numbers = rest.iter().map(|number| integer(number)).collect::<Option<Vec<i64>>>()?;
    let function = match (operation, &sargable.function, numbers.as_slice()) {
        // Hive counts from 1 and takes 0 for 1.
        (Operation::Substring, Function::Identity, [0 | 1, count])
        | (Operation::Start, Function::Identity, [count]) => Function::Prefix(positive(*count)?),
        (Operation::Substring, Function::Reversed, [0 | 1, count])
        | (Operation::Start, Function::Reversed, [count]) => Function::ReversedPrefix(positive(*count)?),
        (Operation::Substring, Function::Identity, [from]) if *from < 0 => {
            Function::Suffix(positive(from.checked_neg()?)?)
        }
        (Operation::Substring, Function::Identity, [from, count])
            if *from < 0 && from.checked_neg()? <= *count =>
        {
            Function::Suffix(positive(from.checked_neg()?)?)
        }
        // In texts of one width, all characters from a position on are a suffix.
        (Operation::Substring, Function::Identity, [from, rest @ ..]) if *from > 1 => {
            let FieldKind::Text(text) = kind else { return None };
            let width = i64::try_from(text.width.filter(|_| text.chars.greatest().is_ascii())?).ok()?;
            let count = width - from + 1;
            let is_to_the_end = rest.first().is_none_or(|taken| *taken >= count) && rest.len() <= 1;
            Function::Suffix(positive(count).filter(|_| is_to_the_end)?)
        }
        (Operation::Substring, Function::Identity, [0 | 1]) if matches!(kind, FieldKind::Text(_)) => {
            Function::Identity
        }
        (Operation::End, Function::Identity, [count]) => Function::Suffix(positive(*count)?),
        (Operation::Reverse, Function::Identity, []) => Function::Reversed,
        (Operation::Reverse, Function::Reversed, []) => Function::Identity,
        (Operation::LowerCase, Function::Identity, []) => Function::Lower,
        _ => return None,
    };
    Some(Sargable { function, ..sargable })
}

/// `concat(date_format(t, 'yyyyMMdd'), date_format(t, 'HH'))`: a time that is printed in parts, down to the hour or finer.
fn printed_in_parts<'e>(schema: &Schema, parts: impl IntoIterator<Item = &'e Expr>) -> Option<Sargable> {
    let mut found = PrintedParts { pattern: String::new(), field: None };
    for part in parts {
        found.add(schema, part)?;
    }
    let PrintedParts { pattern, field } = found;
    let function = printed(&pattern, ReadAs::Text)?;
    let is_of_hours =
        matches!(&function, Function::Printed(printed) if printed.format.granularity() > Granularity::Day);
    Some(Sargable { field: field.filter(|_| is_of_hours)?, function })
}

/// Parts of one printed time, as one pattern.
struct PrintedParts {
    pattern: String,
    field: Option<FieldId>,
}

impl PrintedParts {
    fn add(&mut self, schema: &Schema, part: &Expr) -> Option<()> {
        if let Some(between) = text(part) {
            if !between.is_empty() {
                let quoted = between.replace('\'', "''");
                self.pattern.push_str(&format!("'{quoted}'"));
            }
            return Some(());
        }
        match part.unnested() {
            Expr::BinaryOp { left, op: BinaryOperator::Concat, right } => {
                self.add(schema, left)?;
                self.add(schema, right)
            }
            Expr::Call(call) if call.operation() == Operation::Print => {
                let [time, format] = call.arguments.as_slice() else { return None };
                let field = bare_field(schema, time)?;
                schema.key.fields[field].kind.time()?;
                self.pattern.push_str(&text(format)?);
                (*self.field.get_or_insert(field) == field).then_some(())
            }
            _ => None,
        }
    }
}

fn positive(count: i64) -> Option<usize> {
    usize::try_from(count).ok().filter(|count| *count > 0)
}

/// The field that `unix_timestamp(day, 'yyyyMMdd')` reads in the format that it is stored in. Whatever zone the server has, the
/// day that its seconds are shown as again is the same.
fn day_as_seconds(schema: &Schema, seconds: &Expr) -> Option<FieldId> {
    let Expr::Call(call) = seconds.unnested() else { return None };
    let (Operation::ReadSeconds, [day, pattern]) = (call.operation(), call.arguments.as_slice()) else {
        return None;
    };
    let (sargable, pattern) = (Sargable::of(schema, day)?, text(pattern)?);
    let FieldKind::Calendar(calendar) = &schema.key.fields[sargable.field].kind else { return None };
    let read = match &sargable.function {
        Function::Identity if calendar.hive_type == CalendarType::Date => None,
        Function::Identity if calendar.hive_type.is_stored_form() => Some(&calendar.format),
        Function::Printed(Printed { format, read_as: ReadAs::Text, .. }) => Some(format),
        _ => return None,
    };
    let is_whole = calendar.format.granularity() <= Granularity::Day
        && read.is_none_or(|read| {
            read.pattern() == pattern && read.granularity() == calendar.format.granularity()
        });
    is_whole.then_some(sargable.field)
}

/// A day as text of any format that begins with the date, as functions of dates read it.
fn day_in_text(schema: &Schema, expr: &Expr) -> Option<FieldId> {
    let Expr::Call(call) = expr.unnested() else { return None };
    let (seconds, is_read) = match (call.operation(), call.arguments.as_slice()) {
        (Operation::ShowSeconds, [seconds]) => (seconds, true),
        (Operation::ShowSeconds, [seconds, pattern]) => (seconds, text(pattern)?.starts_with(ISO_DAY)),
        _ => return None,
    };
    if is_read { day_as_seconds(schema, seconds) } else { None }
}

fn from_unixtime(schema: &Schema, seconds: &Expr, pattern: &str) -> Option<Sargable> {
    if let Some(field) = day_as_seconds(schema, seconds) {
        let function = printed(pattern, ReadAs::Text)?;
        let is_of_day = matches!(&function, Function::Printed(printed) if printed.format.granularity() <= Granularity::Day);
        return is_of_day.then_some(Sargable { field, function });
    }
    let (field, towards_zero) = epoch_seconds(schema, seconds)?;
    let Function::Printed(printed) = printed(pattern, ReadAs::Text)? else { return None };
    if printed.format.granularity() > Granularity::Second {
        return None;
    }
    Some(Sargable { field, function: Function::Printed(Printed { towards_zero, ..printed }) })
}

/// An epoch field as seconds: itself, or milliseconds divided by 1000 and cut to a whole number. The field, and
/// whether the cut goes towards zero.
pub(super) fn epoch_seconds(schema: &Schema, expr: &Expr) -> Option<(FieldId, bool)> {
    match expr.unnested() {
        Expr::Cast { expr, data_type: Type::BigInt | Type::Int, .. } => epoch_seconds(schema, expr),
        Expr::Call(call) if call.operation() == Operation::Floor => {
            let [expr] = call.arguments.as_slice() else { return None };
            epoch_seconds(schema, expr).map(|(field, _)| (field, false))
        }
        Expr::BinaryOp { left, op: BinaryOperator::Divide | BinaryOperator::IntegerDivide, right } => {
            let is_thousand = integer(right)? == 1_000;
            epoch_field(schema, left, EpochUnit::Milliseconds)
                .filter(|_| is_thousand)
                .map(|field| (field, true))
        }
        _ => epoch_field(schema, expr, EpochUnit::Seconds).map(|field| (field, false)),
    }
}

fn epoch_field(schema: &Schema, expr: &Expr, unit: EpochUnit) -> Option<FieldId> {
    let sargable = Sargable::of(schema, expr).filter(|sargable| sargable.function == Function::Identity)?;
    match &schema.key.fields[sargable.field].kind {
        FieldKind::Epoch(epoch) if epoch.unit == unit => Some(sargable.field),
        _ => None,
    }
}
