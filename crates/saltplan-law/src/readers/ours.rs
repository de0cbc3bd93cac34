//! The form of a condition as saltplan reads it.

use saltplan_document::diag::Source;
use saltplan_sql::ast::{BinaryOperator, Expr, Literal, Node, Type};
use saltplan_sql::{Parameters, parse};

use super::form::{Form, OPAQUE};

/// # Errors
/// The message of the error that a user gets.
pub fn read(text: &str) -> Result<Form, String> {
    match parse(&Source::new("predicate", text), &Parameters::new()) {
        Ok(parsed) => Ok(of(&parsed.tree)),
        Err(error) => Err(error.message),
    }
}

fn all(nodes: &[Node]) -> Vec<Form> {
    nodes.iter().map(|node| of(node)).collect()
}

fn of(expr: &Expr) -> Form {
    let one = |label: &str, inner: &Expr| Form::new(label, vec![of(inner)]);
    match expr {
        Expr::Column(column) => Form::column(&column.name),
        Expr::Literal(literal) => literal_form(literal),
        Expr::TypedText { data_type, text } => Form::typed_text(&type_name(*data_type), text),
        Expr::Interval { amount, unit, last } => {
            let last = last.map(|last| format!("_{}", last.word())).unwrap_or_default();
            Form::new(format!("INTERVAL {}{last}", unit.word()), vec![of(amount)])
        }
        Expr::Nested(inner) => of(inner),
        Expr::Tuple(items) => Form::call("struct", all(items)),
        Expr::And(arms) => Form::chain("AND", all(arms)),
        Expr::Or(arms) => Form::chain("OR", all(arms)),
        Expr::UnaryOp { op, expr } => one(op.sign(), expr),
        Expr::BinaryOp { left, op, right } => {
            let sides = vec![of(left), of(right)];
            match op {
                BinaryOperator::Concat => Form::call("concat", sides),
                BinaryOperator::DistinctFrom => Form::negated(Form::new("<=>", sides)),
                BinaryOperator::NotDistinctFrom => Form::new("<=>", sides),
                _ => Form::new(op.sign(), sides),
            }
        }
        Expr::Is { expr, value, negated } => {
            let value = value.map_or("NULL", |value| if value { "TRUE" } else { "FALSE" });
            one(&format!("IS {}{value}", if *negated { "NOT " } else { "" }), expr)
        }
        Expr::InList { expr, list, negated } => {
            Form::negated_if(*negated, Form::in_list(of(expr), all(list)))
        }
        Expr::Between { expr, negated, low, high } => {
            Form::negated_if(*negated, Form::new("BETWEEN", vec![of(expr), of(low), of(high)]))
        }
        Expr::Like { negated, expr, pattern, escape_char } => {
            let mut parts = vec![of(expr), of(pattern)];
            parts.extend(escape_char.as_deref().map(|escape| of(escape)));
            Form::negated_if(*negated, Form::new("LIKE", parts))
        }
        Expr::RLike { negated, expr, pattern } => {
            Form::negated_if(*negated, Form::new("RLIKE", vec![of(expr), of(pattern)]))
        }
        Expr::Case { operand, conditions, else_result } => {
            let branches = conditions.iter().map(|when| (of(&when.condition), of(&when.result)));
            let part = |node: &Option<Box<Node>>| node.as_deref().map(|node| of(node));
            Form::case(part(operand), branches.collect(), part(else_result))
        }
        Expr::Cast { expr, data_type, .. } => Form::cast(&type_name(*data_type), of(expr)),
        Expr::Call(call) => Form::call(&call.name, all(&call.arguments)),
        Expr::Runtime(name) => Form::leaf(format!(":{name}")),
        Expr::Element { expr, index } => Form::access(of(expr), Some(of(index))),
        Expr::Member { expr, .. } => Form::access(of(expr), None),
        Expr::Opaque(call) => Form::new(OPAQUE, all(&call.arguments)),
        // Predicates have none.
        Expr::Script(_) => Form::leaf("a part of a script"),
    }
}

fn literal_form(literal: &Literal) -> Form {
    match literal {
        Literal::Text(text) => Form::text(text),
        Literal::Number(digits) | Literal::TypedNumber { digits, .. } => Form::leaf(digits),
        Literal::Null => Form::leaf("NULL"),
        Literal::Bool(value) => Form::leaf(value.to_string().to_uppercase()),
        Literal::FilledIn { .. } | Literal::Later(_) => Form::leaf("filled in"),
    }
}

/// The name of a type in capital letters, with the length of texts and the digits of decimals.
fn type_name(data_type: Type) -> String {
    data_type.to_string().to_uppercase()
}
