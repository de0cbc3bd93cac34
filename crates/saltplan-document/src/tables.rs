//! A format as tables for its documentation.

use std::fmt::Write;

use super::format::{Forms, Key, KeyRule, Map, Need, Text, ValueType, Words};

const HEAD: &str = "| key | value | default | |\n|---|---|---|---|\n";

/// The keys of a mapping, and its constraints.
pub fn keys(map: &Map) -> String {
    let mut out = String::from(HEAD);
    map.keys.iter().for_each(|key| row(&mut out, "", key));
    with_notes(out, notes("", map))
}

/// Alternative keys, and the keys below each. Keys that most of them share come last.
pub fn forms(forms: &dyn Forms) -> String {
    let mut out = String::from(HEAD);
    let mut below = Vec::new();
    let forms = forms.keys();
    let maps: Vec<(&str, &Map)> = forms.iter().filter_map(|key| Some((key.name, key.value.map()?))).collect();
    let has = |map: &Map, key: &Key| map.keys.iter().any(|known| known.is(key));
    let is_shared = |key: &Key| maps.iter().filter(|(_, map)| has(map, key)).count() * 2 > maps.len();
    for key in &forms {
        let about = key.sentence();
        let _ = writeln!(out, "| `{}` | {} | | {} |", key.name, label(&key.value), cell(about));
        if let Some(map) = key.value.map() {
            let own = map.keys.iter().filter(|inner| !is_shared(inner));
            own.for_each(|inner| row(&mut out, &format!("{}: ", key.name), inner));
            below.extend(notes(&format!("`{}`, ", key.name), map));
        }
    }
    let shared = maps.first().map_or(&[][..], |(_, map)| map.keys).iter().filter(|key| is_shared(key));
    for key in shared {
        row(&mut out, "…: ", key);
        let without: Vec<String> =
            maps.iter().filter(|(_, map)| !has(map, key)).map(|(name, _)| format!("`{name}`")).collect();
        if !without.is_empty() {
            below.push(format!("- `{}`: not in {}\n", key.name, without.join(", ")));
        }
    }
    with_notes(out, below)
}

fn with_notes(table: String, notes: Vec<String>) -> String {
    if notes.is_empty() { table } else { format!("{table}\n{}", notes.concat()) }
}

fn row(out: &mut String, above: &str, key: &Key) {
    let default = match key.need {
        Need::Required => "required".to_string(),
        Need::Optional => String::new(),
        Need::Default(default) => format!("`{default}`"),
    };
    let about = meaning(key);
    let _ = writeln!(
        out,
        "| `{above}{}` | {} | {} | {} |",
        key.name,
        cell(&label(&key.value)),
        cell(&default),
        cell(&about)
    );
}

/// The description of a key, with the meanings of its words.
fn meaning(key: &Key) -> String {
    let words = key.value.words().map(Words::explained).unwrap_or_default();
    format!("{} {words}", key.sentence()).trim_end().to_string()
}

/// A description of the possible values.
fn label(form: &ValueType) -> String {
    match form {
        ValueType::Text(kind) => text(*kind).to_string(),
        ValueType::Number(one, same) if one == same => format!("`{one}`"),
        ValueType::Number(least, greatest) if (*least, *greatest) == (i64::MIN.into(), i64::MAX.into()) => {
            "a whole number".into()
        }
        ValueType::Number(least, greatest) if *greatest == i128::from(i64::MAX) => format!("{least} or more"),
        ValueType::Number(least, greatest) => format!("{least} to {greatest}"),
        ValueType::Flag => "`true`, `false`".into(),
        ValueType::Words(words) => {
            words.words().iter().map(|(word, _)| format!("`{word}`")).collect::<Vec<_>>().join(", ")
        }
        ValueType::List(list) => format!("a list of {}", plural(&list.item)),
        ValueType::Map(_) | ValueType::Attributes(_) => "a mapping".into(),
        ValueType::Forms(forms) => {
            let forms = forms.keys();
            let forms: Vec<String> = forms
                .iter()
                .map(|key| match key.value {
                    ValueType::Number(..) => format!("`{{ {}: n }}`", key.name),
                    _ => format!("`{{ {}: … }}`", key.name),
                })
                .collect();
            forms.join(", ")
        }
        ValueType::Named(_) => "names, each with its value".into(),
        ValueType::Nothing => "`{}`".into(),
        ValueType::Either(forms) => forms.iter().map(label).collect::<Vec<_>>().join(", "),
    }
}

/// A description of the items of a list.
fn plural(form: &ValueType) -> String {
    match form {
        ValueType::Text(Text::FieldName) => "key fields".into(),
        ValueType::Text(Text::ColumnName) => "columns".into(),
        ValueType::Text(Text::SplitKey) => "texts in quotes".into(),
        ValueType::Text(_) => "texts".into(),
        ValueType::Number(..) => "numbers".into(),
        ValueType::Either(forms) => forms.iter().map(plural).collect::<Vec<_>>().join(" and "),
        _ => "mappings".into(),
    }
}

fn text(kind: Text) -> &'static str {
    match kind {
        Text::Any => "text",
        Text::Name => "a new name",
        Text::FieldName => "a key field",
        Text::ColumnName => "a column",
        Text::FieldOrColumn => "a key field, a column",
        Text::Origin => "`key.<field>`, a column",
        Text::HiveTable => "`database.table`",
        Text::HbaseTable => "`'ns:name'`",
        Text::Cell => "`'family:qualifier'`",
        Text::Family => "a column family",
        Text::HiveType => "a Hive type",
        Text::Bytes => "text; `\\xNN` is a byte",
        Text::Padding => "`' '`, `'\\x00'`",
        Text::SplitKey => "text in quotes",
        Text::TimeFormat => "Java's date pattern letters",
        Text::Chars => "a set of characters",
        Text::Alphabet => "characters in their order",
        Text::Moment => "a day or a time",
        Text::Zone => "a time zone name such as `Asia/Shanghai`",
        Text::Path => "a path",
        Text::Expression => "HiveQL",
    }
}

/// The constraints that involve several keys, one per line. If a kind is the default, two constraints say the same of
/// it, with its key and without: only the first is printed.
fn notes(above: &str, map: &Map) -> Vec<String> {
    let list = |keys: Vec<&Key>| {
        let names: Vec<String> = keys.into_iter().map(|key| format!("`{}`", key.name)).collect();
        names.join(", ")
    };
    let note = |case: &KeyRule| {
        let needs = Some(list(case.needs.to_vec())).filter(|names| !names.is_empty());
        let refuses = Some(list(case.refused(map.keys).collect())).filter(|names| !names.is_empty());
        let narrows = case.narrows.iter().map(|(key, form)| format!("`{}` is {}", key.name, label(form)));
        let parts: Vec<String> = needs
            .map(|names| format!("needs {names}"))
            .into_iter()
            .chain(refuses.map(|names| format!("not with {names}")))
            .chain(narrows)
            .collect();
        (case.kind, case.condition(), parts.join("; "))
    };
    let mut notes: Vec<_> = map.cases.iter().map(note).collect();
    notes.dedup_by(|next, first| next.0.is_some() && next.0 == first.0 && next.2 == first.2);
    notes.into_iter().map(|(_, condition, parts)| format!("- {above}{condition}: {parts}\n")).collect()
}

/// Text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
