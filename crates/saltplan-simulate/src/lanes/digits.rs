//! Decimal digits of many numbers at once.

use saltplan_lanes::{Divisor, Kernels, NumberColumn, ROWS, WordColumn};

use super::columns::or_bytes;

/// Some digits of a number, the lowest limb first.
#[derive(Debug, Clone, Copy)]
pub struct Limb {
    /// The base to the power of `digits`.
    pub unit: Divisor,
    pub digits: usize,
}

impl Limb {
    /// Removes the limb from numbers.
    pub fn take(&self, kernels: &Kernels, numbers: &mut NumberColumn, low: &mut WordColumn) {
        match kernels.split_once(self.unit, 0, numbers, low) {
            Some(quotient) => numbers.fill(quotient),
            None => kernels.split(self.unit, 0, numbers, low),
        }
    }
}

/// The limbs of `width` digits, with `most` digits in each except the last.
pub fn limbs(base: u64, most: usize, width: usize) -> Option<Vec<Limb>> {
    (0..width)
        .step_by(most.max(1))
        .map(|done| {
            let digits = (width - done).min(most);
            Some(Limb { unit: Divisor::new(base.checked_pow(digits as u32)?)?, digits })
        })
        .collect()
}

/// Writes numbers in limbs of at most eight digits, at places that must be zero.
pub fn write_decimal(
    kernels: &Kernels,
    minuend: Option<i64>,
    limbs: &[Limb],
    width: usize,
    numbers: &NumberColumn,
    text: &mut [WordColumn],
) {
    let mut rest = *numbers;
    if let Some(max) = minuend {
        kernels.subtract_from(max as u64, &mut rest);
    }
    let mut end = width;
    let (mut low, mut last, mut first) = ([0; ROWS], [0; ROWS], [0; ROWS]);
    for limb in limbs {
        limb.take(kernels, &mut rest, &mut low);
        let cut = |digits: usize| 8 * (4 - digits as u32);
        let mut put = |digits: &WordColumn, count: usize| {
            end -= count;
            or_bytes(kernels, text, end, digits, count);
        };
        if limb.digits > 4 {
            kernels.eight_digits(&low, cut(limb.digits - 4), &mut last, &mut first);
            put(&last, 4);
            put(&first, limb.digits - 4);
        } else {
            kernels.four_digits(&low, cut(limb.digits), &mut last);
            put(&last, limb.digits);
        }
    }
}
