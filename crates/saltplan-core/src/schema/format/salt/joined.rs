//! What a digest is computed from: the whole key, or inputs that are joined.

use super::INPUTS;
use crate::schema::format::{Case, Choice, Key, Text, Type, When, default, required, word};

/// The word for all fields together.
pub static WHOLE_KEY: Choice<()> = Choice(&[word("key", (), "the stored bytes of all fields")]);

pub static OF: Key = required(
    "of",
    Type::Either(&[Type::Words(&WHOLE_KEY), Type::List(&INPUTS)]),
    "key",
    "What is hashed: the stored `key`, or a list of fields.",
);
pub static JOINED_BY: Key =
    default("joined_by", Type::Text(Text::Bytes), "''", "Text between the inputs before they are hashed.");

pub const WHOLE: Case = Case {
    when: &[When::Is(&OF, &["key"])],
    beside: "`of: key`",
    refuses: &[&JOINED_BY],
    help: "remove it: the stored key has its own separators",
    ..Case::NOTHING
};
