//! Tables of functions, one for each level.
//!
//! [`kernels!`] is the list of kernels. [`table!`] makes a struct of function pointers from it, with a safe
//! method for each. [`level!`] compiles every kernel for an instruction set. The kernels themselves are plain
//! functions, which are inlined only there.

use crate::{Advance, Characters, DigitUnit, Divisor, Divisor31, NumberColumn, WordColumn, WordTerm};
use crate::{bytes, calendar, characters, digits, hash, md5, numbers, regions};

/// Passes the list of all kernels to another macro.
macro_rules! kernels {
    ($then:ident $($features:literal)?) => {
        $then! {
            [$($features)?]

            /// `first`, `first + step` and so on, modulo 2^64.
            numbers::count_up(first: u64, step: u64, numbers: &mut NumberColumn);
            /// The random bits of the rows from `first` on, as in [`random::bits`](crate::random::bits).
            numbers::random_bits(key: u64, first: u64, numbers: &mut NumberColumn);
            /// `count` random numbers from `low` on, from the bits of the rows from `first` on.
            numbers::random_below(key: u64, first: u64, low: u64, count: u64, numbers: &mut NumberColumn);
            /// Numbers that advance evenly.
            numbers::advance(by: &Advance, numbers: &mut NumberColumn);
            /// `from - number`, modulo 2^64.
            numbers::subtract_from(from: u64, numbers: &mut NumberColumn);
            /// Divides `number + offset` if all rows have the same quotient, as neighbouring rows usually do:
            /// returns that quotient and stores the remainders (the divisor is below 2^32) in `rests`.
            numbers::split_once(by: Divisor, offset: u64, numbers: &NumberColumn, rests: &mut WordColumn) -> Option<u64>;
            /// Divides `number + offset`: the quotients replace the numbers, the remainders (the divisor is
            /// below 2^32) are stored in `rests`.
            numbers::split(by: Divisor, offset: u64, numbers: &mut NumberColumn, rests: &mut WordColumn);
            /// The remainders.
            numbers::remainders(by: Divisor, numbers: &NumberColumn, rests: &mut WordColumn);
            /// The low 32 bits.
            numbers::low_words(numbers: &NumberColumn, words: &mut WordColumn);
            /// `((number ^ ones) + addend) >> shift` in big-endian order; the first byte and those after
            /// it are changed by XOR with `flip`.
            numbers::big_endian(inverted: u64, shift: u32, numbers: &NumberColumn, words: &mut WordColumn);
            /// Adds `unit` for each of the `starts` that is at most `(number ^ ones) + addend`.
            numbers::add_reached(change: [u64; 2], starts: &[u64], unit: u32, numbers: &NumberColumn, sums: &mut WordColumn);
            /// The entries of a table at the remainders; 0 beyond its end.
            numbers::look_up_remainders(table: &[u32], by: Divisor, numbers: &NumberColumn, words: &mut WordColumn);

            /// Four decimal digits of numbers below 10,000, without the first `shift / 8`.
            digits::four_digits(numbers: &WordColumn, shift: u32, words: &mut WordColumn);
            /// Eight decimal digits of numbers below 100,000,000: the last four, and the first ones without
            /// `shift / 8`.
            digits::eight_digits(numbers: &WordColumn, shift: u32, last: &mut WordColumn, first: &mut WordColumn);
            /// The last four decimal digits, which are removed from the number.
            digits::next_four_digits(numbers: &mut WordColumn, words: &mut WordColumn);
            /// Hex digits of the two bytes from bit `shift` on, limited by `mask`.
            digits::hex_digits(numbers: &WordColumn, shift: u32, mask: u32, words: &mut WordColumn);
            /// Multiplies 64-bit fractions by a power of ten: `count` (1 to 4) digits before the point, and
            /// the new fractions.
            digits::draw_digits(count: u32, fractions: &mut NumberColumn, words: &mut WordColumn);
            /// The same for five to eight digits: four of them, and those that the divisor, a power of ten,
            /// separates.
            digits::draw_eight_digits(by: Divisor31, fractions: &mut NumberColumn, first: &mut WordColumn, last: &mut WordColumn);

            /// Multiplies 64-bit fractions by a power of the alphabet's size: `count` (1 to 4) characters
            /// before the point, and the new fractions. Only for ASCII alphabets.
            characters::draw_characters(alphabet: &Characters, count: u32, fractions: &mut NumberColumn, words: &mut WordColumn);
            /// Removes the lowest digit from numbers up to 2^31, and stores its character in bits `shift` to
            /// `shift + 7`, which must be zero.
            characters::next_character(alphabet: &Characters, shift: u32, numbers: &mut WordColumn, words: &mut WordColumn);

            /// `constant` plus the terms, in one word.
            bytes::put(constant: u32, terms: &[WordTerm<'_>], words: &mut WordColumn);
            /// Adds `source << shift` to zero bits.
            bytes::or_left(source: &WordColumn, shift: u32, words: &mut WordColumn);
            /// Adds `source >> shift` to zero bits.
            bytes::or_right(source: &WordColumn, shift: u32, words: &mut WordColumn);
            /// The high bytes in reverse order, without the last `shift` bits.
            bytes::swap_bytes(source: &WordColumn, shift: u32, words: &mut WordColumn);
            /// Converts ASCII letters to lower case. All bytes must be ASCII.
            bytes::lower_case(words: &mut WordColumn);

            /// Year, month and day from days since 0000-03-01.
            calendar::dates(days: &WordColumn, years: &mut WordColumn, months: &mut WordColumn, days_of_month: &mut WordColumn);
            /// The decimal digits of a part of a date or time.
            calendar::unit_digits(unit: DigitUnit, source: &WordColumn, words: &mut WordColumn);
            /// Quotients; the remainders replace the numbers.
            calendar::divide(by: Divisor31, numbers: &mut WordColumn, quotients: &mut WordColumn);

            /// Hash codes of a text of `width` one-byte characters, continuing from `hashes`.
            hash::java_hash(words: &[WordColumn], width: usize, hashes: &mut WordColumn);
            /// The bits of the mask.
            hash::mask(mask: u32, hashes: &mut WordColumn);
            /// Remainders of absolute values. For negative numbers the sign is kept if requested, otherwise
            /// only for the smallest number.
            hash::remainder(by: Divisor31, sign: hash::Sign, hashes: &mut WordColumn);
            /// Exclusive or.
            hash::xor(other: &WordColumn, hashes: &mut WordColumn);

            /// The regions of keys by their first two words and the first eight bytes of the split keys;
            /// [`OPEN`](crate::OPEN) if a split key starts with the same bytes.
            regions::compare_heads(splits: &[u64], first: &WordColumn, second: &WordColumn, regions: &mut WordColumn);
            /// The entries of a table at `(number - low) >> shift`; [`OPEN`](crate::OPEN) beyond its end.
            regions::look_up(table: &[u32], low: u32, shift: u32, numbers: &WordColumn, entries: &mut WordColumn);
            /// Adds the rows of each region to its puts and returns how many rows that were. Regions are
            /// below 255, or [`OPEN`](crate::OPEN).
            regions::count(regions: &[u32], puts: &mut [u64]) -> u64;

            /// The first word of every digest.
            md5::first_words<Vector>(messages: &md5::Messages, words: &mut WordColumn);
            /// Every digest: word `i` of row `r` is `digests[i][r]`.
            md5::digests<Vector>(messages: &md5::Messages, digests: &mut [WordColumn; 4]);
        }
    };
}

macro_rules! table {
    ([] $( $(#[$doc:meta])* $room:ident :: $name:ident $(<$vector:ident>)? ($($arg:ident: $type:ty),*) $(-> $result:ty)?; )*) => {
        /// The functions of a [`Level`](crate::Level), each for a whole batch.
        pub struct Kernels {
            $( $name: unsafe fn($($type),*) $(-> $result)?, )*
        }

        impl std::fmt::Debug for Kernels {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct("Kernels").finish_non_exhaustive()
            }
        }

        impl Kernels {
            $(
                $(#[$doc])*
                #[inline]
                pub fn $name(&self, $($arg: $type),*) $(-> $result)? {
                    // SAFETY: a table can only be obtained from a `Level`, and the processor supports the
                    // instructions of every existing `Level`.
                    unsafe { (self.$name)($($arg),*) }
                }
            )*
        }
    };
}

macro_rules! level {
    ([] $( $(#[$doc:meta])* $room:ident :: $name:ident $(<$vector:ident>)? ($($arg:ident: $type:ty),*) $(-> $result:ty)?; )*) => {
        pub(super) const TABLE: Kernels = Kernels { $($name: $room::$name$(::<$vector>)?),* };
    };
    ([$features:literal] $( $(#[$doc:meta])* $room:ident :: $name:ident $(<$vector:ident>)? ($($arg:ident: $type:ty),*) $(-> $result:ty)?; )*) => {
        $(
            #[target_feature(enable = $features)]
            fn $name($($arg: $type),*) $(-> $result)? {
                $room::$name$(::<$vector>)?($($arg),*)
            }
        )*

        pub(super) const TABLE: Kernels = Kernels { $($name),* };
    };
}

kernels!(table);

/// Supported by every processor of the architecture.
mod baseline {
    #[allow(clippy::wildcard_imports, reason = "the list of kernels names them")]
    use super::*;
    use crate::md5::vector::BaselineVector as Vector;

    kernels!(level);
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    #[allow(clippy::wildcard_imports, reason = "the list of kernels names them")]
    use super::*;
    use std::arch::x86_64::__m256i as Vector;

    kernels!(level "avx2,bmi1,bmi2,fma,lzcnt");

    pub fn is_there() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("lzcnt")
    }
}

/// Since Ice Lake and Zen 4: older processors slow down with these registers.
#[cfg(target_arch = "x86_64")]
mod avx512 {
    #[allow(clippy::wildcard_imports, reason = "the list of kernels names them")]
    use super::*;
    use std::arch::x86_64::__m512i as Vector;

    kernels!(level "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2,fma,lzcnt");

    pub fn is_there() -> bool {
        has_avx2()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
    }
}

pub static BASELINE: Kernels = baseline::TABLE;
#[cfg(target_arch = "x86_64")]
pub static AVX2: Kernels = avx2::TABLE;
#[cfg(target_arch = "x86_64")]
pub static AVX512: Kernels = avx512::TABLE;
#[cfg(target_arch = "x86_64")]
pub use avx2::is_there as has_avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::is_there as has_avx512;
