//! The parts of a row key in the order in which it has them, and texts that are cut out of it.

use crate::key::field::{FieldId, FieldKind};
use crate::key::salt::{Salt, SaltDomain, SaltWrite};
use crate::key::text_form::TextLayout;
use crate::schema::model::Schema;

/// The last character of one UTF-16 unit. Hive counts a later one as one character or as two.
const LAST_NARROW: char = '\u{FFFF}';

/// A part of every key that fits the layout.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    Salt,
    Field(FieldId),
    /// A separator.
    Between(String),
    /// A separator that is no text.
    Bytes,
}

/// The parts of the row keys of a schema.
#[derive(Debug)]
pub(super) struct Layout<'s> {
    pub schema: &'s Schema,
    parts: Vec<Part>,
    /// The width of each part in characters, in the order of `parts`. `None` for a part with characters of several bytes that is no separator.
    widths: Vec<Option<usize>>,
    /// The width in bytes.
    byte_widths: Vec<Option<usize>>,
    salts: Option<SaltDomain>,
}

/// A text that is made of pieces of the row key and of constants. It is never NULL for a key that fits the layout.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KeyText {
    pub slices: Vec<Slice>,
    pub written_in: WrittenIn,
}

/// How the bytes of the key are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WrittenIn {
    Characters,
    /// Two digits for each byte, as `hex(rowkey)` shows them.
    HexDigits,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Slice {
    Constant(String),
    /// What a part of the key has from one place on and before another one: all of it without that. Of a part of any width the second
    /// place may be behind its end, as the last argument of `substr` may be.
    OfPart {
        part: usize,
        from: usize,
        to: Option<usize>,
    },
}

impl<'s> Layout<'s> {
    pub fn new(schema: &'s Schema) -> Self {
        let key = &schema.key;
        let mut parts = Vec::new();
        let between = |bytes: &[u8], parts: &mut Vec<Part>| {
            if !bytes.is_empty() {
                let text = std::str::from_utf8(bytes).ok().map(str::to_string);
                parts.push(text.map_or(Part::Bytes, Part::Between));
            }
        };
        if let Some(salt) = &key.salt {
            parts.push(Part::Salt);
            between(&salt.separator, &mut parts);
        }
        for id in key.stored() {
            parts.push(Part::Field(id));
            between(&key.fields[id].separator, &mut parts);
        }
        let salts = key.salt.as_ref().map(|salt| salt.domain(&key.fields));
        let mut layout = Layout { schema, parts, widths: Vec::new(), byte_widths: Vec::new(), salts };
        layout.widths = layout.parts.iter().map(|part| layout.characters(part)).collect();
        layout.byte_widths = layout.parts.iter().map(|part| layout.bytes(part)).collect();
        layout
    }

    pub fn part(&self, part: usize) -> &Part {
        &self.parts[part]
    }

    fn salt(&self) -> Option<&Salt> {
        self.schema.key.salt.as_ref()
    }

    fn characters(&self, part: &Part) -> Option<usize> {
        match part {
            Part::Salt => {
                let salt = self.salt().filter(|salt| !salt.write.is_binary())?;
                salt.width_in_characters(&self.schema.key.fields)
            }
            Part::Field(id) => {
                let kind = &self.schema.key.fields[*id].kind;
                kind.fixed_width().filter(|_| kind.is_ascii_in_key() || is_padded_text(kind))
            }
            Part::Between(text) => is_narrow(text).then(|| text.chars().count()),
            Part::Bytes => None,
        }
    }

    fn bytes(&self, part: &Part) -> Option<usize> {
        match part {
            Part::Salt => self.salt()?.fixed_width(&self.schema.key.fields),
            Part::Field(id) => self.schema.key.fields[*id].kind.fixed_width(),
            Part::Between(text) => Some(text.len()),
            Part::Bytes => None,
        }
    }

    /// The whole key.
    pub fn whole(&self, written_in: WrittenIn) -> KeyText {
        let slice = |(part, what): (usize, &Part)| match what {
            Part::Between(text) if written_in == WrittenIn::Characters => Slice::Constant(text.clone()),
            _ => Slice::OfPart { part, from: 0, to: None },
        };
        KeyText { slices: self.parts.iter().enumerate().map(slice).collect(), written_in }
    }

