//! The description against those who live by it: files made at random from it are read by the loader and pass the JSON
//! schema, what it forbids both refuse, and a default that is written out changes nothing.

use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::{Map as Members, Value as Json, json};

use super::*;
use crate::diag::Source;
use crate::schema::{Loaded, json_schema, load};

static VALIDATOR: LazyLock<jsonschema::Validator> =
    LazyLock::new(|| jsonschema::draft7::new(&json_schema::schema()).expect("a schema of draft-07"));

/// JSON is YAML in flow style.
fn read(file: &Json) -> Result<Loaded, String> {
    load(&Source::new("t.yaml", file.to_string())).map_err(|errors| format!("{errors}\n{file:#}"))
}

fn valid(file: &Json) -> Result<(), String> {
    VALIDATOR.validate(file).map_err(|error| format!("{}: {error}\n{file:#}", error.instance_path()))
}

/// Draws a file from numbers.
struct Draw<'d> {
    numbers: &'d [u32],
    at: usize,
    fresh: usize,
    fields: Vec<Json>,
    columns: Vec<Json>,
}

impl Draw<'_> {
    /// A number below `count`.
    fn below(&mut self, count: usize) -> usize {
        self.at += 1;
        self.numbers.get(self.at - 1).map_or(0, |number| *number as usize % count.max(1))
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    fn name(&mut self, start: &str) -> String {
        self.fresh += 1;
        format!("{start}{}", self.fresh)
    }

    fn map(&mut self, map: &Map) -> Members<String, Json> {
        let mut members = Members::new();
        for key in map.keys {
            if key.need == Need::Required || self.below(3) == 0 {
                members.insert(key.name.into(), self.value(&key.value));
            }
        }
        self.settle(map, &mut members);
        members
    }

    /// Makes the cases hold: one can bring up another.
    fn settle(&mut self, map: &Map, members: &mut Members<String, Json>) {
        for case in map.cases.iter().cycle().take(3 * map.cases.len()) {
            if !holds(case, members) {
                continue;
            }
            case.refuses.iter().for_each(|key| drop(members.shift_remove(key.name)));
            for key in case.needs.iter().filter(|key| !members.contains_key(key.name)).collect::<Vec<_>>() {
                members.insert(key.name.into(), self.value(&key.value));
            }
            for (key, form) in case.narrows {
                if members.get(key.name).is_some_and(|value| !fits(form, value)) {
                    members.insert(key.name.into(), self.value(form));
                }
            }
        }
    }

    fn value(&mut self, form: &Type) -> Json {
        match form {
            Type::Text(kind) => self.text(*kind),
            Type::Number(least, greatest) => {
                let number =
                    if *greatest <= 100 && self.below(8) == 0 { *greatest } else { self.below(9) as i128 };
                json!(whole(number.clamp(*least, *greatest)))
            }
            Type::Flag => json!(self.below(2) == 0),
            Type::Words(words) => json!(self.pick(&words.words()).0),
            Type::List(list) => {
                let count = list.least + self.below(3);
                (0..count).map(|_| self.value(&list.item)).collect()
            }
            Type::Map(map) => Json::Object(self.map(map)),
            Type::Forms(forms) => {
                let key = self.pick(&forms.keys());
                json!({ key.name: self.value(&key.value) })
            }
            Type::Named(named) if named.name == Text::Family => json!({ "f": self.value(&named.value) }),
            Type::Named(_) => {
                let field = self.pick(&self.fields.clone());
                json!({ field["name"].as_str().expect("a name"): "uniform" })
            }
            Type::Attributes => {
                self.pick(&[Json::Null, json!({}), json!({ "versions": 1, "TTL": "90 DAYS" })])
            }
            Type::Nothing => self.pick(&[Json::Null, json!({})]),
            Type::Either(forms) => {
                let form = self.pick(forms);
                self.value(&form)
            }
        }
    }

    fn text(&mut self, kind: Text) -> Json {
        match kind {
            Text::Any => json!("a"),
            Text::Name => json!(self.name("n")),
            Text::FieldName => self.pick(&self.fields.clone())["name"].clone(),
            Text::ColumnName => self.pick(&self.columns.clone())["name"].clone(),
            Text::Origin => {
                let name = self.text(Text::FieldName);
                json!(format!("key.{}", name.as_str().expect("a name")))
            }
            Text::HiveTable => json!(self.pick(&["db.t", "t"])),
            Text::HbaseTable => json!(self.pick(&["ns:t", "t"])),
            Text::Cell => json!(format!("f:{}", self.name("q"))),
            Text::Family => json!("f"),
            Text::HiveType => json!("string"),
            Text::Bytes => json!(self.pick(&["_", "", "\\x00", "ab"])),
            Text::SplitKey => json!(self.name("k")),
            Text::TimeFormat => json!(self.pick(&["yyyyMMdd", "yyyyMM"])),
            Text::Chars => json!(self.pick(&["digits", "utf8", "[a-z]"])),
            Text::Moment => json!("2020-01-01"),
            Text::Zone => json!("Asia/Shanghai"),
            Text::Path => json!("keys.txt"),
            Text::Expression => json!("1 + 1"),
        }
    }

    /// A whole file; what the description cannot know, because it takes more than one mapping to see, is put right.
    fn file(&mut self) -> Json {
        let fields = self.value(&key::FIELDS.value);
        self.fields = fields.as_array().expect("a list").clone();
        self.fields.iter_mut().for_each(mend_field);
        self.columns = vec![Json::Object(self.map(&hive::COLUMN))];
        let mut file = self.map(&top::SCHEMA);
        file["key"]["fields"] = self.fields.clone().into();
        file.insert("columns".into(), self.columns.clone().into());
        file.insert("time_zone".into(), self.text(Text::Zone));
        if let Some(salt) = file["key"].get("salt").cloned() {
            file["key"]["salt"] = self.mend_salt(salt);
        }
        if let Some(regions) = file.get_mut("regions") {
            mend_regions(regions);
        }
        if let Some(target) = file.get_mut("hive").and_then(|hive| hive.get_mut("target")) {
            mend_target(target);
        }
        Json::Object(file)
    }

    fn kind_of(&self, name: &Json) -> &Json {
        self.fields.iter().find(|field| field["name"] == *name).expect("a field")
    }

    /// Inputs suit their fields, and numbers the way they are written.
    fn mend_salt(&self, mut salt: Json) -> Json {
        let (scheme, body) =
            salt.as_object_mut().and_then(|forms| forms.iter_mut().next()).expect("a scheme");
        let scheme = scheme.clone();
        let name_of = |input: &Json| input.get("field").unwrap_or(input).clone();
        for input in body.get_mut("of").and_then(Json::as_array_mut).into_iter().flatten() {
            let field = self.kind_of(&name_of(input)).clone();
            let Some(part) = input.as_object_mut() else { continue };
            if field["type"] != "string" {
                part.shift_remove("case");
            }
            if field.get("format").or(field.get("epoch")).is_none() {
                part.shift_remove("format");
            }
            if part.contains_key("format") {
                part["format"] = json!("yyyyMM");
            }
            for cut in ["first", "last"].into_iter().filter(|cut| part.contains_key(*cut)).collect::<Vec<_>>()
            {
                part[cut] = json!(1);
            }
        }
        let is_binary = |field: &Json| {
            field.get("encoding").and_then(Json::as_str).is_some_and(|encoding| encoding != "decimal")
        };
        let of = &body["of"];
        let is_possible = match scheme.as_str() {
            "java_hash" => {
                of.as_array().expect("inputs").iter().all(|input| !is_binary(self.kind_of(&name_of(input))))
            }
            "modulo" => ["int", "bigint"].map(Json::from).contains(&self.kind_of(of)["type"]),
            _ => true,
        };
        if !is_possible {
            return json!({ "random": { "below": 3, "write": "hex" } });
        }
        if body["write"].is_object() {
            body["write"] = json!({ "decimal": 20 });
        }
        salt
    }
}

