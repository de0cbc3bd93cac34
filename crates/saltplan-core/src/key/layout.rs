//! How a row key is built: the salt, then the stored fields, with separators between the parts.

use std::collections::BTreeMap;

use super::field::{Field, FieldId, FieldVec};
use super::salt::Salt;

#[derive(Debug, Clone, PartialEq)]
pub struct RowKey {
    pub salt: Option<Salt>,
    /// All fields in key order, including those that are not stored.
    pub fields: FieldVec<Field>,
    /// The fields that hold a hash of others, with the hash: its number is written as the text of the field, or is its value.
    pub hashed: BTreeMap<FieldId, Salt>,
}

impl RowKey {
    /// The fields whose bytes are in the key, in key order.
    pub fn stored(&self) -> impl DoubleEndedIterator<Item = FieldId> + '_ {
        self.fields.entries().filter(|(_, field)| field.stored).map(|(id, _)| id)
    }
}
