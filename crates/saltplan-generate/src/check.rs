//! Residuals as code: conditions on text columns, with the three truth values of SQL.
//!
//! A condition is an expression that is true, false, or unknown: `null` of a `Boolean` in Java, `None` in Python. The
//! functions that it calls are in the templates. Everything else has no code here: numbers and dates in a cell would
//! have to be read as Hive reads them.

use std::collections::BTreeSet;

use saltplan_core::schema::model::{CellEncoding, Schema};
use saltplan_sql::ast::{BinaryOperator, Expr, Literal, Node, UnaryOperator};

use crate::language::Language;
use saltplan_sql::hive_type::Type;

/// The maximum depth of brackets: a file in Python may have 200.
const MAX_DEPTH: usize = 30;
/// The maximum number of columns and literals: a method in Java has at most 64 KB of instructions.
const MAX_LEAVES: usize = 1_000;

/// The code of conditions, and the functions that it calls.
#[derive(Debug)]
pub(crate) struct CheckWriter<'a> {
    schema: &'a Schema,
    language: Language,
    pub(crate) helpers: BTreeSet<&'static str>,
}

impl<'a> CheckWriter<'a> {
    pub(crate) fn new(schema: &'a Schema, language: Language) -> Self {
        CheckWriter { schema, language, helpers: BTreeSet::new() }
    }

    /// The condition as an expression; `None` if a part of it has no code.
    pub(crate) fn code(&mut self, condition: &Expr) -> Option<String> {
        let mut leaves = 0;
        let mut attempt = CheckWriter::new(self.schema, self.language);
        let code = attempt.condition(condition, 0, &mut leaves)?;
        self.helpers.extend(attempt.helpers);
        Some(code)
    }

    fn condition(&mut self, expr: &Expr, depth: usize, leaves: &mut usize) -> Option<String> {
        *leaves += 1;
        if depth > MAX_DEPTH || *leaves > MAX_LEAVES {
            return None;
        }
        let mut part = |writer: &mut Self, node: &Node| writer.condition(node, depth + 1, leaves);
        match expr {
            Expr::Nested(inner) => self.condition(inner, depth, leaves),
            Expr::Literal(Literal::Bool(value)) => {
                let [java, python] = if *value { ["true", "True"] } else { ["false", "False"] };
                Some(self.language.pick(java, python).into())
            }
            Expr::And(parts) | Expr::Or(parts) => {
                let parts = parts.iter().map(|node| part(self, node)).collect::<Option<Vec<_>>>()?;
                let name = if matches!(expr, Expr::And(_)) { "and" } else { "or" };
                Some(self.call(name, &parts))
            }
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
                let inner = part(self, expr)?;
                Some(self.call("not", &[inner]))
            }
            Expr::Is { expr, value: None, negated } => {
                let is_null = self.is_null(expr)?;
                Some(self.negated_if(*negated, is_null))
            }
            // `IS TRUE` and similar tests are written in this form.
            Expr::BinaryOp { left, op: BinaryOperator::NullSafeEq, right } => {
                let sides = [part(self, left)?, part(self, right)?];
                self.helpers.insert("null_safe");
                let [left, right] = &sides;
                Some(
                    self.language
                        .pick(format!("Objects.equals({left}, {right})"), format!("(({left}) is ({right}))")),
                )
            }
            Expr::BinaryOp { left, op, right } => match self.cell(left) {
                Some(cell) => self.compare(&cell, *op, right),
                None => self.compare(&self.cell(right)?, op.flipped(), left),
            },
            Expr::Between { expr, negated, low, high } => {
                let cell = self.cell(expr)?;
                let both = [
                    self.compare(&cell, BinaryOperator::GtEq, low)?,
                    self.compare(&cell, BinaryOperator::LtEq, high)?,
                ];
                let between = self.call("and", &both);
                Some(self.negated_if(*negated, between))
            }
            Expr::InList { expr, list, negated } => {
                *leaves += list.len();
                let cell = self.cell(expr)?;
                let values = list.iter().map(|value| self.text(value)).collect::<Option<Vec<_>>>()?;
                let arguments: Vec<String> = std::iter::once(cell).chain(values).collect();
                let is_in = self.call("in", &arguments);
                Some(self.negated_if(*negated, is_in))
            }
            _ => None,
        }
    }

    /// The bytes of the cell of a text column.
    fn cell(&self, node: &Node) -> Option<String> {
        let Expr::Column(column) = &node.bare().expr else { return None };
        let column = &self.schema.columns[self.schema.column(&column.name)?];
        let is_text = column.hive_type == Type::String && column.encoding == CellEncoding::Text;
        // Without a qualifier the column is a whole family.
        if !is_text || column.qualifier.is_empty() {
            return None;
        }
        let [family, qualifier] = [&column.family, &column.qualifier].map(|name| self.language.string(name));
        let name = self.language.bytes(format!("{}:{}", column.family, column.qualifier).as_bytes());
        Some(self.language.pick(format!("cell(row, {family}, {qualifier})"), format!("cells.get({name})")))
    }

    fn text(&self, node: &Node) -> Option<String> {
        let Expr::Literal(Literal::Text(text)) = &node.bare().expr else { return None };
        Some(self.language.pick(self.language.string(text), self.language.bytes(text.as_bytes())))
    }

    fn is_null(&self, node: &Node) -> Option<String> {
        let cell = self.cell(node)?;
        Some(self.language.pick(format!("{cell} == null"), format!("{cell} is None")))
    }

    fn compare(&mut self, cell: &str, op: BinaryOperator, value: &Node) -> Option<String> {
        let (operator, function) = match op {
            BinaryOperator::Eq => ("==", "eq"),
            BinaryOperator::NotEq => ("!=", "ne"),
            BinaryOperator::Lt => ("<", "lt"),
            BinaryOperator::LtEq => ("<=", "le"),
            BinaryOperator::Gt => (">", "gt"),
            BinaryOperator::GtEq => (">=", "ge"),
            _ => return None,
        };
        let value = self.text(value)?;
        self.helpers.insert("compare");
        Some(self.language.pick(
            format!("compare({cell}, order -> order {operator} 0, {value})"),
            format!("_compare({cell}, operator.{function}, {value})"),
        ))
    }

    fn negated_if(&mut self, negated: bool, condition: String) -> String {
        if negated { self.call("not", &[condition]) } else { condition }
    }

    fn call(&mut self, name: &'static str, arguments: &[String]) -> String {
        self.helpers.insert(name);
        let java = if name == "in" { "isIn" } else { name };
        format!("{}({})", self.language.pick(java, &format!("_{name}")), arguments.join(", "))
    }
}
