//! Facts about the row key, in terms of the resulting bytes.

use super::change::Class;
use super::fact::FactValue;
use super::stored::{canonical, stored_form};
use super::value::{CanonicalValue, Moment, NamedInput, Set};
use saltplan_core::key::field::{Field, FieldKind, FieldTime};
use saltplan_core::key::layout::RowKey;
use saltplan_core::key::number::NumberForm;
use saltplan_core::key::salt::{Cut, Salt, SaltInput};
use saltplan_core::key::shown;
use saltplan_core::schema::model::Schema;
use saltplan_sql::time::zone::Zone;

/// Fields that were only renamed: their old and new names.
///
/// A field whose name no longer exists is matched with the field at the same position, if that one is new and
/// has the same encoding.
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

/// The limits of a field: the last step of the path, the key in the file, and the values.
pub fn limits(field: &Field, time_zone: Option<Zone>) -> Vec<(&'static str, &'static str, FactValue)> {
    let mut limits = match &field.kind {
        FieldKind::Text(text) => {
            let width = text.width.or_else(|| field.kind.fixed_width());
            let width = width.map_or("any".to_string(), |width| format!("{width} bytes"));
            let chars = FactValue::set(text.chars.name(), Set::Ranges(text.chars.ranges().to_vec()));
            let values = match &text.values {
                None => FactValue::set("any", Set::Everything),
                Some(values) => {
                    let mut sorted = values.to_vec();
                    sorted.sort();
                    FactValue::set(format!("[{}]", values.join(", ")), Set::Values(sorted))
                }
            };
            let width = FactValue::new(Class::Key, CanonicalValue::Text(width));
            vec![("width", "width", width), ("chars", "chars", chars), ("values", "values", values)]
        }
        FieldKind::Integer(number) => vec![("numbers", "min", numbers(number))],
        _ => Vec::new(),
    };
    limits.extend(window(field, time_zone).map(|window| ("window", "min", window)));
    limits
}

/// The smallest and the greatest number, as declared.
fn numbers(NumberForm { min, max, .. }: &NumberForm) -> FactValue {
    let set = Set::Numbers(min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
    match (min, max) {
        (None, None) => FactValue::set("any", Set::Everything),
        (Some(min), None) => FactValue::set(format!("from {min}"), set),
        (None, Some(max)) => FactValue::set(format!("to {max}"), set),
        (Some(min), Some(max)) => FactValue::set(format!("from {min} to {max}"), set),
    }
}

/// The plausible values of a date or a time; changing them only changes warnings.
fn window(field: &Field, time_zone: Option<Zone>) -> Option<FactValue> {
    let text = shown::window(field, time_zone);
    let time = field.kind.time()?;
    let start_of = |number: i128| match time {
        FieldTime::Local(calendar) => {
            let start = calendar.format.granularity().start_of(i64::try_from(number).ok()?)?;
            Some(Moment::Local(start))
        }
        FieldTime::Instant(epoch) => Some(Moment::Instant(number * i128::from(epoch.unit.milliseconds()))),
    };
    let first = field.window.first.and_then(|first| start_of(first.into()));
    let end = field.window.last.and_then(|last| start_of(i128::from(last) + 1));
    let period = CanonicalValue::Period(first, end);
    Some(FactValue::told(Class::Query, period, text.unwrap_or_else(|| "any".into())))
}

/// The inputs of a salt by the names of their fields.
pub fn inputs(salt: &Salt, key: &RowKey, name: &dyn Fn(&str) -> String) -> Vec<NamedInput> {
    let inputs = salt.inputs(&key.fields);
    let input = |input: &SaltInput| {
        let field = name(&key.fields.get(input.field)?.name);
        let cut = match &input.cut {
            Cut::Format(format) => Cut::Format(canonical(format)),
            cut => cut.clone(),
        };
        Some(NamedInput { field, cut, lower: input.lower })
    };
    inputs.iter().filter_map(input).collect()
}
