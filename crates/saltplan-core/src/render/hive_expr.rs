//! HiveQL of one value or one condition, with what the statement around it has to know: nobody searches in printed text.

use std::collections::BTreeSet;
use std::fmt::Display;

use serde::{Serialize, Serializer};

use super::hive_text::identifier;
use crate::hiveql::Expression;
use crate::hiveql::literal;
use crate::key::field::FieldId;
use crate::schema::model::ColumnId;

/// What an expression is computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExprInput {
    /// The row key.
    Key,
    /// A column of the schema, by its index.
    Column(ColumnId),
    /// Columns that a query computes on the way: the instant of a key field, by its index, and what its clock shows.
    Clock(FieldId),
}

/// How tightly the parts of an expression hold together, the loosest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    And,
    /// Languages disagree about the place of these among the others, so they stand in brackets.
    BitwiseXor,
    BitwiseAnd,
    Comparison,
    Sum,
    Product,
    /// A number with a sign.
    Signed,
    /// A name, a literal, a call, or what stands in brackets.
    Value,
}

/// An expression of HiveQL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiveExpr {
    sql: String,
    binding: Binding,
    chooses: bool,
    inputs: BTreeSet<ExprInput>,
}

impl HiveExpr {
    /// A column, by its plain name.
    pub fn column(input: ExprInput, name: &str) -> Self {
        HiveExpr { inputs: BTreeSet::from([input]), ..Self::written(identifier(name)) }
    }

    /// A quoted name that stands for none of the [inputs](ExprInput): of a table beside the mapping table, or of a query around it.
    pub fn name(quoted: impl Into<String>) -> Self {
        Self::written(quoted)
    }

    /// A column that the query computes on the way, by its quoted name.
    pub fn computed(field: FieldId, quoted: String) -> Self {
        HiveExpr { inputs: BTreeSet::from([ExprInput::Clock(field)]), ..Self::written(quoted) }
    }

    /// An expression that the schema gives. How tightly its parts hold together, nobody asks: it stands alone.
    pub fn of_schema(expression: &Expression, inputs: impl Iterator<Item = ExprInput>) -> Self {
        let chooses = expression.chooses();
        HiveExpr { chooses, inputs: inputs.collect(), ..Self::written(expression.sql()) }
    }

    pub fn text(value: &str) -> Self {
        Self::written(literal(value))
    }

    /// A literal with text in it that is filled in before the statement is read.
    pub fn filled_in(before: &str, text: &str, behind: &str) -> Self {
        let inner = |part: &str| {
            let literal = literal(part);
            literal[1..literal.len() - 1].to_string()
        };
        Self::written(format!("'{}{text}{}'", inner(before), inner(behind)))
    }

    pub fn number(value: impl Display) -> Self {
        let sql = value.to_string();
        let binding = if sql.starts_with('-') { Binding::Signed } else { Binding::Value };
        HiveExpr { binding, ..Self::written(sql) }
    }

    pub fn null() -> Self {
        Self::written("NULL")
    }

    pub fn truth(value: bool) -> Self {
        Self::written(if value { "TRUE" } else { "FALSE" })
    }

    pub fn call(function: &str, arguments: impl IntoIterator<Item = HiveExpr>) -> Self {
        Self::listed(&format!("{function}("), arguments, ")")
    }

    /// Texts one behind the other.
    pub fn concatenated(parts: Vec<HiveExpr>) -> Self {
        match <[HiveExpr; 1]>::try_from(parts) {
            Ok([only]) => only,
            Err(none) if none.is_empty() => Self::text(""),
            Err(several) => Self::call("concat", several),
        }
    }

    /// What holds where all of the conditions do; none of them is an OR without brackets.
    pub fn all(conditions: Vec<HiveExpr>) -> Self {
        Self::joined(conditions, " AND ", true)
    }

    /// What holds where one of the conditions does; several stand in brackets.
    pub fn any(conditions: Vec<HiveExpr>) -> Self {
        let is_one = conditions.len() < 2;
        let any = Self::joined(conditions, " OR ", false);
        if is_one { any } else { any.bracketed() }
    }

    fn joined(parts: Vec<HiveExpr>, connective: &str, of_none: bool) -> Self {
        match <[HiveExpr; 1]>::try_from(parts) {
            Ok([only]) => only,
            Err(none) if none.is_empty() => Self::truth(of_none),
            Err(several) => {
                let mut made = HiveExpr { binding: Binding::And, ..Self::written("") };
                for (index, part) in several.iter().enumerate() {
                    made.sql.push_str(if index == 0 { "" } else { connective });
                    made.push(part);
                }
                made
            }
        }
    }

