//! Facts about the row key, stated by the bytes that they lead to.

use chrono::{NaiveDate, NaiveDateTime};
use chrono_tz::Tz;

use super::Class;
use super::fact::FactValue;
use super::value::{Input, Moment, Set, Value};
use crate::key::chars::Chars;
use crate::key::time_format::TimeFormat;
use crate::schema::model::{
    CalendarField, Cut, EpochField, EpochUnit, Field, FieldKind, NumberForm, RowKey, Salt, SaltInput, Schema,
    TextField,
};

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

/// How values become bytes: a kind without what only limits its values, in the one form of all kinds that store alike.
pub fn stored_form(kind: &FieldKind) -> FieldKind {
    match kind.clone() {
        FieldKind::Text(text) => FieldKind::Text(TextField {
            width: None,
            chars: Chars::utf8(),
            values: None,
            reverse: text.reverse,
        }),
        FieldKind::Integer(number) => FieldKind::Integer(number.stored_form()),
        FieldKind::Calendar(field) => {
            FieldKind::Calendar(CalendarField { format: canonical(&field.format), time_of_day: true })
        }
        FieldKind::Epoch(epoch) => {
            FieldKind::Epoch(EpochField { number: epoch.number.stored_form(), ..epoch })
        }
    }
}

/// A stored form in words.
pub fn describe(kind: &FieldKind) -> String {
    match kind {
        FieldKind::Text(text) if text.reverse => "reversed text".into(),
        FieldKind::Text(_) => "text".into(),
        FieldKind::Integer(number) => number.describe(),
        FieldKind::Calendar(field) => format!("date text {}", field.format.pattern()),
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
fn canonical(format: &TimeFormat) -> TimeFormat {
    let plain = TimeFormat::parse(&format.pattern().replace('\'', "")).ok();
    let prints_the_same = |other: &TimeFormat| {
        telling_times().iter().all(|at| other.format_local(*at) == format.format_local(*at))
    };
    plain.filter(prints_the_same).unwrap_or_else(|| format.clone())
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
    Some(FactValue::new(Class::Key, Value::Width(text.width)))
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
    let start_of = |number: i128| match &field.kind {
        FieldKind::Calendar(calendar) => {
            let start = calendar.format.granularity().start_of(i64::try_from(number).ok()?)?;
            Some(Moment::Local(start))
        }
        FieldKind::Epoch(epoch) => Some(Moment::Instant(number * i128::from(epoch.unit.milliseconds()))),
        FieldKind::Text(_) | FieldKind::Integer(_) => None,
    };
    let first = field.window.first.and_then(|first| start_of(first.into()));
    let end = field.window.last.and_then(|last| start_of(i128::from(last) + 1));
    let is_time = matches!(field.kind, FieldKind::Calendar(_) | FieldKind::Epoch(_));
    is_time.then(|| {
        FactValue::told(Class::Query, Value::Period(first, end), text.unwrap_or_else(|| "any".into()))
    })
}

/// The inputs of a salt by the names of their fields.
pub fn inputs(salt: &Salt, key: &RowKey, name: &dyn Fn(&str) -> String) -> Vec<Input> {
    let inputs = salt.inputs(key);
    let input = |input: &SaltInput| {
        let field = name(&key.fields.get(input.field)?.name);
        let cut = match &input.cut {
            Cut::Format(format) => Cut::Format(canonical(format)),
            cut => cut.clone(),
        };
        Some(Input { field, cut, lower: input.lower })
    };
    inputs.iter().filter_map(input).collect()
}
