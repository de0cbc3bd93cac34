//! Fields of the key that hold a hash of other fields.

use super::codec::Value;
use super::field::{FieldId, FieldKind};
use super::layout::RowKey;
use super::salt::{InputError, Salt};
use saltplan_sql::time::zone::Zone;

impl RowKey {
    /// The value of a field that holds a hash, from the bytes of its inputs; `None` if it has none.
    pub(crate) fn hashed_value(&self, id: FieldId, hash: &Salt, inputs: &[Vec<u8>]) -> Option<Value> {
        let number = hash.number(&self.fields, inputs.iter().map(Vec::as_slice))?;
        let mut written = Vec::new();
        hash.append(number, &mut written);
        let text = String::from_utf8(written).ok()?;
        match self.fields.get(id)?.kind {
            FieldKind::Integer(_) => text.parse().ok().map(Value::Number),
            _ => Some(Value::Text(text)),
        }
    }

    /// The value of a field that holds a hash, from the values of a row; `None` if one of them is missing.
    ///
    /// # Errors
    /// An input cannot be computed from its value.
    pub(crate) fn hash_of_row<'v>(
        &self,
        id: FieldId,
        hash: &Salt,
        value_of: impl Fn(FieldId) -> Option<&'v Value>,
        time_zone: Option<Zone>,
    ) -> Result<Option<Value>, InputError> {
        let mut inputs = Vec::new();
        for input in hash.inputs(&self.fields) {
            let (Some(field), Some(value)) = (self.fields.get(input.field), value_of(input.field)) else {
                return Ok(None);
            };
            inputs.push(input.bytes(field, value, time_zone)?);
        }
        Ok(self.hashed_value(id, hash, &inputs))
    }
}
