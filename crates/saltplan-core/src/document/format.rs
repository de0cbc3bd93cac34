//! The format of files as data: which keys a mapping has, what their values are, and what each means.
//!
//! The reader asks for keys by these descriptions and takes bounds and words from them, JSON schemas and the tables of
//! docs/schema.md are made of them, and what writes files names keys by them. A key that is not described can neither be
//! read nor written, and one that is described but that nobody reads fails the first test that reads its mapping.

use super::yaml;

/// A kind of file, by the mapping that it is.
#[derive(Debug)]
pub struct File {
    /// In messages: `the schema`.
    pub what: &'static str,
    /// What an empty one lacks: `a schema`.
    pub one: &'static str,
    /// How one begins: `a schema starts with the line …`.
    pub start: &'static str,
    /// Of its JSON schema.
    pub title: &'static str,
    pub syntax: Syntax,
    pub map: &'static Map,
}

/// How a file writes a key and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    Yaml,
    Toml,
}

impl Syntax {
    /// `name: value`, for "write …".
    pub fn entry(self, name: &str, value: &str) -> String {
        match self {
            Syntax::Yaml => format!("{name}: {value}"),
            Syntax::Toml => format!("{name} = {value}"),
        }
    }
}

/// A mapping whose keys are words of the format.
#[derive(Debug)]
pub struct Map {
    /// One sentence on what the mapping stands for.
    pub about: &'static str,
    /// In the order in which people write them.
    pub keys: &'static [&'static Key],
    pub cases: &'static [KeyRule],
    pub misplaced: &'static [Misplaced],
}

static EMPTY: Map = Map { about: "", keys: &[], cases: &[], misplaced: &[] };

/// One key of a mapping.
#[derive(Debug)]
pub struct Key {
    pub name: &'static str,
    /// One sentence, with the unit where there is one; empty where the mapping below says it.
    pub about: &'static str,
    pub need: Need,
    pub value: ValueType,
    /// How to write the value; `…` is left to the reader.
    pub example: &'static str,
}

/// Whether a key has to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    Required,
    Optional,
    /// What leaving the key out means, as it would be written.
    Default(&'static str),
}

/// What the value of a key can be.
#[derive(Debug, Clone, Copy)]
pub enum ValueType {
    Text(Text),
    /// A whole number, from the first to the second.
    Number(i128, i128),
    Flag,
    /// One of some words.
    Words(&'static dyn Words),
    List(&'static List),
    Map(&'static Map),
    /// A mapping with exactly one of some keys.
    Forms(&'static dyn Forms),
    /// A mapping whose keys are names of the user's own.
    Named(&'static Named),
    /// Attributes of a column family, see [`family`](crate::schema::family).
    Attributes,
    /// A mapping without keys, or nothing.
    Nothing,
    /// One of several.
    Either(&'static [ValueType]),
}

/// What a text stands for. Plain numbers and truth values are texts, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text {
    Any,
    /// A name that the file gives to a field or a column, for Hive.
    Name,
    /// The name of a key field.
    FieldName,
    /// The name of a column.
    ColumnName,
    /// The name of a key field or of a column.
    FieldOrColumn,
    /// `key.` and the name of a key field, or the name of a column.
    Origin,
    /// `database.table`
    HiveTable,
    /// `namespace:table`
    HbaseTable,
    /// `family:qualifier`
    Cell,
    /// The name of a column family.
    Family,
    HiveType,
    /// Bytes in the text form of HBase.
    Bytes,
    /// Bytes that other readers of YAML may take for a number: always in quotes.
    SplitKey,
    /// Java's letters for dates and times.
    TimeFormat,
    /// A set of characters.
    Chars,
    /// A day, a time, or a value in the format of its field.
    Moment,
    /// A name of the tz database.
    Zone,
    /// A path from the schema file.
    Path,
    Expression,
}

/// A list, and how many items it can have.
#[derive(Debug)]
pub struct List {
    pub item: ValueType,
    pub least: usize,
    /// `usize::MAX` for any number.
    pub most: usize,
    pub unique: bool,
}

/// A mapping whose keys are names of the user's own.
#[derive(Debug)]
pub struct Named {
    pub name: Text,
    pub value: ValueType,
    pub least: usize,
    pub most: usize,
}

/// What more holds of a mapping when some of its keys are written.
#[derive(Debug)]
pub struct KeyRule {
    /// All of these.
    pub when: &'static [KeyTest],
    /// What they come to, for messages: "… does not go with …".
    pub beside: &'static str,
    pub needs: &'static [&'static Key],
    pub refuses: &'static [&'static Key],
    /// Keys of which only those of `takes` make sense: the others are refused as well.
    pub among: &'static [&'static Key],
    pub takes: &'static [&'static Key],
    /// A refused key could as well stay, and the one that refuses it go.
    pub excludes: bool,
    /// Why a key is refused, and what to do: `remove it`.
    pub help: &'static str,
    /// Keys that can have fewer values than otherwise.
    pub narrows: &'static [(&'static Key, ValueType)],
}

