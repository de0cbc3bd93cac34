//! Parts of the date of a field, joined to a number or a text.

use super::days::plain_day;
use crate::analyze::chain::parts::{Part, Parts, Piece, Sum, number_of};
use crate::analyze::chain::{Chain, Shape, Step, TimeStep};
use crate::analyze::constant::{Constant, constant_text, fold, whole};
use crate::key::field::{FieldId, FieldKind};
use crate::key::number::IntegerSize;
use crate::schema::model::Schema;
use saltplan_sql::ast::{BinaryOperator, Call, Expr, Type, UnaryOperator};
use saltplan_sql::functions::Operation;
use saltplan_sql::time::pattern::{Granularity, PatternPiece, TimePattern};

impl Chain {
    /// A number or a text that is made of parts of a date; `None` for every other expression.
    pub(in crate::analyze) fn of_parts(schema: &Schema, expr: &Expr) -> Option<Self> {
        let mut reader = Reader { schema, field: None, finest: Granularity::Year };
        let parts = reader.parts(expr)?;
        let field = reader.field?;
        let is_stored = match &schema.key.fields[field].kind {
            FieldKind::Calendar(calendar) => calendar.format.granularity() >= reader.finest,
            _ => true,
        };
        let shape = match &parts {
            Parts::Number(_) => Shape::Whole(IntegerSize::Int),
            Parts::Text(_) => Shape::Text,
        };
        is_stored.then(|| Chain { field, steps: vec![Step::Time(TimeStep::Parts(parts))], shape })
    }
}

/// Reads parts of one field.
struct Reader<'a> {
    schema: &'a Schema,
    field: Option<FieldId>,
    /// The finest unit that is read of the field.
    finest: Granularity,
}

impl Reader<'_> {
    fn parts(&mut self, expr: &Expr) -> Option<Parts> {
        if let Some(sum) = self.sum(expr) {
            return Some(Parts::Number(sum));
        }
        self.text(expr).map(Parts::Text)
    }

    fn part(&mut self, part: Part, day: &Expr) -> Option<Part> {
        let field = plain_day(self.schema, day)?;
        let is_same = *self.field.get_or_insert(field) == field;
        self.finest = self.finest.max(part.unit());
        is_same.then_some(part)
    }

    fn part_call(&mut self, call: &Call) -> Option<Part> {
        let [day] = call.arguments.as_slice() else { return None };
        self.part(Part::of_operation(call.operation())?, day)
    }

    fn sum(&mut self, expr: &Expr) -> Option<Sum> {
        if let Some(constant) = whole(expr) {
            let plus = i64::try_from(constant.number).ok()?;
            return Sum::constant(plus).within_int();
        }
        match expr {
            Expr::Nested(inner) | Expr::UnaryOp { op: UnaryOperator::Plus, expr: inner } => self.sum(inner),
            Expr::Call(call) => self.part_call(call).map(Sum::one),
            Expr::Cast { expr, data_type: Type::Int | Type::BigInt, .. } => match self.sum(expr) {
                Some(sum) => Some(sum),
                None => number_of(&self.text(expr)?),
            },
            Expr::BinaryOp { left, op, right } => match op {
                BinaryOperator::Plus => self.sum(left)?.plus(self.sum(right)?, 1),
                BinaryOperator::Minus => self.sum(left)?.plus(self.sum(right)?, -1),
                BinaryOperator::Multiply => match (whole(left), whole(right)) {
                    (Some(by), _) => self.sum(right)?.times(i64::try_from(by.number).ok()?),
                    (_, Some(by)) => self.sum(left)?.times(i64::try_from(by.number).ok()?),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// What is a text for Hive.
    fn text(&mut self, expr: &Expr) -> Option<Vec<Piece>> {
        match expr.unnested() {
            Expr::Cast { expr, data_type: Type::String, .. } => self.pieces(expr),
            Expr::BinaryOp { left, op: BinaryOperator::Concat, right } => {
                self.joined([&left.expr, &right.expr])
            }
            Expr::Call(call) => match (call.operation(), call.arguments.as_slice()) {
                (Operation::Concatenate, arguments) => {
                    self.joined(arguments.iter().map(|argument| &argument.expr))
                }
                (Operation::PadStart, [padded, width, zero]) => {
                    let pieces = self.pieces(padded)?;
                    let [Piece::Part { part, digits: 0 }] = pieces.as_slice() else { return None };
                    let is_zero = matches!(fold(zero)?, Constant::Text(zero) if zero == "0");
                    let digits = usize::try_from(whole(width)?.number).ok()?;
                    let greatest = part.greatest().to_string().len();
                    let is_plain = is_zero && (greatest..=10).contains(&digits);
                    is_plain.then(|| vec![Piece::Part { part: *part, digits }])
                }
                (Operation::Print, [day, pattern]) => {
                    let Constant::Text(pattern) = fold(pattern)? else { return None };
                    let pattern = TimePattern::parse(&pattern).ok()?;
                    let pieces = pattern.pieces().iter().map(|piece| match piece {
                        PatternPiece::Literal(c) => Some(Piece::Literal(c.to_string())),
                        PatternPiece::Unit(unit) => {
                            let part = self.part(Part::of_unit(*unit)?, day)?;
                            Some(Piece::Part { part, digits: piece.width() })
                        }
                    });
                    pieces.collect()
                }
                _ => None,
            },
            _ => match fold(expr)? {
                Constant::Text(text) => Some(vec![Piece::Literal(text)]),
                _ => None,
            },
        }
    }

    /// What is written as a text.
    fn pieces(&mut self, expr: &Expr) -> Option<Vec<Piece>> {
        if let Expr::Call(call) = expr.unnested()
            && let Some(part) = self.part_call(call)
        {
            return Some(vec![Piece::Part { part, digits: 0 }]);
        }
        self.text(expr).or_else(|| Some(vec![Piece::Literal(constant_text(expr)?)]))
    }

    fn joined<'e>(&mut self, parts: impl IntoIterator<Item = &'e Expr>) -> Option<Vec<Piece>> {
        let mut all = Vec::new();
        for part in parts {
            all.extend(self.pieces(part)?);
        }
        Some(all)
    }
}
