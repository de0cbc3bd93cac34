//! Random numbers by counter: the number of a row depends on the seed, the stream and the row alone, so that any
//! thread can make any row.

/// The odd number nearest to 2^64 divided by the golden ratio.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// 64 random bits from a counter: the finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", OOPSLA 2014) over `key + counter * GOLDEN`.
pub fn bits(key: u64, counter: u64) -> u64 {
    finalize(key.wrapping_add(counter.wrapping_mul(GOLDEN)))
}

/// The key of a stream of [`bits`]: streams of one seed have nothing to do with each other.
pub fn stream_key(seed: u64, stream: u64) -> u64 {
    finalize(finalize(seed.wrapping_add(GOLDEN)).wrapping_add(stream.wrapping_add(1).wrapping_mul(GOLDEN)))
}

fn finalize(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A number below `count`: the high half of a product of 64 by 64 bits (Lemire, "Fast random integer generation in an
/// interval", ACM TOMACS 2019) without its rejection step. The bias is below `count / 2^64`. For 0 the result is 0.
pub fn below(bits: u64, count: u64) -> u64 {
    ((u128::from(bits) * u128::from(count)) >> 64) as u64
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
