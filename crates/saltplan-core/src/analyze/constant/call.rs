//! Functions of constants, where all versions of Hive give one value; `tests/engines/constants.rs` asks them.

use super::value::Typed;
use super::{date, text, typed};
use saltplan_sql::ast::Call;
use saltplan_sql::functions::Operation;

/// The value of a call; `None` where it is not computed here.
pub(super) fn call(call: &Call) -> Option<Typed> {
    if call.operation() == Operation::ShowSeconds {
        return date::date_in_another_format(call);
    }
    if let Some(day) = date::day_of_seconds(call) {
        return Some(day);
    }
    let arguments = call.arguments.iter().map(|argument| typed(argument)).collect::<Option<Vec<_>>>()?;
    date::call(&call.name, &arguments).or_else(|| text::call(&call.name, &arguments))
}
