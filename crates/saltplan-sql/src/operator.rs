//! Binary operators: how they are written, and how tightly they bind.

/// How tightly an expression binds, the loosest first. Hive 2.3 and 3.1 agree on this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Or,
    And,
    Not,
    /// `IS NULL`. No Hive accepts it as the right operand of an operator, and Hive 4 not as the left operand
    /// either.
    Test,
    Equality,
    Comparison,
    BitwiseOr,
    BitwiseAnd,
    Concat,
    Sum,
    Product,
    BitwiseXor,
    Sign,
    Atom,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    Eq,
    NotEq,
    /// `<=>`: NULL equals NULL.
    NullSafeEq,
    DistinctFrom,
    /// Another spelling of [`NullSafeEq`](Self::NullSafeEq).
    NotDistinctFrom,
    Lt,
    LtEq,
    Gt,
    GtEq,
    BitwiseOr,
    BitwiseAnd,
    BitwiseXor,
    /// `||`
    Concat,
    Plus,
    Minus,
    Multiply,
    /// `/`: the quotient is a double or a decimal.
    Divide,
    /// `DIV`: the quotient is rounded towards zero.
    IntegerDivide,
    Modulo,
}

/// How each operator is written, and how tightly it binds, in the order of the operators.
const OPERATORS: [(BinaryOperator, &str, Level); 19] = [
    (BinaryOperator::Eq, "=", Level::Equality),
    (BinaryOperator::NotEq, "<>", Level::Equality),
    (BinaryOperator::NullSafeEq, "<=>", Level::Equality),
    (BinaryOperator::DistinctFrom, "IS DISTINCT FROM", Level::Equality),
    (BinaryOperator::NotDistinctFrom, "IS NOT DISTINCT FROM", Level::Equality),
    (BinaryOperator::Lt, "<", Level::Comparison),
    (BinaryOperator::LtEq, "<=", Level::Comparison),
    (BinaryOperator::Gt, ">", Level::Comparison),
    (BinaryOperator::GtEq, ">=", Level::Comparison),
    (BinaryOperator::BitwiseOr, "|", Level::BitwiseOr),
    (BinaryOperator::BitwiseAnd, "&", Level::BitwiseAnd),
    (BinaryOperator::BitwiseXor, "^", Level::BitwiseXor),
    (BinaryOperator::Concat, "||", Level::Concat),
    (BinaryOperator::Plus, "+", Level::Sum),
    (BinaryOperator::Minus, "-", Level::Sum),
    (BinaryOperator::Multiply, "*", Level::Product),
    (BinaryOperator::Divide, "/", Level::Product),
    (BinaryOperator::IntegerDivide, "DIV", Level::Product),
    (BinaryOperator::Modulo, "%", Level::Product),
];

impl BinaryOperator {
    pub(super) fn of_sign(sign: &str) -> Option<Self> {
        OPERATORS.iter().find(|(_, written, _)| *written == sign).map(|(op, ..)| *op)
    }

    pub fn sign(self) -> &'static str {
        OPERATORS[self as usize].1
    }

    #[inline]
    pub(super) fn level(self) -> Level {
        OPERATORS[self as usize].2
    }

    /// Whether it compares two values.
    #[inline]
    pub fn compares(self) -> bool {
        matches!(self.level(), Level::Equality | Level::Comparison)
    }

    /// Whether it compares NULL as a value, so that the result is TRUE or FALSE.
    pub fn is_null_safe(self) -> bool {
        matches!(
            self,
            BinaryOperator::NullSafeEq | BinaryOperator::DistinctFrom | BinaryOperator::NotDistinctFrom
        )
    }

    /// A comparison with its sides exchanged; any other operator as it is.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            BinaryOperator::Lt => BinaryOperator::Gt,
            BinaryOperator::LtEq => BinaryOperator::GtEq,
            BinaryOperator::Gt => BinaryOperator::Lt,
            BinaryOperator::GtEq => BinaryOperator::LtEq,
            other => other,
        }
    }
}
