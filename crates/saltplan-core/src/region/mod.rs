//! Regions: the split keys of a table, and the regions that a key or a range touches.
//!
//! A table with n split keys has n + 1 regions. The first region starts at the empty key, the last one has no
//! upper end.

mod algorithms;
mod locate;

pub use crate::key::range::head;
use crate::schema::model::Regions;
pub use algorithms::quantiles;
pub use locate::{RegionLocator, locate, touched};

/// What the split keys of some forms of [`Regions`] depend on besides the schema file.
#[derive(Debug, Clone, Copy, Default)]
pub struct SplitInputs<'a> {
    /// Every salt that a row can have, in any order.
    pub salts: &'a [Vec<u8>],
    /// The separator between the salt and the first field.
    pub separator: &'a [u8],
    /// Row keys of real rows, in any order.
    pub sample: &'a [Vec<u8>],
}

/// Why split keys cannot be computed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SplitError {
    /// One region per salt was requested for a table without a salt.
    #[error("one region per salt needs a salt")]
    NoSalt,
    /// There are no keys to take quantiles of.
    #[error("quantiles need at least one sample key")]
    NoSample,
    /// HBase refuses to split between these keys.
    #[error("there are no keys between the start and the end of the range")]
    Range,
}

/// The split keys in byte order, without duplicates, as HBase itself computes them for its own algorithms.
///
/// # Errors
/// [`SplitInputs`] that the form needs are missing, or HBase would refuse the range.
pub fn split_keys(regions: &Regions, inputs: SplitInputs<'_>) -> Result<Vec<Vec<u8>>, SplitError> {
    match regions {
        Regions::PerSalt { .. } if inputs.salts.is_empty() => Err(SplitError::NoSalt),
        Regions::PerSalt { zero_bytes } => {
            let mut keys = algorithms::per_salt(inputs.salts, inputs.separator);
            keys.iter_mut().for_each(|key| key.resize(key.len() + zero_bytes, 0));
            Ok(keys)
        }
        Regions::Explicit(keys) => Ok(algorithms::ascending(keys.iter().cloned())),
        Regions::HexString { regions } => Ok(algorithms::hex_string(*regions)),
        Regions::DecimalString { regions } => Ok(algorithms::decimal_string(*regions)),
        Regions::Uniform { regions } => Ok(algorithms::uniform(*regions)),
        Regions::ByteRange { start, end, regions } => {
            algorithms::byte_range(start, end, *regions).ok_or(SplitError::Range)
        }
        Regions::Numbered(split) => Ok(algorithms::numbered(split.regions, &split.suffix)),
        Regions::LongRange { from, to } => Ok(algorithms::long_range(*from, *to)),
        Regions::Sampled(_) if inputs.sample.is_empty() => Err(SplitError::NoSample),
        Regions::Sampled(sampled) => {
            let key = |index: usize| inputs.sample.get(index).map_or(&[][..], Vec::as_slice);
            Ok(quantiles(inputs.sample.len(), key, sampled.regions))
        }
    }
}