    /// Whether a text is the whole key.
    pub fn is_whole(&self, text: &KeyText) -> bool {
        *text == self.whole(text.written_in)
    }

    fn width(&self, part: usize, written_in: WrittenIn) -> Option<usize> {
        match written_in {
            WrittenIn::Characters => self.widths[part],
            WrittenIn::HexDigits => self.byte_widths[part],
        }
    }

    /// The length of a slice in characters, or in bytes where it is written in hex digits; `None` if keys differ.
    pub fn length(&self, slice: &Slice, written_in: WrittenIn) -> Option<usize> {
        match slice {
            Slice::Constant(text) => is_narrow(text).then(|| text.chars().count()),
            Slice::OfPart { part, from, to } => {
                let width = self.width(*part, written_in)?;
                Some(to.unwrap_or(width).min(width).saturating_sub(*from))
            }
        }
    }

    /// Whether the slice is all of its part.
    pub fn is_all(slice: &Slice) -> bool {
        matches!(slice, Slice::OfPart { from: 0, to: None, .. })
    }

    /// What `substr` cuts out of a text: `skip` is what it leaves out at the start, in characters or bytes. `None` where that is not
    /// the same place of the layout in all keys.
    pub fn cut(&self, text: &KeyText, mut skip: usize, count: Option<usize>) -> Option<KeyText> {
        let mut left = count.unwrap_or(usize::MAX);
        let mut slices = Vec::new();
        for (index, slice) in text.slices.iter().enumerate() {
            if left == 0 {
                break;
            }
            if skip == 0 && count.is_none() {
                slices.extend(text.slices[index..].iter().cloned());
                break;
            }
            match self.length(slice, text.written_in) {
                Some(length) if skip >= length => skip -= length,
                Some(length) => {
                    let taken = left.min(length - skip);
                    slices.push(self.within(slice, text.written_in, skip, Some(taken)));
                    (skip, left) = (0, left - taken);
                }
                None if index + 1 == text.slices.len() && may_be_cut_at(slice, skip) => {
                    slices.push(self.within(slice, text.written_in, skip, count.map(|_| left)));
                    (skip, left) = (0, 0);
                }
                None => return None,
            }
        }
        (skip == 0).then_some(KeyText { slices, written_in: text.written_in })
    }

    fn within(&self, slice: &Slice, written_in: WrittenIn, skip: usize, count: Option<usize>) -> Slice {
        match slice {
            Slice::Constant(text) => {
                Slice::Constant(text.chars().skip(skip).take(count.unwrap_or(usize::MAX)).collect())
            }
            Slice::OfPart { part, from, to } => {
                let start = from + skip;
                let end = [count.map(|count| start.saturating_add(count)), *to].into_iter().flatten().min();
                let is_end = |end: &usize| self.width(*part, written_in).is_some_and(|width| *end >= width);
                Slice::OfPart { part: *part, from: start, to: end.filter(|end| !is_end(end)) }
            }
        }
    }

    /// The last characters of a text; `None` if they are not the same place of the layout in all keys.
    pub fn end(&self, text: &KeyText, count: usize) -> Option<KeyText> {
        let mut left = count;
        for (index, slice) in text.slices.iter().enumerate().rev() {
            let length = self.length(slice, text.written_in)?;
            if length >= left {
                let rest = KeyText { slices: text.slices[index..].to_vec(), written_in: text.written_in };
                return self.cut(&rest, length - left, None);
            }
            left -= length;
        }
        None
    }

