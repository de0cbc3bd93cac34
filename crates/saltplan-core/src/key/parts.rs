//! The parts of a row key, described for people.

use super::layout::RowKey;

/// A part of a row key, in key order.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyPart {
    pub role: KeyPartRole,
    /// The name of the field; for the salt, the name of its scheme, such as `md5`.
    pub name: String,
    /// A description of the encoding, such as `date text yyyyMMdd`.
    pub encoding: String,
    /// The width in bytes; `None` if it varies.
    pub width: Option<usize>,
    /// The separator after the part.
    pub separator: Vec<u8>,
}

/// The role of a part of a row key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyPartRole {
    Salt,
    Field,
    /// A field that is only an input of the salt, so its bytes are not in the key.
    SaltInput,
}

impl KeyPartRole {
    /// The word for the role in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            KeyPartRole::Salt => "salt",
            KeyPartRole::Field => "field",
            KeyPartRole::SaltInput => "salt_input",
        }
    }
}

impl RowKey {
    /// The salt, then the fields in the order of the schema, including those that are not stored.
    pub(crate) fn parts(&self) -> Vec<KeyPart> {
        let salt = self.salt.iter().map(|salt| KeyPart {
            role: KeyPartRole::Salt,
            name: salt.scheme.name().into(),
            encoding: salt.encoding(),
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
