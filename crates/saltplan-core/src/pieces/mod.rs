//! Pieces of the row key: from conditions on the key column of a mapping table to conditions on the fields of the key.
//!
//! A mapping table has the whole row key in one column. Its queries cut it themselves, as `substr(rowkey, 4, 8) = '20200406'` does, or
//! with the expressions of the view that `ddl` prints. [`recognise`] finds what such an expression is by the layout of the key (a field,
//! its start, its end, the salt), and puts an expression over fields in its place, which the analysis then plans like every other
//! predicate.
//!
//! **What holds.** For each row key that fits the layout, the tree that is returned has the value that Hive computes for the tree that
//! was given. So ranges that are planned for it contain every such key for which the condition is true. Of keys that do not fit the
//! layout (too short, with other characters, written by another program) nothing is said: ranges may leave them out. A condition on the
//! salt alone that no salt of the table satisfies stays as it was, in a form that makes no range: it is how people look for wrong keys.
//! The key column stays in the tree where nothing is recognised, and the analysis reads comparisons of it as ranges of keys.
//!
//! - `layout` has the parts of the key, and texts that are cut out of it. Hive counts characters, the layout has bytes: what stands
//!   behind a part is at a known place only if the part is ASCII of a fixed width, or ends at a separator that it cannot hold.
//! - `read` says which expressions are such texts, `view` which are those that the view prints.
//! - `compare` and `like` make conditions on fields of comparisons with constants, `express` makes values of the others.

mod compare;
mod express;
mod layout;
mod like;
mod read;
mod scope;
mod view;

pub use scope::MappingScope;

use crate::analyze::bind::{
    Bound, BoundCall, BoundNode, ColumnPlace, Operator, SchemaScope, Setting, bind, written,
};
use crate::analyze::compare::Comparison;
use crate::analyze::constant::{Constant, Decimal};
use crate::key::field::FieldKind;
use crate::schema::model::Schema;
use compare::{and, not, or};
use express::Holds;
use layout::{KeyText, Layout, Slice, WrittenIn};
use read::{Reader, constant, constant_text};
use saltplan_document::diag::Span;
use saltplan_sql::ast::{BinaryOperator, Expr, Literal, Node};
use saltplan_sql::functions::CONCAT;
use saltplan_sql::hive_type::Type;
use view::Decoded;

/// A tree over the fields of the key, and which pieces of the key were found in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Recognised {
    /// For the analysis, with the names of the logical table.
    pub tree: BoundNode,
    /// In the order of the tree, each expression once.
    pub pieces: Vec<Piece>,
}

/// An expression that is a piece of the key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Piece {
    /// The expression, as the bound tree is written.
    pub expression: String,
    pub span: Span,
    /// What it is, such as "`day`", "the start of `day`" or "the salt".
    pub meaning: String,
}

/// Puts fields in the place of pieces of the row key. `tree` is a condition, or a part of one, that is bound with the names of the
/// mapping table: with [`MappingScope`], or by another door, whose columns have the same places. A tree without the key column comes
/// back as it is.
///
/// Casts that Hive's own tree has are [written](crate::analyze::bind::CastOrigin::Written) ones.
pub fn recognise(schema: &Schema, tree: BoundNode) -> Recognised {
    Recogniser::new(schema).recognise(tree)
}

/// [`recognise`] for many trees of one schema.
#[derive(Debug)]
pub struct Recogniser<'s> {
    layout: Layout<'s>,
    decoded: Decoded,
}

impl<'s> Recogniser<'s> {
    pub fn new(schema: &'s Schema) -> Self {
        Recogniser { layout: Layout::new(schema), decoded: Decoded::new(schema) }
    }

    /// As the function of this name.
    pub fn recognise(&self, tree: BoundNode) -> Recognised {
        let mut walk = Walk { of: self, pieces: Vec::new() };
        let tree = walk.condition(tree);
        Recognised { tree, pieces: walk.pieces }
    }
}

