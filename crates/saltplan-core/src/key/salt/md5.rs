//! The first hex digits of an MD5.

use md5::block_api::compress;
use md5::{Digest, Md5};

use super::file::KeyFields;
use super::file::joined::{self, JOINED_BY, OF, key_or_inputs};
use super::file::write::{THEN, WRITE};
use super::function::Hash;
use super::hash::{HashSalt, Spelling};
use super::numbers::Numbers;
use super::reduction::{HexDigits, Take};
use super::write::SaltWrite;
use saltplan_document::format::{
    Choice, Key, KeyRule, KeyTest, Map, Misplaced, ValueType, form, number, required, word,
};
use saltplan_document::reader::{Fields, FromFile, Reader};

/// The key in a schema file.
pub static KEY: Key = form("md5", &MAP, "{ of: key, first_hex_digits: 8, write: hex }");

pub static FIRST_HEX_DIGITS: Key =
    required("first_hex_digits", number(1, 32), "8", "How many of the 32 hex digits to use.");

/// The stored form is the digits themselves.
static DIGITS: Choice<SaltWrite> = Choice(&[word("hex", SaltWrite::Hex, "")]);

pub static MAP: Map = Map {
    about: "The first hex digits of an MD5: spreads evenly and can be computed from the row.",
    keys: &[&OF, &JOINED_BY, &FIRST_HEX_DIGITS, &WRITE, &THEN],
    cases: &[
        joined::WHOLE,
        joined::OF_BYTES,
        KeyRule::when(&[KeyTest::Over(&FIRST_HEX_DIGITS, Numbers::MAX_NUMBER_DIGITS as i128)])
            .described("more digits than an 8-byte number has")
            .narrows(&[(&WRITE, ValueType::Words(&DIGITS))]),
    ],
    misplaced: &[
        Misplaced {
            name: "modulo",
            message: "`md5` takes the first hex digits",
            label: "not known here",
            help: "write `digest: { hash: md5, of: …, modulo: n, write: … }`",
        },
        Misplaced {
            name: "hex_digits",
            message: "`md5` takes the first hex digits",
            label: "not known here",
            help: "write `first_hex_digits: n`, or `digest: { hash: md5, of: …, hex_digits: [5, 8], write: … }`",
        },
    ],
};

pub(super) fn read(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    key: &KeyFields<'_>,
) -> Option<HashSalt> {
    let of = fields.required(reader, &OF, |reader, value| key_or_inputs(reader, value, key));
    let digits = fields.required(reader, &FIRST_HEX_DIGITS, usize::from_file);
    let joined_by = joined::joined_by(reader, fields)?;
    fields.refuse(reader)?;
    let take = Take::HexDigits(HexDigits::new(1, digits?));
    Some(HashSalt { joined_by, ..HashSalt::new(Spelling::Md5, Hash::Md5, of?, take) })
}

/// The longest message that fits in one block: one byte of padding and eight bytes of length follow it.
const MOST_OF_A_BLOCK: usize = 55;

const START: [u32; 4] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476];

/// The digest of a message. The inputs of a row key usually fit in one block, for which the general interface
/// would double the cost.
pub(super) fn digest(message: &[u8]) -> [u8; 16] {
    if message.len() > MOST_OF_A_BLOCK {
        return Md5::digest(message).into();
    }
    let mut block = [0; 64];
    block[..message.len()].copy_from_slice(message);
    block[message.len()] = 0x80;
    block[56..].copy_from_slice(&(8 * message.len() as u64).to_le_bytes());
    let mut state = START;
    compress(&mut state, &[block]);
    let mut digest = [0; 16];
    for (bytes, word) in digest.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    digest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_has_its_digest() {
        let message: Vec<u8> = (1..=130).map(|byte: u8| byte.wrapping_mul(151)).collect();
        for length in 0..=message.len() {
            let message = &message[..length];
            assert_eq!(digest(message), <[u8; 16]>::from(Md5::digest(message)), "{length}");
        }
    }
}