#[derive(Debug, Clone, Copy)]
pub enum KeyTest {
    /// A key has one of some values.
    Is(&'static Key, &'static [&'static str]),
    Has(&'static Key),
    Lacks(&'static Key),
    /// A key is a number greater than this.
    Over(&'static Key, i128),
}

/// A key that people write where it does not belong, and what to say of it.
#[derive(Debug)]
pub struct Misplaced {
    pub name: &'static str,
    pub message: &'static str,
    pub label: &'static str,
    pub help: &'static str,
}

impl KeyRule {
    /// Nothing more than without the case.
    pub const NOTHING: KeyRule = KeyRule {
        when: &[],
        beside: "",
        needs: &[],
        refuses: &[],
        among: &[],
        takes: &[],
        excludes: false,
        help: "remove it",
        narrows: &[],
    };

    /// Two keys of which only one makes sense.
    pub(crate) const EXCLUSIVE: KeyRule =
        KeyRule { excludes: true, help: "keep one of the two", ..KeyRule::NOTHING };

    /// The keys that do not go with what is written.
    pub fn refused(&self) -> impl Iterator<Item = &'static Key> {
        let is_taken = |key: &Key| self.takes.iter().any(|taken| std::ptr::eq(*taken, key));
        let others = self.among.iter().copied().filter(move |key| !is_taken(key));
        self.refuses.iter().copied().chain(others)
    }
}

/// Some words, each with its meaning.
#[derive(Debug)]
pub struct Choice<T: 'static>(pub &'static [Word<T>]);

#[derive(Debug)]
pub struct Word<T> {
    pub text: &'static str,
    /// A few words for people; empty where the word says it.
    pub about: &'static str,
    pub meaning: T,
}

/// The words of a [`Choice`], whatever they mean.
pub trait Words: std::fmt::Debug + Sync {
    /// Each word, and what it means to people.
    fn words(&self) -> Vec<(&'static str, &'static str)>;
}

impl<T: std::fmt::Debug + Sync> Words for Choice<T> {
    fn words(&self) -> Vec<(&'static str, &'static str)> {
        self.0.iter().map(|word| (word.text, word.about)).collect()
    }
}

/// Keys of which exactly one is written, each with its meaning.
#[derive(Debug)]
pub struct OneOf<T: 'static> {
    pub about: &'static str,
    pub forms: &'static [(&'static Key, T)],
    pub misplaced: &'static [Misplaced],
}

/// The keys of a [`OneOf`], whatever they mean.
pub trait Forms: std::fmt::Debug + Sync {
    fn about(&self) -> &'static str;
    fn keys(&self) -> Vec<&'static Key>;
}

impl<T: std::fmt::Debug + Sync> Forms for OneOf<T> {
    fn about(&self) -> &'static str {
        self.about
    }

    fn keys(&self) -> Vec<&'static Key> {
        self.forms.iter().map(|(key, _)| *key).collect()
    }
}

