//! Binding: names, types, casts, clocks and constants of an expression are settled once, in a tree of its own.
//!
//! `tree` says what a bound tree is, `scope` looks up names, `types` and `constants` have the rules by which Hive's type check
//! (`TypeCheckProcFactory`) derives types and converts constants, `written` makes the expression again that was bound, and
//! `hive_form` the tree that Hive has of it, which `tests/engines` compares with Hive's own.

mod calls;
mod constants;
mod hive_form;
mod java;
mod scope;
mod tree;
mod types;
mod versions;
mod written;

#[cfg(test)]
mod tests;

pub use hive_form::hive_form;
pub use scope::{SchemaScope, Scope, TypedColumns};
pub use tree::{
    Bound, BoundCall, BoundColumn, BoundConstant, BoundNode, CastOrigin, ColumnPlace, ConstantValue, Open,
    Operator,
};
pub use written::written;

use super::constant::{Constant, fold};
use constants::{Beside, beside_column};
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

/// Binds an expression.
pub fn bind(node: &Node, scope: &dyn Scope, setting: Setting) -> BoundNode {
    let promises = setting == Setting::Predicate;
    let of_version = |version| Binder { scope, version, promises }.node(node);
    match setting {
        Setting::Query(Some(version)) => of_version(version),
        Setting::Query(None) | Setting::Predicate => {
            let [first, others @ ..] = HiveVersion::ALL.map(of_version);
            others.into_iter().fold(first, versions::agreed)
        }
    }
}

struct Binder<'s> {
    scope: &'s dyn Scope,
    version: HiveVersion,
    /// Whether comparisons with key fields are left as they are.
    promises: bool,
}

