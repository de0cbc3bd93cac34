//! The tables of functions, one for each level.
//!
//! [`kernels!`] is the one list of kernels. [`table!`] makes a struct of function pointers of it, with a safe method for
//! each; [`level!`] compiles every kernel for the instructions of a level. The kernels themselves are plain functions
//! that are inlined there, and there alone.

use crate::{Advance, Characters, DigitUnit, Divisor, Divisor31, NumberColumn, WordColumn, WordTerm};
use crate::{bytes, calendar, characters, digits, hash, md5, numbers, regions};

/// Hands the list of all kernels to another macro.
macro_rules! kernels {
    ($then:ident $($features:literal)?) => {
        $then! {
            [$($features)?]

            /// `first`, `first + step` and so on, modulo 2^64.
            numbers::count_up(first: u64, step: u64, numbers: &mut NumberColumn);
            /// The random bits of the rows from `first` on, as [`random::bits`](crate::random::bits) has them.
            numbers::random_bits(key: u64, first: u64, numbers: &mut NumberColumn);
            /// Random numbers from `low` on, `count` of them, from the bits of the rows from `first` on.
            numbers::random_below(key: u64, first: u64, low: u64, count: u64, numbers: &mut NumberColumn);
            /// Numbers that go on evenly.
            numbers::advance(by: &Advance, numbers: &mut NumberColumn);
            /// `from - number`, modulo 2^64.
            numbers::subtract_from(from: u64, numbers: &mut NumberColumn);
            /// Divides `number + offset` where all rows have one quotient, which neighbours mostly do: that quotient, and
            /// the remainders (whose divisor is below 2^32) in `rests`.
            numbers::split_once(by: Divisor, offset: u64, numbers: &NumberColumn, rests: &mut WordColumn) -> Option<u64>;
            /// Divides `number + offset`: the quotients take the numbers' place, the remainders (whose divisor is below
            /// 2^32) go to `rests`.
            numbers::split(by: Divisor, offset: u64, numbers: &mut NumberColumn, rests: &mut WordColumn);
            /// The remainders.
            numbers::remainders(by: Divisor, numbers: &NumberColumn, rests: &mut WordColumn);
            /// The low 32 bits.
            numbers::low_words(numbers: &NumberColumn, words: &mut WordColumn);
            /// `((number ^ ones) + addend) >> shift` in big-endian order, with `flip` changed in the first byte and
            /// those behind it.
            numbers::big_endian(inverted: u64, shift: u32, numbers: &NumberColumn, words: &mut WordColumn);
            /// Adds `unit` for each of the `starts` that `(number ^ ones) + addend` reaches.
            numbers::add_reached(change: [u64; 2], starts: &[u64], unit: u32, numbers: &NumberColumn, sums: &mut WordColumn);
            /// The entries of a table by the remainders; 0 past its end.
            numbers::look_up_remainders(table: &[u32], by: Divisor, numbers: &NumberColumn, words: &mut WordColumn);

            /// Four decimal digits of numbers below 10,000, without the first `shift / 8`.
            digits::four_digits(numbers: &WordColumn, shift: u32, words: &mut WordColumn);
            /// Eight decimal digits of numbers below 100,000,000: the last four, and the first ones without `shift / 8`.
            digits::eight_digits(numbers: &WordColumn, shift: u32, last: &mut WordColumn, first: &mut WordColumn);
            /// The last four decimal digits, which are taken off.
            digits::next_four_digits(numbers: &mut WordColumn, words: &mut WordColumn);
            /// Hex digits of the two bytes from bit `shift` on, as far as `mask` goes.
            digits::hex_digits(numbers: &WordColumn, shift: u32, mask: u32, words: &mut WordColumn);
            /// Multiplies fractions of 64 bits by a power of ten: the digits before the point, `count` (1 to 4) of
            /// them, and the new fractions.
            digits::draw_digits(count: u32, fractions: &mut NumberColumn, words: &mut WordColumn);
            /// The same for five to eight digits: four, and those that the divisor, a power of ten, cuts off.
            digits::draw_eight_digits(by: Divisor31, fractions: &mut NumberColumn, first: &mut WordColumn, last: &mut WordColumn);

            /// Multiplies fractions of 64 bits by a power of the alphabet's length: the characters before the point,
            /// `count` (1 to 4) of them, and the new fractions. Alphabets of ASCII only.
            characters::draw_characters(alphabet: &Characters, count: u32, fractions: &mut NumberColumn, words: &mut WordColumn);
            /// Takes the lowest digit off numbers up to 2^31, and puts its character into bits `shift` to `shift + 7`,
            /// where zeros stand.
            characters::next_character(alphabet: &Characters, shift: u32, numbers: &mut WordColumn, words: &mut WordColumn);

            /// `constant` and the terms in one word.
            bytes::put(constant: u32, terms: &[WordTerm<'_>], words: &mut WordColumn);
            /// Adds `source << shift`, where zeros stand.
            bytes::or_left(source: &WordColumn, shift: u32, words: &mut WordColumn);
            /// Adds `source >> shift`, where zeros stand.
            bytes::or_right(source: &WordColumn, shift: u32, words: &mut WordColumn);
            /// The bytes in reverse order, the high ones, without the last `shift` bits.
            bytes::swap_bytes(source: &WordColumn, shift: u32, words: &mut WordColumn);
            /// ASCII letters become lower case. The bytes are ASCII.
            bytes::lower_case(words: &mut WordColumn);

            /// Year, month and day of the days since 0000-03-01.
            calendar::dates(days: &WordColumn, years: &mut WordColumn, months: &mut WordColumn, days_of_month: &mut WordColumn);
            /// The decimal digits of a part of a date or time.
            calendar::unit_digits(unit: DigitUnit, source: &WordColumn, words: &mut WordColumn);
            /// Quotients, and remainders in the place of the numbers.
            calendar::divide(by: Divisor31, numbers: &mut WordColumn, quotients: &mut WordColumn);

            /// Hash codes of a text of `width` one-byte characters, going on from `hashes`.
            hash::java_hash(words: &[WordColumn], width: usize, hashes: &mut WordColumn);
            /// The bits of the mask.
            hash::mask(mask: u32, hashes: &mut WordColumn);
            /// Remainders of the absolute values; of negative numbers with their sign where that is kept, and where not
            /// the one of the least number alone.
            hash::remainder(by: Divisor31, sign: hash::Sign, hashes: &mut WordColumn);
            /// Exclusive or.
            hash::xor(other: &WordColumn, hashes: &mut WordColumn);

            /// The regions of keys by their first two words, from the first eight bytes of the split keys:
            /// [`OPEN`](crate::OPEN) where a split key has the same.
            regions::compare_heads(splits: &[u64], first: &WordColumn, second: &WordColumn, regions: &mut WordColumn);
            /// The entries of a table at `(number - low) >> shift`; [`OPEN`](crate::OPEN) past its end.
            regions::look_up(table: &[u32], low: u32, shift: u32, numbers: &WordColumn, entries: &mut WordColumn);
            /// Adds the rows of each region to its puts: how many rows that were. Regions are below 255, or
            /// [`OPEN`](crate::OPEN).
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
        /// The functions of a [`Level`](crate::Level), each over a whole batch.
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
                    // SAFETY: a table is got from a `Level` only, and the processor has the instructions of every
                    // `Level` that there is.
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

/// Every processor of the architecture.
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

/// Since Ice Lake and Zen 4: processors before them slow down in such registers.
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
