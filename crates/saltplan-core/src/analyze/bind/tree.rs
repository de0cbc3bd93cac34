//! The bound tree: an expression whose columns, types, casts, clocks and constants are settled.

use crate::analyze::clock::FieldForm;
use crate::analyze::constant::Constant;
use crate::key::field::FieldId;
use crate::schema::model::ColumnId;
use saltplan_document::diag::Span;
use saltplan_sql::ast::{BinaryOperator, CallForm, Column, Expr, TimeUnit};
use saltplan_sql::functions::Function;
use saltplan_sql::hive_type::{HiveType, Type};

/// An expression with its type.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundNode {
    pub what: Bound,
    /// `None` where the type is not known.
    pub of: Option<HiveType>,
    /// Its place in the text; of what the binder adds, the place of the expression that it is added to.
    pub span: Span,
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
    /// An expression that may have any value, with its parts as far as they are bound.
    Open {
        why: Open,
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
    /// How the setting *predicate* reads a calendar field here; in the setting *query* always its value.
    pub form: FieldForm,
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
    /// `None` where it is not computed, or where versions of Hive read different values.
    pub value: Option<ConstantValue>,
    /// The expression that was written, which is printed; `None` for what the binder adds.
    pub written: Option<Box<Expr>>,
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
    pub fn new(what: Bound, of: impl Into<Option<HiveType>>, span: Span) -> Self {
        BoundNode { what, of: of.into(), span }
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
        let mut has = false;
        self.walk(&mut |part| {
            has |= matches!(part.column(), Some(BoundColumn { place: ColumnPlace::Field(_), .. }));
        });
        has
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
            | Bound::Open { parts, .. }
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

    /// Visits the expression and all its parts, outer ones first.
    pub fn walk<'n>(&'n self, visit: &mut dyn FnMut(&'n BoundNode)) {
        visit(self);
        self.for_each_part(&mut |part| part.walk(visit));
    }
}