impl Binder<'_> {
    fn node(&self, node: &Node) -> BoundNode {
        let span = node.span;
        let operation = |operator, operands, of: Option<HiveType>| {
            BoundNode::new(Bound::Operation { operator, operands }, of, span)
        };
        let boolean = || Some(HiveType::from(Type::Boolean));
        match &node.expr {
            Expr::Nested(inner) => self.node(inner),
            Expr::Column(column) => {
                let (column, of) = self.scope.column(column);
                BoundNode::new(Bound::Column(column), of, span)
            }
            Expr::Literal(literal) => {
                let (value, of) = constants::literal(literal);
                constant(value, &node.expr, of, span)
            }
            Expr::TypedText { data_type, .. } => {
                let value = fold(&node.expr).map(constants::plain);
                constant(value, &node.expr, (*data_type).into(), span)
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
            Expr::BinaryOp { left, op, right } => self.arithmetic(node, left, *op, right),
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
                self.case(node, operand.as_deref(), conditions, else_result.as_deref())
            }
            Expr::Cast { expr, data_type, written } => self.cast(node, expr, *data_type, written),
            Expr::Call(call) => self.call(node, call),
            Expr::Element { expr, index } => {
                let operands = vec![self.node(expr), self.node(index)];
                let of = match &operands[0].of {
                    Some(HiveType::Array(of) | HiveType::Map(_, of)) => Some((**of).clone()),
                    _ => None,
                };
                operation(Operator::Element, operands, of)
            }
            Expr::Member { expr, name } => self.member(expr, name, span),
            Expr::Opaque(call) => {
                let parts = call.arguments.iter().map(|argument| self.node(argument)).collect();
                BoundNode::new(open(Open::Unread, node, parts), None, span)
            }
            // Of a query, not of a predicate.
            Expr::Script(_) => {
                let mut parts = Vec::new();
                node.for_each_part(&mut |part| parts.push(self.node(part)));
                BoundNode::new(open(Open::Unread, node, parts), None, span)
            }
        }
    }

    fn arithmetic(&self, node: &Node, left: &Node, op: BinaryOperator, right: &Node) -> BoundNode {
        let operands = vec![self.node(left), self.node(right)];
        let operands = if op == BinaryOperator::Concat { self.of_text(operands) } else { operands };
        let number = |operand| calls::number(self.version, operand);
        let mut of = None;
        if let Some((left, right)) = number(&operands[0]).zip(number(&operands[1])) {
            of = types::arithmetic(self.version, op, left, right);
            if of.is_none() {
                let why = format!("`{}` of {} and {}", op.sign(), left.of, right.of);
                return refused(node, operands, &why);
            }
        }
        let operator = Operator::Binary(op);
        BoundNode::new(Bound::Operation { operator, operands }, of.map(HiveType::from), node.span)
    }

    fn case(
        &self,
        node: &Node,
        operand: Option<&Node>,
        whens: &[When],
        otherwise: Option<&Node>,
    ) -> BoundNode {
        let operand = operand.map(|operand| Box::new(self.node(operand)));
        let arm = |when: &When| {
            let mut condition = self.node(&when.condition);
            // Hive 4 compares the operand with each value.
            if self.version == HiveVersion::Hive4
                && let Some(column) = operand.as_deref().and_then(column_of)
            {
                self.convert(column, &mut condition);
            }
            (condition, self.node(&when.result))
        };
        let arms: Vec<_> = whens.iter().map(arm).collect();
        let otherwise = otherwise.map(|result| Box::new(self.node(result)));
        let results = arms.iter().map(|(_, result)| result).chain(otherwise.as_deref());
        match calls::common(self.version, results) {
            Ok(of) => BoundNode::new(Bound::Case { operand, arms, otherwise }, of, node.span),
            Err(why) => {
                let parts = arms.into_iter().flat_map(|(condition, result)| [condition, result]);
                let parts = operand.into_iter().map(|part| *part).chain(parts);
                refused(node, parts.chain(otherwise.into_iter().map(|part| *part)).collect(), &why)
            }
        }
    }

    fn cast(&self, node: &Node, expr: &Node, to: Type, written: &str) -> BoundNode {
        let operand = self.node(expr);
        // The letter of `5L`.
        if let (1, Some(number)) = (written.len(), operand.constant()) {
            return constant(number.value.clone(), &node.expr, to.into(), node.span);
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
        let is_cast =
            self.version == HiveVersion::Hive4 && arm.primitive().is_some_and(|of| of != Type::Boolean);
        if is_cast { added_cast(arm, Type::Boolean) } else { arm }
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
            && let Some(BoundConstant { value: Some(value), written }) = operand.constant()
            && let Some(negative) = negative(value)
        {
            let written = written.as_ref().map(|written| {
                Box::new(Expr::UnaryOp { op, expr: Node::new((**written).clone(), operand.span).into() })
            });
            return BoundNode::new(
                Bound::Constant(BoundConstant { value: Some(negative), written }),
                of,
                span,
            );
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
        let refusal = |left: &BoundNode, right: &BoundNode| {
            let refused = types::refused_comparison(self.version, left.primitive()?, right.primitive()?);
            refused.filter(|_| !is_promised)
        };
        // Hive 4 looks at the types before it converts a constant, the others afterwards.
        if self.version == HiveVersion::Hive4
            && let Some(why) = refusal(&left, &right)
        {
            return refused(node, vec![left, right], &why);
        }
        let is_no_number = match (column_of(&left).cloned(), column_of(&right).cloned()) {
            (Some(column), None) => self.convert(&column, &mut right) == Beside::NoNumber,
            (None, Some(column)) => self.convert(&column, &mut left) == Beside::NoNumber,
            _ => false,
        };
        let is_equality =
            matches!(op, BinaryOperator::Eq | BinaryOperator::NullSafeEq | BinaryOperator::NotDistinctFrom);
        if is_no_number && is_equality {
            let value = Some(constants::plain(Constant::Bool(false)));
            return constant(value, &node.expr, Type::Boolean.into(), node.span);
        }
        if self.version != HiveVersion::Hive4
            && let Some(why) = refusal(&left, &right)
        {
            return refused(node, vec![left, right], &why);
        }
        let operands = vec![left, right];
        BoundNode::new(
            Bound::Operation { operator: Operator::Binary(op), operands },
            Some(HiveType::from(Type::Boolean)),
            node.span,
        )
    }

    /// Converts a constant to the type of a column beside it.
    fn convert(&self, column: &BoundNode, beside: &mut BoundNode) -> Beside {
        // For Hive 2 and 3 a negative number is no constant but a function of one.
        let is_function = self.version != HiveVersion::Hive4 && negations(beside) > 0;
        if is_function || self.promises && column.has_field() {
            return Beside::Same;
        }
        let (Some(target), Bound::Constant(constant), Some(of)) = (&column.of, &mut beside.what, &beside.of)
        else {
            return Beside::Same;
        };
        let found = beside_column(self.version, target, constant, of);
        if let Beside::Converted(value, of) = &found {
            constant.value = Some(value.clone());
            beside.of = Some(of.clone());
        }
        found
    }

    fn in_list(&self, expr: &Node, list: &[Node], negated: bool, span: Span) -> BoundNode {
        let operand = self.node(expr);
        let mut items: Vec<_> = list.iter().map(|item| self.node(item)).collect();
        // The others compare the values as they are.
        if self.version == HiveVersion::Hive4 {
            for (item, written) in items.iter_mut().zip(list) {
                self.fit(&operand, item, written);
            }
        }
        let operands = std::iter::once(operand).chain(items).collect();
        BoundNode::new(
            Bound::Operation { operator: Operator::In { negated }, operands },
            Some(HiveType::from(Type::Boolean)),
            span,
        )
    }

    /// A value of a list of Hive 4, which makes it a value of the operand's type if it is one.
    fn fit(&self, operand: &BoundNode, item: &mut BoundNode, written: &Node) {
        if let (Bound::Row(columns), Bound::Row(values)) = (&operand.what, &mut item.what) {
            let mut members = Vec::new();
            for (at, (column, value)) in columns.iter().zip(values).enumerate() {
                let found = column_of(column).map(|column| self.convert(column, value));
                if let (Some(Beside::NoValue), Bound::Constant(constant)) = (found, &mut value.what) {
                    constant.value = Some(constants::plain(Constant::Null));
                    value.of.clone_from(&column.of);
                }
                members.push(value.of.clone().map(|of| (format!("col{}", at + 1), of)));
            }
            item.of = members.into_iter().collect::<Option<_>>().map(HiveType::Struct);
        } else if let Some(column) = column_of(operand)
            && self.convert(column, item) == Beside::NoValue
        {
            *item = BoundNode::new(open(Open::NoMatch, written, Vec::new()), None, item.span);
        }
    }

    fn call(&self, node: &Node, call: &Call) -> BoundNode {
        let arguments: Vec<_> = call.arguments.iter().map(|argument| self.node(argument)).collect();
        let function = call.function;
        let is_of_text =
            function.is_some_and(|function| function.names_with_cast_in_hive4.contains(&call.name.as_str()));
        let arguments = if is_of_text { self.of_text(arguments) } else { arguments };
        let of = function.map_or(Ok(None), |function| calls::result(self.version, function, &arguments));
        match of {
            Ok(of) => {
                let (name, form) = (call.name.clone(), call.form);
                BoundNode::new(Bound::Call(BoundCall { function, name, arguments, form }), of, node.span)
            }
            Err(why) => refused(node, arguments, &why),
        }
    }

    /// Hive 4 casts the first argument of some functions to a string.
    fn of_text(&self, mut arguments: Vec<BoundNode>) -> Vec<BoundNode> {
        if self.version == HiveVersion::Hive4
            && let Some(first) = arguments.first_mut()
            && first.of.as_ref().is_some_and(|of| !of.is_text())
        {
            *first = added_cast(first.clone(), Type::String);
        }
        arguments
    }
}

/// The column that an expression is. Hive leaves out casts of a column to its own type.
fn column_of(node: &BoundNode) -> Option<&BoundNode> {
    match &node.what {
        Bound::Column(_) => Some(node),
        Bound::Cast { operand, .. } => {
            let is_sized =
                matches!(node.primitive(), Some(Type::Decimal { .. } | Type::Varchar(_) | Type::Char(_)));
            Some(&**operand).filter(|operand| operand.of == node.of && !is_sized).and_then(column_of)
        }
        _ => None,
    }
}

fn constant(value: Option<ConstantValue>, written: &Expr, of: HiveType, span: Span) -> BoundNode {
    let constant = BoundConstant { value, written: Some(Box::new(written.clone())) };
    BoundNode::new(Bound::Constant(constant), of, span)
}

/// The number of minus signs in front of a constant.
fn negations(node: &BoundNode) -> usize {
    let written = node.constant().and_then(|constant| constant.written.as_deref());
    let mut count = 0;
    let mut rest = written.map(Expr::unnested);
    while let Some(Expr::UnaryOp { op: UnaryOperator::Minus, expr }) = rest {
        count += 1;
        rest = Some(expr.unnested());
    }
    count
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

fn open(why: Open, written: &Node, parts: Vec<BoundNode>) -> Bound {
    Bound::Open { why, written: Box::new(written.expr.clone()), parts }
}

fn refused(node: &Node, parts: Vec<BoundNode>, why: &str) -> BoundNode {
    BoundNode::new(open(Open::Refused(why.to_string()), node, parts), None, node.span)
}
