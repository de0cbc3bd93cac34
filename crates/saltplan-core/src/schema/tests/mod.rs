//! Compares the description with its users. Random files made from it are accepted by the loader and by the
//! JSON schema; both refuse what the description forbids; and writing out a default changes nothing.

mod draw;
mod equality;
mod style;

use std::sync::LazyLock;

use draw::{Draw, file_of, holds, whole};
use proptest::prelude::*;
use serde_json::{Map as Members, Value as Json, json};

use super::SchemaKeys;
use super::field::FieldKeys;
use crate::schema::{Loaded, json_schema, load};
use saltplan_document::diag::Source;
use saltplan_document::format::{Map, Need, Text, ValueType};

static VALIDATOR: LazyLock<jsonschema::Validator> =
    LazyLock::new(|| jsonschema::draft7::new(&json_schema::schema()).expect("a schema of draft-07"));

/// JSON is YAML in flow style.
fn read(file: &Json) -> Result<Loaded, String> {
    load(&Source::new("t.yaml", file.to_string())).map_err(|errors| format!("{errors}\n{file:#}"))
}

fn valid(file: &Json) -> Result<(), String> {
    VALIDATOR.validate(file).map_err(|error| format!("{}: {error}\n{file:#}", error.instance_path()))
}

/// Every mapping of a file whose keys are described, with its place.
fn mappings(form: &ValueType, value: &Json, path: &str, found: &mut Vec<(String, &'static Map)>) {
    match value {
        Json::Object(members) => {
            // `{ decimal: 2 }` is one of some forms, not the mapping that may stand in its place.
            let is_one_of_forms = form.alternatives().iter().any(|form| match form {
                ValueType::Forms(forms) => forms.keys().iter().any(|key| members.contains_key(key.name)),
                _ => false,
            });
            if let Some(map) = form.alternatives().iter().find_map(|form| match form {
                ValueType::Map(map) if !is_one_of_forms => Some(*map),
                _ => None,
            }) {
                found.push((path.to_string(), map));
            }
            let keys = form.alternatives().iter().flat_map(|form| match form {
                ValueType::Map(map) => map.keys.to_vec(),
                ValueType::Forms(forms) => forms.keys(),
                _ => Vec::new(),
            });
            for key in keys {
                if let Some(value) = members.get(key.name) {
                    mappings(&key.value, value, &format!("{path}/{}", key.name), found);
                }
            }
        }
        Json::Array(items) => {
            let Some(list) = form.list() else { return };
            for (index, item) in items.iter().enumerate() {
                mappings(&list.item, item, &format!("{path}/{index}"), found);
            }
        }
        _ => {}
    }
}

fn all_mappings(file: &Json) -> Vec<(String, &'static Map)> {
    let mut found = Vec::new();
    mappings(&ValueType::Map(&SchemaKeys::MAP), file, "", &mut found);
    found
}

fn members<'j>(file: &'j mut Json, path: &str) -> &'j mut Members<String, Json> {
    file.pointer_mut(path).and_then(Json::as_object_mut).expect("a mapping")
}

