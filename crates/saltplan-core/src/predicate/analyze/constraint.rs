//! The answer of the analyzer: what a condition says of the key.

use std::collections::BTreeSet;

use crate::diag::Span;
use crate::hiveql::ast::Expr;
use crate::key::field::FieldId;
use crate::key::salt::InputId;
use crate::predicate::compare::{NotUsed, Remarks};
use crate::predicate::values::ValueSet;
use crate::predicate::{Condition, Meaning, Predicate};
use crate::schema::model::Schema;

/// What a condition says of the key in the rows in which it has the wanted truth.
#[derive(Debug)]
pub(super) struct Constraint {
    /// What holds in all of these rows; `None` where nothing is known.
    pub implied: Option<Implied>,
    /// Whether it holds in no other row: then nobody has to check the condition.
    pub tight: bool,
    pub form: Form,
    pub remarks: Remarks,
}

/// How far saltplan knows the form of a condition.
#[derive(Debug, Clone)]
pub(super) enum Form {
    /// It compares one field with constants, and `implied` is a set of its values.
    OneField(FieldId),
    Unknown,
    /// It is known, but makes no set of values.
    NotUsed(NotUsed),
}

/// What holds in rows.
#[derive(Debug, Clone)]
pub(super) enum Implied {
    Field(FieldId, ValueSet),
    SaltInput {
        input: InputId,
        values: BTreeSet<Vec<u8>>,
    },
    All(Vec<Implied>),
    /// Holds in no row when empty.
    Any(Vec<Implied>),
}

impl Constraint {
    /// The constraint of a condition that has the wanted truth in all rows or in none.
    pub fn certain(is_met: bool) -> Self {
        let implied = (!is_met).then(Implied::never);
        Constraint { implied, tight: true, form: Form::Unknown, remarks: Remarks::default() }
    }

    /// The field that it is about, where it is about one.
    pub fn field(&self) -> Option<FieldId> {
        match self.form {
            Form::OneField(field) => Some(field),
            _ => None,
        }
    }

    /// The values of the field that it is about.
    pub fn values(&self) -> Option<&ValueSet> {
        match &self.implied {
            Some(Implied::Field(_, values)) => Some(values),
            _ => None,
        }
    }

    /// What holds, in the shortest form. Hive decides what it makes of a value that can hardly be meant, so nothing is known of a
    /// comparison with one.
    pub fn known(&self, schema: &Schema) -> Option<Implied> {
        match self.form {
            Form::OneField(_) if !self.remarks.rejected.is_empty() => None,
            _ => self.implied.clone().and_then(|implied| implied.normalized(schema)),
        }
    }
}

impl Implied {
    pub fn never() -> Self {
        Implied::Any(Vec::new())
    }

    pub fn is_never(&self) -> bool {
        matches!(self, Implied::Any(parts) if parts.is_empty())
    }

    /// A field that has all values says nothing, and one that has none holds in no row.
    pub fn normalized(self, schema: &Schema) -> Option<Self> {
        let Implied::Field(field, values) = self else { return Some(self) };
        let kind = &schema.key.fields[field].kind;
        let values = values.possible(kind);
        if values.is_empty() {
            return Some(Implied::never());
        }
        (!values.is_all(kind)).then_some(Implied::Field(field, values))
    }

    /// All parts, or any of them; `None` where that says nothing.
    pub fn joined(mut parts: Vec<Implied>, of_all: bool) -> Option<Self> {
        if of_all {
            if parts.iter().any(Implied::is_never) {
                return Some(Implied::never());
            }
        } else {
            parts.retain(|part| !part.is_never());
        }
        match (parts.len(), of_all) {
            (0, true) => None,
            (0, false) => Some(Implied::never()),
            (1, _) => parts.pop(),
            (_, true) => Some(Implied::All(parts)),
            (_, false) => Some(Implied::Any(parts)),
        }
    }

    /// The same as conditions beside the one that implies them, which stands at `span` and is `expr` for Hive.
    pub fn predicate(self, expr: &Expr, span: Span) -> Predicate {
        let condition = |meaning| {
            let condition =
                Condition { meaning, fact: None, expr: expr.clone(), unclear: None, span, implied: true };
            Predicate::Condition(condition.into())
        };
        let each = |parts: Vec<Implied>| parts.into_iter().map(|part| part.predicate(expr, span)).collect();
        match self {
            Implied::Field(field, values) => condition(Meaning::Field { field, values }),
            Implied::SaltInput { input, values } => condition(Meaning::SaltInput { input, values }),
            Implied::All(parts) => Predicate::All(each(parts)),
            Implied::Any(parts) => Predicate::Any(each(parts)),
        }
    }
}
