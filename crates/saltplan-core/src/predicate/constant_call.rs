//! Functions of constants, where all versions of Hive give one value; `tests/engines/constants.rs` asks them.

use super::constant::{Typed, typed};
use super::{constant_date, constant_text};
use crate::hiveql::ast::Call;

/// The value of a call; `None` where it is not computed here.
pub(super) fn call(call: &Call) -> Option<Typed> {
    if call.name == "from_unixtime" {
        return constant_date::date_in_another_format(call);
    }
    let arguments = call.arguments.iter().map(typed).collect::<Option<Vec<_>>>()?;
    constant_date::call(&call.name, &arguments).or_else(|| constant_text::call(&call.name, &arguments))
}
