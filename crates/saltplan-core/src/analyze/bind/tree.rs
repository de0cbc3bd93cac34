//! The bound tree: an expression whose columns, types, casts, clocks and constants are settled.

use std::fmt;
use std::sync::Arc;

use super::constants;
use super::written::written;
use crate::analyze::clock::FieldForm;
use crate::analyze::constant::{CallTerm, Constant, Term, Tree, fold, typed};
use crate::key::field::FieldId;
use crate::schema::model::ColumnId;
use saltplan_document::diag::Span;
use saltplan_sql::ast::{BinaryOperator, CallForm, Column, Expr, Literal, TimeUnit, UnaryOperator};
use saltplan_sql::functions::{Function, Operation};
use saltplan_sql::hive_type::{HiveType, Type};
use saltplan_sql::value::Typed;

/// An expression with its type.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundNode {
    pub what: Bound,
    /// `None` where the type is not known.
    pub of: Option<HiveType>,
    /// Its place in the text without the brackets around it; of what the binder adds, the place of the expression that it is added to.
    pub span: Span,
    /// How many pairs of brackets are around it in the text.
    pub brackets: usize,
    /// Why it may have any value; `None` where its meaning is settled.
    pub open: Option<Open>,
    /// In the setting *predicate*: why the calendar fields that are compared here have no single form.
    pub conflicts: Vec<String>,
}

/// What an expression is.
#[derive(Debug, Clone, PartialEq)]
pub enum Bound {
    Column(BoundColumn),
    Constant(BoundConstant),
    /// A parameter whose value is known when the statement runs.
    Runtime(String),
    Cast {
        operand: Box<BoundNode>,
        origin: CastOrigin,
    },
    Operation {
        operator: Operator,
        operands: Vec<BoundNode>,
    },
    Call(BoundCall),
    Case {
        operand: Option<Box<BoundNode>>,
        /// Conditions, or values that the operand is compared with, and their results.
        arms: Vec<(BoundNode, BoundNode)>,
        otherwise: Option<Box<BoundNode>>,
    },
    /// `operand.name`
    Member {
        operand: Box<BoundNode>,
        name: String,
    },
    /// A row of values.
    Row(Vec<BoundNode>),
    /// `INTERVAL 1 DAY`
    Interval {
        amount: Box<BoundNode>,
        unit: TimeUnit,
        last: Option<TimeUnit>,
    },
    /// What only queries have, such as a subquery or a window: it is not taken apart here. `parts` are the values in it.
    Unread {
        written: Box<Expr>,
        parts: Vec<BoundNode>,
    },
}

/// Why an expression may have any value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Open {
    /// The versions of Hive differ here, and the version is not known.
    Unsettled,
    /// Hive refuses it, for this reason.
    Refused(String),
    /// Hive leaves this value of a list out, because it is no value of the operand's type: nothing equals it.
    NoMatch,
    /// It is not read here: a subquery, a window, an expression of another grammar.
    Unread,
}

/// A column of one of the relations of the scope.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundColumn {
    /// The relation that it belongs to; `None` where that is not known.
    pub relation: Option<usize>,
    pub place: ColumnPlace,
    pub written: Column,
    /// The form in which Hive has to compare a calendar field here, by the setting *predicate*; in the setting *query* always its value.
    pub form: FieldForm,
}

impl BoundColumn {
    /// A column of a table that has no schema.
    pub fn elsewhere(relation: Option<usize>, column: &Column) -> Self {
        let place = ColumnPlace::Elsewhere;
        BoundColumn { relation, place, written: column.clone(), form: FieldForm::Value }
    }
}

/// Where the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnPlace {
    Field(FieldId),
    Column(ColumnId),
    /// The row key itself.
    RowKey,
    /// In a table that has no schema.
    Elsewhere,
}

/// A constant.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundConstant {
    /// The value that Hive compares and computes with, of the type that it converts the constant to. `None` where it is not computed,
    /// or where versions of Hive read different values.
    pub value: Option<ConstantValue>,
    /// The value before it is converted to the type of what is beside it; `None` where versions of Hive differ.
    pub given: Option<Typed>,
    /// The expression that was written, which is printed, without brackets around it; `None` of a value that was not read from text.
    pub written: Option<Arc<Expr>>,
}

impl BoundConstant {
    /// The constant that an expression is.
    pub fn of(value: Option<ConstantValue>, written: Expr) -> Self {
        BoundConstant { value, given: typed(&written), written: Some(Arc::new(written)) }
    }

    /// The expression that was written, or one of the value.
    pub fn spelled(&self) -> Expr {
        match (&self.written, &self.given) {
            (Some(written), _) => (**written).clone(),
            (None, Some(given)) => constants::spelled(given),
            (None, None) => Expr::null(),
        }
    }
}

