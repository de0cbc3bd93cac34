//! Tests whether two samples of keys can come from the same rows.

use std::ops::Range;

use saltplan_core::region;

/// A deviation of more than this many standard errors is not a coincidence, even for one among a hundred
/// thousand parts.
const MOST_DEVIATIONS: f64 = 8.0;

/// The number of keys between bounds.
#[derive(Debug, Clone)]
pub struct Histogram<'a> {
    bounds: &'a [Vec<u8>],
    counts: Vec<u64>,
}

/// Keys that are more or less frequent in one sample than in another one.
#[derive(Debug, Clone, PartialEq)]
pub struct Unlike {
    /// From a bound up to the next one; `None` is unbounded.
    pub keys: Range<Option<Vec<u8>>>,
    /// Their share of the sample and of the other one, in 0..=1.
    pub share: f64,
    pub others: f64,
}

impl<'a> Histogram<'a> {
    /// `bounds` must be in byte order.
    #[must_use]
    pub fn new(bounds: &'a [Vec<u8>]) -> Self {
        Histogram { bounds, counts: vec![0; bounds.len() + 1] }
    }

    pub fn add(&mut self, key: &[u8]) {
        if let Some(count) = self.counts.get_mut(region::locate(key, self.bounds)) {
            *count += 1;
        }
    }

    /// The part whose shares of two samples differ most, if this is not a coincidence. The test is that of
    /// two proportions, as if keys were drawn independently, which allows more deviation than a stratified
    /// sample has.
    #[must_use]
    pub fn compare(&self, other: &Histogram<'_>) -> Option<Unlike> {
        let total = |histogram: &Histogram<'_>| histogram.counts.iter().sum::<u64>() as f64;
        let (here, there) = (total(self), total(other));
        if here == 0.0 || there == 0.0 {
            return None;
        }
        let parts = self.counts.iter().zip(&other.counts).enumerate().map(|(part, (one, two))| {
            let (one, two) = (*one as f64, *two as f64);
            let pooled = (one + two) / (here + there);
            let error = (pooled * (1.0 - pooled) * (1.0 / here + 1.0 / there)).sqrt();
            let difference = (one / here - two / there).abs();
            let deviations = if difference > 0.0 { difference / error } else { 0.0 };
            (deviations, part, one / here, two / there)
        });
        let (deviations, part, share, others) = parts.max_by(|left, right| left.0.total_cmp(&right.0))?;
        let bound = |index: Option<usize>| index.and_then(|index| self.bounds.get(index)).cloned();
        let keys = bound(part.checked_sub(1))..bound(Some(part));
        (deviations > MOST_DEVIATIONS).then_some(Unlike { keys, share, others })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strata;

    /// Keys of rows whose salt is the remainder by 20.
    fn histogram(bounds: &[Vec<u8>], rows: impl Iterator<Item = u64>) -> Histogram<'_> {
        let mut histogram = Histogram::new(bounds);
        rows.for_each(|row| histogram.add(format!("{:02}_{row}", row % 20).as_bytes()));
        histogram
    }

    fn bounds() -> Vec<Vec<u8>> {
        (1..20).map(|salt| format!("{salt:02}").into_bytes()).collect()
    }

    #[test]
    fn samples_with_a_fixed_stride_are_detected() {
        let bounds = bounds();
        let others = histogram(&bounds, strata::rows(20_000_000, 10_000, 1));
        for stride in [5, 10, 16, 20, 200, 350] {
            let even = histogram(&bounds, (0..20_000_000).step_by(stride).take(10_000));
            assert!(even.compare(&others).is_some(), "{stride}");
        }
        let even = histogram(&bounds, (7..20_000_000).step_by(200).take(10_000));
        let unlike = even.compare(&others).unwrap();
        assert_eq!((unlike.keys, unlike.share), (Some(b"07".to_vec())..Some(b"08".to_vec()), 1.0));
    }

    #[test]
    fn stratified_samples_are_representative() {
        let bounds = bounds();
        for seed in 0..50 {
            let one = histogram(&bounds, strata::rows(20_000_000, 10_000, seed));
            let two = histogram(&bounds, strata::rows(20_000_000, 2_000, !seed));
            assert_eq!(one.compare(&two), None, "{seed}");
        }
    }

    #[test]
    fn nothing_to_compare() {
        let bounds = bounds();
        assert_eq!(histogram(&bounds, 0..0).compare(&histogram(&bounds, 0..9)), None);
        assert_eq!(histogram(&[], 0..9).compare(&histogram(&[], 0..9)), None);
    }
}
