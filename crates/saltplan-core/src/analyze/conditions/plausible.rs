//! Implausible values: values outside the window of the schema, and a day as the upper bound of a time.
//!
//! They get a warning. The plan still contains such rows, because they may exist.

use std::ops::Range;

use chrono::DateTime;

use super::comparison::FieldTruth;
use crate::analyze::bind::BoundNode;
use crate::analyze::chain::bare_field;
use crate::analyze::constant::Constant;
use crate::analyze::runtime::has_time_of_day;
use crate::analyze::values::ValueSet;
use crate::key::field::{Field, FieldKind};
use crate::key::interval::Interval;
use crate::key::shown;
use crate::schema::model::Schema;
use saltplan_document::diag::{Diagnostic, DiagnosticKind};
use saltplan_sql::time::format::parse_timestamp;

/// The warning about a value outside the window among those that a condition names.
pub(super) fn implausible(schema: &Schema, compared: &FieldTruth) -> Option<Diagnostic> {
    let field = &schema.key.fields[compared.field];
    let (ValueSet::Numbers(yes), ValueSet::Numbers(no)) =
        (&compared.truth.when_true, &compared.truth.when_false)
    else {
        return None;
    };
    let (Some(window), Some(Interval { start, stop })) =
        (shown::window(field, schema.time_zone), field.kind.domain())
    else {
        return None;
    };
    let ends_of = |run: &Interval<i128>| {
        let first = Some(run.start).filter(|first| *first > start);
        [first, run.stop.filter(|end| Some(*end) != stop).map(|end| end - 1)]
    };
    // `<>` and NOT IN name the values that are false.
    let is_finite = |runs: &[Interval<i128>]| runs.iter().flat_map(ends_of).all(|end| end.is_some());
    let (yes, no) = (yes.intervals(), no.intervals());
    let named = if yes.is_empty() || is_finite(yes) || !is_finite(no) { yes } else { no };
    let outside = named.iter().flat_map(ends_of).flatten().find(|end| !field.window.contains(*end))?;
    let value = i64::try_from(outside)
        .map_or_else(|_| outside.to_string(), |number| shown::number(&field.kind, schema.time_zone, number));
    let name = &field.name;
    let warning = Diagnostic::warning(format!("{value} is not a plausible value of `{name}` ({window})"))
        .with_help(format!("correct the value, or `min` and `max` of `{name}` in the schema; rows outside are read all the same"))
        .with_kind(DiagnosticKind::ImplausibleValue);
    Some(warning)
}

/// Units in which programs count instants, and how many of each a second has.
const UNITS: [(&str, i128); 4] =
    [("seconds", 1), ("milliseconds", 1_000), ("microseconds", 1_000_000), ("nanoseconds", 1_000_000_000)];

/// Seconds of the years in which data is written, 1990 to 2099.
const RECENT: Range<i128> = 631_152_000..4_102_444_800;

/// The warning about a number that is a time of our days, but in another unit than that of the field.
pub(super) fn in_other_unit(field: &Field, constant: &Constant) -> Option<Diagnostic> {
    let (FieldKind::Epoch(epoch), Constant::Number(number)) = (&field.kind, constant) else { return None };
    let (number, _) = number.ceiling();
    let own = 1_000 / i128::from(epoch.unit.milliseconds());
    let is_recent = |per_second: i128| RECENT.contains(&number.div_euclid(per_second));
    if is_recent(own) {
        return None;
    }
    let (unit, per_second) = UNITS.iter().find(|(_, per_second)| is_recent(*per_second))?;
    let at = DateTime::from_timestamp(i64::try_from(number.div_euclid(*per_second)).ok()?, 0)?.naive_utc();
    let (own_unit, _) = UNITS.iter().find(|(_, per_second)| *per_second == own)?;
    let (name, meant) = (&field.name, number * own / per_second);
    let warning =
        Diagnostic::warning(format!("`{name}` counts {own_unit}, but {number} looks like {unit} ({at} UTC)"))
            .with_help(format!("write {meant}"))
            .with_kind(DiagnosticKind::ImplausibleValue);
    Some(warning)
}

/// A day as the upper bound of a time is its first moment.
pub(super) fn last_day(schema: &Schema, operand: &BoundNode, high: &Constant) -> Option<Diagnostic> {
    let day = match high {
        Constant::Date(day) => *day,
        Constant::Text(text) if text.trim().len() == 10 => parse_timestamp(text)?.date(),
        _ => return None,
    };
    let field = &schema.key.fields[bare_field(schema, operand)?];
    let next = day.succ_opt().filter(|_| has_time_of_day(field))?;
    let name = &field.name;
    let note = Diagnostic::note(format!("`{name}` up to '{day}' leaves out that day after 00:00:00"))
        .with_help(format!("for the whole day write `{name} < '{next}'` as the upper bound"))
        .with_kind(DiagnosticKind::DayAsBound);
    Some(note)
}
