//! File formats as data: the keys of every mapping, their values and meanings.
//!
//! The reader looks keys up in these descriptions and takes bounds and words from them. JSON schemas and the
//! tables of docs/schema.md are generated from them, and code that writes files uses them as well. A key that
//! is not described cannot be read or written. A described key that is never read makes the first test that
//! reads its mapping fail.

use std::any::Any;
use std::fmt::Display;

use super::yaml::YamlValue;

/// A kind of file, described by its top-level mapping.
#[derive(Debug)]
pub struct File {
    /// The name in messages: `the schema`.
    pub what: &'static str,
    /// What an empty file is not: `a schema`.
    pub one: &'static str,
    /// How a file starts: `a schema starts with the line …`.
    pub start: &'static str,
    /// The title of its JSON schema.
    pub title: &'static str,
    pub syntax: Syntax,
    pub map: &'static Map,
}

/// The syntax of a file.
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

/// A mapping with described keys.
#[derive(Debug)]
pub struct Map {
    /// One sentence about the mapping.
    pub about: &'static str,
    /// In the order in which people write them.
    pub keys: &'static [&'static Key],
    pub cases: &'static [KeyRule],
    pub misplaced: &'static [Misplaced],
}

impl Map {
    /// No keys, and no constraints.
    pub const EMPTY: Map = Map { about: "", keys: &[], cases: &[], misplaced: &[] };
}

/// A key of a mapping.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    pub name: &'static str,
    /// One sentence, with the unit if there is one; empty if the description of the value is enough.
    pub about: &'static str,
    pub need: Need,
    pub value: ValueType,
    /// An example of the value; the reader fills in `…`.
    pub example: &'static str,
    /// The kinds of mapping that can have the key; empty for all.
    pub kinds: &'static [&'static str],
}

/// Whether the key is required.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    Required,
    Optional,
    /// The default, as it would be written.
    Default(&'static str),
}

/// The possible values of a key.
#[derive(Debug, Clone, Copy)]
pub enum ValueType {
    Text(Text),
    /// A whole number from the first to the second, both included.
    Number(i128, i128),
    Flag,
    /// One of several words.
    Words(&'static dyn Words),
    List(&'static List),
    Map(&'static Map),
    /// A mapping with exactly one of several keys.
    Forms(&'static dyn Forms),
    /// A mapping whose keys are names chosen by the user.
    Named(&'static Named),
    /// Attributes of HBase.
    Attributes(AttributesOf),
    /// A mapping without keys, or nothing.
    Nothing,
    /// One of several types.
    Either(&'static [ValueType]),
}

/// What has attributes in HBase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttributesOf {
    Family,
    Table,
}

/// The meaning of a text. Plain numbers and booleans are texts, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text {
    Any,
    /// A new name for a field or a column, for Hive.
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
    /// Bytes in HBase's text form.
    Bytes,
    /// The byte that fills a text up: a blank or the zero byte.
    Padding,
    /// Bytes that other YAML readers may take for a number, so they are always quoted.
    SplitKey,
    /// Java's date pattern letters.
    TimeFormat,
    /// A set of characters.
    Chars,
    /// Characters in their order, with ranges.
    Alphabet,
    /// A day, a time, or a value in the format of the field.
    Moment,
    /// A name of the tz database.
    Zone,
    /// A path relative to the schema file.
    Path,
    Expression,
}

/// A list, and the allowed number of items.
#[derive(Debug)]
pub struct List {
    pub item: ValueType,
    pub least: usize,
    /// `usize::MAX` for no limit.
    pub most: usize,
    pub unique: bool,
}

/// A mapping whose keys are names chosen by the user.
#[derive(Debug)]
pub struct Named {
    pub name: Text,
    pub value: ValueType,
    pub least: usize,
    pub most: usize,
}

/// Additional constraints on a mapping that apply if certain keys have certain values.
#[derive(Debug)]
pub struct KeyRule {
    /// All of these conditions must be true.
    pub when: &'static [KeyTest],
    /// A description of the conditions; empty if it is that of the last one.
    pub with: &'static str,
    pub needs: &'static [&'static Key],
    pub refuses: &'static [&'static Key],
    /// The kind of the mapping: keys of other kinds are refused.
    pub kind: Option<&'static str>,
    /// Keys that exclude each other: either can be removed.
    pub excludes: bool,
    /// Why a key is refused, and the remedy: `remove it`.
    pub help: &'static str,
    /// Keys whose values are more restricted than otherwise.
    pub narrows: &'static [(&'static Key, ValueType)],
}

