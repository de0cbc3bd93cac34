//! Conditions as trees: their conjuncts, the columns in them, and whether they can be true for NULL.

use std::collections::{HashMap, HashSet};

use saltplan_core::messages::Span;
use saltplan_sql::ast::{
    BinaryOperator, CallForm, Column, Expr, Literal, Node, QueryId, ScriptExpr, UnaryOperator,
};
use saltplan_sql::functions::{Function, IF, Operation};
use saltplan_sql::rewrite::{has, replace};
use saltplan_sql::script::{Block, Statement, Tokens};

/// The conjuncts of an AND, without enclosing parentheses. OR and NOT are not taken apart.
pub fn conjuncts(condition: &Node) -> Vec<&Node> {
    let mut found = Vec::new();
    let mut left = vec![condition];
    while let Some(node) = left.pop() {
        let bare = node.bare();
        match &bare.expr {
            // The last one is processed first.
            Expr::And(arms) => left.extend(arms.iter().rev()),
            _ => found.push(bare),
        }
    }
    found
}

/// The conjunction of conditions; `None` if there are none.
pub fn all(mut conditions: Vec<Node>) -> Option<Node> {
    match conditions.len() {
        0 | 1 => conditions.pop(),
        _ => Some(Expr::And(conditions).into()),
    }
}

/// What follows from a condition of which only some parts may be used: without the other operands of its ANDs, if every arm of its ORs
/// keeps one. `used` says what becomes of a part that is no AND or OR.
pub fn implied(node: &Node, used: &mut dyn FnMut(&Node) -> Option<Node>) -> Option<Node> {
    let expr = match &node.expr {
        Expr::Nested(inner) => Expr::Nested(implied(inner, used)?.into()),
        Expr::And(parts) => all(parts.iter().filter_map(|part| implied(part, used)).collect())?.expr,
        Expr::Or(arms) => Expr::Or(arms.iter().map(|arm| implied(arm, used)).collect::<Option<_>>()?),
        _ => return used(node),
    };
    Some(Node::new(expr, node.span))
}

/// The name of the only column of a condition, in lower case.
pub fn only_column(node: &Node) -> Option<String> {
    let columns = columns(node);
    let name = columns.first()?.0.name.to_lowercase();
    columns.iter().all(|(column, _)| column.name.to_lowercase() == name).then_some(name)
}

/// The sides of `x = y`, both columns.
pub fn equal_columns(condition: &Node) -> Option<[&Node; 2]> {
    let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = &condition.bare().expr else {
        return None;
    };
    let sides = [left.bare(), right.bare()];
    sides.iter().all(|side| matches!(side.expr, Expr::Column(_))).then_some(sides)
}

/// The conditions that every one of several lists has.
pub fn in_all(lists: &[Vec<Node>]) -> HashSet<Node> {
    let mut counts: HashMap<&Node, usize> = HashMap::new();
    for list in lists {
        let own: HashSet<&Node> = list.iter().collect();
        own.into_iter().for_each(|node| *counts.entry(node).or_default() += 1);
    }
    let common = counts.into_iter().filter(|(_, count)| *count == lists.len());
    common.map(|(node, _)| node.clone()).collect()
}

/// The number of parts of an expression; of a longer one, `most`.
pub fn size(node: &Node, most: usize) -> usize {
    let mut size = 1;
    node.for_each_part(&mut |part| {
        if size < most {
            size += self::size(part, most - size);
        }
    });
    size.min(most)
}

/// The columns with their places, in the order of the text; not those of subqueries.
pub fn columns(node: &Node) -> Vec<(&Column, Span)> {
    fn gather<'n>(node: &'n Node, found: &mut Vec<(&'n Column, Span)>) {
        if let Expr::Column(column) = &node.expr {
            found.push((column, node.span));
        }
        node.for_each_part(&mut |part| gather(part, found));
    }
    let mut found = Vec::new();
    gather(node, &mut found);
    found
}

/// The queries in brackets in an expression.
pub fn subqueries(node: &Node) -> Vec<QueryId> {
    fn gather(node: &Node, found: &mut Vec<QueryId>) {
        if let Expr::Script(
            ScriptExpr::Exists(query) | ScriptExpr::Query(query) | ScriptExpr::InQuery { query, .. },
        ) = &node.expr
        {
            found.push(*query);
        }
        node.for_each_part(&mut |part| gather(part, found));
    }
    let mut found = Vec::new();
    gather(node, &mut found);
    found
}

/// The condition as one of a single table: its columns without qualifiers.
pub fn of_one_table(condition: &Node) -> Node {
    let mut node = condition.clone();
    replace(&mut node, &mut |part| match &part.expr {
        Expr::Column(column) if !column.qualifier.is_empty() => {
            Some(Expr::Column(Column { qualifier: Vec::new(), ..column.clone() }))
        }
        _ => None,
    });
    node
}

