//! The JSON schema agrees with the loader.

use std::sync::LazyLock;

use proptest::prelude::*;
use saltplan_core::schema::parse;
use saltplan_core::schema::{json_schema, load, source_from_bytes};
use saltplan_document::diag::{Severity, Source};
use saltplan_document::yaml::{Node, NodeKind};
use serde_json::{Map, Value as Json};

use super::root;
use crate::schema_errors::{self, schemas};
use crate::schema_fuzz::{EXAMPLES, apply, edits};
use saltplan_law::expect::expect_file;

static VALIDATOR: LazyLock<jsonschema::Validator> =
    LazyLock::new(|| jsonschema::draft7::new(&json_schema::schema()).expect("a schema of draft-07"));

/// A document as a YAML 1.2 reader passes it to a validator.
pub fn to_json(node: &Node) -> Json {
    match &node.kind {
        NodeKind::Sequence(items) => items.iter().map(to_json).collect(),
        NodeKind::Mapping(entries) => {
            let members = entries.iter().map(|entry| (entry.key.value.clone(), to_json(&entry.value)));
            Json::Object(members.collect::<Map<String, Json>>())
        }
        NodeKind::Scalar(scalar) if !scalar.plain => scalar.text.clone().into(),
        NodeKind::Scalar(scalar) => plain(&scalar.text),
    }
}

fn plain(text: &str) -> Json {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Json::Null,
        "true" | "True" | "TRUE" => true.into(),
        "false" | "False" | "FALSE" => false.into(),
        _ => number(text).unwrap_or_else(|| text.into()),
    }
}

fn number(text: &str) -> Option<Json> {
    if let Some(hex) = text.strip_prefix("0x") {
        return i64::from_str_radix(hex, 16).ok().map(Json::from);
    }
    let body = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !body.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let whole = text.trim_start_matches('+').parse::<i64>().ok().map(Json::from);
    whole.or_else(|| text.parse::<f64>().ok().map(Json::from))
}

/// The errors of the JSON schema for a text that can be parsed.
fn faults(text: &str) -> Option<Vec<String>> {
    let document = parse(&Source::new("example.yaml", text)).0?;
    let json = to_json(&document.root);
    Some(VALIDATOR.iter_errors(&json).map(|error| format!("{}: {error}", error.instance_path())).collect())
}

#[test]
fn files_that_load_are_valid() {
    for folder in ["schemas/examples", "tests/testdata/original"] {
        for file in schemas(&root().join(folder)) {
            let text = std::fs::read_to_string(&file).expect("a readable file");
            assert_eq!(faults(&text), Some(Vec::new()), "{}", file.display());
        }
    }
}

/// Errors that the structure of the file does not show: undefined names, values that do not fit together,
/// text with its own grammar, and YAML features that a schema does not allow.
const ONLY_LOADED: &[&str] = &[
    "column_duplicate",
    "column_family",
    "column_named_as_field",
    "column_type",
    "field_duplicate",
    "field_end_of_text",
    "field_hash_of_hash",
    "field_hash_of_itself",
    "field_hash_other_chars",
    "field_hash_other_width",
    "field_hash_too_wide",
    "field_hash_without_write",
    "field_hash_written_number",
    "field_nullable_without_end",
    "field_then",
    "field_then_last",
    "field_then_last_number",
    "field_then_last_zero",
    "field_window_without_zone",
    "field_without_trace",
    "hbase_attribute_twice",
    "hbase_attributes_together",
    "hive_key_column",
    "hive_partition_column_twice",
    "hive_partition_duplicate",
    "hive_partition_parts",
    "hive_partition_type",
    "hive_partition_units",
    "hive_partition_values",
    "hive_refuse_full_scans",
    "hive_target_expression",
    "hive_target_not_stored",
    "hive_types",
    "hive_view_is_the_mapping_table",
    "hive_view_is_the_target",
    "key_bad_separator",
    "key_nothing_stored",
    "key_too_long",
    "regions_byte_range",
    "regions_byte_range_padding",
    "regions_byte_range_plain",
    "regions_long_range",
    "regions_long_range_many",
    "regions_per_salt_many",
    "regions_per_salt_without_salt",
    "salt_alphabet_of_negative_numbers",
    "salt_alphabet_of_one_character",
    "salt_alphabet_too_narrow",
    "salt_alphabet_with_a_character_twice",
    "salt_behind_bytes",
    "salt_behind_nothing",
    "salt_bytes_are_no_characters",
    "salt_bytes_behind_the_key",
    "salt_bytes_of_key",
    "salt_charset_joined_by_bytes",
    "salt_charset_of_binary",
    "salt_digest_half_a_byte",
    "salt_digest_window",
    "salt_hash_many_digits",
    "salt_hash_wide_mask",
    "salt_input_format",
    "salt_java_hash_binary",
    "salt_long_of_digits",
    "salt_long_of_text",
    "salt_long_of_two",
    "salt_md5_nothing_stored",
    "salt_modulo_of",
    "salt_no_bytes_of_key",
    "salt_objects_of_bytes",
    "salt_of_text_forms",
    "salt_spread_abs",
    "salt_spread_modulo",
    "salt_spread_signed",
    "salt_spread_width",
    "salt_text_of_a_number",
    "salt_text_of_a_text_form",
    "salt_unknown_bytes",
    "salt_unknown_field",
    "salt_width_sign",
    "salt_width_too_small",
    "workload_field",
    "workload_twice",
    "yaml_comma_in_a_type",
    "yaml_complex_key",
    "yaml_duplicate_far_apart",
    "yaml_duplicate_keys",
    "yaml_merge_key",
    "yaml_tag",
];

