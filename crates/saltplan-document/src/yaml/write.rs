//! Writes values and comments of a YAML file.

use std::fmt::{self, Write};

use serde::{Serialize, Serializer};
use serde_yaml::{DoubleQuoted, FlowMap, FlowSeq, SingleQuoted, ser_options, to_string_with_options};

/// A value after a key or in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum YamlValue {
    /// A word of the schema language.
    Word(&'static str),
    Number(u64),
    Flag(bool),
    /// Any text, quoted only if YAML requires it.
    Text(String),
    /// A text that some readers would take for a number, such as a row key; always quoted.
    Quoted(String),
    List(Vec<YamlValue>),
    /// Keys are words of the schema language.
    Map(Vec<(&'static str, YamlValue)>),
}

impl YamlValue {
    #[must_use]
    pub fn texts<'a>(texts: impl IntoIterator<Item = &'a String>) -> YamlValue {
        YamlValue::List(texts.into_iter().map(|text| YamlValue::Text(text.clone())).collect())
    }
}

/// Types whose values are written in one way.
macro_rules! from {
    ($($type:ty => $variant:expr;)+) => {
        $(impl From<$type> for YamlValue {
            fn from(value: $type) -> Self {
                $variant(value.into())
            }
        })+
    };
}

from! {
    u32 => YamlValue::Number;
    u64 => YamlValue::Number;
    bool => YamlValue::Flag;
    &str => YamlValue::Text;
    &String => YamlValue::Text;
    Vec<YamlValue> => YamlValue::List;
    Vec<(&'static str, YamlValue)> => YamlValue::Map;
}

impl From<usize> for YamlValue {
    fn from(number: usize) -> Self {
        YamlValue::Number(number as u64)
    }
}

impl Serialize for YamlValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            YamlValue::Flag(flag) => flag.serialize(serializer),
            YamlValue::Word(word) => word.serialize(serializer),
            YamlValue::Number(number) => number.serialize(serializer),
            YamlValue::Text(text) | YamlValue::Quoted(text) if text.contains(is_escaped) => {
                DoubleQuoted(text).serialize(serializer)
            }
            YamlValue::Text(text) => text.serialize(serializer),
            YamlValue::Quoted(text) => SingleQuoted(text).serialize(serializer),
            YamlValue::List(values) => FlowSeq(values).serialize(serializer),
            YamlValue::Map(entries) => FlowMap(Entries(entries)).serialize(serializer),
        }
    }
}

struct Entries<'a>(&'a [(&'static str, YamlValue)]);

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl fmt::Display for YamlValue {
    /// A value on one line, quoted only if YAML requires it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = ser_options! { prefer_block_scalars: false };
        // Text in a list is quoted as if it were in braces.
        let list = to_string_with_options(&FlowSeq([self]), options).map_err(|_| fmt::Error)?;
        let written = list.trim_end().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        for character in written.ok_or(fmt::Error)?.chars() {
            // Inside double quotes, characters that would be invisible in an editor are escaped.
            match u32::from(character) {
                _ if !is_escaped(character) => f.write_char(character)?,
                code @ 0x1_0000.. => write!(f, "\\U{code:08X}")?,
                code => write!(f, "\\u{code:04X}")?,
            }
        }
        Ok(())
    }
}

/// Characters that fold, end a line, are invisible, or are not allowed in a YAML file.
fn is_escaped(character: char) -> bool {
    let is_noncharacter = u32::from(character) & 0xFFFE == 0xFFFE;
    let turns =
        matches!(character, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    let breaks = matches!(character, '\u{2028}' | '\u{2029}' | '\u{FEFF}');
    character.is_control() || is_noncharacter || turns || breaks
}

/// Text as it is written after a key or in braces, quoted only if YAML requires it.
#[must_use]
pub fn scalar(text: &str) -> String {
    YamlValue::Text(text.to_string()).to_string()
}

/// An entry of a mapping on one line.
#[must_use]
pub fn entry(key: &str, value: &YamlValue) -> String {
    format!("{}: {value}", scalar(key))
}

/// Text for a comment, which ends at the end of its line.
#[must_use]
pub fn comment(text: &str) -> String {
    text.chars().map(|character| if is_escaped(character) { ' ' } else { character }).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::FILE;
    use super::super::{Node, NodeKind, parse};
    use super::*;
    use crate::diag::Source;

    /// YAML's special characters, all kinds of line breaks, and any other characters.
    fn odd_text() -> impl Strategy<Value = String> {
        let odd: Vec<String> =
            serde_json::from_str(include_str!("../../../../tests/testdata/odd_texts.json")).unwrap();
        let part = prop_oneof![prop::sample::select(odd), any::<char>().prop_map(String::from)];
        prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
    }

    fn texts_of(node: &Node) -> Vec<String> {
        match &node.kind {
            NodeKind::Scalar(scalar) => vec![scalar.text.clone()],
            NodeKind::Sequence(items) => items.iter().flat_map(texts_of).collect(),
            NodeKind::Mapping(entries) => entries.iter().flat_map(|entry| texts_of(&entry.value)).collect(),
        }
    }

    /// The texts of a file after parsing it again.
    fn read(file: &str) -> Vec<String> {
        let (document, faults) = parse(&FILE, &Source::new("t", file));
        assert!(faults.is_empty(), "{file:?}: {}", faults[0].message);
        texts_of(&document.unwrap().root)
    }

    fn survives(text: &str) {
        let both = YamlValue::Map(vec![
            ("a", YamlValue::Text(text.into())),
            ("b", YamlValue::List(vec![YamlValue::Quoted(text.into()), YamlValue::Number(7)])),
        ]);
        let file = format!("x: {both}\ny: {}    # {}\n", YamlValue::Text(text.into()), comment(text));
        assert_eq!(read(&file), [text, text, "7", text], "{file}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases * 8))]

        #[test]
        fn every_text_reads_back_as_itself(text in odd_text()) {
            survives(&text);
        }
    }

    #[test]
    fn every_character_reads_back_as_itself() {
        for character in
            ('\0'..='\u{3000}').chain('\u{D000}'..='\u{10000}').chain(['\u{1FFFE}', '\u{10FFFF}'])
        {
            survives(&format!("{character}"));
            survives(&format!(" a{character}\n {character} "));
        }
    }

    #[test]
    fn plain_texts_are_easy_to_read() {
        for plain in ["log:calls", "yyyyMMdd", "Asia/Shanghai", "key.day"] {
            assert_eq!(scalar(plain), plain);
        }
        for text in ["no", "007", "1e3", "2020-04-06", "a: b", "a, b", "{}", "#", "", "null", "~", "- a"] {
            assert!(scalar(text).starts_with(['\'', '"']), "{}", scalar(text));
        }
        assert_eq!(scalar("a\n::error::\"\\"), "\"a\\n::error::\\\"\\\\\"");
        assert_eq!(scalar("\u{202e}\u{1ffff}"), "\"\\u202E\\U0001FFFF\"");
        let map = YamlValue::Map(vec![("a", YamlValue::Map(Vec::new())), ("b", YamlValue::List(Vec::new()))]);
        assert_eq!(map.to_string(), "{a: {}, b: []}");
    }
}
