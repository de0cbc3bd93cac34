//! Bits as bytes, highest first.

use crate::key::value_error::ValueError;

/// Appends the lowest bytes of a word, at most eight.
#[inline]
pub(crate) fn write(bits: u64, bytes: usize, out: &mut Vec<u8>) {
    let all = bits.to_be_bytes();
    // With a constant width (those of Java's types) this is a single store.
    match (bytes, all) {
        (8, _) => out.extend_from_slice(&all),
        (4, [.., a, b, c, d]) => out.extend_from_slice(&[a, b, c, d]),
        (2, [.., a, b]) => out.extend_from_slice(&[a, b]),
        _ => out.extend_from_slice(all.get(all.len().saturating_sub(bytes)..).unwrap_or(&all)),
    }
}

/// The bits of exactly this many bytes, at most eight.
///
/// # Errors
/// The number of bytes differs.
pub(super) fn read(found: &[u8], bytes: usize) -> Result<u64, ValueError> {
    if found.len() != bytes {
        return Err(ValueError::ByteCount { found: found.len(), stored: bytes });
    }
    Ok(found.iter().fold(0, |bits, byte| bits << 8 | u64::from(*byte)))
}

/// The number whose two's complement has these bytes.
pub(super) fn signed(bits: u64, bytes: usize) -> i64 {
    let unused = u64::BITS - 8 * u32::try_from(bytes.clamp(1, 8)).unwrap_or(8);
    (bits << unused).cast_signed() >> unused
}

/// The greatest unsigned number of this many bytes.
pub(super) fn all_ones(bytes: usize) -> u64 {
    u64::MAX >> (u64::BITS - 8 * u32::try_from(bytes.clamp(1, 8)).unwrap_or(8))
}
