//! Binding: names, types, casts, clocks and constants of an expression are settled once, in a tree of its own.
//!
//! `tree` says what a bound tree is, `scope` looks up names, `types`, `constants` and `beside` have the rules by which Hive's type check
//! (`TypeCheckProcFactory`) derives types and converts constants, `forms` finds the form in which predicates compare calendar fields,
//! `written` makes the expression again that was bound, and `hive_form` the tree that Hive has of it, which `tests/engines` compares
//! with Hive's own. `classes` has the Java classes of operators and casts.

mod beside;
mod calls;
mod classes;
mod constants;
mod forms;
mod hive_form;
mod java;
mod scope;
mod tree;
mod types;
mod versions;
mod written;

#[cfg(test)]
mod tests;

pub use super::clock::FieldForm;
pub use classes::{ClassOf, class_of};
pub(crate) use forms::{may_be_local_time, settle as settle_forms};
pub use hive_form::hive_form;
#[cfg(test)]
pub(crate) use scope::LOOKUPS;
pub use scope::{SchemaScope, Scope, TypedColumns};
pub use tree::{
    Bound, BoundCall, BoundColumn, BoundConstant, BoundNode, CastOrigin, ColumnPlace, ConstantValue, Open,
    Operator,
};
pub use types::comparison as comparison_type;
pub use written::{written, written_node, written_with};

use std::cell::Cell;

use super::constant::{Constant, fold};
use crate::schema::model::Schema;
use beside::{column_of, negations};
use constants::Beside;
use saltplan_document::diag::Span;
use saltplan_sql::ast::{BinaryOperator, Call, Expr, Node, UnaryOperator, When};
use saltplan_sql::hive_type::{HiveType, Type};
use saltplan_sql::version::HiveVersion;

/// By whose rules an expression is bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// As predicates promise it: what is compared with a key field is not Hive's to convert or to refuse, since a day may be written
    /// as 20200406 or '2020-04-06' whatever the field's type is. Everything else is as in Hive.
    Predicate,
    /// Exactly as Hive's type check. Without a version, a part on which the versions differ is [unsettled](Open::Unsettled).
    Query(Option<HiveVersion>),
}

/// Binds a predicate, or a part of one, with the names of a schema, and finds the form of each calendar field in it.
pub(crate) fn bind_predicate(schema: &Schema, node: &Node) -> BoundNode {
    let mut bound = bind(node, &SchemaScope(schema), Setting::Predicate);
    forms::settle(schema, &mut bound);
    bound
}

/// Binds an expression.
pub fn bind(node: &Node, scope: &dyn Scope, setting: Setting) -> BoundNode {
    match setting {
        Setting::Query(Some(version)) => Binder::new(scope, version, false).node(node),
        Setting::Query(None) => in_all_versions(node, scope, false),
        Setting::Predicate => in_all_versions(node, scope, true),
    }
}

/// What the versions agree on. Each condition of AND, OR and NOT is bound by itself: once, and again only where the versions differ in it.
fn in_all_versions(node: &Node, scope: &dyn Scope, promises: bool) -> BoundNode {
    let condition = |arm: &Node| {
        let arm = in_all_versions(arm, scope, promises);
        if is_value(&arm) { added_cast(arm, Type::Boolean) } else { arm }
    };
    let joined = |operator, operands| {
        let what = Bound::Operation { operator, operands };
        BoundNode::new(what, Some(Type::Boolean.into()), node.span)
    };
    match &node.expr {
        Expr::Nested(inner) => in_all_versions(inner, scope, promises).bracketed(),
        Expr::And(arms) => joined(Operator::And, arms.iter().map(condition).collect()),
        Expr::Or(arms) => joined(Operator::Or, arms.iter().map(condition).collect()),
        Expr::UnaryOp { op: UnaryOperator::Not, expr } => joined(Operator::Not, vec![condition(expr)]),
        _ => {
            let [first, others @ ..] = HiveVersion::ALL;
            let binder = Binder::new(scope, first, promises);
            let bound = binder.node(node);
            if !binder.differs.get() {
                return bound;
            }
            let of_others =
                others.into_iter().map(|version| Binder::new(scope, version, promises).node(node));
            of_others.fold(bound, versions::agreed)
        }
    }
}

struct Binder<'s> {
    scope: &'s dyn Scope,
    version: HiveVersion,
    /// Whether comparisons with key fields are left as they are.
    promises: bool,
    /// Whether another version may have another tree.
    differs: Cell<bool>,
}

impl<'s> Binder<'s> {
    fn new(scope: &'s dyn Scope, version: HiveVersion, promises: bool) -> Self {
        Binder { scope, version, promises, differs: Cell::new(false) }
    }

