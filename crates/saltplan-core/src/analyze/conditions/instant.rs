//! Functions of instants and local times in residuals. They use the clock of the schema's zone, not that of a session.

use std::slice::from_ref;

use crate::analyze::bind::{
    Bound, BoundCall, BoundColumn, BoundNode, CastOrigin, ColumnPlace, may_be_local_time, written_with,
};
use crate::analyze::chain::{bare_field, epoch_seconds};
use crate::analyze::clock::{ClockPart, ClockReading, Truncation, Unclear, runs};
use crate::analyze::constant::Constant;
use crate::key::field::{FieldId, FieldKind};
use crate::schema::model::Schema;
use saltplan_sql::ast::{CallForm, Expr, TimeUnit, Type};
use saltplan_sql::functions::{Function, Operation};

/// What the clock of the schema's zone shows of an instant, or its own digits of a local time; or why that is unclear.
pub(crate) type Reading = Result<ClockReading, Unclear>;

/// A condition with `write`'s answers in the place of every column, and of everything that reads the clock of a field, an outer call
/// first.
pub(crate) fn resolve(
    schema: &Schema,
    node: &BoundNode,
    write: &mut dyn FnMut(&BoundNode, Option<Reading>) -> Expr,
) -> Expr {
    written_with(node, &mut |part, around| {
        let reading = match field(schema, part).filter(|_| around.is_some_and(takes_dates)) {
            Some(field) => Some(clock_of(schema, field, Truncation::None, ClockPart::Date)),
            None => time_call(part).and_then(|call| whole(schema, call)),
        };
        (reading.is_some() || part.column().is_some()).then(|| write(part, reading))
    })
}

/// Whether an expression is a call of a function that uses only the date of a time.
fn takes_dates(node: &BoundNode) -> bool {
    matches!(time_call(node), Some((TimeFunction::Named(function), _)) if function.is_of_dates())
}

/// A function of dates and times, or a cast to one.
#[derive(Debug, Clone, Copy)]
enum TimeFunction {
    Named(&'static Function),
    CastToDate,
    CastToTimestamp,
}

/// A call of a function of dates and times with its arguments.
type TimeCall<'a> = (TimeFunction, &'a [BoundNode]);

fn time_call(node: &BoundNode) -> Option<TimeCall<'_>> {
    match &node.what {
        Bound::Cast { operand, origin: CastOrigin::Written(_) } => match node.primitive()? {
            Type::Date => Some((TimeFunction::CastToDate, from_ref(&**operand))),
            Type::Timestamp => Some((TimeFunction::CastToTimestamp, from_ref(&**operand))),
            _ => None,
        },
        Bound::Call(BoundCall { function: Some(function), arguments, form, .. }) => {
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
    let of = |field, cut, shown: Result<ClockPart, Unclear>| {
        Some(shown.and_then(|shown| clock_of(schema, field, cut, shown)))
    };
    let (function, operation) = match of_times {
        TimeFunction::Named(function) => (Some(function), function.operation),
        TimeFunction::CastToDate | TimeFunction::CastToTimestamp => (None, Operation::Other),
    };
    let shown = match (operation, arguments) {
        _ if matches!(of_times, TimeFunction::CastToDate) => Ok(ClockPart::Date),
        (Operation::Part(TimeUnit::Hour), [_]) => Ok(ClockPart::Hour),
        (Operation::Part(TimeUnit::Minute), [_]) => Ok(ClockPart::Minute),
        (Operation::Part(TimeUnit::Second), [_]) => Ok(ClockPart::Second),
        (Operation::Print, [_, text]) => pattern(text),
        (Operation::ShowSeconds, [_] | [_, _]) => {
            let shown = arguments.get(1).map_or_else(|| printed("yyyy-MM-dd HH:mm:ss"), pattern);
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

fn clock_of(schema: &Schema, field: FieldId, cut: Truncation, shown: ClockPart) -> Reading {
    if is_instant(schema, field) && schema.time_zone.is_none() {
        return Err(Unclear::NoTimeZone { field: schema.key.fields[field].name.clone() });
    }
    Ok(ClockReading { field, cut, shown })
}

/// An instant or a local time, nothing done to it.
fn field(schema: &Schema, node: &BoundNode) -> Option<FieldId> {
    let field = bare_field(schema, node)?;
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

fn has_instant(schema: &Schema, arguments: &[BoundNode]) -> bool {
    let is_it = |part: &BoundNode| match part.column() {
        Some(BoundColumn { place: ColumnPlace::Field(field), .. }) => is_instant(schema, *field),
        _ => false,
    };
    arguments.iter().any(|argument| argument.has(&is_it))
}

fn pattern(node: &BoundNode) -> Result<ClockPart, Unclear> {
    match node.folded() {
        Some(Constant::Text(text)) => printed(&text),
        _ => Err(Unclear::PatternNotConstant),
    }
}

fn printed(pattern: &str) -> Result<ClockPart, Unclear> {
    runs(pattern).map(ClockPart::Printed)
}

/// Why Hive cannot compare an instant with a local time row by row: for Hive the instant is only a number.
pub(super) fn local_time_of_instant(schema: &Schema, operands: &[BoundNode]) -> Option<Unclear> {
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