/// Values that a key never accepts, regardless of the rest of the file.
fn impossible(form: &ValueType) -> Vec<Json> {
    let mut values = vec![json!([[]]), json!({ "no such key": [[]] })];
    match form {
        ValueType::Number(least, greatest) => {
            let outside =
                [least - 1, greatest + 1].into_iter().filter_map(|number| i64::try_from(number).ok());
            values.extend(outside.map(Json::from));
            values.extend([json!("zzz"), json!(true), Json::Null]);
        }
        ValueType::Flag => values.extend([json!("zzz"), json!(0), Json::Null]),
        ValueType::Words(_) => values.extend([json!("zzz"), json!(0), Json::Null]),
        ValueType::List(list) if list.least > 0 => values.extend([json!([]), Json::Null]),
        ValueType::List(_) | ValueType::Map(_) | ValueType::Forms(_) | ValueType::Named(_) => {
            values.extend([json!("zzz"), json!(0), Json::Null]);
        }
        ValueType::Text(_) => values.push(Json::Null),
        ValueType::Attributes(_) | ValueType::Nothing | ValueType::Either(_) => {}
    }
    values
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases * 3 / 2))]

    #[test]
    fn files_made_from_the_description_are_accepted(numbers in prop::collection::vec(any::<u32>(), 0..160)) {
        let file = file_of(&numbers);
        prop_assert_eq!(read(&file).err(), None);
        prop_assert_eq!(valid(&file).err(), None);
    }

    #[test]
    fn defaults_are_what_leaving_out_means(numbers in prop::collection::vec(any::<u32>(), 0..160)) {
        let file = file_of(&numbers);
        let plain = read(&file).map_err(TestCaseError::fail)?.schema;
        for (path, map) in all_mappings(&file) {
            for key in map.keys {
                let Need::Default(default) = key.need else { continue };
                let mut written = file.clone();
                let members = members(&mut written, &path);
                let is_refused =
                    map.cases.iter().any(|case| holds(case, members) && case.refused(map.keys).any(|other| other.name == key.name));
                if members.contains_key(key.name) || is_refused {
                    continue;
                }
                let value = match default {
                    "''" => json!(""),
                    "[]" => json!([]),
                    "true" | "false" => json!(default == "true"),
                    word => json!(word),
                };
                members.insert(key.name.into(), value);
                let same = read(&written).map_err(TestCaseError::fail)?.schema;
                prop_assert_eq!(&same, &plain, "{}/{}", path, key.name);
                prop_assert_eq!(valid(&written).err(), None);
            }
        }
    }

    #[test]
    fn what_the_description_forbids_both_refuse(
        numbers in prop::collection::vec(any::<u32>(), 0..160),
        place in any::<prop::sample::Index>(),
    ) {
        let file = file_of(&numbers);
        let found = all_mappings(&file);
        let (path, map) = place.get(&found);
        let refused = |edited: &Json, what: &str| {
            let said = (read(edited).is_err(), valid(edited).is_err());
            prop_assert!(said == (true, true), "{path}: {what}: (loader, JSON schema) refuse: {said:?}\n{edited:#}");
            Ok(())
        };
        let edited = |edit: &dyn Fn(&mut Members<String, Json>)| {
            let mut edited = file.clone();
            edit(members(&mut edited, path));
            edited
        };
        refused(&edited(&|members| drop(members.insert("zzz".into(), json!(1)))), "an unknown key")?;
        let present = file.pointer(path).and_then(Json::as_object).expect("a mapping");
        for key in map.keys {
            for value in impossible(&key.value) {
                let what = format!("`{}: {value}`", key.name);
                refused(&edited(&|members| drop(members.insert(key.name.into(), value.clone()))), &what)?;
            }
            if key.need == Need::Required {
                refused(&edited(&|members| drop(members.shift_remove(key.name))), key.name)?;
            }
        }
        let held = || map.cases.iter().filter(|case| holds(case, present));
        let narrowed = held().flat_map(|case| case.narrows.iter().map(|(key, form)| (*key, *form)));
        for (key, form) in map.keys.iter().map(|key| (*key, key.value)).chain(narrowed) {
            let Some((least, greatest)) = form.bounds() else { continue };
            // The description does not say what fits into a number of digits or bytes.
            let is_bound = [&FieldKeys::MIN, &FieldKeys::MAX].into_iter().any(|bound| bound.is(key));
            let is_narrower = is_bound && present.contains_key(FieldKeys::WIDTH.name);
            for end in [least, greatest].into_iter().take(if is_narrower { 1 } else { 2 }) {
                let edited = edited(&|members| drop(members.insert(key.name.into(), json!(whole(end)))));
                let refused = read(&edited).err().is_some_and(|error| error.contains("write a number from"));
                prop_assert!(!refused || valid(&edited).is_err(), "{path}: `{}: {end}`\n{edited:#}", key.name);
            }
        }
        for case in map.cases.iter().filter(|case| holds(case, present)) {
            for key in case.needs {
                let without = edited(&|members| drop(members.shift_remove(key.name)));
                refused(&without, &format!("{} needs {}", case.with, key.name))?;
            }
            for (key, form) in case.narrows.iter().filter(|(key, _)| present.contains_key(key.name)) {
                for value in impossible(form) {
                    let narrowed = edited(&|members| drop(members.insert(key.name.into(), value.clone())));
                    refused(&narrowed, &format!("{}: `{}: {value}`", case.with, key.name))?;
                }
            }
            for key in case.refused(map.keys) {
                let value = Draw { numbers: &[], at: 0, fresh: 900, fields: vec![json!({ "name": "n1" })], columns: Vec::new() }
                    .value(&key.value);
                let with = edited(&|members| drop(members.insert(key.name.into(), value.clone())));
                refused(&with, &format!("{} goes without {}", case.with, key.name))?;
            }
        }
    }
}
