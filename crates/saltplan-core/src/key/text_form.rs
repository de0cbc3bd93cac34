//! How the text of a field becomes bytes.
//!
//! Every form keeps or reverses the order of the texts, and shows where a text ends. Sets of values contain texts, not
//! these bytes; `TextForm::range` turns a set into key ranges.

use super::chars::Chars;
use super::interval::Interval;
use super::range::{KeyRange, from_hex, prefix_successor, to_hex};
use super::strings::Strings;
use super::value_error::ValueError;

/// How texts are laid out, and whether their bytes are inverted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TextForm {
    pub layout: TextLayout,
    /// Every byte is inverted, so that greater texts sort first.
    pub descending: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextLayout {
    /// The bytes of the text in UTF-8.
    #[default]
    Plain,
    /// The text has two hex digits for each stored byte.
    Hex,
    /// Filled up to a width with a byte.
    Padded { width: usize, byte: u8 },
    /// A zero byte follows the text, which does not contain one; if the bytes are inverted, 0xFF follows.
    Terminated,
}

impl TextForm {
    /// The byte that ends a descending text of no fixed width.
    pub const DESCENDING_END: u8 = 0xFF;

    /// Whether the key stores the text itself.
    pub fn is_plain(self) -> bool {
        self == TextForm::default()
    }

    /// Whether the stored bytes contain their own end.
    pub(crate) fn is_terminated(self) -> bool {
        self.layout == TextLayout::Terminated
    }

    /// The byte that fills a text up.
    pub fn padding(self) -> Option<u8> {
        match self.layout {
            TextLayout::Padded { byte, .. } => Some(byte),
            _ => None,
        }
    }

    /// The stored width, if all texts have the same; `text` is the exact width of the texts.
    pub(super) fn fixed_width(self, text: Option<usize>) -> Option<usize> {
        match self.layout {
            TextLayout::Plain => text,
            TextLayout::Hex => text.map(|digits| digits / 2),
            TextLayout::Padded { width, .. } => Some(width),
            TextLayout::Terminated => None,
        }
    }

    /// The characters that a text may contain: none that would sort below the padding, or end the text.
    #[must_use]
    pub(crate) fn allowed(self, chars: Chars) -> Chars {
        match self.layout {
            TextLayout::Padded { byte, .. } => chars.not_below(char::from(byte)),
            TextLayout::Terminated if chars.contains('\0') => chars.without('\0'),
            _ => chars,
        }
    }

    /// What is wrong with a text that has allowed characters.
    pub(super) fn check(self, text: &str) -> Result<(), ValueError> {
        let TextLayout::Padded { width, byte } = self.layout else { return Ok(()) };
        if text.len() > width {
            return Err(ValueError::TooWide { text: text.to_string(), width });
        }
        if text.as_bytes().last() == Some(&byte) {
            return Err(ValueError::EndsWithPadding { text: text.to_string(), byte: char::from(byte) });
        }
        Ok(())
    }

    /// Appends the bytes of a text that has passed the checks.
    pub(super) fn write(self, text: &[u8], out: &mut Vec<u8>) {
        let start = out.len();
        match self.layout {
            TextLayout::Plain => out.extend_from_slice(text),
            TextLayout::Hex => {
                let digits = std::str::from_utf8(text).unwrap_or_default();
                out.extend_from_slice(&from_hex(digits).unwrap_or_default());
            }
            TextLayout::Padded { width, byte } => {
                out.extend_from_slice(text);
                out.resize(out.len().max(start + width), byte);
            }
            TextLayout::Terminated => {
                out.extend_from_slice(text);
                out.push(0);
            }
        }
        if self.descending {
            out[start..].iter_mut().for_each(|byte| *byte = !*byte);
        }
    }

    /// The text of stored bytes, before it is checked.
    pub(super) fn read(self, stored: &[u8]) -> Result<Vec<u8>, ValueError> {
        let mut bytes = stored.to_vec();
        if self.descending {
            bytes.iter_mut().for_each(|byte| *byte = !*byte);
        }
        match self.layout {
            TextLayout::Plain => {}
            TextLayout::Hex => bytes = to_hex(&bytes).into_bytes(),
            TextLayout::Padded { width, byte } => {
                if bytes.len() != width {
                    return Err(ValueError::ByteCount { found: bytes.len(), stored: width });
                }
                let end = bytes.iter().rposition(|one| *one != byte).map_or(0, |last| last + 1);
                bytes.truncate(end);
            }
            TextLayout::Terminated => {
                if bytes.pop() != Some(0) {
                    return Err(ValueError::NoEnd);
                }
            }
        }
        Ok(bytes)
    }

    /// The position after the terminator of the text that the bytes start with.
    pub(crate) fn end_in(self, bytes: &[u8]) -> Option<usize> {
        let end = if self.descending { Self::DESCENDING_END } else { 0 };
        bytes.iter().position(|byte| *byte == end).map(|at| at + 1)
    }

