//! Constants that Hive does not read as values of their column: `day = '2024-06-01'`, where `day` is an int. Hive finds such a comparison
//! true for no row, or for others than meant, while predicates of saltplan take the constant, so that the ranges may look right.

use saltplan_core::messages::Span;
use saltplan_core::table::{LogicalColumn, TimeReading};
use saltplan_sql::ast::{BinaryOperator, Call, CallForm, Column, Expr, Literal, Node, UnaryOperator};
use saltplan_sql::functions::{ResultType, Rows};
use saltplan_sql::hive_type::Type;
use saltplan_sql::script::Block;

use crate::conditions::columns;
use crate::meaning::{is_day, is_time};
use crate::values::{TEMPLATES, is_iso, shape};

/// A constant that Hive does not read as a value of the column.
#[derive(Debug, Clone)]
pub struct Foreign<'b> {
    /// The constant as written.
    pub constant: &'b Node,
    pub message: String,
}

/// A column with its table, if there is one.
type OfTable<'c, T> = Option<(T, &'c LogicalColumn<'c>)>;

/// How a constant is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    /// `=`, `IN`, `<=>`: for equal values.
    Equal,
    /// `NOT IN`, `IS DISTINCT FROM`.
    Excludes,
    /// Another condition: it is NULL if the constant is.
    Other,
}

/// A constant in a text.
#[derive(Debug, Clone, Copy)]
enum Constant<'t> {
    Text(&'t str),
    Number,
    /// `DATE '…'` or `TIMESTAMP '…'`.
    Typed,
}

/// A column that is compared with constants.
struct Compared<'b> {
    operand: &'b Node,
    constants: Vec<&'b Node>,
    comparison: Comparison,
    in_list: bool,
    /// NOT BETWEEN.
    negated: bool,
}

/// Why Hive does not read a constant as a value of a column.
struct Reason {
    text: String,
    /// Whether a condition that must be true of the constant is true for no row.
    is_of_no_row: bool,
}

/// The comparisons of a block with a constant that Hive does not read as a value of the column, outside its subqueries, each with the
/// table and the column; the first constant of a list stands for all. `column` finds the column that a name means; `text` is the text
/// of the script.
pub fn foreign<'b, 'c, T>(
    text: &str,
    block: &'b Block,
    column: &dyn Fn(&Column) -> OfTable<'c, T>,
) -> Vec<((T, &'c str), Foreign<'b>)> {
    let mut found = Vec::new();
    for expression in block.expressions() {
        each_comparison(expression, &mut |compared| {
            let Some((place, name)) = column_of(compared.operand) else { return };
            let Some((table, of)) = column(name) else { return };
            let first = compared.constants.iter().find_map(|node| {
                let Reason { text: reason, .. } =
                    reason(of, constant(node)?, compared.comparison, compared.in_list)?;
                let written = &text[node.span.start..node.span.end];
                Some(Foreign { constant: node, message: format!("to Hive {written} {reason}") })
            });
            found.extend(first.map(|foreign| (place.start, (table, of.name), foreign)));
        });
    }
    found.sort_by_key(|(start, ..)| *start);
    found.into_iter().map(|(_, of, foreign)| (of, foreign)).collect()
}

/// Whether Hive finds a condition true for no row, because a constant in it is no value of the type of its column, or because it has only
/// constants. `is_false` says so of a condition without columns.
pub fn is_never_true<'c, T>(
    node: &Node,
    column: &dyn Fn(&Column) -> OfTable<'c, T>,
    is_false: &dyn Fn(&Node) -> bool,
) -> bool {
    let is_never = |part: &Node| is_never_true(part, column, is_false);
    match &node.expr {
        Expr::Nested(inner) => is_never(inner),
        Expr::And(parts) => parts.iter().any(is_never),
        Expr::Or(arms) => arms.iter().all(is_never),
        Expr::BinaryOp { op: BinaryOperator::NullSafeEq | BinaryOperator::NotDistinctFrom, .. } => false,
        _ if columns(node).is_empty() => is_false(node),
        _ => {
            let mut found = false;
            comparisons(node, &mut |compared| {
                let of = column_of(compared.operand).and_then(|(_, name)| column(name));
                let is_foreign = |node: &&Node| {
                    let reason = of.as_ref().zip(constant(node)).and_then(|((_, of), constant)| {
                        reason(of, constant, compared.comparison, compared.in_list)
                    });
                    reason.is_some_and(|reason| reason.is_of_no_row)
                };
                // One value of a list is enough for a row; both ends of a range are needed.
                found |= match compared.in_list {
                    true => compared.constants.iter().all(is_foreign),
                    false => !compared.negated && compared.constants.iter().any(is_foreign),
                };
            });
            found
        }
    }
}

/// Visits the comparisons in an expression, each from the side of its column.
fn each_comparison<'b>(node: &'b Node, visit: &mut dyn FnMut(Compared<'b>)) {
    comparisons(node, visit);
    node.for_each_part(&mut |part| each_comparison(part, visit));
}

