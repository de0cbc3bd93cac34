//! A part of a text field, unchanged: the last two digits of a telephone number.

use super::Scheme;
use super::file::KeyFields;
use super::file::input::{CASE, FIELD, FIRST, LAST, input_of};
use super::file::write::THEN;
use super::input::{Cut, SaltInput};
use super::numbers::{Digits, Number, Numbers};
use super::reducer::Reducer;
use super::write::SaltWrite;
use crate::key::field::{Field, FieldKind, FieldVec};
use saltplan_document::format::{Key, KeyRule, KeyTest, Map, Misplaced, form};
use saltplan_document::reader::{Fields, Reader};

/// The first or the last characters of a text field.
#[derive(Debug, Clone, PartialEq)]
pub struct TextSalt {
    pub of: SaltInput,
    /// Characters, 1 to 8.
    pub count: usize,
}

/// Eight characters of UTF-8 have at most 32 bytes.
const MAX_CHARACTERS: usize = 8;

impl Scheme for TextSalt {
    fn key(&self) -> &'static Key {
        &KEY
    }

    fn inputs(&self, _fields: &FieldVec<Field>) -> Vec<SaltInput> {
        vec![self.of.clone()]
    }

    fn number(&self, _fields: &FieldVec<Field>, inputs: &mut dyn Iterator<Item = &[u8]>) -> Option<Number> {
        self.number_of_joined(inputs.next()?)
    }

    fn number_of_joined(&self, joined: &[u8]) -> Option<Number> {
        Digits::of_text(joined).map(Number::Digits)
    }

    fn numbers(&self, fields: &FieldVec<Field>) -> Numbers {
        let Some(Field { kind: FieldKind::Text(text), .. }) = fields.get(self.of.field) else {
            return Numbers::of_texts(&[], 0..=0);
        };
        let mut alphabet: Vec<char> = text.chars.iter().take(Numbers::MAX_LISTED + 1).collect();
        if self.of.lower {
            alphabet = alphabet.iter().flat_map(|c| c.to_lowercase()).collect();
            alphabet.sort_unstable();
            alphabet.dedup();
        }
        // A shorter text is the salt as a whole.
        let is_whole = text.chars.is_ascii() && text.width.is_some_and(|width| width >= self.count);
        Numbers::of_texts(&alphabet, if is_whole { self.count } else { 0 }..=self.count)
    }

    fn reducer(&self) -> Reducer {
        Reducer::Text
    }

    fn own_write(&self) -> Option<SaltWrite> {
        Some(SaltWrite::Text)
    }
}

/// The key that declares it.
pub static KEY: Key = form("text", &MAP, "{ field: tel, last: 2 }");

pub static MAP: Map = Map {
    about: "The first or the last characters of a text field, as they are.",
    keys: &[&FIELD, &FIRST, &LAST, &CASE, &THEN],
    cases: &[
        KeyRule::when(&[KeyTest::Has(&FIRST)]).excludes(&[&LAST]),
        KeyRule::when(&[KeyTest::Lacks(&FIRST)]).needs(&[&LAST]),
    ],
    misplaced: &[Misplaced {
        name: "write",
        message: "the salt is text already",
        label: "has no meaning here",
        help: "remove `write`",
    }],
};

pub(super) fn read(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    key: &KeyFields<'_>,
) -> Option<TextSalt> {
    let owner = fields.owner();
    let of = input_of(reader, fields, key)?;
    let (field, declared) = key.declared(of.field);
    let unfit = match field.kind {
        FieldKind::Text(_) if field.kind.is_text_in_key() => None,
        FieldKind::Text(_) => Some(("stored as binary", "use `unknown: { width: 2 }`")),
        _ => Some(("not text", "use `modulo: { of: id, by: 100, write: { decimal: 2 } }` for a number")),
    };
    if let Some((what, help)) = unfit {
        let message = format!("`{}` is {what}", field.name);
        let fault = reader.fault(owner.span(), message, "has no characters to take");
        return reader.rejected(fault.with_label(declared, "declared here").with_help(help));
    }
    let (Cut::First(count) | Cut::Last(count)) = of.cut else {
        let help = "add `last: 2` for the last two characters";
        return fields.incomplete(reader, "`text` needs `first` or `last`", help);
    };
    if count > MAX_CHARACTERS {
        return reader.reject(
            owner.span(),
            format!("a salt cannot have {count} characters"),
            format!("at most {MAX_CHARACTERS}"),
            "hash the field: `md5: { of: [tel], first_hex_digits: 2, write: hex }`",
        );
    }
    Some(TextSalt { of, count })
}
