//! Random files, generated from the description.

use serde_json::{Map as Members, Value as Json, json};

use super::super::SchemaKeys;
use super::super::columns::ColumnKeys;
use super::super::key::RowKeyKeys;
use saltplan_document::format::{AttributesOf, KeyRule, KeyTest, Map, Need, Text, ValueType};

/// Generates a file from a sequence of numbers.
pub struct Draw<'d> {
    pub numbers: &'d [u32],
    pub at: usize,
    pub fresh: usize,
    pub fields: Vec<Json>,
    pub columns: Vec<Json>,
}

impl Draw<'_> {
    /// A number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        self.at += 1;
        self.numbers.get(self.at - 1).map_or(0, |number| *number as usize % count.max(1))
    }

    pub(crate) fn pick<T: Clone>(&mut self, items: &[T]) -> T {
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

    /// Makes the conditions of all cases hold; applying one case can trigger another.
    fn settle(&mut self, map: &Map, members: &mut Members<String, Json>) {
        for case in map.cases.iter().cycle().take(3 * map.cases.len()) {
            if !holds(case, members) {
                continue;
            }
            case.refused(map.keys).for_each(|key| drop(members.shift_remove(key.name)));
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

    pub fn value(&mut self, form: &ValueType) -> Json {
        match form {
            ValueType::Text(kind) => self.text(*kind),
            ValueType::Number(least, greatest) => {
                let number =
                    if *greatest <= 100 && self.below(8) == 0 { *greatest } else { self.below(9) as i128 };
                json!(whole(number.clamp(*least, *greatest)))
            }
            ValueType::Flag => json!(self.below(2) == 0),
            ValueType::Words(words) => json!(self.pick(&words.words()).0),
            ValueType::List(list) => {
                let count = list.least + self.below(3);
                (0..count).map(|_| self.value(&list.item)).collect()
            }
            ValueType::Map(map) => Json::Object(self.map(map)),
            ValueType::Forms(forms) => {
                let key = self.pick(&forms.keys());
                json!({ key.name: self.value(&key.value) })
            }
            ValueType::Named(named) if named.name == Text::Family => json!({ "f": self.value(&named.value) }),
            ValueType::Named(named) if named.name == Text::Any => {
                json!({ "owner": self.value(&named.value) })
            }
            ValueType::Named(_) => {
                let field = self.pick(&self.fields.clone());
                json!({ field["name"].as_str().expect("a name"): "uniform" })
            }
            ValueType::Attributes(AttributesOf::Family) => {
                self.pick(&[Json::Null, json!({}), json!({ "versions": 1, "TTL": "90 DAYS" })])
            }
            ValueType::Attributes(AttributesOf::Table) => {
                self.pick(&[Json::Null, json!({}), json!({ "readonly": true, "max_file_size": 10_485_760 })])
            }
            ValueType::Nothing => self.pick(&[Json::Null, json!({})]),
            ValueType::Either(forms) => {
                let form = self.pick(forms);
                self.value(&form)
            }
        }
    }

    fn text(&mut self, kind: Text) -> Json {
        match kind {
            Text::Any => json!("a"),
            Text::Name => json!(self.name("n")),
            // The fields of a hash in a field, which `mend_field` removes.
            Text::FieldName if self.fields.is_empty() => json!("a"),
            Text::FieldName => self.pick(&self.fields.clone())["name"].clone(),
            Text::ColumnName => self.pick(&self.columns.clone())["name"].clone(),
            Text::FieldOrColumn if !self.columns.is_empty() && self.below(2) == 0 => {
                self.text(Text::ColumnName)
            }
            Text::FieldOrColumn => self.text(Text::FieldName),
            Text::Origin => {
                let name = self.text(Text::FieldName);
                json!(format!("key.{}", name.as_str().expect("a name")))
            }
            // A view has a name of its own.
            Text::HiveTable => json!(format!("{}{}", self.pick(&["db.", ""]), self.name("t"))),
            Text::HbaseTable => json!(self.pick(&["ns:t", "t"])),
            Text::Cell => json!(format!("f:{}", self.name("q"))),
            Text::Family => json!("f"),
            Text::HiveType => json!("string"),
            Text::Bytes => json!(self.pick(&["_", "", "\\x00", "ab"])),
            Text::Padding => json!(self.pick(&[" ", "\\x00"])),
            Text::SplitKey => json!(self.name("k")),
            Text::TimeFormat => json!(self.pick(&["yyyyMMdd", "yyyyMM"])),
            Text::Chars => json!(self.pick(&["digits", "utf8", "[a-z]"])),
            Text::Alphabet => json!(self.pick(&["0-9a-z", "01", "a-zA-Z-"])),
            Text::Moment => json!("2020-01-01"),
            Text::Zone => json!("Asia/Shanghai"),
            Text::Path => json!("keys.txt"),
            Text::Expression => json!("1 + 1"),
        }
    }

    /// A whole file. Requirements that involve several mappings, which the description cannot express, are
    /// repaired.
    fn file(&mut self) -> Json {
        let fields = self.value(&RowKeyKeys::FIELDS.value);
        self.fields = fields.as_array().expect("a list").clone();
        self.fields.iter_mut().for_each(mend_field);
        let mut column = self.map(&ColumnKeys::MAP);
        if column.get("encoding").is_some_and(|encoding| encoding == "be") {
            column["type"] = json!("bigint");
        }
        self.columns = vec![Json::Object(column)];
        let mut file = self.map(&SchemaKeys::MAP);
        // A field that may be NULL needs a separator, unless it is the last.
        if file["key"].get("separator").is_none_or(|separator| separator == "") {
            let before_last = self.fields.len().saturating_sub(1);
            for field in self.fields.iter_mut().take(before_last) {
                field.as_object_mut().expect("a mapping").shift_remove("nullable");
            }
        }
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
            mend_target(target, &self.fields);
        }
        // Only the jar refuses full scans.
        if let Some(mapping) = file.get_mut("hive").and_then(|hive| hive.get_mut("mapping"))
            && mapping.get("refuse_full_scans").is_some_and(|refuses| *refuses == true)
        {
            mapping["planned"] = json!(true);
        }
        Json::Object(file)
    }

    fn kind_of(&self, name: &Json) -> &Json {
        self.fields.iter().find(|field| field["name"] == *name).expect("a field")
    }

    /// Makes inputs match their fields, and numbers their stored form.
    fn mend_salt(&self, mut salt: Json) -> Json {
        let (scheme, body) =
            salt.as_object_mut().and_then(|forms| forms.iter_mut().next()).expect("a scheme");
        let scheme = scheme.clone();
        let name_of = |input: &Json| input.get("field").unwrap_or(input).clone();
        for input in body.get_mut("of").and_then(Json::as_array_mut).into_iter().flatten() {
            let field = self.kind_of(&name_of(input)).clone();
            let Some(part) = input.as_object_mut() else { continue };
            if !is_plain_text(&field) {
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
        let is_binary = |field: &Json| match field["type"].as_str() {
            Some("string" | "bytes") => !is_plain_text(field),
            _ => field.get("encoding").and_then(Json::as_str).is_some_and(|encoding| encoding != "decimal"),
        };
        let of = &body["of"];
        let has_characters = scheme == "java_hash"
            || body["function"] == "string_hash_code"
            || body["function"] == "objects_hash_code"
            || body.get("charset").is_some();
        let is_integer =
            |field: &Json| ["tinyint", "smallint", "int", "bigint"].map(Json::from).contains(&field["type"]);
        let is_possible = match scheme.as_str() {
            "hash" if body["function"] == "long_hash_code" => match of.as_array().map(Vec::as_slice) {
                Some([only]) => only.is_string() && is_integer(self.kind_of(only)),
                _ => false,
            },
            "java_hash" | "hash" if has_characters => match of.as_array() {
                Some(inputs) => inputs.iter().all(|input| !is_binary(self.kind_of(&name_of(input)))),
                // Bytes are characters only of ASCII.
                None => !of.is_object() && !self.fields.iter().any(is_binary),
            },
            "modulo" => is_integer(self.kind_of(of)),
            "text" => is_plain_text(self.kind_of(&body["field"])),
            _ => true,
        };
        if !is_possible {
            return json!({ "random": { "below": 3, "write": "hex" } });
        }
        if body["of"].is_object() {
            body["of"] = json!({ "bytes": [0, 3] });
        }
        let members = body.as_object_mut().expect("a mapping");
        for cut in ["first", "last"].into_iter().filter(|_| scheme == "text") {
            members.entry(cut).and_modify(|count| *count = json!(1));
        }
        if scheme == "unknown" {
            members.entry("width").and_modify(|width| *width = json!(1));
            members.entry("values").and_modify(|values| *values = json!(["a", "\\x00|"]));
        }
        // Of all bytes only some are printable.
        members.entry("behind").and_modify(|text| *text = json!("d:"));
        members.entry("plus").and_modify(|plus| *plus = json!({ "random": { "below": 2 }, "modulo": 5 }));
        // A negative number has no spread.
        if members.contains_key("plus") {
            members.entry("abs").and_modify(|abs| *abs = json!("after"));
        }
        if scheme == "modulo" {
            members.shift_remove("plus");
        }
        // Only pairs of hex digits are bytes.
        members.entry("hex_digits").and_modify(|digits| *digits = json!([2, 5]));
        let is_number = !members.contains_key("hex_digits")
            || ["mask", "abs", "modulo"].iter().any(|key| members.contains_key(*key));
        match members.get("write") {
            // An alphabet has no sign, and many digits of hex need a width that is not known here.
            Some(write) if write.get("alphabet").is_some() && members.contains_key("modulo") => {
                members.entry("abs").and_modify(|abs| *abs = json!("after"));
                members["write"]["width"] = json!(64);
            }
            Some(write) if write.is_object() => body["write"] = json!({ "decimal": 20 }),
            Some(write) if write == "bytes" && is_number => {
                body["write"] = json!("hex");
            }
            _ => {}
        }
        salt
    }
}

/// Whether the key stores the text as it is.
fn is_plain_text(field: &Json) -> bool {
    field["type"] == "string" && field.get("pad").is_none() && field.get("descending") != Some(&json!(true))
}

fn mend_field(field: &mut Json) {
    let kind = field["type"].clone();
    let members = field.as_object_mut().expect("a mapping");
    // The hash of other fields, which are not known here.
    members.shift_remove("hash");
    // Only inputs of the salt can be left out of the key, and only parts that are followed by another part
    // have a separator.
    members.shift_remove("stored");
    members.shift_remove("then");
    if members.contains_key("values") {
        ["width", "chars"].into_iter().for_each(|key| drop(members.shift_remove(key)));
        members.insert("values".into(), json!(["a", "b"]));
    }
    // A few digits or bytes cannot represent a plausible instant.
    if members.get("encoding").is_some_and(|encoding| encoding == "decimal" || encoding == "be_unsigned")
        || members.contains_key("descending")
    {
        ["min", "max"].into_iter().for_each(|key| drop(members.shift_remove(key)));
    }
    let bound =
        if kind.as_str().is_some_and(|kind| kind.ends_with("int")) { json!(3) } else { json!("20200101") };
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
        // This needs a salt with few values.
        "per_salt" => *regions = json!({ "hex_string": 4 }),
        "byte_range" if body["type"] == "string" => (body["start"], body["end"]) = (json!("a"), json!("b")),
        "byte_range" => (body["start"], body["end"]) = (json!(1), json!(9)),
        "long_range" => (body["from"], body["to"]) = (json!(1), json!(9)),
        "numbered" => body["suffix"] = json!("|"),
        _ => {}
    }
}

/// Each field and column once, with types that can represent them.
fn mend_target(target: &mut Json, fields: &[Json]) {
    let field = |name: &Json| fields.iter().find(|field| field["name"] == *name);
    for item in target.get_mut("partition").and_then(Json::as_array_mut).into_iter().flatten() {
        let Some(members) = item.as_object_mut() else { continue };
        let of = members.get("of").cloned();
        if of.is_none() && !members.contains_key("value") {
            members.insert("name".into(), fields[0]["name"].clone());
        }
        // Only times can be printed.
        if of
            .and_then(|of| field(&of))
            .is_none_or(|field| field.get("format").or(field.get("epoch")).is_none())
        {
            members.shift_remove("format");
        }
    }
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

pub fn whole(number: i128) -> i64 {
    i64::try_from(number).expect("a number of 8 bytes")
}

pub fn holds(case: &KeyRule, members: &Members<String, Json>) -> bool {
    let text = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_string);
    case.when.iter().all(|when| match when {
        KeyTest::Has(key) => members.contains_key(key.name),
        KeyTest::Lacks(key) => !members.contains_key(key.name),
        KeyTest::IsMapping(key) => members.get(key.name).is_some_and(Json::is_object),
        KeyTest::Is(key, words) => {
            members.get(key.name).is_some_and(|value| words.contains(&text(value).as_str()))
        }
        KeyTest::Over(key, number) => {
            members.get(key.name).and_then(Json::as_i64).is_some_and(|found| i128::from(found) > *number)
        }
    })
}

fn fits(form: &ValueType, value: &Json) -> bool {
    match form {
        ValueType::Number(least, greatest) => {
            value.as_i64().is_some_and(|number| (*least..=*greatest).contains(&i128::from(number)))
        }
        ValueType::Words(words) => words.words().iter().any(|(word, _)| value == word),
        _ => value.is_string(),
    }
}

pub(crate) fn file_of(numbers: &[u32]) -> Json {
    Draw { numbers, at: 0, fresh: 0, fields: Vec::new(), columns: Vec::new() }.file()
}
