//! The bytes of a text in another charset than UTF-8, as Java's `getBytes` writes them.

use saltplan_document::format::{Choice, Key, ValueType, optional, word};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charset {
    UsAscii,
    Iso8859x1,
    Utf16Be,
    Utf16Le,
}

pub static CHARSETS: Choice<Charset> = Choice(&[
    word("us_ascii", Charset::UsAscii, "`?` for other characters"),
    word("iso_8859_1", Charset::Iso8859x1, "one byte for each character up to U+00FF, `?` for others"),
    word("utf_16be", Charset::Utf16Be, "two bytes for each unit, the higher first"),
    word("utf_16le", Charset::Utf16Le, "two bytes for each unit, the lower first"),
]);

pub static CHARSET: Key = optional(
    "charset",
    ValueType::Words(&CHARSETS),
    "us_ascii",
    "The charset whose bytes of the text are hashed, UTF-8 if left out.",
);

impl Charset {
    /// The bytes of a text. Bytes that are no UTF-8 are U+FFFD, as in Java.
    pub fn encode(self, utf8: &[u8]) -> Vec<u8> {
        if utf8.is_ascii() && self.is_narrow() {
            return utf8.to_vec();
        }
        let text = String::from_utf8_lossy(utf8);
        match self {
            Charset::UsAscii | Charset::Iso8859x1 => {
                text.chars().map(|c| if c <= self.greatest() { c as u8 } else { b'?' }).collect()
            }
            Charset::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            Charset::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        }
    }

    /// Whether a character is one byte, which is that of UTF-8 if it is ASCII.
    pub fn is_narrow(self) -> bool {
        matches!(self, Charset::UsAscii | Charset::Iso8859x1)
    }

    /// The greatest character that the charset has.
    pub fn greatest(self) -> char {
        match self {
            Charset::UsAscii => '\x7F',
            Charset::Iso8859x1 => '\u{FF}',
            Charset::Utf16Be | Charset::Utf16Le => char::MAX,
        }
    }

    /// The name that Java, Python and Hive know.
    pub fn name(self) -> &'static str {
        match self {
            Charset::UsAscii => "US-ASCII",
            Charset::Iso8859x1 => "ISO-8859-1",
            Charset::Utf16Be => "UTF-16BE",
            Charset::Utf16Le => "UTF-16LE",
        }
    }
}
