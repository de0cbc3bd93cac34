//! Digests bit by bit, apart from the crates that the planner uses.

use md5::{Digest as _, Md5};

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Hash {
    Md5,
    Crc32,
    Murmur3x32,
    /// The lowest byte first, as Guava prints it.
    GuavaMurmur3x32,
    Fnv1a32,
    Fnv1a64,
    /// `String.hashCode`
    Java,
    /// `Bytes.hashCode`, of signed bytes.
    Bytes,
    /// `Long.hashCode`, of this code.
    Long,
    /// `Objects.hash`, of the codes of the objects.
    Objects,
}

impl Hash {
    pub fn name(self) -> &'static str {
        match self {
            Hash::Md5 => "md5",
            Hash::Crc32 => "crc32",
            Hash::Murmur3x32 => "murmur3_32",
            Hash::GuavaMurmur3x32 => "guava_murmur3_32",
            Hash::Fnv1a32 => "fnv1a_32",
            Hash::Fnv1a64 => "fnv1a_64",
            Hash::Java => "java_hash",
            Hash::Bytes => "bytes_hash",
            Hash::Long => "long_hash_code",
            Hash::Objects => "objects_hash_code",
        }
    }

    /// The name as the function of `hash`.
    pub fn function(self) -> &'static str {
        match self {
            Hash::Java => "string_hash_code",
            Hash::Bytes => "bytes_hash_code",
            digest => digest.name(),
        }
    }

    /// The bytes of the digest as it is printed.
    pub fn digest(self, seed: Option<i64>, message: &[u8]) -> Vec<u8> {
        match self {
            Hash::Md5 => Md5::digest(message).to_vec(),
            Hash::Crc32 => crc32(message).to_be_bytes().to_vec(),
            Hash::Murmur3x32 => murmur3_32(seed.unwrap_or(0) as u32, message).to_be_bytes().to_vec(),
            Hash::GuavaMurmur3x32 => murmur3_32(seed.unwrap_or(0) as u32, message).to_le_bytes().to_vec(),
            Hash::Fnv1a32 => {
                let step = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(16_777_619);
                message.iter().fold(2_166_136_261, step).to_be_bytes().to_vec()
            }
            Hash::Fnv1a64 => {
                let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(1_099_511_628_211);
                message.iter().fold(14_695_981_039_346_656_037, step).to_be_bytes().to_vec()
            }
            // Java takes U+FFFD for bytes that are no text.
            Hash::Java => by_31(0, String::from_utf8_lossy(message).encode_utf16()),
            Hash::Long => message.to_vec(),
            Hash::Objects => {
                let code = |four: &[u8]| i32::from_be_bytes([four[0], four[1], four[2], four[3]]);
                by_31(seed.unwrap_or(1) as i32, message.chunks(4).map(code))
            }
            Hash::Bytes => by_31(seed.unwrap_or(1) as i32, message.iter().map(|byte| *byte as i8)),
        }
    }
}

/// The code of `Long.hashCode`, bit by bit: each bit of the lower half with that of the higher one.
pub fn long_code(number: i64) -> i32 {
    let bit = |at: u32| (number >> at) & 1;
    (0..32).fold(0_i64, |code, at| code | (bit(at) ^ bit(at + 32)) << at) as u32 as i32
}

/// The code of `String.hashCode`.
pub fn text_code(text: &str) -> i32 {
    let code = by_31(0, text.encode_utf16());
    i32::from_be_bytes([code[0], code[1], code[2], code[3]])
}

/// The bytes of a text in a charset of Java.
pub fn in_charset(charset: &str, text: &str) -> Vec<u8> {
    let narrow = |most: u32| text.chars().map(|c| if u32::from(c) > most { b'?' } else { c as u8 }).collect();
    match charset {
        "us_ascii" => narrow(127),
        "iso_8859_1" => narrow(255),
        "utf_16be" => text.encode_utf16().flat_map(|unit| [(unit >> 8) as u8, unit as u8]).collect(),
        _ => text.encode_utf16().flat_map(|unit| [unit as u8, (unit >> 8) as u8]).collect(),
    }
}

fn by_31(start: i32, items: impl Iterator<Item = impl Into<i32>>) -> Vec<u8> {
    let hash = items.fold(start, |hash, item| hash.wrapping_mul(31).wrapping_add(item.into()));
    hash.to_be_bytes().to_vec()
}

fn crc32(message: &[u8]) -> u32 {
    let mut rest = u32::MAX;
    for byte in message {
        rest ^= u32::from(*byte);
        for _ in 0..8 {
            rest = if rest & 1 == 1 { (rest >> 1) ^ 0xEDB8_8320 } else { rest >> 1 };
        }
    }
    !rest
}

/// `MurmurHash3_x86_32` (Austin Appleby, public domain), from its description.
fn murmur3_32(seed: u32, message: &[u8]) -> u32 {
    let mixed = |word: u32| word.wrapping_mul(0xCC9E_2D51).rotate_left(15).wrapping_mul(0x1B87_3593);
    let mut hash = seed;
    let mut words = message.chunks_exact(4);
    for word in &mut words {
        hash ^= mixed(u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        hash = hash.rotate_left(13).wrapping_mul(5).wrapping_add(0xE654_6B64);
    }
    let tail = words.remainder();
    if !tail.is_empty() {
        hash ^= mixed(tail.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte)));
    }
    hash ^= message.len() as u32;
    hash = (hash ^ hash >> 16).wrapping_mul(0x85EB_CA6B);
    hash = (hash ^ hash >> 13).wrapping_mul(0xC2B2_AE35);
    hash ^ hash >> 16
}
