//! The logical tables and the mapping tables that are replaced, by name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use saltplan_core::ddl::{self, DdlTable};
use saltplan_core::messages::{Diagnostic, Source};
use saltplan_core::queries::{Engine, Templates};
use saltplan_core::schema::model::{HiveTableName, TargetTable};
use saltplan_core::table::LogicalTable;
use saltplan_core::{Error, Table};
use saltplan_sql::script::Script;
use saltplan_tables::HiveTable;

use crate::changed::tokens_text;
use crate::others::OtherTables;
use crate::placeholders::known_by;
use crate::rewrite::MAX_BYTES;
use crate::rules::Known;

/// Tables by the names of their views and of their mapping tables.
#[derive(Debug, Default)]
pub struct Catalog {
    entries: Vec<Entry>,
    /// The number of schemas.
    count: usize,
    /// Indices by the database and the name of the view, and of the mapping table, in lower case. `None` is a mapping table of several
    /// schemas, so that it is not known which of them says what its keys are.
    views: BTreeMap<(Option<String>, String), usize>,
    mappings: BTreeMap<(Option<String>, String), Option<usize>>,
    /// The schemas of views, of mapping tables and of target tables, by their full names in lower case.
    views_in_hive: BTreeMap<String, String>,
    tables_in_hive: BTreeMap<String, (String, &'static str)>,
    others: OtherTables,
}

#[derive(Debug)]
pub(crate) struct Entry {
    pub table: Table,
    pub engine: Engine,
    pub named: Named,
    created: OnceLock<BTreeSet<String>>,
}

/// Which table of a schema a query names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    /// The logical table, by its view.
    View,
    /// The mapping table, whose queries cut the row key themselves.
    Mapping,
}

impl Entry {
    fn new(table: Table, engine: Engine, named: Named) -> Self {
        Entry { table, engine, named, created: OnceLock::new() }
    }

    /// The statements that `ddl` prints for the view or the mapping table, as [`shown`].
    fn created(&self) -> &BTreeSet<String> {
        self.created.get_or_init(|| {
            let part = match self.named {
                Named::View => DdlTable::View,
                Named::Mapping => DdlTable::Mapping,
            };
            let (schema, places) = (self.table.schema(), self.table.places());
            let text = ddl::all(schema, places, &[part], &[], false, MAX_BYTES, &Templates::new(None));
            let source = Source::new("ddl", text.unwrap_or_default());
            let Ok(script) = Script::read(&source, []) else { return BTreeSet::new() };
            script.statement_tokens().iter().map(|tokens| tokens_text(&script.tokens, tokens)).collect()
        })
    }

    /// The table as queries see it.
    pub fn relation(&self) -> Option<LogicalTable<'_>> {
        match self.named {
            Named::View => self.table.logical(),
            Named::Mapping => self.table.mapping_table(),
        }
    }

    pub fn target(&self) -> Option<&TargetTable> {
        self.table.schema().hive.as_ref()?.target.as_ref()
    }
}

/// What a name in a query refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// A view or a mapping table.
    Table(usize),
    /// A view or a mapping table with this name, but the current database is not known.
    Perhaps(usize),
    Nothing,
}

impl Catalog {
    /// Adds a table and its engine. A schema without a view and without a mapping table has nothing to replace and is ignored; returns
    /// whether it was added.
    ///
    /// # Errors
    /// Another schema has a view with the same name.
    pub fn add(&mut self, table: Table, engine: Engine) -> Result<bool, Error> {
        let name_of =
            |table: &LogicalTable<'_>| (table.database.map(str::to_lowercase), table.view.to_lowercase());
        let Some(mapping) = table.mapping_table() else { return Ok(false) };
        let mapping = name_of(&mapping);
        if let Some(logical) = table.logical()
            && let name = name_of(&logical)
            && let Some(other) = self.views.get(&name)
        {
            let message = format!(
                "`{}` and `{}` name the same view, `{}`",
                self.entries[*other].table.source().name,
                table.source().name,
                logical.view
            );
            let diagnostic = Diagnostic::error(message);
            return Err(diagnostic
                .with_help("give one of them another name under `hive.view`, or omit one of the schemas")
                .into());
        }
        self.add_names(&table)?;
        self.count += 1;
        if let Some(logical) = table.logical() {
            self.views.insert(name_of(&logical), self.entries.len());
            self.entries.push(Entry::new(table.clone(), engine, Named::View));
        }
        let position = self.entries.len();
        self.mappings.entry(mapping).and_modify(|known| *known = None).or_insert(Some(position));
        self.entries.push(Entry::new(table, engine, Named::Mapping));
        Ok(true)
    }

    /// Adds the columns of other tables that queries read: the text of a file with CREATE TABLE statements, or with the output of
    /// SHOW CREATE TABLE or DESCRIBE. Conditions that such a table shares with a logical one may then be used.
    ///
    /// # Errors
    /// The text is not understood, or has other columns of a table than a text before it.
    pub fn add_other_tables(&mut self, source: &Arc<Source>) -> Result<(), Error> {
        Ok(self.others.add(source)?)
    }

    /// The columns of a table without a schema, if [`Catalog::add_other_tables`] has told them. `parts` must be in lower case;
    /// `current` is the current database of the script, if it is known.
    pub(crate) fn other_table(&self, parts: &[String], current: Option<&str>) -> Option<&HiveTable> {
        self.others.find(parts, current)
    }

