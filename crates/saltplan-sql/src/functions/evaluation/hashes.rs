//! The values of hashes of texts: of their bytes in UTF-8, in every version of Hive.

use md5::Md5;
use sha1::{Digest, Sha1};
use sha2::{Sha224, Sha256, Sha384, Sha512};

use crate::value::{Constant, Decimal, NumberType, Typed};

/// The hash of a text as hex digits in lower case. NULL has no hash.
fn hex_of<D: Digest>(text: &Typed) -> Option<Typed> {
    let digest = match &text.constant {
        Constant::Null => return Some(Typed::plain(Constant::Null)),
        Constant::Text(text) => D::digest(text.as_bytes()),
        _ => return None,
    };
    let digits = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    Some(Typed::plain(Constant::Text(digits)))
}

/// `md5(text)`
pub fn md5(arguments: &[Typed]) -> Option<Typed> {
    match arguments {
        [text] => hex_of::<Md5>(text),
        _ => None,
    }
}

/// `sha1(text)`
pub fn sha1(arguments: &[Typed]) -> Option<Typed> {
    match arguments {
        [text] => hex_of::<Sha1>(text),
        _ => None,
    }
}

/// `sha2(text, bits)`, with 0 for 256 bits.
pub fn sha2(arguments: &[Typed]) -> Option<Typed> {
    let [text @ Typed { constant: Constant::Text(_), .. }, Typed { constant: Constant::Number(bits), of }] =
        arguments
    else {
        // Hive refuses NULL.
        return None;
    };
    match bits.digits {
        _ if *of > NumberType::INT => None,
        0 | 256 => hex_of::<Sha256>(text),
        224 => hex_of::<Sha224>(text),
        384 => hex_of::<Sha384>(text),
        512 => hex_of::<Sha512>(text),
        _ => None,
    }
}

/// `crc32(text)`
pub fn crc32(arguments: &[Typed]) -> Option<Typed> {
    match arguments {
        [Typed { constant: Constant::Null, .. }] => Some(Typed::plain(Constant::Null)),
        [Typed { constant: Constant::Text(text), .. }] => {
            let hash = crc32fast::hash(text.as_bytes());
            Typed::number(Decimal::integer(hash.into()), NumberType::BIGINT)
        }
        _ => None,
    }
}