    /// Splits a text at the first places of a separator, of which at most `most` are looked for: the texts before each, and the rest.
    /// `None` for the rest if the separator may be in it at a place that keys do not share.
    pub fn split(&self, text: &KeyText, separator: &str, most: usize) -> (Vec<KeyText>, Option<KeyText>) {
        let written_in = text.written_in;
        let mut found = Vec::new();
        let mut present: Vec<Slice> = Vec::new();
        for (index, slice) in text.slices.iter().enumerate() {
            match slice {
                Slice::Constant(constant) => {
                    let mut rest = constant.as_str();
                    while let Some(at) = rest.find(separator) {
                        // The others are only looked for in what stands before.
                        if self.may_overlap(&rest[..at], separator) {
                            return (found, None);
                        }
                        push_constant(&mut present, &rest[..at]);
                        found.push(KeyText { slices: std::mem::take(&mut present), written_in });
                        rest = &rest[at + separator.len()..];
                        if found.len() == most {
                            push_constant(&mut present, rest);
                            present.extend(text.slices[index + 1..].iter().cloned());
                            return (found, Some(KeyText { slices: present, written_in }));
                        }
                    }
                    if self.may_overlap(rest, separator) {
                        return (found, None);
                    }
                    push_constant(&mut present, rest);
                }
                Slice::OfPart { part, .. } => {
                    if separator.chars().any(|c| self.may_hold(*part, c)) {
                        return (found, None);
                    }
                    present.push(slice.clone());
                }
            }
        }
        (found, Some(KeyText { slices: present, written_in }))
    }

    /// Whether a part of a separator of several characters is in a constant, so that what follows may complete it.
    fn may_overlap(&self, constant: &str, separator: &str) -> bool {
        separator.chars().count() > 1 && constant.contains(|c| separator.contains(c))
    }

    /// Whether the stored text of a part, or what `substr` makes of it, may hold a character.
    pub fn may_hold(&self, part: usize, c: char) -> bool {
        // Of half a character Hive makes this one.
        if c == '?' && !self.is_narrow_part(part) {
            return true;
        }
        match &self.parts[part] {
            Part::Between(text) => text.contains(c),
            Part::Bytes => true,
            Part::Salt => match (&self.salts, self.salt()) {
                (Some(SaltDomain::Listed(salts)), _) => {
                    salts.iter().any(|salt| std::str::from_utf8(salt).map_or(true, |salt| salt.contains(c)))
                }
                (_, Some(salt)) if salt.write != SaltWrite::Text && !salt.write.is_binary() => {
                    u8::try_from(c).is_ok_and(|c| salt.behind.contains(&c) || salt.write.may_hold(c))
                }
                _ => true,
            },
            Part::Field(id) => may_hold(&self.schema.key.fields[*id].kind, c),
        }
    }

    /// Whether a slice is text of which each byte belongs to a character.
    pub fn is_text(&self, slice: &Slice) -> bool {
        match slice {
            Slice::Constant(_) => true,
            Slice::OfPart { part, .. } => match &self.parts[*part] {
                Part::Between(_) => true,
                Part::Field(id) => self.schema.key.fields[*id].kind.is_text_in_key(),
                Part::Salt => self.salt().is_some_and(|salt| !salt.write.is_binary()),
                Part::Bytes => false,
            },
        }
    }

    /// Whether slices that are cut out of hex digits are texts whose places in bytes are places in characters.
    pub fn counts_bytes_as_characters(&self, slices: &[Slice]) -> bool {
        slices.iter().enumerate().all(|(index, slice)| {
            let is_known = self.length(slice, WrittenIn::Characters).is_some()
                || index + 1 == slices.len() && self.is_text(slice);
            is_known && (Layout::is_all(slice) || self.is_ascii(slice))
        })
    }

    fn is_ascii(&self, slice: &Slice) -> bool {
        match slice {
            Slice::Constant(text) => text.is_ascii(),
            Slice::OfPart { part, .. } => match &self.parts[*part] {
                Part::Between(text) => text.is_ascii(),
                Part::Field(id) => {
                    let kind = &self.schema.key.fields[*id].kind;
                    kind.is_ascii_in_key() || is_padded_text(kind)
                }
                Part::Salt => match &self.salts {
                    Some(SaltDomain::Listed(salts)) => salts.iter().all(|salt| salt.is_ascii()),
                    _ => self
                        .salt()
                        .is_some_and(|salt| salt.write != SaltWrite::Text && !salt.write.is_binary()),
                },
                Part::Bytes => false,
            },
        }
    }

    /// Whether `instr` and `substr` count all characters alike. Measured on 2.3.9 and 3.1.3: `instr` counts a character above U+FFFF as
    /// one, `substr` as two.
    pub fn is_narrow(&self, text: &KeyText) -> bool {
        text.slices.iter().all(|slice| match slice {
            Slice::Constant(text) => is_narrow(text),
            Slice::OfPart { part, .. } => self.is_narrow_part(*part),
        })
    }

