//! Attributes of a table and of a column family in the JSON schema.

use serde_json::{Map, Value as Json, json};

use super::described;
use crate::schema::attributes::{
    AllowedValues, AllowedWords, AttributesOf, KnownAttribute, MAX_ATTRIBUTES, OTHER_KEYS, known_attributes,
};

pub fn family() -> Json {
    json!({
        "description": "Attributes of the family, as in the shell's `create`, and HBase settings by their full names, such as `hbase.hstore.blockingStoreFiles: 10`; empty for HBase's defaults.",
        "type": ["object", "null"],
        "properties": attributes(AttributesOf::Family),
        "propertyNames": { "pattern": "^[A-Za-z0-9_.-]+$", "not": { "pattern": "^[Nn][Aa][Mm][Ee]$" } },
        "maxProperties": MAX_ATTRIBUTES,
        "additionalProperties": { "type": ["string", "number", "boolean"] },
    })
}

pub fn table() -> Json {
    let elsewhere: Vec<String> = OTHER_KEYS.iter().map(|word| any_case(word)).collect();
    json!({
        "description": "Attributes of the table, as in the shell's `create`, and HBase settings by their full names, such as `hbase.hregion.majorcompaction: 0`.",
        "type": ["object", "null"],
        "properties": attributes(AttributesOf::Table),
        "propertyNames": { "pattern": "^[A-Za-z0-9_.-]+$", "not": { "pattern": format!("^({})$", elsewhere.join("|")) } },
        "maxProperties": MAX_ATTRIBUTES,
        "additionalProperties": { "type": ["string", "number", "boolean"] },
    })
}

/// The attributes that HBase knows, by all their names in lower case.
fn attributes(of: AttributesOf) -> Map<String, Json> {
    let names = |known: &'static KnownAttribute| known.names().into_iter().map(move |name| (name, known));
    let all = known_attributes(of).iter().flat_map(names);
    all.map(|(name, known)| (name, described(&meaning(known), values(&known.values)))).collect()
}

fn meaning(known: &KnownAttribute) -> String {
    let since = known.since.map_or(String::new(), |version| format!(" Since HBase {version}."));
    format!("{}{since}", known.meaning)
}

fn values(values: &AllowedValues) -> Json {
    match values {
        AllowedValues::Flag => {
            let pattern = format!("^({}|{})$", any_case("true"), any_case("false"));
            json!({ "type": ["boolean", "string"], "pattern": pattern })
        }
        AllowedValues::Number(least, most) | AllowedValues::Bytes(least, most) => number(*least, *most),
        AllowedValues::Time => {
            let unit = |name: &str| format!("([0-9]+\\s*{}[Ss]?\\s*)?", any_case(name));
            let units: String = ["day", "hour", "minute", "second"].iter().map(|name| unit(name)).collect();
            let described = format!("[0-9]+\\s*{}[Ss]?\\s*\\(", any_case("second"));
            let pattern = format!("^({}|\\+?[0-9]+|({described})?{units}\\)?\\s*)$", any_case("forever"));
            json!({ "type": ["integer", "string"], "minimum": 1, "maximum": i32::MAX, "pattern": pattern })
        }
        AllowedValues::Words(words) => one_of(words),
        AllowedValues::Text => json!({ "type": ["string", "number", "boolean"] }),
    }
}

/// The shell also accepts numbers in quotes.
fn number(least: i64, most: i64) -> Json {
    let mut schema = json!({ "type": ["integer", "string"], "pattern": "^[+-]?[0-9]+$" });
    if least != i64::MIN {
        schema["minimum"] = least.into();
        schema["maximum"] = most.into();
    }
    schema
}

/// Words that an editor offers, and their other spellings.
fn one_of(words: &AllowedWords) -> Json {
    let list: Vec<Json> = words.list.iter().map(|word| word.text.into()).collect();
    let mut forms = vec![json!({ "enum": list })];
    if words.unknown.is_some() {
        forms.push(json!({ "type": "string" }));
    } else if words.any_case {
        let any: Vec<String> = words.list.iter().map(|word| any_case(word.text)).collect();
        forms.push(json!({ "type": "string", "pattern": format!("^({})$", any.join("|")) }));
    }
    // Without quotes, YAML readers take `TRUE` for a boolean.
    if words.list.iter().any(|word| word.text == "TRUE") {
        forms.push(json!({ "type": "boolean" }));
    }
    match forms.as_slice() {
        [only] => only.clone(),
        _ => json!({ "anyOf": forms }),
    }
}

/// A regular expression for a word in upper or lower case; JSON schema has no flag for that.
fn any_case(word: &str) -> String {
    let either = |c: char| match (c.to_ascii_uppercase(), c.to_ascii_lowercase()) {
        (upper, lower) if upper != lower => format!("[{upper}{lower}]"),
        _ => c.to_string(),
    };
    word.chars().map(either).collect()
}
