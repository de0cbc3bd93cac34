//! Why a value is not valid for a field.

use thiserror::Error;

/// A value that is not valid for a field, or bytes that do not encode a value.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ValueError {
    #[error("the date is outside the years 1 to 9999")]
    Years,
    #[error("`{0}` is a number, but the field is text")]
    NumberForText(i64),
    #[error("`{0}` is text, but the field is a number")]
    TextForNumber(String),
    #[error("not UTF-8 text")]
    NotUtf8,
    #[error("`{text}` is not a date in the format `{format}`")]
    NoDate { text: String, format: String },
    #[error("`{text}` is finer than the format `{format}`")]
    FinerThanFormat { text: String, format: String },
    #[error("{character:?} is not one of the declared characters ({declared})")]
    ForeignCharacter { character: char, declared: String },
    #[error("`{text}` has {} bytes, but the declared width is {width}", .text.len())]
    Width { text: String, width: usize },
    #[error("`{text}` has {} hex digits, but the {} bytes of the field have {digits}", .text.len(), .digits / 2)]
    HexDigits { text: String, digits: usize },
    #[error("`{text}` has {} bytes, but the field has {width}", .text.len())]
    TooWide { text: String, width: usize },
    #[error(
        "`{text}` ends with {byte:?}, the padding of the field, so its key would be that of the text without it"
    )]
    EndsWithPadding { text: String, byte: char },
    #[error("the byte that ends the text is missing")]
    NoEnd,
    #[error("`{0}` is not one of the declared values")]
    Undeclared(String),
    #[error("{number} is below the declared `min`, {min}")]
    BelowMin { number: i64, min: i64 },
    #[error("{number} is above the declared `max`, {max}")]
    AboveMax { number: i64, max: i64 },
    #[error("{0} is outside the range of the field")]
    OutOfRange(i64),
    #[error("{0} is outside the range of the field")]
    TooGreat(u64),
    #[error("{found} bytes, but {stored} are stored")]
    ByteCount { found: usize, stored: usize },
    #[error("`{0}` is not a number")]
    NoDigits(String),
    #[error("`{text}` is not the stored form of {number} (`{stored}`)")]
    Spelling { text: String, number: i64, stored: String },
    #[error("the field is text; write \"{0}\"")]
    Unquoted(String),
    #[error("a key field without `nullable: true` is never null")]
    Null,
    #[error("the empty text stands for NULL in this field; write null")]
    EmptyForNull,
    #[error("expected a string or a number")]
    NoScalar,
    #[error("`{0}` is not a whole number of 64 bits")]
    NotWhole(String),
    #[error("`{0}` is neither a number nor a timestamp")]
    NoInstant(String),
    #[error("local time needs the schema's `time_zone`")]
    NoTimeZone,
    #[error("`{0}` is finer than the field's unit")]
    FinerThanUnit(String),
}
