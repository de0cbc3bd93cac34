//! What a condition is in which a piece of the key is compared.

use super::compare::{self, and, not, or, truth};
use super::express::{Holds, holds};
use super::hidden::has_key;
use super::layout::{KeyText, Layout, WrittenIn};
use super::like;
use super::read::{constant, constant_text};
use super::walk::{Asked, Walk};
use crate::analyze::bind::{Bound, BoundNode, Operator, written};
use crate::analyze::compare::Comparison;
use crate::analyze::conditions::key_ranges;
use crate::analyze::constant::{Constant, Decimal};
use saltplan_sql::ast::{BinaryOperator, Expr, Literal};
use saltplan_sql::hive_type::Type;

/// What a condition with the key column is.
pub(super) enum Found {
    /// A condition on fields.
    Condition(Expr),
    /// It stays as it is: it may be one of the key column itself.
    OfKey,
    /// It may be true for any key.
    Unknown,
    /// It compares values, not pieces of the key.
    Values,
}

/// A piece of the key, as what Hive compares it.
struct Operand {
    text: KeyText,
    /// Hive reads a number of this kind in it.
    number: Option<Holds>,
}

impl Walk<'_, '_> {
    /// What a condition is whose operands are values.
    pub fn found(&mut self, node: &BoundNode) -> Found {
        let Bound::Operation { operator, operands } = &node.what else { return Found::Values };
        match (operator, operands.as_slice()) {
            (Operator::Binary(op), [left, right]) if op.compares() => {
                let (comparison, negated) = meaning(*op);
                match (self.operand(left), self.operand(right)) {
                    (Some(operand), None) => self.compared(left, &operand, &[(comparison, right)], negated),
                    (None, Some(operand)) => {
                        self.compared(right, &operand, &[(comparison.flipped(), left)], negated)
                    }
                    (Some(one), Some(other)) if one.number.is_none() && other.number.is_none() => {
                        Found::Values
                    }
                    (Some(_), Some(_)) => Found::OfKey,
                    (None, None) => Found::Values,
                }
            }
            (Operator::Between { negated }, [operand, low, high]) => match self.operand(operand) {
                Some(of) => {
                    let bounds = [(Comparison::GreaterOrEqual, low), (Comparison::LessOrEqual, high)];
                    self.compared(operand, &of, &bounds, *negated)
                }
                None => Found::of_values(operands),
            },
            (Operator::In { negated }, [operand, list @ ..]) => match self.operand(operand) {
                Some(of) => self.listed(operand, &of, list, *negated),
                None => Found::of_values(operands),
            },
            (Operator::Like { negated }, [operand, pattern, escape @ ..]) => {
                let Some(text) = self.key_text(operand) else { return Found::Values };
                let Some(escape) = escape_of(escape.first()) else { return Found::OfKey };
                let found = constant_text(pattern).and_then(|it| self.layout().like(&text, &it, escape));
                self.matched(node, operand, &text, found, *negated)
            }
            (Operator::RLike { negated }, [operand, pattern]) => {
                let Some(text) = self.key_text(operand) else { return Found::Values };
                let found = constant_text(pattern).and_then(|it| self.layout().rlike(&text, &it));
                self.matched(node, operand, &text, found, *negated)
            }
            (Operator::Is { value: None, negated }, [operand]) => match self.key_text(operand) {
                Some(text) => self.of_piece(operand, &text, Some(Expr::truth(*negated)), false),
                None => Found::Values,
            },
            _ => Found::Values,
        }
    }

    /// Recognises a condition that excludes a few pieces, such as `substr(rowkey, 4, 8) <> '20200406'`. It leaves nearly all keys, and
    /// people use it to look for keys that do not fit the layout. A condition on the whole key stays as it is.
    pub fn exceptions(&self, node: &BoundNode, asked: Asked) -> Option<Found> {
        let Bound::Operation { operator, operands } = &node.what else { return None };
        let (negated, operands) = match operator {
            Operator::Binary(
                BinaryOperator::Eq | BinaryOperator::NullSafeEq | BinaryOperator::NotDistinctFrom,
            ) => (false, operands.as_slice()),
            Operator::Binary(BinaryOperator::NotEq | BinaryOperator::DistinctFrom) => {
                (true, operands.as_slice())
            }
            Operator::Between { negated }
            | Operator::In { negated }
            | Operator::Like { negated }
            | Operator::RLike { negated } => (*negated, &operands[..operands.len().min(1)]),
            _ => return None,
        };
        (asked.for_part(!negated) == Asked::False).then_some(())?;
        let is_whole = |operand: &BoundNode| {
            self.operand(operand).is_some_and(|operand| self.layout().is_whole(&operand.text))
        };
        let is_of_key = operands.iter().any(is_whole) || key_ranges(self.layout().schema, node).is_some();
        Some(if is_of_key { Found::OfKey } else { Found::Unknown })
    }

