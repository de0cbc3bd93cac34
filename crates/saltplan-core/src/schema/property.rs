//! The schema as a property of the mapping table, with which Hive plans its queries (docs/one-scan.md).

use sha2::{Digest, Sha256};

use super::Places;
use super::model::Schema;
use crate::key::range::to_hex;
use crate::refusal::Refusal;
use saltplan_document::yaml::{Entry, Node, NodeKind, YamlValue, scalar};

/// The property that has the schema.
pub const SCHEMA: &str = "saltplan.schema";
/// The property that has the SHA-256 of the text of the other, in hex, so that an edit of it is noticed.
pub const DIGEST: &str = "saltplan.schema.digest";

/// The property by which a mapping table refuses reads of all keys, and its value.
pub const FULL_SCAN: &str = "saltplan.full_scan";
pub const REFUSE: &str = "refuse";

/// Metastores of Hive before 2.3 hold this many characters.
const MAX_CHARS: usize = 4_000;

/// What the planner needs of a schema, as a schema file of one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaProperty {
    /// In YAML.
    pub text: String,
    /// The SHA-256 of the text, in hex.
    pub digest: String,
}

impl SchemaProperty {
    /// The row key and the time zone as the file has them, without comments; of everything else what a schema file needs.
    ///
    /// # Errors
    /// Some metastores cannot hold the text.
    pub fn of(schema: &Schema, places: &Places) -> Result<Self, Refusal> {
        let table = YamlValue::Quoted(schema.hbase.full_name());
        let families = schema.hbase.families.first().map(|family| scalar(&family.name));
        let mut text = format!("{{saltplan: 1, hbase: {{table: {table}, families: {{");
        text.extend(families.map(|name| format!("{name}: {{}}")));
        text.push_str("}}");
        for name in ["key", "time_zone"] {
            if let Some(entry) = places.root().entry(name) {
                text.push_str(", ");
                write_entry(entry, &mut text);
            }
        }
        text.push('}');
        let chars = text.chars().count();
        if chars >= MAX_CHARS {
            return Err(Refusal::LongSchemaProperty { chars, limit: MAX_CHARS });
        }
        let digest = digest(&text);
        Ok(SchemaProperty { text, digest })
    }
}

/// The SHA-256 of a text, in hex.
#[must_use]
pub fn digest(text: &str) -> String {
    to_hex(&Sha256::digest(text.as_bytes()))
}

fn write_entry(entry: &Entry, text: &mut String) {
    text.push_str(&scalar(&entry.key.value));
    text.push_str(": ");
    write(&entry.value, text);
}

fn write(node: &Node, text: &mut String) {
    match &node.kind {
        NodeKind::Scalar(_) if node.is_null() => text.push('~'),
        // As it was written, because a number in quotes would be a text; a sign of a list cannot be in a number.
        NodeKind::Scalar(written) if written.plain && !written.text.contains([',', '[', ']', '{', '}']) => {
            text.push_str(&written.text);
        }
        NodeKind::Scalar(written) => text.push_str(&YamlValue::Quoted(written.text.clone()).to_string()),
        NodeKind::Sequence(items) => write_all(items, ['[', ']'], text, write),
        NodeKind::Mapping(entries) => write_all(entries, ['{', '}'], text, write_entry),
    }
}

fn write_all<T>(items: &[T], [open, close]: [char; 2], text: &mut String, write: fn(&T, &mut String)) {
    text.push(open);
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        write(item, text);
    }
    text.push(close);
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::table::Table;

    fn schemas() -> Vec<PathBuf> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folders = ["schemas/examples", "tests/engines/layouts", "tests/engines/salts"];
        let files = folders.iter().flat_map(|folder| fs::read_dir(root.join(folder)).unwrap());
        let paths = files.map(|file| file.unwrap().path());
        paths.filter(|path| path.extension().is_some_and(|name| name == "yaml")).collect()
    }

    #[test]
    fn every_row_key_reads_back_as_itself() {
        let schemas = schemas();
        assert!(schemas.len() > 20, "{}", schemas.len());
        for path in schemas {
            let table = Table::load(&path).unwrap();
            let property = table.schema_property().unwrap();
            let read =
                Table::from_yaml(&property.text).unwrap_or_else(|error| panic!("{}: {error}", property.text));
            assert_eq!(read.schema().key, table.schema().key, "{}", property.text);
            assert_eq!(read.schema().time_zone, table.schema().time_zone);
            assert_eq!(read.name(), table.name());
            assert_eq!(read.schema_property().unwrap(), property);
        }
    }

    #[test]
    fn one_line_whatever_the_file_looks_like() {
        let text = "saltplan: 1   # a comment\nhbase:\n  table: 'a:b'\n  families:\n    f: { versions: 1 }\n    g: {}\nkey:\n  separator: \"\\x00, [\"\n  fields:\n  - name: \"x\"\n    type: text\n    of: [a, 'b,c', \"it's\"]\n  # more\n  - { name: day, type: date, format: yyyyMMdd }\n";
        let source = saltplan_document::diag::Source::new("t", text);
        let (document, _) = super::super::parse(&source);
        let mut written = String::new();
        write(&document.unwrap().root, &mut written);
        assert_eq!(
            written,
            "{saltplan: 1, hbase: {table: 'a:b', families: {f: {versions: 1}, g: {}}}, key: {separator: \"\\0, [\", fields: [{name: 'x', type: text, of: [a, 'b,c', 'it''s']}, {name: day, type: date, format: yyyyMMdd}]}}"
        );
    }

    #[test]
    fn a_long_schema_is_refused() {
        let fields: Vec<String> = (0..64)
            .map(|n| format!("{{ name: {}{n}, type: date, format: yyyyMMdd }}", "f".repeat(60)))
            .collect();
        let text = format!(
            "saltplan: 1\nhbase: {{ table: t, families: {{ f: {{}} }} }}\nkey: {{ fields: [{}] }}\n",
            fields.join(", ")
        );
        let refused = Table::from_yaml(&text).unwrap().schema_property().unwrap_err();
        assert_eq!(refused.code(), "long_schema_property");
        assert!(refused.to_string().contains("characters"), "{refused}");
    }

    #[test]
    fn the_digest_is_that_of_the_jar() {
        // As `PlanAnswerTest` of storage-handler/ has it.
        assert_eq!(digest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
