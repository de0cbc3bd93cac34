//! Random tables: their schema files, and an encoder of their row keys that is independent of core's module
//! `key`.

use std::fmt::Write as _;

use chrono::{NaiveDate, NaiveDateTime};
use chrono_tz::Tz;
use proptest::prelude::*;

use crate::calendar;
use crate::digest::{self, Hash};
use crate::sql::V;

#[derive(Debug, Clone)]
pub struct Table {
    pub fields: Vec<Field>,
    pub salt: Option<Salt>,
    pub zone: Option<&'static str>,
    /// A field that holds a hash, and the hashed one.
    pub hashed: Option<(usize, usize)>,
}

#[derive(Debug, Clone)]
pub struct Field {
    pub name: &'static str,
    pub kind: Kind,
    pub stored: bool,
    /// The separator after the field; not written after the last stored one.
    pub then: &'static str,
    /// Whether a text may contain the zero byte of its own separator.
    pub may_hold: bool,
    /// Whether the empty text represents NULL.
    pub nullable: bool,
}

impl Field {
    pub fn value(&self, cell: &Cell) -> V {
        match cell {
            Cell::Text(text) if self.nullable && text.is_empty() => V::Null,
            cell => self.kind.value(cell),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    Text {
        width: Option<usize>,
        chars: &'static str,
        values: Option<Vec<&'static str>>,
        reverse: bool,
        form: TextForm,
    },
    Integer {
        stored: Number,
        min: Option<i64>,
        max: Option<i64>,
    },
    Calendar {
        pattern: &'static str,
    },
    /// The unit in milliseconds.
    Epoch {
        stored: Number,
        unit: i64,
    },
}

/// How a text is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TextForm {
    Plain,
    /// Every bit is inverted. Without a width the byte FF follows.
    Descending,
    /// Filled up to a width.
    Padded {
        width: usize,
        byte: u8,
        descending: bool,
    },
    /// The text is the hex digits of this many bytes.
    Hex {
        bytes: usize,
        descending: bool,
    },
}

/// How a number is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    /// The bytes of the type.
    size: usize,
    encoding: Encoding,
    descending: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Encoding {
    Be,
    BeSortable,
    /// The number of bytes of an unsigned number.
    BeUnsigned(Option<usize>),
    Decimal(Option<usize>),
}

#[derive(Debug, Clone)]
pub struct Salt {
    pub scheme: Scheme,
    /// So many random numbers are added, and the sum is divided.
    pub plus: Option<(i64, Option<i64>)>,
    pub write: Write,
    /// Constant text in front of the salt.
    pub behind: &'static str,
    pub then: &'static str,
}

/// What a hash takes.
#[derive(Debug, Clone)]
pub enum Of {
    Key,
    /// Bytes of the key, half-open.
    Bytes(usize, usize),
    List(Vec<Input>),
}

impl Of {
    pub fn list(&self) -> &[Input] {
        match self {
            Of::List(inputs) => inputs,
            Of::Key | Of::Bytes(..) => &[],
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub enum Take {
    /// The first and the last hex digit, from 1.
    HexDigits(usize, usize),
    /// Unsigned remainder.
    Modulo(i64),
    /// A reduction of the number as Java's `int`.
    Reduced(Reduce),
    Steps(Steps),
}

/// The steps from a hash to a number, as the key `hash` has them.
#[derive(Debug, Clone, Copy)]
pub struct Steps {
    /// The first and the last hex digit, from 1.
    digits: Option<(usize, usize)>,
    mask: Option<i64>,
    /// Where the sign is removed; `None` for a number without sign.
    abs: Option<&'static str>,
    modulo: Option<i64>,
}

impl Steps {
    fn yaml(self) -> String {
        let digits = self.digits.map(|(first, last)| format!("hex_digits: [{first}, {last}]"));
        let mask = self.mask.map(|mask| format!("mask: {mask}"));
        let abs = self.abs.map(|abs| format!("abs: {abs}"));
        let modulo = self.modulo.map(|by| format!("modulo: {by}"));
        [digits, mask, abs, modulo].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    fn number(self, hash: Hash, digest: &[u8]) -> i64 {
        let taken = match self.digits {
            Some((first, last)) => hex(digest)[first - 1..last].to_string(),
            // As a number, the order in which the bytes are printed does not matter.
            None if hash == Hash::GuavaMurmur3x32 => hex(&digest.iter().rev().copied().collect::<Vec<u8>>()),
            None => hex(digest),
        };
        let mut number = i128::from_str_radix(&taken, 16).expect("at most 31 digits");
        let java = if taken.len() > 8 { i128::from(i64::MAX) } else { i128::from(i32::MAX) };
        if self.abs.is_some() && taken.starts_with(|digit: char| digit > '7') {
            number -= 1 << (4 * taken.len());
        }
        if let Some(mask) = self.mask {
            number &= i128::from(mask);
        }
        match self.abs {
            Some("before") if number < -java => {}
            Some("before") => number = number.abs(),
            Some("mask") => number &= java,
            _ => {}
        }
        if let Some(by) = self.modulo {
            number %= i128::from(by);
        }
        if self.abs == Some("after") && number >= -java {
            number = number.abs();
        }
        i64::try_from(number).expect("a number of 64 bits")
    }
}

impl Salt {
    /// The inputs of the salt, except those that the key adds.
    fn inputs(&self) -> Vec<usize> {
        match &self.scheme {
            Scheme::Modulo { field, .. } => vec![*field],
            Scheme::Text { input } => vec![input.field],
            scheme => scheme
                .hashed_fields()
                .map(Of::list)
                .unwrap_or_default()
                .iter()
                .map(|input| input.field)
                .collect(),
        }
    }
}

#[derive(Debug, Clone)]
pub enum Scheme {
    Hash {
        key: HashKey,
        hash: Hash,
        seed: Option<i64>,
        of: Of,
        joined_by: &'static str,
        /// The charset of the text, if it is not UTF-8.
        charset: Option<&'static str>,
        /// The hashes of the inputs are combined, not the inputs.
        xor: bool,
        take: Take,
    },
    Modulo {
        field: usize,
        by: i64,
    },
    Random {
        below: u64,
    },
    Text {
        input: Input,
    },
    Unknown {
        chars: Option<&'static str>,
        values: &'static [&'static str],
    },
}

/// The key of the schema file that declares a hash.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HashKey {
    /// The name of the hash.
    Own,
    Digest,
    Hash,
}

impl Scheme {
    pub fn hashed_fields(&self) -> Option<&Of> {
        match self {
            Scheme::Hash { of, .. } => Some(of),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub enum Reduce {
    Mask(i32),
    AbsBefore(i32),
    AbsAfter(i32),
    SignMasked(i32),
    Signed(i32),
}

#[derive(Debug, Clone)]
pub struct Input {
    pub field: usize,
    pub cut: Cut,
    pub lower: bool,
}

#[derive(Debug, Clone)]
pub enum Cut {
    Whole,
    First(usize),
    Last(usize),
    Format(&'static str),
    /// The value as text.
    Original,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Write {
    Decimal(Option<usize>),
    Hex,
    UpperHex,
    Bytes,
    /// As the scheme has it.
    Own,
    /// The last bytes, highest first.
    Be(usize),
    /// Digits, filled up to a width.
    Alphabet(&'static str, Option<usize>),
}

/// A value of a key field.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Cell {
    Text(String),
    Number(i64),
    At(NaiveDateTime),
}

impl Kind {
    pub fn is_text(&self) -> bool {
        matches!(self, Kind::Text { .. })
    }

    fn is_text_in_key(&self) -> bool {
        match self {
            Kind::Text { form, .. } => *form == TextForm::Plain,
            Kind::Calendar { .. } => true,
            Kind::Integer { stored, .. } | Kind::Epoch { stored, .. } => {
                matches!(stored.encoding, Encoding::Decimal(_))
            }
        }
    }

    /// Whether it is a text that contains its own end.
    fn is_terminated(&self) -> bool {
        matches!(self, Kind::Text { form: TextForm::Descending, width: None, .. })
    }

    /// Whether all its values have the same width, and sort like their bytes.
    pub fn is_cut_with_certainty(&self) -> bool {
        match self {
            Kind::Text { values: Some(_), .. } => false,
            kind if kind.is_terminated() => true,
            Kind::Calendar { pattern } => calendar::sorts(pattern),
            kind => kind.length().is_some(),
        }
    }

    /// The number of characters of text, or bytes of binary, if it is fixed.
    fn length(&self) -> Option<usize> {
        match self {
            Kind::Text { form: TextForm::Padded { width, .. }, .. } => Some(*width),
            Kind::Text { form: TextForm::Hex { bytes, .. }, .. } => Some(*bytes),
            Kind::Text { width, form: TextForm::Descending, .. } => *width,
            Kind::Text { width, chars, .. } => width.filter(|_| *chars != "utf8"),
            Kind::Calendar { pattern } => Some(pattern.len()),
            Kind::Integer { stored, .. } | Kind::Epoch { stored, .. } => match stored.encoding {
                Encoding::Decimal(width) => width,
                Encoding::BeUnsigned(Some(width)) => Some(width),
                _ => Some(stored.size),
            },
        }
    }

    fn value(&self, cell: &Cell) -> V {
        match (self, cell) {
            (Kind::Text { .. }, Cell::Text(text)) => V::Text(text.clone()),
            (Kind::Integer { .. }, Cell::Number(number)) => V::integer(*number),
            (Kind::Calendar { pattern }, Cell::At(at)) => V::Calendar(*at, (*pattern).to_string()),
            (Kind::Epoch { unit, .. }, Cell::Number(number)) => V::Instant(*number, *unit),
            other => panic!("{other:?}"),
        }
    }

    pub fn stored(&self, cell: &Cell) -> Vec<u8> {
        match (self, cell) {
            (Kind::Text { reverse: true, .. }, Cell::Text(text)) => {
                text.chars().rev().collect::<String>().into_bytes()
            }
            (Kind::Text { form, .. }, Cell::Text(text)) => {
                let (mut bytes, is_inverted) = match form {
                    TextForm::Plain => (text.clone().into_bytes(), false),
                    TextForm::Descending => (text.clone().into_bytes(), true),
                    TextForm::Padded { width, byte, descending } => {
                        let mut bytes = text.clone().into_bytes();
                        bytes.extend(std::iter::repeat_n(*byte, width - bytes.len()));
                        (bytes, *descending)
                    }
                    TextForm::Hex { descending, .. } => {
                        let byte = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).expect("two digits");
                        ((0..text.len()).step_by(2).map(byte).collect(), *descending)
                    }
                };
                if is_inverted {
                    bytes.iter_mut().for_each(|byte| *byte ^= 0xFF);
                }
                if self.is_terminated() {
                    bytes.push(0xFF);
                }
                bytes
            }
            (Kind::Calendar { pattern }, Cell::At(at)) => calendar::format(pattern, *at).into_bytes(),
            (Kind::Integer { stored, .. } | Kind::Epoch { stored, .. }, Cell::Number(number)) => {
                stored.bytes(*number)
            }
            other => panic!("{other:?}"),
        }
    }

    fn yaml(&self) -> String {
        match self {
            Kind::Text { form: TextForm::Hex { bytes, descending }, .. } => {
                format!("type: bytes, width: {bytes}, descending: {descending}")
            }
            Kind::Text { width, chars, values, reverse, form } => {
                let form = match form {
                    TextForm::Descending => ", descending: true".to_string(),
                    TextForm::Padded { width, byte, descending } => {
                        let pad = if *byte == 0 { r"\x00" } else { " " };
                        format!(", width: {width}, pad: '{pad}', descending: {descending}")
                    }
                    TextForm::Plain | TextForm::Hex { .. } => String::new(),
                };
                let width = width.map(|width| format!(", width: {width}")).unwrap_or_default();
                let listed = |values: &Vec<&str>| format!(", values: ['{}']", values.join("', '"));
                let values = values.as_ref().map(listed).unwrap_or_default();
                let reverse = if *reverse { ", reverse: true" } else { "" };
                format!("type: string{form}{width}, chars: '{chars}'{values}{reverse}")
            }
            Kind::Calendar { pattern } => {
                let name = if pattern.contains('H') { "timestamp" } else { "date" };
                format!("type: {name}, format: \"{pattern}\"")
            }
            Kind::Integer { stored, min, max } => {
                let bound = |(name, bound): (&str, Option<i64>)| Some(format!(", {name}: {}", bound?));
                let bounds: String = [("min", *min), ("max", *max)].into_iter().filter_map(bound).collect();
                format!("type: {}, {}{bounds}", type_of(stored.size), stored.yaml())
            }
            Kind::Epoch { stored, unit } => {
                let unit = if *unit == 1 { "ms" } else { "s" };
                format!("type: timestamp, epoch: {unit}, {}", stored.yaml())
            }
        }
    }
}

fn type_of(size: usize) -> &'static str {
    match size {
        1 => "tinyint",
        2 => "smallint",
        4 => "int",
        _ => "bigint",
    }
}

/// The smallest and the greatest number of a type.
fn bounds(size: usize) -> (i64, i64) {
    let max = i64::MAX >> (64 - 8 * size);
    (-1 - max, max)
}

impl Field {
    /// Whether it ends with a zero byte where it is the last field.
    fn ends_the_key_with_zero(&self) -> bool {
        let is_open =
            matches!(self.kind, Kind::Text { width: None, values: None, form: TextForm::Plain, .. });
        is_open && self.then == r"\x00" && !self.may_hold
    }
}

impl Number {
    fn yaml(self) -> String {
        let encoding = match self.encoding {
            Encoding::Be => "be".to_string(),
            Encoding::BeSortable => "be_sortable".into(),
            Encoding::BeUnsigned(None) => "be_unsigned".into(),
            Encoding::BeUnsigned(Some(width)) => format!("be_unsigned, width: {width}"),
            Encoding::Decimal(None) => "decimal".into(),
            Encoding::Decimal(Some(width)) => format!("decimal, width: {width}"),
        };
        format!("encoding: {encoding}, descending: {}", self.descending)
    }

    fn fits(self, number: i64) -> bool {
        let (min, max) = bounds(self.size);
        let fits = match self.encoding {
            Encoding::Decimal(Some(width)) => number >= 0 && number.to_string().len() <= width,
            Encoding::BeUnsigned(width) => {
                number >= 0 && width.is_none_or(|bytes| bytes == 8 || number >> (8 * bytes) == 0)
            }
            _ => true,
        };
        fits && (min..=max).contains(&number)
    }

    fn bytes(self, number: i64) -> Vec<u8> {
        let Number { size, encoding, descending } = self;
        let (_, max) = bounds(size);
        // 99 of two digits, but the maximum of the type in as many digits as it has.
        let max = match encoding {
            Encoding::Decimal(Some(width)) if width < max.to_string().len() => {
                "9".repeat(width).parse().expect("digits")
            }
            _ => max,
        };
        let subtracted = if descending { max.wrapping_sub(number) } else { number };
        let last = |count: usize| number.to_be_bytes()[8 - count..].to_vec();
        let inverted =
            |bytes: Vec<u8>| bytes.into_iter().map(|byte| if descending { !byte } else { byte }).collect();
        match encoding {
            Encoding::Decimal(None) => subtracted.to_string().into_bytes(),
            Encoding::Decimal(Some(width)) => format!("{subtracted:0width$}").into_bytes(),
            Encoding::Be => subtracted.to_be_bytes()[8 - size..].to_vec(),
            Encoding::BeSortable => {
                let mut bytes = last(size);
                bytes[0] ^= 0x80;
                inverted(bytes)
            }
            Encoding::BeUnsigned(width) => inverted(last(width.unwrap_or(size))),
        }
    }
}

impl Table {
    pub fn yaml(&self) -> String {
        let mut yaml = String::from("saltplan: 1\nhbase: { table: 't', families: { f: {} } }\nkey:\n");
        let last = self.last_stored();
        if let Some(salt) = &self.salt {
            let then = if last.is_some() { format!(", then: '{}'", salt.then) } else { String::new() };
            let _ = writeln!(yaml, "  salt: {}", self.salt_yaml(salt, &then));
        }
        yaml += "  fields:\n";
        for (index, field) in self.fields.iter().enumerate() {
            let mut then = String::new();
            if self.has_separator(index) {
                let _ = write!(then, ", then: '{}'", field.then);
            }
            if self.ends_with_zero(index) && field.may_hold {
                then += ", may_hold: true";
            }
            if field.nullable {
                then += ", nullable: true";
            }
            match self.hashed {
                Some((hashed, of)) if hashed == index => then += &self.hash_yaml(of),
                _ => {}
            }
            let stored = if field.stored { "" } else { ", stored: false" };
            let _ = writeln!(yaml, "    - {{ name: {}, {}{stored}{then} }}", field.name, field.kind.yaml());
        }
        yaml += "columns:\n  - { name: status, type: string, hbase: 'f:status' }\n";
        yaml += "  - { name: amount, type: bigint, hbase: 'f:amount' }\n";
        if let Some(zone) = self.zone {
            let _ = writeln!(yaml, "time_zone: {zone}");
        }
        yaml
    }

    /// Few hashes, so that rows share them.
    fn hash_yaml(&self, of: usize) -> String {
        let name = self.fields[of].name;
        match self.fields[of].kind {
            Kind::Integer { .. } | Kind::Epoch { .. } => {
                format!(", hash: {{ function: long_hash_code, of: [{name}], abs: none, modulo: 3 }}")
            }
            _ => format!(", hash: {{ function: md5, of: [{name}], hex_digits: [2, 2], write: hex }}"),
        }
    }

    /// Sets the field that holds a hash.
    pub fn complete(&self, row: &mut [Cell]) {
        let Some((hashed, of)) = self.hashed else { return };
        row[hashed] = match &row[of] {
            Cell::Number(number) => Cell::Number(i64::from(digest::long_code(*number)) % 3),
            cell => {
                let digest = Hash::Md5.digest(None, &self.fields[of].kind.stored(cell));
                Cell::Text(hex(&digest)[1..2].to_string())
            }
        };
    }

    fn salt_yaml(&self, salt: &Salt, then: &str) -> String {
        let write = match salt.write {
            Write::Decimal(None) => "decimal".to_string(),
            Write::Decimal(Some(width)) => format!("{{ decimal: {width} }}"),
            Write::Hex => "hex".into(),
            Write::UpperHex => "HEX".into(),
            Write::Bytes => "bytes".into(),
            Write::Own => String::new(),
            Write::Be(bytes) => format!("be{}", 8 * bytes),
            Write::Alphabet(chars, None) => format!("{{ alphabet: '{chars}' }}"),
            Write::Alphabet(chars, Some(width)) => format!("{{ alphabet: '{chars}', width: {width} }}"),
        };
        let scheme = match &salt.scheme {
            Scheme::Hash { key, hash, seed, of, joined_by, charset, xor, take } => {
                let name = hash.name();
                let head = match key {
                    HashKey::Own => format!("{name}: {{"),
                    HashKey::Digest => format!("digest: {{ hash: {name},"),
                    HashKey::Hash => format!("hash: {{ function: {},", hash.function()),
                };
                let seed = seed.map(|seed| format!("seed: {seed}, ")).unwrap_or_default();
                let charset = charset.map(|charset| format!("charset: {charset}, ")).unwrap_or_default();
                let of = match of {
                    Of::Key => "key".to_string(),
                    Of::Bytes(start, stop) => format!("{{ bytes: [{start}, {stop}] }}"),
                    Of::List(inputs) => {
                        let inputs: Vec<String> = inputs.iter().map(|input| self.input_yaml(input)).collect();
                        let joined = match (*xor, *joined_by) {
                            (true, _) => ", combine: xor".to_string(),
                            (false, "") => String::new(),
                            (false, text) => format!(", joined_by: '{text}'"),
                        };
                        format!("[{}]{joined}", inputs.join(", "))
                    }
                };
                let take = match take {
                    Take::HexDigits(_, last) if *key == HashKey::Own => format!("first_hex_digits: {last}"),
                    Take::HexDigits(first, last) => format!("hex_digits: [{first}, {last}]"),
                    Take::Modulo(by) => format!("modulo: {by}"),
                    Take::Reduced(reduce) => reduce_yaml(*reduce),
                    Take::Steps(steps) => steps.yaml(),
                };
                format!("{head} {seed}{charset}of: {of}, {take}")
            }
            Scheme::Modulo { field, by } => format!("modulo: {{ of: {}, by: {by}", self.fields[*field].name),
            Scheme::Random { below } => format!("random: {{ below: {below}"),
            Scheme::Text { input } => {
                let input = self.input_yaml(input);
                return format!("{{ text: {}{then} }} }}", input.trim_end_matches(" }"));
            }
            Scheme::Unknown { chars: Some(chars), .. } => {
                return format!("{{ unknown: {{ width: 1, chars: {chars}{then} }} }}");
            }
            Scheme::Unknown { chars: None, values } => {
                let values: Vec<String> = values.iter().map(|value| format!("\"{value}\"")).collect();
                return format!("{{ unknown: {{ values: [{}]{then} }} }}", values.join(", "));
            }
        };
        let plus = match salt.plus {
            None => String::new(),
            Some((below, None)) => format!(", plus: {{ random: {{ below: {below} }} }}"),
            Some((below, Some(by))) => format!(", plus: {{ random: {{ below: {below} }}, modulo: {by} }}"),
        };
        let behind = match salt.behind {
            "" => String::new(),
            text => format!(", behind: '{text}'"),
        };
        format!("{{ {scheme}{plus}{behind}, write: {write}{then} }} }}")
    }

    fn input_yaml(&self, input: &Input) -> String {
        let cut = match &input.cut {
            Cut::Whole => String::new(),
            Cut::First(count) => format!(", first: {count}"),
            Cut::Last(count) => format!(", last: {count}"),
            Cut::Format(pattern) => format!(", format: \"{pattern}\""),
            Cut::Original => ", form: original".to_string(),
        };
        let case = if input.lower { ", case: lower" } else { "" };
        format!("{{ field: {}{cut}{case} }}", self.fields[input.field].name)
    }

    pub fn tz(&self) -> Option<Tz> {
        self.zone.map(|zone| zone.parse().expect("a zone"))
    }

    fn last_stored(&self) -> Option<usize> {
        self.fields.iter().rposition(|field| field.stored)
    }

    pub(crate) fn has_separator(&self, index: usize) -> bool {
        let field = &self.fields[index];
        let is_last = Some(index) == self.last_stored();
        field.stored && !field.kind.is_terminated() && (!is_last || field.ends_the_key_with_zero())
    }

    /// Whether the field is a text whose separator contains the zero byte.
    fn ends_with_zero(&self, index: usize) -> bool {
        let field = &self.fields[index];
        field.kind.is_text()
            && field.kind.is_text_in_key()
            && self.has_separator(index)
            && bytes(field.then).contains(&0)
    }

    /// Values of a field that the schema allows.
    pub fn pool(&self, index: usize) -> Vec<Cell> {
        let field = &self.fields[index];
        let mut pool = pool(&field.kind, self);
        if self.ends_with_zero(index) && !field.may_hold {
            pool.retain(|cell| !matches!(cell, Cell::Text(text) if text.contains('\0')));
        }
        pool
    }

    /// The stored fields with the separators between them.
    fn stored_key(&self, row: &[Cell]) -> Vec<u8> {
        let mut key = Vec::new();
        for (index, (field, cell)) in self.fields.iter().zip(row).enumerate() {
            if field.stored {
                key.extend(field.kind.stored(cell));
                if self.has_separator(index) {
                    key.extend(bytes(field.then));
                }
            }
        }
        key
    }

    /// The keys of the row: one for each salt if the salt is random.
    pub fn keys(&self, row: &[Cell]) -> Vec<Vec<u8>> {
        let stored = self.stored_key(row);
        let Some(salt) = &self.salt else { return vec![stored] };
        let then = if self.last_stored().is_some() { bytes(salt.then) } else { Vec::new() };
        let salts = self.salts(salt, row).into_iter();
        salts.map(|salt| [salt.as_slice(), &then, &stored].concat()).collect()
    }

    fn salts(&self, salt: &Salt, row: &[Cell]) -> Vec<Vec<u8>> {
        let behind = |number: Vec<u8>| [salt.behind.as_bytes(), &number].concat();
        let number = match &salt.scheme {
            Scheme::Hash { hash, seed, of, joined_by, charset, xor, take, .. } => {
                let digest = if matches!(hash, Hash::Long | Hash::Objects) {
                    let codes = of.list().iter().map(|input| self.code(*hash, input, row).to_be_bytes());
                    hash.digest(*seed, &codes.collect::<Vec<_>>().concat())
                } else if *xor {
                    let hashes = of.list().iter().map(|input| hash.digest(*seed, &self.input(input, row)));
                    let xor = |all: Vec<u8>, one: Vec<u8>| all.iter().zip(one).map(|(a, b)| a ^ b).collect();
                    hashes.reduce(xor).expect("an input")
                } else {
                    let text = self.hashed(of, joined_by, row);
                    hash.digest(
                        *seed,
                        &match charset {
                            Some(charset) => digest::in_charset(charset, &String::from_utf8_lossy(&text)),
                            None => text,
                        },
                    )
                };
                match take {
                    Take::HexDigits(first, last) => {
                        match of_digits(&hex(&digest)[first - 1..*last], salt.write) {
                            Ok(bytes) => return vec![behind(bytes)],
                            Err(number) => number,
                        }
                    }
                    Take::Modulo(by) => {
                        let by = i128::from(*by);
                        digest.iter().fold(0, |rest, byte| (rest * 256 + i128::from(*byte)) % by) as i64
                    }
                    Take::Reduced(reduce) => {
                        let word = [digest[0], digest[1], digest[2], digest[3]];
                        i64::from(reduced(*reduce, i32::from_be_bytes(word)))
                    }
                    Take::Steps(steps) => steps.number(*hash, &digest),
                }
            }
            Scheme::Modulo { field, by } => match &row[*field] {
                Cell::Number(number) => number % by,
                other => panic!("{other:?}"),
            },
            Scheme::Random { below } => return (0..*below as i64).map(|n| written(salt.write, n)).collect(),
            Scheme::Text { input } => return vec![self.input(input, row)],
            Scheme::Unknown { chars: None, values } => {
                return values.iter().map(|value| bytes(value)).collect();
            }
            Scheme::Unknown { chars: Some(chars), .. } => {
                let all = match *chars {
                    "digits" => "0123456789",
                    "hex" => "0123456789abcdef",
                    _ => "0123456789ABCDEF",
                };
                return all.bytes().map(|byte| vec![byte]).collect();
            }
        };
        match salt.plus {
            None => vec![behind(written(salt.write, number))],
            Some((below, by)) => {
                let sums = (0..below).map(|part| number + part);
                sums.map(|sum| behind(written(salt.write, by.map_or(sum, |by| sum % by)))).collect()
            }
        }
    }

    /// The bytes that are hashed: of the key, or of the inputs with their separator.
    fn hashed(&self, of: &Of, joined_by: &str, row: &[Cell]) -> Vec<u8> {
        match of {
            Of::Key => self.stored_key(row),
            Of::Bytes(start, stop) => {
                let key = self.stored_key(row);
                key.into_iter().take(*stop).skip(*start).collect()
            }
            Of::List(of) => {
                let inputs: Vec<_> = of.iter().map(|input| self.input(input, row)).collect();
                inputs.join(joined_by.as_bytes())
            }
        }
    }

    /// The hash code of an input as an object of Java: a `long`, an `int`, or a text.
    fn code(&self, hash: Hash, input: &Input, row: &[Cell]) -> i32 {
        match (&input.cut, &row[input.field], &self.fields[input.field].kind) {
            (Cut::Whole, Cell::Number(number), Kind::Integer { stored, .. })
                if hash == Hash::Objects && stored.size < 8 =>
            {
                *number as i32
            }
            (Cut::Whole, Cell::Number(number), _) => digest::long_code(*number),
            _ => digest::text_code(&String::from_utf8(self.input(input, row)).expect("text")),
        }
    }

    /// The bytes of the salt input.
    pub fn input(&self, input: &Input, row: &[Cell]) -> Vec<u8> {
        let field = &self.fields[input.field];
        let cell = &row[input.field];
        let stored = field.kind.stored(cell);
        let cut = |from_end: bool, count: usize| {
            if !field.kind.is_text_in_key() {
                return end_of(&stored, from_end, count).to_vec();
            }
            let chars: Vec<char> = String::from_utf8(stored.clone()).expect("text").chars().collect();
            end_of(&chars, from_end, count).iter().collect::<String>().into_bytes()
        };
        let bytes = match &input.cut {
            Cut::Whole => stored.clone(),
            Cut::First(count) => cut(false, *count),
            Cut::Last(count) => cut(true, *count),
            Cut::Original => match cell {
                Cell::Text(text) => text.clone().into_bytes(),
                Cell::Number(number) => number.to_string().into_bytes(),
                Cell::At(_) => stored.clone(),
            },
            Cut::Format(pattern) => {
                let at = match (&field.kind, cell) {
                    (Kind::Calendar { .. }, Cell::At(at)) => *at,
                    (Kind::Epoch { unit, .. }, Cell::Number(number)) => {
                        calendar::local(self.tz().expect("a zone"), number * unit).expect("in the calendar")
                    }
                    other => panic!("{other:?}"),
                };
                calendar::format(pattern, at).into_bytes()
            }
        };
        if input.lower { String::from_utf8(bytes).expect("text").to_lowercase().into_bytes() } else { bytes }
    }

    /// Whether the salt input needs instants that are inside the calendar.
    pub fn formats_instants(&self) -> bool {
        let of = self.salt.as_ref().and_then(|salt| salt.scheme.hashed_fields());
        let inputs = of.map(Of::list).unwrap_or_default();
        inputs.iter().any(|input| matches!(input.cut, Cut::Format(_)))
    }
}

/// At most this many of the first or of the last items.
fn end_of<T>(all: &[T], from_end: bool, count: usize) -> &[T] {
    let count = count.min(all.len());
    if from_end { &all[all.len() - count..] } else { &all[..count] }
}

fn reduce_yaml(reduce: Reduce) -> String {
    match reduce {
        Reduce::Mask(mask) => format!("mask: {mask}"),
        Reduce::AbsBefore(by) => format!("abs: before, modulo: {by}"),
        Reduce::AbsAfter(by) => format!("abs: after, modulo: {by}"),
        Reduce::SignMasked(by) => format!("abs: mask, modulo: {by}"),
        Reduce::Signed(by) => format!("abs: none, modulo: {by}"),
    }
}

/// Separators and salts are written in HBase's text form.
fn bytes(text: &str) -> Vec<u8> {
    match text {
        r"\x00" => vec![0],
        r"\xFF" => vec![0xFF],
        // In YAML's double quotes.
        r"\\xFFx" => vec![0xFF, b'x'],
        text => text.as_bytes().to_vec(),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Hex digits as they are stored, or their number.
fn of_digits(hex: &str, write: Write) -> Result<Vec<u8>, i64> {
    let number = |hex: &str| i64::from_str_radix(hex, 16).expect("few digits");
    match write {
        Write::Hex => Ok(hex.as_bytes().to_vec()),
        Write::UpperHex => Ok(hex.to_ascii_uppercase().into_bytes()),
        Write::Bytes => Ok((0..hex.len()).step_by(2).map(|at| number(&hex[at..at + 2]) as u8).collect()),
        _ => Err(number(hex)),
    }
}

fn written(write: Write, number: i64) -> Vec<u8> {
    match write {
        Write::Decimal(None) => number.to_string().into_bytes(),
        Write::Decimal(Some(width)) => format!("{number:0width$}").into_bytes(),
        Write::Hex => format!("{number:x}").into_bytes(),
        Write::Be(bytes) => number.to_be_bytes()[8 - bytes..].to_vec(),
        Write::UpperHex => format!("{number:X}").into_bytes(),
        Write::Alphabet(chars, width) => {
            let chars: Vec<u8> = letters_of(chars);
            let mut digits = Vec::new();
            let mut rest = number as usize;
            while rest > 0 || digits.len() < width.unwrap_or(1) {
                digits.insert(0, chars[rest % chars.len()]);
                rest /= chars.len();
            }
            digits
        }
        Write::Bytes | Write::Own => panic!("{number} is no text"),
    }
}

/// The characters of an alphabet that is written with ranges.
fn letters_of(alphabet: &str) -> Vec<u8> {
    match alphabet {
        "0-9a-z" => b"0123456789abcdefghijklmnopqrstuvwxyz".to_vec(),
        "zyx" => b"zyx".to_vec(),
        other => panic!("{other}"),
    }
}

fn reduced(reduce: Reduce, hash: i32) -> i32 {
    match reduce {
        Reduce::Mask(mask) => hash & mask,
        Reduce::AbsBefore(by) => hash.wrapping_abs() % by,
        Reduce::AbsAfter(by) => (hash % by).abs(),
        Reduce::SignMasked(by) => (hash & 0x7FFF_FFFF) % by,
        Reduce::Signed(by) => hash % by,
    }
}

const NAMES: [&str; 4] = ["a", "b", "c", "d"];
const SEPARATORS: [&str; 10] = ["", "_", "|", "0", "-", "~", "!", "__", r"\x00", r"\xFF"];
pub const CHARS: [&str; 7] = ["digits", "[a-c]", "[ab_]", "alnum", "hex", "ascii", "utf8"];
pub const PATTERNS: [&str; 9] = [
    "yyyyMMdd",
    "yyyyMM",
    "yyyy-MM-dd",
    "ddMMyyyy",
    "yyyy",
    "yyyyMMddHHmmss",
    "yyyyMMddHH",
    "yyyy-MM-dd HH:mm",
    "yyyyMMddHHmmssSSS",
];
const VALUES: [&[&str]; 6] = [
    &["cn", "us"],
    &["a", "ab", "b"],
    &["_a", "A", "b"],
    &["x"],
    &["a_b", "a"],
    &["0", "1", "2", "10", "11"],
];

/// Forms, with the characters and the exact width of their texts.
const FORMS: [(TextForm, &str, Option<usize>); 10] = [
    (TextForm::Descending, "utf8", None),
    (TextForm::Descending, "[a-c]", None),
    (TextForm::Descending, "ascii", Some(2)),
    (TextForm::Descending, "utf8", Some(2)),
    (TextForm::Padded { width: 2, byte: b' ', descending: false }, "ascii", None),
    (TextForm::Padded { width: 3, byte: b' ', descending: true }, "utf8", None),
    (TextForm::Padded { width: 3, byte: 0, descending: false }, "utf8", None),
    (TextForm::Padded { width: 1, byte: 0, descending: true }, "[ab_]", None),
    (TextForm::Hex { bytes: 1, descending: false }, "hex", Some(2)),
    (TextForm::Hex { bytes: 1, descending: true }, "hex", Some(2)),
];

fn text_kind() -> impl Strategy<Value = Kind> {
    let chars = prop::sample::select(CHARS.to_vec());
    prop_oneof![
        4 => (chars, prop::option::weighted(0.4, 1usize..=3), prop::bool::weighted(0.2))
            .prop_map(|(chars, width, reverse)| Kind::Text { width, chars, values: None, reverse, form: TextForm::Plain }),
        2 => prop::sample::select(FORMS.to_vec()).prop_map(|(form, chars, width)| {
            Kind::Text { width, chars, values: None, reverse: false, form }
        }),
        1 => (prop::sample::select(VALUES.to_vec()), prop::bool::weighted(0.2)).prop_map(|(values, reverse)| {
            Kind::Text { width: None, chars: "utf8", values: Some(values.to_vec()), reverse, form: TextForm::Plain }
        }),
    ]
}

/// Numbers of a type with so many bytes.
fn number(size: usize) -> impl Strategy<Value = Number> {
    let full = bounds(size).1.to_string().len();
    prop::sample::select(vec![
        (Encoding::Be, false),
        (Encoding::Be, true),
        (Encoding::BeSortable, false),
        (Encoding::BeSortable, true),
        (Encoding::BeUnsigned(None), false),
        (Encoding::BeUnsigned(None), true),
        (Encoding::BeUnsigned(Some(1)), false),
        (Encoding::BeUnsigned(Some(3)), true),
        (Encoding::BeUnsigned(Some(4)), false),
        (Encoding::BeUnsigned(Some(8)), true),
        (Encoding::Decimal(None), false),
        (Encoding::Decimal(Some(2)), false),
        (Encoding::Decimal(Some(5)), false),
        (Encoding::Decimal(Some(full)), false),
        (Encoding::Decimal(Some(full)), true),
        (Encoding::Decimal(Some(full - 1)), true),
        (Encoding::Decimal(Some(2)), true),
    ])
    .prop_map(move |(encoding, descending)| Number { size, encoding, descending })
}

/// The smallest and the greatest number, as declared.
const BOUNDS: [(Option<i64>, Option<i64>); 6] =
    [(None, None), (None, None), (Some(0), None), (None, Some(11)), (Some(-2), Some(1)), (Some(1), Some(12))];

fn kind() -> impl Strategy<Value = Kind> {
    let integer = prop::sample::select(vec![1, 2, 4, 4, 8, 8]).prop_flat_map(|size| {
        (number(size), prop::sample::select(BOUNDS.to_vec())).prop_map(|(stored, (min, max))| {
            // Some encodings have no negative numbers.
            let has_sign = min.is_none_or(|min| min >= 0)
                || matches!(stored.encoding, Encoding::Be | Encoding::BeSortable)
                || (stored.encoding, stored.descending) == (Encoding::Decimal(None), false);
            Kind::Integer { stored, min: min.filter(|_| has_sign), max }
        })
    });
    let epoch = (prop::sample::select(vec![1, 1_000]), number(8))
        .prop_map(|(unit, stored)| Kind::Epoch { stored, unit });
    prop_oneof![
        4 => text_kind(),
        2 => integer,
        2 => prop::sample::select(PATTERNS.to_vec()).prop_map(|pattern| Kind::Calendar { pattern }),
        1 => epoch,
    ]
}

fn fields() -> impl Strategy<Value = Vec<Field>> {
    let separator = prop::sample::select(SEPARATORS.to_vec());
    let field = (kind(), prop::bool::weighted(0.85), separator, any::<bool>(), prop::bool::weighted(0.4));
    prop::collection::vec(field, 1..=4).prop_map(|parts| {
        let named = NAMES.into_iter().zip(parts);
        named
            .map(|(name, (kind, stored, then, may_hold, nullable))| {
                // Only such a text has an empty one.
                let has_empty =
                    matches!(kind, Kind::Text { width: None, values: None, form: TextForm::Plain, .. });
                Field { name, kind, stored, then, may_hold, nullable: nullable && has_empty }
            })
            .collect()
    })
}

/// Choices for a salt, completed when the fields are known.
type SaltChoice = (u8, u8, Vec<(prop::sample::Index, u8, bool)>, prop::sample::Index, bool);

pub fn tables() -> impl Strategy<Value = Table> {
    let inputs =
        prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), prop::bool::weighted(0.15)), 1..=3);
    let salt = prop::option::weighted(
        0.75,
        (any::<u8>(), any::<u8>(), inputs, any::<prop::sample::Index>(), any::<bool>()),
    );
    let zone = prop::option::weighted(
        0.85,
        prop::sample::select(vec![
            "UTC",
            "Asia/Shanghai",
            "Europe/Berlin",
            "America/St_Johns",
            "Australia/Lord_Howe",
        ]),
    );
    (fields(), salt, zone).prop_map(|(mut fields, salt, zone)| {
        let salt = salt.and_then(|choice| concrete_salt(&fields, zone.is_some(), choice));
        let inputs = salt.as_ref().map(Salt::inputs).unwrap_or_default();
        for (index, field) in fields.iter_mut().enumerate() {
            field.stored |= !inputs.contains(&index);
        }
        let hashed = hashed_field(&mut fields, salt.as_ref());
        let mut table = Table { fields, salt, zone, hashed };
        for index in 0..table.fields.len() {
            let may_hold_end = table.ends_with_zero(index) && table.fields[index].may_hold;
            let ends = Some(index) == table.last_stored() || !table.fields[index].then.is_empty();
            table.fields[index].nullable &= table.fields[index].stored && ends && !may_hold_end;
        }
        table
    })
}

#[expect(clippy::too_many_lines, reason = "an arm for each scheme")]
fn concrete_salt(fields: &[Field], zoned: bool, choice: SaltChoice) -> Option<Salt> {
    let (scheme, variant, inputs, field, flag) = choice;
    let stores = fields.iter().any(|field| field.stored);
    let then = ["", "_", ""][usize::from(variant) % 3];
    let small = i32::from(variant % 18) + 2;
    // A list of inputs, the key, or bytes of it.
    let of_any = |binary: bool| -> Option<Of> {
        let start = usize::from(variant / 18) % 6;
        let stop = start + 1 + usize::from(variant) % 7;
        let inputs = inputs.iter().filter_map(|(field, cut, lower)| {
            input(fields, zoned, field.index(fields.len()), *cut, *lower, binary)
        });
        let inputs: Vec<Input> = inputs.collect();
        let of = match (usize::from(variant / 7) + usize::from(flag)) % 4 {
            0 if stores => Of::Key,
            1 if is_reached(fields, start, stop) => Of::Bytes(start, stop),
            _ if !inputs.is_empty() => Of::List(inputs),
            _ if stores => Of::Key,
            _ => return None,
        };
        let is_text = match of {
            Of::Key => fields.iter().all(|field| field.kind.is_text_in_key()),
            Of::Bytes(..) => stored_is_ascii(fields),
            Of::List(_) => true,
        };
        (binary || is_text).then_some(of)
    };
    let joined_by = ["", "_"][usize::from(variant) % 2];
    let hashed = |key: HashKey, hash: Hash, seed: Option<i64>, take: Take| -> Option<Scheme> {
        let of = of_any(hash != Hash::Java)?;
        let is_number = !matches!(take, Take::HexDigits(..) | Take::Steps(Steps { digits: Some(_), .. }));
        let xor = flag && hash == Hash::Java && matches!(of, Of::List(_)) && is_number;
        Some(Scheme::Hash { key, hash, seed, of, joined_by, charset: None, xor, take })
    };
    // Texts, dates and numbers as objects: a number whole, or its digits.
    let of_objects = |hash: Hash| -> Option<Of> {
        let is_number = |input: &Input| {
            matches!(fields[input.field].kind, Kind::Integer { .. } | Kind::Epoch { .. })
                && matches!(input.cut, Cut::Whole)
        };
        let object = |input: &Input| {
            let has_text = fields[input.field].kind.is_text_in_key()
                || matches!(input.cut, Cut::Format(_) | Cut::Original);
            is_number(input) || has_text && hash == Hash::Objects
        };
        let all = inputs.iter().filter_map(|(field, cut, lower)| {
            input(fields, zoned, field.index(fields.len()), *cut, *lower, true)
        });
        let all: Vec<Input> = all.filter(object).take(if hash == Hash::Long { 1 } else { 3 }).collect();
        (!all.is_empty()).then_some(Of::List(all))
    };
    let one_of = |fits: fn(&Kind) -> bool| -> Option<usize> {
        let all: Vec<usize> = (0..fields.len()).filter(|index| fits(&fields[*index].kind)).collect();
        (!all.is_empty()).then(|| *field.get(&all))
    };
    let mut plus = None;
    let (scheme, write) = match scheme % 18 {
        0 | 1 => {
            let (digits, write) = [
                (1, Write::Hex),
                (1, Write::Decimal(Some(3))),
                (2, Write::Hex),
                (2, Write::Be(2)),
                (8, Write::Hex),
                (16, Write::Hex),
                (32, Write::Hex),
                (1, Write::Decimal(None)),
                (2, Write::UpperHex),
                (2, Write::Bytes),
            ][usize::from(variant) % 10];
            (hashed(HashKey::Own, Hash::Md5, None, Take::HexDigits(1, digits))?, write)
        }
        2..=4 => {
            let (reduce, write) = [
                (Reduce::Mask(0x7FFF), Write::Be(2)),
                (Reduce::Mask(7), Write::Decimal(Some(1))),
                (Reduce::AbsBefore(small), Write::Decimal(None)),
                (Reduce::AbsBefore(small), Write::Be(4)),
                (Reduce::AbsAfter(small), Write::Decimal(Some(3))),
                (Reduce::Signed(small), Write::Decimal(Some(3))),
                (Reduce::Signed(small), Write::Be(2)),
                (Reduce::SignMasked(small), Write::Decimal(None)),
            ][usize::from(variant) % 8];
            (hashed(HashKey::Own, Hash::Java, None, Take::Reduced(reduce))?, write)
        }
        5..=7 => {
            let (reduce, write) = [
                (Reduce::AbsAfter(small), Write::Be(1)),
                (Reduce::AbsBefore(small), Write::Be(1)),
                (Reduce::Signed(small), Write::Be(2)),
                (Reduce::Mask(0x1F), Write::Decimal(Some(2))),
                (Reduce::SignMasked(small), Write::Be(1)),
                (Reduce::SignMasked(small), Write::Decimal(Some(3))),
            ][usize::from(variant) % 6];
            if matches!(reduce, Reduce::AbsAfter(_) | Reduce::SignMasked(_)) && variant % 5 < 3 {
                plus = Some((2 + i64::from(variant % 2), flag.then_some(i64::from(small) + 1)));
            }
            let seed = [None, Some(0), Some(-7)][usize::from(variant) % 3];
            (hashed(HashKey::Own, Hash::Bytes, seed, Take::Reduced(reduce))?, write)
        }
        8..=10 => {
            let hash = [Hash::Md5, Hash::Crc32, Hash::Murmur3x32, Hash::Fnv1a32, Hash::Fnv1a64]
                [usize::from(variant / 6) % 5];
            let seed = (hash == Hash::Murmur3x32 && flag).then_some(i64::from(variant));
            let is_short = matches!(hash, Hash::Crc32 | Hash::Murmur3x32 | Hash::Fnv1a32);
            let (take, write) = match variant % 8 {
                0 => (Take::HexDigits(3, 4), Write::UpperHex),
                1 => (Take::HexDigits(2, 3), Write::Bytes),
                2 => (Take::HexDigits(8, 8), Write::Decimal(Some(2))),
                3 => (Take::HexDigits(1, 8), Write::Hex),
                4 if is_short => (Take::Reduced(Reduce::AbsBefore(small)), Write::Decimal(None)),
                5 if is_short => (Take::Reduced(Reduce::SignMasked(small)), Write::Be(1)),
                _ => (Take::Modulo(small.into()), Write::Decimal(Some(2))),
            };
            if matches!(take, Take::Modulo(_) | Take::Reduced(Reduce::SignMasked(_))) {
                plus = flag.then_some((3, (variant % 4 < 2).then_some(i64::from(small) + 1)));
            }
            (hashed(HashKey::Digest, hash, seed, take)?, write)
        }
        14..=16 => {
            let hash = [
                Hash::Md5,
                Hash::Crc32,
                Hash::GuavaMurmur3x32,
                Hash::Murmur3x32,
                Hash::Fnv1a64,
                Hash::Java,
                Hash::Bytes,
                Hash::Objects,
                Hash::Long,
                Hash::Objects,
            ][usize::from(variant / 10) % 10];
            let has_seed =
                matches!(hash, Hash::Murmur3x32 | Hash::GuavaMurmur3x32 | Hash::Bytes | Hash::Objects);
            let seed = (has_seed && flag).then_some(i64::from(variant));
            // An MD5 is too long to be a number as a whole.
            let digits = |first, last| (hash == Hash::Md5 || variant % 3 > 0).then_some((first, last));
            let small = i64::from(small);
            let steps = |digits, mask, abs, modulo| Take::Steps(Steps { digits, mask, abs, modulo });
            let (take, write) = match variant % 10 {
                0 => (steps(digits(1, 8), Some(0x0FFF_FFFF), None, Some(small)), Write::Decimal(Some(2))),
                1 => (steps(Some((1, 4)), None, Some("none"), Some(small)), Write::Be(4)),
                2 => (steps(digits(3, 7), None, Some("after"), Some(small)), Write::Alphabet("0-9a-z", None)),
                3 => (steps(digits(2, 8), None, None, Some(small)), Write::Alphabet("zyx", Some(3))),
                4 => (steps(digits(1, 8), None, Some("before"), Some(small)), Write::Decimal(None)),
                5 => (steps(digits(1, 8), Some(0x55), None, Some(small)), Write::Decimal(Some(2))),
                6 => (steps(Some((7, 8)), None, Some("none"), None), Write::Be(2)),
                7 => (steps(Some((4, 5)), None, Some("mask"), Some(small)), Write::Decimal(Some(3))),
                8 => (Take::HexDigits(2, 3), Write::Hex),
                _ => (steps(digits(1, 6), Some(0x1B), None, None), Write::Alphabet("0-9a-z", Some(2))),
            };
            if matches!(hash, Hash::Objects | Hash::Long) {
                let of = of_objects(hash)?;
                let (key, joined_by, charset) = (HashKey::Hash, "", None);
                (Scheme::Hash { key, hash, seed, of, joined_by, charset, xor: false, take }, write)
            } else {
                (in_charset(fields, hashed(HashKey::Hash, hash, seed, take)?, variant), write)
            }
        }
        11 => {
            let field = one_of(|kind| matches!(kind, Kind::Integer { .. }))?;
            let is_natural = matches!(fields[field].kind, Kind::Integer { min: Some(0..), .. });
            plus = (flag && is_natural).then_some((2, Some(i64::from(small))));
            let write = [Write::Be(8), Write::Decimal(Some(3)), Write::Be(2)][usize::from(variant) % 3];
            (Scheme::Modulo { field, by: small.into() }, write)
        }
        12 => {
            let is_plain =
                |kind: &Kind| matches!(kind, Kind::Text { values: None, form: TextForm::Plain, .. });
            let field = one_of(is_plain)?;
            let count = usize::from(variant % 2) + 1;
            let cut = if flag { Cut::First(count) } else { Cut::Last(count) };
            let kind = &fields[field].kind;
            let is_fixed = kind.length().is_some_and(|length| length >= count);
            if kind.length().is_some_and(|length| length < count) {
                return None;
            }
            let ends = matches!(kind, Kind::Text { chars, .. } if matches!(*chars, "digits" | "alnum" | "hex" | "[a-c]"));
            if !is_fixed && !ends {
                return None;
            }
            let then = if is_fixed { then } else { "_" };
            let input = Input { field, cut, lower: variant % 5 == 0 };
            return Some(Salt {
                scheme: Scheme::Text { input },
                plus: None,
                write: Write::Own,
                behind: "",
                then,
            });
        }
        13 => {
            let (chars, values, then): (_, &'static [&'static str], _) = [
                (Some("digits"), &[][..], then),
                (Some("hex"), &[], then),
                (Some("HEX"), &[], then),
                (None, &["it's", "q", "\u{fc}"], "_"),
                (None, &["00", "01", "7a"], then),
                (None, &[r"\\xFFx", "a0"], then),
            ][usize::from(variant) % 6];
            let scheme = Scheme::Unknown { chars, values };
            return Some(Salt { scheme, plus: None, write: Write::Own, behind: "", then });
        }
        _ => {
            let below = [3, 12][usize::from(flag)];
            (
                Scheme::Random { below },
                [Write::Decimal(Some(2)), Write::Hex, Write::Be(2)][usize::from(variant) % 3],
            )
        }
    };
    // Unpadded numbers need a separator, because salts that are prefixes of each other are read twice.
    let then = if matches!(write, Write::Decimal(None)) { "_" } else { then };
    let has_constant = matches!(scheme, Scheme::Hash { key: HashKey::Hash, .. }) && variant % 3 == 0;
    let behind = if has_constant { ["d:", "a_9", "_"][usize::from(variant / 3) % 3] } else { "" };
    Some(Salt { scheme, plus, write, behind, then })
}

/// Of some tables, the first or the last field holds a hash of its neighbour.
fn hashed_field(fields: &mut [Field], salt: Option<&Salt>) -> Option<(usize, usize)> {
    let last = fields.len().checked_sub(1).filter(|last| *last > 0)?;
    let (hashed, of) = match fields[0].name.len() + fields[last].then.len() + fields.len() {
        sum if sum % 3 == 0 => (0, 1),
        sum if sum % 3 == 1 => (last, last - 1),
        _ => return None,
    };
    // The salt was made for the fields as they were.
    if salt.is_some_and(|salt| {
        salt.inputs().contains(&hashed)
            || matches!(salt.scheme.hashed_fields(), Some(Of::Key | Of::Bytes(..)))
    }) {
        return None;
    }
    let kind = match fields[of].kind {
        Kind::Integer { .. } | Kind::Epoch { .. } => Kind::Integer {
            stored: Number { size: 4, encoding: Encoding::BeSortable, descending: false },
            min: None,
            max: None,
        },
        _ => Kind::Text { width: Some(1), chars: "hex", values: None, reverse: false, form: TextForm::Plain },
    };
    fields[hashed] = Field { kind, stored: true, nullable: false, may_hold: false, ..fields[hashed].clone() };
    Some((hashed, of))
}

/// Some hashes of text are of another charset.
fn in_charset(fields: &[Field], scheme: Scheme, variant: u8) -> Scheme {
    let Scheme::Hash { hash, of, xor: false, .. } = &scheme else { return scheme };
    let is_text = |input: &Input| {
        fields[input.field].kind.is_text_in_key() || matches!(input.cut, Cut::Format(_) | Cut::Original)
    };
    let is_possible = match of {
        Of::Key => fields.iter().all(|field| field.kind.is_text_in_key()),
        Of::Bytes(..) => false,
        Of::List(inputs) => inputs.iter().all(is_text),
    };
    let charsets = [None, Some("us_ascii"), Some("iso_8859_1"), Some("utf_16be"), Some("utf_16le")];
    let chosen = charsets[usize::from(variant / 3) % 5].filter(|_| is_possible && *hash != Hash::Java);
    let Scheme::Hash { key, hash, seed, of, joined_by, xor, take, .. } = scheme else { return scheme };
    Scheme::Hash { key, hash, seed, of, joined_by, charset: chosen, xor, take }
}

/// The width in bytes that every value of the field has.
fn byte_width(kind: &Kind) -> Option<usize> {
    match kind {
        Kind::Text { values: Some(values), .. } => {
            let first = values.first()?.len();
            values.iter().all(|value| value.len() == first).then_some(first)
        }
        Kind::Text { width, form: TextForm::Plain, .. } => *width,
        kind => kind.length(),
    }
}

// If a salt takes the key, all fields are stored.

/// Whether a byte of a field can be in this range of the key.
fn is_reached(fields: &[Field], start: usize, stop: usize) -> bool {
    let mut offset = 0;
    for field in fields {
        let Some(width) = byte_width(&field.kind) else { return offset < stop };
        if offset.max(start) < (offset + width).min(stop) {
            return true;
        }
        offset += width + bytes(field.then).len();
    }
    false
}

/// Whether every byte of the stored key is a character.
fn stored_is_ascii(fields: &[Field]) -> bool {
    let is_ascii = |kind: &Kind| match kind {
        Kind::Text { chars, values, .. } => *chars != "utf8" && values.is_none(),
        kind => kind.is_text_in_key(),
    };
    fields.iter().all(|field| {
        field.kind.is_text_in_key() && is_ascii(&field.kind) && field.then.is_ascii() && field.then != r"\xFF"
    })
}

fn input(fields: &[Field], zoned: bool, field: usize, cut: u8, lower: bool, binary: bool) -> Option<Input> {
    let kind = &fields[field].kind;
    let longest = kind.length().unwrap_or(3).min(3);
    let count = usize::from(cut / 8) % longest + 1;
    let formats: &[&str] = match kind {
        Kind::Calendar { pattern: "yyyy" } => &["yyyy"],
        Kind::Calendar { pattern: "yyyyMM" } => &["yyyyMM", "yyyy"],
        Kind::Calendar { pattern } if pattern.contains("mm") => &["yyyyMM", "yyyyMMdd", "yyyyMMddHHmm"],
        Kind::Calendar { .. } => &["yyyyMM", "yyyyMMdd", "ddMMyyyy"],
        Kind::Epoch { .. } if zoned => &["yyyyMM", "yyyyMMdd", "yyyyMMddHHmm", "yyyyMMddHH"],
        _ => &[],
    };
    let cut = match cut % 8 {
        0..=1 => Cut::Whole,
        2 => Cut::Original,
        3 => Cut::First(count),
        4 => Cut::Last(count),
        _ if !formats.is_empty() => Cut::Format(formats[usize::from(cut / 8) % formats.len()]),
        5 => Cut::First(count),
        _ => Cut::Last(count),
    };
    let fits = binary || kind.is_text_in_key() || matches!(cut, Cut::Format(_) | Cut::Original);
    let has_case = kind.is_text() && (kind.is_text_in_key() || matches!(cut, Cut::Original));
    fits.then_some(Input { field, cut, lower: lower && has_case })
}

/// Values of a field that are close together and at the bounds.
fn pool(kind: &Kind, table: &Table) -> Vec<Cell> {
    match kind {
        Kind::Text { values: Some(values), .. } => {
            values.iter().map(|value| Cell::Text((*value).to_string())).collect()
        }
        Kind::Text { width, chars, form, .. } => {
            let mut all = texts(letters(chars), *width);
            match form {
                TextForm::Padded { width, byte, .. } => {
                    let byte = char::from(*byte);
                    all.retain(|text| text.len() <= *width && !text.ends_with(byte));
                    all.retain(|text| text.chars().all(|c| c >= byte));
                }
                TextForm::Descending if width.is_none() => all.retain(|text| !text.contains('\0')),
                _ => {}
            }
            all.into_iter().map(Cell::Text).collect()
        }
        Kind::Integer { stored, min, max } => {
            let is_inside = |n: &i64| min.is_none_or(|min| min <= *n) && max.is_none_or(|max| *n <= max);
            numbers(*stored).filter(is_inside).map(Cell::Number).collect()
        }
        Kind::Calendar { pattern } => {
            let mut all: Vec<NaiveDateTime> =
                moments().into_iter().map(|at| calendar::truncate(pattern, at)).collect();
            all.dedup();
            all.into_iter().map(Cell::At).collect()
        }
        Kind::Epoch { stored, unit } => epochs(*stored, *unit, table).into_iter().map(Cell::Number).collect(),
    }
}

fn letters(chars: &str) -> &'static [char] {
    match chars {
        "digits" => &['0', '1', '9'],
        "hex" => &['0', '9', 'a', 'f'],
        "[a-c]" => &['a', 'b', 'c'],
        "[ab_]" => &['a', 'b', '_'],
        "alnum" => &['0', 'A', 'a', 'z'],
        "ascii" => &[' ', '\\', '_', 'a', '~'],
        _ => &['\0', '_', 'a', 'é', '😀', char::MAX],
    }
}

/// All short texts over the letters; with a width, those with exactly that many bytes.
fn texts(letters: &[char], width: Option<usize>) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut longest = all.clone();
    for _ in 0..3 {
        longest = longest.iter().flat_map(|text| letters.iter().map(move |c| format!("{text}{c}"))).collect();
        all.extend(longest.iter().cloned());
    }
    all.retain(|text| width.is_none_or(|width| text.len() == width));
    all
}

fn numbers(stored: Number) -> impl Iterator<Item = i64> {
    let (min, max) = bounds(stored.size);
    let usual = [
        -1000, -12, -2, -1, 0, 1, 2, 9, 10, 11, 12, 19, 20, 99, 100, 126, 127, 128, 255, 256, 99_999,
        16_777_215, 16_777_216,
    ];
    let all = [min, min + 1].into_iter().chain(usual).chain([max - 1, max]);
    all.filter(move |number| stored.fits(*number))
}

/// Times around the ends of months, years and daylight saving time, and the ends of the calendar.
fn moments() -> Vec<NaiveDateTime> {
    let at = |y, m, d, h, min, s, ms| {
        NaiveDate::from_ymd_opt(y, m, d).unwrap().and_hms_milli_opt(h, min, s, ms).unwrap()
    };
    vec![
        at(1, 1, 1, 0, 0, 0, 0),
        at(1969, 12, 31, 23, 59, 59, 999),
        at(1970, 1, 1, 0, 0, 0, 0),
        at(2019, 12, 31, 23, 59, 59, 999),
        at(2020, 1, 1, 0, 0, 0, 0),
        at(2020, 2, 28, 12, 0, 0, 0),
        at(2020, 2, 29, 0, 0, 0, 0),
        at(2020, 2, 29, 23, 59, 59, 0),
        at(2020, 3, 1, 0, 0, 0, 0),
        at(2020, 3, 29, 1, 59, 59, 999),
        at(2020, 3, 29, 3, 0, 0, 0),
        at(2020, 4, 6, 10, 20, 30, 0),
        at(2020, 4, 6, 10, 20, 30, 500),
        at(2020, 4, 7, 0, 0, 0, 0),
        at(2020, 10, 25, 1, 59, 59, 0),
        at(2020, 10, 25, 2, 30, 0, 0),
        at(2020, 12, 1, 0, 0, 0, 0),
        at(2021, 4, 6, 0, 0, 0, 0),
        at(9999, 12, 31, 23, 59, 59, 999),
    ]
}

fn epochs(stored: Number, unit: i64, table: &Table) -> Vec<i64> {
    let mut all: Vec<i64> = Vec::new();
    let zone = table.tz().unwrap_or(Tz::UTC);
    for at in moments() {
        let instant = calendar::instant(zone, at).div_euclid(unit);
        // An hour later is the second pass through an hour that occurs twice.
        all.extend([instant, instant + 3_600_000 / unit, instant + 1_800_000 / unit]);
    }
    // St. John's set clocks back at one minute past midnight.
    all.extend(
        [1_289_097_000_000, 1_289_097_120_000, 1_289_100_600_000, 1_289_100_720_000].map(|ms: i64| ms / unit),
    );
    let in_calendar =
        |n: &i64| n.checked_mul(unit).and_then(|ms| calendar::local(zone, ms)).is_some_and(in_years);
    all.retain(in_calendar);
    if !table.formats_instants() {
        all.extend([i64::MIN, -1, 0, 1, i64::MAX]);
    }
    all.retain(|number| stored.fits(*number));
    if all.len() < 4 && !table.formats_instants() {
        all.extend(numbers(stored));
    }
    if all.is_empty() {
        all.extend([0, 1, 99]);
    }
    all
}

fn in_years(at: NaiveDateTime) -> bool {
    use chrono::Datelike as _;
    (2..9999).contains(&at.year())
}
