//! What a predicate implies of the row key: a tree of conditions, each with what it implies and what Hive has to check.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::bind::BoundNode;
use super::clock::Unclear;
use super::recurring::Recurring;
use super::values::ValueSet;
use crate::key::field::FieldId;
use crate::key::salt::InputId;
use crate::schema::model::{ColumnId, Schema};
use saltplan_document::diag::Span;
use saltplan_sql::ast::Expr;
use saltplan_sql::rewrite::walk;

/// A predicate in negation normal form. It says when a row is *true*; rows for which SQL would say NULL are out.
#[derive(Debug, Clone)]
pub enum Constraint {
    /// True for every row when empty.
    All(Vec<Constraint>),
    /// True for no row when empty.
    Any(Vec<Constraint>),
    Condition(Arc<Condition>),
}

/// One condition.
#[derive(Debug, Clone)]
pub struct Condition {
    pub meaning: Meaning,
    /// The condition with the names of the predicate, in forms that every Hive reads alike.
    pub expr: Expr,
    pub span: Span,
}

/// What a constraint names.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Named {
    pub fields: BTreeSet<FieldId>,
    pub columns: BTreeSet<ColumnId>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Meaning {
    /// A tight constraint: the condition is true exactly for the rows whose field has one of these values.
    Tight { field: FieldId, values: ValueSet },
    /// Hive checks the condition row by row.
    Checked(Checked),
}

/// What is known of a condition that Hive checks row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// The condition with its names and types, in forms that every Hive reads alike: [`Condition::expr`] is the text of it.
    pub bound: Box<BoundNode>,
    /// What holds for every row for which the condition is true; `None` if nothing is known of the key.
    pub implied: Option<Implied>,
    /// What holds for the columns of these rows.
    pub fact: Option<Fact>,
    /// Why there is no tight constraint on the key; `None` for conditions on other columns.
    pub reason: Option<String>,
    /// Why Hive cannot evaluate the condition row by row, if it cannot.
    pub unclear: Option<Unclear>,
    /// The condition, if it makes ranges once the days are known.
    pub recurring: Option<Recurring>,
}

/// A constraint on the key that is implied by a condition.
#[derive(Debug, Clone, PartialEq)]
pub enum Implied {
    /// The field has one of these values.
    Field(FieldId, ValueSet),
    /// The salt's input has one of these values.
    SaltInput {
        input: InputId,
        values: BTreeSet<Vec<u8>>,
    },
    All(Vec<Implied>),
    /// Holds for no row when empty.
    Any(Vec<Implied>),
}

/// What a condition implies of columns that are not in the key.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// Both have the same value, and are compared as values of one kind.
    Equal(FieldOrColumn, FieldOrColumn),
    /// The column has one of these values.
    Column { column: ColumnId, values: ValueSet },
}

/// A key field or a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FieldOrColumn {
    Field(FieldId),
    Column(ColumnId),
}

impl Checked {
    /// A condition of which nothing is known but what it is.
    pub fn unknown(bound: BoundNode) -> Self {
        let bound = Box::new(bound);
        Checked { bound, implied: None, fact: None, reason: None, unclear: None, recurring: None }
    }
}

impl Constraint {
    pub fn always() -> Self {
        Constraint::All(Vec::new())
    }

    pub fn never() -> Self {
        Constraint::Any(Vec::new())
    }

    pub fn condition(meaning: Meaning, expr: Expr, span: Span) -> Self {
        Constraint::Condition(Arc::new(Condition { meaning, expr, span }))
    }

    /// Whether it is true for every row.
    pub(crate) fn is_always(&self) -> bool {
        matches!(self, Constraint::All(arms) if arms.is_empty())
    }

    /// Whether it is true for no row.
    pub(crate) fn is_never(&self) -> bool {
        matches!(self, Constraint::Any(arms) if arms.is_empty())
    }

    /// Whether some condition in it has a property.
    pub(crate) fn has(&self, is_it: &impl Fn(&Condition) -> bool) -> bool {
        match self {
            Constraint::All(arms) | Constraint::Any(arms) => arms.iter().any(|arm| arm.has(is_it)),
            Constraint::Condition(condition) => is_it(condition),
        }
    }

    /// The fields and columns that it names; `None` if it names none, or anything else.
    pub(crate) fn named(&self, schema: &Schema) -> Option<Named> {
        let mut named = Named::default();
        self.add_named(schema, &mut named)?;
        (named != Named::default()).then_some(named)
    }

    fn add_named(&self, schema: &Schema, named: &mut Named) -> Option<()> {
        match self {
            Constraint::Condition(condition) => condition.add_named(schema, named),
            Constraint::All(arms) | Constraint::Any(arms) => {
                arms.iter().try_for_each(|arm| arm.add_named(schema, named))
            }
        }
    }
}

impl Condition {
    /// The field and its values, where the constraint is tight.
    pub fn tight(&self) -> Option<(FieldId, &ValueSet)> {
        match &self.meaning {
            Meaning::Tight { field, values } => Some((*field, values)),
            Meaning::Checked(_) => None,
        }
    }

    /// What is known of the condition, where Hive checks it row by row.
    pub fn checked(&self) -> Option<&Checked> {
        match &self.meaning {
            Meaning::Tight { .. } => None,
            Meaning::Checked(checked) => Some(checked),
        }
    }

    /// What it implies of columns that are not in the key.
    pub(crate) fn fact(&self) -> Option<&Fact> {
        self.checked()?.fact.as_ref()
    }

    /// The sets of field values. Each row of the condition is in all of them.
    pub(crate) fn field_sets(&self) -> Vec<(FieldId, &ValueSet)> {
        let mut sets = Vec::new();
        match &self.meaning {
            Meaning::Tight { field, values } => sets.push((*field, values)),
            Meaning::Checked(Checked { implied: Some(implied), .. }) => implied.field_sets(&mut sets),
            Meaning::Checked(_) => {}
        }
        sets
    }

    /// Adds the fields and columns that it names; `None` if it names anything else.
    fn add_named(&self, schema: &Schema, named: &mut Named) -> Option<()> {
        let mut is_known = true;
        walk(&self.expr, &mut |part| {
            if let Expr::Column(column) = part {
                match (schema.field(&column.name), schema.column(&column.name)) {
                    (Some(field), _) => drop(named.fields.insert(field)),
                    (None, Some(id)) => drop(named.columns.insert(id)),
                    (None, None) => is_known = false,
                }
            }
        });
        is_known.then_some(())
    }
}

impl Implied {
    pub(crate) fn never() -> Self {
        Implied::Any(Vec::new())
    }

    pub(crate) fn is_never(&self) -> bool {
        matches!(self, Implied::Any(parts) if parts.is_empty())
    }

    fn field_sets<'a>(&'a self, sets: &mut Vec<(FieldId, &'a ValueSet)>) {
        match self {
            Implied::Field(field, values) => sets.push((*field, values)),
            Implied::All(parts) => parts.iter().for_each(|part| part.field_sets(sets)),
            Implied::SaltInput { .. } | Implied::Any(_) => {}
        }
    }
}