struct Walk<'r, 's> {
    of: &'r Recogniser<'s>,
    pieces: Vec<Piece>,
}

/// What a condition with the key column is.
enum Found {
    /// A condition on fields.
    Condition(Expr),
    /// It stays as it is: it may be one of the key column itself.
    OfKey,
    /// It may be true for any key that fits the layout.
    Unknown,
    /// Its operands are values.
    Values,
}

/// A piece of the key, as what Hive compares it.
struct Operand {
    text: KeyText,
    /// Hive reads a number of this kind in it.
    number: Option<Holds>,
}

impl Walk<'_, '_> {
    fn condition(&mut self, node: BoundNode) -> BoundNode {
        let is_join = matches!(
            node.what,
            Bound::Operation { operator: Operator::And | Operator::Or | Operator::Not, .. }
        );
        if is_join {
            return self.parts(node);
        }
        if !has_key(&node) {
            return node;
        }
        // Versions differ in it, or it is not read here.
        if node.open.is_some() {
            return hidden(node);
        }
        match self.leaf(&node) {
            Found::Condition(condition) => self.bound(condition, &node),
            Found::Unknown => hidden(node),
            Found::OfKey if self.has_decoded_number(&node) => self.value(node),
            Found::OfKey => node,
            Found::Values => self.value(node),
        }
    }

    /// An expression with its pieces as values of fields.
    fn value(&mut self, mut node: BoundNode) -> BoundNode {
        if node.open.is_some() || !has_key(&node) {
            return node;
        }
        if let Some(value) = self.field_value(&node) {
            return self.bound(value, &node);
        }
        match &mut node.what {
            Bound::Unread { .. } => node,
            Bound::Call(call) if call.is_opaque() => node,
            _ => self.parts(node),
        }
    }