    /// The key range of the texts in an interval, each with anything that may follow it in the key; `None` if the
    /// interval contains no text. `chars` and `width` are those of the texts.
    pub(crate) fn range(
        self,
        texts: &Interval<Vec<u8>>,
        chars: &Chars,
        width: Option<usize>,
    ) -> Option<KeyRange> {
        let first = self.prefix_of(&texts.start, chars, width);
        let behind = texts.stop.as_ref().map(|stop| self.prefix_of(stop, chars, width));
        if !self.descending {
            return Some(KeyRange::new(first?, behind.flatten()));
        }
        // Bytes that start with an inverted prefix belong to texts at or above its bound.
        let inverted =
            |prefix: Vec<u8>| prefix_successor(&prefix.iter().map(|byte| !byte).collect::<Vec<_>>());
        let start = match behind {
            // Without a bound, all greater texts come first.
            None | Some(None) => Vec::new(),
            Some(Some(prefix)) => inverted(prefix)?,
        };
        Some(KeyRange::new(start, inverted(first?)))
    }

    /// A prefix of ascending bytes: a text is at or above the bound exactly if its bytes are at or above the prefix.
    /// The bytes of a text are never a proper prefix of it. `None` if all texts are below the bound.
    fn prefix_of(self, bound: &[u8], chars: &Chars, width: Option<usize>) -> Option<Vec<u8>> {
        let behind = |start: &[u8]| prefix_successor(start);
        let prefix = match self.layout {
            TextLayout::Plain => match bound.get(..width?) {
                Some(start) if start.len() < bound.len() => behind(start)?,
                _ => bound.to_vec(),
            },
            TextLayout::Hex => {
                let digits = Strings::new(chars, width?)?.not_below(bound)?;
                let mut bytes = from_hex(std::str::from_utf8(&digits).ok()?)?;
                // Zero bytes at the end do not change which texts are at or above the prefix.
                bytes.truncate(bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1));
                bytes
            }
            TextLayout::Padded { width, byte } => {
                // No text has a byte below the padding, and none ends with it.
                let known = bound.iter().position(|one| *one < byte).unwrap_or(bound.len());
                let end = bound[..known].iter().rposition(|one| *one != byte).map_or(0, |last| last + 1);
                let mut start = bound[..end.min(width)].to_vec();
                if end == bound.len() && end <= width {
                    start
                } else {
                    start.resize(width, byte);
                    behind(&start)?
                }
            }
            TextLayout::Terminated => match bound.iter().position(|byte| *byte == 0) {
                Some(end) => behind(&bound[..=end])?,
                None => bound.to_vec(),
            },
        };
        Some(prefix)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::key::Value;
    use crate::key::field::{FieldKind, TextField};

    fn forms() -> Vec<TextField> {
        let chars = |name: &str| Chars::parse(name).unwrap();
        let layouts = [
            (TextLayout::Plain, Some(2), chars("utf8")),
            (TextLayout::Hex, Some(4), chars("hex")),
            (TextLayout::Padded { width: 3, byte: b' ' }, None, chars("utf8")),
            (TextLayout::Padded { width: 2, byte: 0 }, None, chars("utf8")),
            (TextLayout::Terminated, None, chars("utf8")),
        ];
        let mut fields = Vec::new();
        for (layout, width, chars) in layouts {
            for descending in [false, true] {
                let form = TextForm { layout, descending };
                let chars = form.allowed(chars.clone());
                fields.push(TextField { width, chars, values: None, reverse: false, nullable: false, form });
            }
        }
        fields
    }

    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        let byte = prop::sample::select(vec![
            0, 1, 0x1F, b' ', b'!', b'0', b'1', b'a', b'f', b'g', 0xC3, 0xA9, 0xFF,
        ]);
        prop::collection::vec(byte, 0..5)
    }

    proptest! {
        /// A text is in an interval exactly if its bytes, followed by anything, are in the range of the interval.
        #[test]
        fn ranges_hold_the_texts_of_an_interval(
            field in prop::sample::select(forms()),
            text in "[\\x00\\x01 !01af\u{e9}]{0,4}",
            start in bytes(),
            stop in prop::option::of(bytes()),
            behind in bytes(),
        ) {
            let kind = FieldKind::Text(field.clone());
            let Ok(stored) = kind.encode(&Value::Text(text.clone())) else { return Ok(()) };
            prop_assert_eq!(kind.decode(&stored), Ok(Value::Text(text.clone())));
            prop_assert_eq!(kind.fixed_width().unwrap_or(stored.len()), stored.len());
            let interval = Interval::new(start, stop);
            let range = field.form.range(&interval, &field.chars, field.width);
            let key = [stored, behind].concat();
            let is_inside = range.as_ref().is_some_and(|range| range.contains(&key));
            prop_assert_eq!(is_inside, interval.contains(&text.into_bytes()), "{:?}", range);
        }
    }

    #[test]
    fn bytes_of_phoenix() {
        let form = |layout, descending| TextForm { layout, descending };
        let written = |form: TextForm, text: &str| {
            let mut out = Vec::new();
            form.write(text.as_bytes(), &mut out);
            out
        };
        assert_eq!(written(form(TextLayout::Terminated, true), "ab"), [0x9E, 0x9D, 0xFF]);
        assert_eq!(written(form(TextLayout::Padded { width: 3, byte: b' ' }, false), "ab"), b"ab ");
        assert_eq!(
            written(form(TextLayout::Padded { width: 3, byte: b' ' }, true), "ab"),
            [0x9E, 0x9D, 0xDF]
        );
        assert_eq!(written(form(TextLayout::Hex, false), "0001ff"), [0, 1, 0xFF]);
    }
}
