//! The JSON schema (draft-07) of schema files: completion, hover and errors in editors.
//!
//! It says what a reader of `schema::read` accepts as far as the shape of a file goes, never less: a file that loads is
//! valid. What needs the whole file, such as a name that is not defined, only the loader tells. Tests hold the two
//! together: every example, every faulty file of the loader's tests, and random edits of the examples.

mod hbase;
mod hive;
mod key;
mod regions;

use serde_json::{Map, Value as Json, json};

/// The schema as a file, with a line break at its end.
pub fn text() -> String {
    format!("{:#}\n", schema())
}

/// The schema as a value.
pub fn schema() -> Json {
    let mut schema = object(
        "The schema of an HBase table with salted row keys, and of the Hive tables on it.",
        &["saltplan", "hbase", "key"],
        vec![
            ("saltplan", described("Version of the format.", json!({ "const": 1 }))),
            ("hbase", hbase::hbase()),
            ("key", key::key()),
            ("regions", regions::regions()),
            ("columns", hive::columns()),
            ("hive", hive::hive()),
            ("time_zone", time_zone()),
            ("workload", workload()),
        ],
    );
    if let Some(members) = schema.as_object_mut() {
        members.shift_insert(0, "$schema".into(), "http://json-schema.org/draft-07/schema#".into());
        members.shift_insert(1, "title".into(), "saltplan schema".into());
    }
    schema
}

fn workload() -> Json {
    described(
        "What simulated rows look like: the values of key fields, such as `tel: zipf(1.1, 1000000)`.",
        json!({ "type": "object", "additionalProperties": { "type": ["string", "number", "boolean"] } }),
    )
}

fn time_zone() -> Json {
    let names: Vec<&str> = chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name()).collect();
    described(
        "Zone in which instants are shown as local time, such as Asia/Shanghai. Needed as soon as an instant is formatted.",
        json!({ "enum": names }),
    )
}

/// A mapping with known keys.
fn object(description: &str, required: &[&str], properties: Vec<(&str, Json)>) -> Json {
    let properties: Map<String, Json> =
        properties.into_iter().map(|(key, value)| (key.to_string(), value)).collect();
    let mut object = json!({ "description": description, "type": "object", "properties": properties });
    if let Some(members) = object.as_object_mut() {
        if !required.is_empty() {
            members.insert("required".into(), required.into());
        }
        members.insert("additionalProperties".into(), false.into());
    }
    object
}

/// A mapping with exactly one of some keys.
fn one_of_keys(description: &str, forms: Vec<(&str, Json)>) -> Json {
    // Not `maxProperties: 1`: with it the YAML language server offers no key in an empty mapping.
    let one: Vec<Json> = forms.iter().map(|(key, _)| json!({ "required": [key] })).collect();
    let mut object = object(description, &[], forms);
    if let Some(members) = object.as_object_mut() {
        members.insert("oneOf".into(), one.into());
    }
    object
}

fn described(description: &str, mut schema: Json) -> Json {
    if let Some(members) = schema.as_object_mut() {
        members.shift_insert(0, "description".into(), description.into());
    }
    schema
}

/// Text; YAML's numbers and truth values are read as the text that is written.
fn text_value(description: &str) -> Json {
    described(description, json!({ "type": ["string", "number", "boolean"] }))
}

/// A name in Hive.
fn name(description: &str) -> Json {
    described(
        description,
        json!({ "type": ["string", "number", "boolean"], "pattern": "^[^\\s`.'\"]+$", "maxLength": 128 }),
    )
}

fn integer(description: &str, least: i64, greatest: i64) -> Json {
    described(description, json!({ "type": "integer", "minimum": least, "maximum": greatest }))
}

fn flag(description: &str) -> Json {
    described(description, json!({ "type": "boolean" }))
}

/// One of some words, each with its meaning.
fn words(description: &str, words: &[(&str, &str)]) -> Json {
    let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    let meanings = words.iter().filter(|(_, meaning)| !meaning.is_empty());
    let meanings: Vec<String> = meanings.map(|(word, meaning)| format!("`{word}`: {meaning}")).collect();
    let description = if meanings.is_empty() {
        description.to_string()
    } else {
        format!("{description} {}.", meanings.join("; "))
    };
    described(description.trim(), json!({ "enum": known }))
}

/// A list of at least one item.
fn list(description: &str, items: Json, most: usize) -> Json {
    described(description, json!({ "type": "array", "items": items, "minItems": 1, "maxItems": most }))
}
