//! Counts duplicate keys.

use crate::WorkloadError;
use md5::{Digest, Md5};

use super::generator::Generator;
use super::keys::Keys;

/// The maximum number of keys that are compared, at 16 bytes each.
pub const MAX_COMPARED: u64 = 1_000_000;

/// The number of puts to a key that an earlier row has. `None` for more than [`MAX_COMPARED`] rows, unless
/// their keys are certainly distinct. Keys are compared by their MD5.
///
/// # Errors
/// A row has no key.
pub fn count(generator: &Generator<'_>, keys: &Keys<'_>) -> Result<Option<u64>, WorkloadError> {
    if generator.keys_are_distinct() {
        return Ok(Some(0));
    }
    if generator.rows() > MAX_COMPARED {
        return Ok(None);
    }
    let mut digests: Vec<[u8; 16]> = Vec::new();
    keys.each(0..generator.rows(), |_, key| digests.push(Md5::digest(key).into()))?;
    digests.sort_unstable();
    Ok(Some(digests.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64))
}
