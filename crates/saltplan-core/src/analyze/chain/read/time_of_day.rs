//! The time of day of a field: `hour(t)`, `date_format(t, 'HH:mm')`, `lpad(hour(t), 2, '0')`.

use super::bare_field;
use crate::analyze::bind::BoundNode;
use crate::analyze::chain::{Chain, Shape, Step, TimeOfDay, TimeStep};
use crate::analyze::constant::{Constant, Term, Tree as _, fold, whole};
use crate::key::field::FieldId;
use crate::key::number::IntegerSize;
use crate::schema::model::Schema;
use saltplan_sql::ast::{TimeUnit, Type};
use saltplan_sql::functions::Operation;
use saltplan_sql::time::pattern::{Granularity, TimePattern};

impl Chain {
    /// A number or a text that rises from midnight to midnight; `None` for every other expression.
    pub(in crate::analyze) fn of_time_of_day(schema: &Schema, node: &BoundNode) -> Option<Self> {
        let (field, time) = time_of_day(schema, node)?;
        let shape = if time.is_number { Shape::Whole(IntegerSize::Int) } else { Shape::Text };
        Some(Chain { field, steps: vec![Step::Time(TimeStep::TimeOfDay(time))], shape })
    }
}

fn time_of_day(schema: &Schema, node: &BoundNode) -> Option<(FieldId, TimeOfDay)> {
    let call = match node.term() {
        Term::Cast(operand, to) => {
            let (field, time) = time_of_day(schema, operand)?;
            let is_short = time.pattern.is_digits() && time.pattern.width() <= 9;
            let is_number = match to {
                Type::Int | Type::BigInt if time.is_number || is_short => true,
                Type::String if !time.is_number => false,
                _ => return None,
            };
            return Some((field, TimeOfDay { is_number, ..time }));
        }
        Term::Call(call) => call,
        _ => return None,
    };
    match (call.operation(), call.arguments) {
        (Operation::Part(TimeUnit::Hour), [time]) => printed(schema, time, "HH", true),
        (Operation::Print, [time, pattern]) => {
            let Constant::Text(pattern) = fold(pattern)? else { return None };
            printed(schema, time, &pattern, false)
        }
        (Operation::PadStart, [padded, width, zero]) => {
            let is_plain =
                matches!(fold(zero)?, Constant::Text(zero) if zero == "0") && whole(width)?.number == 2;
            let (field, time) = time_of_day(schema, padded)?;
            let is_hour = time.is_number && time.is_hour();
            (is_plain && is_hour).then_some((field, TimeOfDay { is_number: false, ..time }))
        }
        _ => None,
    }
}

fn printed(
    schema: &Schema,
    time: &BoundNode,
    pattern: &str,
    is_number: bool,
) -> Option<(FieldId, TimeOfDay)> {
    let field = bare_field(schema, time)?;
    schema.key.fields[field].kind.time()?;
    let pattern = TimePattern::parse(pattern).ok()?;
    // In the order of time, from the hour on.
    let is_rising = pattern.units().zip(&Granularity::ALL[3..]).all(|(unit, next)| unit == *next);
    is_rising.then_some((field, TimeOfDay { pattern, is_number }))
}