    /// What a rule says in this version, with a note if it says something else in another one.
    fn by_version<T: PartialEq>(&self, rule: impl Fn(HiveVersion) -> T) -> T {
        let own = rule(self.version);
        if !self.differs.get() {
            self.differs.set(HiveVersion::ALL.into_iter().any(|version| rule(version) != own));
        }
        own
    }

    /// Whether a rule of Hive 4 alone is to be followed where it holds.
    fn in_hive4(&self, holds: bool) -> bool {
        self.by_version(|version| holds && version == HiveVersion::Hive4)
    }

    fn node(&self, node: &Node) -> BoundNode {
        let span = node.span;
        let operation = |operator, operands, of: Option<HiveType>| {
            BoundNode::new(Bound::Operation { operator, operands }, of, span)
        };
        let boolean = || Some(HiveType::from(Type::Boolean));
        match &node.expr {
            Expr::Nested(inner) => self.node(inner).bracketed(),
            Expr::Column(column) => {
                let (column, of) = self.scope.column(column);
                BoundNode::new(Bound::Column(column), of, span)
            }
            Expr::Literal(literal) => {
                let (value, of) = constants::literal(literal);
                constant(value, node.expr.clone(), of, span)
            }
            Expr::TypedText { data_type, .. } => {
                let value = fold(&node.expr).map(constants::plain);
                constant(value, node.expr.clone(), HiveType::from(*data_type), span)
            }
            Expr::Interval { amount, unit, last } => {
                use saltplan_sql::ast::TimeUnit::{Month, Year};
                let is_long = matches!(unit, Year | Month);
                let of = if is_long { Type::IntervalYearMonth } else { Type::IntervalDayTime };
                let amount = Box::new(self.node(amount));
                BoundNode::new(Bound::Interval { amount, unit: *unit, last: *last }, Some(of.into()), span)
            }
            Expr::Runtime(name) => BoundNode::new(Bound::Runtime(name.clone()), None, span),
            Expr::Tuple(items) => self.row(items, span),
            Expr::And(arms) => operation(Operator::And, self.conditions(arms), boolean()),
            Expr::Or(arms) => operation(Operator::Or, self.conditions(arms), boolean()),
            Expr::UnaryOp { op, expr } => self.unary(*op, expr, span),
            Expr::BinaryOp { left, op, right } if op.compares() => self.comparison(node, left, *op, right),
            Expr::BinaryOp { left, op, right } => self.arithmetic(left, *op, right, span),
            Expr::Is { expr, value, negated } => {
                let operator = Operator::Is { value: *value, negated: *negated };
                operation(operator, vec![self.node(expr)], boolean())
            }
            Expr::InList { expr, list, negated } => self.in_list(expr, list, *negated, span),
            Expr::Between { expr, negated, low, high } => {
                let operands = [expr, low, high].map(|part| self.node(part)).into();
                operation(Operator::Between { negated: *negated }, operands, boolean())
            }
            Expr::Like { negated, expr, pattern, escape_char } => {
                let parts = [expr, pattern].into_iter().chain(escape_char);
                let operands = parts.map(|part| self.node(part)).collect();
                operation(Operator::Like { negated: *negated }, operands, boolean())
            }
            Expr::RLike { negated, expr, pattern } => {
                let operands = vec![self.node(expr), self.node(pattern)];
                operation(Operator::RLike { negated: *negated }, operands, boolean())
            }
            Expr::Case { operand, conditions, else_result } => {
                self.case(operand.as_deref(), conditions, else_result.as_deref(), span)
            }
            Expr::Cast { expr, data_type, written } => self.cast(node, expr, *data_type, written),
            Expr::Call(call) => self.call(call, span),
            Expr::Element { expr, index } => {
                let operands = vec![self.node(expr), self.node(index)];
                let of = match &operands[0].of {
                    Some(HiveType::Array(of) | HiveType::Map(_, of)) => Some((**of).clone()),
                    _ => None,
                };
                operation(Operator::Element, operands, of)
            }
            Expr::Member { expr, name } => self.member(expr, name, span),
            Expr::Opaque(Call { function, name, arguments, form }) => {
                let arguments = arguments.iter().map(|argument| self.node(argument)).collect();
                let call = BoundCall { function: *function, name: name.clone(), arguments, form: *form };
                BoundNode::new(Bound::Call(call), None, span).opened(Open::Unread)
            }
            // Of a query, not of a predicate.
            Expr::Script(_) => {
                let mut parts = Vec::new();
                node.for_each_part(&mut |part| parts.push(self.node(part)));
                let written = Box::new(node.expr.clone());
                BoundNode::new(Bound::Unread { written, parts }, None, span).opened(Open::Unread)
            }
        }
    }

