//! From a hash of 32 bits to the salt's number.

use crate::key::salt::Abs;
use crate::schema::format::{Choice, Key, KeyRule, KeyTest, ValueType, number, optional, word};

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
    optional("abs", ValueType::Words(&ABS_PLACES), "after", "Where the writer takes the absolute value.");

pub const ONE_OF_TWO: KeyRule =
    KeyRule { when: &[KeyTest::Has(&MASK)], beside: "`mask`", refuses: &[&MODULO], ..KeyRule::EXCLUSIVE };

pub const MASKED: KeyRule = KeyRule {
    when: &[KeyTest::Has(&MASK), KeyTest::Lacks(&MODULO)],
    beside: "`mask`",
    refuses: &[&ABS],
    help: "remove it: a mask without the sign bit is never negative",
    ..KeyRule::NOTHING
};

pub const DIVIDED: KeyRule = KeyRule {
    when: &[KeyTest::Has(&MODULO), KeyTest::Lacks(&MASK)],
    beside: "`modulo`",
    needs: &[&ABS],
    ..KeyRule::NOTHING
};

pub const NOT_MASKED: KeyRule =
    KeyRule { when: &[KeyTest::Lacks(&MASK)], beside: "no `mask`", needs: &[&MODULO], ..KeyRule::NOTHING };
