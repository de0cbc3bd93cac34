//! The form of a condition as saltplan reads it.

use saltplan_document::diag::Source;
use saltplan_sql::ast::{BinaryOperator, Expr, Literal, Node, Type};
use saltplan_sql::{Parameters, parse};

use super::form::{CommonForm, OPAQUE};

/// # Errors
/// The message of the error that a user gets.
pub fn read(text: &str) -> Result<CommonForm, String> {
    match parse(&Source::new("predicate", text), &Parameters::new()) {
        Ok(parsed) => Ok(common_form(&parsed.tree)),
        Err(error) => Err(error.message),
    }
}

fn all(nodes: &[Node]) -> Vec<CommonForm> {
    nodes.iter().map(|node| common_form(node)).collect()
}

fn common_form(expr: &Expr) -> CommonForm {
    let one = |label: &str, inner: &Expr| CommonForm::new(label, vec![common_form(inner)]);
    match expr {
        Expr::Column(column) => CommonForm::column(&column.name),
        Expr::Literal(literal) => literal_form(literal),
        Expr::TypedText { data_type, text } => CommonForm::typed_text(&type_name(*data_type), text),
        Expr::Interval { amount, unit, last } => {
            let last = last.map(|last| format!("_{}", last.word())).unwrap_or_default();
            CommonForm::new(format!("INTERVAL {}{last}", unit.word()), vec![common_form(amount)])
        }
        Expr::Nested(inner) => common_form(inner),
        Expr::Tuple(items) => CommonForm::call("struct", all(items)),
        Expr::And(arms) => CommonForm::chain("AND", all(arms)),
        Expr::Or(arms) => CommonForm::chain("OR", all(arms)),
        Expr::UnaryOp { op, expr } => one(op.sign(), expr),
        Expr::BinaryOp { left, op, right } => {
            let sides = vec![common_form(left), common_form(right)];
            match op {
                BinaryOperator::Concat => CommonForm::call("concat", sides),
                BinaryOperator::DistinctFrom => CommonForm::negated(CommonForm::new("<=>", sides)),
                BinaryOperator::NotDistinctFrom => CommonForm::new("<=>", sides),
                _ => CommonForm::new(op.sign(), sides),
            }
        }
        Expr::Is { expr, value, negated } => {
            let value = value.map_or("NULL", |value| if value { "TRUE" } else { "FALSE" });
            one(&format!("IS {}{value}", if *negated { "NOT " } else { "" }), expr)
        }
        Expr::InList { expr, list, negated } => {
            CommonForm::negated_if(*negated, CommonForm::in_list(common_form(expr), all(list)))
        }
        Expr::Between { expr, negated, low, high } => CommonForm::negated_if(
            *negated,
            CommonForm::new("BETWEEN", vec![common_form(expr), common_form(low), common_form(high)]),
        ),
        Expr::Like { negated, expr, pattern, escape_char } => {
            let mut parts = vec![common_form(expr), common_form(pattern)];
            parts.extend(escape_char.as_deref().map(|escape| common_form(escape)));
            CommonForm::negated_if(*negated, CommonForm::new("LIKE", parts))
        }
        Expr::RLike { negated, expr, pattern } => CommonForm::negated_if(
            *negated,
            CommonForm::new("RLIKE", vec![common_form(expr), common_form(pattern)]),
        ),
        Expr::Case { operand, conditions, else_result } => {
            let branches =
                conditions.iter().map(|when| (common_form(&when.condition), common_form(&when.result)));
            let part = |node: &Option<Box<Node>>| node.as_deref().map(|node| common_form(node));
            CommonForm::case(part(operand), branches.collect(), part(else_result))
        }
        Expr::Cast { expr, data_type, .. } => CommonForm::cast(&type_name(*data_type), common_form(expr)),
        Expr::Call(call) => CommonForm::call(&call.name, all(&call.arguments)),
        Expr::Runtime(name) => CommonForm::leaf(format!(":{name}")),
        Expr::Element { expr, index } => CommonForm::access(common_form(expr), Some(common_form(index))),
        Expr::Member { expr, .. } => CommonForm::access(common_form(expr), None),
        Expr::Opaque(call) => CommonForm::new(OPAQUE, all(&call.arguments)),
        // Predicates have none.
        Expr::Script(_) => CommonForm::leaf("a part of a script"),
    }
}

fn literal_form(literal: &Literal) -> CommonForm {
    match literal {
        Literal::Text(text) => CommonForm::text(text),
        Literal::Number(digits) | Literal::TypedNumber { digits, .. } => CommonForm::leaf(digits),
        Literal::Null => CommonForm::leaf("NULL"),
        Literal::Bool(value) => CommonForm::leaf(value.to_string().to_uppercase()),
        Literal::FilledIn { .. } | Literal::Later(_) => CommonForm::leaf("filled in"),
    }
}

/// The name of a type in capital letters, with the length of texts and the digits of decimals.
fn type_name(data_type: Type) -> String {
    data_type.to_string().to_uppercase()
}
