//! The numbers of a field over a batch of rows.

use super::ROWS;
use super::columns::Numbers;
use crate::simulate::random;
use crate::simulate::workload::Values;

/// Where a field's numbers come from.
#[derive(Debug, Clone)]
pub enum Source {
    Sequential { start: i64, step: i64 },
    Uniform { low: i64, count: u64, key: u64 },
    Period { start: i64, span: u64, rows: u64 },
}

/// A source with the least and the greatest number that it gives.
#[derive(Debug, Clone)]
pub struct Bounded {
    pub source: Source,
    pub low: i64,
    pub high: i64,
}

impl Bounded {
    /// The source of field `index`; `None` for values that only the straightforward engine makes.
    pub fn new(values: &Values, index: usize, rows: u64, seed: u64) -> Option<Self> {
        let last = rows.checked_sub(1)?;
        match *values {
            Values::Sequential { start, step } => {
                let end = i128::from(start) + i128::from(step) * i128::from(last);
                let end = i64::try_from(end).ok()?;
                Some(Bounded {
                    source: Source::Sequential { start, step },
                    low: start.min(end),
                    high: start.max(end),
                })
            }
            Values::Uniform { low, high } => {
                let count = u64::try_from(i128::from(high) - i128::from(low) + 1).ok()?;
                let key = random::stream_key(seed, index as u64);
                (count > 0).then_some(Bounded { source: Source::Uniform { low, count, key }, low, high })
            }
            Values::Period { start, stop } => {
                let span = u64::try_from(i128::from(stop) - i128::from(start)).ok()?;
                (span > 0).then_some(Bounded {
                    source: Source::Period { start, span, rows },
                    low: start,
                    high: stop - 1,
                })
            }
            _ => None,
        }
    }

    /// The numbers of the rows from `first` on, as two's complement.
    #[inline(always)]
    pub fn fill(&self, first: u64, numbers: &mut Numbers) {
        match self.source {
            Source::Sequential { start, step } => {
                let mut number = (start as u64).wrapping_add((step as u64).wrapping_mul(first));
                for slot in numbers.iter_mut() {
                    *slot = number;
                    number = number.wrapping_add(step as u64);
                }
            }
            Source::Uniform { low, count, key } => {
                for (offset, slot) in numbers.iter_mut().enumerate() {
                    let bits = random::bits(key, first.wrapping_add(offset as u64));
                    *slot = (low as u64).wrapping_add(random::below(bits, count));
                }
            }
            Source::Period { start, span, rows } => fill_period(start, span, rows, first, numbers),
        }
    }
}

/// `start + span * row / rows`, with one wide division a batch.
#[inline(always)]
fn fill_period(start: i64, span: u64, rows: u64, first: u64, numbers: &mut Numbers) {
    let product = u128::from(span) * u128::from(first);
    let rows128 = u128::from(rows.max(1));
    let mut number = (start as u64).wrapping_add((product / rows128) as u64);
    let mut rest = (product % rows128) as u64;
    let (whole, part) = (span / rows.max(1), span % rows.max(1));
    for slot in numbers.iter_mut().take(ROWS) {
        *slot = number;
        number = number.wrapping_add(whole);
        // Without overflow: both are below `rows`.
        let room = rows - rest;
        let carry = part >= room;
        rest = if carry { part - room } else { rest + part };
        number = number.wrapping_add(u64::from(carry));
    }
}
