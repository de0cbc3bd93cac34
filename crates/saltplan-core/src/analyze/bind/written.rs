//! A bound tree as the expression that was written: without the casts that binding adds, and constants as they were spelled.

use super::tree::{Bound, BoundCall, BoundNode, CastOrigin, Operator};
use saltplan_sql::ast::{Call, CallForm, Expr, Literal, Node, UnaryOperator, When};
use saltplan_sql::hive_type::Type;

/// The expression of a bound tree, with the brackets of the text.
pub fn written(node: &BoundNode) -> Expr {
    written_with(node, &mut |_, _| None)
}

/// The same with its places.
pub fn written_node(node: &BoundNode) -> Node {
    Node::new(written(node), node.span)
}

/// What to put in the place of a part; `None` keeps it. The second argument is the expression around the part.
pub type Put<'p> = dyn FnMut(&BoundNode, Option<&BoundNode>) -> Option<Expr> + 'p;

/// The expression of a bound tree with other expressions in the place of some of its parts. Outer parts are asked first, and what is put
/// in the place of a part stands in the brackets of that part.
pub fn written_with(node: &BoundNode, put: &mut Put<'_>) -> Expr {
    Writer { put }.expr(node, None)
}

struct Writer<'w, 'p> {
    put: &'w mut Put<'p>,
}

impl Writer<'_, '_> {
    fn expr(&mut self, node: &BoundNode, around: Option<&BoundNode>) -> Expr {
        if let Bound::Cast { operand, origin: CastOrigin::Added } = &node.what {
            return self.expr(operand, around);
        }
        let expr = (self.put)(node, around).unwrap_or_else(|| self.bare(node));
        (0..node.brackets).fold(expr, |expr, _| Expr::Nested(Node::new(expr, node.span).into()))
    }

    fn part(&mut self, node: &BoundNode, around: &BoundNode) -> Node {
        Node::new(self.expr(node, Some(around)), node.span)
    }

    fn parts(&mut self, nodes: &[BoundNode], around: &BoundNode) -> Vec<Node> {
        nodes.iter().map(|node| self.part(node, around)).collect()
    }

    fn boxed(&mut self, node: &BoundNode, around: &BoundNode) -> Box<Node> {
        Box::new(self.part(node, around))
    }

    /// Without the brackets around it.
    fn bare(&mut self, node: &BoundNode) -> Expr {
        match &node.what {
            Bound::Column(column) => Expr::Column(column.written.clone()),
            Bound::Constant(constant) => constant.spelled(),
            Bound::Runtime(name) => Expr::Runtime(name.clone()),
            Bound::Cast { operand, origin } => match origin {
                CastOrigin::Added => self.expr(operand, Some(node)),
                CastOrigin::Written(spelled) => {
                    let data_type = node.primitive().unwrap_or(Type::String);
                    Expr::Cast { expr: self.boxed(operand, node), data_type, written: spelled.clone() }
                }
            },
            Bound::Operation { operator, operands } => operation(*operator, self.parts(operands, node)),
            Bound::Call(BoundCall { function, name, arguments, form }) => {
                let arguments = self.parts(arguments, node);
                let call = Call { name: name.clone(), function: *function, arguments, form: *form };
                if matches!(form, CallForm::Distinct | CallForm::Star) {
                    Expr::Opaque(call)
                } else {
                    Expr::Call(call)
                }
            }
            Bound::Case { operand, arms, otherwise } => {
                let operand = operand.as_deref().map(|operand| self.boxed(operand, node));
                let conditions = arms
                    .iter()
                    .map(|(condition, result)| When {
                        condition: self.part(condition, node),
                        result: self.part(result, node),
                    })
                    .collect();
                let else_result = otherwise.as_deref().map(|result| self.boxed(result, node));
                Expr::Case { operand, conditions, else_result }
            }
            Bound::Member { operand, name } => {
                Expr::Member { expr: self.boxed(operand, node), name: name.clone() }
            }
            Bound::Row(items) => Expr::Tuple(self.parts(items, node)),
            Bound::Interval { amount, unit, last } => {
                Expr::Interval { amount: self.boxed(amount, node), unit: *unit, last: *last }
            }
            Bound::Unread { written, .. } => (**written).clone(),
        }
    }
}

fn operation(operator: Operator, operands: Vec<Node>) -> Expr {
    let mut rest = operands.into_iter();
    let mut next = || Box::new(rest.next().unwrap_or_else(|| Expr::Literal(Literal::Null).into()));
    match operator {
        Operator::And => Expr::And(rest.collect()),
        Operator::Or => Expr::Or(rest.collect()),
        Operator::Not => Expr::UnaryOp { op: UnaryOperator::Not, expr: next() },
        Operator::Plus => Expr::UnaryOp { op: UnaryOperator::Plus, expr: next() },
        Operator::Minus => Expr::UnaryOp { op: UnaryOperator::Minus, expr: next() },
        Operator::BitwiseNot => Expr::UnaryOp { op: UnaryOperator::BitwiseNot, expr: next() },
        Operator::Binary(op) => Expr::BinaryOp { left: next(), op, right: next() },
        Operator::Is { value, negated } => Expr::Is { expr: next(), value, negated },
        Operator::In { negated } => Expr::InList { expr: next(), list: rest.collect(), negated },
        Operator::Between { negated } => Expr::Between { expr: next(), negated, low: next(), high: next() },
        Operator::Like { negated } => {
            let (expr, pattern) = (next(), next());
            Expr::Like { negated, expr, pattern, escape_char: rest.next().map(Box::new) }
        }
        Operator::RLike { negated } => Expr::RLike { negated, expr: next(), pattern: next() },
        Operator::Element => Expr::Element { expr: next(), index: next() },
    }
}