#[test]
fn files_that_do_not_load_are_invalid() {
    let mut accepted = Vec::new();
    for (name, bytes) in schema_errors::cases() {
        let Ok(source) = source_from_bytes(&name, bytes) else { continue };
        let has_error = match load(&source) {
            Ok(_) => false,
            Err(errors) => errors.0.iter().any(|error| error.severity == Severity::Error),
        };
        let Some(found) = faults(&source.text) else { continue };
        assert!(has_error || found.is_empty(), "{name} loads, but: {found:#?}");
        if has_error && found.is_empty() {
            accepted.push(name);
        }
    }
    assert_eq!(accepted, ONLY_LOADED);
}

/// `BLESS=1 cargo test` rewrites schemas/saltplan.schema.json.
#[test]
fn the_schema_file_is_fresh() {
    expect_file("schemas/saltplan.schema.json", &json_schema::text());
}

/// `BLESS=1 cargo test` rewrites the tables of docs/schema.md.
#[test]
fn the_tables_of_the_format_are_fresh() {
    fresh_tables("docs/schema.md", saltplan_core::schema::format_tables());
}

/// `BLESS=1 cargo test` rewrites the table of HBase's effects.
#[test]
fn the_table_of_effects_is_fresh() {
    let table = format!("\n{}\n", saltplan_project::diff::effects::table());
    fresh_tables("docs/review.md", vec![("effects", table)]);
}

/// The tables of a page about a kind of file.
pub fn fresh_tables(page: &str, tables: Vec<(&str, String)>) {
    let mut fresh = std::fs::read_to_string(root().join(page)).expect("a readable file");
    for (name, table) in tables {
        let head = format!("<!-- keys: {name} -->\n");
        let (before, rest) = fresh.split_once(&head).unwrap_or_else(|| panic!("no place for `{name}`"));
        let (_, behind) = rest.split_once("<!-- end -->\n").expect("the end of a table");
        fresh = format!("{before}{head}{table}<!-- end -->\n{behind}");
    }
    expect_file(page, &fresh);
}

#[test]
fn every_key_has_a_description() {
    fn walk(schema: &Json, path: &str, bare: &mut Vec<String>) {
        if let Some(properties) = schema.get("properties").and_then(Json::as_object) {
            for (key, value) in properties {
                if ["/then", "/if", "/else", "/not"].iter().any(|part| path.contains(part)) {
                    continue;
                }
                if value.get("description").is_none() {
                    bare.push(format!("{path}/{key}"));
                }
            }
        }
        match schema {
            Json::Object(members) => {
                members.iter().for_each(|(key, value)| walk(value, &format!("{path}/{key}"), bare));
            }
            Json::Array(items) => items.iter().for_each(|item| walk(item, path, bare)),
            _ => {}
        }
    }
    let mut bare = Vec::new();
    walk(&json_schema::schema(), "", &mut bare);
    assert!(bare.is_empty(), "{bare:?}");
}

#[test]
fn examples_name_the_schema() {
    for file in schemas(&root().join("schemas/examples")) {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let path = text.lines().next().and_then(|line| line.strip_prefix("# yaml-language-server: $schema="));
        let schema = file.parent().expect("a folder").join(path.expect("a modeline"));
        assert!(schema.is_file(), "{}", schema.display());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases * 2))]

    #[test]
    fn edited_examples_that_load_are_valid(example in any::<prop::sample::Index>(), edits in edits()) {
        let text = apply(example.get(EXAMPLES.as_slice()).as_str(), &edits);
        if load(&Source::new("input", text.clone())).is_ok() {
            prop_assert_eq!(faults(&text), Some(Vec::new()), "{}", text);
        }
    }
}
