//! Whose column a name in a block is.
//!
//! Hive refuses a plain name that two relations of the FROM have, in WHERE and in ON, also if one of them is made by a LATERAL VIEW
//! (measured on 2.3.9 and 3.1.3: "Found in more than One Tables/Subqueries", "Ambiguous table alias"). So a plain name that one
//! relation is known to have, and no other one, is that relation's: if an unknown table also had it, the query would not run. In a
//! subquery a name belongs to the relations of the subquery first.

use std::collections::{HashMap, HashSet};

use saltplan_sql::ast::{Column, Name};
use saltplan_sql::script::{Block, Fixed, Relation};

use crate::scope::{Certainty, ResolvedSource, Scope};

/// Whose column a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// A relation of the block, by its index.
    Relation(usize),
    /// The name is behind the alias of this relation, which has no such column.
    Missing(usize),
    /// The relation that has it shares its alias with another one.
    SharedAlias,
    /// Several relations have a column of this name.
    Several,
    /// A LATERAL VIEW may have made it.
    LateralView,
    /// The columns of a USING are those of both sides.
    Using,
    /// Another table, or a query around the block.
    Elsewhere,
}

/// The names of the relations of a block and of their columns.
#[derive(Debug, Default)]
pub struct Names {
    /// The relations with each alias, in lower case.
    aliases: HashMap<String, Vec<usize>>,
    /// The relations that are known to have each column, in lower case and in ascending order.
    columns: HashMap<String, Vec<usize>>,
    /// Whether all columns of each relation are known.
    is_complete: Vec<bool>,
    /// Whether no other relation, and no lateral view, has the alias of each relation.
    is_unique: Vec<bool>,
    /// The aliases and the columns of lateral views.
    lateral_views: HashSet<String>,
    lateral_columns: HashSet<String>,
    /// The columns of USING.
    using: HashSet<String>,
}

impl Names {
    pub fn new(block: &Block, sources: &[ResolvedSource], scope: &mut Scope<'_>) -> Self {
        let mut names = Names::default();
        for (index, (relation, source)) in block.relations.iter().zip(sources).enumerate() {
            if let Some(alias) = relation.alias() {
                names.aliases.entry(alias).or_default().push(index);
            }
            let is_known = has_columns_of_source(relation);
            let mut is_complete = false;
            let mut add = |name: &str| match names.columns.get_mut(name) {
                Some(relations) => {
                    if relations.last() != Some(&index) {
                        relations.push(index);
                    }
                }
                None => drop(names.columns.insert(name.to_string(), vec![index])),
            };
            match source {
                ResolvedSource::Table { position, certainty: Certainty::Certain } if is_known => {
                    let table = scope.table(*position);
                    let columns = table.into_iter().flat_map(|table| &table.logical.columns);
                    columns.for_each(|column| add(&column.name.to_lowercase()));
                    is_complete = true;
                }
                ResolvedSource::Described(position) if is_known => {
                    scope.described(*position).columns.iter().for_each(|column| add(&column.name));
                    is_complete = true;
                }
                ResolvedSource::Query(query) => {
                    let outputs = scope.outputs(*query);
                    if is_known {
                        outputs.columns.iter().for_each(|column| add(&column.name));
                        is_complete = outputs.is_complete;
                    }
                }
                _ => {}
            }
            names.is_complete.push(is_complete);
        }
        for view in &block.lateral_views {
            names.lateral_views.extend(view.alias.clone());
            names.lateral_columns.extend(view.columns.iter().map(Name::lower));
        }
        let is_unique = |alias: Option<String>| alias.is_some_and(|alias| names.is_unique(&alias));
        names.is_unique = block.relations.iter().map(|relation| is_unique(relation.alias())).collect();
        names.using = block.joins.iter().flat_map(|join| &join.using).map(Name::lower).collect();
        names
    }

    pub fn owner(&self, column: &Column) -> Owner {
        let name = column.name.to_lowercase();
        let Some(alias) = column.qualifier.first().map(Name::lower) else {
            return self.owner_of_plain(&name);
        };
        let is_view = self.lateral_views.contains(&alias);
        match self.aliases.get(&alias).map(Vec::as_slice) {
            None if is_view => Owner::LateralView,
            None => Owner::Elsewhere,
            Some([only]) if !is_view => {
                let is_member = column.qualifier.len() > 1;
                match is_member || self.is_complete[*only] && !self.has(*only, &name) {
                    true => Owner::Missing(*only),
                    false => Owner::Relation(*only),
                }
            }
            Some(_) => Owner::SharedAlias,
        }
    }

    fn owner_of_plain(&self, name: &str) -> Owner {
        if self.lateral_columns.contains(name) {
            return Owner::LateralView;
        }
        if self.using.contains(name) {
            return Owner::Using;
        }
        match self.columns.get(name).map(Vec::as_slice) {
            None => Owner::Elsewhere,
            // Of two relations with one alias, the columns of one hide those of the other.
            Some([only]) if self.is_unique[*only] => Owner::Relation(*only),
            Some([_]) => Owner::SharedAlias,
            Some(_) => Owner::Several,
        }
    }

    /// Whether a relation is known to have a column, by its name in lower case.
    pub fn has(&self, relation: usize, name: &str) -> bool {
        self.columns.get(name).is_some_and(|relations| relations.binary_search(&relation).is_ok())
    }

    /// Whether all columns of all relations are known, and no LATERAL VIEW makes others.
    pub fn are_complete(&self) -> bool {
        self.is_complete.iter().all(|is_complete| *is_complete) && self.lateral_views.is_empty()
    }

    /// The relations with an alias, in lower case.
    pub fn with_alias(&self, alias: &str) -> &[usize] {
        self.aliases.get(alias).map_or(&[], Vec::as_slice)
    }

    /// The relations that are known to have a column, by its name in lower case.
    pub fn with_column(&self, name: &str) -> &[usize] {
        self.columns.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether only one relation, and no lateral view, has an alias.
    pub fn is_unique(&self, alias: &str) -> bool {
        self.with_alias(alias).len() == 1 && !self.lateral_views.contains(alias)
    }

    /// Whether a lateral view makes a column of this name.
    pub fn is_lateral(&self, name: &str) -> bool {
        self.lateral_columns.contains(name)
    }

    /// Whether a column of this name is in a USING.
    pub fn is_using(&self, name: &str) -> bool {
        self.using.contains(name)
    }
}

/// Whether the columns of a relation are those of its source: an alias may give them other names.
pub fn has_columns_of_source(relation: &Relation) -> bool {
    matches!(relation.fixed, None | Some(Fixed::Sample | Fixed::Partition | Fixed::Version))
}
