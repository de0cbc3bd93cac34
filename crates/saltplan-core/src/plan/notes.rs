//! What a plan says of itself: why nothing was pruned, which salt was not computed, which condition was not used.

use std::collections::BTreeSet;

use super::Note;
use super::planner::Planner;
use super::salts::TooManySalts;
use crate::diag::grouped;
use crate::predicate::{Condition, Meaning, Predicate};
use crate::schema::model::Schema;

/// Conditions that get a note of their own, at most.
pub(super) const MAX_EXPLAINED: usize = 32;

impl Planner<'_> {
    pub(super) fn why_too_many(&self, too_many: &TooManySalts) -> String {
        let unbound: BTreeSet<usize> = too_many.unbound.iter().copied().collect();
        let what = if unbound.is_empty() {
            "it is random".to_string()
        } else {
            format!("{} not bound to single values", names(self.schema, &unbound))
        };
        format!(
            "{} salts are possible and the predicate does not tell which: {what}",
            count_text(too_many.count)
        )
    }

    pub(super) fn why_no_pruning(&self) -> String {
        let what = match self.image {
            Some(image) => format!("no pruning, {0} of {0} salts", count_text(image.count())),
            None => "no pruning".to_string(),
        };
        match self.schema.key.stored().next() {
            Some(first) if self.bound.fields.contains_key(&first) => {
                format!(
                    "{what}: the conditions on `{}` make no range of keys",
                    self.schema.key.fields[first].name
                )
            }
            Some(first) => {
                format!(
                    "{what}: the first key field, `{}`, is not restricted",
                    self.schema.key.fields[first].name
                )
            }
            None => what,
        }
    }

    pub(super) fn note(&mut self, code: &'static str, message: String) {
        let note = Note { code, message };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Says of the conditions that stay as residual why the ranges could not use them.
    pub(super) fn explain_conditions(&mut self) {
        let checked = self.clauses.of_predicate().filter(|(id, _)| self.checked.contains(id));
        let messages: Vec<String> = checked
            .filter_map(|(_, clause)| match &clause.predicate {
                Predicate::Condition(condition) => Some(self.why_checked(condition)),
                Predicate::All(_) | Predicate::Any(_) => None,
            })
            .collect();
        let more = messages.len().saturating_sub(MAX_EXPLAINED);
        for message in messages.into_iter().take(MAX_EXPLAINED) {
            self.note("not_used", message);
        }
        if more > 0 {
            self.note("not_used", format!("{more} more conditions are checked row by row"));
        }
    }

    fn why_checked(&self, condition: &Condition) -> String {
        let text = &condition.text;
        match &condition.meaning {
            Meaning::Opaque { reason: Some(reason) } => format!("`{text}` is checked row by row: {reason}"),
            Meaning::Opaque { reason: None } => {
                format!("`{text}` does not narrow the ranges: it is not about the row key")
            }
            Meaning::Field { field, .. } => {
                let name = &self.schema.key.fields[*field].name;
                format!("`{text}` is checked row by row: the ranges do not tell `{name}` exactly")
            }
            Meaning::SaltInput { .. } => format!("`{text}` is checked row by row"),
        }
    }
}

pub(super) fn names(schema: &Schema, fields: &BTreeSet<usize>) -> String {
    let names: Vec<String> =
        fields.iter().map(|index| format!("`{}`", schema.key.fields[*index].name)).collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", names.join(", "))
}

/// A count in digits, or as a power of two where the digits would tell nobody anything.
pub(crate) fn count_text(count: u128) -> String {
    match count {
        u128::MAX => "2^128".into(),
        large if large.is_power_of_two() && large > 1 << 31 => format!("2^{}", large.trailing_zeros()),
        other => grouped(other),
    }
}
