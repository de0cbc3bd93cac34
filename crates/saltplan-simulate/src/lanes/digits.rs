//! Decimal digits of many numbers side by side.

use super::columns::{Divisor, Numbers, four_digits, or_bytes};
use super::{Column, ROWS};

/// Some digits of a number, the lowest limb first.
#[derive(Debug, Clone, Copy)]
pub struct Limb {
    /// The base to the power of `digits`.
    pub unit: Divisor,
    pub digits: usize,
}

/// The limbs of `width` digits, `most` digits in each but the last.
pub fn limbs(base: u64, most: usize, width: usize) -> Option<Vec<Limb>> {
    (0..width)
        .step_by(most.max(1))
        .map(|done| {
            let digits = (width - done).min(most);
            Some(Limb { unit: Divisor::new(base.checked_pow(digits as u32)?)?, digits })
        })
        .collect()
}

#[inline(always)]
pub fn write_decimal(
    minuend: Option<i64>,
    limbs: &[Limb],
    width: usize,
    numbers: &Numbers,
    text: &mut [Column],
) {
    let mut rest = *numbers;
    if let Some(max) = minuend {
        for number in &mut rest {
            *number = (max as u64).wrapping_sub(*number);
        }
    }
    let mut end = width;
    let mut low = [0; ROWS];
    let mut digits = [0; ROWS];
    for limb in limbs {
        split_limb(limb, &mut rest, &mut low);
        for (slot, number) in digits.iter_mut().zip(&low) {
            *slot = four_digits(if limb.digits > 4 { number % 10_000 } else { *number });
        }
        put_digits(&mut digits, limb.digits.min(4), &mut end, text);
        if limb.digits > 4 {
            for (slot, number) in digits.iter_mut().zip(&low) {
                *slot = four_digits(number / 10_000);
            }
            put_digits(&mut digits, limb.digits - 4, &mut end, text);
        }
    }
}

/// Writes the last `count` of four digits before `end`.
#[inline(always)]
fn put_digits(digits: &mut Column, count: usize, end: &mut usize, text: &mut [Column]) {
    let shift = 8 * (4 - count as u32);
    if shift > 0 {
        for word in digits.iter_mut() {
            *word >>= shift;
        }
    }
    *end -= count;
    or_bytes(text, *end, digits, count);
}

#[inline(always)]
pub fn split_limb(limb: &Limb, rest: &mut Numbers, low: &mut Column) {
    // Neighbours mostly share their high digits, and numbers are often narrower than their fields.
    let (quotient, _) = limb.unit.divide(rest[0]);
    let start = quotient.wrapping_mul(limb.unit.number());
    let outside = |number: &u64| u64::from(number.wrapping_sub(start) >= limb.unit.number());
    if rest.iter().fold(0, |any, number| any | outside(number)) == 0 {
        for (number, low) in rest.iter_mut().zip(low) {
            *low = number.wrapping_sub(start) as u32;
            *number = quotient;
        }
        return;
    }
    for (number, low) in rest.iter_mut().zip(low) {
        let (quotient, remainder) = limb.unit.divide(*number);
        *number = quotient;
        *low = remainder as u32;
    }
}
