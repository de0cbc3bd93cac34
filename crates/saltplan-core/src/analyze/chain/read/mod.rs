//! Chains, read from expressions.

mod days;
mod numbers;
mod parts;
mod time_of_day;

use super::Chain;
use crate::schema::model::Schema;
use saltplan_sql::ast::Expr;

impl Chain {
    /// What may be compared with constants beside a function of a field; `None` for other expressions.
    pub fn compared(schema: &Schema, expr: &Expr) -> Option<Self> {
        Chain::of_numbers(schema, expr)
            .or_else(|| Chain::of_days(schema, expr))
            .or_else(|| Chain::of_parts(schema, expr))
            .or_else(|| Chain::of_time_of_day(schema, expr))
    }
}
