//! The logical tables that are replaced, by name.

use std::collections::BTreeMap;

use saltplan_core::Table;
use saltplan_core::messages::Diagnostic;
use saltplan_core::queries::Engine;

/// Tables by the names of their views.
#[derive(Debug, Default)]
pub struct Catalog {
    entries: Vec<Entry>,
    /// Indices by the database and the name of the view, and by the full name of the mapping table, in lower
    /// case.
    views: BTreeMap<(Option<String>, String), usize>,
    mappings: BTreeMap<String, usize>,
}

#[derive(Debug)]
pub(crate) struct Entry {
    pub table: Table,
    pub engine: Engine,
}

/// What a name in a query refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    View(usize),
    /// A view with this name, but the current database is not known.
    Perhaps(usize),
    Mapping(usize),
    Nothing,
}

impl Catalog {
    /// Adds a table and its engine. A schema without `hive.view` has nothing to replace and is ignored;
    /// returns whether it was added.
    ///
    /// # Errors
    /// Another schema has a view with the same name.
    pub fn add(&mut self, table: Table, engine: Engine) -> Result<bool, Diagnostic> {
        let Some(logical) = table.logical() else { return Ok(false) };
        let name = (logical.database.map(str::to_lowercase), logical.view.to_lowercase());
        let mapping = logical.mapping.to_lowercase();
        if let Some(other) = self.views.get(&name) {
            let message = format!(
                "`{}` and `{}` name the same view, `{}`",
                self.entries[*other].table.source().name,
                table.source().name,
                logical.view
            );
            let diagnostic = Diagnostic::error(message);
            return Err(diagnostic
                .with_help("give one of them another name under `hive.view`, or omit one of the schemas"));
        }
        self.views.insert(name, self.entries.len());
        self.mappings.insert(mapping, self.entries.len());
        self.entries.push(Entry { table, engine });
        Ok(true)
    }

    /// The number of tables.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn entry(&self, position: usize) -> &Entry {
        &self.entries[position]
    }

    /// `parts` must be in lower case; `current` is the current database of the script, if it is known.
    pub(crate) fn find(&self, parts: &[String], current: Option<&str>) -> Found {
        let get = |database: Option<&str>, name: &String| {
            self.views.get(&(database.map(str::to_string), name.clone())).copied()
        };
        let view = match parts {
            [name] => match (get(None, name), current) {
                (Some(found), _) => Some(found),
                (None, Some(database)) => get(Some(database), name),
                (None, None) => {
                    let perhaps = self.views.iter().find(|((_, view), _)| view == name);
                    if let Some((_, position)) = perhaps {
                        return Found::Perhaps(*position);
                    }
                    None
                }
            },
            [database, name] => get(Some(database), name),
            _ => None,
        };
        if let Some(view) = view {
            return Found::View(view);
        }
        self.mappings.get(&parts.join(".")).map_or(Found::Nothing, |position| Found::Mapping(*position))
    }
}
