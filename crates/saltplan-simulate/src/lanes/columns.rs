//! Words of many rows: digits, bytes and numbers written and moved as columns. Plain loops that the compiler turns
//! into vector instructions of the caller's level.

use super::{Column, ROWS};

/// A 64-bit number of every row of a batch.
pub type Numbers = [u64; ROWS];

/// Writes the low `width` (1 to 4) bytes of every word at byte `at` of `text`, where zeros stand. The bytes of `source`
/// above them must be zero.
#[inline(always)]
pub fn or_bytes(text: &mut [Column], at: usize, source: &Column, width: usize) {
    let (word, shift) = (at / 4, 8 * (at % 4) as u32);
    if let Some(target) = text.get_mut(word) {
        for (target, source) in target.iter_mut().zip(source) {
            *target |= source << shift;
        }
    }
    if at % 4 + width > 4
        && let Some(target) = text.get_mut(word + 1)
    {
        for (target, source) in target.iter_mut().zip(source) {
            *target |= source >> (32 - shift);
        }
    }
}

/// Writes bytes `from .. from + length` of one text at byte `at` of another, where zeros stand, with `lower` in lower
/// case.
#[inline(always)]
pub fn copy_bytes(
    source: &[Column],
    from: usize,
    length: usize,
    lower: bool,
    text: &mut [Column],
    at: usize,
) {
    let mut chunk = [0; ROWS];
    for done in (0..length).step_by(4) {
        let width = (length - done).min(4);
        let (word, shift) = ((from + done) / 4, 8 * ((from + done) % 4) as u32);
        let mask = u32::MAX >> (32 - 8 * width as u32);
        let Some(low) = source.get(word) else { return };
        if shift == 0 && width == 4 && !lower {
            or_bytes(text, at + done, low, width);
            continue;
        }
        match source.get(word + 1) {
            Some(high) if shift > 0 => {
                for ((chunk, low), high) in chunk.iter_mut().zip(low).zip(high) {
                    *chunk = ((low >> shift) | (high << (32 - shift))) & mask;
                }
            }
            _ => {
                for (chunk, low) in chunk.iter_mut().zip(low) {
                    *chunk = (low >> shift) & mask;
                }
            }
        }
        if lower {
            for chunk in &mut chunk {
                *chunk = lower_case(*chunk);
            }
        }
        or_bytes(text, at + done, &chunk, width);
    }
}

/// Four ASCII characters in lower case.
#[inline(always)]
fn lower_case(word: u32) -> u32 {
    // Bit 7 of a byte: from `A` on, and past `Z`. No sum leaves its byte.
    let (from_a, past_z) = (word + 0x3f3f_3f3f, word + 0x2525_2525);
    word | ((from_a & !past_z & 0x8080_8080) >> 2)
}

/// The four decimal digits of a number below 10,000, as text.
#[inline(always)]
pub fn four_digits(number: u32) -> u32 {
    let hundreds = (number * 5243) >> 19;
    let pairs = hundreds | ((number - 100 * hundreds) << 16);
    let tens = ((pairs * 103) >> 10) & 0x000f_000f;
    (tens | ((pairs - 10 * tens) << 8)) + 0x3030_3030
}

/// Two decimal digits as text, from a number below 100.
#[inline(always)]
pub fn two_digits(number: u32) -> u32 {
    let tens = (number * 103) >> 10;
    (tens | ((number - 10 * tens) << 8)) + 0x3030
}

/// Four lower-case hex digits of two bytes, the first byte lowest, its high half first.
#[inline(always)]
pub fn four_hex_digits(bytes: u32) -> u32 {
    let (first, second) = (bytes & 0xff, (bytes >> 8) & 0xff);
    let nibbles = (first >> 4) | ((first & 15) << 8) | ((second >> 4) << 16) | ((second & 15) << 24);
    let letters = ((nibbles + 0x0606_0606) >> 4) & 0x0101_0101;
    nibbles + 0x3030_3030 + letters * 39
}

/// Division by a number that is known when a program is made, of dividends below 2^63.
#[derive(Debug, Clone, Copy)]
pub struct Divisor {
    divisor: u64,
    magic: u64,
    /// Bits that are shifted out of the product's high half.
    shift: u32,
}

