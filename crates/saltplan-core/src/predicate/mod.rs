//! Predicates: from SQL text to conditions on the schema's fields.
//!
//! [`parse`](crate::hiveql::parse) cuts the text into conditions, [`lower`](analyze::lower) turns each into the exact set of
//! field values for which it is true, or keeps its text where it cannot.

pub mod analyze;
mod arithmetic;
pub(crate) mod compare;
pub mod constant;
mod dates;
pub(crate) mod like;
pub(crate) mod reading;
mod regex;
pub mod runtime;
mod term;
pub(crate) mod values;
pub(crate) mod words;

use std::collections::BTreeSet;
use std::sync::Arc;

pub use analyze::{Lowered, lower};
pub use values::ValueSet;

use crate::diag::Span;
use crate::hiveql::ast::Expr;
use crate::hiveql::rewrite::walk;
use crate::key::field::FieldId;
use crate::key::salt::InputId;
use crate::schema::model::{ColumnId, Schema};
use reading::Unclear;

/// A predicate in negation normal form. It says when a row is *true*; rows for which SQL would say NULL are out.
#[derive(Debug, Clone)]
pub enum Predicate {
    /// True for every row when empty.
    All(Vec<Predicate>),
    /// True for no row when empty.
    Any(Vec<Predicate>),
    Condition(Arc<Condition>),
}

impl Predicate {
    pub fn always() -> Self {
        Predicate::All(Vec::new())
    }

    pub fn never() -> Self {
        Predicate::Any(Vec::new())
    }

    /// Whether it is true for no row.
    pub(crate) fn is_never(&self) -> bool {
        matches!(self, Predicate::Any(arms) if arms.is_empty())
    }

    /// Whether some condition says that two fields or columns are the same.
    pub(crate) fn has_equalities(&self) -> bool {
        match self {
            Predicate::All(arms) | Predicate::Any(arms) => arms.iter().any(Predicate::has_equalities),
            Predicate::Condition(condition) => matches!(condition.fact, Some(Fact::Equal(..))),
        }
    }

    pub fn condition(meaning: Meaning, expr: Expr, span: Span) -> Self {
        let condition = Condition { meaning, fact: None, expr, unclear: None, span, implied: false };
        Predicate::Condition(Arc::new(condition))
    }

    /// Whether Hive checks some of it row by row.
    pub(crate) fn is_checked(&self) -> bool {
        match self {
            Predicate::All(arms) | Predicate::Any(arms) => arms.iter().any(Predicate::is_checked),
            Predicate::Condition(condition) => matches!(condition.meaning, Meaning::Opaque { .. }),
        }
    }

    /// Whether all of it only helps to find ranges: a condition beside it says more.
    pub(crate) fn is_implied(&self) -> bool {
        match self {
            Predicate::Condition(condition) => condition.implied,
            Predicate::All(arms) | Predicate::Any(arms) => {
                !arms.is_empty() && arms.iter().all(Predicate::is_implied)
            }
        }
    }

    /// The columns that it is about, where it is about columns alone.
    pub fn columns(&self, schema: &Schema) -> Option<BTreeSet<ColumnId>> {
        match self {
            Predicate::Condition(condition) => match condition.meaning {
                Meaning::Opaque { .. } => condition.columns(schema),
                Meaning::Field { .. } | Meaning::SaltInput { .. } => None,
            },
            Predicate::All(arms) | Predicate::Any(arms) => {
                let columns: Option<Vec<BTreeSet<ColumnId>>> =
                    arms.iter().map(|arm| arm.columns(schema)).collect();
                columns
                    .filter(|columns| !columns.is_empty())
                    .map(|columns| columns.into_iter().flatten().collect())
            }
        }
    }

    /// What of the parts of a conjunction or a disjunction is said to others: not what is implied.
    pub fn said(parts: &[Predicate]) -> impl Iterator<Item = &Predicate> {
        parts.iter().filter(|part| !part.is_implied())
    }
}

/// One condition.
#[derive(Debug, Clone)]
pub struct Condition {
    pub meaning: Meaning,
    /// What a condition for the engine tells all the same.
    pub fact: Option<Fact>,
    /// The condition with the names of the predicate, in forms that every Hive reads alike.
    pub expr: Expr,
    /// Why Hive cannot evaluate it row by row, if it cannot.
    pub unclear: Option<Unclear>,
    pub span: Span,
    /// Another condition of the same conjunction says more; this one only helps to find ranges and salts.
    pub(crate) implied: bool,
}

impl Condition {
    /// The columns that it is about, where it is about columns alone.
    fn columns(&self, schema: &Schema) -> Option<BTreeSet<ColumnId>> {
        let mut columns = Some(BTreeSet::new());
        walk(&self.expr, &mut |part| {
            if let Expr::Column(column) = part {
                match (schema.field(&column.name), schema.column(&column.name), &mut columns) {
                    (None, Some(id), Some(columns)) => drop(columns.insert(id)),
                    _ => columns = None,
                }
            }
        });
        columns.filter(|columns| !columns.is_empty())
    }
}

/// What a condition that the engine evaluates tells of the rows for which it is true.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// Both have the same value, and are compared as values of one kind.
    Equal(Place, Place),
    /// The column has one of these values.
    Column { column: ColumnId, values: ValueSet },
}

/// Where a row has a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    Field(FieldId),
    Column(ColumnId),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Meaning {
    /// True exactly for the rows whose field has one of these values.
    Field { field: FieldId, values: ValueSet },
    /// True only for rows of which the salt's input is one of these.
    SaltInput { input: InputId, values: BTreeSet<Vec<u8>> },
    /// Not understood by the planner; the engine evaluates the text.
    Opaque {
        /// Why the planner could not use a condition on a key field; `None` for conditions on other columns.
        reason: Option<String>,
    },
}
