//! Schemas are equal exactly if they mean the same: any spelling of the same file is equal, and a changed
//! value is not.

use proptest::prelude::*;

use super::draw::{file_of, whole};
use super::style::written;
use super::*;

/// The scalars of a file with their descriptions, by JSON pointer.
fn scalars(form: &ValueType, value: &Json, path: &str, found: &mut Vec<(String, ValueType)>) {
    let forms = form.alternatives();
    match value {
        Json::Object(members) => {
            for (name, value) in members {
                let key = forms.iter().find_map(|form| match form {
                    ValueType::Map(map) => map.keys.iter().copied().find(|key| key.name == name),
                    ValueType::Forms(forms) => forms.keys().into_iter().find(|key| key.name == name),
                    _ => None,
                });
                if let Some(key) = key {
                    scalars(&key.value, value, &format!("{path}/{name}"), found);
                }
            }
        }
        Json::Array(items) => {
            let Some(list) = form.list() else { return };
            for (index, item) in items.iter().enumerate() {
                scalars(&list.item, item, &format!("{path}/{index}"), found);
            }
        }
        Json::Null => {}
        scalar => {
            let fitting = forms.iter().find(|form| match form {
                ValueType::Number(..) => scalar.is_number(),
                ValueType::Flag => scalar.is_boolean(),
                ValueType::Words(words) => words.words().iter().any(|(word, _)| scalar == word),
                ValueType::Text(_) => scalar.is_string(),
                _ => false,
            });
            found.extend(fitting.map(|form| (path.to_string(), *form)));
        }
    }
}

/// Other values of the same type.
fn others(form: &ValueType, value: &Json) -> Vec<Json> {
    let all: Vec<Json> = match form {
        ValueType::Number(least, greatest) => {
            let number = i128::from(value.as_i64().unwrap_or_default());
            let near = [number - 1, number + 1].into_iter().filter(|near| (least..=greatest).contains(&near));
            near.map(|near| json!(whole(near))).collect()
        }
        ValueType::Flag => vec![json!(true), json!(false)],
        ValueType::Words(words) => words.words().iter().map(|(word, _)| json!(word)).collect(),
        ValueType::Text(kind) => vec![match kind {
            Text::Any | Text::Name | Text::FieldName | Text::ColumnName | Text::FieldOrColumn => {
                json!("another")
            }
            Text::Origin => json!("key.n1"),
            Text::HiveTable => json!("db_2.another"),
            Text::HbaseTable => json!("ns_2:another"),
            Text::Cell => json!("f:another"),
            Text::Family => json!("f"),
            Text::HiveType => json!("bigint"),
            Text::Bytes => json!("\\x01|"),
            Text::Padding => json!("\\x00"),
            Text::SplitKey => json!("another"),
            Text::TimeFormat => json!("yyyyMMddHH"),
            Text::Chars => json!("[b-y]"),
            Text::Alphabet => json!("a-z0-9"),
            Text::Moment => json!("2021-03-05"),
            Text::Zone => json!("Europe/Berlin"),
            Text::Path => json!("another.txt"),
            Text::Expression => json!("2 + 2"),
        }],
        _ => Vec::new(),
    };
    all.into_iter().filter(|other| other != value).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 2))]

    #[test]
    fn a_schema_is_what_its_file_says_not_how(
        numbers in prop::collection::vec(any::<u32>(), 0..160),
        one in prop::collection::vec(any::<u32>(), 0..400),
        other in prop::collection::vec(any::<u32>(), 0..400),
    ) {
        let file = file_of(&numbers);
        let schema = read(&file).map_err(TestCaseError::fail)?.schema;
        for style in [one, other] {
            let text = written(&file, &style);
            let loaded = load(&Source::new("t.yaml", text.as_str()));
            let restyled = loaded.map_err(|errors| TestCaseError::fail(format!("{errors}\n{text}")))?.schema;
            prop_assert_eq!(&restyled, &schema, "{}", text);
        }
    }

    #[test]
    fn another_value_is_another_schema(numbers in prop::collection::vec(any::<u32>(), 0..160)) {
        let file = file_of(&numbers);
        let schema = read(&file).map_err(TestCaseError::fail)?.schema;
        let mut found = Vec::new();
        scalars(&ValueType::Map(&SchemaKeys::MAP), &file, "", &mut found);
        prop_assert!(found.len() > 4);
        // A separator has no effect if every part overrides it or no part follows it, and `may_hold` has an
        // effect only before a zero byte.
        let says_more = |path: &str| path != "/key/separator" && !path.ends_with("/may_hold");
        for (path, form) in found.into_iter().filter(|(path, _)| says_more(path)) {
            let value = file.pointer(&path).expect("a scalar");
            for other in others(&form, value) {
                let mut edited = file.clone();
                *edited.pointer_mut(&path).expect("a scalar") = other;
                // Some values do not fit the rest of the file.
                if let Ok(loaded) = read(&edited) {
                    prop_assert_ne!(&loaded.schema, &schema, "{} in {:#}", path, edited);
                }
            }
        }
    }
}
