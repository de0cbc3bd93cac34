//! What is inferred from one condition, and from several together.

use std::borrow::Cow;

use crate::analyze::compare::{NotUsed, Remarks};
use crate::analyze::values::ValueSet;
use crate::analyze::{Implied, Recurring};
use crate::key::field::FieldId;
use crate::schema::model::Schema;

/// What is inferred from a condition about the rows in which it has the wanted truth.
#[derive(Debug)]
pub(super) struct Inference {
    /// What holds for all of these rows; `None` if nothing is known.
    pub implied: Option<Implied>,
    /// Whether it holds for no other row. Then the condition need not be checked.
    pub tight: bool,
    pub kind: ConditionKind,
    /// Why there are no such rows, if that is known without the values of a field.
    pub never: Option<String>,
    pub remarks: Remarks,
    /// The condition, if it makes ranges once the days are known.
    pub recurring: Option<Recurring>,
}

/// What kind of condition it is.
#[derive(Debug, Clone)]
pub(super) enum ConditionKind {
    /// It compares one field with constants, and `implied` is a set of its values.
    OneField(FieldId),
    /// It is about columns alone, or has no columns.
    NotOfKey,
    /// saltplan knows no range for such a form, for this reason.
    NoRange(Cow<'static, str>),
    /// saltplan knows the form, but it makes no set of values.
    NotUsed(NotUsed),
}

impl Inference {
    /// From a condition that has the wanted truth in all rows.
    pub fn always() -> Self {
        Inference {
            implied: None,
            tight: true,
            kind: ConditionKind::NotOfKey,
            never: None,
            remarks: Remarks::default(),
            recurring: None,
        }
    }

    /// From a condition that has the wanted truth in no row, for this reason.
    pub fn never(reason: String) -> Self {
        Inference { implied: Some(Implied::never()), never: Some(reason), ..Inference::always() }
    }

    /// From a comparison of a field with constants, which allows these values.
    pub fn of_field(field: FieldId, values: ValueSet, tight: bool, remarks: Remarks) -> Self {
        let implied = Some(Implied::Field(field, values));
        Inference {
            implied,
            tight,
            kind: ConditionKind::OneField(field),
            never: None,
            remarks,
            recurring: None,
        }
    }

    /// The field that the condition is about, where it is about one.
    pub fn field(&self) -> Option<FieldId> {
        match self.kind {
            ConditionKind::OneField(field) => Some(field),
            _ => None,
        }
    }

    /// The values of the field that the condition is about.
    pub fn values(&self) -> Option<&ValueSet> {
        match &self.implied {
            Some(Implied::Field(_, values)) => Some(values),
            _ => None,
        }
    }

    /// `implied` in its shortest form; `None` for a comparison with a rejected constant, which Hive may evaluate in another way.
    pub fn known(&self, schema: &Schema) -> Option<Implied> {
        match self.kind {
            ConditionKind::OneField(_) if !self.remarks.rejected.is_empty() => None,
            _ => self.implied.clone().and_then(|implied| normalized(implied, schema)),
        }
    }
}

/// A set of all values of a field implies nothing, and an empty set holds for no row.
pub(super) fn normalized(implied: Implied, schema: &Schema) -> Option<Implied> {
    let Implied::Field(field, values) = implied else { return Some(implied) };
    let kind = &schema.key.fields[field].kind;
    let values = values.possible(kind);
    if values.is_empty() {
        return Some(Implied::never());
    }
    (!values.is_all(kind)).then_some(Implied::Field(field, values))
}

/// All parts, or any of them; `None` where that implies nothing.
pub(super) fn joined(mut parts: Vec<Implied>, of_all: bool) -> Option<Implied> {
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

/// What parts imply together; a disjunction with a part that implies nothing implies nothing.
pub(super) fn joined_known(parts: Vec<Option<Implied>>, of_all: bool) -> Option<Implied> {
    let is_open = !of_all && parts.iter().any(Option::is_none);
    (!is_open).then(|| joined(parts.into_iter().flatten().collect(), of_all))?
}