fn mend_field(field: &mut Json) {
    let kind = field["type"].clone();
    let members = field.as_object_mut().expect("a mapping");
    // Only fields that feed a salt can stay out of the key, and only parts with another one behind have a separator.
    members.shift_remove("stored");
    members.shift_remove("then");
    if members.contains_key("values") {
        ["width", "chars"].into_iter().for_each(|key| drop(members.shift_remove(key)));
        members.insert("values".into(), json!(["a", "b"]));
    }
    if members.get("encoding").is_some_and(|encoding| encoding == "decimal")
        || members.contains_key("descending")
    {
        ["min", "max"].into_iter().for_each(|key| drop(members.shift_remove(key)));
    }
    let bound = if kind == "int" || kind == "bigint" { json!(3) } else { json!("20200101") };
    for key in ["min", "max"].into_iter().filter(|key| members.contains_key(*key)).collect::<Vec<_>>() {
        members.insert(key.into(), bound.clone());
    }
    if let Some(format) = members.get_mut("format") {
        *format = json!("yyyyMMdd");
    }
}

fn mend_regions(regions: &mut Json) {
    let (form, body) = regions.as_object_mut().and_then(|forms| forms.iter_mut().next()).expect("a form");
    match form.as_str() {
        // Needs a salt of a few values.
        "per_salt" => *regions = json!({ "hex_string": 4 }),
        "byte_range" if body["type"] == "string" => (body["start"], body["end"]) = (json!("a"), json!("b")),
        "byte_range" => (body["start"], body["end"]) = (json!(1), json!(9)),
        "long_range" => (body["from"], body["to"]) = (json!(1), json!(9)),
        "numbered" => body["suffix"] = json!("|"),
        _ => {}
    }
}

