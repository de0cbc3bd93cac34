//! What a plan says of itself: why nothing was pruned, which salt was not computed, which condition was not used.

use std::collections::{BTreeMap, BTreeSet};

use super::Note;
use super::planner::Planner;
use super::salts::TooManySalts;
use crate::diag::grouped;
use crate::predicate::{Condition, Meaning, Piece, Predicate, ValueSet};
use crate::schema::model::Schema;

/// Conditions that get a note of their own, at most.
pub(super) const MAX_EXPLAINED: usize = 32;

/// Unused conditions that a refusal speaks of, at most.
const MAX_UNUSED: usize = 3;

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
            Some(first) if self.is_used_in_vain(first) => {
                format!(
                    "{what}: no condition on the first key field, `{}`, makes a range",
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

    /// Says of an empty plan why no row satisfies the predicate.
    pub(super) fn explain_nothing(&mut self) {
        for reason in &self.lowered.never {
            self.note("empty", reason.clone());
        }
        if self.lowered.never.is_empty()
            && let Some(field) = contradicted(&self.lowered.predicate)
        {
            let name = &self.schema.key.fields[field].name;
            self.note("empty", format!("the conditions on `{name}` contradict each other"));
        }
    }

    /// Why conditions on key fields are no ranges.
    pub(super) fn unused(&self) -> Vec<String> {
        let checked = self.clauses.of_predicate().filter(|(id, _)| self.checked.contains(id));
        let conditions = checked.filter_map(|(_, clause)| match &clause.predicate {
            Predicate::Condition(condition) => match &condition.meaning {
                Meaning::Opaque { reason: Some(reason) } => Some(format!("`{}`: {reason}", condition.text)),
                _ => None,
            },
            Predicate::All(_) | Predicate::Any(_) => None,
        });
        conditions.take(MAX_UNUSED).collect()
    }

    fn is_used_in_vain(&self, field: usize) -> bool {
        self.clauses.of_predicate().any(|(_, clause)| match &clause.predicate {
            Predicate::Condition(condition) => {
                let is_field = |piece: &Piece| match piece {
                    Piece::Field { index, .. } => *index == field,
                    Piece::Clock { reading, .. } => reading.field == field,
                    _ => false,
                };
                matches!(condition.meaning, Meaning::Opaque { .. }) && condition.text.0.iter().any(is_field)
            }
            Predicate::All(_) | Predicate::Any(_) => false,
        })
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

/// A field whose conditions, all of which must hold, leave it no value.
fn contradicted(predicate: &Predicate) -> Option<usize> {
    fn gather<'a>(predicate: &'a Predicate, sets: &mut Vec<(usize, &'a ValueSet)>) {
        match predicate {
            Predicate::All(arms) => arms.iter().for_each(|arm| gather(arm, sets)),
            Predicate::Any(_) => {}
            Predicate::Condition(condition) => {
                if let Meaning::Field { field, values } = &condition.meaning {
                    sets.push((*field, values));
                }
            }
        }
    }
    let mut sets = Vec::new();
    gather(predicate, &mut sets);
    let mut left: BTreeMap<usize, ValueSet> = BTreeMap::new();
    for (field, values) in sets {
        let both = left.get(&field).map_or_else(|| values.clone(), |before| before.intersect(values));
        if both.is_empty() {
            return Some(field);
        }
        left.insert(field, both);
    }
    match predicate {
        Predicate::Any(arms) => arms.iter().find_map(contradicted),
        _ => None,
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