/// The query of a condition that is `x [NOT] IN (SELECT …)` or `[NOT] EXISTS (SELECT …)` and nothing else, and whether it is
/// negated.
pub fn simple_subquery(condition: &Node) -> Option<(QueryId, bool)> {
    match &condition.bare().expr {
        Expr::Script(ScriptExpr::Exists(query)) => Some((*query, false)),
        Expr::Script(ScriptExpr::InQuery { query, negated, .. }) => Some((*query, *negated)),
        Expr::UnaryOp { op: UnaryOperator::Not, expr } => match expr.expr {
            Expr::Script(ScriptExpr::Exists(query)) => Some((query, true)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a statement has a CASE or an `if` whose result may be a text: one that is not a number, TRUE, FALSE or NULL as written.
pub fn chooses_text(t: &Tokens<'_>, statement: &Statement) -> bool {
    let of_block = |block: &Block| {
        let mut selects = block.arms.iter().filter_map(|arm| arm.select.as_ref());
        let is_partly_read = block.unclear.is_some() || selects.any(|select| select.is_script);
        is_partly_read && block.tokens.clone().any(|at| t.is_any(at, &["case", IF.name()]))
            || block.expressions().any(|node| has(node, may_choose_text))
    };
    let mut tails =
        statement.queries.iter().flat_map(|query| &query.terms).flat_map(|term| &term.tail.order_by);
    statement.blocks.iter().any(of_block) || tails.any(|node| has(node, may_choose_text))
}

fn may_choose_text(expr: &Expr) -> bool {
    match expr {
        Expr::Case { conditions, else_result, .. } => {
            let mut results = conditions.iter().map(|when| &when.result).chain(else_result.as_deref());
            results.any(|result| !is_no_text(result))
        }
        Expr::Call(call) if call.operation() == Operation::If => {
            call.arguments.iter().skip(1).any(|result| !is_no_text(result))
        }
        Expr::Script(ScriptExpr::Unread(unread)) => unread.chooses,
        _ => false,
    }
}

/// Whether a value is a number, TRUE, FALSE or NULL as written.
fn is_no_text(node: &Node) -> bool {
    match &node.bare().expr {
        Expr::Literal(literal) => {
            !matches!(literal, Literal::Text(_) | Literal::FilledIn { .. } | Literal::Later(_))
        }
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => is_no_text(expr),
        // `5L`
        Expr::Cast { expr, written, .. } => {
            written.len() == 1 && matches!(expr.expr, Expr::Literal(Literal::Number(_)))
        }
        _ => false,
    }
}

/// Whether a condition whose columns are all NULL is FALSE or NULL, judged only by its form: a comparison, BETWEEN, IN, LIKE or
/// IS NOT NULL that tests a column, also through functions that return NULL for NULL. Anything else may be true for NULL.
pub fn rejects_null(condition: &Node) -> bool {
    match &condition.expr {
        Expr::Nested(inner) => rejects_null(inner),
        Expr::Or(arms) => arms.iter().all(rejects_null),
        Expr::And(arms) => arms.iter().any(rejects_null),
        Expr::BinaryOp { left, op, right } if op.compares() && !op.is_null_safe() => {
            is_strict_column(left) || is_strict_column(right)
        }
        Expr::InList { expr, .. }
        | Expr::Between { expr, .. }
        | Expr::Like { expr, .. }
        | Expr::RLike { expr, .. }
        | Expr::Is { expr, value: None, negated: true } => is_strict_column(expr),
        Expr::UnaryOp { op: UnaryOperator::Not, expr } if is_like_list(expr) => rejects_null(expr),
        Expr::Call(call) if is_like_list(condition) => call.arguments.first().is_some_and(is_strict_column),
        _ => false,
    }
}

/// `x LIKE ANY (…)` and `x LIKE ALL (…)`.
fn is_like_list(expr: &Expr) -> bool {
    matches!(expr, Expr::Call(call) if call.form == CallForm::LikeList)
}

/// Whether an operand is a column, or a strict function of a column and constants.
fn is_strict_column(operand: &Node) -> bool {
    match &operand.expr {
        Expr::Nested(inner) => is_strict_column(inner),
        Expr::Column(_) => true,
        Expr::Cast { expr, .. } => is_strict_column(expr),
        Expr::Call(call) if call.function.is_some_and(Function::is_null_of_null) => {
            match call.arguments.as_slice() {
                [first, others @ ..] => is_strict_column(first) && others.iter().all(is_constant),
                [] => false,
            }
        }
        _ => false,
    }
}

fn is_constant(node: &Node) -> bool {
    match &node.expr {
        Expr::Literal(literal) => *literal != Literal::Null,
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => is_constant(expr),
        _ => false,
    }
}

/// Whether an operator compares its sides as numbers or texts by size or equality, so that a value of run time can be one of them.
pub fn orders(op: BinaryOperator) -> bool {
    use BinaryOperator::{Eq, Gt, GtEq, Lt, LtEq};
    matches!(op, Eq | Lt | LtEq | Gt | GtEq)
}
