//! `mask`, or `modulo` with `abs`: how the salt's number is computed from a 32-bit hash.

use crate::key::salt::spread::PLUS;
use crate::key::salt::{Abs, Reduction};
use saltplan_document::format::{Choice, Key, KeyRule, KeyTest, ValueType, number, optional, word};
use saltplan_document::reader::{Fields, Reader};

pub static ABS_PLACES: Choice<Abs> = Choice(&[
    word("before", Abs::Before, "Math.abs(h) % n, which leaves Integer.MIN_VALUE negative"),
    word("after", Abs::After, "Math.abs(h % n)"),
    word("mask", Abs::Mask, "(h & 0x7FFFFFFF) % n"),
    word("none", Abs::None, "h % n, which keeps the sign"),
]);

pub const MASK: Key =
    optional("mask", number(1, u32::MAX as i64), "0x7FFF", "Bits of the hash to keep, such as 0x7FFF.");
pub const MODULO: Key = optional("modulo", number(1, i32::MAX as i64), "16", "Divisor of the remainder.");
pub const ABS: Key = optional(
    "abs",
    ValueType::Words(&ABS_PLACES),
    "after",
    "Where the absolute value is taken, as in the code that writes the keys.",
);

pub(crate) const ONE_OF_TWO: KeyRule = KeyRule::when(&[KeyTest::Has(&MASK)]).excludes(&[&MODULO]);

pub(crate) const MASKED: KeyRule = KeyRule::when(&[KeyTest::Has(&MASK), KeyTest::Lacks(&MODULO)])
    .described("`mask`")
    .refuses(&[&ABS])
    .help("remove it: a mask without the sign bit is never negative");

pub(crate) const DIVIDED: KeyRule =
    KeyRule::when(&[KeyTest::Has(&MODULO), KeyTest::Lacks(&MASK)]).described("`modulo`").needs(&[&ABS]);

pub(crate) const NOT_MASKED: KeyRule = KeyRule::when(&[KeyTest::Lacks(&MASK)]).needs(&[&MODULO]);

pub(crate) const NOT_SPREAD: KeyRule = KeyRule::when(&[KeyTest::Has(&MASK)]).excludes(&[&PLUS]);

/// Reads what is made of a hash; `hash` names it, such as `a Java hash`.
pub(crate) fn reduction(reader: &mut Reader<'_>, fields: &mut Fields<'_>, hash: &str) -> Option<Reduction> {
    let (mask, modulo, abs) = (fields.get(&MASK), fields.get(&MODULO), fields.get(&ABS));
    fields.refuse(reader)?;
    match (mask, modulo) {
        (Some(mask), _) => mask.number(reader).map(|bits: u32| Reduction::mask(bits.cast_signed())),
        (None, Some(modulo)) => {
            let by = modulo.number(reader);
            let Some(abs) = abs else {
                return reader.reject(
                    modulo.key_span(),
                    "`modulo` needs `abs`",
                    format!("{hash} can be negative"),
                    "add `abs: before`, `abs: after` or `abs: none`, as in the code that writes the keys",
                );
            };
            let abs = abs.word(reader);
            Some(Reduction::modulo(by?, abs?))
        }
        (None, None) => fields.incomplete(
            reader,
            format!("{hash} needs `mask` or `modulo`"),
            "add `mask: 0x7FFF`, or `modulo: n` with `abs: …`",
        ),
    }
}