    fn parts(&mut self, mut node: BoundNode) -> BoundNode {
        node.for_each_part_mut(&mut |part| {
            let own = std::mem::replace(part, BoundNode::literal(Literal::Null));
            *part = match own.primitive() {
                Some(Type::Boolean) => self.condition(own),
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
            return Some(view::shown(schema, id, form));
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
            // The number of a descending field.
            Bound::Operation { operator: Operator::Binary(BinaryOperator::Minus), operands } => {
                let [greatest, stored] = operands.as_slice() else { return None };
                let Operand { text, number: Some(Holds::BigInt | Holds::Int) } = self.operand(stored)? else {
                    return None;
                };
                let [slice] = text.slices.as_slice() else { return None };
                let (id, 0, None) = self.of.layout.field_of(slice)? else { return None };
                let field = &schema.key.fields[id];
                let minuend = field.kind.number()?.minuend()?;
                let is_value = constant(greatest)?.integer()? == minuend && field.kind.is_text_in_key();
                is_value.then_some(())?;
                self.note_as(node, format!("`{}`", field.name));
                Some(Expr::column(&field.name))
            }
            _ => None,
        }
    }

    /// Whether one of the operands is the number that the view decodes, in a form that is no piece by itself.
    fn has_decoded_number(&self, node: &BoundNode) -> bool {
        let is_number = |operand: &BoundNode| {
            matches!(operand.what, Bound::Cast { .. }) && self.of.decoded.find(operand).is_some()
        };
        node.operands().iter().any(is_number)
    }

    /// What a condition is whose operands are values.
    fn leaf(&mut self, node: &BoundNode) -> Found {
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
                let found = constant_text(pattern).and_then(|it| self.of.layout.like(&text, &it, escape));
                self.matched(node, operand, &text, found, *negated)
            }
            (Operator::RLike { negated }, [operand, pattern]) => {
                let Some(text) = self.key_text(operand) else { return Found::Values };
                let found = constant_text(pattern).and_then(|it| self.of.layout.rlike(&text, &it));
                self.matched(node, operand, &text, found, *negated)
            }
            (Operator::Is { value: None, negated }, [operand]) => match self.key_text(operand) {
                Some(text) => {
                    self.note(operand, &text);
                    Found::Condition(Expr::truth(*negated))
                }
                None => Found::Values,
            },
            _ => Found::Values,
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
        let layout = &self.of.layout;
        let Operand { text, number } = operand;
        if layout.is_whole(text) {
            return Found::OfKey;
        }
        if constants.iter().any(|(_, node)| constant(node).is_none()) {
            return match self.at_run_time(operand, constants) {
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
        if let Some(condition) = self.salt_number(operand, &values) {
            if condition == Expr::truth(negated) {
                return Found::Unknown;
            }
            self.note(node, text);
            return Found::negated_if(negated, condition);
        }
        let own = layout.number(text, number.unwrap_or(Holds::Double));
        let of_numbers = |comparison: Comparison, value: &Constant| {
            let value = number_of(value, number.is_some())?;
            let value = Holds::Double.has(value.ceiling().0).then(|| Expr::number(value))?;
            Some(own.as_ref()?.binary(compare::operator(comparison), &value))
        };
        let found = match number {
            None => each(&of_texts).or_else(|| each(&of_numbers)),
            Some(_) => each(&of_numbers),
        };
        match found {
            Some(condition) if !(has_salt(layout, text) && condition == Expr::truth(negated)) => {
                self.note(node, text);
                Found::negated_if(negated, condition)
            }
            // A search for wrong salts.
            _ if has_salt(layout, text) => Found::Unknown,
            _ => Found::OfKey,
        }
    }

    /// The number of a salt compared with numbers.
    fn salt_number(&self, operand: &Operand, values: &[(Comparison, Constant)]) -> Option<Expr> {
        let [Slice::OfPart { part, from, to }] = operand.text.slices.as_slice() else { return None };
        let layout = &self.of.layout;
        let is_salt =
            *layout.part(*part) == layout::Part::Salt && operand.text.written_in == WrittenIn::Characters;
        is_salt.then_some(())?;
        let values: Vec<(Comparison, i64)> = values
            .iter()
            .map(|(comparison, value)| match value {
                Constant::Number(_) => Some((*comparison, value.integer()?)),
                _ => None,
            })
            .collect::<Option<_>>()?;
        let salts = layout.salts()?;
        salts.iter().all(|salt| is_short_number(salt)).then_some(())?;
        layout.salt_where(*from, *to, &|salt| {
            let number: i64 = salt.parse().unwrap_or_default();
            values.iter().all(|(comparison, value)| comparison.holds(number.cmp(value)))
        })
    }

    /// A field compared with a value that is known when the statement runs, in the form of the key.
    fn at_run_time(&self, operand: &Operand, constants: &[(Comparison, &BoundNode)]) -> Option<Expr> {
        let layout = &self.of.layout;
        let [slice] = operand.text.slices.as_slice() else { return None };
        let (id, 0, None) = layout.field_of(slice).filter(|_| operand.number.is_none())? else { return None };
        let field = layout.field(id);
        let is_own = match &field.kind {
            FieldKind::Text(text) => text.form.is_plain() && !text.reverse && !text.nullable,
            FieldKind::Calendar(calendar) => calendar.format.sorts(),
            kind => kind.number()?.fixed_width().is_some() && !kind.number()?.descending,
        };
        is_own.then_some(())?;
        let is_filled_in = |node: &BoundNode| match &node.uncast().what {
            Bound::Runtime(_) => true,
            Bound::Constant(constant) => {
                matches!(constant.written.as_deref(), Some(Expr::Literal(Literal::FilledIn { .. })))
            }
            _ => false,
        };
        let each = constants.iter().map(|(comparison, node)| {
            let value = written(node.uncast());
            is_filled_in(node)
                .then(|| Expr::column(&field.name).binary(compare::operator(*comparison), &value))
        });
        each.collect::<Option<Vec<_>>>().map(and)
    }

    fn listed(&mut self, node: &BoundNode, operand: &Operand, list: &[BoundNode], negated: bool) -> Found {
        let layout = &self.of.layout;
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
        let found = match operand.number {
            None => {
                // Some Hives compare a text with numbers as texts, others as numbers: alike if both have the same digits.
                let width = match text.slices.as_slice() {
                    [slice] => layout.length(slice, text.written_in),
                    _ => None,
                };
                let texts = values.iter().map(|value| match value {
                    Constant::Text(text) => Some(text.clone()),
                    Constant::Number(number) => {
                        let digits = number.to_string();
                        let is_alike = Some(digits.len()) == width
                            && digits.bytes().all(|c| c.is_ascii_digit())
                            && layout.number(text, Holds::Double).is_some();
                        is_alike.then_some(digits)
                    }
                    _ => None,
                });
                texts.collect::<Option<Vec<String>>>().and_then(|texts| one_of(layout, text, &texts))
            }
            Some(holds) => {
                let numbers = values.iter().map(|value| {
                    let number = number_of(value, false).filter(|it| Holds::Double.has(it.ceiling().0))?;
                    Some(Expr::number(number))
                });
                let own = layout.number(text, holds);
                numbers.collect::<Option<Vec<_>>>().and_then(|numbers| Some(own?.is_one_of(numbers)))
            }
        };
        match found {
            Some(condition) if !(has_salt(layout, text) && condition == Expr::truth(negated)) => {
                self.note(node, text);
                Found::negated_if(negated, condition)
            }
            // A search for wrong salts.
            _ if has_salt(layout, text) => Found::Unknown,
            _ => Found::OfKey,
        }
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
        if !self.of.layout.is_whole(text) {
            if condition == Expr::truth(true) && !is_exact {
                return Found::OfKey;
            }
            if is_exact && condition == Expr::truth(negated) && has_salt(&self.of.layout, text) {
                return Found::Unknown;
            }
            self.note(operand, text);
            if is_exact {
                return Found::negated_if(negated, condition);
            }
        } else if slices.is_empty() {
            return Found::OfKey;
        } else {
            let meaning = self.of.layout.describe(&KeyText { slices, written_in: WrittenIn::Characters });
            self.note_as(node, meaning);
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

    fn key_text(&self, node: &BoundNode) -> Option<KeyText> {
        Reader { layout: &self.of.layout }.key_text(node)
    }

    /// An expression over fields, in the place of a part of the tree.
    fn bound(&self, expr: Expr, replaced: &BoundNode) -> BoundNode {
        let scope = SchemaScope(self.of.layout.schema);
        let mut bound = bind(&Node::new(expr, replaced.span), &scope, Setting::Predicate);
        place(&mut bound, replaced.span);
        BoundNode { brackets: bound.brackets + replaced.brackets, ..bound }
    }

    fn note(&mut self, node: &BoundNode, text: &KeyText) {
        let meaning = self.of.layout.describe(text);
        self.note_as(node, meaning);
    }

    fn note_as(&mut self, node: &BoundNode, meaning: String) {
        let node = node.uncast();
        let expression = written(&BoundNode { brackets: 0, ..node.clone() }).to_string();
        if !self.pieces.iter().any(|piece| piece.expression == expression) && self.pieces.len() < MAX_PIECES {
            self.pieces.push(Piece { expression, span: node.span, meaning });
        }
    }
}

/// The most expressions that are remembered.
const MAX_PIECES: usize = 64;

impl Found {
    fn negated_if(negated: bool, condition: Expr) -> Self {
        Found::Condition(if negated { not(condition) } else { condition })
    }

    /// Of operands that are no pieces themselves.
    fn of_values(operands: &[BoundNode]) -> Self {
        // A list or a pair of bounds with pieces in it is compared value by value, whatever the types of the others make of it.
        let in_others = operands.iter().skip(1).any(has_key);
        if in_others { Found::Unknown } else { Found::Values }
    }
}

impl Layout<'_> {
    /// What a text is, for people.
    fn describe(&self, text: &KeyText) -> String {
        let mut parts: Vec<String> = Vec::new();
        for slice in &text.slices {
            let Slice::OfPart { part, from, to } = slice else { continue };
            let what = match self.part(*part) {
                layout::Part::Salt if Layout::is_all(slice) => "the salt".to_string(),
                layout::Part::Salt => "a part of the salt".to_string(),
                layout::Part::Field(id) => {
                    let name = &self.field(*id).name;
                    match (from, to) {
                        (0, None) => format!("`{name}`"),
                        (0, Some(_)) => format!("the start of `{name}`"),
                        (_, None) => format!("the end of `{name}`"),
                        _ => format!("a part of `{name}`"),
                    }
                }
                layout::Part::Between(_) | layout::Part::Bytes => continue,
            };
            parts.push(what);
        }
        if self.is_whole(text) {
            return "the whole key".into();
        }
        match parts.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => "a separator".into(),
        }
    }
}

/// A text that is one of several.
fn one_of(layout: &Layout<'_>, text: &KeyText, values: &[String]) -> Option<Expr> {
    let each = values.iter().map(|value| layout.compared(text, Comparison::Equal, value));
    let conditions = each.collect::<Option<Vec<_>>>()?;
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

/// Whether a text is digits of a number that every type of whole numbers holds.
fn is_short_number(text: &str) -> bool {
    (1..=9).contains(&text.len()) && text.bytes().all(|c| c.is_ascii_digit())
}

/// What a comparison of two values that are never NULL asks for, and whether it is negated.
fn meaning(op: BinaryOperator) -> (Comparison, bool) {
    match op {
        BinaryOperator::NotEq | BinaryOperator::DistinctFrom => (Comparison::Equal, true),
        _ => Comparison::of(op).unwrap_or((Comparison::Equal, false)),
    }
}

fn holds(of: Type) -> Option<Holds> {
    match of {
        Type::Int => Some(Holds::Int),
        Type::BigInt => Some(Holds::BigInt),
        Type::Double => Some(Holds::Double),
        _ => None,
    }
}

/// The number that Hive compares a number with: also one that is written as a text.
fn number_of(value: &Constant, or_text: bool) -> Option<Decimal> {
    match value {
        Constant::Number(number) => Some(*number),
        Constant::Text(text) if or_text => {
            let is_plain = !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
            Decimal::parse(text).filter(|_| is_plain)
        }
        _ => None,
    }
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

fn has_salt(layout: &Layout<'_>, text: &KeyText) -> bool {
    let is_salt = |slice: &Slice| match slice {
        Slice::OfPart { part, .. } => *layout.part(*part) == layout::Part::Salt,
        Slice::Constant(_) => false,
    };
    text.slices.iter().any(is_salt)
}

fn has_key(node: &BoundNode) -> bool {
    node.has(&|part| part.column().is_some_and(|column| column.place == ColumnPlace::RowKey))
}

/// A condition on the key column in a form that the analysis does not read as ranges of keys.
fn hidden(mut node: BoundNode) -> BoundNode {
    fn hide(node: &mut BoundNode) {
        if node.column().is_some_and(|column| column.place == ColumnPlace::RowKey) {
            let key = BoundNode { brackets: 0, ..node.clone() };
            let arguments = vec![key, BoundNode::literal(Literal::Text(String::new()))];
            let call = BoundCall {
                function: Some(&CONCAT),
                name: CONCAT.name().into(),
                arguments,
                form: saltplan_sql::ast::CallForm::Plain,
            };
            node.what = Bound::Call(call);
            return;
        }
        node.for_each_part_mut(&mut hide);
    }
    hide(&mut node);
    node
}

/// Puts an expression at a place of the text.
fn place(node: &mut BoundNode, span: Span) {
    node.span = span;
    node.for_each_part_mut(&mut |part| place(part, span));
}