/// Each field and column once, with the types that they have.
fn mend_target(target: &mut Json) {
    for list in ["partition", "columns"] {
        let Some(items) = target.get_mut(list).and_then(Json::as_array_mut) else { continue };
        let mut seen = Vec::new();
        items.retain(|item| {
            let name = item.get("name").unwrap_or(item).clone();
            let is_new = !seen.contains(&name);
            seen.push(name);
            is_new
        });
        for item in items.iter_mut().filter_map(Json::as_object_mut) {
            if !item.contains_key("expr") {
                item.shift_remove("type");
            }
        }
    }
}

fn whole(number: i128) -> i64 {
    i64::try_from(number).expect("a number of 8 bytes")
}

fn holds(case: &Case, members: &Members<String, Json>) -> bool {
    let text = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_string);
    case.when.iter().all(|when| match when {
        When::Has(key) => members.contains_key(key.name),
        When::Lacks(key) => !members.contains_key(key.name),
        When::Is(key, words) => {
            members.get(key.name).is_some_and(|value| words.contains(&text(value).as_str()))
        }
        When::Over(key, number) => {
            members.get(key.name).and_then(Json::as_i64).is_some_and(|found| i128::from(found) > *number)
        }
    })
}

fn fits(form: &Type, value: &Json) -> bool {
    match form {
        Type::Number(least, greatest) => {
            value.as_i64().is_some_and(|number| (*least..=*greatest).contains(&i128::from(number)))
        }
        Type::Words(words) => words.words().iter().any(|(word, _)| value == word),
        _ => value.is_string(),
    }
}

fn file_of(numbers: &[u32]) -> Json {
    Draw { numbers, at: 0, fresh: 0, fields: Vec::new(), columns: Vec::new() }.file()
}

