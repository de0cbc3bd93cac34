//! Reasons why HiveQL cannot express something.

use thiserror::Error;

use crate::key::ValueError;
use crate::schema::conversion::Mismatch;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotInHive {
    #[error("`{field}` is not stored in the row key, and there is no column with its name")]
    NowhereStored { field: String },
    #[error("`{field}` is not stored in the row key")]
    NotStored { field: String },
    #[error("`{field}` is neither in the key nor in a column")]
    NoColumn { field: String },
    #[error("the separator after the salt is not text")]
    SaltSeparator,
    #[error("the separator after `{field}` is not text")]
    Separator { field: String },
    #[error("the salt is stored as binary, which Hive cannot read as text")]
    BinarySalt,
    #[error("`{field}` is stored as binary, which Hive cannot read as text")]
    BinaryField { field: String },
    #[error("the salt has no fixed width and no separator")]
    SaltWithoutEnd,
    #[error("a salt may contain the separator after it, so Hive cannot tell where it ends")]
    SeparatorInsideSalt,
    #[error("`{field}` has no fixed width and no separator after it")]
    FieldWithoutEnd { field: String },
    #[error("`{field}` may contain multi-byte characters, so Hive cannot tell where it ends")]
    WideCharacters { field: String },
    #[error("`{field}` is binary, so Hive cannot tell where it ends")]
    BinaryWidth { field: String },
    #[error("`{field}` may contain the separator after it, so Hive cannot tell where it ends")]
    SeparatorInside { field: String },
    #[error("`{field}` is a binary input of the salt")]
    BinaryInputOfSalt { field: String },
    #[error("`{field}` is a binary input")]
    FeedsSaltAsBinary { field: String },
    #[error("`{field}` is an instant, which Hive formats in its session's time zone")]
    FormattedInstant { field: String },
    #[error("`{field}` is not a number")]
    NumberNeeded { field: String },
    #[error("it has no function for {hash}")]
    NoDigest { hash: &'static str },
    #[error("its `murmur_hash` starts from the seed {seed}")]
    MurmurSeed { seed: i64 },
    #[error("its `murmur_hash` takes UTF-8, not {charset}")]
    MurmurCharset { charset: &'static str },
    #[error(
        "it has no function for so many hex digits as a number with a sign, under a mask or in an alphabet"
    )]
    ManyDigits,
    #[error("its alphabet needs a `width`")]
    OpenAlphabet,
    #[error("it writes a random number in an alphabet, and Hive would draw another number for each digit")]
    RandomDigits,
    #[error("its rule is not known")]
    UnknownRule,
    #[error("it has no function for Java's hash of bytes")]
    NoHashOfBytes,
    #[error("it is not computed from fields")]
    NothingToHash,
    #[error("it is stored as binary")]
    WrittenAsBinary,
    #[error("a separator in the hashed text is not ASCII, and Hive computes another hash of such text")]
    HashedSeparator,
    #[error("a range of key bytes spans a separator that is not ASCII, but Hive counts characters")]
    WideSeparator,
    #[error("a separator is not text")]
    BinarySeparator,
    #[error("`{field}` has no instants")]
    NoInstants { field: String },
    #[error("the schema has no `time_zone`")]
    NoTimeZone,
    #[error("`{field}` cannot be formatted as local time")]
    NoClock { field: String },
    #[error("`{field}` may be before 1582-10-15 or after 9999-12-31, where the versions of Hive differ")]
    ClockOutside { field: String },
    #[error("{0}")]
    Mismatch(Mismatch),
    #[error("`{format}` is finer than the field's format")]
    FinerFormat { format: String },
    #[error(transparent)]
    Value(#[from] ValueError),
    #[error("the dates are too many to list")]
    TooManyDates,
    #[error("it is not a time")]
    NoTime,
    #[error("it is not a number")]
    NotANumber,
    #[error("the value is not text")]
    ValueNotText,
    #[error("`{text}` is not a number, but the type is {hive_type}")]
    NoNumber { text: String, hive_type: String },
}

impl From<Mismatch> for NotInHive {
    fn from(mismatch: Mismatch) -> Self {
        NotInHive::Mismatch(mismatch)
    }
}

/// Refusals contain the reason as text.
impl From<NotInHive> for String {
    fn from(error: NotInHive) -> Self {
        error.to_string()
    }
}
