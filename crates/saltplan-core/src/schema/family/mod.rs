//! Attributes of column families, as the HBase shell takes them.

mod known;
mod number;
mod read;
mod time_to_live;
mod together;
mod values;

pub use known::{KNOWN, KnownAttribute, PREFIX_LENGTH, known};
pub(crate) use read::{MAX_ATTRIBUTES, family};
pub use together::{Conflict, conflicts};
pub use values::{AllowedValues, AllowedWord, AllowedWords, Doubt};

#[derive(Debug, Clone, PartialEq)]
pub struct Family {
    pub name: String,
    /// Shell attributes in the order of the file, with the spelling of the file (`versions`, `bloom_filter`).
    pub attributes: Vec<(String, AttributeValue)>,
}

/// The value of a family attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum AttributeValue {
    Number(i64),
    Bool(bool),
    Text(String),
}

/// How the shell's `create` accepts an attribute (`hcd` in hbase-shell's `hbase/admin.rb`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShellName<'a> {
    /// One of the shell's constants: `VERSIONS => 1`.
    Constant(String),
    /// An HBase setting for this family only: `CONFIGURATION => {'hbase.hstore.blockingStoreFiles' => '10'}`.
    Setting(&'a str),
}

impl<'a> ShellName<'a> {
    /// A Ruby constant is a single word; anything else, such as a name with dots, can only be a setting.
    /// Constants are found in upper and lower case, three of them with or without the `_`.
    pub fn of(name: &'a str) -> Self {
        let is_word = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_word {
            return ShellName::Setting(name);
        }
        let constant =
            known(name).map_or_else(|| name.to_ascii_uppercase(), |known| known.constant.to_string());
        ShellName::Constant(constant)
    }
}

impl Family {
    /// The value of an attribute, given by a constant of the shell such as `BLOCKSIZE`, or by the full name
    /// of a setting.
    pub fn attribute(&self, constant: &str) -> Option<&AttributeValue> {
        let is_meant = |name: &str| match ShellName::of(name) {
            ShellName::Constant(found) => found == constant,
            ShellName::Setting(found) => found == constant,
        };
        self.attributes.iter().find(|(name, _)| is_meant(name)).map(|(_, value)| value)
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
