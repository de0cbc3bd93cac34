//! The numbers of a field over a batch of rows.

use super::ROWS;
use super::columns::Numbers;
use crate::random;
use crate::workload::Values;
use crate::zipf::Zipf;

/// Where a field's numbers come from.
#[derive(Debug, Clone)]
pub enum Source {
    Sequential {
        start: i64,
        step: i64,
    },
    Uniform {
        low: i64,
        count: u64,
        key: u64,
    },
    Period {
        start: i64,
        span: u64,
        rows: u64,
    },
    /// Random bits, not a number.
    Bits {
        key: u64,
    },
    Zipf {
        low: i64,
        law: Zipf,
        key: u64,
    },
    List {
        numbers: Vec<i64>,
        cumulative: Vec<f64>,
        key: u64,
    },
}

/// A source with the least and the greatest number that it gives.
#[derive(Debug, Clone)]
pub struct Bounded {
    pub source: Source,
    pub low: i64,
    pub high: i64,
}

impl Bounded {
    /// The source of a field whose random bits have this key; `None` for values that are no numbers, or that start
    /// again at the other end.
    pub fn new(values: &Values, rows: u64, key: u64) -> Option<Self> {
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
            Values::Zipf { low, count, exponent } => {
                let high = i64::try_from(i128::from(low) + i128::from(count) - 1).ok()?;
                let source = Source::Zipf { low, law: Zipf::new(count, exponent)?, key };
                Some(Bounded { source, low, high })
            }
            Values::List { .. } | Values::Text { .. } => None,
        }
    }

    /// The numbers of the rows from `first` on, as two's complement.
    #[inline(always)]
    pub fn fill(&self, first: u64, numbers: &mut Numbers) {
        match &self.source {
            Source::Sequential { start, step } => {
                let (start, step) = (*start, *step);
                let mut number = (start as u64).wrapping_add((step as u64).wrapping_mul(first));
                for slot in numbers.iter_mut() {
                    *slot = number;
                    number = number.wrapping_add(step as u64);
                }
            }
            Source::Uniform { low, count, key } => {
                let (low, count, key) = (*low, *count, *key);
                for (offset, slot) in numbers.iter_mut().enumerate() {
                    let bits = random::bits(key, first.wrapping_add(offset as u64));
                    *slot = (low as u64).wrapping_add(random::below(bits, count));
                }
            }
            Source::Bits { key } => {
                for (offset, slot) in numbers.iter_mut().enumerate() {
                    *slot = random::bits(*key, first.wrapping_add(offset as u64));
                }
            }
            Source::Period { start, span, rows } => fill_period(*start, *span, *rows, first, numbers),
            Source::Zipf { .. } | Source::List { .. } => {
                for (offset, slot) in numbers.iter_mut().enumerate() {
                    *slot = self.at(first.wrapping_add(offset as u64));
                }
            }
        }
    }

    /// The number of one row, as two's complement.
    #[inline(always)]
    pub fn at(&self, row: u64) -> u64 {
        match &self.source {
            Source::Sequential { start, step } => {
                (*start as u64).wrapping_add((*step as u64).wrapping_mul(row))
            }
            Source::Uniform { low, count, key } => {
                (*low as u64).wrapping_add(random::below(random::bits(*key, row), *count))
            }
            Source::Period { start, span, rows } => {
                let passed = u128::from(*span) * u128::from(row) / u128::from((*rows).max(1));
                (*start as u64).wrapping_add(passed as u64)
            }
            Source::Bits { key } => random::bits(*key, row),
            Source::Zipf { low, law, key } => {
                let rank = law.rank(random::bits(*key, row));
                (*low as u64).wrapping_add(rank.saturating_sub(1))
            }
            Source::List { numbers, cumulative, key } => {
                let drawn = random::unit(random::bits(*key, row));
                let last = numbers.len().saturating_sub(1);
                let index = cumulative.partition_point(|sum| *sum <= drawn).min(last);
                numbers.get(index).copied().unwrap_or(0) as u64
            }
        }
    }
}

/// Steps of a period that go side by side.
const STEPS: usize = 8;

/// `start + span * row / rows`, with a few divisions a batch.
#[inline(always)]
fn fill_period(start: i64, span: u64, rows: u64, first: u64, numbers: &mut Numbers) {
    let wide = u128::from(rows.max(1));
    let number = |row: u64| {
        let product = u128::from(span) * u128::from(row);
        ((start as u64).wrapping_add((product / wide) as u64), (product % wide) as u64)
    };
    let last = first.saturating_add(ROWS as u64 - 1);
    if number(first).0 == number(last).0 {
        return numbers.fill(number(first).0);
    }
    let (mut now, mut rest) = ([0; STEPS], [0; STEPS]);
    for (step, (now, rest)) in now.iter_mut().zip(&mut rest).enumerate() {
        (*now, *rest) = number(first.saturating_add(step as u64));
    }
    let step = u128::from(span) * STEPS as u128;
    let (whole, part) = ((step / wide) as u64, (step % wide) as u64);
    for slots in numbers.chunks_exact_mut(STEPS) {
        for ((slot, now), rest) in slots.iter_mut().zip(&mut now).zip(&mut rest) {
            *slot = *now;
            // Without overflow: both are below `rows`.
            let room = rows - *rest;
            let carry = part >= room;
            *rest = if carry { part - room } else { *rest + part };
            *now = now.wrapping_add(whole).wrapping_add(u64::from(carry));
        }
    }
}