    /// A condition on fields in the place of one on a piece, or what the condition is without one.
    fn of_piece(
        &mut self,
        node: &BoundNode,
        text: &KeyText,
        condition: Option<Expr>,
        negated: bool,
    ) -> Found {
        let has_salt = self.layout().has_salt(text);
        match condition {
            // A search for wrong salts.
            Some(condition) if has_salt && truth(&condition).is_some() && !self.of.only_fitting => {
                Found::Unknown
            }
            Some(condition) => {
                self.note(node, text);
                Found::negated_if(negated, condition)
            }
            None if has_salt => Found::Unknown,
            None => Found::OfKey,
        }
    }

    /// A piece compared with constants, each of which must hold.
    fn compared(
        &mut self,
        node: &BoundNode,
        operand: &Operand,
        constants: &[(Comparison, &BoundNode)],
        negated: bool,
    ) -> Found {
        let layout = self.layout();
        let Operand { text, number } = operand;
        if layout.is_whole(text) {
            return Found::OfKey;
        }
        if constants.iter().any(|(_, node)| constant(node).is_none()) {
            let later = number.is_none().then(|| layout.compared_at_run_time(text, constants)).flatten();
            return match later {
                Some(condition) => {
                    self.note(node, text);
                    Found::negated_if(negated, condition)
                }
                None if number.is_some() || constants.iter().all(|(_, node)| is_text(node)) => Found::Values,
                None => Found::OfKey,
            };
        }
        let values: Vec<(Comparison, Constant)> =
            constants.iter().filter_map(|(comparison, node)| Some((*comparison, constant(node)?))).collect();
        let each = |condition: &dyn Fn(Comparison, &Constant) -> Option<Expr>| {
            let each = values.iter().map(|(comparison, value)| condition(*comparison, value));
            each.collect::<Option<Vec<_>>>().map(and)
        };
        let of_texts = |comparison: Comparison, value: &Constant| match value {
            Constant::Text(value) => layout.compared(text, comparison, value),
            _ => None,
        };
        let own = layout.number(text, number.unwrap_or(Holds::Double));
        let of_numbers = |comparison: Comparison, value: &Constant| {
            let value = Expr::number(number_of(value, number.is_some())?);
            Some(own.as_ref()?.binary(compare::operator(comparison), &value))
        };
        let condition = layout.salt_number(text, &values).or_else(|| match number {
            None => each(&of_texts).or_else(|| each(&of_numbers)),
            Some(_) => each(&of_numbers),
        });
        self.of_piece(node, text, condition, negated)
    }

    fn listed(&mut self, node: &BoundNode, operand: &Operand, list: &[BoundNode], negated: bool) -> Found {
        let layout = self.layout();
        let text = &operand.text;
        if layout.is_whole(text) {
            return Found::OfKey;
        }
        let values: Option<Vec<Constant>> =
            list.iter().map(|item| constant(item).filter(|_| item.open.is_none())).collect();
        let Some(values) = values else {
            let are_texts = list.iter().all(is_text) && operand.number.is_none();
            return if are_texts { Found::Values } else { Found::OfKey };
        };
        let condition = match operand.number {
            None => {
                let only_fitting = self.of.only_fitting;
                texts_of(layout, text, &values).and_then(|texts| one_of(layout, text, &texts, only_fitting))
            }
            Some(holds) => {
                let numbers = values.iter().map(|value| Some(Expr::number(number_of(value, false)?)));
                let own = layout.number(text, holds);
                numbers.collect::<Option<Vec<_>>>().and_then(|numbers| Some(own?.is_one_of(numbers)))
            }
        };
        self.of_piece(node, text, condition, negated)
    }

    fn matched(
        &mut self,
        node: &BoundNode,
        operand: &BoundNode,
        text: &KeyText,
        matched: Option<like::Matched>,
        negated: bool,
    ) -> Found {
        let Some(like::Matched { condition, is_exact, slices }) = matched else { return Found::OfKey };
        let is_whole = self.layout().is_whole(text);
        // Of the whole key the condition itself says it, also for keys that do not fit.
        if is_whole && (negated || slices.is_empty() || truth(&condition).is_some()) {
            return Found::OfKey;
        }
        if !is_whole && is_exact {
            return self.of_piece(operand, text, Some(condition), negated);
        }
        match truth(&condition) {
            Some(true) => return Found::OfKey,
            Some(false) if self.of.only_fitting => return Found::Condition(condition),
            Some(false) => return Found::Unknown,
            None => {}
        }
        if is_whole {
            let meaning = self.layout().describe(&KeyText { slices, written_in: WrittenIn::Characters });
            self.note_as(node, meaning);
        } else {
            self.note(operand, text);
        }
        // Ranges of whole keys are known by the condition itself.
        let own = written(&BoundNode { brackets: 0, ..node.clone() });
        Found::Condition(if negated { or(vec![not(condition), own]) } else { and(vec![condition, own]) })
    }

    /// The piece that an expression is, with or without a cast to a number.
    fn operand(&self, node: &BoundNode) -> Option<Operand> {
        if let Some(text) = self.key_text(node) {
            return Some(Operand { text, number: None });
        }
        let Bound::Cast { operand, .. } = &node.what else { return None };
        let text = self.key_text(operand)?;
        let number = holds(node.primitive()?)?;
        (text.written_in == WrittenIn::Characters).then_some(Operand { text, number: Some(number) })
    }

