//! Groups related changes into entries: a removed column, for example, is also removed from the lists and
//! from the target.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::change::{Change, Class, FactSubject};
use saltplan_core::schema::model::{Column, Schema, TargetValue};

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
    let sides = Sides { old: VersionNames::of(old), new: VersionNames::of(new) };
    let owners = sides.owners(changes);
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
                let headline = owner.map_or_else(|| whole(&changes[at]), |owner| sides.headline(owner));
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

/// The names of one version, in order.
struct VersionNames<'a> {
    columns: Vec<&'a Column>,
    /// The columns of the target, with their sources.
    target: Vec<(&'a str, String)>,
}

impl<'a> VersionNames<'a> {
    fn of(schema: &'a Schema) -> Self {
        let target = schema.target();
        let made_of = |value: &TargetValue| match value {
            TargetValue::Column(at) => schema.columns.get(*at).map(|column| column.name.clone()),
            TargetValue::KeyField(at) => {
                schema.key.fields.get(*at).map(|field| format!("key.{}", field.name))
            }
            TargetValue::Expression(expression) => Some(expression.expr().to_string()),
        };
        let target = target.into_iter().flat_map(|target| &target.columns);
        VersionNames {
            columns: schema.columns.iter().collect(),
            target: target
                .map(|column| (column.name.as_str(), made_of(&column.value).unwrap_or_default()))
                .collect(),
        }
    }

    fn columns(&self) -> Vec<&str> {
        self.columns.iter().map(|column| column.name.as_str()).collect()
    }

    fn target(&self) -> Vec<&str> {
        self.target.iter().map(|(name, _)| *name).collect()
    }
}

struct Sides<'a> {
    old: VersionNames<'a>,
    new: VersionNames<'a>,
}

impl Sides<'_> {
    /// The group of each change; `None` for unrelated changes.
    fn owners(&self, changes: &[Change]) -> Vec<Vec<Owner>> {
        let columns = only_in_one(&self.old.columns(), &self.new.columns());
        let target = only_in_one(&self.old.target(), &self.new.target());
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
        let of_columns = changes.iter().filter(|change| matches!(change.subject, FactSubject::Column { .. }));
        let of_target =
            changes.iter().filter(|change| matches!(change.subject, FactSubject::TargetColumn { .. }));
        let members = |owners: BTreeSet<Owner>| -> Vec<Owner> {
            owners.into_iter().filter(|owner| !matches!(owner, Owner::Type(_))).collect()
        };
        let column_members = members(of_columns.filter_map(&single).collect());
        let target_members = members(of_target.filter_map(&single).collect());
        let in_order = |old: &[&str], new: &[&str]| common(old, new) == common(new, old);
        changes
            .iter()
            .map(|change| match &change.subject {
                FactSubject::Columns if in_order(&self.old.columns(), &self.new.columns()) => {
                    column_members.clone()
                }
                FactSubject::TargetColumns if in_order(&self.old.target(), &self.new.target()) => {
                    target_members.clone()
                }
                _ => single(change).into_iter().collect(),
            })
            .collect()
    }

    fn headline(&self, owner: &Owner) -> Headline {
        let find = |names: &VersionNames<'_>| match owner {
            Owner::Column(wanted) => {
                let column = names.columns.iter().find(|column| column.name == *wanted)?;
                let (hive_type, family) = (column.hive_type.to_lowercase(), &column.family);
                Some(format!("column {wanted} ({hive_type}, {family}:{})", column.qualifier))
            }
            Owner::Target(wanted) => {
                let (_, made_of) = names.target.iter().find(|(name, _)| name == wanted)?;
                Some(format!("target column {wanted} ({made_of})"))
            }
            Owner::Type(_) => None,
        };
        match (find(&self.old), find(&self.new)) {
            (Some(what), None) => Headline::Dropped(what),
            (None, Some(what)) => Headline::Added(what),
            _ => Headline::Changed,
        }
    }
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

/// Those of `names` that are among `others`.
fn common<'n>(names: &[&'n str], others: &[&'n str]) -> Vec<&'n str> {
    let others: HashSet<&str> = others.iter().copied().collect();
    names.iter().copied().filter(|name| others.contains(name)).collect()
}
