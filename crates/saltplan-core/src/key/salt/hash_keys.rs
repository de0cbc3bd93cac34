//! `hash`: every part of a hash salt by itself. The other keys that declare a hash are short spellings of it.

use super::behind::BEHIND;
use super::charset::{CHARSET, Charset};
use super::digest;
use super::file::KeyFields;
use super::file::hash_code::{ABS, MODULO};
use super::file::joined::{self, INPUT_LIST, JOINED_BY, OF};
use super::file::write::{THEN, WRITE};
use super::function::{FUNCTIONS, Hash, Property, count, names};
use super::hash::{Combine, HashSalt, Spelling};
use super::input::{Cut, SaltInput, SaltInputs};
use super::java_hash::{COMBINE, OF_BYTES_IS_ONE, OF_KEY_IS_ONE, XOR_IS_APART, inputs_of_text};
use super::objects;
use super::reduction::{Abs, HexDigits, Reduction, Take};
use super::spread::PLUS;
use saltplan_document::diag::Span;
use saltplan_document::format::{Key, KeyRule, KeyTest, Map, ValueType, form, number, optional, required};
use saltplan_document::reader::{Fields, FromFile, Reader};

/// The key that declares it.
pub static KEY: Key = form(
    "hash",
    &MAP,
    "{ function: string_hash_code, of: [id], mask: 0x0FFFFFFF, modulo: 100, write: { decimal: 2 } }",
);

pub(super) static OF_BYTES: [&str; count(Property::TakesBytes, FUNCTIONS.0)] =
    names(Property::TakesBytes, FUNCTIONS.0);
pub(super) static OF_TEXT: [&str; count(Property::TakesText, FUNCTIONS.0)] =
    names(Property::TakesText, FUNCTIONS.0);
pub(super) static OF_OBJECTS: [&str; count(Property::TakesObjects, FUNCTIONS.0)] =
    names(Property::TakesObjects, FUNCTIONS.0);
pub(super) static WITHOUT_SEED: [&str; count(Property::HasNoSeed, FUNCTIONS.0)] =
    names(Property::HasNoSeed, FUNCTIONS.0);
pub(super) static WITH_UNSIGNED_SEED: [&str; count(Property::HasUnsignedSeed, FUNCTIONS.0)] =
    names(Property::HasUnsignedSeed, FUNCTIONS.0);
pub(super) static WITH_SIGNED_SEED: [&str; count(Property::HasSignedSeed, FUNCTIONS.0)] =
    names(Property::HasSignedSeed, FUNCTIONS.0);
pub(super) static LONG: [&str; count(Property::IsLong, FUNCTIONS.0)] = names(Property::IsLong, FUNCTIONS.0);

pub static FUNCTION: Key =
    required("function", ValueType::Words(&FUNCTIONS), "string_hash_code", "The hash function.");
pub static SEED: Key = optional(
    "seed",
    number(i32::MIN as i64, u32::MAX as i64),
    "0",
    "Start value of murmur3 and xxhash64, 0 if left out; of bytes_hash_code and objects_hash_code the hash of no input, 1 if left out.",
);
pub static HEX_DIGITS: Key = optional(
    "hex_digits",
    digest::HEX_DIGITS.value,
    "[1, 4]",
    "The first and the last hex digit to take, counted from 1; the whole hash if left out.",
);
pub static MASK: Key = optional(
    "mask",
    number(1, i64::MAX),
    "0x0FFFFFFF",
    "Bits to keep of what is taken, as a number without sign.",
);
pub static SIGNED: Key = Key {
    about: "What is taken is a number with a sign, as Java's short, int and long; the place where its sign is removed. Without `abs` it has no sign.",
    ..ABS
};

/// The keys of all hashes, and behind them those of a place where a hash stands.
macro_rules! keys_of_hashes {
    ($($own:expr),* $(,)?) => {
        &[
            &FUNCTION,
            &OF,
            &JOINED_BY,
            &COMBINE,
            &CHARSET,
            &SEED,
            &HEX_DIGITS,
            &MASK,
            &SIGNED,
            &MODULO,
            $($own,)*
        ]
    };
}
pub(super) use keys_of_hashes;

