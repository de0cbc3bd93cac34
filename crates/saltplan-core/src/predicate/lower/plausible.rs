//! Values that the field can hold and that are hardly meant: outside of the window that the schema states.
//!
//! They are told of and read all the same: rows outside may exist, and none of them is lost.

use super::{Exact, Lowering};
use crate::diag::{Diagnostic, DiagnosticKind, Span};
use crate::key::interval::Interval;
use crate::key::window::written;
use crate::predicate::values::ValueSet;

impl Lowering<'_> {
    pub(super) fn tell_implausible(&mut self, exact: &Exact, span: Span) {
        let schema = self.schema;
        let field = &schema.key.fields[exact.field];
        let (ValueSet::Numbers(yes), ValueSet::Numbers(no)) =
            (&exact.truth.when_true, &exact.truth.when_false)
        else {
            return;
        };
        let (Some(window), Some(Interval { start, stop })) =
            (field.window.text(&field.kind, schema.time_zone), field.kind.domain())
        else {
            return;
        };
        let ends_of = |run: &Interval<i128>| {
            let first = Some(run.start).filter(|first| *first > start);
            [first, run.stop.filter(|end| Some(*end) != stop).map(|end| end - 1)]
        };
        // What `<>` and NOT IN name are the values that are left out.
        let is_finite = |runs: &[Interval<i128>]| runs.iter().flat_map(ends_of).all(|end| end.is_some());
        let (yes, no) = (yes.intervals(), no.intervals());
        let named = if yes.is_empty() || is_finite(yes) || !is_finite(no) { yes } else { no };
        let outside = named.iter().flat_map(ends_of).flatten().find(|end| !field.window.contains(*end));
        let Some(outside) = outside else { return };
        let shown = i64::try_from(outside)
            .map_or_else(|_| outside.to_string(), |number| written(&field.kind, schema.time_zone, number));
        let name = &field.name;
        let told = Diagnostic::warning(format!("{shown} is no plausible value of `{name}` ({window})"))
            .at(&self.parsed.source, span, "in this condition")
            .with_help(format!("correct the value, or `min` and `max` of `{name}` in the schema; rows outside are read all the same"))
            .with_kind(DiagnosticKind::ImplausibleValue);
        // Rows of constants are compared value by value, and each more than once.
        let of_this_condition = self
            .warnings
            .iter()
            .rev()
            .take_while(|before| before.labels.first().is_some_and(|label| label.span == span));
        if !of_this_condition.into_iter().any(|before| *before == told) {
            self.warnings.push(told);
        }
    }
}
