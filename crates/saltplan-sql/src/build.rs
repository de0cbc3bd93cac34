//! Constructors for expressions that saltplan itself prints.

use std::fmt::Display;

use super::ast::{BinaryOperator, Call, Column, Expr, Literal, Node, Type, UnaryOperator, When};
use super::functions::{CONCAT, Function, LENGTH, Operation, PRINTF, ResultType, SUBSTR};
use super::hive_type::DeclaredType;
use super::rewrite::has;
use super::runtime::Runtime;

impl From<&Expr> for Box<Node> {
    fn from(expr: &Expr) -> Self {
        expr.clone().into()
    }
}

impl From<usize> for Expr {
    fn from(number: usize) -> Self {
        Expr::number(number)
    }
}

/// Expressions as nodes without a place.
fn nodes(exprs: impl IntoIterator<Item = Expr>) -> Vec<Node> {
    exprs.into_iter().map(Node::from).collect()
}

/// Several conditions joined, the only one, or the truth of none.
fn joined(mut conditions: Vec<Expr>, of_none: bool, join: impl FnOnce(Vec<Node>) -> Expr) -> Expr {
    match conditions.len() {
        0 => Expr::truth(of_none),
        1 => conditions.remove(0),
        _ => join(nodes(conditions)),
    }
}

/// Each of several conditions in brackets, for people to read.
pub fn each_bracketed(conditions: Vec<Expr>) -> Vec<Expr> {
    if conditions.len() < 2 {
        return conditions;
    }
    conditions.into_iter().map(Expr::bracketed).collect()
}

impl Expr {
    /// A column, in backquotes.
    pub fn column(name: impl Into<String>) -> Self {
        Expr::Column(Column::quoted(name))
    }

    pub fn text(value: impl Into<String>) -> Self {
        Expr::Literal(Literal::Text(value.into()))
    }

    /// A text literal with a part that is filled in before the statement is read.
    pub fn filled_in(before: &str, text: &str, after: &str) -> Self {
        let [before, text, after] = [before, text, after].map(str::to_string);
        Expr::Literal(Literal::FilledIn { before, text, after })
    }

    /// A value that is filled in later, as a text.
    pub fn later(given: &Runtime) -> Self {
        if !given.is_expression() {
            return Expr::filled_in("", given.text(), "");
        }
        let value = Expr::Literal(Literal::Later(given.text().into()));
        if given.is_plain_text() { value } else { value.cast(Type::String) }
    }

    pub fn number(value: impl Display) -> Self {
        Expr::Literal(Literal::Number(value.to_string()))
    }

    pub fn null() -> Self {
        Expr::Literal(Literal::Null)
    }

    pub fn truth(value: bool) -> Self {
        Expr::Literal(Literal::Bool(value))
    }

    pub fn call(function: &'static Function, arguments: impl IntoIterator<Item = Expr>) -> Self {
        Expr::Call(Call::of(function, nodes(arguments)))
    }

    /// The concatenation of texts.
    pub fn concatenated(mut parts: Vec<Expr>) -> Self {
        match parts.len() {
            0 => Expr::text(""),
            1 => parts.remove(0),
            _ => Expr::call(&CONCAT, parts),
        }
    }

    /// The conjunction of conditions, `TRUE` if there are none.
    pub fn all(conditions: Vec<Expr>) -> Self {
        joined(conditions, true, Expr::And)
    }

    /// The disjunction of conditions, `FALSE` if there are none. Two or more are put in brackets as a whole.
    pub fn any(conditions: Vec<Expr>) -> Self {
        joined(conditions, false, |arms| Expr::Or(arms).bracketed())
    }

    /// [`Expr::all`] with brackets around each of several conditions, for people to read.
    pub fn conjunction(conditions: Vec<Expr>) -> Self {
        Expr::all(each_bracketed(conditions))
    }

    /// [`Expr::any`] with brackets around each of several conditions and none around the whole, for people to read.
    pub fn disjunction(conditions: Vec<Expr>) -> Self {
        joined(each_bracketed(conditions), false, Expr::Or)
    }

    #[must_use]
    pub fn bracketed(self) -> Self {
        Expr::Nested(self.into())
    }

    #[must_use]
    pub fn binary(&self, op: BinaryOperator, right: &Expr) -> Self {
        Expr::BinaryOp { left: self.into(), op, right: right.into() }
    }

    #[must_use]
    pub fn cast(&self, to: Type) -> Self {
        Expr::Cast { expr: self.into(), data_type: to, written: to.to_string() }
    }

