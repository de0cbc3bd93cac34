//! The description of simulated rows.

use saltplan_core::key::Value;
use saltplan_core::key::field::FieldVec;

/// The number of rows to generate.
#[derive(Debug, Clone, PartialEq)]
pub struct Workload {
    pub fields: FieldVec<Values>,
    pub rows: u64,
    /// The same seed gives the same rows.
    pub seed: u64,
}

/// The values of one field over the rows, which count from 0.
///
/// For a number field, a number is the value itself: the integer, the count of an epoch field's unit, the
/// ordinal of a calendar field. For a text field it is an index: into the list of `values`, or of the text of
/// that number in the field's alphabet and width (see [`TextShape`](super::text::TextShape)).
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// `start + step * row`, wrapping around at the ends of the field's domain.
    Sequential { start: i64, step: i64 },
    /// Every number from `low` to `high`, both included, equally frequent.
    Uniform { low: i64, high: i64 },
    /// Time advances evenly from `start` up to, but not including, `stop`: `start + (stop - start) * row /
    /// rows`.
    Period { start: i64, stop: i64 },
    /// `low + k` for the ranks k = 0 .. `count`, with frequencies proportional to `1 / (k + 1)^exponent`.
    Zipf { low: i64, count: u64, exponent: f64 },
    /// A weighted list. `cumulative[i]` is the weight of `values[..= i]` divided by the total weight, so the
    /// last is 1.
    List { values: Vec<Value>, cumulative: Vec<f64> },
    /// Random text: `width` characters of `chars`, each equally frequent.
    Text { chars: Vec<char>, width: usize },
}

impl Values {
    /// A weighted list; `None` if it is empty, or if weights are negative, not finite or all zero.
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