#[derive(Debug, Clone, Copy)]
pub enum KeyTest {
    /// A key has one of several values.
    Is(&'static Key, &'static [&'static str]),
    Has(&'static Key),
    Lacks(&'static Key),
    /// A key has a mapping as its value.
    IsMapping(&'static Key),
    /// A key is a number greater than this.
    Over(&'static Key, i128),
}

/// A key that people write in the wrong place, and the message for it.
#[derive(Debug)]
pub struct Misplaced {
    pub name: &'static str,
    pub message: &'static str,
    pub label: &'static str,
    pub help: &'static str,
}

impl Display for KeyTest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            KeyTest::Is(key, words) => write!(f, "`{}: {}`", key.name, words.join(", ")),
            KeyTest::Lacks(key) => write!(f, "no `{}`", key.name),
            KeyTest::Has(key) | KeyTest::IsMapping(key) | KeyTest::Over(key, _) => {
                write!(f, "`{}`", key.name)
            }
        }
    }
}

impl KeyRule {
    /// No constraint beyond the condition.
    pub const NOTHING: KeyRule = KeyRule {
        when: &[],
        with: "",
        needs: &[],
        refuses: &[],
        kind: None,
        excludes: false,
        help: "remove it",
        narrows: &[],
    };

    /// A constraint on the mappings for which all of these conditions are true.
    pub const fn when(when: &'static [KeyTest]) -> KeyRule {
        KeyRule { when, ..KeyRule::NOTHING }
    }

    /// Describes the conditions in messages: "… cannot be combined with …". The default is the last one.
    #[must_use]
    pub const fn described(self, with: &'static str) -> KeyRule {
        KeyRule { with, ..self }
    }

    #[must_use]
    pub const fn needs(self, needs: &'static [&'static Key]) -> KeyRule {
        KeyRule { needs, ..self }
    }

    #[must_use]
    pub const fn refuses(self, refuses: &'static [&'static Key]) -> KeyRule {
        KeyRule { refuses, ..self }
    }

    /// The keys of the condition and these exclude each other: either can be removed.
    #[must_use]
    pub const fn excludes(self, refuses: &'static [&'static Key]) -> KeyRule {
        KeyRule { refuses, excludes: true, help: "keep one of the two", ..self }
    }

    /// The kind of the mapping: keys of other kinds are refused.
    #[must_use]
    pub const fn of_kind(self, kind: &'static str) -> KeyRule {
        KeyRule { kind: Some(kind), ..self }
    }

    /// Why a key is refused, and the remedy.
    #[must_use]
    pub const fn help(self, help: &'static str) -> KeyRule {
        KeyRule { help, ..self }
    }

    /// Restricts the values of keys.
    #[must_use]
    pub const fn narrows(self, narrows: &'static [(&'static Key, ValueType)]) -> KeyRule {
        KeyRule { narrows, ..self }
    }

    /// The description of the conditions.
    pub fn condition(&self) -> String {
        match self.when.last() {
            Some(last) if self.with.is_empty() => last.to_string(),
            _ => self.with.to_string(),
        }
    }

    /// The keys of the mapping that cannot be combined with those that are present.
    pub fn refused(&self, keys: &'static [&'static Key]) -> impl Iterator<Item = &'static Key> {
        let of_others = keys
            .iter()
            .filter(|key| self.kind.is_some_and(|kind| !key.kinds.is_empty() && !key.kinds.contains(&kind)));
        self.refuses.iter().copied().chain(of_others.copied())
    }
}

/// Several words, each with its meaning.
#[derive(Debug)]
pub struct Choice<T: 'static>(pub &'static [Word<T>]);

#[derive(Debug)]
pub struct Word<T> {
    pub text: &'static str,
    /// A short explanation; empty if the word is clear.
    pub about: &'static str,
    pub meaning: T,
}

/// The words of a [`Choice`], without their meanings.
pub trait Words: Any + std::fmt::Debug + Sync {
    /// Each word and its explanation.
    fn words(&self) -> Vec<(&'static str, &'static str)>;

    /// The words with their explanations, as a sentence; empty if no word has one.
    fn explained(&self) -> String {
        let words = self.words();
        let explained = words.iter().filter(|(_, about)| !about.is_empty());
        let parts: Vec<String> = explained.map(|(word, about)| format!("`{word}`: {about}")).collect();
        if parts.is_empty() { String::new() } else { format!("{}.", parts.join("; ")) }
    }
}

