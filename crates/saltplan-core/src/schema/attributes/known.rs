//! An attribute that the HBase shell knows: its names and its values.

use super::values::AllowedValues::{self, Words};
use super::values::{AllowedWord, AllowedWords};

/// An attribute of a column family or of a table.
#[derive(Debug)]
pub struct KnownAttribute {
    /// The shell's constant, such as `BLOCKSIZE`; for a setting, its full name.
    pub constant: &'static str,
    /// The preferred name in schema files, if it is not the constant in lower case.
    alias: Option<&'static str>,
    pub values: AllowedValues,
    /// The description in editors.
    pub meaning: &'static str,
    /// The HBase version that introduced it, if newer than 2.4.
    pub since: Option<&'static str>,
}

pub(super) const fn attribute(
    constant: &'static str,
    values: AllowedValues,
    meaning: &'static str,
) -> KnownAttribute {
    KnownAttribute { constant, alias: None, values, meaning, since: None }
}

impl KnownAttribute {
    /// Whether it is a setting, and not a constant of the shell.
    pub fn is_setting(&self) -> bool {
        self.constant.contains('.')
    }

    /// The names in schema files; the first is the preferred one.
    pub fn names(&self) -> Vec<String> {
        let own = if self.is_setting() { self.constant.into() } else { self.constant.to_ascii_lowercase() };
        self.alias.map(String::from).into_iter().chain([own]).collect()
    }

    /// The preferred name in schema files.
    pub fn name(&self) -> String {
        self.names().into_iter().next().unwrap_or_default()
    }

    pub(super) fn has_name(&self, name: &str) -> bool {
        let ignoring_case = || {
            let names = [Some(self.constant), self.alias];
            names.into_iter().flatten().any(|own| own.eq_ignore_ascii_case(name))
        };
        self.constant == name || !self.is_setting() && ignoring_case()
    }

    pub(super) const fn or_named(self, alias: &'static str) -> Self {
        KnownAttribute { alias: Some(alias), ..self }
    }

    pub(super) const fn since(self, version: &'static str) -> Self {
        KnownAttribute { since: Some(version), ..self }
    }
}

pub(super) const fn word(text: &'static str) -> AllowedWord {
    AllowedWord { text, since: None }
}

pub(super) const fn new_word(text: &'static str) -> AllowedWord {
    AllowedWord { text, since: Some("2.5") }
}

/// Words that the shell converts to upper case; HBase refuses others.
pub(super) const fn words(list: &'static [AllowedWord]) -> AllowedValues {
    Words(AllowedWords { list, any_case: true, unknown: None })
}

/// Words that the shell converts to upper case, and what HBase does with others.
pub(super) const fn words_or(list: &'static [AllowedWord], unknown: &'static str) -> AllowedValues {
    Words(AllowedWords { list, any_case: true, unknown: Some(unknown) })
}

/// Words that are taken as they are written; HBase refuses others.
pub(super) const fn exact_words(list: &'static [AllowedWord]) -> AllowedValues {
    Words(AllowedWords { list, any_case: false, unknown: None })
}

/// The greatest number of Java's `int`.
pub(super) const INT: i64 = i32::MAX as i64;

#[cfg(test)]
mod tests {
    use super::super::{AttributesOf, PREFIX_LENGTH, ShellName, known_attributes};
    use super::*;
    use crate::schema::attributes;

    fn known(name: &str) -> Option<&'static KnownAttribute> {
        attributes::known(AttributesOf::Family, name)
    }

    fn shell_name(name: &str) -> ShellName<'_> {
        ShellName::of(AttributesOf::Family, name)
    }

    #[test]
    fn names_are_found_as_the_shell_finds_them() {
        for name in ["bloom_filter", "BLOOMFILTER", "BloomFilter"] {
            assert_eq!(known(name).map(|found| found.constant), Some("BLOOMFILTER"), "{name}");
            assert_eq!(shell_name(name), ShellName::Constant("BLOOMFILTER".into()));
        }
        assert_eq!(shell_name("speed"), ShellName::Constant("SPEED".into()));
        assert!(known(PREFIX_LENGTH).is_some() && known(&PREFIX_LENGTH.to_lowercase()).is_none());
        assert_eq!(shell_name(PREFIX_LENGTH), ShellName::Setting(PREFIX_LENGTH));
    }

    #[test]
    fn each_name_stands_for_one_attribute() {
        for of in [AttributesOf::Family, AttributesOf::Table] {
            let all = known_attributes(of);
            let mut names: Vec<String> = all.iter().flat_map(KnownAttribute::names).collect();
            let constants = all.iter().filter(|known| !known.is_setting());
            names.extend(constants.map(|known| known.constant.to_string()));
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count);
        }
    }
}
