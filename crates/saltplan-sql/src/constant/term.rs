//! What the values of constants are computed of: the same for the syntax tree and for other trees of expressions.

use crate::ast::{BinaryOperator, Call, Expr, Literal, Node, TimeUnit, Type, UnaryOperator};
use crate::functions::{Function, Operation};
use crate::value::{Constant, Decimal, NumberType, Typed};

use super::cast::typed_text;

/// An expression without the brackets around it, in some tree of expressions.
pub trait Tree {
    /// Its parts.
    type Part: Tree<Part = Self::Part>;

    fn term(&self) -> Term<'_, Self::Part>;

    /// The value of a [`Term::Constant`]; `None` where versions of Hive differ.
    fn value(&self) -> Option<Typed>;
}

/// What an expression does with its parts, if that may be computed.
#[derive(Debug)]
pub enum Term<'e, P> {
    /// A literal, or another constant whose value is kept.
    Constant,
    Sign(UnaryOperator, &'e P),
    Cast(&'e P, Type),
    Binary(&'e P, BinaryOperator, &'e P),
    /// `INTERVAL 1 DAY`; not an amount of several units.
    Interval(&'e P, TimeUnit),
    Call(CallTerm<'e, P>),
    Other,
}

/// A call with plain arguments.
#[derive(Debug)]
pub struct CallTerm<'e, P> {
    pub function: Option<&'static Function>,
    pub arguments: &'e [P],
}

impl<P> CallTerm<'_, P> {
    /// What the function does, if some code has a rule for it.
    pub fn operation(&self) -> Operation {
        self.function.map_or(Operation::Other, |function| function.operation)
    }
}

impl Tree for Expr {
    type Part = Node;

    fn term(&self) -> Term<'_, Node> {
        match self.unnested() {
            Expr::Literal(_) | Expr::TypedText { .. } => Term::Constant,
            Expr::UnaryOp { op, expr } => Term::Sign(*op, expr),
            Expr::Cast { expr, data_type, .. } => Term::Cast(expr, *data_type),
            Expr::BinaryOp { left, op, right } => Term::Binary(left, *op, right),
            Expr::Interval { amount, unit, last: None } => Term::Interval(amount, *unit),
            Expr::Call(Call { function, arguments, .. }) => {
                Term::Call(CallTerm { function: *function, arguments })
            }
            _ => Term::Other,
        }
    }

    fn value(&self) -> Option<Typed> {
        match self.unnested() {
            Expr::Literal(value) => literal(value),
            Expr::TypedText { data_type, text } => typed_text(text, *data_type).map(Typed::plain),
            _ => None,
        }
    }
}

impl Tree for Node {
    type Part = Node;

    fn term(&self) -> Term<'_, Node> {
        self.expr.term()
    }

    fn value(&self) -> Option<Typed> {
        self.expr.value()
    }
}

impl<T: Tree> Tree for Box<T> {
    type Part = T::Part;

    fn term(&self) -> Term<'_, T::Part> {
        (**self).term()
    }

    fn value(&self) -> Option<Typed> {
        (**self).value()
    }
}

fn literal(value: &Literal) -> Option<Typed> {
    match value {
        Literal::Number(text) | Literal::TypedNumber { digits: text, .. } => {
            let number = Decimal::parse(text)?;
            let of = match text {
                text if text.contains(['e', 'E']) => NumberType::Double,
                text if text.contains('.') => NumberType::Decimal,
                _ if NumberType::INT.holds(number) => NumberType::INT,
                _ if NumberType::BIGINT.holds(number) => NumberType::BIGINT,
                _ => NumberType::Decimal,
            };
            Typed::number(number, of)
        }
        Literal::Bool(value) => Some(Typed::plain(Constant::Bool(*value))),
        Literal::Null => Some(Typed::plain(Constant::Null)),
        Literal::Text(text) => Some(Typed::plain(Constant::Text(text.clone()))),
        Literal::FilledIn { .. } | Literal::Later(_) => None,
    }
}
