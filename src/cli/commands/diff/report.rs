//! A comparison with its accepted changes: the parts that all output formats share.

use std::sync::Arc;

use saltplan_core::Table;
use saltplan_document::diag::{Source, grouped};
use saltplan_project::diff::entry::ChangeEntry;
use saltplan_project::diff::evidence::Evidence;
use saltplan_project::diff::{Change, Class, Consequence, SchemaDiff};

/// The number of entries shown to people; programs get all.
const MAX_SHOWN: usize = 30;

pub struct DiffReport<'a> {
    pub old: &'a Arc<Source>,
    pub new: &'a Arc<Source>,
    /// The names of the tables, if they differ.
    pub tables: Option<(String, String)>,
    pub comparison: &'a SchemaDiff,
    /// One for each change.
    pub accepted: &'a [bool],
}

impl<'a> DiffReport<'a> {
    pub fn of(old: &'a Table, new: &'a Table, comparison: &'a SchemaDiff, accepted: &'a [bool]) -> Self {
        let tables = (old.schema().hbase.full_name(), new.schema().hbase.full_name());
        let tables = (tables.0 != tables.1).then_some(tables);
        DiffReport { old: old.source(), new: new.source(), tables, comparison, accepted }
    }
}

impl DiffReport<'_> {
    pub fn changes(&self) -> impl Iterator<Item = (&Change, bool)> {
        self.comparison.changes.iter().zip(self.accepted.iter().copied())
    }

    /// An entry is accepted when all of its changes are.
    pub fn entries(&self) -> impl Iterator<Item = (&ChangeEntry, bool)> {
        let is_accepted = |at: &usize| self.accepted.get(*at).copied().unwrap_or(false);
        self.comparison.entries.iter().map(move |entry| (entry, entry.changes.iter().all(is_accepted)))
    }

    /// The entries that are shown to people, from the worst on.
    pub fn listed(&self) -> impl Iterator<Item = (&ChangeEntry, bool)> {
        self.entries().take(MAX_SHOWN)
    }

    /// The change that represents an entry.
    pub fn first(&self, entry: &ChangeEntry) -> Option<&Change> {
        entry.changes.first().and_then(|at| self.comparison.changes.get(*at))
    }

    /// What the worst change of an entry does to stored cells.
    pub fn consequence(&self, entry: &ChangeEntry) -> Option<Consequence> {
        let changes = entry.changes.iter().filter_map(|at| self.comparison.changes.get(*at));
        changes.filter(|change| change.class == entry.class).find_map(|change| change.consequence)
    }

    /// `95 more, 90 mapping, 5 query`; `None` if all are shown.
    pub fn not_shown(&self) -> Option<String> {
        let rest: Vec<Class> = self.entries().skip(MAX_SHOWN).map(|(entry, _)| entry.class).collect();
        (!rest.is_empty()).then(|| {
            let counts = counts(|class| rest.iter().filter(|other| **other == class).count());
            format!("{} more: {}", grouped(rest.len() as u128), counts.join(", "))
        })
    }

    pub fn worst_unaccepted(&self) -> Option<Class> {
        self.changes().filter(|(_, accepted)| !accepted).map(|(change, _)| change.class).max()
    }

    /// `2 key, 1 region, 3 accepted`
    pub fn summary(&self) -> String {
        let mut parts = counts(|class| {
            self.entries().filter(|(entry, accepted)| entry.class == class && !accepted).count()
        });
        let accepted = self.entries().filter(|(_, accepted)| *accepted).count();
        if accepted > 0 {
            parts.push(format!("{} accepted", grouped(accepted as u128)));
        }
        if parts.is_empty() { "no changes".into() } else { parts.join(", ") }
    }
}

/// `2 key`, `1 region`: the classes that occur, from the worst on.
fn counts(of: impl Fn(Class) -> usize) -> Vec<String> {
    let count = |class: Class| {
        let count = of(class);
        (count > 0).then(|| format!("{} {}", grouped(count as u128), class.name()))
    };
    Class::ALL.into_iter().filter_map(count).collect()
}

pub fn described(evidence: &Evidence) -> Vec<(&'static str, String)> {
    let new_key = match &evidence.new_key {
        Ok(key) => key.clone(),
        Err(reason) => format!("none: {reason}"),
    };
    vec![
        ("row", evidence.row.clone()),
        ("old key", evidence.old_key.clone()),
        ("new key", new_key),
        ("reads as", evidence.reads_as.clone()),
    ]
}
