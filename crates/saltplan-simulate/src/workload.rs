//! What simulated rows look like.

use saltplan_core::key::Value;
use saltplan_core::key::field::FieldVec;

/// Rows to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct Workload {
    pub fields: FieldVec<Values>,
    pub rows: u64,
    /// Rows of one seed are always the same.
    pub seed: u64,
}

/// The values of one field over the rows, which count from 0.
///
/// A number is the value of a number field itself: the integer, the count of the unit of an epoch field, the ordinal
/// of a calendar field. For a text field it is the index of the text: in the list of `values`, or as the text of
/// digits that the field's alphabet takes for it, at the field's width (see [`TextShape`](super::text::TextShape)).
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// `start + step * row`, back at the other end of the field's domain when one end is reached.
    Sequential { start: i64, step: i64 },
    /// Every number from `low` to `high`, both included, equally often.
    Uniform { low: i64, high: i64 },
    /// Time goes on evenly from `start` up to and without `stop`: `start + (stop - start) * row / rows`.
    Period { start: i64, stop: i64 },
    /// `low + k` for the ranks k = 0 .. `count`, as often as `1 / (k + 1)^exponent` says.
    Zipf { low: i64, count: u64, exponent: f64 },
    /// A list with weights. `cumulative[i]` is the weight of `values[..= i]` divided by that of all, so the last is 1.
    List { values: Vec<Value>, cumulative: Vec<f64> },
    /// Random text: `width` characters of `chars`, each equally often.
    Text { chars: Vec<char>, width: usize },
}

impl Values {
    /// A list with weights; `None` for an empty list, or weights that are negative, not finite or all zero.
    pub fn list(weighted: Vec<(Value, f64)>) -> Option<Self> {
        let is_weight = |weight: f64| weight.is_finite() && weight >= 0.0;
        let total: f64 = weighted.iter().map(|(_, weight)| weight).sum();
        if !weighted.iter().all(|(_, weight)| is_weight(*weight)) || total <= 0.0 || !total.is_finite() {
            return None;
        }
        let mut sum = 0.0;
        let (values, cumulative) = weighted
            .into_iter()
            .map(|(value, weight)| {
                sum += weight;
                (value, sum / total)
            })
            .unzip();
        Some(Values::List { values, cumulative })
    }
}
