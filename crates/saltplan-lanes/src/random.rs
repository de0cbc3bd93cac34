//! Random numbers by counter: any thread can compute the number of any row.

/// The odd number nearest to 2^64 divided by the golden ratio.
pub const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// 64 random bits from a counter: the finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", OOPSLA 2014) over `key + counter * GOLDEN`.
#[inline(always)]
#[must_use]
pub fn bits(key: u64, counter: u64) -> u64 {
    finalize(key.wrapping_add(counter.wrapping_mul(GOLDEN)))
}

/// The finalizer of SplitMix64.
#[inline(always)]
#[must_use]
pub fn finalize(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A number below `count`: the high half of a 64 by 64 bit product (Lemire, "Fast random integer generation
/// in an interval", ACM TOMACS 2019), without the rejection step. The bias is below `count / 2^64`. For 0 the
/// result is 0.
#[inline(always)]
#[must_use]
pub fn below(bits: u64, count: u64) -> u64 {
    ((u128::from(bits) * u128::from(count)) >> 64) as u64
}
