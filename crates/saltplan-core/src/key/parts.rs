//! The parts of a row key for people: what stands where in its bytes.

use super::field::{EpochUnit, FieldKind};
use super::layout::RowKey;

/// A part of a row key, in key order.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyPart {
    pub role: KeyPartRole,
    /// Name of the field; of the salt, the name of its scheme, such as `md5`.
    pub name: String,
    /// How values become bytes, in words, such as `date text yyyyMMdd`.
    pub encoding: String,
    /// Bytes of every value; `None` where they differ.
    pub width: Option<usize>,
    /// Bytes that follow the part.
    pub separator: Vec<u8>,
}

/// What a part of a row key is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyPartRole {
    Salt,
    Field,
    /// A field that the salt is computed from, and whose bytes are not in the key.
    SaltInput,
}

impl KeyPartRole {
    /// The word for it in documents for programs.
    pub const fn name(self) -> &'static str {
        match self {
            KeyPartRole::Salt => "salt",
            KeyPartRole::Field => "field",
            KeyPartRole::SaltInput => "salt_input",
        }
    }
}

impl RowKey {
    /// The salt, then the fields; those that are not stored stand where the schema has them.
    pub(crate) fn parts(&self) -> Vec<KeyPart> {
        let salt = self.salt.iter().map(|salt| KeyPart {
            role: KeyPartRole::Salt,
            name: salt.scheme.name().into(),
            encoding: salt.write.describe(),
            width: salt.fixed_width(&self.fields),
            separator: salt.separator.clone(),
        });
        let fields = self.fields.iter().map(|field| KeyPart {
            role: if field.stored { KeyPartRole::Field } else { KeyPartRole::SaltInput },
            name: field.name.clone(),
            encoding: field.kind.describe(),
            width: field.kind.fixed_width(),
            separator: field.separator.clone(),
        });
        salt.chain(fields).collect()
    }
}

impl FieldKind {
    /// How values become bytes, in words.
    pub fn describe(&self) -> String {
        match self {
            FieldKind::Text(text) if text.reverse => "reversed text".into(),
            FieldKind::Text(_) => "text".into(),
            FieldKind::Integer(number) => number.describe(),
            FieldKind::Calendar(field) => format!("date text {}", field.format.pattern()),
            FieldKind::Epoch(field) => {
                let unit = match field.unit {
                    EpochUnit::Seconds => "s",
                    EpochUnit::Milliseconds => "ms",
                };
                format!("epoch {unit}, {}", field.number.describe())
            }
        }
    }
}