impl<T: std::fmt::Debug + Sync + 'static> Words for Choice<T> {
    fn words(&self) -> Vec<(&'static str, &'static str)> {
        self.0.iter().map(|word| (word.text, word.about)).collect()
    }
}

/// Several keys, exactly one of which must be present, each with its meaning.
#[derive(Debug)]
pub struct OneOf<T: 'static> {
    pub about: &'static str,
    pub forms: &'static [(&'static Key, T)],
    pub misplaced: &'static [Misplaced],
}

/// The keys of a [`OneOf`], without their meanings.
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
    Key { name, about, need: Need::Required, value, example, kinds: &[] }
}

pub const fn optional(
    name: &'static str,
    value: ValueType,
    example: &'static str,
    about: &'static str,
) -> Key {
    Key { name, about, need: Need::Optional, value, example, kinds: &[] }
}

/// A key for a mapping, whose description is that of the mapping.
pub const fn form(name: &'static str, map: &'static Map, example: &'static str) -> Key {
    optional(name, ValueType::Map(map), example, "")
}

/// An optional key with a default.
pub const fn default(
    name: &'static str,
    value: ValueType,
    default: &'static str,
    about: &'static str,
) -> Key {
    Key { name, about, need: Need::Default(default), value, example: default, kinds: &[] }
}

/// A key that several mappings have; it has its own description.
pub const fn shared(key: Key, _about: &'static str) -> Key {
    key
}

pub const fn number(least: i64, greatest: i64) -> ValueType {
    ValueType::Number(least as i128, greatest as i128)
}

impl Key {
    /// Whether this is the same key, described in the same way.
    pub fn is(&self, other: &Key) -> bool {
        (self.name, self.about, self.example) == (other.name, other.about, other.example)
    }

    /// The description of the key.
    pub fn sentence(&self) -> &'static str {
        match self.value {
            ValueType::Map(map) if self.about.is_empty() => map.about,
            ValueType::Forms(forms) if self.about.is_empty() => forms.about(),
            _ => self.about,
        }
    }

    /// The key for some kinds of mapping only.
    #[must_use]
    pub const fn only_in(self, kinds: &'static [&'static str]) -> Key {
        Key { kinds, ..self }
    }

    /// The key with a value, for code that writes files.
    pub fn set(&self, value: impl Into<YamlValue>) -> (&'static str, YamlValue) {
        (self.name, value.into())
    }

    /// The key with one of its words.
    pub fn choose<T: Copy + PartialEq + 'static>(&self, meaning: T) -> (&'static str, YamlValue) {
        let choice = self.value.choice();
        debug_assert!(choice.is_some(), "`{}` has other words", self.name);
        self.set(YamlValue::Word(choice.map_or("?", |choice: &Choice<T>| choice.word(meaning))))
    }

    /// `name: value`, for "add …".
    pub fn written(&self, syntax: Syntax) -> String {
        syntax.entry(self.name, self.example)
    }
}

impl ValueType {
    /// This type, or its alternatives.
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
            ValueType::Nothing => Some(&Map::EMPTY),
            _ => None,
        })
    }

    pub fn list(&self) -> Option<&'static List> {
        self.alternatives().iter().find_map(|one| match one {
            ValueType::List(list) => Some(*list),
            _ => None,
        })
    }

    /// The smallest and the greatest number.
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

    /// The words with their meanings.
    pub fn choice<T: 'static>(&self) -> Option<&'static Choice<T>> {
        (self.words()? as &'static dyn Any).downcast_ref()
    }

    /// The type of the values in a mapping with user-chosen keys.
    pub fn named(&self) -> Option<&'static Named> {
        self.alternatives().iter().find_map(|one| match one {
            ValueType::Named(named) => Some(*named),
            _ => None,
        })
    }
}

impl<T: Copy + PartialEq> Choice<T> {
    /// The word for a meaning. A meaning without a word is a bug in the description.
    pub fn word(&self, meaning: T) -> &'static str {
        let word = self.0.iter().find(|word| word.meaning == meaning);
        debug_assert!(word.is_some(), "a meaning has no word");
        word.map_or("?", |word| word.text)
    }

    /// The meaning of a word.
    pub fn meaning(&self, text: &str) -> Option<T> {
        self.0.iter().find(|word| word.text == text).map(|word| word.meaning)
    }
}
