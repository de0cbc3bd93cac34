//! The walk over a tree: pieces become values of fields, and conditions on pieces conditions on fields.

use std::collections::BTreeMap;

use super::condition::Found;
use super::express::holds;
use super::hidden::{has_key, hidden};
use super::layout::{KeyText, Layout};
use super::read::KeyTextReader;
use super::view;
use super::{Piece, Recogniser};
use crate::analyze::bind::{Bound, BoundNode, Operator, SchemaScope, Setting, bind, written};
use crate::analyze::{Constraint, Implied, Meaning, ValueSet, analyze_bound};
use crate::key::field::FieldId;
use saltplan_document::diag::Span;
use saltplan_sql::ast::{BinaryOperator, Expr, Literal, Node};
use saltplan_sql::hive_type::Type;

/// The most expressions that are remembered.
const MAX_PIECES: usize = 64;

/// What a condition must be for a row that the whole tree keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    True,
    False,
    /// It depends on other parts.
    Either,
}

impl Asked {
    pub fn for_part(self, value: bool) -> Self {
        match (self, value) {
            (asked, true) => asked,
            (Asked::True, false) => Asked::False,
            (Asked::False, false) => Asked::True,
            (Asked::Either, false) => Asked::Either,
        }
    }
}

pub(super) struct Walk<'r, 's> {
    pub of: &'r Recogniser<'s>,
    pub pieces: Vec<Piece>,
}

impl<'s> Walk<'_, 's> {
    pub fn layout(&self) -> &Layout<'s> {
        &self.of.layout
    }

    pub fn condition(&mut self, node: BoundNode, asked: Asked) -> BoundNode {
        match &node.what {
            Bound::Operation { operator: Operator::And | Operator::Or, .. } => {
                return self.parts(node, asked);
            }
            Bound::Operation { operator: Operator::Not, .. } => {
                return self.parts(node, asked.for_part(false));
            }
            Bound::Operation { operator: Operator::Is { value: Some(value), negated }, .. } => {
                let is_same = value != negated;
                return self.parts(node, asked.for_part(is_same));
            }
            _ => {}
        }
        if !has_key(&node) {
            return node;
        }
        // Versions differ in it, or it is not read here.
        if node.open.is_some() {
            return hidden(node);
        }
        let only_fitting = self.of.only_fitting;
        match self.exceptions(&node, asked) {
            _ if only_fitting => {}
            Some(Found::OfKey) => return node,
            Some(_) => return hidden(node),
            None => {}
        }
        let original = (asked != Asked::Either && !only_fitting).then(|| node.clone());
        let count = self.pieces.len();
        let condition = match self.found(&node) {
            Found::Condition(condition) => self.bound(condition, &node),
            Found::Unknown => return hidden(node),
            Found::OfKey if self.has_decoded_number(&node) => self.value(node),
            Found::OfKey => return node,
            Found::Values => self.value(node),
        };
        match original {
            Some(original) if self.is_met_by_no_key(&condition, asked) => {
                self.pieces.truncate(count);
                hidden(original)
            }
            _ => condition,
        }
    }

    /// An expression with its pieces as values of fields.
    pub fn value(&mut self, mut node: BoundNode) -> BoundNode {
        if node.open.is_some() || !has_key(&node) {
            return node;
        }
        if let Some(value) = self.field_value(&node) {
            return self.bound(value, &node);
        }
        match &mut node.what {
            Bound::Unread { .. } => node,
            Bound::Call(call) if call.is_opaque() => node,
            _ => self.parts(node, Asked::Either),
        }
    }

    fn parts(&mut self, mut node: BoundNode, asked: Asked) -> BoundNode {
        node.for_each_part_mut(&mut |part| {
            let own = std::mem::replace(part, BoundNode::literal(Literal::Null));
            *part = match own.primitive() {
                Some(Type::Boolean) => self.condition(own, asked),
                _ => self.value(own),
            };
        });
        node
    }

    fn field_value(&mut self, node: &BoundNode) -> Option<Expr> {
        let schema = self.of.layout.schema;
        if let Some((id, form)) = self.of.decoded.find(node) {
            let name = &schema.key.fields[id].name;
            self.note_as(node, format!("`{name}`"));
            return Some(view::shown_field(schema, id, form));
        }
        if let Some(text) = self.key_text(node) {
            // A key that is one field is its text.
            let is_known = !self.of.layout.is_whole(&text) || text.slices.len() == 1;
            let value = self.of.layout.value(&text).filter(|_| is_known)?;
            self.note(node, &text);
            return Some(value);
        }
        match &node.what {
            Bound::Cast { operand, .. } => {
                let text = self.key_text(operand)?;
                let to = node.primitive()?;
                let number = self.of.layout.number(&text, holds(to)?)?;
                self.note(operand, &text);
                Some(number.cast(to))
            }
            Bound::Operation { operator: Operator::Binary(BinaryOperator::Minus), operands } => {
                let [greatest, stored] = operands.as_slice() else { return None };
                let name = self.descending_field(greatest, stored)?;
                self.note_as(node, format!("`{name}`"));
                Some(Expr::column(&name))
            }
            _ => None,
        }
    }

    pub fn key_text(&self, node: &BoundNode) -> Option<KeyText> {
        KeyTextReader { layout: &self.of.layout }.key_text(node)
    }

    /// Whether no key that fits the layout makes a condition what is asked. It is then a search for keys that do not fit.
    fn is_met_by_no_key(&self, condition: &BoundNode, asked: Asked) -> bool {
        let asked = match asked {
            Asked::True => condition.clone(),
            Asked::False => BoundNode::condition(Operator::Not, vec![condition.clone().bracketed()]),
            Asked::Either => return false,
        };
        analyze_bound(self.of.layout.schema, asked).is_ok_and(|analysis| is_never(&analysis.constraint))
    }

    /// An expression over fields, in the place of a part of the tree.
    fn bound(&self, expr: Expr, replaced: &BoundNode) -> BoundNode {
        let scope = SchemaScope(self.of.layout.schema);
        let mut bound = bind(&Node::new(expr, replaced.span), &scope, Setting::Predicate);
        place(&mut bound, replaced.span);
        BoundNode { brackets: bound.brackets + replaced.brackets, ..bound }
    }

    pub fn note(&mut self, node: &BoundNode, text: &KeyText) {
        let meaning = self.of.layout.describe(text);
        self.note_as(node, meaning);
    }

    pub fn note_as(&mut self, node: &BoundNode, meaning: String) {
        let node = node.uncast();
        let expression = written(&BoundNode { brackets: 0, ..node.clone() }).to_string();
        if !self.pieces.iter().any(|piece| piece.expression == expression) && self.pieces.len() < MAX_PIECES {
            self.pieces.push(Piece { expression, span: node.span, meaning });
        }
    }
}