    /// Text that is put together of some expressions, a value in its own right.
    pub fn made_of<'e>(parts: impl IntoIterator<Item = &'e HiveExpr>, sql: String) -> Self {
        let mut made = Self::written(sql);
        parts.into_iter().for_each(|part| made.learn(part));
        made
    }

    #[must_use]
    pub fn cast(&self, hive_type: &str) -> Self {
        Self::made_of([self], format!("cast({} as {hive_type})", self.sql))
    }

    /// A part of a text, its start counted from 1.
    #[must_use]
    pub fn substr(&self, start: impl Into<HiveExpr>, count: impl Into<HiveExpr>) -> Self {
        Self::call("substr", [self.clone(), start.into(), count.into()])
    }

    /// A text from a place on.
    #[must_use]
    pub(crate) fn substr_from(&self, start: impl Into<HiveExpr>) -> Self {
        Self::call("substr", [self.clone(), start.into()])
    }

    /// A number of so many digits, as Java's `%03d`: the sign counts as one of them.
    #[must_use]
    pub(crate) fn zero_filled(&self, width: usize) -> Self {
        Self::call("printf", [Self::text(&format!("%0{width}d")), self.clone()])
    }

    #[must_use]
    pub fn length(&self) -> Self {
        Self::call("length", [self.clone()])
    }

    /// Whether a text matches a pattern of Java.
    #[must_use]
    pub fn rlike(&self, pattern: &str) -> Self {
        self.compare("RLIKE", &Self::text(pattern))
    }

    #[must_use]
    pub fn is_not_null(&self) -> Self {
        self.followed_by(" IS NOT NULL")
    }

    #[must_use]
    pub fn between(&self, least: impl Display, most: impl Display) -> Self {
        self.followed_by(&format!(" BETWEEN {least} AND {most}"))
    }

    /// Whether it is one of some literals.
    #[must_use]
    pub(crate) fn is_one_of(&self, literals: &[String]) -> Self {
        match literals {
            [] => Self::truth(false),
            [only] => self.followed_by(&format!(" = {only}")),
            _ => self.is_in(literals),
        }
    }

    /// [`HiveExpr::is_one_of`] as a list, however few there are.
    #[must_use]
    pub(crate) fn is_in(&self, literals: &[String]) -> Self {
        self.followed_by(&format!(" IN ({})", literals.join(", ")))
    }

    fn followed_by(&self, words: &str) -> Self {
        let operand = self.operand(Binding::Sum);
        let sql = format!("{}{words}", operand.sql);
        HiveExpr { binding: Binding::Comparison, ..Self::made_of([&operand], sql) }
    }

    #[must_use]
    pub fn compare(&self, operator: &str, other: &HiveExpr) -> Self {
        self.operation(Binding::Comparison, operator, other)
    }

    /// `+` or `-`.
    #[must_use]
    pub fn sum(&self, operator: &str, other: &HiveExpr) -> Self {
        self.operation(Binding::Sum, operator, other)
    }

    /// `*`, `DIV` or `%`.
    #[must_use]
    pub fn product(&self, operator: &str, other: &HiveExpr) -> Self {
        self.operation(Binding::Product, operator, other)
    }

    #[must_use]
    pub(crate) fn bitwise_xor(&self, other: &HiveExpr) -> Self {
        self.operation(Binding::BitwiseXor, "^", other)
    }

    #[must_use]
    pub(crate) fn bitwise_and(&self, other: &HiveExpr) -> Self {
        self.operation(Binding::BitwiseAnd, "&", other)
    }

    fn operation(&self, binding: Binding, operator: &str, other: &HiveExpr) -> Self {
        let next = match binding {
            Binding::And | Binding::BitwiseXor | Binding::BitwiseAnd => Binding::Value,
            Binding::Comparison => Binding::Sum,
            Binding::Sum => Binding::Product,
            Binding::Product | Binding::Signed | Binding::Value => Binding::Value,
        };
        let (left, right) = (self.operand(binding), other.operand(next));
        let sql = format!("{} {operator} {}", left.sql, right.sql);
        HiveExpr { binding, ..Self::made_of([&left, &right], sql) }
    }

    /// In brackets, where its parts hold together less tightly than needed.
    fn operand(&self, needed: Binding) -> Self {
        if self.binding < needed { self.bracketed() } else { self.clone() }
    }

    /// In brackets, needed or not.
    #[must_use]
    pub(crate) fn bracketed(&self) -> Self {
        Self::made_of([self], format!("({})", self.sql))
    }

    pub fn sql(&self) -> &str {
        &self.sql
    }

    pub(crate) fn into_sql(self) -> String {
        self.sql
    }

    /// Whether a CASE or an `if` chooses between values; of texts only [`ROW_BY_ROW`](super::hive_text::ROW_BY_ROW) does that right
    /// everywhere.
    pub fn chooses(&self) -> bool {
        self.chooses
    }

    pub fn uses(&self, input: ExprInput) -> bool {
        self.inputs.contains(&input)
    }

    fn written(sql: impl Into<String>) -> Self {
        HiveExpr { sql: sql.into(), binding: Binding::Value, chooses: false, inputs: BTreeSet::new() }
    }

    fn listed(before: &str, parts: impl IntoIterator<Item = HiveExpr>, behind: &str) -> Self {
        let mut made = Self::written(before);
        for (index, part) in parts.into_iter().enumerate() {
            made.sql.push_str(if index == 0 { "" } else { ", " });
            made.push(&part);
        }
        made.sql.push_str(behind);
        made
    }

    fn push(&mut self, part: &HiveExpr) {
        self.sql.push_str(&part.sql);
        self.learn(part);
    }

    fn learn(&mut self, part: &HiveExpr) {
        self.chooses |= part.chooses;
        self.inputs.extend(&part.inputs);
    }
}

