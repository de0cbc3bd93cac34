//! How salts are stored in the keys of a table, and what they say about the region.

use super::locate;
use super::salt::{SaltKernel, SaltWriter};
use saltplan_core::key::layout::RowKey;
use saltplan_core::key::salt::{
    Abs, HashSalt, ModuloSalt, RandomSalt, Salt, SaltDomain, SaltScheme, SaltWrite, Take,
};
use saltplan_lanes::{Kernels, WordColumn};

/// The maximum number of salts in a table, which must stay in the cache.
const MAX_TABLE: usize = 4_096;

#[derive(Debug, Clone)]
pub struct SaltPlan {
    pub scheme: SaltKernel,
    pub place: SaltPlace,
    /// The region of a salt at index `(number - low) >> shift`; `None` if only the whole key determines the
    /// region.
    pub table: Option<Vec<u32>>,
    /// The smallest number.
    pub low: i64,
    shift: u32,
}

/// Where the bytes of the salt are written.
#[derive(Debug, Clone)]
pub enum SaltPlace {
    /// At the start of the key, if all have the same width.
    Fixed(SaltWriter),
    /// Texts of different widths, by `number - low`: they are counted separately, and added before the key
    /// only when it is needed.
    Apart(Vec<Vec<u8>>),
}

impl SaltPlan {
    /// `None` if only the row engine supports the salt.
    pub fn new(salt: &Salt, key: &RowKey, scheme: SaltKernel, split_keys: &[Vec<u8>]) -> Option<Self> {
        salt.behind.is_empty().then_some(())?;
        let (low, high) = numbers(salt, key)?;
        let digits = match &scheme {
            SaltKernel::Md5 { digits, .. } => Some(*digits),
            _ => None,
        };
        let shift = digits.map_or(0, |digits| 4 * digits.min(8).saturating_sub(3) as u32);
        let count = usize::try_from(((high - low) >> shift) + 1).ok().filter(|count| *count <= MAX_TABLE);
        let starts = count
            .map(|count| (0..count as i64).map(|index| start_of(salt.write, digits, low + index, shift)));
        let texts: Option<Vec<Vec<u8>>> =
            starts.filter(|_| shift == 0 || salt.write == SaltWrite::Hex).map(Iterator::collect);
        let place = match fixed_width(salt.write, digits, low, high) {
            Some(width) => {
                SaltPlace::Fixed(SaltWriter { write: salt.write, is_digest: digits.is_some(), width })
            }
            None => SaltPlace::Apart(texts.clone().filter(|_| shift == 0)?),
        };
        let table = texts.map(|mut texts| {
            if shift == 0 {
                texts.iter_mut().for_each(|text| text.extend_from_slice(&salt.separator));
            }
            locate::table(&texts, split_keys)
        });
        Some(SaltPlan { scheme, place, table, low, shift })
    }

    /// The bytes of the salt in the key's columns.
    pub fn width_in_key(&self) -> usize {
        match &self.place {
            SaltPlace::Fixed(writer) => writer.width,
            SaltPlace::Apart(_) => 0,
        }
    }

    /// The text of a salt that is stored separately.
    pub fn apart(&self, number: u32) -> &[u8] {
        match &self.place {
            SaltPlace::Fixed(_) => &[],
            SaltPlace::Apart(texts) => {
                texts.get(number.wrapping_sub(self.low as u32) as usize).map_or(&[], Vec::as_slice)
            }
        }
    }

    pub fn locate(&self, kernels: &Kernels, table: &[u32], numbers: &WordColumn, regions: &mut WordColumn) {
        kernels.look_up(table, self.low as u32, self.shift, numbers, regions);
    }
}

/// The smallest and the greatest number of a scheme's salts; for more than eight hex digits, of the first
/// eight.
fn numbers(salt: &Salt, key: &RowKey) -> Option<(i64, i64)> {
    let below = |count: i64| (count > 0 && count <= 1 << 32).then_some((0, count - 1));
    match &salt.scheme {
        SaltScheme::Hash(HashSalt { take: Take::HexDigits(digits), .. }) => {
            below(1 << (4 * digits.count.min(8)))
        }
        SaltScheme::Hash(HashSalt { take: Take::Number(reduction), .. }) => {
            match (reduction.mask, reduction.modulo) {
                (Some(mask), None) if mask < 0 => Some((i64::from(i32::MIN), i64::from(i32::MAX))),
                (Some(mask), None) => Some((0, mask)),
                (None, Some(by)) => {
                    let most = i64::from(by).checked_sub(1)?;
                    let has_sign = !matches!(reduction.abs, Abs::After | Abs::Mask) && !is_natural(salt, key);
                    Some((if has_sign { -most } else { 0 }, most))
                }
                _ => None,
            }
        }
        SaltScheme::Modulo(ModuloSalt { by, .. }) => below(*by),
        SaltScheme::Random(RandomSalt { below: count }) => below(i64::try_from(*count).ok()?),
        _ => None,
    }
}

/// Whether no decimal salt has a sign.
fn is_natural(salt: &Salt, key: &RowKey) -> bool {
    matches!(salt.write, SaltWrite::Decimal { .. })
        && match salt.domain(&key.fields) {
            SaltDomain::Listed(salts) => salts.iter().all(|salt| !salt.starts_with(b"-")),
            SaltDomain::TooMany { .. } => false,
        }
}

/// The width of the salts if it is fixed, as written by [`SaltWriter`]; `digits` are those of a digest.
fn fixed_width(write: SaltWrite, digits: Option<usize>, low: i64, high: i64) -> Option<usize> {
    match (write, digits) {
        (SaltWrite::Hex, Some(digits)) => Some(digits),
        // Of a digest, only its lower-case hex digits are copied; its number has at most eight digits.
        (SaltWrite::Alphabet { .. }, _) => None,
        (SaltWrite::Hex | SaltWrite::UpperHex | SaltWrite::Bytes | SaltWrite::Text, _) => None,
        (_, Some(9..)) => None,
        (SaltWrite::Decimal { width }, _) => {
            let width = width.unwrap_or(0).max(1);
            (low >= 0 && (high.checked_ilog10().unwrap_or(0) as usize) < width).then_some(width)
        }
        (SaltWrite::BigEndian { bytes }, _) => (low >= 0 || bytes <= 4).then_some(bytes),
    }
}

/// The first bytes of keys whose salt's number has these high bits; with all bits, the salt.
fn start_of(write: SaltWrite, digits: Option<usize>, index: i64, shift: u32) -> Vec<u8> {
    match (write, digits) {
        (SaltWrite::Hex, Some(digits)) => {
            let digits = if shift == 0 { digits } else { 3 };
            format!("{index:0digits$x}").into_bytes()
        }
        (write, _) => write.number(i128::from(index)),
    }
}