    /// The expression as a declared type, printed as it was declared. Hive has no cast to a nested type.
    #[must_use]
    pub fn cast_as(&self, to: &DeclaredType) -> Self {
        match to.primitive() {
            Some(data_type) => Expr::Cast { expr: self.into(), data_type, written: to.written().to_string() },
            None => self.clone(),
        }
    }

    /// `count` characters of a text. The first character has the number 1.
    #[must_use]
    pub fn substr(&self, start: impl Into<Expr>, count: impl Into<Expr>) -> Self {
        Expr::call(&SUBSTR, [self.clone(), start.into(), count.into()])
    }

    /// A text from a character on. The first character has the number 1.
    #[must_use]
    pub fn substr_from(&self, start: impl Into<Expr>) -> Self {
        Expr::call(&SUBSTR, [self.clone(), start.into()])
    }

    /// A number with zeros in front, as by `%03d` in Java. A sign counts as one of the `width` characters.
    #[must_use]
    pub fn zero_filled(&self, width: usize) -> Self {
        Expr::call(&PRINTF, [Expr::text(format!("%0{width}d")), self.clone()])
    }

    #[must_use]
    pub fn length(&self) -> Self {
        Expr::call(&LENGTH, [self.clone()])
    }

    /// Whether a text matches a Java regular expression.
    #[must_use]
    pub fn rlike(&self, pattern: &str) -> Self {
        Expr::RLike { negated: false, expr: self.into(), pattern: Expr::text(pattern).into() }
    }

    #[must_use]
    pub fn negated(&self) -> Self {
        Expr::UnaryOp { op: UnaryOperator::Not, expr: self.into() }
    }

    #[must_use]
    pub fn is_null(&self) -> Self {
        Expr::Is { expr: self.into(), value: None, negated: false }
    }

    #[must_use]
    pub fn is_not_null(&self) -> Self {
        Expr::Is { expr: self.into(), value: None, negated: true }
    }

    #[must_use]
    pub fn between(&self, low: Expr, high: Expr) -> Self {
        Expr::Between { expr: self.into(), negated: false, low: low.into(), high: high.into() }
    }

    /// Whether the value is one of a list: `=` for one value, `IN` for several, `FALSE` for none.
    #[must_use]
    pub fn is_one_of(&self, mut values: Vec<Expr>) -> Self {
        match values.len() {
            0 => Expr::truth(false),
            1 => self.binary(BinaryOperator::Eq, &values.remove(0)),
            _ => self.is_in(values),
        }
    }

    /// Whether the value is one of a list, always as `IN`.
    #[must_use]
    pub fn is_in(&self, values: Vec<Expr>) -> Self {
        Expr::InList { expr: self.into(), list: nodes(values), negated: false }
    }

    /// Whether the expression has a CASE or an `if`. If these choose between texts, the statement needs
    /// `ROW_BY_ROW` in `saltplan-core`.
    pub fn chooses(&self) -> bool {
        has(self, |part| match part {
            Expr::Case { .. } => true,
            Expr::Call(call) => call.operation() == Operation::If,
            _ => false,
        })
    }

    /// Whether a part of it casts a whole number that is computed to another type of whole numbers. Vectorised, Hive 3.1.3 gives 0 for
    /// it, or the value of another expression, so the statement needs `ROW_BY_ROW` in `saltplan-core`.
    pub fn converts_whole_number(&self) -> bool {
        has(self, |part| match part {
            Expr::Cast { expr, data_type, .. } if data_type.is_integer() => match whole_number(expr) {
                Computed::Of(of) => of != *data_type,
                Computed::Unknown => true,
                Computed::Not => false,
            },
            _ => false,
        })
    }

    /// Whether the expression uses a column.
    pub fn uses(&self, column: &str) -> bool {
        has(self, |part| matches!(part, Expr::Column(own) if own.name.eq_ignore_ascii_case(column)))
    }
}

/// Whether an expression computes a whole number, and of which type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Computed {
    Of(Type),
    Unknown,
    /// A column, a constant, or a value of another kind.
    Not,
}

