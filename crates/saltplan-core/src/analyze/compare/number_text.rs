//! Numbers as their texts, which are in the order of numbers where they have one sign and one length.

use super::cut::from_cut_sets;
use super::truth::{NotUsed, Truth, not_used};
use super::{Compared, Comparer};
use crate::analyze::constant::Constant;
use crate::analyze::values::ValueSet;
use crate::key::field::FieldKind;
use crate::key::interval::{Interval, IntervalSet};
use crate::key::range::{key_successor, prefix_successor};
use saltplan_sql::time::bisect::first_where;

impl Comparer<'_> {
    /// The values whose texts compare so with a constant.
    pub(super) fn number_text(&self, (comparison, constant): Compared<'_>) -> Result<Truth, NotUsed> {
        let Constant::Text(text) = constant else {
            return not_used(format!(
                "`{}` is cast to a text; write the constant in quotes, or leave out the cast",
                self.field.name
            ));
        };
        let kind = self.kind();
        let above = not_below(kind, &key_successor(text.as_bytes()));
        Ok(from_cut_sets(kind, comparison, not_below(kind, text.as_bytes()), above))
    }
}

/// The values whose texts start with a text.
pub(super) fn starts_with(kind: &FieldKind, prefix: &str) -> ValueSet {
    let from = not_below(kind, prefix.as_bytes());
    match prefix_successor(prefix.as_bytes()) {
        Some(end) => from.intersect(&not_below(kind, &end).complement(kind)),
        None => from,
    }
}

/// The values whose texts are not below some bytes.
fn not_below(kind: &FieldKind, bound: &[u8]) -> ValueSet {
    let Some(Interval { start, stop: Some(stop) }) = kind.domain() else { return ValueSet::all(kind) };
    let is_not_below = |number: i128| number.to_string().as_bytes() >= bound;
    let mut found = Vec::new();
    let mut shortest: i128 = 0;
    // Of one length from the shortest on: 0 to 9, 10 to 99.
    while shortest <= start.abs().max(stop) {
        let next = if shortest == 0 { 10 } else { shortest * 10 };
        let (first, end) = (shortest.max(start), next.min(stop));
        if first < end {
            found.push(Interval::new(first_where(first..end, is_not_below), Some(end)));
        }
        // Texts of negative numbers rise with their distance from 0.
        let (first, end) = ((1 - next).max(start), (1 - shortest.max(1)).min(stop));
        if first < end {
            found.push(Interval::new(first, Some(first_where(first..end, |number| !is_not_below(number)))));
        }
        shortest = next;
    }
    found.retain(|interval| interval.stop.is_some_and(|stop| interval.start < stop));
    ValueSet::Numbers(IntervalSet::from_intervals(found))
}
