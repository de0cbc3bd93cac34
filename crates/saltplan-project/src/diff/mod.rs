//! The differences between two versions of a schema, sorted by what they break.
//!
//! Both schemas are converted to *facts*: a path such as `key.salt.write`, a value in a canonical form, and
//! the place in the file. Facts come from the resolved model, so a default that is written out, or the same
//! split keys in another notation, is the same fact. A difference in the text without a difference in facts
//! is cosmetic. For changes of the row key, [`evidence`] encodes rows with both schemas.

pub mod accept;
mod change;
mod cosmetic;
pub mod effects;
pub mod entry;
pub mod evidence;
mod fact;
mod facts;
mod key_facts;
mod stored;
mod value;

use std::collections::{HashMap, HashSet};

pub use change::{Change, Class, Consequence, FactSubject, Side};
use entry::ChangeEntry;
use evidence::Evidence;
use fact::SchemaFact;
use saltplan_core::key::layout::RowKey;
use saltplan_core::key::salt::{Abs, Salt, SaltDomain};
use saltplan_core::table::Table;
use saltplan_document::diag::Diagnostic;

/// The comparison of two versions.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaDiff {
    /// From the worst class on, within a class in the order of the schema.
    pub changes: Vec<Change>,
    /// The changes grouped for people, from the worst class on.
    pub entries: Vec<ChangeEntry>,
    /// What happens to rows, if keys change.
    pub evidence: Vec<Evidence>,
}

/// The changes in a new version of a schema, sorted by what they break.
///
/// # Errors
/// One of the schemas says how its table is split, but its split keys cannot be computed.
pub fn tables(old: &Table, new: &Table) -> Result<SchemaDiff, Diagnostic> {
    let renamed = key_facts::renamed(old.schema(), new.schema());
    let mut changes = changed_facts(&facts::of(old, &renamed)?, &facts::of(new, &[])?, (old, new));
    drop_equal_salts(&mut changes, old, new);
    let evidence = evidence::find(old, new, &renamed);
    if !evidence.is_empty() && changes.iter().all(|change| change.class != Class::Key) {
        // The encoded rows decide, whatever the facts say.
        changes.push(Change::alone(
            Class::Key,
            "key",
            Side { value: Some("these row keys".into()), span: old.places().row_key() },
            Side { value: Some("other row keys".into()), span: new.places().row_key() },
        ));
    }
    cosmetic::add(&mut changes, old, new);
    changes.sort_by_key(|change| std::cmp::Reverse(change.class));
    let entries = entry::entries(&mut changes, old.schema(), new.schema());
    let breaks = changes.iter().any(|change| change.class == Class::Key);
    Ok(SchemaDiff { changes, entries, evidence: if breaks { evidence } else { Vec::new() } })
}

/// Different notations of the same salts: `decimal` and `decimal(1)` with one digit, or an absolute value
/// before and after the modulo if no input reaches `Integer.MIN_VALUE`. The exact salt domain shows both.
fn drop_equal_salts(changes: &mut Vec<Change>, old: &Table, new: &Table) {
    let (Some(before), Some(after)) = (&old.schema().key.salt, &new.schema().key.salt) else { return };
    let of_salt: Vec<&str> = changes
        .iter()
        .map(|change| change.path.as_str())
        .filter(|path| path.starts_with("key.salt") || path.starts_with("key.fields") || *path == "key.order")
        .collect();
    let modulus_of_absolute =
        |salt: &Salt, key: &RowKey| match salt.scheme.hash_code(&key.fields)?.reduction.signed_modulo()? {
            (by, Abs::Before | Abs::After) => Some(by),
            (_, Abs::Mask | Abs::None) => None,
        };
    let modulus = modulus_of_absolute(before, &old.schema().key);
    let only_spelling = match of_salt.as_slice() {
        ["key.salt.write"] => true,
        ["key.salt.number"] => modulus.is_some() && modulus == modulus_of_absolute(after, &new.schema().key),
        _ => false,
    };
    let same_salts = || match (old.salt_domain(), new.salt_domain()) {
        (Some(SaltDomain::Listed(before)), Some(SaltDomain::Listed(after))) => before == after,
        _ => false,
    };
    if only_spelling && same_salts() {
        changes.retain(|change| !change.path.starts_with("key.salt"));
    }
}