/// The value of a constant; of a number in the type of its node.
#[derive(Debug, Clone, PartialEq)]
pub enum ConstantValue {
    Plain(Constant),
    /// The nearest double of a number with more digits than an exact decimal has here.
    Double(f64),
}

/// Where a cast comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CastOrigin {
    /// With the type as it was written.
    Written(String),
    /// Hive adds it. It is not printed.
    Added,
}

/// A function with its arguments.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundCall {
    /// `None` of a function of users.
    pub function: Option<&'static Function>,
    /// As it was written, in lower case.
    pub name: String,
    pub arguments: Vec<BoundNode>,
    pub form: CallForm,
}

impl BoundCall {
    /// What the function does, if some code has a rule for it.
    pub fn operation(&self) -> Operation {
        self.function.map_or(Operation::Other, |function| function.operation)
    }

    /// Whether it is a call with `DISTINCT` or `*`, which has any value here.
    pub fn is_opaque(&self) -> bool {
        matches!(self.form, CallForm::Distinct | CallForm::Star)
    }

    /// Whether it reads the clock of the engine.
    pub fn is_clock(&self) -> bool {
        self.function.is_some_and(|function| function.is_clock(self.arguments.len()))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    And,
    Or,
    Not,
    Plus,
    Minus,
    BitwiseNot,
    Binary(BinaryOperator),
    /// `IS [NOT] NULL`, `TRUE` or `FALSE`; `None` is NULL.
    Is {
        value: Option<bool>,
        negated: bool,
    },
    /// The first operand is looked for in the others.
    In {
        negated: bool,
    },
    Between {
        negated: bool,
    },
    /// An operand, a pattern, and possibly the character of escapes.
    Like {
        negated: bool,
    },
    RLike {
        negated: bool,
    },
    /// `operand[index]`
    Element,
}

impl BoundNode {
    /// An expression without brackets whose meaning is settled.
    pub fn new(what: Bound, of: impl Into<Option<HiveType>>, span: Span) -> Self {
        BoundNode { what, of: of.into(), span, brackets: 0, open: None, conflicts: Vec::new() }
    }

    /// A literal without a place.
    pub fn literal(literal: Literal) -> Self {
        let (value, of) = constants::literal(&literal);
        let constant = BoundConstant::of(value, Expr::Literal(literal));
        BoundNode::new(Bound::Constant(constant), of, Span::default())
    }

    /// A value without a spelling and without a place.
    pub fn value(value: Typed) -> Self {
        let of = constants::type_of(&value);
        let constant = BoundConstant {
            value: Some(constants::plain(value.constant.clone())),
            given: Some(value),
            written: None,
        };
        BoundNode::new(Bound::Constant(constant), Some(of.into()), Span::default())
    }

    /// A condition that an operator makes of its operands, at the place of the first one.
    pub fn condition(operator: Operator, operands: Vec<BoundNode>) -> Self {
        let span = operands.first().map_or_else(Span::default, |first| first.span);
        BoundNode::new(Bound::Operation { operator, operands }, Some(Type::Boolean.into()), span)
    }

    /// With one more pair of brackets around it.
    #[must_use]
    pub fn bracketed(self) -> Self {
        BoundNode { brackets: self.brackets + 1, ..self }
    }

    /// An expression that may have any value, for this reason. Its parts stay as they are.
    #[must_use]
    pub fn opened(self, why: Open) -> Self {
        BoundNode { of: None, open: Some(why), ..self }
    }

    /// The expression below the casts that the binder has added: what was written.
    pub fn uncast(&self) -> &BoundNode {
        match &self.what {
            Bound::Cast { operand, origin: CastOrigin::Added } => operand.uncast(),
            _ => self,
        }
    }

    /// The operator with its operands, if it is one.
    pub fn operation(&self) -> Option<(Operator, &[BoundNode])> {
        match &self.uncast().what {
            Bound::Operation { operator, operands } => Some((*operator, operands)),
            _ => None,
        }
    }

    /// The operands of an operator; none of other expressions.
    pub fn operands(&self) -> &[BoundNode] {
        self.operation().map_or(&[], |(_, operands)| operands)
    }

    /// The operands of an operator of two values, of BETWEEN, of a list or of a pattern, without the character of escapes.
    pub fn compared(&self) -> &[BoundNode] {
        let Bound::Operation { operator, operands } = &self.what else { return &[] };
        match operator {
            Operator::Binary(_) | Operator::Between { .. } | Operator::In { .. } => operands,
            Operator::Like { .. } | Operator::RLike { .. } => &operands[..operands.len().min(2)],
            _ => &[],
        }
    }

    /// The call, if it is one with plain arguments.
    pub fn call(&self) -> Option<&BoundCall> {
        match &self.uncast().what {
            Bound::Call(call) if !call.is_opaque() => Some(call),
            _ => None,
        }
    }