impl Divisor {
    /// `None` for 0 and from 2^62 on.
    pub fn new(divisor: u64) -> Option<Self> {
        if divisor == 0 || divisor >= 1 << 62 {
            return None;
        }
        // ceil(2^(63 + l) / d) with l = ceil(log2 d): exact for 63 bits (Granlund and Montgomery, PLDI 1994).
        let log = divisor.next_power_of_two().trailing_zeros();
        let magic = (1u128 << (63 + log)).div_ceil(u128::from(divisor));
        u64::try_from(magic).ok().map(|magic| Divisor { divisor, magic, shift: log.saturating_sub(1) })
    }

    pub fn number(self) -> u64 {
        self.divisor
    }

    #[inline(always)]
    pub fn divide(self, number: u64) -> (u64, u64) {
        // By 1 the shift would be one less than the high half has.
        let high = ((u128::from(number) * u128::from(self.magic)) >> 64) as u64;
        let quotient = if self.divisor == 1 { number } else { high >> self.shift };
        (quotient, number.wrapping_sub(quotient.wrapping_mul(self.divisor)))
    }
}

/// Division of dividends up to 2^31 by a number below 2^31.
#[derive(Debug, Clone, Copy)]
pub struct Divisor31 {
    divisor: u32,
    magic: u32,
    shift: u32,
}

impl Divisor31 {
    pub fn new(divisor: u32) -> Option<Self> {
        if divisor == 0 || divisor >= 1 << 31 {
            return None;
        }
        let log = divisor.next_power_of_two().trailing_zeros();
        let magic = (1u64 << (31 + log)).div_ceil(u64::from(divisor));
        u32::try_from(magic).ok().map(|magic| Divisor31 { divisor, magic, shift: 31 + log })
    }

    pub fn number(self) -> u32 {
        self.divisor
    }

    #[inline(always)]
    pub fn divide(self, number: u32) -> (u32, u32) {
        let quotient = ((u64::from(number) * u64::from(self.magic)) >> self.shift) as u32;
        (quotient, number.wrapping_sub(quotient.wrapping_mul(self.divisor)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn digits() {
        for number in 0..10_000u32 {
            assert_eq!(four_digits(number).to_le_bytes(), *format!("{number:04}").as_bytes());
            assert_eq!(
                two_digits(number % 100).to_le_bytes()[..2],
                *format!("{:02}", number % 100).as_bytes()
            );
        }
        for bytes in 0..=0xffffu32 {
            let [first, second, ..] = bytes.to_le_bytes();
            assert_eq!(four_hex_digits(bytes).to_le_bytes(), *format!("{first:02x}{second:02x}").as_bytes());
        }
    }

    #[test]
    fn lower_case_of_ascii() {
        for byte in 0..128u8 {
            let word = u32::from_le_bytes([byte, b'A', b'z', byte]);
            let lower = byte.to_ascii_lowercase();
            assert_eq!(lower_case(word).to_le_bytes(), [lower, b'a', b'z', lower]);
        }
    }

    proptest! {
        #[test]
        fn divisions(number in 0u64..1 << 63, bits in 0u32..62, low in any::<u64>()) {
            let divisor = (1u64 << bits) | (low & ((1 << bits) - 1));
            let both = Divisor::new(divisor).unwrap().divide(number);
            prop_assert_eq!(both, (number / divisor, number % divisor));
            let (number, divisor) = ((number >> 32) as u32, (divisor >> 31).max(1) as u32);
            for number in [number, 1 << 31, number / divisor * divisor] {
                let both = Divisor31::new(divisor).unwrap().divide(number);
                prop_assert_eq!(both, (number / divisor, number % divisor));
            }
        }

        #[test]
        fn copies(from in 0usize..9, length in 0usize..12, at in 0usize..9) {
            let bytes = |index: usize| (index * 37 + 1) as u8;
            let mut source = vec![[0; ROWS]; 6];
            for index in 0..24 {
                let mut column = [0; ROWS];
                column.fill(u32::from(bytes(index)));
                or_bytes(&mut source, index, &column, 1);
            }
            let mut text = vec![[0; ROWS]; 6];
            copy_bytes(&source, from, length, false, &mut text, at);
            let found: Vec<u8> = text.iter().flat_map(|column| column[ROWS - 1].to_le_bytes()).collect();
            let expected = (0..24).map(|index| {
                if (at..at + length).contains(&index) { bytes(index - at + from) } else { 0 }
            });
            prop_assert_eq!(found, expected.collect::<Vec<u8>>());
        }
    }
}
