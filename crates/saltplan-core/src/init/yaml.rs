//! Values of a YAML file in one line. Texts become scalars here and nowhere else.

use std::fmt;

/// A value that stands behind a key or in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A word of the schema language.
    Word(&'static str),
    Number(u64),
    /// Any text.
    Text(String),
    List(Vec<Value>),
    /// Keys are words of the schema language.
    Map(Vec<(&'static str, Value)>),
}

impl Value {
    #[must_use]
    pub fn texts<'a>(texts: impl IntoIterator<Item = &'a String>) -> Value {
        Value::List(texts.into_iter().map(|text| Value::Text(text.clone())).collect())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Word(word) => f.write_str(word),
            Value::Number(number) => write!(f, "{number}"),
            Value::Text(text) => f.write_str(&scalar(text)),
            Value::List(values) => {
                f.write_str("[")?;
                for (index, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if index > 0 { ", " } else { "" })?;
                }
                f.write_str("]")
            }
            Value::Map(entries) if entries.is_empty() => f.write_str("{}"),
            Value::Map(entries) => {
                f.write_str("{ ")?;
                for (index, (key, value)) in entries.iter().enumerate() {
                    write!(f, "{}{key}: {value}", if index > 0 { ", " } else { "" })?;
                }
                f.write_str(" }")
            }
        }
    }
}

/// Any text as a scalar in quotes: single ones, where a backslash stands for itself, or double ones around what single
/// quotes cannot hold.
#[must_use]
pub fn scalar(text: &str) -> String {
    if !text.contains(is_escaped) {
        return format!("'{}'", text.replace('\'', "''"));
    }
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\t' => quoted.push_str("\\t"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            other if is_escaped(other) && u32::from(other) > 0xFFFF => {
                quoted.push_str(&format!("\\U{:08X}", u32::from(other)));
            }
            other if is_escaped(other) => quoted.push_str(&format!("\\u{:04X}", u32::from(other))),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// What folds, ends a line, cannot be seen, or is not allowed in a YAML file.
fn is_escaped(character: char) -> bool {
    let is_noncharacter = u32::from(character) & 0xFFFE == 0xFFFE;
    let turns =
        matches!(character, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    let breaks = matches!(character, '\u{2028}' | '\u{2029}' | '\u{FEFF}');
    character.is_control() || is_noncharacter || turns || breaks
}

/// Text for a comment, which ends with its line.
#[must_use]
pub fn comment(text: &str) -> String {
    text.chars().map(|character| if is_escaped(character) { ' ' } else { character }).collect()
}

/// Texts to try a writer with.
#[cfg(test)]
pub mod odd {
    use proptest::prelude::*;

    /// Signs that mean something in YAML, line breaks of all kinds, and what is beyond.
    pub fn text() -> impl Strategy<Value = String> {
        let odd = prop::sample::select(vec![
            "'",
            "''",
            "\"",
            "\\",
            "\\n",
            ": ",
            ":",
            " #",
            "#",
            "- ",
            "-",
            "? ",
            "{",
            "}",
            "[",
            "]",
            ",",
            "&a",
            "*a",
            "!t",
            "|",
            ">",
            "%",
            "@",
            "`",
            "~",
            "null",
            "---",
            "...",
            "<<",
            "\n",
            "\r",
            "\r\n",
            "\t",
            " ",
            "  ",
            "\u{0}",
            "\u{7}",
            "\u{1b}[31m",
            "\u{7f}",
            "\u{85}",
            "\u{a0}",
            "\u{2028}",
            "\u{2029}",
            "\u{202e}",
            "\u{feff}",
            "\u{fffe}",
            "\u{ffff}",
            "\u{1ffff}",
            "\u{10ffff}",
            "é",
            "漢",
            "😀",
            "a",
            "0",
            "::error::x",
            "\\x00",
            "${x}",
            "#{x}",
        ]);
        let any = prop_oneof![odd.prop_map(str::to_string), any::<char>().prop_map(String::from)];
        prop::collection::vec(any, 0..12).prop_map(|parts| parts.concat())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::diag::Source;
    use crate::schema::yaml::{Node, NodeKind, parse};

    fn texts_of(node: &Node) -> Vec<String> {
        match &node.kind {
            NodeKind::Scalar(scalar) => vec![scalar.text.clone()],
            NodeKind::Sequence(items) => items.iter().flat_map(texts_of).collect(),
            NodeKind::Mapping(entries) => entries.iter().flat_map(|entry| texts_of(&entry.value)).collect(),
        }
    }

    /// The texts of a file, read back.
    fn read(file: &str) -> Vec<String> {
        let (document, faults) = parse(&Source::new("t", file));
        assert!(faults.is_empty(), "{file:?}: {}", faults[0].message);
        texts_of(&document.unwrap().root)
    }

    fn survives(text: &str) {
        let both = Value::Map(vec![
            ("a", Value::Text(text.into())),
            ("b", Value::List(vec![Value::Text(text.into()), Value::Number(7)])),
        ]);
        let file = format!("x: {both}\ny: {}    # {}\n", scalar(text), comment(text));
        assert_eq!(read(&file), [text, text, "7", text], "{file}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn every_text_reads_back_as_itself(text in odd::text()) {
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
        assert_eq!(scalar("it's \\x00 # 1: 2"), "'it''s \\x00 # 1: 2'");
        assert_eq!(scalar("a\n::error::\"\\"), "\"a\\n::error::\\\"\\\\\"");
        assert_eq!(scalar("\u{85}\u{1ffff}"), "\"\\u0085\\U0001FFFF\"");
        let map = Value::Map(vec![("a", Value::Map(Vec::new())), ("b", Value::List(Vec::new()))]);
        assert_eq!(map.to_string(), "{ a: {}, b: [] }");
    }
}
