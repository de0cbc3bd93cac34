//! The JSON schema (draft-07) of a kind of file: completion, hover texts and errors in editors.
//!
//! It expresses as much of the description in `format` as JSON schema can. So it never refuses a file that
//! the loader accepts. Checks that need the whole file, such as undefined names, are left to the loader.

mod attributes;
mod text;

use serde_json::{Map as Members, Value as Json, json};

use super::file::FILE;
use saltplan_document::format::{
    AttributesOf, File, Forms, Key, KeyRule, KeyTest, List, Map, Named, Need, ValueType, Words,
};

/// The JSON schema of schema files, as text.
pub fn text() -> String {
    text_of(&FILE)
}

/// The JSON schema of a kind of file as text, ending with a line break.
pub fn text_of(file: &File) -> String {
    format!("{:#}\n", of(file))
}

/// The JSON schema of schema files.
pub fn schema() -> Json {
    of(&FILE)
}

/// The JSON schema of a kind of file.
pub(crate) fn of(file: &File) -> Json {
    let mut schema = map(file.map);
    if let Some(members) = schema.as_object_mut() {
        members.shift_insert(0, "$schema".into(), "http://json-schema.org/draft-07/schema#".into());
        members.shift_insert(1, "title".into(), file.title.into());
    }
    schema
}

fn key(key: &Key) -> Json {
    match (key.sentence(), &key.value) {
        (about, ValueType::Words(words)) => one_word(&about_key(key, about), *words),
        // The meanings of the words are listed next to the alternatives.
        (about, form) if !about.is_empty() => described(&about_key(key, about), value(form)),
        (_, form) => value(form),
    }
}

fn about_key(key: &Key, about: &str) -> String {
    match key.need {
        // Nothing to write down: the default is the absence of the key.
        Need::Default(default) if default != "''" && default != "[]" => {
            format!("{about} Default: {default}.")
        }
        _ => about.to_string(),
    }
}

fn value(form: &ValueType) -> Json {
    match form {
        ValueType::Text(kind) => text::of_text(*kind),
        ValueType::Number(one, same) if one == same => json!({ "const": whole(*one) }),
        ValueType::Number(least, greatest) => {
            json!({ "type": "integer", "minimum": whole(*least), "maximum": whole(*greatest) })
        }
        ValueType::Flag => json!({ "type": "boolean" }),
        ValueType::Words(words) => one_word("", *words),
        ValueType::List(items) => list(items),
        ValueType::Map(keys) => map(keys),
        ValueType::Forms(forms) => one_of_keys(*forms),
        ValueType::Named(names) => named(names),
        ValueType::Attributes(AttributesOf::Family) => attributes::family(),
        ValueType::Attributes(AttributesOf::Table) => attributes::table(),
        ValueType::Nothing => json!({ "type": ["object", "null"], "maxProperties": 0 }),
        ValueType::Either(forms) => {
            let forms: Vec<Json> = forms.iter().map(value).collect();
            json!({ "anyOf": forms })
        }
    }
}