/// Every mapping of a file whose keys are words of the format, with its place.
fn mappings(form: &Type, value: &Json, path: &str, found: &mut Vec<(String, &'static Map)>) {
    match value {
        Json::Object(members) => {
            if let Some(map) = form.alternatives().iter().find_map(|form| match form {
                Type::Map(map) => Some(*map),
                _ => None,
            }) {
                found.push((path.to_string(), map));
            }
            let keys = form.alternatives().iter().flat_map(|form| match form {
                Type::Map(map) => map.keys.to_vec(),
                Type::Forms(forms) => forms.keys(),
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
    mappings(&Type::Map(&top::SCHEMA), file, "", &mut found);
    found
}

fn members<'j>(file: &'j mut Json, path: &str) -> &'j mut Members<String, Json> {
    file.pointer_mut(path).and_then(Json::as_object_mut).expect("a mapping")
}

/// Values that a key cannot have, whatever the rest of the file says.
fn impossible(form: &Type) -> Vec<Json> {
    let mut values = vec![json!([[]]), json!({ "no such key": [[]] })];
    match form {
        Type::Number(least, greatest) => {
            let outside =
                [least - 1, greatest + 1].into_iter().filter_map(|number| i64::try_from(number).ok());
            values.extend(outside.map(Json::from));
            values.extend([json!("zzz"), json!(true), Json::Null]);
        }
        Type::Flag => values.extend([json!("zzz"), json!(0), Json::Null]),
        Type::Words(_) => values.extend([json!("zzz"), json!(0), Json::Null]),
        Type::List(list) if list.least > 0 => values.extend([json!([]), Json::Null]),
        Type::List(_) | Type::Map(_) | Type::Forms(_) | Type::Named(_) => {
            values.extend([json!("zzz"), json!(0), Json::Null]);
        }
        Type::Text(_) => values.push(Json::Null),
        Type::Attributes | Type::Nothing | Type::Either(_) => {}
    }
    values
}

/// The model without the places in the file.
fn placeless(loaded: &Loaded) -> String {
    let text = format!("{:?}", loaded.schema);
    let mut parts = text.split("Span { ");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |out, part| out + part.split_once(" }").map_or("", |(_, rest)| rest))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn files_made_from_the_description_are_accepted(numbers in prop::collection::vec(any::<u32>(), 0..160)) {
        let file = file_of(&numbers);
        prop_assert_eq!(read(&file).err(), None);
        prop_assert_eq!(valid(&file).err(), None);
    }

    #[test]
    fn defaults_are_what_leaving_out_means(numbers in prop::collection::vec(any::<u32>(), 0..160)) {
        let file = file_of(&numbers);
        let plain = placeless(&read(&file).map_err(TestCaseError::fail)?);
        for (path, map) in all_mappings(&file) {
            for key in map.keys {
                let Need::Default(default) = key.need else { continue };
                let mut written = file.clone();
                let members = members(&mut written, &path);
                let is_refused =
                    map.cases.iter().any(|case| holds(case, members) && case.refuses.iter().any(|other| other.name == key.name));
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
                let same = placeless(&read(&written).map_err(TestCaseError::fail)?);
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
            // Which numbers a field can have is known by its encoding alone.
            let is_bound = [&field::MIN, &field::MAX].into_iter().any(|bound| std::ptr::eq(bound, key));
            let (Some((least, greatest)), false) = (form.bounds(), is_bound) else { continue };
            for end in [least, greatest] {
                let edited = edited(&|members| drop(members.insert(key.name.into(), json!(whole(end)))));
                let refused = read(&edited).err().is_some_and(|error| error.contains("write a number from"));
                prop_assert!(!refused || valid(&edited).is_err(), "{path}: `{}: {end}`\n{edited:#}", key.name);
            }
        }
        for case in map.cases.iter().filter(|case| holds(case, present)) {
            for key in case.needs {
                let without = edited(&|members| drop(members.shift_remove(key.name)));
                refused(&without, &format!("{} needs {}", case.beside, key.name))?;
            }
            for (key, form) in case.narrows.iter().filter(|(key, _)| present.contains_key(key.name)) {
                for value in impossible(form) {
                    let narrowed = edited(&|members| drop(members.insert(key.name.into(), value.clone())));
                    refused(&narrowed, &format!("{}: `{}: {value}`", case.beside, key.name))?;
                }
            }
            for key in case.refuses {
                let value = Draw { numbers: &[], at: 0, fresh: 900, fields: vec![json!({ "name": "n1" })], columns: Vec::new() }
                    .value(&key.value);
                let with = edited(&|members| drop(members.insert(key.name.into(), value.clone())));
                refused(&with, &format!("{} goes without {}", case.beside, key.name))?;
            }
        }
    }
}