    /// The key field, if it is one.
    pub fn field(&self) -> Option<FieldId> {
        match &self.uncast().what {
            Bound::Column(BoundColumn { place: ColumnPlace::Field(field), .. }) => Some(*field),
            _ => None,
        }
    }

    /// The value of an expression without columns; `None` where it has columns, or is of a kind that is not computed here.
    pub fn folded(&self) -> Option<Constant> {
        fold(self)
    }

    /// Whether the expression or one of its parts satisfies `is_it`.
    pub fn has(&self, is_it: &dyn Fn(&BoundNode) -> bool) -> bool {
        let mut found = is_it(self);
        self.for_each_part(&mut |part| found = found || part.has(is_it));
        found
    }

    /// The type, if it is known and has no parts.
    pub fn primitive(&self) -> Option<Type> {
        self.of.as_ref()?.primitive()
    }

    /// The constant, if it is one.
    pub fn constant(&self) -> Option<&BoundConstant> {
        match &self.what {
            Bound::Constant(constant) => Some(constant),
            _ => None,
        }
    }

    /// The column, if it is one.
    pub fn column(&self) -> Option<&BoundColumn> {
        match &self.what {
            Bound::Column(column) => Some(column),
            _ => None,
        }
    }

    /// Whether a key field is in it.
    pub fn has_field(&self) -> bool {
        self.has(&|part| matches!(part.column(), Some(BoundColumn { place: ColumnPlace::Field(_), .. })))
    }

    /// Visits the direct parts in the order of the text.
    pub fn for_each_part<'n>(&'n self, visit: &mut dyn FnMut(&'n BoundNode)) {
        match &self.what {
            Bound::Column(_) | Bound::Constant(_) | Bound::Runtime(_) => {}
            Bound::Cast { operand: part, .. }
            | Bound::Member { operand: part, .. }
            | Bound::Interval { amount: part, .. } => visit(part),
            Bound::Operation { operands: parts, .. }
            | Bound::Row(parts)
            | Bound::Unread { parts, .. }
            | Bound::Call(BoundCall { arguments: parts, .. }) => parts.iter().for_each(visit),
            Bound::Case { operand, arms, otherwise } => {
                operand.iter().for_each(|part| visit(part));
                for (condition, result) in arms {
                    visit(condition);
                    visit(result);
                }
                otherwise.iter().for_each(|part| visit(part));
            }
        }
    }

    /// Visits the direct parts in the order of the text.
    pub fn for_each_part_mut(&mut self, visit: &mut dyn FnMut(&mut BoundNode)) {
        match &mut self.what {
            Bound::Column(_) | Bound::Constant(_) | Bound::Runtime(_) => {}
            Bound::Cast { operand: part, .. }
            | Bound::Member { operand: part, .. }
            | Bound::Interval { amount: part, .. } => visit(part),
            Bound::Operation { operands: parts, .. }
            | Bound::Row(parts)
            | Bound::Unread { parts, .. }
            | Bound::Call(BoundCall { arguments: parts, .. }) => parts.iter_mut().for_each(visit),
            Bound::Case { operand, arms, otherwise } => {
                operand.iter_mut().for_each(|part| visit(part));
                for (condition, result) in arms {
                    visit(condition);
                    visit(result);
                }
                otherwise.iter_mut().for_each(|part| visit(part));
            }
        }
    }

    /// Visits the expression and all its parts, outer ones first.
    pub fn walk<'n>(&'n self, visit: &mut dyn FnMut(&'n BoundNode)) {
        visit(self);
        self.for_each_part(&mut |part| part.walk(visit));
    }
}

impl Tree for BoundNode {
    type Part = BoundNode;

    fn term(&self) -> Term<'_, BoundNode> {
        let node = self.uncast();
        match &node.what {
            Bound::Constant(_) => Term::Constant,
            Bound::Cast { operand, .. } => match node.primitive() {
                Some(to) => Term::Cast(operand, to),
                None => Term::Other,
            },
            Bound::Operation { operator, operands } => match (operator, operands.as_slice()) {
                (Operator::Plus, [operand]) => Term::Sign(UnaryOperator::Plus, operand),
                (Operator::Minus, [operand]) => Term::Sign(UnaryOperator::Minus, operand),
                (Operator::Binary(op), [left, right]) => Term::Binary(left, *op, right),
                _ => Term::Other,
            },
            Bound::Interval { amount, unit, last: None } => Term::Interval(amount, *unit),
            Bound::Call(call) if !call.is_opaque() => {
                Term::Call(CallTerm { function: call.function, arguments: &call.arguments })
            }
            _ => Term::Other,
        }
    }

    fn value(&self) -> Option<Typed> {
        self.uncast().constant()?.given.clone()
    }
}

/// As it was written.
impl fmt::Display for BoundNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        written(self).fmt(f)
    }
}
