//! Whether Hive compares dates and times in a condition as the planner does.
//!
//! The planner compares a DATE or TIMESTAMP field also with the number or the text that the key stores. Hive 2.3.9 and 3.1.3 compare
//! it with a number as a number of days or seconds since 1970, with most texts as NULL, and in a list as texts (measured). In
//! `coalesce(at, '2020-04-06')` the field becomes a text.

use saltplan_sql::ast::{Call, Expr, Literal, Node, Type};
use saltplan_sql::functions::{Operation, ResultType};
use saltplan_sql::rewrite::{has, operands};

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

/// Why a condition means something else to Hive. `hive_type` gives the type of the columns that are a DATE or a TIMESTAMP.
pub fn fault(condition: &Node, hive_type: &dyn Fn(&str) -> Option<Type>) -> Option<String> {
    let mut walk = Walk { hive_type, found: None };
    walk.visit(condition);
    walk.found
}

struct Walk<'f> {
    hive_type: &'f dyn Fn(&str) -> Option<Type>,
    found: Option<String>,
}

impl Walk<'_> {
    fn visit(&mut self, node: &Node) {
        let is_list = matches!(node.expr, Expr::InList { .. });
        match &node.expr {
            Expr::BinaryOp { op, .. } if op.compares() => self.compared(&operands(node), is_list),
            Expr::Between { .. } | Expr::InList { .. } => self.compared(&operands(node), is_list),
            Expr::BinaryOp { left, right, .. } => self
                .used("arithmetic", &[left, right], |node| matches!(node.unnested(), Expr::Interval { .. })),
            Expr::Case { operand, conditions, else_result } => {
                let operand = operand.as_deref();
                let values = conditions.iter().map(|when| &when.condition);
                let results = conditions.iter().map(|when| &when.result).chain(else_result.as_deref());
                if operand.is_some() {
                    self.compared(&operand.into_iter().chain(values).collect::<Vec<_>>(), is_list);
                }
                self.used("CASE", &results.collect::<Vec<_>>(), |_| false);
            }
            Expr::Cast { expr, data_type, .. }
                if !matches!(data_type, Type::Date | Type::Timestamp | Type::String) =>
            {
                self.used("cast", &[expr], |_| false);
            }
            Expr::Call(call) if !reads_times(call) => {
                self.used(&call.name, &call.arguments.iter().collect::<Vec<_>>(), |_| false);
            }
            _ => {}
        }
        node.for_each_part(&mut |part| self.visit(part));
    }

    /// Operands that Hive may take for another type than the planner. One that passes `is_fine` makes all of them times.
    fn used(&mut self, name: &str, operands: &[&Node], is_fine: fn(&Node) -> bool) {
        let is_time = |node: &&&Node| matches!(self.type_of(node), Compared::Date | Compared::Timestamp);
        let is_column = |node: &&&Node| has(node, |part| matches!(part, Expr::Column(_)));
        if operands.iter().filter(is_time).any(|node| is_column(&node))
            && !operands.iter().any(|node| is_fine(node))
        {
            self.found.get_or_insert_with(|| {
                format!("in `{name}` Hive may take a date or a time for another type")
            });
        }
    }

    fn compared(&mut self, operands: &[&Node], is_list: bool) {
        let types: Vec<Compared<'_>> = operands.iter().map(|operand| self.type_of(operand)).collect();
        let of_date = types.contains(&Compared::Date);
        if !of_date && !types.contains(&Compared::Timestamp) {
            return;
        }
        let is_alike = |of_type: &Compared<'_>| match of_type {
            Compared::Date | Compared::Timestamp | Compared::Any => true,
            Compared::Text(text) => is_day(text) && !(is_list && !of_date) || is_time(text) && !of_date,
            Compared::Other => false,
        };
        if !types.iter().all(is_alike) {
            self.found.get_or_insert_with(|| {
                "Hive compares the date or the time with another type, or with a text in another form: write `DATE '…'` or `TIMESTAMP '…'`".into()
            });
        }
    }

    fn type_of<'e>(&self, expr: &'e Expr) -> Compared<'e> {
        match expr {
            Expr::Nested(inner) => self.type_of(inner),
            Expr::Column(column) => match (self.hive_type)(&column.name) {
                Some(Type::Date) => Compared::Date,
                Some(_) => Compared::Timestamp,
                None => Compared::Other,
            },
            Expr::Cast { data_type: Type::Date, .. } | Expr::TypedText { data_type: Type::Date, .. } => {
                Compared::Date
            }
            Expr::Cast { data_type: Type::Timestamp, .. } | Expr::TypedText { .. } => Compared::Timestamp,
            Expr::Call(call) => match call.function.map(|function| function.result) {
                Some(ResultType::Is(Type::Date)) => Compared::Date,
                Some(ResultType::Is(Type::Timestamp)) => Compared::Timestamp,
                _ => Compared::Other,
            },
            Expr::BinaryOp { left, right, .. } => match [left, right].map(|side| self.type_of(side)) {
                [of_left, Compared::Other] if matches!(right.unnested(), Expr::Interval { .. }) => of_left,
                _ => Compared::Other,
            },
            Expr::Literal(Literal::Text(text)) => Compared::Text(text),
            Expr::Literal(Literal::Null) | Expr::Runtime(_) => Compared::Any,
            _ => Compared::Other,
        }
    }
}

/// Whether a function reads a date or a time as the planner does: as itself, or as the text that Hive shows of it. Times in another zone
/// are not known here.
fn reads_times(call: &Call) -> bool {
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