/// Templates print the SQL.
impl Serialize for HiveExpr {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.sql)
    }
}

impl From<usize> for HiveExpr {
    fn from(number: usize) -> Self {
        HiveExpr::number(number)
    }
}

/// SQL put together piece by piece, of which somebody else knows that it is one value.
#[derive(Debug)]
pub(crate) struct ExprDraft(HiveExpr);

impl ExprDraft {
    pub fn new() -> Self {
        ExprDraft(HiveExpr::written(""))
    }

    pub fn words(&mut self, words: &str) {
        self.0.sql.push_str(words);
    }

    /// A word that chooses between values: CASE or `if`.
    pub fn choice(&mut self, word: &str) {
        self.0.chooses = true;
        self.words(word);
    }

    pub fn expression(&mut self, expression: &HiveExpr) {
        self.0.push(expression);
    }

    pub fn len(&self) -> usize {
        self.0.sql.len()
    }

    pub fn finish(self) -> HiveExpr {
        self.0
    }
}

/// A CASE in the making.
#[derive(Debug)]
pub struct Case(HiveExpr);

impl Case {
    pub fn when(condition: &HiveExpr, value: &HiveExpr) -> Self {
        let start = HiveExpr { chooses: true, ..HiveExpr::written("CASE") };
        Case(start).or_when(condition, value)
    }

    #[must_use]
    pub(crate) fn or_when(mut self, condition: &HiveExpr, value: &HiveExpr) -> Self {
        for (word, part) in [(" WHEN ", condition), (" THEN ", value)] {
            self.0.sql.push_str(word);
            self.0.push(part);
        }
        self
    }

    pub fn or_else(mut self, value: &HiveExpr) -> HiveExpr {
        self.0.sql.push_str(" ELSE ");
        self.0.push(value);
        self.or_null()
    }

    pub fn or_null(mut self) -> HiveExpr {
        self.0.sql.push_str(" END");
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::id::Id;

    fn column(name: &str) -> HiveExpr {
        HiveExpr::column(ExprInput::Column(ColumnId::new(0)), name)
    }

    #[test]
    fn brackets_stand_where_they_are_needed() {
        let (a, one) = (column("a"), HiveExpr::number(1));
        let sum = a.sum("+", &one);
        assert_eq!(sum.sum("-", &one).sql(), "`a` + 1 - 1");
        assert_eq!(one.sum("-", &sum).sql(), "1 - (`a` + 1)");
        assert_eq!(sum.product("%", &HiveExpr::number(-2)).sql(), "(`a` + 1) % (-2)");
        assert_eq!(sum.compare("=", &HiveExpr::number(-2)).sql(), "`a` + 1 = -2");
        assert_eq!(a.bitwise_and(&one).is_not_null().sql(), "(`a` & 1) IS NOT NULL");
        assert_eq!(
            HiveExpr::all(vec![sum.is_not_null(), HiveExpr::any(vec![a, one])]).sql(),
            "`a` + 1 IS NOT NULL AND (`a` OR 1)"
        );
    }

    #[test]
    fn what_is_known_of_parts_is_known_of_the_whole() {
        let chosen = Case::when(&column("b").is_not_null(), &HiveExpr::text("x")).or_else(&HiveExpr::null());
        assert_eq!(chosen.sql(), "CASE WHEN `b` IS NOT NULL THEN 'x' ELSE NULL END");
        let whole =
            HiveExpr::call("concat", [HiveExpr::column(ExprInput::Key, "case"), chosen.cast("string")]);
        assert!(
            whole.chooses() && whole.uses(ExprInput::Key) && whole.uses(ExprInput::Column(ColumnId::new(0)))
        );
        assert!(!whole.uses(ExprInput::Clock(FieldId::new(0))));
        assert!(
            !HiveExpr::call("concat", [HiveExpr::column(ExprInput::Key, "case"), HiveExpr::text("if")])
                .chooses()
        );
    }
}