/// Visits a comparison from each side that may be a column.
fn comparisons<'b>(node: &'b Node, visit: &mut dyn FnMut(Compared<'b>)) {
    let of = |operand: &'b Node, constants: Vec<&'b Node>, comparison: Comparison| Compared {
        operand,
        constants,
        comparison,
        in_list: false,
        negated: false,
    };
    match &node.expr {
        Expr::BinaryOp { left, op, right } if op.compares() => {
            let comparison = match op {
                BinaryOperator::Eq | BinaryOperator::NullSafeEq | BinaryOperator::NotDistinctFrom => {
                    Comparison::Equal
                }
                BinaryOperator::DistinctFrom => Comparison::Excludes,
                _ => Comparison::Other,
            };
            visit(of(left, vec![right], comparison));
            visit(of(right, vec![left], comparison));
        }
        Expr::Between { expr, negated, low, high } => {
            visit(Compared { negated: *negated, ..of(expr, vec![low, high], Comparison::Other) });
        }
        Expr::InList { expr, list, negated } => {
            let comparison = if *negated { Comparison::Excludes } else { Comparison::Equal };
            visit(Compared { in_list: true, ..of(expr, list.iter().collect(), comparison) });
        }
        _ => {}
    }
}

/// The column of an operand, also in `max` or `min`, which keep its values, with its place.
fn column_of(operand: &Node) -> Option<(Span, &Column)> {
    match &operand.expr {
        Expr::Nested(inner) => column_of(inner),
        Expr::Column(column) => Some((operand.span, column)),
        Expr::Call(call) if chooses_a_row(call) => match call.arguments.as_slice() {
            [only] => column_of(only),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a call is of an aggregate function that gives the argument of one of its rows.
fn chooses_a_row(call: &Call) -> bool {
    call.form == CallForm::Plain
        && call.function.is_some_and(|function| {
            function.rows == Rows::Aggregate && function.result == ResultType::OfArgument(0)
        })
}

fn constant(node: &Node) -> Option<Constant<'_>> {
    match &node.expr {
        Expr::Literal(Literal::Text(text)) => {
            (!TEMPLATES.iter().any(|sign| text.contains(sign))).then_some(Constant::Text(text))
        }
        Expr::Literal(Literal::Number(_) | Literal::TypedNumber { .. }) => Some(Constant::Number),
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => {
            constant(expr).filter(|constant| matches!(constant, Constant::Number))
        }
        // `5L`
        Expr::Cast { expr, written, .. } if written.len() == 1 => {
            constant(expr).filter(|constant| matches!(constant, Constant::Number))
        }
        Expr::TypedText { .. } => Some(Constant::Typed),
        _ => None,
    }
}

/// Why Hive does not read a constant as a value of a column, and what follows from it.
fn reason(
    column: &LogicalColumn<'_>,
    constant: Constant<'_>,
    comparison: Comparison,
    in_list: bool,
) -> Option<Reason> {
    let none = |text: String| Reason { text, is_of_no_row: comparison != Comparison::Excludes };
    let others = |text: String| Reason { text, is_of_no_row: false };
    let (name, hive_type) = (column.name, &column.hive_type);
    let effect = match comparison {
        Comparison::Equal | Comparison::Other => "so the condition is true for no row",
        Comparison::Excludes => "so it excludes no row",
    };
    let of_type = format!("`{name}` is a column of the type {hive_type}, {effect}");
    match (column.time, constant) {
        (TimeReading::Text(format), Constant::Text(text))
            if is_iso(text) && shape(text.trim()) != shape(format) =>
        {
            let what = format!("is a text in another form than `{name}`, which is `{format}`");
            Some(match comparison {
                Comparison::Other => {
                    others(format!("{what}, so the condition compares characters and finds other rows"))
                }
                _ => none(format!("{what}, {effect}")),
            })
        }
        // Measured: Hive counts days or seconds since 1970.
        (TimeReading::Time, Constant::Number) => Some(others(format!(
            "is a number of days or seconds since 1970: `{name}` is a column of the type {hive_type}, so the condition finds other rows"
        ))),
        (TimeReading::Number, Constant::Typed) => Some(others(format!(
            "is the number of its days or seconds since 1970: `{name}` is a column of the type {hive_type}, so the condition finds other rows"
        ))),
        (TimeReading::Time, Constant::Text(text)) => {
            let is_date = *hive_type == Type::Date;
            let is_read = is_day(text) && (is_date || !in_list) || is_time(text) && !is_date;
            (!is_read).then(|| none(format!("is not a {hive_type}: {of_type}")))
        }
        (_, Constant::Text(text)) if hive_type.is_number() && !is_number(text) => {
            Some(none(format!("is not a number: {of_type}")))
        }
        _ => None,
    }
}

/// Whether Hive reads a text as a number; Java also knows the suffixes `d` and `f`.
fn is_number(text: &str) -> bool {
    let text = text.trim();
    let without = text.strip_suffix(['d', 'D', 'f', 'F']).unwrap_or(text);
    text.parse::<f64>().is_ok() || without.parse::<f64>().is_ok()
}
