//! Constructors for the conditions that the law draws. The printer puts brackets where Hive's precedence needs them.

use std::fmt::Display;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use saltplan_sql::ast::{BinaryOperator, Call, Column, Expr, Node, Type, UnaryOperator, When};

/// A value or a condition, with operators that make larger ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Sql(pub Expr);

impl From<Sql> for Node {
    fn from(sql: Sql) -> Self {
        sql.0.into()
    }
}

impl From<Sql> for Box<Node> {
    fn from(sql: Sql) -> Self {
        sql.0.into()
    }
}

fn nodes(items: impl IntoIterator<Item = Sql>) -> Vec<Node> {
    items.into_iter().map(Node::from).collect()
}

pub fn column(name: &str) -> Sql {
    Sql(Expr::Column(Column::new(name)))
}

/// A number as it is displayed. A negative one is a sign and a number, as SQL reads it.
pub fn number(value: impl Display) -> Sql {
    let digits = value.to_string();
    match digits.strip_prefix('-') {
        Some(digits) => -number(digits),
        None => Sql(Expr::number(digits)),
    }
}

pub fn text(value: impl Into<String>) -> Sql {
    Sql(Expr::text(value))
}

pub fn null() -> Sql {
    Sql(Expr::null())
}

pub fn truth(value: bool) -> Sql {
    Sql(Expr::truth(value))
}

pub fn date(text: impl Into<String>) -> Sql {
    Sql(Expr::TypedText { data_type: Type::Date, text: text.into() })
}

pub fn timestamp(text: impl Into<String>) -> Sql {
    Sql(Expr::TypedText { data_type: Type::Timestamp, text: text.into() })
}

pub fn call<const N: usize>(function: &str, arguments: [Sql; N]) -> Sql {
    Sql(Expr::Call(Call::plain(function, nodes(arguments))))
}

/// A row of values.
pub fn row<const N: usize>(items: [Sql; N]) -> Sql {
    Sql(Expr::Tuple(nodes(items)))
}

/// The conjunction of conditions, each in brackets.
pub fn conjunction(conditions: Vec<Sql>) -> Sql {
    Sql(Expr::conjunction(conditions.into_iter().map(|condition| condition.0).collect()))
}

/// The disjunction of conditions, each in brackets.
pub fn disjunction(conditions: Vec<Sql>) -> Sql {
    Sql(Expr::disjunction(conditions.into_iter().map(|condition| condition.0).collect()))
}

/// `CASE operand WHEN … THEN … ELSE … END`
pub fn case<const N: usize>(operand: Option<Sql>, whens: [(Sql, Sql); N], otherwise: Option<Sql>) -> Sql {
    let when = |(condition, result): (Sql, Sql)| When { condition: condition.into(), result: result.into() };
    Sql(Expr::Case {
        operand: operand.map(Box::from),
        conditions: whens.into_iter().map(when).collect(),
        else_result: otherwise.map(Box::from),
    })
}

impl Sql {
    #[must_use]
    pub fn op(self, op: BinaryOperator, right: Sql) -> Sql {
        Sql(Expr::BinaryOp { left: self.into(), op, right: right.into() })
    }

    /// `self = right`
    #[must_use]
    pub fn equals(self, right: Sql) -> Sql {
        self.op(BinaryOperator::Eq, right)
    }

    #[must_use]
    pub fn bracketed(self) -> Sql {
        Sql(self.0.bracketed())
    }

    /// `NOT (self)`
    #[must_use]
    pub fn negated(self) -> Sql {
        Sql(Expr::UnaryOp { op: UnaryOperator::Not, expr: self.bracketed().into() })
    }

    #[must_use]
    pub fn and(self, right: Sql) -> Sql {
        Sql(Expr::And(nodes([self, right])))
    }

    /// One AND of several conditions, as the grammar reads them without brackets.
    #[must_use]
    pub fn all<const N: usize>(conditions: [Sql; N]) -> Sql {
        Sql(Expr::And(nodes(conditions)))
    }

    #[must_use]
    pub fn or(self, right: Sql) -> Sql {
        Sql(Expr::Or(nodes([self, right])))
    }

    /// `self [NOT] IN (list)`
    #[must_use]
    pub fn is_in(self, negated: bool, list: impl IntoIterator<Item = Sql>) -> Sql {
        Sql(Expr::InList { expr: self.into(), list: nodes(list), negated })
    }

    /// `self [NOT] BETWEEN low AND high`
    #[must_use]
    pub fn between(self, negated: bool, low: Sql, high: Sql) -> Sql {
        Sql(Expr::Between { expr: self.into(), negated, low: low.into(), high: high.into() })
    }

    /// `self [NOT] LIKE pattern [ESCAPE escape]`
    #[must_use]
    pub fn like(self, negated: bool, pattern: Sql, escape: Option<&str>) -> Sql {
        let escape_char = escape.map(|escape| text(escape).into());
        Sql(Expr::Like { negated, expr: self.into(), pattern: pattern.into(), escape_char })
    }

    /// `self [NOT] RLIKE pattern`
    #[must_use]
    pub fn rlike(self, negated: bool, pattern: impl Into<String>) -> Sql {
        Sql(Expr::RLike { negated, expr: self.into(), pattern: text(pattern).into() })
    }

    /// A test such as `(self) IS TRUE`.
    #[must_use]
    pub fn is(self, value: Option<bool>, negated: bool) -> Sql {
        Sql(Expr::Is { expr: self.into(), value, negated })
    }

    /// `self IS [NOT] DISTINCT FROM right`
    #[must_use]
    pub fn is_distinct_from(self, negated: bool, right: Sql) -> Sql {
        let op = if negated { BinaryOperator::NotDistinctFrom } else { BinaryOperator::DistinctFrom };
        self.op(op, right)
    }

    #[must_use]
    pub fn cast(self, data_type: Type) -> Sql {
        let written = data_type.to_string();
        Sql(Expr::Cast { expr: self.into(), data_type, written })
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $operator:ident) => {
        impl $trait for Sql {
            type Output = Sql;

            fn $method(self, right: Sql) -> Sql {
                self.op(BinaryOperator::$operator, right)
            }
        }
    };
}

operator!(Add, add, Plus);
operator!(Sub, sub, Minus);
operator!(Mul, mul, Multiply);
operator!(Div, div, Divide);
operator!(Rem, rem, Modulo);

impl Neg for Sql {
    type Output = Sql;

    fn neg(self) -> Sql {
        Sql(Expr::UnaryOp { op: UnaryOperator::Minus, expr: self.into() })
    }
}