fn whole(number: i128) -> i64 {
    number.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

/// A mapping with known keys.
fn map(map: &Map) -> Json {
    let required: Vec<&str> =
        map.keys.iter().filter(|key| key.need == Need::Required).map(|key| key.name).collect();
    let mut members = object(map.about, map.keys);
    if !required.is_empty() {
        members.insert("required".into(), required.into());
    }
    members.insert("additionalProperties".into(), false.into());
    let cases: Vec<Json> = map.cases.iter().map(|rule| case(rule, map.keys)).collect();
    if !cases.is_empty() {
        members.insert("allOf".into(), cases.into());
    }
    Json::Object(members)
}

fn object(about: &str, keys: &[&'static Key]) -> Members<String, Json> {
    let properties: Members<String, Json> =
        keys.iter().map(|known| (known.name.to_string(), key(known))).collect();
    let mut members = Members::new();
    members.insert("description".into(), about.into());
    members.insert("type".into(), "object".into());
    members.insert("properties".into(), properties.into());
    members
}

/// A mapping with exactly one of several keys.
fn one_of_keys(forms: &dyn Forms) -> Json {
    let keys = forms.keys();
    let mut members = object(forms.about(), &keys);
    members.insert("additionalProperties".into(), false.into());
    // Not `maxProperties: 1`: with it the YAML language server offers no keys in an empty mapping.
    let one: Vec<Json> = keys.iter().map(|key| json!({ "required": [key.name] })).collect();
    members.insert("oneOf".into(), one.into());
    Json::Object(members)
}

fn named(names: &Named) -> Json {
    let mut schema = json!({ "type": "object" });
    if names.least > 0 {
        schema["minProperties"] = names.least.into();
    }
    if names.most < usize::MAX {
        schema["maxProperties"] = names.most.into();
    }
    if let Some(pattern) = text::pattern(names.name) {
        schema["propertyNames"] = json!({ "pattern": pattern });
    }
    schema["additionalProperties"] = value(&names.value);
    schema
}

fn list(list: &List) -> Json {
    let mut schema = json!({ "type": "array", "items": value(&list.item) });
    if list.least > 0 {
        schema["minItems"] = list.least.into();
    }
    if list.most < usize::MAX {
        schema["maxItems"] = list.most.into();
    }
    if list.unique {
        schema["uniqueItems"] = true.into();
    }
    schema
}

/// One of several words, each with its meaning.
fn one_word(about: &str, words: &dyn Words) -> Json {
    let known: Vec<&str> = words.words().iter().map(|(word, _)| *word).collect();
    let description = format!("{about} {}", words.explained());
    let schema = json!({ "enum": known });
    if description.trim().is_empty() { schema } else { described(description.trim(), schema) }
}

/// Additional constraints that apply when certain keys are present.
fn case(case: &KeyRule, keys: &'static [&'static Key]) -> Json {
    let conditions: Vec<Json> = case.when.iter().map(condition).collect();
    let condition = match conditions.as_slice() {
        [one] => one.clone(),
        _ => json!({ "allOf": conditions }),
    };
    let refused = case.refused(keys).map(|key| (key.name.to_string(), Json::Bool(false)));
    let narrowed = case.narrows.iter().map(|(key, form)| (key.name.to_string(), value(form)));
    let properties: Members<String, Json> = refused.chain(narrowed).collect();
    let needed: Vec<&str> = case.needs.iter().map(|key| key.name).collect();
    let mut then = Members::new();
    if !needed.is_empty() {
        then.insert("required".into(), needed.into());
    }
    if !properties.is_empty() {
        then.insert("properties".into(), properties.into());
    }
    json!({ "if": condition, "then": then })
}

fn condition(when: &KeyTest) -> Json {
    match when {
        KeyTest::Has(key) => json!({ "required": [key.name] }),
        KeyTest::Lacks(key) => json!({ "not": { "required": [key.name] } }),
        KeyTest::IsMapping(key) => {
            json!({ "properties": { key.name: { "type": "object" } }, "required": [key.name] })
        }
        KeyTest::Is(key, words) => {
            let flags = matches!(key.value, ValueType::Flag);
            let word = |word: &&str| if flags { Json::Bool(*word == "true") } else { (*word).into() };
            let words: Vec<Json> = words.iter().map(word).collect();
            json!({ "properties": { key.name: { "enum": words } }, "required": [key.name] })
        }
        KeyTest::Over(key, number) => {
            json!({ "properties": { key.name: { "minimum": whole(number + 1) } }, "required": [key.name] })
        }
    }
}

/// The description of the key, which replaces that of the value.
fn described(description: &str, mut schema: Json) -> Json {
    if let Some(members) = schema.as_object_mut() {
        members.shift_remove("description");
        members.shift_insert(0, "description".into(), description.into());
    }
    schema
}
