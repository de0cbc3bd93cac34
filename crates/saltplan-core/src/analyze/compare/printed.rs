//! Dates as `date_format` and its like print them.

use chrono::{NaiveDateTime, NaiveTime};
use chrono_tz::Tz;

use super::cut::{Position, ordered};
use super::date_text::{digits_cut, text_cut};
use super::instant::zone_of;
use super::number::number;
use super::remarks::Remarks;
use super::truth::{Comparison, NotUsed, Truth, not_used};
use crate::analyze::constant::{Constant, read_time};
use crate::analyze::sargable::{Printed, ReadAs};
use crate::analyze::values::ValueSet;
use crate::key::field::{Field, FieldKind};
use crate::key::interval::IntervalSet;
use crate::key::units;
use saltplan_sql::time::format::{ISO_DAY, TimeFormat};
use saltplan_sql::time::pattern::Granularity;

/// `date_format(f, …) op constant`, also with the printed date read as a number or a date.
pub(super) fn compare_printed(
    field: &Field,
    time_zone: Option<Tz>,
    printed: &Printed,
    (comparison, constant): (Comparison, &Constant),
    remarks: &mut Remarks,
) -> Result<Truth, NotUsed> {
    let format = &printed.format;
    if !format.sorts() && comparison != Comparison::Equal {
        return not_used(format!("the format `{}` does not sort", format.pattern()));
    }
    let Some(cut) = printed_cut(field, printed, constant, remarks)? else {
        return Ok(Truth::unknown(&field.kind));
    };
    let time_zone =
        if matches!(field.kind, FieldKind::Epoch(_)) { Some(zone_of(field, time_zone)?) } else { None };
    Ok(ordered(&field.kind, comparison, cut, |position| match (local_start(format, position), &field.kind) {
        (Some(start), kind) => values_not_before(kind, time_zone, start, printed.towards_zero),
        (None, kind) => ValueSet::none(kind),
    }))
}

/// The cut of a constant among printed dates; `None` where the comparison gives NULL.
fn printed_cut(
    field: &Field,
    printed: &Printed,
    constant: &Constant,
    remarks: &mut Remarks,
) -> Result<Option<Position>, NotUsed> {
    let format = &printed.format;
    let is_iso = format.pattern() == ISO_DAY;
    match (printed.read_as, constant) {
        (ReadAs::Text, Constant::Text(text)) => text_cut(format, text, remarks).map(Some),
        // Hive casts the text to a date.
        (ReadAs::Date, Constant::Text(text)) => match read_time(text.trim()) {
            Some(Some(at)) => Ok(Some(Position::at(Granularity::Day, at.date().and_time(NaiveTime::MIN)))),
            Some(None) => {
                remarks.no_row(format!("`{text}` is not a date, the condition is true for no row"));
                Ok(None)
            }
            None => not_used(format!("`{text}` is not a date that all Hives read alike")),
        },
        (ReadAs::Text | ReadAs::Date, Constant::Date(date)) if is_iso => {
            Ok(Some(Position::at(Granularity::Day, date.and_time(NaiveTime::MIN))))
        }
        (ReadAs::Text | ReadAs::Date, Constant::Timestamp(at)) if is_iso => {
            Ok(Some(Position::at(Granularity::Day, *at)))
        }
        (ReadAs::Number, Constant::Number(_) | Constant::Text(_)) | (ReadAs::Text, Constant::Number(_))
            if format.is_digits() && format.sorts() =>
        {
            Ok(number(field, constant, remarks)?.map(|number| digits_cut(format, number, remarks)))
        }
        _ => not_used(format!("the constant is not text in the format `{}`", format.pattern())),
    }
}

fn local_start(format: &TimeFormat, ordinal: i128) -> Option<NaiveDateTime> {
    i64::try_from(ordinal).ok().and_then(|ordinal| format.granularity().start_of(ordinal))
}

/// The values of a calendar or epoch field whose local time is not before `start`.
pub(crate) fn values_not_before(
    kind: &FieldKind,
    time_zone: Option<Tz>,
    start: NaiveDateTime,
    towards_zero: bool,
) -> ValueSet {
    match units::not_before(kind, time_zone, start) {
        Some(numbers) if towards_zero => ValueSet::numbers(kind, &cut_towards_zero(&numbers)),
        Some(numbers) => ValueSet::numbers(kind, &numbers),
        None => ValueSet::none(kind),
    }
}

/// Of milliseconds whose whole second, rounded down, lies in a set of whole seconds: those whose second lies in it
/// when rounded towards zero.
fn cut_towards_zero(milliseconds: &IntervalSet<i128>) -> IntervalSet<i128> {
    let negative = IntervalSet::range(i128::MIN, Some(0));
    let moved = milliseconds.map(|number| number.saturating_sub(999)).intersect(&negative);
    milliseconds.subtract(&negative).union(&moved)
}