/// The rules of all hashes, behind those of a place where a hash stands.
macro_rules! rules_of_hashes {
    ($($own:expr),* $(,)?) => {
        &[
            $($own,)*
            XOR_IS_APART,
            KeyRule::when(&[KeyTest::Is(&COMBINE, &["xor"])])
                .refuses(&[&HEX_DIGITS])
                .help("remove it: the hashes are combined as numbers"),
            KeyRule::when(&[KeyTest::Is(&FUNCTION, &OF_BYTES)])
                .described("a hash other than `string_hash_code`")
                .refuses(&[&COMBINE])
                .help("remove it: the inputs are joined"),
            KeyRule::when(&[KeyTest::Is(&FUNCTION, &OF_OBJECTS)])
                .described("a hash of objects")
                .refuses(&[&JOINED_BY, &COMBINE, &CHARSET])
                .help("remove it: each input is hashed by itself, as Java does")
                .narrows(&[(&OF, INPUT_LIST)]),
            KeyRule::when(&[KeyTest::Is(&FUNCTION, &OF_TEXT)])
                .refuses(&[&CHARSET])
                .help("remove it: `String.hashCode` takes characters, not bytes"),
            KeyRule::when(&[KeyTest::Is(&FUNCTION, &WITHOUT_SEED)])
                .described("a hash without a seed")
                .refuses(&[&SEED])
                .help("remove it: only murmur3, xxhash64, bytes_hash_code and objects_hash_code have a seed"),
            KeyRule::when(&[KeyTest::Is(&FUNCTION, &WITH_UNSIGNED_SEED)])
                .narrows(&[(&SEED, number(0, u32::MAX as i64))]),
            KeyRule::when(&[KeyTest::Is(&FUNCTION, &WITH_SIGNED_SEED)])
                .narrows(&[(&SEED, number(i32::MIN as i64, i32::MAX as i64))]),
            KeyRule::when(&[KeyTest::Has(&MASK)])
                .refuses(&[&SIGNED])
                .help("remove it: what a mask keeps has no sign"),
            KeyRule::when(&[KeyTest::Is(&FUNCTION, &LONG), KeyTest::Lacks(&HEX_DIGITS)])
                .described("a hash of more than 64 bits")
                .needs(&[&MODULO])
                .refuses(&[&MASK, &SIGNED])
                .help("take some of its digits, such as `hex_digits: [1, 8]`"),
        ]
    };
}
pub(super) use rules_of_hashes;

pub static MAP: Map = Map {
    about: "A hash, with each part by itself: what is hashed, by which function, what is taken of the hash, the arithmetic (a mask, then a remainder), and how it is stored.",
    keys: keys_of_hashes![&PLUS, &BEHIND, &WRITE, &THEN],
    cases: rules_of_hashes![
        joined::WHOLE,
        joined::OF_BYTES,
        OF_KEY_IS_ONE,
        OF_BYTES_IS_ONE,
        KeyRule::when(&[KeyTest::IsMapping(&OF)])
            .described("`of: { bytes: … }`")
            .refuses(&[&CHARSET])
            .help("list the inputs: `of: [a, b]`"),
        KeyRule::when(&[KeyTest::Lacks(&MODULO)])
            .refuses(&[&PLUS])
            .help("add `modulo`, to which a random number can be added"),
    ],
    misplaced: &[],
};

/// As many digits as a number of 64 bits has.
const DIGITS_OF_A_NUMBER: usize = 16;

