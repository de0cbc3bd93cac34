//! Examples of changed row keys: the same row encoded with both schemas.

use serde_json::{Map, Value as Json};

use saltplan_core::key::field::{EpochUnit, Field, FieldKind, TextField};
use saltplan_core::key::range::to_string_binary;
use saltplan_core::key::salt::{Salt, SaltDomain};
use saltplan_core::row::{RowError, SALT_MEMBER};
use saltplan_core::schema::model::Schema;
use saltplan_core::table::Table;

/// The number of rows that are tried.
const ROWS: usize = 32;

/// A row that the new schema does not find or cannot decode at its old key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Evidence {
    /// The row as JSON, with the old names of the fields.
    pub row: String,
    /// Its key in the old schema, in the HBase shell's text form.
    pub old_key: String,
    /// Its key in the new schema, or why it has none.
    pub new_key: Result<String, RowError>,
    /// How the new schema decodes the old key.
    pub reads_as: String,
}

/// The first affected row among a few generated rows, if there is one. `renamed` has the new names of fields.
pub fn find(old: &Table, new: &Table, renamed: &[(String, String)]) -> Vec<Evidence> {
    let (old_codec, new_codec) = (old.row_codec(), new.row_codec());
    let found = (0..ROWS).find_map(|number| {
        let mut row = sample(old, number);
        let key = old_codec.encode(&row).ok()?;
        let translated = translate(&row, (old.schema(), new), renamed, number);
        let new_key = new_codec.encode(&translated);
        let decoded = new_codec.decode(&key);
        let reads_back = decoded.as_ref().is_ok_and(|decoded| {
            let read = new_codec.to_json(decoded);
            decoded.expected_salt.is_none()
                && read.iter().all(|(name, value)| name == SALT_MEMBER || same(translated.get(name), value))
        });
        if new_key.as_ref() == Ok(&key) && reads_back {
            return None;
        }
        row.shift_remove(SALT_MEMBER);
        Some(Evidence {
            row: Json::from(row).to_string(),
            old_key: to_string_binary(&key),
            new_key: new_key.map(|key| to_string_binary(&key)),
            reads_as: match decoded {
                Err(reason) => format!("unreadable: {reason}"),
                Ok(decoded) => match &decoded.expected_salt {
                    Some(salt) => format!("a row with the wrong salt, `{}` expected", to_string_binary(salt)),
                    None => Json::from(new_codec.to_json(&decoded)).to_string(),
                },
            },
        })
    });
    found.into_iter().collect()
}

/// If only the type of the field has changed, numbers and digits are the same value.
fn same(one: Option<&Json>, other: &Json) -> bool {
    let text = |json: &Json| json.as_str().map_or_else(|| json.to_string(), str::to_string);
    one.is_some_and(|one| text(one) == text(other))
}

/// The row for the new schema: with the new names of fields, and generated values for additional fields.
fn translate(
    row: &Map<String, Json>,
    (old, new): (&Schema, &Table),
    renamed: &[(String, String)],
    number: usize,
) -> Map<String, Json> {
    let mut translated = sample(new, number);
    let new = new.schema();
    for (name, value) in row {
        let before = old.field(name).and_then(|at| old.key.fields.get(at));
        let name = renamed.iter().find(|(old, _)| old == name).map_or(name, |(_, new)| new);
        if let Some(field) = new.field(name).and_then(|at| new.key.fields.get(at)) {
            translated.insert(field.name.clone(), rewritten(value, before, field));
        } else if name == SALT_MEMBER && translated.contains_key(SALT_MEMBER) {
            translated.insert(name.clone(), value.clone());
        }
    }
    translated
}

/// A date in the format of the new field.
fn rewritten(value: &Json, before: Option<&Field>, after: &Field) -> Json {
    let (Some(FieldKind::Calendar(old)), FieldKind::Calendar(new)) =
        (before.map(|field| &field.kind), &after.kind)
    else {
        return value.clone();
    };
    let at = value
        .as_str()
        .and_then(|text| old.format.parse_text(text))
        .and_then(|ordinal| old.format.granularity().start_of(ordinal));
    at.map_or_else(|| value.clone(), |at| Json::from(new.format.format_local(at)))
}

/// A generated row with a value for every key field.
fn sample(table: &Table, number: usize) -> Map<String, Json> {
    let schema = table.schema();
    let mut row = Map::new();
    for (position, field) in schema.key.fields.iter().enumerate() {
        row.insert(field.name.clone(), value(field, number * 7 + position * 3));
    }
    if schema.key.salt.as_ref().is_some_and(Salt::is_random)
        && let Some(SaltDomain::Listed(salts)) = table.salt_domain()
    {
        // Where a part of the salt is random, one of the row's own salts.
        let codec = table.row_codec();
        let from = number % salts.len().max(1);
        for salt in salts[from..].iter().chain(&salts[..from]) {
            row.insert(SALT_MEMBER.into(), Json::from(to_string_binary(salt)));
            if codec.encode(&row).is_ok() {
                break;
            }
        }
    }
    row
}

fn value(field: &Field, number: usize) -> Json {
    match &field.kind {
        FieldKind::Text(text) => Json::from(text_value(text, number)),
        FieldKind::Integer(form) => {
            let large = 12_345_678 + number as i128 * 101;
            let fitting = form.holds().stop.map_or(large, |stop| large % stop);
            i64::try_from(fitting).map_or(Json::Null, Json::from)
        }
        FieldKind::Calendar(calendar) => {
            let at = chrono::DateTime::from_timestamp(1_586_131_200 + number as i64 * 100_003, 0);
            at.map_or(Json::Null, |at| Json::from(calendar.format.format_local(at.naive_utc())))
        }
        FieldKind::Epoch(epoch) => {
            let seconds = 1_586_131_200 + number as i64 * 100_003;
            Json::from(if epoch.unit == EpochUnit::Seconds { seconds } else { seconds * 1_000 })
        }
    }
}

/// Text with the field's characters. The first characters of a large set are not letters, so letters are
/// preferred.
fn text_value(text: &TextField, number: usize) -> String {
    if let Some(values) = &text.values {
        return values.get(number % values.len().max(1)).cloned().unwrap_or_default();
    }
    let preferred: Vec<char> =
        "a1b2c3d4e5f6g7h8xyz09ABC".chars().filter(|c| text.chars.contains(*c)).collect();
    let letters: Vec<char> =
        if preferred.is_empty() { text.chars.iter().take(16).collect() } else { preferred };
    let Some(last) = letters.len().checked_sub(1) else { return String::new() };
    let mut value = String::new();
    let width = text.width.unwrap_or_else(|| text.longest().unwrap_or(5).min(5));
    for at in 0..width {
        let Some(letter) = letters.get((at * 5 + number + number * at) % (last + 1)) else { break };
        if value.len() + letter.len_utf8() > width {
            break;
        }
        value.push(*letter);
    }
    value
}
