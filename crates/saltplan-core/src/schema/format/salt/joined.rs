//! What a digest is computed from: the whole key, or inputs that are joined.

use super::INPUTS;
use crate::schema::format::{Choice, Key, KeyRule, KeyTest, Text, ValueType, default, required, word};

/// The word for all fields together.
pub static WHOLE_KEY: Choice<()> = Choice(&[word("key", (), "the stored bytes of all fields")]);

pub static OF: Key = required(
    "of",
    ValueType::Either(&[ValueType::Words(&WHOLE_KEY), ValueType::List(&INPUTS)]),
    "key",
    "What is hashed: the stored `key`, or a list of fields.",
);
pub static JOINED_BY: Key = default(
    "joined_by",
    ValueType::Text(Text::Bytes),
    "''",
    "Text between the inputs before they are hashed.",
);

pub const WHOLE: KeyRule = KeyRule {
    when: &[KeyTest::Is(&OF, &["key"])],
    beside: "`of: key`",
    refuses: &[&JOINED_BY],
    help: "remove it: the stored key has its own separators",
    ..KeyRule::NOTHING
};