/// Whether no row satisfies a constraint.
fn is_never(constraint: &Constraint) -> bool {
    match constraint {
        Constraint::All(arms) => arms.iter().any(is_never) || contradicts_itself(arms),
        Constraint::Any(arms) => arms.iter().all(is_never),
        Constraint::Condition(condition) => match &condition.meaning {
            Meaning::Tight { values, .. } => values.is_empty(),
            Meaning::Checked(checked) => checked.implied.as_ref().is_some_and(is_for_no_row),
        },
    }
}

/// Whether no value of a field is in all of the sets that a conjunction has for it.
fn contradicts_itself(arms: &[Constraint]) -> bool {
    let mut left: BTreeMap<FieldId, ValueSet> = BTreeMap::new();
    for arm in arms {
        let Constraint::Condition(condition) = arm else { continue };
        if let Meaning::Tight { field, values } = &condition.meaning {
            left.entry(*field)
                .and_modify(|known| *known = known.intersect(values))
                .or_insert_with(|| values.clone());
        }
    }
    left.values().any(ValueSet::is_empty)
}

fn is_for_no_row(implied: &Implied) -> bool {
    match implied {
        Implied::Field(_, values) => values.is_empty(),
        Implied::SaltInput { values, .. } => values.is_empty(),
        Implied::All(parts) => parts.iter().any(is_for_no_row),
        Implied::Any(parts) => parts.iter().all(is_for_no_row),
    }
}

/// Puts an expression at a place of the text.
fn place(node: &mut BoundNode, span: Span) {
    node.span = span;
    node.for_each_part_mut(&mut |part| place(part, span));
}