    fn is_narrow_part(&self, part: usize) -> bool {
        match &self.parts[part] {
            Part::Between(text) => is_narrow(text),
            Part::Bytes => false,
            Part::Salt => {
                self.widths[part].is_some() || self.salt().is_some_and(|salt| salt.write != SaltWrite::Text)
            }
            Part::Field(id) => match &self.schema.key.fields[*id].kind {
                FieldKind::Text(text) => match &text.values {
                    Some(values) => values.iter().all(|value| is_narrow(value)),
                    None => text.chars.greatest() <= LAST_NARROW,
                },
                _ => true,
            },
        }
    }

    /// The texts of the salts, if there are not too many of them to list.
    pub fn salts(&self) -> Option<Vec<&str>> {
        let Some(SaltDomain::Listed(salts)) = &self.salts else { return None };
        (salts.len() <= MAX_SALTS).then_some(())?;
        salts.iter().map(|salt| std::str::from_utf8(salt).ok()).collect()
    }
}

/// The most salts that are tried one by one.
const MAX_SALTS: usize = 4_096;

/// Text that is filled up with a character, so that each byte is one.
fn is_padded_text(kind: &FieldKind) -> bool {
    match kind {
        FieldKind::Text(text) => {
            let is_ascii = text.chars.is_ascii()
                || text.values.as_ref().is_some_and(crate::key::listed::ListedValues::is_ascii);
            let is_plain = matches!(text.form.layout, TextLayout::Padded { byte, .. } if byte.is_ascii());
            is_ascii && is_plain && !text.form.descending
        }
        _ => false,
    }
}

/// Whether each character is one UTF-16 unit.
fn is_narrow(text: &str) -> bool {
    text.chars().all(|c| c <= LAST_NARROW)
}

fn may_hold(kind: &FieldKind, c: char) -> bool {
    match kind {
        FieldKind::Text(text) if !text.form.is_plain() => true,
        FieldKind::Text(text) => match &text.values {
            Some(values) => values.iter().any(|value| value.contains(c)),
            None => text.chars.contains(c),
        },
        FieldKind::Calendar(calendar) => {
            use saltplan_sql::time::pattern::PatternPiece;
            let is_literal = |piece: &PatternPiece| *piece == PatternPiece::Literal(c);
            c.is_ascii_digit() || calendar.format.printed().pieces().iter().any(is_literal)
        }
        FieldKind::Integer(_) | FieldKind::Epoch(_) => {
            !kind.is_text_in_key() || c.is_ascii_digit() || c == '-'
        }
    }
}

/// Whether what a slice leaves out at its start is all of the same part.
fn may_be_cut_at(slice: &Slice, skip: usize) -> bool {
    match slice {
        Slice::OfPart { from, to, .. } => to.is_none_or(|to| from + skip < to),
        Slice::Constant(_) => false,
    }
}

fn push_constant(slices: &mut Vec<Slice>, text: &str) {
    if !text.is_empty() {
        slices.push(Slice::Constant(text.to_string()));
    }
}

impl KeyText {
    pub fn constant(text: &str) -> Self {
        let mut slices = Vec::new();
        push_constant(&mut slices, text);
        KeyText { slices, written_in: WrittenIn::Characters }
    }

    pub fn has_part(&self) -> bool {
        self.slices.iter().any(|slice| matches!(slice, Slice::OfPart { .. }))
    }

    /// Texts one after the other. What was cut in two becomes one again.
    pub fn joined(texts: impl IntoIterator<Item = KeyText>) -> Self {
        let mut slices: Vec<Slice> = Vec::new();
        for slice in texts.into_iter().flat_map(|text| text.slices) {
            match (slices.last_mut(), &slice) {
                (Some(Slice::Constant(before)), Slice::Constant(text)) => before.push_str(text),
                (Some(Slice::OfPart { part, to, .. }), Slice::OfPart { part: same, from, to: end })
                    if part == same && *to == Some(*from) =>
                {
                    *to = *end;
                }
                _ => slices.push(slice),
            }
        }
        KeyText { slices, written_in: WrittenIn::Characters }
    }
}
