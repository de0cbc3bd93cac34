//! Whether Hive compares dates and times in a condition as the planner does.
//!
//! The planner compares a DATE or TIMESTAMP field also with the number or the text that the key stores. Hive 2.3.9 and 3.1.3 compare
//! it with a number as a number of days or seconds since 1970, with most texts as NULL, and in a list as texts (measured). In
//! `coalesce(at, '2020-04-06')` the field becomes a text.

use saltplan_core::analyze::bind::{Bound, BoundCall, BoundNode, CastOrigin, Operator, Setting, bind};
use saltplan_core::table::TimeReading;
use saltplan_sql::ast::{Expr, Literal, Node, Type};
use saltplan_sql::functions::Operation;

use crate::scope::KnownTable;

/// The type of a compared value in Hive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compared<'a> {
    Date,
    Timestamp,
    Text(&'a str),
    /// NULL, or a value that is filled in later in the form of the key.
    Any,
    Other,
}

/// Why a condition on one table means something else to Hive.
pub fn fault(condition: &Node, table: &KnownTable<'_>) -> Option<String> {
    let bound = bind(condition, table, Setting::Query(None));
    let mut found = None;
    let meaning = Meaning { table };
    bound.walk(&mut |part| found = found.take().or_else(|| meaning.fault(part)));
    found
}

struct Meaning<'f> {
    table: &'f KnownTable<'f>,
}

impl Meaning<'_> {
    /// What is wrong with a part itself.
    fn fault(&self, part: &BoundNode) -> Option<String> {
        match &part.what {
            Bound::Operation { operator: Operator::Binary(op), operands } if !op.compares() => {
                let is_interval = |node: &BoundNode| matches!(node.what, Bound::Interval { .. });
                let is_moved = operands.iter().any(is_interval);
                if is_moved { None } else { self.used("arithmetic", operands) }
            }
            Bound::Operation {
                operator: Operator::Binary(_) | Operator::Between { .. } | Operator::In { .. },
                operands,
            } => {
                let is_list = matches!(part.what, Bound::Operation { operator: Operator::In { .. }, .. });
                self.compared(operands, is_list)
            }
            Bound::Case { operand, arms, otherwise } => {
                let values = arms.iter().map(|(value, _)| value);
                let of_values = match operand {
                    Some(operand) => self.compared(std::iter::once(&**operand).chain(values), false),
                    None => None,
                };
                let results = arms.iter().map(|(_, result)| result).chain(otherwise.as_deref());
                of_values.or_else(|| self.used("CASE", results))
            }
            Bound::Cast { operand, origin: CastOrigin::Written(_) } => match part.primitive() {
                Some(Type::Date | Type::Timestamp | Type::String) => None,
                _ => self.used("cast", [&**operand]),
            },
            Bound::Call(call) if !reads_times(call) => self.used(&call.name, &call.arguments),
            _ => None,
        }
    }

    /// Whether an expression is a date or a time that is computed from one of the key.
    fn is_time_of_key(&self, node: &BoundNode) -> bool {
        let is_of_key = |part: &BoundNode| {
            let column = part.column().and_then(|of| self.table.column(&of.written.name.to_lowercase()));
            column.is_some_and(|column| column.time == TimeReading::Time)
        };
        matches!(compared_as(node), Compared::Date | Compared::Timestamp) && node.has(&is_of_key)
    }

    /// Operands that Hive may take for another type than the planner.
    fn used<'n>(&self, name: &str, operands: impl IntoIterator<Item = &'n BoundNode>) -> Option<String> {
        let is_used = operands.into_iter().any(|operand| self.is_time_of_key(operand));
        is_used.then(|| format!("in `{name}` Hive may take a date or a time for another type"))
    }

    fn compared<'n>(
        &self,
        operands: impl IntoIterator<Item = &'n BoundNode>,
        is_list: bool,
    ) -> Option<String> {
        let operands: Vec<&BoundNode> = operands.into_iter().collect();
        if !operands.iter().any(|operand| self.is_time_of_key(operand)) {
            return None;
        }
        let types: Vec<Compared<'_>> = operands.into_iter().map(compared_as).collect();
        let of_date = types.contains(&Compared::Date);
        let is_alike = |of_type: &Compared<'_>| match of_type {
            Compared::Date | Compared::Timestamp | Compared::Any => true,
            Compared::Text(text) => is_day(text) && !(is_list && !of_date) || is_time(text) && !of_date,
            Compared::Other => false,
        };
        (!types.iter().all(is_alike)).then(|| {
            "Hive compares the date or the time with another type, or with a text in another form: write `DATE '…'` or `TIMESTAMP '…'`".into()
        })
    }
}

/// What Hive compares a value as.
fn compared_as(node: &BoundNode) -> Compared<'_> {
    let node = node.uncast();
    let literal = node.constant().and_then(|constant| constant.written.as_deref());
    match (&node.what, literal) {
        (Bound::Runtime(_), _) | (_, Some(Expr::Literal(Literal::Null))) => Compared::Any,
        (_, Some(Expr::Literal(Literal::Text(text)))) => Compared::Text(text),
        _ => match node.primitive() {
            Some(Type::Date) => Compared::Date,
            Some(Type::Timestamp) => Compared::Timestamp,
            _ => Compared::Other,
        },
    }
}

/// Whether a function reads a date or a time as the planner does: as itself, or as the text that Hive shows of it. Times in another zone
/// are not known here.
fn reads_times(call: &BoundCall) -> bool {
    match call.operation() {
        Operation::Substring => true,
        Operation::ChangeZone => false,
        _ => call.function.is_some_and(|function| function.takes_time(0)),
    }
}

/// `2020-04-06`
pub fn is_day(text: &str) -> bool {
    has_shape(text, "0000-00-00")
}

/// `2020-04-06 10:00:00`
pub fn is_time(text: &str) -> bool {
    has_shape(text, "0000-00-00 00:00:00")
}

fn has_shape(text: &str, shape: &str) -> bool {
    let is_like = |(c, of_shape): (u8, u8)| if of_shape == b'0' { c.is_ascii_digit() } else { c == of_shape };
    text.len() == shape.len() && text.bytes().zip(shape.bytes()).all(is_like)
}