    fn arithmetic(&self, left: &Node, op: BinaryOperator, right: &Node, span: Span) -> BoundNode {
        let operands = vec![self.node(left), self.node(right)];
        let operands = if op == BinaryOperator::Concat { self.of_text(operands) } else { operands };
        let found = self.by_version(|version| {
            let left = calls::number(version, &operands[0])?;
            let right = calls::number(version, &operands[1])?;
            let refused = || format!("`{}` of {} and {}", op.sign(), left.of, right.of);
            Some(types::arithmetic(version, op, left, right).ok_or_else(refused))
        });
        let bound = |of| {
            let operator = Operator::Binary(op);
            BoundNode::new(Bound::Operation { operator, operands }, of, span)
        };
        match found.transpose() {
            Ok(of) => bound(of.map(HiveType::from)),
            Err(why) => bound(None).opened(Open::Refused(why)),
        }
    }

    fn case(
        &self,
        operand: Option<&Node>,
        whens: &[When],
        otherwise: Option<&Node>,
        span: Span,
    ) -> BoundNode {
        let operand = operand.map(|operand| Box::new(self.node(operand)));
        let column = operand.as_deref().and_then(column_of);
        let arm = |when: &When| {
            let mut condition = self.node(&when.condition);
            // Hive 4 compares the operand with each value.
            if let Some(column) = column {
                self.convert_in_hive4(column, &mut condition);
            }
            (condition, self.node(&when.result))
        };
        let arms: Vec<_> = whens.iter().map(arm).collect();
        let otherwise = otherwise.map(|result| Box::new(self.node(result)));
        let results = || arms.iter().map(|(_, result)| result).chain(otherwise.as_deref());
        let of = self.by_version(|version| calls::common(version, results()));
        let bound = |of| BoundNode::new(Bound::Case { operand, arms, otherwise }, of, span);
        match of {
            Ok(of) => bound(of),
            Err(why) => bound(None).opened(Open::Refused(why)),
        }
    }

    fn cast(&self, node: &Node, expr: &Node, to: Type, written: &str) -> BoundNode {
        let operand = self.node(expr);
        // The letter of `5L`.
        if let (1, Some(number)) = (written.len(), operand.constant()) {
            return constant(number.value.clone(), node.expr.clone(), HiveType::from(to), node.span);
        }
        let origin = CastOrigin::Written(written.to_string());
        let cast = Bound::Cast { operand: Box::new(operand), origin };
        BoundNode::new(cast, Some(HiveType::from(to)), node.span)
    }

    fn member(&self, expr: &Node, name: &str, span: Span) -> BoundNode {
        let operand = self.node(expr);
        let plain = name.trim_matches('`').to_lowercase();
        let of = match &operand.of {
            Some(HiveType::Struct(members)) => {
                members.iter().find(|(own, _)| *own == plain).map(|(_, of)| of.clone())
            }
            _ => None,
        };
        BoundNode::new(Bound::Member { operand: Box::new(operand), name: name.to_string() }, of, span)
    }

    /// The arms of AND and OR, and the operand of NOT. Hive 4 casts what is no boolean.
    fn conditions(&self, arms: &[Node]) -> Vec<BoundNode> {
        arms.iter().map(|arm| self.condition(self.node(arm))).collect()
    }

    fn condition(&self, arm: BoundNode) -> BoundNode {
        if self.in_hive4(is_value(&arm)) { added_cast(arm, Type::Boolean) } else { arm }
    }

    fn unary(&self, op: UnaryOperator, expr: &Node, span: Span) -> BoundNode {
        let operand = self.node(expr);
        let (operator, operand) = match op {
            UnaryOperator::Not => (Operator::Not, self.condition(operand)),
            UnaryOperator::Plus => (Operator::Plus, operand),
            UnaryOperator::Minus => (Operator::Minus, operand),
            UnaryOperator::BitwiseNot => (Operator::BitwiseNot, operand),
        };
        let of = match (op, operand.primitive()) {
            (UnaryOperator::Not, _) => Some(Type::Boolean.into()),
            (UnaryOperator::Minus, Some(of)) if of.is_text() => Some(Type::Double.into()),
            _ => operand.of.clone(),
        };
        if op == UnaryOperator::Minus
            && let Some(BoundConstant { value: Some(value), .. }) = operand.constant()
            && let Some(negative) = negative(value)
        {
            let written = Expr::UnaryOp { op, expr: written_node(&operand).into() };
            return constant(Some(negative), written, of, span);
        }
        BoundNode::new(Bound::Operation { operator, operands: vec![operand] }, of, span)
    }

