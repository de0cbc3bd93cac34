//! Random numbers by counter: the number of a row depends only on the seed, the stream and the row, so that
//! any thread can generate any row.

use saltplan_lanes::random::{GOLDEN, finalize};
pub use saltplan_lanes::random::{below, bits};

/// The stream of the random salt; the streams of fields count from 0.
pub(crate) const SALT_STREAM: u64 = u64::MAX;

/// The key of a stream of [`bits`]: streams with the same seed are independent.
pub fn stream_key(seed: u64, stream: u64) -> u64 {
    finalize(finalize(seed.wrapping_add(GOLDEN)).wrapping_add(stream.wrapping_add(1).wrapping_mul(GOLDEN)))
}

/// A number in `[0, 1)` with 53 random bits.
pub fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_sequence_of_splitmix64() {
        // Seed 1234567: the test values of the Rosetta Code task "Pseudo-random numbers/Splitmix64".
        let numbers: Vec<u64> = (1..=3).map(|counter| bits(1_234_567, counter)).collect();
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn numbers_stay_below_their_count() {
        assert_eq!(below(u64::MAX, 10), 9);
        assert_eq!(below(0, 10), 0);
        assert_eq!(below(u64::MAX, 0), 0);
        assert!(unit(u64::MAX) < 1.0);
    }
}
