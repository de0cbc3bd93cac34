//! Functions of instants and local times in residuals. They use the clock of the schema's zone, not that of a session.

use std::slice::from_ref;

use super::meaning::may_be_local_time;
use crate::analyze::clock::{ClockReading, Shown, Truncation, Unclear, runs};
use crate::analyze::constant::{Constant, fold};
use crate::analyze::sargable::{bare_field, epoch_seconds};
use crate::key::field::{FieldId, FieldKind};
use crate::schema::model::Schema;
use saltplan_sql::ast::{Call, CallForm, Expr, Node, TimeUnit, Type};
use saltplan_sql::functions::{Function, Operation};
use saltplan_sql::rewrite::has;

/// What the clock of the schema's zone shows of an instant, or its own digits of a local time; or why that is unclear.
pub(crate) type Reading = Result<ClockReading, Unclear>;

/// Puts `write`'s answer in the place of every column, and of everything that reads the clock of a field, an outer call first.
pub(crate) fn resolve(
    schema: &Schema,
    node: &mut Node,
    write: &mut dyn FnMut(&Node, Option<Reading>) -> Expr,
) {
    let call = time_call(node);
    let reading = call.and_then(|call| whole(schema, call));
    if reading.is_some() || matches!(node.expr, Expr::Column(_)) {
        node.expr = write(node, reading);
        return;
    }
    let takes_dates =
        call.is_some_and(|(of, _)| matches!(of, TimeFunction::Named(function) if function.is_of_dates()));
    node.for_each_part_mut(&mut |part| match field(schema, part).filter(|_| takes_dates) {
        Some(field) => {
            let reading = clock_of(schema, field, Truncation::None, Shown::Date);
            part.expr = write(part, Some(reading));
        }
        None => resolve(schema, part, write),
    });
}

/// A function of dates and times, or a cast to one.
#[derive(Debug, Clone, Copy)]
enum TimeFunction {
    Named(&'static Function),
    CastToDate,
    CastToTimestamp,
}

/// A call of a function of dates and times with its arguments.
type TimeCall<'a> = (TimeFunction, &'a [Node]);

fn time_call(expr: &Expr) -> Option<TimeCall<'_>> {
    match expr {
        Expr::Cast { expr, data_type: Type::Date, .. } => Some((TimeFunction::CastToDate, from_ref(&**expr))),
        Expr::Cast { expr, data_type: Type::Timestamp, .. } => {
            Some((TimeFunction::CastToTimestamp, from_ref(&**expr)))
        }
        Expr::Call(Call { function: Some(function), arguments, form, .. }) => {
            let is_it = match form {
                CallForm::Extract(_) => true,
                CallForm::Plain => function.is_of_times(),
                _ => false,
            };
            is_it.then_some((TimeFunction::Named(function), arguments))
        }
        _ => None,
    }
}

/// What a whole call shows; `None` of one whose arguments are read on their own, and of one without times of the key.
fn whole(schema: &Schema, (of_times, arguments): TimeCall<'_>) -> Option<Reading> {
    let first = arguments.first()?;
    let of = |field, cut, shown: Result<Shown, Unclear>| {
        Some(shown.and_then(|shown| clock_of(schema, field, cut, shown)))
    };
    let (function, operation) = match of_times {
        TimeFunction::Named(function) => (Some(function), function.operation),
        TimeFunction::CastToDate | TimeFunction::CastToTimestamp => (None, Operation::Other),
    };
    let shown = match (operation, arguments) {
        _ if matches!(of_times, TimeFunction::CastToDate) => Ok(Shown::Date),
        (Operation::Part(TimeUnit::Hour), [_]) => Ok(Shown::Hour),
        (Operation::Part(TimeUnit::Minute), [_]) => Ok(Shown::Minute),
        (Operation::Part(TimeUnit::Second), [_]) => Ok(Shown::Second),
        (Operation::Print, [_, text]) => pattern(text),
        (Operation::ShowSeconds, [_] | [_, _]) => {
            let shown = arguments.get(1).map_or_else(|| printed("yyyy-MM-dd HH:mm:ss"), |text| pattern(text));
            return match epoch_seconds(schema, first) {
                Some((field, true)) => of(field, Truncation::TowardsZero, shown),
                Some((field, false)) => of(field, Truncation::Down, shown),
                None => has_instant(schema, arguments).then_some(Err(Unclear::NotWholeSeconds)),
            };
        }
        _ if function.is_some_and(Function::is_of_dates) => return None,
        _ => Err(Unclear::ZoneOfSession),
    };
    let mut fields = arguments.iter().filter_map(|argument| field(schema, argument));
    of(fields.find(|field| shown.is_ok() || is_instant(schema, *field))?, Truncation::None, shown)
}

fn clock_of(schema: &Schema, field: FieldId, cut: Truncation, shown: Shown) -> Reading {
    if is_instant(schema, field) && schema.time_zone.is_none() {
        return Err(Unclear::NoTimeZone { field: schema.key.fields[field].name.clone() });
    }
    Ok(ClockReading { field, cut, shown })
}

/// An instant or a local time, nothing done to it.
fn field(schema: &Schema, expr: &Expr) -> Option<FieldId> {
    let field = bare_field(schema, expr)?;
    let has_clock = match &schema.key.fields[field].kind {
        FieldKind::Epoch(_) => true,
        FieldKind::Calendar(calendar) => calendar.time_of_day,
        _ => false,
    };
    has_clock.then_some(field)
}

fn is_instant(schema: &Schema, field: FieldId) -> bool {
    matches!(schema.key.fields[field].kind, FieldKind::Epoch(_))
}

fn has_instant(schema: &Schema, arguments: &[Node]) -> bool {
    let is_it = |part: &Expr| match part {
        Expr::Column(column) => schema.field(&column.name).is_some_and(|field| is_instant(schema, field)),
        _ => false,
    };
    arguments.iter().any(|argument| has(argument, is_it))
}

fn pattern(expr: &Expr) -> Result<Shown, Unclear> {
    match fold(expr) {
        Some(Constant::Text(text)) => printed(&text),
        _ => Err(Unclear::PatternNotConstant),
    }
}

fn printed(pattern: &str) -> Result<Shown, Unclear> {
    runs(pattern).map(Shown::Printed)
}

/// Why Hive cannot compare an instant with a local time row by row: for Hive the instant is only a number.
pub(super) fn local_time_of_instant(schema: &Schema, operands: &[&Node]) -> Option<Unclear> {
    let field = operands.iter().find_map(|operand| {
        let field = &schema.key.fields[bare_field(schema, operand)?];
        matches!(field.kind, FieldKind::Epoch(_)).then(|| field.name.clone())
    })?;
    if !operands.iter().any(|operand| may_be_local_time(schema, operand)) {
        return None;
    }
    Some(match schema.time_zone {
        None => Unclear::NoTimeZone { field },
        Some(_) => Unclear::MixedWithLocalTime { field },
    })
}
