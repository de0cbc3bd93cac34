//! Small functions on syntax trees: walks and rewrites.

use super::ast::{BinaryOperator, Call, CallForm, Expr, Literal, Node, UnaryOperator};
use super::functions::{Operation, REVERSE, SUBSTR};
use saltplan_document::diag::Span;

/// Visits an expression and all its parts, outer ones first.
pub fn walk<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    visit(expr);
    expr.for_each_part(&mut |part| walk(part, visit));
}

/// The operands of a comparison.
pub fn operands(expr: &Expr) -> Vec<&Node> {
    match expr.unnested() {
        Expr::BinaryOp { left, right, .. } => vec![left, right],
        Expr::Between { expr, low, high, .. } => vec![expr, low, high],
        Expr::InList { expr, list, .. } => std::iter::once(expr.as_ref()).chain(list).collect(),
        Expr::Like { expr, pattern, .. } | Expr::RLike { expr, pattern, .. } => vec![expr, pattern],
        _ => Vec::new(),
    }
}

/// Whether the expression or one of its parts satisfies `is_it`.
pub fn has(expr: &Expr, is_it: impl Fn(&Expr) -> bool) -> bool {
    find(expr, is_it).is_some()
}

/// The first part that satisfies `is_it`, outer ones first.
pub fn find(expr: &Expr, is_it: impl Fn(&Expr) -> bool) -> Option<&Expr> {
    let mut found = None;
    walk(expr, &mut |part| found = found.or_else(|| is_it(part).then_some(part)));
    found
}

/// The columns with their places, in the order of the text.
pub fn columns(node: &Node) -> Vec<(&str, Span)> {
    fn gather<'n>(node: &'n Node, columns: &mut Vec<(&'n str, Span)>) {
        if let Expr::Column(column) = &node.expr {
            columns.push((&column.name, node.span));
        }
        node.for_each_part(&mut |part| gather(part, columns));
    }
    let mut columns = Vec::new();
    gather(node, &mut columns);
    columns
}

/// Names of the parameters whose values are known only when the statement runs.
pub fn runtime_names(expr: &Expr) -> Vec<&str> {
    let mut names = Vec::new();
    walk(expr, &mut |part| {
        if let Expr::Runtime(name) = part {
            names.push(name.as_str());
        }
    });
    names
}

/// Whether the expression reads the engine's clock.
pub fn reads_clock(expr: &Expr) -> bool {
    has(expr, |part| matches!(part, Expr::Call(call) if call.is_clock()))
}

/// Replaces each expression for which `with` returns another one, outer ones first. Replacements are not searched.
pub fn replace(node: &mut Node, with: &mut dyn FnMut(&Node) -> Option<Expr>) {
    match with(node) {
        Some(other) => node.expr = other,
        None => node.for_each_part_mut(&mut |part| replace(part, with)),
    }
}

/// Rewrites the forms that Hive 2 or Hive 3 does not know or understands differently. One text is printed for both versions, since a
/// schema does not say which Hive will run it.
pub fn for_hive(node: &mut Node) {
    node.for_each_part_mut(&mut for_hive);
    let span = node.span;
    let expr = std::mem::replace(&mut node.expr, Expr::Literal(Literal::Null));
    let bracketed = |expr: Expr| Expr::Nested(Box::new(Node::new(expr, span)));
    let not = |expr: Expr| Expr::UnaryOp { op: UnaryOperator::Not, expr: bracketed(expr).into() };
    let same =
        |left: Box<Node>, right: Box<Node>| Expr::BinaryOp { left, op: BinaryOperator::NullSafeEq, right };
    let is = |operand: Box<Node>, value: Option<bool>, negated: bool| {
        let value = Expr::Literal(value.map_or(Literal::Null, Literal::Bool));
        let is = same(operand, value.into());
        bracketed(if negated { not(is) } else { is })
    };
    node.expr = match expr {
        // Hive 2 knows only `<=>`.
        Expr::BinaryOp { left, op: BinaryOperator::NotDistinctFrom, right } => same(left, right),
        Expr::BinaryOp { left, op: BinaryOperator::DistinctFrom, right } => bracketed(not(same(left, right))),
        // Hive 2 has none of these tests.
        Expr::Is { expr, value: value @ Some(_), negated } => is(expr, value, negated),
        // Hive 3 reads `(NOT x) IS NULL` as `NOT (x IS NULL)`.
        Expr::Is { expr, value: None, negated: false } if is_negation(&expr) => is(expr, None, false),
        // Hive 3 reads `cast(x as t) IS NOT NULL` as `x IS NOT NULL`. It cannot compare a CASE by
        // `<=>`.
        Expr::Is { expr, value: None, negated: true } if has(&expr, is_cast) && !has(&expr, is_case) => {
            is(expr, None, true)
        }
        // No list of Hive is empty. Nothing is in such a list, not even NULL.
        Expr::InList { list, negated, .. } if list.is_empty() => Expr::Literal(Literal::Bool(negated)),
        // In a list that begins with NULL, Hive 3 does not find any text.
        Expr::InList { expr, mut list, negated } => {
            let nulls = list.iter().take_while(|item| item.expr == Expr::Literal(Literal::Null)).count();
            if nulls < list.len() && nulls > 0 {
                list.drain(..nulls);
                list.push(Expr::Literal(Literal::Null).into());
            }
            Expr::InList { expr, list, negated }
        }
        // Hive has neither `left` nor `right`.
        Expr::Call(call)
            if matches!(call.operation(), Operation::Start | Operation::End)
                && call.form == CallForm::Plain
                && call.arguments.len() == 2 =>
        {
            let is_left = call.operation() == Operation::Start;
            let reversed = |text: Node| Node::from(Expr::Call(Call::of(&REVERSE, vec![text])));
            let mut arguments = call.arguments;
            arguments.insert(1, Expr::Literal(Literal::Number("1".into())).into());
            if is_left {
                Expr::Call(Call::of(&SUBSTR, arguments))
            } else {
                let text = arguments.remove(0);
                arguments.insert(0, reversed(text));
                reversed(Expr::Call(Call::of(&SUBSTR, arguments)).into()).expr
            }
        }
        other => other,
    };
}

fn is_cast(expr: &Expr) -> bool {
    matches!(expr, Expr::Cast { expr, .. } if !matches!(expr.expr, Expr::Literal(Literal::Number(_))))
}

fn is_case(expr: &Expr) -> bool {
    matches!(expr, Expr::Case { .. })
}

/// Whether the condition is a negation.
fn is_negation(expr: &Expr) -> bool {
    match expr.unnested() {
        Expr::UnaryOp { op: UnaryOperator::Not, .. } => true,
        Expr::Like { negated, .. }
        | Expr::RLike { negated, .. }
        | Expr::InList { negated, .. }
        | Expr::Between { negated, .. } => *negated,
        _ => false,
    }
}
