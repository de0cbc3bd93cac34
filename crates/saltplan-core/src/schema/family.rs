//! Attributes of column families, by the names that the HBase shell has for them.

use super::model::{Attribute, Family};

/// How the shell's `create` takes an attribute (`hcd` in hbase-shell's `hbase/admin.rb`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShellName<'a> {
    /// One of the shell's constants: `VERSIONS => 1`.
    Constant(String),
    /// A setting of HBase for this family alone: `CONFIGURATION => {'hbase.hstore.blockingStoreFiles' => '10'}`.
    Setting(&'a str),
}

impl<'a> ShellName<'a> {
    /// A Ruby constant is a word; anything else, such as a name with dots, can only be a setting. Constants are found in
    /// upper and lower case, and three of them with or without the `_`.
    pub fn of(name: &'a str) -> Self {
        let is_word = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_word {
            return ShellName::Setting(name);
        }
        let upper = name.to_ascii_uppercase();
        ShellName::Constant(match upper.as_str() {
            "BLOOM_FILTER" => "BLOOMFILTER".into(),
            "BLOCK_SIZE" => "BLOCKSIZE".into(),
            "BLOCK_CACHE" => "BLOCKCACHE".into(),
            _ => upper,
        })
    }
}

impl Family {
    /// The value of the attribute with a constant of the shell, such as `BLOCKSIZE`.
    pub fn attribute(&self, constant: &str) -> Option<&Attribute> {
        let is_meant =
            |name: &str| matches!(ShellName::of(name), ShellName::Constant(found) if found == constant);
        self.attributes.iter().find(|(name, _)| is_meant(name)).map(|(_, value)| value)
    }
}

impl Attribute {
    /// The value as the shell's `describe` shows it, without quotes.
    pub fn text(&self) -> String {
        match self {
            Attribute::Number(number) => number.to_string(),
            Attribute::Bool(value) => value.to_string(),
            Attribute::Text(text) => text.clone(),
        }
    }
}
