//! The numbers of a field for a batch of rows.

use crate::random;
use crate::workload::Values;
use crate::zipf::Zipf;
use saltplan_lanes::{Advance, Kernels, NumberColumn, ROWS};

/// Where a field's numbers come from.
#[derive(Debug, Clone)]
pub enum NumberSource {
    Sequential {
        start: i64,
        step: i64,
    },
    Uniform {
        low: i64,
        count: u64,
        key: u64,
    },
    Period(Period),
    /// Random bits that are not a number.
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

/// A source with the smallest and the greatest number that it gives.
#[derive(Debug, Clone)]
pub struct Bounded {
    pub source: NumberSource,
    pub low: i64,
    pub high: i64,
}

impl Bounded {
    /// The source of a field with this key for its random bits; `None` for values that are not numbers or
    /// that wrap around.
    pub fn new(values: &Values, rows: u64, key: u64) -> Option<Self> {
        let last = rows.checked_sub(1)?;
        let length =
            |from: i64, to: i128| u64::try_from(to - i128::from(from)).ok().filter(|length| *length > 0);
        let (source, low, high) = match *values {
            Values::Sequential { start, step } => {
                let end = i64::try_from(i128::from(start) + i128::from(step) * i128::from(last)).ok()?;
                (NumberSource::Sequential { start, step }, start.min(end), start.max(end))
            }
            Values::Uniform { low, high } => {
                let count = length(low, i128::from(high) + 1)?;
                (NumberSource::Uniform { low, count, key }, low, high)
            }
            Values::Period { start, stop } => {
                let span = length(start, i128::from(stop))?;
                (NumberSource::Period(Period::new(start, span, rows)), start, stop - 1)
            }
            Values::Zipf { low, count, exponent } => {
                let high = i64::try_from(i128::from(low) + i128::from(count) - 1).ok()?;
                (NumberSource::Zipf { low, law: Zipf::new(count, exponent)?, key }, low, high)
            }
            Values::List { .. } | Values::Text { .. } => return None,
        };
        Some(Bounded { source, low, high })
    }

    /// The numbers of the rows from `first` on, in two's complement.
    pub fn fill(&self, kernels: &Kernels, first: u64, numbers: &mut NumberColumn) {
        match &self.source {
            NumberSource::Sequential { start, step } => {
                let number = (*start as u64).wrapping_add((*step as u64).wrapping_mul(first));
                kernels.count_up(number, *step as u64, numbers);
            }
            NumberSource::Uniform { low, count, key } => {
                kernels.random_below(*key, first, *low as u64, *count, numbers);
            }
            NumberSource::Bits { key } => kernels.random_bits(*key, first, numbers),
            NumberSource::Period(period) => period.fill(kernels, first, numbers),
            NumberSource::Zipf { .. } | NumberSource::List { .. } => {
                for (offset, slot) in numbers.iter_mut().enumerate() {
                    *slot = self.at(first.wrapping_add(offset as u64));
                }
            }
        }
    }

    /// The number of one row, in two's complement.
    pub fn at(&self, row: u64) -> u64 {
        match &self.source {
            NumberSource::Sequential { start, step } => {
                (*start as u64).wrapping_add((*step as u64).wrapping_mul(row))
            }
            NumberSource::Uniform { low, count, key } => {
                (*low as u64).wrapping_add(random::below(random::bits(*key, row), *count))
            }
            NumberSource::Period(period) => period.at(row).0,
            NumberSource::Bits { key } => random::bits(*key, row),
            NumberSource::Zipf { low, law, key } => {
                let rank = law.rank(random::bits(*key, row));
                (*low as u64).wrapping_add(rank.saturating_sub(1))
            }
            NumberSource::List { numbers, cumulative, key } => {
                let drawn = random::unit(random::bits(*key, row));
                let last = numbers.len().saturating_sub(1);
                let index = cumulative.partition_point(|sum| *sum <= drawn).min(last);
                numbers.get(index).copied().unwrap_or(0) as u64
            }
        }
    }
}

/// `start + span * row / rows`.
#[derive(Debug, Clone, Copy)]
pub struct Period {
    start: i64,
    span: u64,
    /// At least 1.
    rows: u64,
    /// What one row adds: whole numbers, and fractions of a row.
    whole: u64,
    part: u64,
}

impl Period {
    fn new(start: i64, span: u64, rows: u64) -> Self {
        let rows = rows.max(1);
        Period { start, span, rows, whole: span / rows, part: span % rows }
    }

    /// The number of a row, and its remainder in fractions of a row.
    fn at(&self, row: u64) -> (u64, u64) {
        let (product, rows) = (u128::from(self.span) * u128::from(row), u128::from(self.rows));
        ((self.start as u64).wrapping_add((product / rows) as u64), (product % rows) as u64)
    }

    fn fill(&self, kernels: &Kernels, first: u64, numbers: &mut NumberColumn) {
        let Period { span, rows, whole, part, .. } = *self;
        let (mut number, mut left) = self.at(first);
        if u128::from(left) + u128::from(span) * (ROWS as u128 - 1) < u128::from(rows) {
            return numbers.fill(number);
        }
        let (mut now, mut rest) = ([0; Advance::STEPS], [0; Advance::STEPS]);
        for (now, rest) in now.iter_mut().zip(&mut rest) {
            (*now, *rest) = (number, left);
            // No overflow: both are below `rows`.
            let room = rows - left;
            let carry = part >= room;
            left = if carry { part - room } else { left + part };
            number = number.wrapping_add(whole).wrapping_add(u64::from(carry));
        }
        let eight = u128::from(span) * Advance::STEPS as u128;
        let (whole, part) = ((eight / u128::from(rows)) as u64, (eight % u128::from(rows)) as u64);
        kernels.advance(&Advance { now, rest, whole, part, rows }, numbers);
    }
}
