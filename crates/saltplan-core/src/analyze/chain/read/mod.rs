//! Chains, read from expressions. `functions` and `printed` read what has an inverse, `numbers` and `days` what keeps or turns the
//! order, `parts` and `time_of_day` numbers and texts that are made of parts of a date or a time.

mod days;
mod functions;
mod numbers;
mod parts;
mod printed;
mod time_of_day;

use super::Chain;
use crate::analyze::bind::BoundNode;
use crate::schema::model::Schema;
pub(crate) use functions::{bare_field, has_day};
pub(crate) use printed::epoch_seconds;

impl Chain {
    /// What may be compared with constants, of one field; `None` for other expressions.
    pub fn compared(schema: &Schema, node: &BoundNode) -> Option<Self> {
        Chain::of(schema, node)
            .or_else(|| Chain::of_numbers(schema, node))
            .or_else(|| Chain::of_days(schema, node))
            .or_else(|| Chain::of_parts(schema, node))
            .or_else(|| Chain::of_time_of_day(schema, node))
    }
}