fn whole_number(expr: &Expr) -> Computed {
    match expr.unnested() {
        Expr::Cast { data_type, .. } if data_type.is_integer() => Computed::Of(*data_type),
        Expr::UnaryOp { op: UnaryOperator::Minus | UnaryOperator::BitwiseNot, expr } => {
            match whole_number(expr) {
                Computed::Of(of) => Computed::Of(of),
                _ => Computed::Unknown,
            }
        }
        Expr::BinaryOp { left, op, right } if !op.compares() && *op != BinaryOperator::Concat => {
            match [left, right].map(|side| whole_number(side)).contains(&Computed::Of(Type::BigInt)) {
                true => Computed::Of(Type::BigInt),
                false => Computed::Unknown,
            }
        }
        Expr::Call(call) => match call.function.map(|function| function.result) {
            Some(ResultType::Is(of)) if of.is_integer() => Computed::Of(of),
            Some(
                ResultType::Is(_)
                | ResultType::ArrayOf(_)
                | ResultType::ArrayOfCommon
                | ResultType::MapOf(..)
                | ResultType::MapOfCommon
                | ResultType::IsoDay
                | ResultType::TextOfArgument(_),
            ) => Computed::Not,
            _ => Computed::Unknown,
        },
        Expr::Case { .. } => Computed::Unknown,
        _ => Computed::Not,
    }
}

/// Builds a CASE expression.
#[derive(Debug)]
pub struct Case(Vec<When>);

impl Case {
    pub fn when(condition: &Expr, value: &Expr) -> Self {
        Case(Vec::new()).or_when(condition, value)
    }

    /// Conditions with their values, at least one.
    pub fn of_all<'e>(whens: impl IntoIterator<Item = (&'e Expr, &'e Expr)>) -> Self {
        whens.into_iter().fold(Case(Vec::new()), |case, (condition, value)| case.or_when(condition, value))
    }

    #[must_use]
    pub fn or_when(mut self, condition: &Expr, value: &Expr) -> Self {
        self.0.push(When { condition: condition.clone().into(), result: value.clone().into() });
        self
    }

    pub fn or_else(self, value: &Expr) -> Expr {
        self.ended(Some(value.into()))
    }

    pub fn or_null(self) -> Expr {
        self.ended(None)
    }

    fn ended(self, else_result: Option<Box<Node>>) -> Expr {
        Expr::Case { operand: None, conditions: self.0, else_result }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_printed_where_needed() {
        use BinaryOperator::{BitwiseAnd, Eq, Minus, Modulo, Plus};
        let (a, one) = (Expr::column("a"), Expr::number(1));
        let sum = a.binary(Plus, &one);
        for (expr, sql) in [
            (sum.binary(Minus, &one), "`a` + 1 - 1"),
            (one.binary(Minus, &sum), "1 - (`a` + 1)"),
            (sum.binary(Modulo, &Expr::number(-2)), "(`a` + 1) % -2"),
            (sum.binary(Eq, &Expr::number(-2)), "`a` + 1 = -2"),
            (a.binary(BitwiseAnd, &one).is_not_null(), "(`a` & 1) IS NOT NULL"),
            (
                Expr::all(vec![sum.is_not_null(), Expr::any(vec![a, one])]),
                "(`a` + 1) IS NOT NULL AND (`a` OR 1)",
            ),
        ] {
            assert_eq!(expr.to_string(), sql);
        }
    }

    #[test]
    fn chooses_and_uses_look_into_all_parts() {
        let b = Expr::column("b");
        let chosen = Case::when(&b.is_not_null(), &Expr::text("x")).or_else(&Expr::null());
        assert_eq!(chosen.to_string(), "CASE WHEN `b` IS NOT NULL THEN 'x' ELSE NULL END");
        let concat = |part| Expr::call(&CONCAT, [Expr::column("case"), part]);
        let whole = concat(chosen.cast(Type::String));
        assert!(whole.chooses() && whole.uses("case") && whole.uses("B") && !whole.uses("c"));
        assert!(!concat(Expr::text("if")).chooses());
    }
    #[test]
    fn casts_between_types_of_whole_numbers_are_found() {
        let text = Expr::call(&SUBSTR, [Expr::column("k"), 1.into(), 4.into()]);
        let number = text.cast(Type::BigInt).binary(BinaryOperator::Minus, &Expr::number(1));
        for (expr, converts) in [
            (text.cast(Type::Int), false),
            (Expr::column("n").cast(Type::BigInt), false),
            (number.cast(Type::BigInt), false),
            (number.cast(Type::Double), false),
            (number.cast(Type::String).cast(Type::Int), false),
            (number.cast(Type::Int), true),
            (number.bracketed().cast(Type::SmallInt), true),
            (text.cast(Type::Int).cast(Type::BigInt), true),
            (Expr::call(&LENGTH, [text.clone()]).cast(Type::BigInt), true),
            (Expr::call(&LENGTH, [text]).cast(Type::Int), false),
            (Expr::column("n").binary(BinaryOperator::Plus, &Expr::number(1)).cast(Type::BigInt), true),
        ] {
            assert_eq!(expr.converts_whole_number(), converts, "{expr}");
        }
    }
}