    /// The field whose value is the difference of its greatest number and what the key stores.
    pub fn descending_field(&self, greatest: &BoundNode, stored: &BoundNode) -> Option<String> {
        let layout = self.layout();
        let Operand { text, number: Some(Holds::BigInt | Holds::Int) } = self.operand(stored)? else {
            return None;
        };
        let [slice] = text.slices.as_slice() else { return None };
        let (id, 0, None) = layout.field_of(slice)? else { return None };
        let field = layout.field(id);
        let minuend = field.kind.number()?.minuend()?;
        let is_value = constant(greatest)?.integer()? == minuend && field.kind.is_text_in_key();
        is_value.then(|| field.name.clone())
    }

    /// Whether one of the operands is the number that the view decodes, in a form that is no piece by itself.
    pub fn has_decoded_number(&self, node: &BoundNode) -> bool {
        let is_number = |operand: &BoundNode| {
            matches!(operand.what, Bound::Cast { .. }) && self.of.decoded.find(operand).is_some()
        };
        node.operands().iter().any(is_number)
    }
}

impl Found {
    fn negated_if(negated: bool, condition: Expr) -> Self {
        Found::Condition(if negated { not(condition) } else { condition })
    }

    /// What operands are that are no pieces themselves.
    fn of_values(operands: &[BoundNode]) -> Self {
        // A list or a pair of bounds with pieces in it is compared value by value, whatever the types of the others make of it.
        let in_others = operands.iter().skip(1).any(has_key);
        if in_others { Found::Unknown } else { Found::Values }
    }
}

/// The texts of a list with which a text is compared. Some Hives compare a text with a list that has numbers as texts, others as
/// numbers: alike if all values have as many digits as the text.
fn texts_of(layout: &Layout<'_>, text: &KeyText, values: &[Constant]) -> Option<Vec<String>> {
    let width = match text.slices.as_slice() {
        [slice] => layout.length(slice, text.written_in),
        _ => None,
    };
    let texts = values.iter().map(|value| match value {
        Constant::Text(text) => Some(text.clone()),
        Constant::Number(number) => Some(number.to_string()),
        _ => None,
    });
    let texts: Vec<String> = texts.collect::<Option<_>>()?;
    let is_alike = |value: &String| Some(value.len()) == width && value.bytes().all(|c| c.is_ascii_digit());
    let has_number = values.iter().any(|value| matches!(value, Constant::Number(_)));
    let are_alike = || texts.iter().all(is_alike) && layout.number(text, Holds::Double).is_some();
    (!has_number || are_alike()).then_some(texts)
}

/// A text that is one of several.
fn one_of(layout: &Layout<'_>, text: &KeyText, values: &[String], only_fitting: bool) -> Option<Expr> {
    let each = values.iter().map(|value| layout.compared(text, Comparison::Equal, value));
    let conditions = each.collect::<Option<Vec<_>>>()?;
    let is_for_no_key = |condition: &Expr| truth(condition) == Some(false);
    // One of the salts is a wrong one.
    if layout.has_salt(text) && !only_fitting && conditions.iter().any(is_for_no_key) {
        return None;
    }
    // `f = 1 OR f = 2` as a list.
    let mut operand: Option<&Expr> = None;
    let mut listed = Vec::new();
    for condition in &conditions {
        match condition {
            Expr::Literal(Literal::Bool(false)) => {}
            Expr::BinaryOp { left, op: BinaryOperator::Eq, right }
                if operand.is_none_or(|operand| *operand == left.expr) =>
            {
                operand = Some(&left.expr);
                listed.push(right.expr.clone());
            }
            _ => return Some(or(conditions)),
        }
    }
    Some(match operand {
        Some(operand) => operand.is_one_of(listed),
        None => Expr::truth(false),
    })
}

/// What a comparison of two values that are never NULL asks for, and whether it is negated.
fn meaning(op: BinaryOperator) -> (Comparison, bool) {
    match op {
        BinaryOperator::NotEq | BinaryOperator::DistinctFrom => (Comparison::Equal, true),
        _ => Comparison::of(op).unwrap_or((Comparison::Equal, false)),
    }
}

/// The number that Hive compares a number with: also one that is written as a text. It has few digits, so that a double is the same
/// number.
fn number_of(value: &Constant, or_text: bool) -> Option<Decimal> {
    let number = match value {
        Constant::Number(number) => *number,
        Constant::Text(text) if or_text => {
            let is_plain = !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
            Decimal::parse(text).filter(|_| is_plain)?
        }
        _ => return None,
    };
    Holds::Double.has(number.digits).then_some(number)
}

/// The character of an ESCAPE: `Some(None)` without one, `None` if it is no constant character.
fn escape_of(escape: Option<&BoundNode>) -> Option<Option<char>> {
    let Some(escape) = escape else { return Some(None) };
    let text = constant_text(escape)?;
    let mut chars = text.chars();
    let first = chars.next().filter(|c| !matches!(c, '%' | '_'))?;
    chars.next().is_none().then_some(Some(first))
}

fn is_text(node: &BoundNode) -> bool {
    node.primitive() == Some(Type::String)
}
