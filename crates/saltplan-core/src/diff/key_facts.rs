//! Facts about the row key, stated by the bytes that they lead to.

use chrono::{NaiveDate, NaiveDateTime};
use chrono_tz::Tz;

use super::Class;
use super::fact::{FactValue, Set};
use crate::key::range::to_string_binary;
use crate::key::time_format::TimeFormat;
use crate::schema::model::{Cut, EpochUnit, Field, FieldKind, NumberForm, RowKey, Salt, SaltInput, Schema};

/// Fields that only have another name in the new schema: the name in the old and in the new one.
///
/// A field without a counterpart of its name is taken for the one at its position, where that one has no counterpart
/// either and the same encoding.
pub fn renamed(old: &Schema, new: &Schema) -> Vec<(String, String)> {
    let pairs = old.key.fields.iter().zip(&new.key.fields);
    let is_renamed = |(before, after): &(&Field, &Field)| {
        old.field(&after.name).is_none()
            && new.field(&before.name).is_none()
            && stored_form(&before.kind) == stored_form(&after.kind)
            && before.stored == after.stored
    };
    pairs.filter(is_renamed).map(|(before, after)| (before.name.clone(), after.name.clone())).collect()
}

/// How values become bytes, without what only limits them.
pub fn stored_form(kind: &FieldKind) -> String {
    match kind {
        FieldKind::Text(text) if text.reverse => "reversed text".into(),
        FieldKind::Text(_) => "text".into(),
        FieldKind::Integer(number) => number.describe(),
        FieldKind::Calendar(field) => format!("date text {}", canonical(&field.format)),
        FieldKind::Epoch(field) => {
            let unit = match field.unit {
                EpochUnit::Seconds => "s",
                EpochUnit::Milliseconds => "ms",
            };
            format!("epoch {unit}, {}", field.number.describe())
        }
    }
}

/// A pattern without needless quotes. Formats that print two telling times alike are the same.
fn canonical(format: &TimeFormat) -> String {
    let plain = format.pattern().replace('\'', "");
    let same = TimeFormat::parse(&plain).is_ok_and(|other| {
        telling_times().iter().all(|at| other.format_local(*at) == format.format_local(*at))
    });
    if same { plain } else { format.pattern().to_string() }
}

fn telling_times() -> Vec<NaiveDateTime> {
    let time = |year, month, day, hour, minute, second, milli| {
        NaiveDate::from_ymd_opt(year, month, day)?.and_hms_milli_opt(hour, minute, second, milli)
    };
    [time(1973, 2, 14, 5, 46, 58, 123), time(2020, 11, 9, 20, 37, 1, 680)].into_iter().flatten().collect()
}

/// Limits of a text field.
pub fn width(field: &Field) -> Option<FactValue> {
    let FieldKind::Text(text) = &field.kind else { return None };
    Some(FactValue::new(Class::Key, text.width.map_or("any".to_string(), |width| format!("{width} bytes"))))
}

pub fn chars(field: &Field) -> Option<FactValue> {
    let FieldKind::Text(text) = &field.kind else { return None };
    Some(FactValue::set(text.chars.name(), Set::Ranges(text.chars.ranges().to_vec())))
}

pub fn values(field: &Field) -> Option<FactValue> {
    let FieldKind::Text(text) = &field.kind else { return None };
    Some(match &text.values {
        None => FactValue::set("any", Set::Everything),
        Some(values) => {
            let mut sorted = values.to_vec();
            sorted.sort();
            FactValue::set(format!("[{}]", values.join(", ")), Set::Values(sorted))
        }
    })
}

/// The least and the greatest number, as declared.
pub fn numbers(field: &Field) -> Option<FactValue> {
    let FieldKind::Integer(NumberForm { min, max, .. }) = &field.kind else { return None };
    let set = Set::Numbers(min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
    Some(match (min, max) {
        (None, None) => FactValue::set("any", Set::Everything),
        (Some(min), None) => FactValue::set(format!("from {min}"), set),
        (None, Some(max)) => FactValue::set(format!("to {max}"), set),
        (Some(min), Some(max)) => FactValue::set(format!("from {min} to {max}"), set),
    })
}

/// The plausible values of a date or a time: a change of them changes warnings only.
pub fn window(field: &Field, time_zone: Option<Tz>) -> Option<FactValue> {
    let text = field.window.text(&field.kind, time_zone);
    let is_time = matches!(field.kind, FieldKind::Calendar(_) | FieldKind::Epoch(_));
    is_time.then(|| FactValue::new(Class::Query, text.unwrap_or_else(|| "any".into())))
}

pub fn bytes(bytes: &[u8]) -> String {
    format!("'{}'", to_string_binary(bytes))
}

/// The inputs of a salt by the names of their fields: `tel last 4, call_time as yyyyMM`.
pub fn inputs(salt: &Salt, key: &RowKey, name: &dyn Fn(&str) -> String) -> Option<String> {
    let list: Vec<String> = salt
        .inputs(key)
        .iter()
        .filter_map(|one| Some(input(one, key.fields.get(one.field)?, name)))
        .collect();
    (!list.is_empty()).then(|| list.join(", "))
}

fn input(input: &SaltInput, field: &Field, name: &dyn Fn(&str) -> String) -> String {
    let cut = match &input.cut {
        Cut::Whole => String::new(),
        Cut::First(count) => format!(" first {count}"),
        Cut::Last(count) => format!(" last {count}"),
        Cut::Format(format) => format!(" as {}", canonical(format)),
    };
    let lower = if input.lower { " in lower case" } else { "" };
    format!("{}{cut}{lower}", name(&field.name))
}
