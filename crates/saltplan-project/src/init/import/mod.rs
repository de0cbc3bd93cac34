//! Layouts that other systems declare: Phoenix's CREATE TABLE, the JSON catalog of hbase-spark, OpenTSDB's settings.
//!
//! Each becomes a [`Draft`]. What the declaration does not tell is written as a comment. A layout that a schema file
//! cannot describe is an error with its place: no schema is written then.

mod catalog;
mod opentsdb;
mod phoenix;
mod phoenix_types;

use std::sync::Arc;

use saltplan_document::diag::{Diagnostic, Source, Span};

use super::draft::Draft;

/// Longer declarations are refused.
const MAX_BYTES: usize = 1 << 18;

/// A key field of `name` that HBase and Hive can have: letters, digits and `_`.
fn check_name(name: &str, at: impl Fn() -> Place) -> Result<(), Diagnostic> {
    let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    match is_name {
        true => Ok(()),
        false => Err(at().error(
            format!("`{name}` is not a name that Hive can have"),
            "only letters, digits and `_`",
            "rename the column in the declaration: row keys do not depend on names",
        )),
    }
}

/// A place in a declaration.
struct Place {
    source: Arc<Source>,
    span: Span,
}

impl Place {
    fn error(
        self,
        message: impl Into<String>,
        label: impl Into<String>,
        help: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::error(message.into()).at(&self.source, self.span, label.into()).with_help(help.into())
    }
}

impl Draft {
    /// Reads a CREATE TABLE or CREATE VIEW of Phoenix. `name` is the name of the text in messages.
    ///
    /// # Errors
    /// It is not one, or a column of the key has a type that schema files do not have.
    pub fn of_phoenix(name: &str, text: &str) -> Result<Self, Diagnostic> {
        phoenix::read(&source(name, text)?)
    }

    /// Reads a JSON catalog of hbase-spark.
    ///
    /// # Errors
    /// It is not one, or a column of the key has a type that schema files do not have.
    pub fn of_catalog(name: &str, text: &str) -> Result<Self, Diagnostic> {
        catalog::read(&source(name, text)?)
    }

    /// Reads OpenTSDB's settings: `tags=2,salt.width=1,salt.buckets=20`.
    ///
    /// # Errors
    /// A setting is not known or out of range.
    pub fn of_opentsdb(settings: &str) -> Result<Self, Diagnostic> {
        opentsdb::read(&source("--opentsdb", settings)?)
    }

    /// Instants have a zone, which no declaration tells.
    fn take_utc(&mut self) {
        if !self.fields.iter().any(|field| field.kind.is_instant()) {
            return;
        }
        self.time_zone = Some("UTC".to_string());
        let comment = "instants are stored without a zone: write the one in which days begin";
        self.time_zone_comment = vec![comment.to_string()];
    }
}

fn source(name: &str, text: &str) -> Result<Arc<Source>, Diagnostic> {
    if text.len() > MAX_BYTES {
        let message = format!("{name}: {} bytes are more than a declaration has", text.len());
        return Err(Diagnostic::error(message)
            .with_help(format!("give one declaration of at most {MAX_BYTES} bytes")));
    }
    Ok(Source::new(name, text))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::write::yaml;
    use super::*;
    use saltplan_core::schema;

    /// What is imported is a valid schema.
    fn is_valid(imported: Draft) -> bool {
        let mut draft = Draft::default();
        draft.take(imported);
        schema::load(&Source::new("t", yaml(&draft))).is_ok()
    }

    const WORDS: [&str; 34] = [
        "CREATE",
        "TABLE",
        "VIEW",
        "IMMUTABLE",
        "IF NOT EXISTS",
        "t",
        "\"a b\"",
        "s.",
        "(",
        ")",
        ",",
        "id",
        "f.v",
        "BIGINT",
        "VARCHAR",
        "CHAR(3)",
        "NOT NULL",
        "NULL",
        "DEFAULT",
        "'x'",
        "PRIMARY KEY",
        "CONSTRAINT pk",
        "DESC",
        "ROW_TIMESTAMP",
        "SALT_BUCKETS",
        "=",
        "16",
        "SPLIT ON",
        "TTL",
        ";",
        "--",
        "/*",
        "é漢",
        "[",
    ];

    proptest! {
        /// A statement is imported as a valid schema, or refused with a place in it.
        #[test]
        fn any_statement_is_read_or_refused(words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..30)) {
            let text = words.join(" ");
            for text in [text.clone(), format!("CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, {text}"), format!("CREATE TABLE t (id CHAR(3) PRIMARY KEY) {text}")] {
                if let Ok(imported) = Draft::of_phoenix("t", &text) {
                    let families = imported.families.clone();
                    prop_assert!(is_valid(imported) || families.iter().any(|family| !family.name.is_ascii()), "{}", text);
                }
            }
        }

        #[test]
        fn any_settings_are_read_or_refused(text in "[a-z.=,0-9 ]{0,40}|tags=[0-9],salt.width=[0-9](,salt.buckets=[0-9]{0,4})?") {
            if let Ok(imported) = Draft::of_opentsdb(&text) {
                prop_assert!(is_valid(imported), "{}", text);
            }
        }
    }

    #[test]
    fn huge_declarations_end() {
        let columns: String = (0..3_000).map(|at| format!("c{at} INTEGER NOT NULL, ")).collect();
        let key: Vec<String> = (0..3_000).map(|at| format!("c{at}")).collect();
        let wide = format!("CREATE TABLE t ({columns} CONSTRAINT pk PRIMARY KEY ({}))", key.join(", "));
        assert_eq!(Draft::of_phoenix("t", &wide).unwrap().fields.len(), 3_000);
        let deep =
            format!("CREATE TABLE t (a VARCHAR PRIMARY KEY, b VARCHAR DEFAULT {}", "(".repeat(100_000));
        assert!(Draft::of_phoenix("t", &deep).unwrap_err().message.contains("expected"));
        let long = format!("CREATE TABLE t (a VARCHAR PRIMARY KEY) --{}", "x".repeat(MAX_BYTES));
        assert!(Draft::of_phoenix("t", &long).unwrap_err().message.contains("more than a declaration has"));
        assert!(Draft::of_catalog("t", &"[".repeat(100_000)).unwrap_err().message.contains("not a catalog"));
    }
}