    /// Remembers the names that a schema has in Hive. Refuses a view that has the name of another schema's table, which it would
    /// hide, or which would be overwritten.
    fn add_names(&mut self, table: &Table) -> Result<(), Diagnostic> {
        let hive = table.schema().hive.as_ref();
        let view = hive.and_then(|hive| hive.view.as_ref()).map(HiveTableName::in_full);
        let mapping =
            hive.and_then(|hive| Some((hive.mapping.as_ref()?.table.in_full(), "the mapping table")));
        let target = hive.and_then(|hive| Some((hive.target.as_ref()?.table.in_full(), "the target table")));
        let file = &table.source().name;
        let clash = |view: &str, of: &str, what: &str, other: &str| {
            let message = format!("`{view}`, the view of `{of}`, is {what} of `{other}`");
            Err(Diagnostic::error(message).with_help("give the view another name under `hive.view`"))
        };
        if let Some(view) = &view
            && let Some((other, what)) = self.tables_in_hive.get(view)
        {
            return clash(view, file, what, other);
        }
        for (name, what) in [mapping, target].into_iter().flatten() {
            if let Some(other) = self.views_in_hive.get(&name) {
                return clash(&name, other, what, file);
            }
            self.tables_in_hive.insert(name, (file.clone(), what));
        }
        self.views_in_hive.extend(view.map(|view| (view, file.clone())));
        Ok(())
    }

    /// The names of views, mapping tables and target tables without their databases, in lower case.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        let in_full = self.views_in_hive.keys().chain(self.tables_in_hive.keys());
        in_full.filter_map(|name| name.rsplit('.').next()).map(str::to_lowercase).collect()
    }

    /// The number of schemas.
    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn entry(&self, position: usize) -> &Entry {
        &self.entries[position]
    }

    /// The schemas with this target table, by position. `parts` must be in lower case; where the database is not known, a table of that
    /// name in any database is meant.
    pub(crate) fn targets(&self, parts: &[String], current: Option<&str>) -> Vec<usize> {
        let (parts, current) = match parts {
            [database, name] if known_by(database).is_some() => (std::slice::from_ref(name), None),
            _ => (parts, current),
        };
        let is_meant = |target: &str| match (parts, current) {
            ([name], Some(database)) => target == name || target == format!("{database}.{name}"),
            // Both parts may be between one pair of backquotes.
            ([name], None) if !name.contains('.') => target.rsplit('.').next() == Some(name.as_str()),
            _ => target == parts.join("."),
        };
        let targets = self.entries.iter().map(|entry| entry.target().map(|target| target.table.to_string()));
        let named = targets
            .enumerate()
            .filter(|(_, name)| name.as_ref().is_some_and(|name| is_meant(&name.to_lowercase())));
        named.map(|(position, _)| position).collect()
    }

    /// Whether a statement, as [`shown`], is one that `ddl` prints for the view or the mapping table of a name in lower case.
    pub(crate) fn creates(&self, name: &str, statement: &str) -> bool {
        let is_named = |entry: &&Entry| entry.relation().is_some_and(|of| of.view.to_lowercase() == name);
        self.entries.iter().filter(is_named).any(|entry| entry.created().contains(statement))
    }

    /// Why a table with a schema is not recognised by a name, and what to do about it. `parts` must be in lower case.
    pub(crate) fn unrecognised(&self, parts: &[String], current: Option<&str>) -> Option<(String, String)> {
        if let [name] = parts
            && let Some((database, table)) = name.rsplit_once('.')
            && self.find(&[database.to_string(), table.to_string()], current) != Found::Nothing
        {
            let message = "both parts of the name are between one pair of backquotes, so it is left as it is";
            return Some((message.into(), format!("write `{database}.{table}` without them")));
        }
        let database = match parts {
            [_] => current,
            [database, name] => match known_by(database) {
                Some(known) => return self.in_some_database(name, known),
                None => Some(database.as_str()),
            },
            _ => return None,
        };
        let key = (database.map(str::to_string), parts.last()?.clone());
        (self.mappings.get(&key) == Some(&None)).then(|| {
            let message = "several schemas have this mapping table, so that it is not known what its keys are: it is left as it is";
            (message.into(), "give the schema of the query alone".into())
        })
    }

    /// Why a table of a database that is filled in later is not recognised.
    fn in_some_database(&self, name: &str, known: Known) -> Option<(String, String)> {
        let tables = self.views.keys().chain(self.mappings.keys());
        let (database, name) =
            tables.into_iter().find(|(database, table)| database.is_some() && table == name)?;
        let table = format!("{}.{name}", database.as_deref()?);
        let message = format!(
            "the database of this name is filled in later, so that this may be `{table}`, which has a schema, or another table: it is left as it is"
        );
        let write = format!("write `{table}`");
        let help = match known {
            Known::Hivevar => {
                format!("{write}, or give the database with `--hivevar`, in a jobs file with `params`")
            }
            Known::Hiveconf => format!("{write}, or give the database with `--hiveconf`"),
            Known::Now | Known::Unread => write,
        };
        Some((message, help))
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
        let mapping = |database: Option<&str>, name: &String| {
            self.mappings.get(&(database.map(str::to_string), name.clone())).copied().flatten()
        };
        // A view is found before.
        if let (None, [name], None) = (view, parts, current)
            && mapping(None, name).is_none()
            && let Some(position) =
                self.mappings.iter().find_map(|((_, table), of)| of.filter(|_| table == name))
        {
            return Found::Perhaps(position);
        }
        let mapping = || match parts {
            [name] => mapping(None, name).or_else(|| mapping(Some(current?), name)),
            [database, name] => mapping(Some(database), name),
            _ => None,
        };
        view.or_else(mapping).map_or(Found::Nothing, Found::Table)
    }
}
