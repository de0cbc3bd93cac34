//! Zipf's law, exactly, by rejection-inversion.

use super::random::{bits, unit};

/// The maximum number of attempts for one number; each succeeds with a probability above 0.7, so this is
/// never reached.
const MAX_TRIES: u64 = 1_000;

/// Draws ranks `1..=count` with probabilities proportional to `rank^-exponent`.
///
/// W. Hörmann and G. Derflinger, "Rejection-inversion to generate variates from monotone discrete
/// distributions", ACM TOMACS 6(3), 1996: the integral of `x^-exponent` is inverted, and samples above the
/// step function are rejected.
#[derive(Debug, Clone, PartialEq)]
pub struct Zipf {
    count: f64,
    exponent: f64,
    /// The integral at the left end, minus the whole first step.
    first: f64,
    /// The integral at the right end, `count + 1/2`.
    last: f64,
    /// The distance from a rank within which no test is needed.
    sure: f64,
}

impl Zipf {
    /// `None` without ranks, or if the exponent is not a number above 0.
    pub fn new(count: u64, exponent: f64) -> Option<Self> {
        if count == 0 || !exponent.is_finite() || exponent <= 0.0 {
            return None;
        }
        let mut zipf = Zipf { count: count as f64, exponent, first: 0.0, last: 0.0, sure: 0.0 };
        zipf.first = zipf.integral(1.5) - 1.0;
        zipf.last = zipf.integral(zipf.count + 0.5);
        zipf.sure = 2.0 - zipf.inverse(zipf.integral(2.5) - zipf.density(2.0));
        Some(zipf)
    }

    /// The rank for a 64-bit seed, counted from 1. Further attempts derive their bits from the seed by
    /// counting.
    pub fn rank(&self, seed: u64) -> u64 {
        for attempt in 1..=MAX_TRIES {
            let u = self.last + unit(bits(seed, attempt)) * (self.first - self.last);
            let x = self.inverse(u);
            let rank = x.round().clamp(1.0, self.count);
            if rank - x <= self.sure || u >= self.integral(rank + 0.5) - self.density(rank) {
                return rank as u64;
            }
        }
        1
    }

    fn density(&self, x: f64) -> f64 {
        (-self.exponent * x.ln()).exp()
    }

    /// `(x^(1 - s) - 1) / (1 - s)`, which is `ln x` for s = 1.
    fn integral(&self, x: f64) -> f64 {
        let log = x.ln();
        let t = (1.0 - self.exponent) * log;
        let factor = if t.abs() > 1e-8 { t.exp_m1() / t } else { 1.0 + t / 2.0 };
        factor * log
    }

    fn inverse(&self, x: f64) -> f64 {
        // Rounding may give slightly less than the smallest value of the integral.
        let t = (x * (1.0 - self.exponent)).max(-1.0);
        let factor = if t.abs() > 1e-8 { t.ln_1p() / t } else { 1.0 - t / 2.0 };
        (factor * x).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream_key;

    #[test]
    fn frequencies_follow_the_law() {
        const DRAWS: u64 = 200_000;
        for exponent in [0.5, 1.0, 1.1, 2.5] {
            let zipf = Zipf::new(50, exponent).unwrap();
            let mut seen = [0u64; 50];
            for draw in 0..DRAWS {
                let rank = zipf.rank(bits(stream_key(7, 0), draw));
                seen[usize::try_from(rank).unwrap() - 1] += 1;
            }
            let norm: f64 = (1..=50).map(|rank| f64::from(rank).powf(-exponent)).sum();
            let chi_squared: f64 = (1..=50)
                .zip(seen)
                .map(|(rank, seen)| {
                    let expected = DRAWS as f64 * f64::from(rank).powf(-exponent) / norm;
                    (seen as f64 - expected).powi(2) / expected
                })
                .sum();
            // 49 degrees of freedom: above 94 once in ten thousand.
            assert!(chi_squared < 94.0, "{exponent}: {chi_squared}");
        }
    }

    #[test]
    fn ends() {
        assert_eq!(Zipf::new(0, 1.0), None);
        assert_eq!(Zipf::new(10, 0.0), None);
        assert_eq!(Zipf::new(10, f64::NAN), None);
        assert!((0..1000).all(|seed| Zipf::new(1, 1.5).unwrap().rank(seed) == 1));
        assert!((0..1000).all(|seed| (1..=u64::MAX).contains(&Zipf::new(u64::MAX, 0.1).unwrap().rank(seed))));
    }
}
