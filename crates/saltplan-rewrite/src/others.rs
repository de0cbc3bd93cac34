//! What is known of tables that have no schema: the names and types of their columns.

use std::collections::HashMap;
use std::sync::Arc;

use saltplan_core::files::kind::kind_of_text;
use saltplan_core::messages::{Diagnostic, Source};
use saltplan_tables::{HiveTable, TableName, Unread};

/// Tables by name, each with the file that describes it.
#[derive(Debug, Default)]
pub(crate) struct OtherTables(HashMap<TableName, (HiveTable, Arc<Source>)>);

impl OtherTables {
    /// Adds the tables of a file. Files may describe a table several times, in the same way.
    ///
    /// # Errors
    /// The file is not understood, or describes a table otherwise than another file.
    pub fn add(&mut self, source: &Arc<Source>) -> Result<(), Diagnostic> {
        let tables = saltplan_tables::read_kind(source).map_err(|unread| match unread {
            Unread::OtherKind(mut diagnostic) => {
                if let Some(kind) = kind_of_text(&source.text) {
                    diagnostic.message = format!("{}: this is {kind}", diagnostic.message);
                }
                diagnostic
            }
            Unread::Faulty(diagnostic) => diagnostic,
        })?;
        for table in tables {
            if let Some((other, first)) = self.0.get(&table.name) {
                if !has_same_columns(other, &table) {
                    let message = format!("`{}` has other columns in `{}`", table.name, first.name);
                    return Err(Diagnostic::error(message)
                        .at(source, table.place, "described here")
                        .with_help("give the file that has its present columns"));
                }
                continue;
            }
            self.0.insert(table.name.clone(), (table, Arc::clone(source)));
        }
        Ok(())
    }

    /// The table of a name in a script; `parts` must be in lower case, and `current` is the current database, if it is known.
    pub fn find(&self, parts: &[String], current: Option<&str>) -> Option<&HiveTable> {
        let get = |database: Option<&str>, table: &str| {
            let name = TableName { database: database.map(str::to_string), table: table.to_string() };
            self.0.get(&name).map(|(table, _)| table)
        };
        match parts {
            // A table that was described without a database is that of the current one.
            [table] => current.and_then(|current| get(Some(current), table)).or_else(|| get(None, table)),
            [database, table] => get(Some(database), table),
            _ => None,
        }
    }
}

fn has_same_columns(a: &HiveTable, b: &HiveTable) -> bool {
    let columns = |table: &HiveTable| -> Vec<_> {
        table.columns().map(|column| (column.name.clone(), column.hive_type.clone())).collect()
    };
    columns(a) == columns(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(others: &OtherTables, name: &str, current: Option<&str>) -> Option<String> {
        let parts: Vec<String> = name.split('.').map(str::to_string).collect();
        let table = others.find(&parts, current)?;
        Some(table.columns().map(ToString::to_string).collect::<Vec<_>>().join(", "))
    }

    #[test]
    fn names_are_those_of_the_current_database() {
        let mut others = OtherTables::default();
        let text = "CREATE TABLE dim.users (id string); CREATE TABLE places (id int); CREATE TABLE a.places (n date);";
        others.add(&Source::new("a.hql", text)).unwrap();
        others.add(&Source::new("places.txt", "id\tint\t\n")).unwrap();
        for (name, current, columns) in [
            ("dim.users", None, Some("id string")),
            ("users", Some("dim"), Some("id string")),
            ("users", Some("a"), None),
            ("users", None, None),
            ("places", None, Some("id int")),
            ("places", Some("x"), Some("id int")),
            ("places", Some("a"), Some("n date")),
            ("x.places", Some("x"), None),
        ] {
            assert_eq!(found(&others, name, current).as_deref(), columns, "{name} in {current:?}");
        }
        let fault = others.add(&Source::new("b.hql", "CREATE TABLE dim.users (id int)")).unwrap_err();
        assert_eq!(fault.message, "`dim.users` has other columns in `a.hql`");
    }
}