pub const fn word<T>(text: &'static str, meaning: T, about: &'static str) -> Word<T> {
    Word { text, about, meaning }
}

pub const fn required(
    name: &'static str,
    value: ValueType,
    example: &'static str,
    about: &'static str,
) -> Key {
    Key { name, about, need: Need::Required, value, example }
}

pub const fn optional(
    name: &'static str,
    value: ValueType,
    example: &'static str,
    about: &'static str,
) -> Key {
    Key { name, about, need: Need::Optional, value, example }
}

/// A key that means this when it is not written.
pub const fn default(
    name: &'static str,
    value: ValueType,
    default: &'static str,
    about: &'static str,
) -> Key {
    Key { name, about, need: Need::Default(default), value, example: default }
}

pub const fn number(least: i64, greatest: i64) -> ValueType {
    ValueType::Number(least as i128, greatest as i128)
}

impl Key {
    /// What the key stands for, in one sentence.
    pub fn sentence(&self) -> &'static str {
        match self.value {
            ValueType::Map(map) if self.about.is_empty() => map.about,
            ValueType::Forms(forms) if self.about.is_empty() => forms.about(),
            _ => self.about,
        }
    }

    /// The key with a value, for what writes schema files.
    pub fn set(&self, value: yaml::YamlValue) -> (&'static str, yaml::YamlValue) {
        (self.name, value)
    }

    /// What leaving a flag out means.
    pub fn default_flag(&self) -> bool {
        self.need == Need::Default("true")
    }

    /// What leaving a word out means.
    pub(crate) fn default_word<T: Copy + PartialEq>(&self, words: &Choice<T>) -> Option<T> {
        let Need::Default(word) = self.need else { return None };
        words.meaning(word)
    }

    /// `name: value`, for "add …".
    pub fn written(&self, syntax: Syntax) -> String {
        syntax.entry(self.name, self.example)
    }
}

impl ValueType {
    /// This type, or those that it is one of.
    pub fn alternatives(&self) -> &[ValueType] {
        match self {
            ValueType::Either(types) => types,
            one => std::slice::from_ref(one),
        }
    }

    /// The keys that a mapping of this type can have.
    pub fn map(&self) -> Option<&'static Map> {
        self.alternatives().iter().find_map(|one| match one {
            ValueType::Map(map) => Some(*map),
            ValueType::Nothing => Some(&EMPTY),
            _ => None,
        })
    }

    pub fn list(&self) -> Option<&'static List> {
        self.alternatives().iter().find_map(|one| match one {
            ValueType::List(list) => Some(*list),
            _ => None,
        })
    }

    /// The least and the greatest number.
    pub fn bounds(&self) -> Option<(i128, i128)> {
        self.alternatives().iter().find_map(|one| match one {
            ValueType::Number(least, greatest) => Some((*least, *greatest)),
            _ => None,
        })
    }

    pub fn words(&self) -> Option<&'static dyn Words> {
        self.alternatives().iter().find_map(|one| match one {
            ValueType::Words(words) => Some(*words),
            _ => None,
        })
    }

    /// The type of the values of a mapping whose keys are the user's own.
    pub fn named(&self) -> Option<&'static Named> {
        self.alternatives().iter().find_map(|one| match one {
            ValueType::Named(named) => Some(*named),
            _ => None,
        })
    }
}

impl<T: Copy + PartialEq> Choice<T> {
    /// The word for a meaning. A meaning without a word is a fault of the description, and reads as one.
    pub fn word(&self, meaning: T) -> &'static str {
        let word = self.0.iter().find(|word| word.meaning == meaning);
        debug_assert!(word.is_some(), "a meaning has no word");
        word.map_or("?", |word| word.text)
    }

    /// What a word means.
    pub fn meaning(&self, text: &str) -> Option<T> {
        self.0.iter().find(|word| word.text == text).map(|word| word.meaning)
    }
}
