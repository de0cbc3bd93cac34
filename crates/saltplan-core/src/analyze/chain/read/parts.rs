//! Parts of the date of a field, joined to a number or a text.

use super::days::plain_day;
use crate::analyze::bind::BoundNode;
use crate::analyze::chain::parts::{Part, Parts, Piece, Sum, number_of};
use crate::analyze::chain::{Chain, Shape, Step, TimeStep};
use crate::analyze::constant::{CallTerm, Constant, Term, Tree as _, constant_text, fold, whole};
use crate::key::field::{FieldId, FieldKind};
use crate::key::number::IntegerSize;
use crate::schema::model::Schema;
use saltplan_sql::ast::{BinaryOperator, Type, UnaryOperator};
use saltplan_sql::functions::Operation;
use saltplan_sql::time::pattern::{Granularity, PatternPiece, TimePattern};

impl Chain {
    /// A number or a text that is made of parts of a date; `None` for every other expression.
    pub(in crate::analyze) fn of_parts(schema: &Schema, node: &BoundNode) -> Option<Self> {
        let mut reader = PartsReader { schema, field: None, finest: Granularity::Year };
        let parts = reader.parts(node)?;
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
struct PartsReader<'a> {
    schema: &'a Schema,
    field: Option<FieldId>,
    /// The finest unit that is read of the field.
    finest: Granularity,
}

impl PartsReader<'_> {
    fn parts(&mut self, node: &BoundNode) -> Option<Parts> {
        if let Some(sum) = self.sum(node) {
            return Some(Parts::Number(sum));
        }
        self.text(node).map(Parts::Text)
    }

    fn part(&mut self, part: Part, day: &BoundNode) -> Option<Part> {
        let field = plain_day(self.schema, day)?;
        let is_same = *self.field.get_or_insert(field) == field;
        self.finest = self.finest.max(part.unit());
        is_same.then_some(part)
    }

    fn part_call(&mut self, call: &CallTerm<'_, BoundNode>) -> Option<Part> {
        let [day] = call.arguments else { return None };
        self.part(Part::of_operation(call.operation())?, day)
    }

    fn sum(&mut self, node: &BoundNode) -> Option<Sum> {
        if let Some(constant) = whole(node) {
            let plus = i64::try_from(constant.number).ok()?;
            return Sum::constant(plus).within_int();
        }
        match node.term() {
            Term::Sign(UnaryOperator::Plus, operand) => self.sum(operand),
            Term::Call(call) => self.part_call(&call).map(Sum::one),
            Term::Cast(operand, Type::Int | Type::BigInt) => match self.sum(operand) {
                Some(sum) => Some(sum),
                None => number_of(&self.text(operand)?),
            },
            Term::Binary(left, op, right) => match op {
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
    fn text(&mut self, node: &BoundNode) -> Option<Vec<Piece>> {
        match node.term() {
            Term::Cast(operand, Type::String) => self.pieces(operand),
            Term::Binary(left, BinaryOperator::Concat, right) => self.joined([left, right]),
            Term::Call(call) => match (call.operation(), call.arguments) {
                (Operation::Concatenate, arguments) => self.joined(arguments),
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
            _ => match fold(node)? {
                Constant::Text(text) => Some(vec![Piece::Literal(text)]),
                _ => None,
            },
        }
    }

    /// What is written as a text.
    fn pieces(&mut self, node: &BoundNode) -> Option<Vec<Piece>> {
        if let Term::Call(call) = node.term()
            && let Some(part) = self.part_call(&call)
        {
            return Some(vec![Piece::Part { part, digits: 0 }]);
        }
        self.text(node).or_else(|| Some(vec![Piece::Literal(constant_text(node)?)]))
    }

    fn joined<'e>(&mut self, parts: impl IntoIterator<Item = &'e BoundNode>) -> Option<Vec<Piece>> {
        let mut all = Vec::new();
        for part in parts {
            all.extend(self.pieces(part)?);
        }
        Some(all)
    }
}
