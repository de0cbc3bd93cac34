//! The tables and views that a script itself creates, drops (also with their databases), alters or renames: behind that, their
//! names may mean something else than schemas and descriptions say.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use saltplan_sql::script::{Kind, Tokens};

/// The tables that the statements so far have changed.
#[derive(Debug, Clone, Default)]
pub struct ChangedTables {
    /// What was done to the tables of each name, in lower case.
    by_name: BTreeMap<String, BTreeSet<Change>>,
    /// Whether one of them has a name that is known only when the script runs.
    any: bool,
    /// Databases that were dropped, in lower case, each with the tables of schemas that were created again.
    dropped: BTreeMap<String, BTreeSet<String>>,
}

/// What was done to a table of a known name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    /// In lower case; `None` if it is not known.
    database: Option<String>,
    /// Whether the table is gone, so that CREATE IF NOT EXISTS creates one.
    is_gone: bool,
}

/// A name in a statement.
enum Named {
    /// With its database, if that is written or current, in lower case.
    Known(Option<String>, String),
    /// A variable is in it.
    Unknown,
}

impl ChangedTables {
    /// Remembers what a statement changes. `database` is the current one, if it is known; `is_own` says of the tokens of a statement
    /// whether `ddl` prints it for one of the schemas.
    pub fn add(
        &mut self,
        tokens: &Tokens<'_>,
        statement: &Range<usize>,
        database: Option<&str>,
        is_own: &dyn Fn(&str, &str) -> bool,
    ) {
        if !tokens.is_any(statement.start, &["CREATE", "DROP", "ALTER", "REPLACE", "IMPORT"]) {
            return;
        }
        if tokens.is_word(statement.start, "DROP")
            && tokens.is_any(statement.start + 1, &["DATABASE", "SCHEMA"])
        {
            self.drop_database(tokens, statement);
            return;
        }
        let head = statement.start..statement.end.min(statement.start + 6);
        let Some(kind) = head.into_iter().find(|at| tokens.is_any(*at, &["TABLE", "VIEW"])) else { return };
        let mut at = kind + 1;
        while tokens.is_any(at, &["IF", "NOT", "EXISTS"]) {
            at += 1;
        }
        let named = named_at(tokens, at..statement.end, database);
        if tokens.is_word(statement.start, "CREATE")
            && let Named::Known(of, name) = &named
            && is_own(name, &tokens_text(tokens, statement))
        {
            self.restore(of.as_deref(), name);
            return;
        }
        self.change(named, tokens.is_word(statement.start, "DROP"));
        let renames = |at: &usize| tokens.is_word(*at, "RENAME") && tokens.is_word(at + 1, "TO");
        if tokens.is_word(statement.start, "ALTER")
            && let Some(at) = tokens.outside(at..statement.end).find(renames)
            && !tokens.is_word(at + 2, "PARTITION")
        {
            self.change(named_at(tokens, at + 2..statement.end, database), false);
        }
    }

    fn change(&mut self, named: Named, is_gone: bool) {
        match named {
            Named::Known(database, name) => {
                self.by_name.entry(name).or_default().insert(Change { database, is_gone });
            }
            Named::Unknown => self.any = true,
        }
    }

    /// The tables of the database are gone, too. Without CASCADE, Hive drops only a database that has none.
    fn drop_database(&mut self, tokens: &Tokens<'_>, statement: &Range<usize>) {
        let mut at = statement.start + 2;
        while tokens.is_any(at, &["IF", "EXISTS"]) {
            at += 1;
        }
        match named_at(tokens, at..statement.end, None) {
            Named::Known(_, name) => {
                self.dropped.insert(name, BTreeSet::new());
            }
            Named::Unknown => self.any = true,
        }
    }

    /// CREATE IF NOT EXISTS of a table as its schema describes it.
    fn restore(&mut self, database: Option<&str>, name: &str) {
        if let Some(again) = database.and_then(|database| self.dropped.get_mut(database)) {
            again.insert(name.to_string());
        }
        if let Some(changes) = self.by_name.get_mut(name) {
            changes.retain(|change| !(change.is_gone && change.database.as_deref() == database));
        }
    }

    /// Whether a table that was described may have been changed; `parts` must be in lower case.
    pub fn has(&self, parts: &[String]) -> bool {
        let is_dropped = match parts {
            [database, _] => self.dropped.contains_key(database),
            _ => !self.dropped.is_empty(),
        };
        self.any
            || is_dropped
            || parts.last().and_then(|name| self.by_name.get(name)).is_some_and(|changes| !changes.is_empty())
    }

    /// Whether a table or view of a schema may have been changed. A name with a variable is taken to be another one.
    pub fn has_of_schema(&self, database: Option<&str>, name: &str) -> bool {
        let database = database.map(str::to_lowercase);
        let is_meant =
            |change: &Change| change.database.is_none() || database.is_none() || change.database == database;
        let name = name.to_lowercase();
        let mut dropped = self.dropped.iter();
        dropped.any(|(of, again)| {
            database.as_ref().is_none_or(|database| database == of) && !again.contains(&name)
        }) || self.by_name.get(&name).is_some_and(|changes| changes.iter().any(is_meant))
    }
}

/// The name of a table at the start of some tokens.
fn named_at(tokens: &Tokens<'_>, range: Range<usize>, current: Option<&str>) -> Named {
    let (mut at, mut database) = (range.start, current.map(str::to_string));
    let is_database = tokens.is_name(at) || tokens.kind(at) == Some(Kind::Variable);
    if is_database && tokens.is_sign(at + 1, ".") {
        database = tokens.is_name(at).then(|| tokens.name(at));
        at += 2;
    }
    let is_longer = tokens.touch(at) && tokens.kind(at + 1) == Some(Kind::Variable);
    if at >= range.end || !tokens.is_name(at) || is_longer {
        return Named::Unknown;
    }
    // SHOW CREATE TABLE of Hive 2 and 3 prints both parts between the same backquotes.
    match tokens.name(at).rsplit_once('.') {
        Some((database, name)) => Named::Known(Some(database.to_string()), name.to_string()),
        None => Named::Known(database, tokens.name(at)),
    }
}

/// The tokens of a statement, each behind a blank.
pub fn tokens_text(tokens: &Tokens<'_>, statement: &Range<usize>) -> String {
    statement.clone().map(|at| format!(" {}", tokens.raw(at))).collect()
}
