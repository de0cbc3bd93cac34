//! Why a row has no row key, or a row key cannot be decoded.

use thiserror::Error;

use super::SALT_MEMBER;
use crate::key::ValueError;
use crate::key::range::MAX_KEY_BYTES;
use crate::key::salt::InputError;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RowError {
    #[error("not a JSON object: {0}")]
    NotJson(String),
    /// A member or a value that every row must have.
    #[error("the row has no `{field}`")]
    Missing { field: String },
    #[error("`{name}` is neither a key field nor a column{}", hint(.meant.as_ref()))]
    UnknownMember { name: String, meant: Option<String> },
    /// Two members name the same field; case is ignored.
    #[error("the row has `{name}` twice")]
    Twice { name: String },
    #[error("the row key has {bytes} bytes, but HBase accepts at most {MAX_KEY_BYTES}")]
    TooLong { bytes: usize },
    #[error("the row key is empty, which HBase refuses")]
    Empty,
    #[error("`{field}`: {error}")]
    Value { field: String, error: ValueError },
    /// The error of a value that is not quoted from text.
    #[error(transparent)]
    MadeValue(#[from] ValueError),
    /// The salt cannot be computed from the row.
    #[error(transparent)]
    SaltInput(#[from] InputError),
    #[error("the salt cannot be computed")]
    NoSalt,
    #[error("the salt cannot be computed from the fields: add it to the row as `{SALT_MEMBER}`")]
    SaltNotNamed,
    #[error("a part of the salt is random: add {salts} to the row as `{SALT_MEMBER}`")]
    SaltPartNotNamed { salts: String },
    #[error("the salt is `{salt}`, but the fields give {salts}")]
    SaltOfOtherFields { salt: String, salts: String },
    #[error("`{field}` is `{value}`, but it holds the hash of other fields, which is `{hash}`")]
    OtherHash { field: String, value: String, hash: String },
    #[error("the hash in `{field}` cannot be computed")]
    NoHash { field: String },
    #[error("the salt cannot be computed from the fields and is missing")]
    SaltNotGiven,
    #[error("`{0}` is not a salt of this table")]
    ForeignSalt(String),

    #[error("the key does not start with a salt of this table")]
    NoSaltInKey,
    #[error("the key does not fit the layout")]
    Mismatch,
    #[error("{bytes} bytes are left over")]
    LeftOver { bytes: usize },
    #[error("no separator after `{field}`")]
    NoSeparator { field: String },
    #[error("the key ends before `{field}`")]
    EndsBefore { field: String },
    #[error("the key can be read in {ways} ways: a field may contain the separator after it")]
    Ambiguous { ways: usize },
}

fn hint(meant: Option<&String>) -> String {
    meant.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}
