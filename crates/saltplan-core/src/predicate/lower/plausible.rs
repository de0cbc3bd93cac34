//! Values that the field can hold and that are hardly meant: outside of the window that the schema states.
//!
//! They are told of and read all the same: rows outside may exist, and none of them is lost.

use super::exact::Found;
use crate::diag::{Diagnostic, DiagnosticKind};
use crate::key::interval::Interval;
use crate::key::window::written;
use crate::predicate::values::ValueSet;
use crate::schema::model::Schema;

/// What is said of such a value among those that a condition names.
pub(super) fn implausible(schema: &Schema, found: &Found) -> Option<Diagnostic> {
    let field = &schema.key.fields[found.field];
    let (ValueSet::Numbers(yes), ValueSet::Numbers(no)) = (&found.truth.when_true, &found.truth.when_false)
    else {
        return None;
    };
    let (Some(window), Some(Interval { start, stop })) =
        (field.window.text(&field.kind, schema.time_zone), field.kind.domain())
    else {
        return None;
    };
    let ends_of = |run: &Interval<i128>| {
        let first = Some(run.start).filter(|first| *first > start);
        [first, run.stop.filter(|end| Some(*end) != stop).map(|end| end - 1)]
    };
    // What `<>` and NOT IN name are the values that are left out.
    let is_finite = |runs: &[Interval<i128>]| runs.iter().flat_map(ends_of).all(|end| end.is_some());
    let (yes, no) = (yes.intervals(), no.intervals());
    let named = if yes.is_empty() || is_finite(yes) || !is_finite(no) { yes } else { no };
    let outside = named.iter().flat_map(ends_of).flatten().find(|end| !field.window.contains(*end))?;
    let shown = i64::try_from(outside)
        .map_or_else(|_| outside.to_string(), |number| written(&field.kind, schema.time_zone, number));
    let name = &field.name;
    let warning = Diagnostic::warning(format!("{shown} is not a plausible value of `{name}` ({window})"))
        .with_help(format!("correct the value, or `min` and `max` of `{name}` in the schema; rows outside are read all the same"))
        .with_kind(DiagnosticKind::ImplausibleValue);
    Some(warning)
}
