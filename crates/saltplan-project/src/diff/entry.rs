//! Groups related changes into entries: a removed column, for example, is also removed from the lists and
//! from the target.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::change::{Change, Class, FactSubject};
use saltplan_core::schema::model::{Schema, TargetValue};

/// One or several changes that are shown together.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChangeEntry {
    /// The worst of its changes.
    pub class: Class,
    /// Such as `column.goods17`; for a single change, its path.
    pub path: String,
    pub headline: Headline,
    /// The consequence for the target table, in a few words.
    pub target: Option<String>,
    /// The indices of its changes; the first one represents all.
    pub changes: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Headline {
    /// Such as `column goods17 (string, f:goods17)`.
    Added(String),
    Dropped(String),
    /// The path and the values of the first change.
    Changed,
}

impl Headline {
    /// With its sign; `None` for a change of values.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        match self {
            Headline::Added(what) => Some(format!("+ {what}")),
            Headline::Dropped(what) => Some(format!("- {what}")),
            Headline::Changed => None,
        }
    }
}

/// What several changes have in common.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    /// A column that only one version has.
    Column(String),
    /// A target column that only one version has, and that is not filled from such a column.
    Target(String),
    /// The type of a column, in the mapping table and in the target.
    Type(String),
}

impl Owner {
    fn path(&self) -> String {
        match self {
            Owner::Column(name) => format!("column.{name}"),
            Owner::Target(name) => format!("hive.target.column.{name}"),
            Owner::Type(name) => format!("column.{name}.type"),
        }
    }
}

/// Groups changes into entries, in order, and records for each change which group it is part of.
pub fn entries(changes: &mut [Change], old: &Schema, new: &Schema) -> Vec<ChangeEntry> {
    let owners = owners(changes, old, new);
    let mut entries: Vec<ChangeEntry> = Vec::new();
    let mut places: BTreeMap<Owner, usize> = BTreeMap::new();
    // Lists of names come last, so that an entry is represented by the change of the thing itself.
    let is_list =
        |at: &usize| matches!(changes[*at].subject, FactSubject::Columns | FactSubject::TargetColumns);
    let (lists, others): (Vec<usize>, Vec<usize>) = (0..changes.len()).partition(is_list);
    for at in others.into_iter().chain(lists) {
        let owners = &owners[at];
        let class = changes[at].class;
        match owners.first() {
            Some(owner) if places.contains_key(owner) => {
                let entry = &mut entries[places[owner]];
                entry.class = entry.class.max(class);
                entry.changes.push(at);
            }
            owner => {
                places.extend(owner.map(|owner| (owner.clone(), entries.len())));
                let headline = owner.map_or_else(|| whole(&changes[at]), |owner| headline(owner, old, new));
                let path = owner.map_or_else(|| changes[at].path.clone(), Owner::path);
                entries.push(ChangeEntry { class, path, headline, target: None, changes: vec![at] });
            }
        }
    }
    for (owner, at) in &places {
        entries[*at].target = in_target(owner, &entries[*at], changes);
    }
    for (change, owners) in changes.iter_mut().zip(owners) {
        change.part_of = owners.iter().map(Owner::path).collect();
    }
    entries.sort_by_key(|entry| (std::cmp::Reverse(entry.class), entry.changes.first().copied()));
    entries
}

/// A part that was added or removed is described by its path alone.
fn whole(change: &Change) -> Headline {
    match (&change.old.value, &change.new.value) {
        (None, Some(_)) if change.is_part => Headline::Added(change.path.clone()),
        (Some(_), None) if change.is_part => Headline::Dropped(change.path.clone()),
        _ => Headline::Changed,
    }
}