    fn row(&self, items: &[Node], span: Span) -> BoundNode {
        let items: Vec<_> = items.iter().map(|item| self.node(item)).collect();
        let types =
            items.iter().enumerate().map(|(at, item)| Some((format!("col{}", at + 1), item.of.clone()?)));
        let of = types.collect::<Option<Vec<_>>>().map(HiveType::Struct);
        BoundNode::new(Bound::Row(items), of, span)
    }

    fn comparison(&self, node: &Node, left: &Node, op: BinaryOperator, right: &Node) -> BoundNode {
        let (mut left, mut right) = (self.node(left), self.node(right));
        let is_promised = self.promises && (left.has_field() || right.has_field());
        let refusal = |version, left: &BoundNode, right: &BoundNode| {
            let refused = types::refused_comparison(version, left.primitive()?, right.primitive()?);
            refused.filter(|_| !is_promised)
        };
        // Hive 4 looks at the types before it converts a constant, the others afterwards.
        let in_hive4 = refusal(HiveVersion::Hive4, &left, &right);
        let is_no_number = match (column_of(&left).cloned(), column_of(&right).cloned()) {
            (Some(column), None) => self.convert(&column, &mut right) == Beside::NoNumber,
            (None, Some(column)) => self.convert(&column, &mut left) == Beside::NoNumber,
            _ => false,
        };
        let is_equality =
            matches!(op, BinaryOperator::Eq | BinaryOperator::NullSafeEq | BinaryOperator::NotDistinctFrom);
        let is_decided = is_no_number && is_equality;
        if is_decided && !self.promises {
            let value = Some(constants::plain(Constant::Bool(false)));
            return constant(value, node.expr.clone(), HiveType::from(Type::Boolean), node.span);
        }
        let refused = self.by_version(|version| match version {
            HiveVersion::Hive4 => in_hive4.clone(),
            HiveVersion::Hive2 | HiveVersion::Hive3 => refusal(version, &left, &right),
        });
        let what = Bound::Operation { operator: Operator::Binary(op), operands: vec![left, right] };
        let bound = BoundNode::new(what, Some(HiveType::from(Type::Boolean)), node.span);
        match refused {
            Some(why) => bound.opened(Open::Refused(why)),
            None if is_decided => bound.opened(Open::Unsettled),
            None => bound,
        }
    }

    fn call(&self, call: &Call, span: Span) -> BoundNode {
        let arguments: Vec<_> = call.arguments.iter().map(|argument| self.node(argument)).collect();
        let function = call.function;
        let is_of_text =
            function.is_some_and(|function| function.names_with_cast_in_hive4.contains(&call.name.as_str()));
        let arguments = if is_of_text { self.of_text(arguments) } else { arguments };
        let of = match function {
            Some(function) => self.by_version(|version| calls::result(version, function, &arguments)),
            None => Ok(None),
        };
        let bound = |of| {
            let (name, form) = (call.name.clone(), call.form);
            BoundNode::new(Bound::Call(BoundCall { function, name, arguments, form }), of, span)
        };
        match of {
            Ok(of) => bound(of),
            Err(why) => bound(None).opened(Open::Refused(why)),
        }
    }

    /// Hive 4 casts the first argument of some functions to a string.
    fn of_text(&self, mut arguments: Vec<BoundNode>) -> Vec<BoundNode> {
        let is_other = |first: &BoundNode| first.of.as_ref().is_some_and(|of| !of.is_text());
        if self.in_hive4(arguments.first().is_some_and(is_other)) {
            let first = arguments.remove(0);
            arguments.insert(0, added_cast(first, Type::String));
        }
        arguments
    }
}

fn constant(
    value: Option<ConstantValue>,
    written: Expr,
    of: impl Into<Option<HiveType>>,
    span: Span,
) -> BoundNode {
    BoundNode::new(Bound::Constant(BoundConstant::of(value, written)), of, span)
}

fn negative(value: &ConstantValue) -> Option<ConstantValue> {
    match value {
        ConstantValue::Plain(Constant::Number(number)) => {
            Some(constants::plain(Constant::Number(number.negated()?)))
        }
        ConstantValue::Double(double) => Some(ConstantValue::Double(-double)),
        ConstantValue::Plain(_) => None,
    }
}

fn added_cast(operand: BoundNode, to: Type) -> BoundNode {
    let span = operand.span;
    BoundNode::new(
        Bound::Cast { operand: Box::new(operand), origin: CastOrigin::Added },
        Some(HiveType::from(to)),
        span,
    )
}

/// Whether Hive 4 casts an operand of AND, OR or NOT, because it is no boolean.
fn is_value(node: &BoundNode) -> bool {
    node.primitive().is_some_and(|of| of != Type::Boolean)
}
