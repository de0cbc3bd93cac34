//! Programs that build and read the row keys of one table, or the rows of one predicate, without saltplan.
//!
//! ```
//! # let yaml = "
//! # saltplan: 1
//! # hbase: { table: visits, families: { f: {} } }
//! # key:
//! #   salt: { md5: { of: key, first_hex_digits: 1, write: hex } }
//! #   fields: [{ name: day, type: date, format: yyyyMMdd }, { name: id, type: string, chars: alnum }]
//! # ";
//! use saltplan_core::Table;
//! use saltplan_generate::{Language, Writer, templates};
//!
//! let table = Table::from_yaml(yaml)?;
//! let class = Writer::new(Language::Python).print(&table, &templates(None))?;
//! assert!(class.contains("class VisitsKey:"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The class has the code that its schema needs and no dependency. Its text is a template, which users can
//! replace. What a language cannot do is refused: there is no class that knows only some of the rows.

mod check;
mod fields;
mod language;
mod messages;
mod reader;
mod salt;
pub mod sample;

use std::collections::BTreeSet;
use std::path::Path;

use saltplan_core::Table;
use saltplan_core::key::Value;
use saltplan_core::key::field::{FieldId, FieldKind};
use saltplan_core::key::id::Id;
use saltplan_core::key::range::{to_hex, to_string_binary};
use saltplan_core::queries::Templates;
use saltplan_core::render::templates::TemplateError;
use serde_json::{Value as Json, json};

use fields::FieldView;
pub use language::Language;
use language::{Names, pascal, snake, type_name};
pub use reader::{Program, Reader, ReaderLanguage};
use sample::{GivenSalt, Random, Row};

/// Every built-in template: its path below the folder of templates, and its text.
pub const BUILT_IN: [(&str, &str); 6] = [
    ("writer/class.java", include_str!("../templates/writer/class.java")),
    ("writer/test.java", include_str!("../templates/writer/test.java")),
    ("writer/class.py", include_str!("../templates/writer/class.py")),
    ("writer/test.py", include_str!("../templates/writer/test.py")),
    ("reader/program.java", include_str!("../templates/reader/program.java")),
    ("reader/program.py", include_str!("../templates/reader/program.py")),
];

/// The built-in templates, which files in the user's folder replace.
pub fn templates(folder: Option<&Path>) -> Templates {
    Templates::new(folder).built_in(&BUILT_IN)
}

/// Why nothing is printed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The language has no way to build these keys, or the schema no way to read them.
    #[error("{reason}")]
    Refused {
        /// The stable code for programs.
        code: &'static str,
        reason: String,
        /// The remedy.
        help: String,
    },
    #[error("`{name}` is not a name in {}", .language.name())]
    Name { name: String, language: Language },
    #[error(transparent)]
    Template(#[from] TemplateError),
}

impl GenerateError {
    fn refused(code: &'static str, reason: String, help: String) -> Self {
        GenerateError::Refused { code, reason, help }
    }

    /// A part of a key that classes cannot write yet.
    fn no_writer(reason: &str) -> Self {
        let help = "encode the rows with `saltplan key encode`";
        GenerateError::refused("no_writer", format!("{reason}, which a class cannot write yet"), help.into())
    }
}

/// Refuses a name for the class or the package that is not valid.
fn check_names(language: Language, class: Option<&str>, package: Option<&str>) -> Result<(), GenerateError> {
    let package_parts = package.into_iter().flat_map(|package| package.split('.'));
    match class.into_iter().chain(package_parts).find(|name| !language.is_name(name)) {
        Some(name) => Err(GenerateError::Name { name: name.into(), language }),
        None => Ok(()),
    }
}

/// What is printed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Writer {
    pub language: Language,
    /// The name of the class; by default that of the HBase table followed by `Key`.
    pub class: Option<String>,
    /// The package of a class in Java.
    pub package: Option<String>,
    /// Print the test of the class and not the class.
    pub golden_test: bool,
}

/// Rows of the golden test.
const GOLDEN_ROWS: usize = 12;

impl Writer {
    pub fn new(language: Language) -> Self {
        Writer { language, class: None, package: None, golden_test: false }
    }

    /// The name of the class.
    pub fn class_name(&self, table: &Table) -> String {
        let name = || type_name(&(pascal(&table.schema().hbase.qualifier) + "Key"));
        self.class.clone().unwrap_or_else(name)
    }

    /// The module of Python that the golden test imports the class from.
    pub fn module_name(&self, table: &Table) -> String {
        snake(&self.class_name(table))
    }

    /// The text of the class, or of its test.
    ///
    /// # Errors
    /// The class cannot be printed, a given name is not valid, or a template of the user's cannot be filled
    /// in.
    pub fn print(&self, table: &Table, templates: &Templates) -> Result<String, GenerateError> {
        let language = self.language;
        let class = self.class_name(table);
        check_names(language, self.class.as_deref(), self.package.as_deref())?;
        let context = self.context(table, &class, templates)?;
        let text = templates.render(language.template(self.golden_test), &context)?;
        Ok(language.file(text))
    }