/// `- goods17`, `+ uid`, or `the same type`.
fn in_target(owner: &Owner, entry: &ChangeEntry, changes: &[Change]) -> Option<String> {
    let names: BTreeSet<&str> = entry
        .changes
        .iter()
        .filter_map(|at| match &changes[*at].subject {
            FactSubject::TargetColumn { name, .. } => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let names = names.into_iter().collect::<Vec<_>>().join(", ");
    match (owner, &entry.headline) {
        _ if names.is_empty() => None,
        (Owner::Column(_), Headline::Added(_)) => Some(format!("+ {names}")),
        (Owner::Column(_), Headline::Dropped(_)) => Some(format!("- {names}")),
        (Owner::Type(_), _) => Some(format!("{names} likewise")),
        _ => None,
    }
}

/// The names of the columns, in order.
fn columns(schema: &Schema) -> Vec<&str> {
    schema.columns.iter().map(|column| column.name.as_str()).collect()
}

/// The names of the columns of the target, in order.
fn target_columns(schema: &Schema) -> Vec<&str> {
    schema
        .target()
        .into_iter()
        .flat_map(|target| &target.columns)
        .map(|column| column.name.as_str())
        .collect()
}

/// The groups of each change; none for unrelated changes.
fn owners(changes: &[Change], old: &Schema, new: &Schema) -> Vec<Vec<Owner>> {
    let (old_columns, new_columns) = (columns(old), columns(new));
    let (old_target, new_target) = (target_columns(old), target_columns(new));
    let columns = only_in_one(&old_columns, &new_columns);
    let target = only_in_one(&old_target, &new_target);
    let types: HashSet<(&str, Retyped<'_>)> = changes
        .iter()
        .filter_map(|change| match &change.subject {
            FactSubject::Column { name, is_type: true } => Some((name.as_str(), retyped(change))),
            _ => None,
        })
        .collect();
    let single = |change: &Change| match &change.subject {
        FactSubject::Column { name, .. } if columns.contains(name.as_str()) => {
            Some(Owner::Column(name.clone()))
        }
        FactSubject::Column { name, is_type: true } => Some(Owner::Type(name.clone())),
        FactSubject::TargetColumn { name, source, is_type } => {
            let whole = target.contains(name.as_str());
            match source {
                Some(source) if whole && columns.contains(source.as_str()) => {
                    Some(Owner::Column(source.clone()))
                }
                Some(source) if *is_type && types.contains(&(source.as_str(), retyped(change))) => {
                    Some(Owner::Type(source.clone()))
                }
                _ => whole.then(|| Owner::Target(name.clone())),
            }
        }
        _ => None,
    };
    let members = |is_member: fn(&FactSubject) -> bool| -> Vec<Owner> {
        let owners = changes.iter().filter(|change| is_member(&change.subject)).filter_map(single);
        owners.filter(|owner| !matches!(owner, Owner::Type(_))).collect::<BTreeSet<_>>().into_iter().collect()
    };
    let column_members = members(|subject| matches!(subject, FactSubject::Column { .. }));
    let target_members = members(|subject| matches!(subject, FactSubject::TargetColumn { .. }));
    let of_change = |change: &Change| match &change.subject {
        FactSubject::Columns if are_in_order(&old_columns, &new_columns) => column_members.clone(),
        FactSubject::TargetColumns if are_in_order(&old_target, &new_target) => target_members.clone(),
        _ => single(change).into_iter().collect(),
    };
    changes.iter().map(of_change).collect()
}

fn headline(owner: &Owner, old: &Schema, new: &Schema) -> Headline {
    let find = |schema: &Schema| match owner {
        Owner::Column(wanted) => {
            let column = schema.columns.iter().find(|column| column.name == *wanted)?;
            let (hive_type, family) = (column.hive_type.hive_type(), &column.family);
            Some(format!("column {wanted} ({hive_type}, {family}:{})", column.qualifier))
        }
        Owner::Target(wanted) => {
            let column = schema.target()?.columns.iter().find(|column| column.name == *wanted)?;
            Some(format!("target column {wanted} ({})", made_of(&column.value, schema, str::to_string)))
        }
        Owner::Type(_) => None,
    };
    match (find(old), find(new)) {
        (Some(what), None) => Headline::Dropped(what),
        (None, Some(what)) => Headline::Added(what),
        _ => Headline::Changed,
    }
}

/// What fills a column of the target; `name` is the name of a key field in the comparison.
pub(super) fn made_of(value: &TargetValue, schema: &Schema, name: impl Fn(&str) -> String) -> String {
    let made_of = match value {
        TargetValue::Column(at) => schema.columns.get(*at).map(|column| column.name.clone()),
        TargetValue::KeyField(at) => {
            schema.key.fields.get(*at).map(|field| format!("key.{}", name(&field.name)))
        }
        TargetValue::Expression(expression) => Some(expression.expr().to_string()),
    };
    made_of.unwrap_or_default()
}

/// The old and the new type.
type Retyped<'c> = (Option<&'c str>, Option<&'c str>);

fn retyped(change: &Change) -> Retyped<'_> {
    (change.old.value.as_deref(), change.new.value.as_deref())
}

fn only_in_one<'n>(old: &[&'n str], new: &[&'n str]) -> HashSet<&'n str> {
    let (old, new): (HashSet<&str>, HashSet<&str>) =
        (old.iter().copied().collect(), new.iter().copied().collect());
    old.symmetric_difference(&new).copied().collect()
}

/// Whether the names that both have are in the same order.
pub(super) fn are_in_order(old: &[&str], new: &[&str]) -> bool {
    let common = |names: &[&str], others: &[&str]| -> Vec<String> {
        let others: HashSet<&str> = others.iter().copied().collect();
        names.iter().filter(|name| others.contains(**name)).map(ToString::to_string).collect()
    };
    common(old, new) == common(new, old)
}
