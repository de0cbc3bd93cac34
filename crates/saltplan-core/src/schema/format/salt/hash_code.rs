//! From a hash of 32 bits to the salt's number.

use crate::key::salt::Abs;
use crate::schema::format::{Case, Choice, Key, Type, When, number, optional, word};

pub static ABS_PLACES: Choice<Abs> = Choice(&[
    word("before", Abs::Before, "Math.abs(h) % n, which leaves Integer.MIN_VALUE negative"),
    word("after", Abs::After, "Math.abs(h % n)"),
    word("mask", Abs::Mask, "(h & 0x7FFFFFFF) % n"),
    word("none", Abs::None, "h % n, which keeps the sign"),
]);

pub static MASK: Key =
    optional("mask", number(1, u32::MAX as i64), "0x7FFF", "Bits of the hash that are kept, such as 0x7FFF.");
pub static MODULO: Key = optional("modulo", number(1, i32::MAX as i64), "16", "Divisor of the remainder.");
pub static ABS: Key =
    optional("abs", Type::Words(&ABS_PLACES), "after", "Where the writer takes the absolute value.");

pub const ONE_OF_TWO: Case =
    Case { when: &[When::Has(&MASK)], beside: "`mask`", refuses: &[&MODULO], ..Case::EXCLUSIVE };

pub const MASKED: Case = Case {
    when: &[When::Has(&MASK), When::Lacks(&MODULO)],
    beside: "`mask`",
    refuses: &[&ABS],
    help: "remove it: a mask without the sign bit is never negative",
    ..Case::NOTHING
};

pub const DIVIDED: Case = Case {
    when: &[When::Has(&MODULO), When::Lacks(&MASK)],
    beside: "`modulo`",
    needs: &[&ABS],
    ..Case::NOTHING
};

pub const NOT_MASKED: Case =
    Case { when: &[When::Lacks(&MASK)], beside: "no `mask`", needs: &[&MODULO], ..Case::NOTHING };