/// What becomes of rows if the local times of an instant are those of another zone.
const OTHER_ZONE: Consequence = Consequence {
    text: "local times are other instants: conditions read other keys, and rows that are given as local times (`load`, `key encode`) get other keys than before",
    source: "docs/review.md",
};

fn changed_facts(old: &[SchemaFact], new: &[SchemaFact], versions: (&Table, &Table)) -> Vec<Change> {
    let (known_before, known_now) = (by_path(old), by_path(new));
    let mut changes = Vec::new();
    for fact in old {
        let counterpart = known_now.get(fact.path.as_str()).copied();
        if counterpart.is_none_or(|other| other.value.value != fact.value.value) {
            changes.push(change(Some(fact), counterpart, versions));
        }
    }
    let added = new.iter().filter(|fact| !known_before.contains_key(fact.path.as_str()));
    changes.extend(added.map(|fact| change(None, Some(fact), versions)));
    drop_details(&mut changes);
    changes
}

fn by_path(facts: &[SchemaFact]) -> HashMap<&str, &SchemaFact> {
    facts.iter().map(|fact| (fact.path.as_str(), fact)).collect()
}

/// The details of a part that was added or removed as a whole are not listed.
fn drop_details(changes: &mut Vec<Change>) {
    let whole: HashSet<String> = changes
        .iter()
        .filter(|change| change.old.value.is_none() || change.new.value.is_none())
        .map(|change| change.path.clone())
        .collect();
    changes.retain(|change| {
        let mut owners = change.path.match_indices('.').map(|(at, _)| &change.path[..at]);
        !owners.any(|owner| whole.contains(owner))
    });
}

fn change(old: Option<&SchemaFact>, new: Option<&SchemaFact>, versions: (&Table, &Table)) -> Change {
    let side = |fact: Option<&SchemaFact>, other: Option<&SchemaFact>, table: &Table| Side {
        value: fact.map(|fact| fact.value.text.clone()),
        span: fact.map_or_else(
            || {
                // Where it would be written.
                other.map(|fact| fact::nearest(table, &fact.node)).unwrap_or_default()
            },
            |fact| fact.span,
        ),
    };
    let class = match (old, new) {
        (Some(old), Some(new)) => old.value.class_of_change(&new.value).max(Class::Query),
        (Some(fact), None) | (None, Some(fact)) => fact.value.class,
        (None, None) => Class::Cosmetic,
    };
    let old_or_new = old.or(new);
    let effect = old_or_new
        .and_then(|fact| effects::of(&fact.subject, &fact.path, versions.0.schema(), versions.1.schema()));
    let class = effect.map_or(class, |effect| effect.outcome.class().max(class));
    let consequence = effect
        .filter(|effect| effect.outcome != effects::Outcome::Kept)
        .map(|effect| Consequence { text: effect.words, source: effect.source });
    let is_other_zone = old.is_some()
        && new.is_some()
        && old_or_new.is_some_and(|fact| fact.subject == FactSubject::LocalTimes);
    let consequence = consequence.or(is_other_zone.then_some(OTHER_ZONE));
    let path = old_or_new.map(|fact| fact.path.clone()).unwrap_or_default();
    let (old, mut new) = (side(old, new, versions.0), side(new, old, versions.1));
    if let Some(value) = new.value.as_mut().filter(|value| Some(&**value) == old.value.as_ref()) {
        value.push_str(" (others)");
    }
    let subject = old_or_new.map(|fact| fact.subject.clone()).unwrap_or_default();
    let is_part = old_or_new.is_some_and(|fact| fact.value.is_part());
    Change { subject, is_part, consequence, ..Change::alone(class, path, old, new) }
}

#[cfg(test)]
mod tests;