    /// The values that the templates use.
    fn context(&self, table: &Table, class: &str, templates: &Templates) -> Result<Json, GenerateError> {
        let language = self.language;
        let key = &table.schema().key;
        if let Some(id) = key.hashed.keys().next() {
            let what = format!("`{}` holds a hash of other fields", key.fields[*id].name);
            return Err(GenerateError::no_writer(&what));
        }
        let mut names = Names::new(language, &templates.source(language.template(false))?);
        names.take(class);
        if key.salt.as_ref().is_some_and(|salt| salt::is_member(salt, key)) {
            names.take("salt");
        }
        let ids: Vec<String> = key.fields.iter().map(|field| names.member(&field.name)).collect();
        let last = key.stored().last();
        let mut fields = Vec::new();
        for ((place, field), id) in key.fields.entries().zip(ids) {
            fields.push(FieldView::new(field, language, &mut names, id, Some(place) == last)?);
        }
        let open: Vec<FieldId> =
            key.stored().filter(|id| fields.get(id.position()).is_some_and(|field| field.is_open)).collect();
        if let [first, second, ..] = open[..] {
            return Err(GenerateError::refused(
                "open_fields",
                format!(
                    "the ends of `{}` and `{}` in a key are not known: either may contain the separator after it",
                    key.fields[first].name, key.fields[second].name
                ),
                "declare a `width` for one of them, or `chars` without the separator".into(),
            ));
        }
        let (salt, times, helpers) = match &key.salt {
            Some(salt) => {
                let (salt, times, helpers) = salt::salt_of(table, salt, &fields, language, &mut names)?;
                (Some(salt), times, helpers)
            }
            None => (None, Vec::new(), BTreeSet::new()),
        };
        let fields: Vec<Json> = fields.into_iter().map(|field| field.values).collect();
        let kinds: BTreeSet<Option<&str>> =
            fields.iter().map(|field| field["kind"]["name"].as_str()).collect();
        Ok(json!({
            "schema": language.comment(&table.file_name()),
            "table": language.comment(&table.name()),
            "layout": layout(table, language),
            "class": class,
            "module": self.module_name(table),
            "package": self.package,
            // All fields in the order of the key, including those that only the salt uses.
            "fields": fields,
            "salt": salt,
            // Functions that print local times: their names, the positions of their fields, for messages, and the
            // pieces of their formats.
            "times": times,
            "clock": if times.is_empty() { None } else { salt::clock(table, language) },
            // The kinds of the fields, and the small functions that the salt needs.
            "kinds": kinds,
            "helpers": helpers,
            "words": messages::words(language, &[]),
            "rows": if self.golden_test { golden(table, language)? } else { Vec::new() },
        }))
    }
}

/// The parts of a key in words.
fn layout(table: &Table, language: Language) -> Vec<String> {
    let part = |part: saltplan_core::layouts::KeyPart| {
        let width = part.width.map(|width| format!(", {width} bytes")).unwrap_or_default();
        let then = match part.separator.as_slice() {
            [] => String::new(),
            separator => format!(", then `{}`", to_string_binary(separator)),
        };
        let not_stored = match part.role {
            saltplan_core::layouts::KeyPartRole::SaltInput => ", not in the key",
            _ => "",
        };
        language.comment(&format!("{}: {}{width}{then}{not_stored}", part.name, part.encoding))
    };
    table.key_parts().into_iter().map(part).collect()
}

/// The rows of the golden test, as literals.
fn golden(table: &Table, language: Language) -> Result<Vec<Json>, GenerateError> {
    let mut random = Random(0);
    let drawn = (0..20 * GOLDEN_ROWS).map_while(|_| sample::row(table, &mut random));
    let rows = drawn.filter_map(|row| Some(golden_row(table, &row, &sample::key_of(table, &row)?, language)));
    let rows: Vec<Json> = rows.take(GOLDEN_ROWS).collect();
    if rows.is_empty() {
        let salt = &table.schema().key.salt;
        let is_given = salt.as_ref().is_some_and(|salt| !salt.is_computable());
        let what = if is_given { "salt or value" } else { "value" };
        return Err(GenerateError::refused(
            "no_golden_rows",
            format!("no {what} was found that every field allows, so there are no rows to test"),
            "print the class without `--golden-test`, or declare `values`".into(),
        ));
    }
    Ok(rows)
}

fn golden_row(table: &Table, row: &Row, key: &[u8], language: Language) -> Json {
    let key_fields = &table.schema().key.fields;
    let literal = |(id, value): (FieldId, &Value)| match (&key_fields[id].kind, value) {
        (kind, Value::Text(text)) if text.is_empty() && kind.is_nullable() => language.null().into(),
        (_, Value::Text(text)) => language.string(text),
        (FieldKind::Calendar(calendar), Value::Number(number)) => {
            language.string(&calendar.format.format(*number).unwrap_or_default())
        }
        (_, Value::Number(number)) => language.number(*number),
    };
    let salt = match &row.salt {
        Some(GivenSalt::Number(number)) => Some(language.number(*number)),
        Some(GivenSalt::Bytes(bytes)) => Some(language.bytes(bytes)),
        None => {
            // Where the row does not have the inputs, the salt of the key is read.
            let salt = table.decode(key).ok().and_then(|key| key.salt);
            salt.map(|salt| language.bytes(&salt))
        }
    };
    json!({
        "salt": salt,
        "values": row.values.entries().map(literal).collect::<Vec<String>>(),
        "key": to_hex(key),
        // Some keys can be read in several ways, and so cannot be decoded.
        "is_readable": table.decode(key).is_ok(),
    })
}
