//! Attributes of tables and of their column families, as the HBase shell takes them.

mod known;
mod number;
mod of_families;
mod of_tables;
mod read;
mod time_to_live;
mod together;
mod values;

pub use known::KnownAttribute;
pub use of_families::PREFIX_LENGTH;
pub(crate) use read::{MAX_ATTRIBUTES, OTHER_KEYS, family, of_table};
pub use saltplan_document::format::AttributesOf;
pub use together::{Conflict, conflicts};
pub use values::{AllowedValues, AllowedWord, AllowedWords, Doubt};

#[derive(Debug, Clone, PartialEq)]
pub struct Family {
    pub name: String,
    /// Shell attributes in the order of the file, with the spelling of the file (`versions`, `bloom_filter`).
    pub attributes: Vec<(String, AttributeValue)>,
}

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum AttributeValue {
    Number(i64),
    Bool(bool),
    Text(String),
}

/// The attributes that the HBase 2.4 shell knows. The reader, the JSON schema, `init`, `diff` and the audit use these lists.
/// `tests/engines/attributes.rs` compares them with a real shell.
pub fn known_attributes(of: AttributesOf) -> &'static [KnownAttribute] {
    match of {
        AttributesOf::Family => &of_families::KNOWN,
        AttributesOf::Table => &of_tables::KNOWN,
    }
}

/// The attribute with a name in a schema file. Case is ignored for constants of the shell, but not for settings.
pub fn known(of: AttributesOf, name: &str) -> Option<&'static KnownAttribute> {
    known_attributes(of).iter().find(|known| known.has_name(name))
}

/// The value of the attribute with a constant of the shell such as `BLOCKSIZE`, or the full name of a setting.
pub fn attribute<'a>(
    of: AttributesOf,
    attributes: &'a [(String, AttributeValue)],
    constant: &str,
) -> Option<&'a AttributeValue> {
    let is_meant = |name: &str| match ShellName::of(of, name) {
        ShellName::Constant(found) => found == constant,
        ShellName::Setting(found) => found == constant,
    };
    attributes.iter().find(|(name, _)| is_meant(name)).map(|(_, value)| value)
}

/// How the shell's `create` accepts an attribute (`hcd` and `update_htd_from_arg` in hbase-shell's `hbase/admin.rb`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShellName<'a> {
    /// One of the shell's constants: `VERSIONS => 1`.
    Constant(String),
    /// An HBase setting for this family or table only: `CONFIGURATION => {'hbase.hstore.blockingStoreFiles' => '10'}`.
    Setting(&'a str),
}

impl<'a> ShellName<'a> {
    /// A Ruby constant is a single word; anything else, such as a name with dots, can only be a setting.
    /// Constants are found in upper and lower case, three of them with or without the `_`.
    pub fn of(of: AttributesOf, name: &'a str) -> Self {
        let is_word = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_word {
            return ShellName::Setting(name);
        }
        let constant =
            known(of, name).map_or_else(|| name.to_ascii_uppercase(), |known| known.constant.to_string());
        ShellName::Constant(constant)
    }
}

impl Family {
    /// The value of an attribute, given by a constant of the shell such as `BLOCKSIZE`, or by the full name
    /// of a setting.
    pub fn attribute(&self, constant: &str) -> Option<&AttributeValue> {
        attribute(AttributesOf::Family, &self.attributes, constant)
    }

    /// The number of a numeric attribute, in any spelling.
    pub fn number(&self, constant: &str) -> Option<i64> {
        self.attribute(constant).and_then(number::number)
    }

    /// The TTL in seconds; `None` means forever.
    pub fn time_to_live(&self) -> Option<i64> {
        self.attribute("TTL")
            .and_then(time_to_live::seconds)
            .filter(|seconds| *seconds < time_to_live::FOREVER)
    }
}

impl AttributeValue {
    /// The value as the shell's `describe` shows it, without quotes.
    pub fn text(&self) -> String {
        match self {
            AttributeValue::Number(number) => number.to_string(),
            AttributeValue::Bool(value) => value.to_string(),
            AttributeValue::Text(text) => text.clone(),
        }
    }
}
