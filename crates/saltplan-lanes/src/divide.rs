//! Division by constants that are used for many rows, by multiplication.

/// Division of dividends below 2^63 by a number that is known in advance.
#[derive(Debug, Clone, Copy)]
pub struct Divisor {
    divisor: u64,
    magic: u64,
    /// The bits to shift out of the high half of the product.
    shift: u32,
}

impl Divisor {
    /// `None` for 0 and for 2^62 and above.
    #[must_use]
    pub fn new(divisor: u64) -> Option<Self> {
        if divisor == 0 || divisor >= 1 << 62 {
            return None;
        }
        // ceil(2^(63 + l) / d) with l = ceil(log2 d): exact for 63 bits (Granlund and Montgomery, PLDI 1994).
        let log = divisor.next_power_of_two().trailing_zeros();
        let magic = (1u128 << (63 + log)).div_ceil(u128::from(divisor));
        u64::try_from(magic).ok().map(|magic| Divisor { divisor, magic, shift: log.saturating_sub(1) })
    }

    /// The divisor.
    #[inline(always)]
    #[must_use]
    pub fn number(self) -> u64 {
        self.divisor
    }

    /// Quotient and remainder.
    #[inline(always)]
    #[must_use]
    pub fn divide(self, number: u64) -> (u64, u64) {
        // For 1 the shift would be less than the width of the high half.
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
    /// `None` for 0 and for 2^31 and above.
    #[must_use]
    pub fn new(divisor: u32) -> Option<Self> {
        if divisor == 0 || divisor >= 1 << 31 {
            return None;
        }
        let log = divisor.next_power_of_two().trailing_zeros();
        let magic = (1u64 << (31 + log)).div_ceil(u64::from(divisor));
        u32::try_from(magic).ok().map(|magic| Divisor31 { divisor, magic, shift: 31 + log })
    }

    /// The divisor.
    #[inline(always)]
    #[must_use]
    pub fn number(self) -> u32 {
        self.divisor
    }

    /// Quotient and remainder.
    #[inline(always)]
    #[must_use]
    pub fn divide(self, number: u32) -> (u32, u32) {
        let quotient = ((u64::from(number) * u64::from(self.magic)) >> self.shift) as u32;
        (quotient, number.wrapping_sub(quotient.wrapping_mul(self.divisor)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
    }
}