pub(super) fn read(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    key: &KeyFields<'_>,
) -> Option<HashSalt> {
    let hash: Option<Hash> = fields.required(reader, &FUNCTION, |reader, value| value.word(reader));
    let of = fields.required(reader, &OF, |reader, value| match hash {
        Some(hash) if hash.takes_text() => inputs_of_text(reader, value, key),
        Some(hash) if hash.takes_objects() => objects::inputs(reader, value, hash, key),
        _ => joined::key_or_inputs(reader, value, key),
    });
    let joined_by = joined::joined_by(reader, fields)?;
    let combine: Option<Combine> = fields.default(reader, &COMBINE, |reader, value| value.word(reader));
    let charset: Option<Option<Charset>> =
        fields.optional(reader, &CHARSET, |reader, value| value.word(reader));
    let seed = fields.optional(reader, &SEED, i64::from_file);
    let mask = fields.optional(reader, &MASK, i64::from_file);
    let abs: Option<Option<Abs>> = fields.optional(reader, &SIGNED, |reader, value| value.word(reader));
    let modulo = fields.optional(reader, &MODULO, i32::from_file);
    fields.refuse(reader)?;
    let (hash, of, combine, charset) = (hash?, of?, combine?, charset?);
    if let (Some(_), Some(value)) = (charset, fields.get(&CHARSET)) {
        let is_utf8 = std::str::from_utf8(&joined_by).is_ok();
        check_text(reader, &of, key, value.key_span(), is_utf8)?;
    }
    let (mask, abs, modulo) = (mask?, abs?, modulo?);
    let digits = match fields.get(&HEX_DIGITS) {
        Some(digits) => Some(digest::window(reader, &digits, hash, FUNCTIONS.word(hash))?),
        None => None,
    };
    if digits.is_none() && modulo.is_none() && hash.bits().is_none() {
        let message = format!("`{}` needs `hex_digits` or `modulo`", FUNCTIONS.word(hash));
        let help = "add `hex_digits: [1, 4]` for the first four digits, or `modulo: n`";
        return fields.incomplete(reader, message, help);
    }
    let take = match digits {
        Some(digits) if mask.is_none() && abs.is_none() && modulo.is_none() => Take::HexDigits(digits),
        _ => {
            let (signed, abs) = (abs.is_some(), abs.unwrap_or(Abs::None));
            let reduction = Reduction { digits, signed, mask, abs, modulo };
            check(reader, &reduction, hash, (digits, fields.get(&HEX_DIGITS).map(|value| value.span())))?;
            if let (Some(mask), Some(value)) = (mask, fields.get(&MASK)) {
                check_mask(reader, mask, &reduction, hash, value.span())?;
            }
            Take::Number(reduction)
        }
    };
    let salt = HashSalt::new(Spelling::Hash, hash, of, take);
    Some(HashSalt { joined_by, combine, charset, seed: seed?.unwrap_or(salt.seed), ..salt })
}

/// Only text has a charset.
fn check_text(
    reader: &mut Reader<'_>,
    of: &SaltInputs,
    key: &KeyFields<'_>,
    span: Span,
    joined_by_text: bool,
) -> Option<()> {
    if !joined_by_text {
        return reader.reject(span, "`joined_by` is no text", "has no charset", "remove `charset`");
    }
    let is_binary = |input: &SaltInput| {
        let is_text = key.fields[input.field].kind.is_text_in_key();
        !is_text && !matches!(input.cut, Cut::Format(_) | Cut::Original)
    };
    let Some(binary) = of.list(key.fields).into_iter().find(is_binary) else { return Some(()) };
    let (field, declared) = key.declared(binary.field);
    let fault = reader
        .fault(span, format!("`{}` is stored as binary", field.name), "has no charset")
        .with_label(declared, "declared here");
    let help = "remove `charset`; to hash the text or the digits, write `{ field: …, form: original }`";
    reader.rejected(fault.with_help(help))
}

/// Many digits are only divided.
fn check(
    reader: &mut Reader<'_>,
    reduction: &Reduction,
    hash: Hash,
    (digits, span): (Option<HexDigits>, Option<Span>),
) -> Option<()> {
    let is_divided_only = reduction.mask.is_none() && !reduction.signed && reduction.modulo.is_some();
    if reduction.bits(hash).is_some() || is_divided_only {
        return Some(());
    }
    let count = digits.map_or(0, |digits| digits.count);
    reader.reject(
        span?,
        format!("{count} hex digits are more than a number of 64 bits has"),
        "only `modulo` is possible",
        format!("take at most {DIGITS_OF_A_NUMBER} digits"),
    )
}

/// A mask has no bits that nothing is taken of.
fn check_mask(
    reader: &mut Reader<'_>,
    mask: i64,
    reduction: &Reduction,
    hash: Hash,
    span: Span,
) -> Option<()> {
    let bits = reduction.bits(hash)?;
    if i128::from(mask) < 1 << bits {
        return Some(());
    }
    reader.reject(
        span,
        format!("the mask has more bits than the {bits} that are taken"),
        "too wide",
        format!("write `mask: 0x{:X}` for all bits, or remove `mask`", (1_u128 << bits.min(63)) - 1),
    )
}
