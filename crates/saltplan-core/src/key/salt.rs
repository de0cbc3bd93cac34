//! Salts: the number that a scheme computes from a row, its bytes, and the exact set of salts it can reach.

use std::collections::BTreeSet;

use chrono_tz::Tz;
use md5::{Digest, Md5};

use super::codec::{Value, write_decimal};
use super::java;
use super::layout::{
    Abs, Combine, Cut, EpochUnit, Field, FieldKind, Reduce, RowKey, Salt, SaltInput, SaltInputs, SaltScheme,
    SaltWrite,
};
use super::zone;

/// Past this many values a set of salts is counted, not listed.
const MAX_LISTED: u128 = 65_536;

/// Combinations of finite inputs tried to find the image exactly.
const MAX_COMBINATIONS: usize = 4_096;

/// The salts that rows can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Image {
    /// The bytes of every reachable salt, ascending.
    Listed(Vec<Vec<u8>>),
    TooMany {
        count: u128,
    },
}

impl Image {
    pub fn count(&self) -> u128 {
        match self {
            Image::Listed(salts) => salts.len() as u128,
            Image::TooMany { count } => *count,
        }
    }
}

impl SaltInput {
    /// What the salt sees of a field's value, as bytes.
    ///
    /// # Errors
    /// The value breaks the field's declaration, or an instant needs a time zone that the schema lacks.
    pub fn bytes(&self, field: &Field, value: &Value, time_zone: Option<Tz>) -> Result<Vec<u8>, String> {
        let stored = field.kind.encode(value)?;
        let mut bytes = Vec::new();
        self.write(field, value, &stored, time_zone, &mut bytes)?;
        Ok(bytes)
    }

    /// Appends what the salt sees of a field's value, whose stored bytes are known.
    ///
    /// # Errors
    /// An instant outside the calendar, or one that needs a time zone that the schema lacks.
    pub fn write(
        &self,
        field: &Field,
        value: &Value,
        stored: &[u8],
        time_zone: Option<Tz>,
        out: &mut Vec<u8>,
    ) -> Result<(), String> {
        let start = out.len();
        let text = field.kind.is_text_in_key();
        match &self.cut {
            Cut::Whole => out.extend_from_slice(stored),
            Cut::First(count) if text => out.extend_from_slice(first_chars(stored, *count)),
            Cut::Last(count) if text => out.extend_from_slice(last_chars(stored, *count)),
            Cut::First(count) => out.extend_from_slice(&stored[..(*count).min(stored.len())]),
            Cut::Last(count) => out.extend_from_slice(&stored[stored.len() - (*count).min(stored.len())..]),
            Cut::Format(format) => format.write_local(local_start(field, value, time_zone)?, out),
        }
        if self.lower {
            let lower = String::from_utf8_lossy(&out[start..]).to_lowercase();
            out.truncate(start);
            out.extend_from_slice(lower.as_bytes());
        }
        Ok(())
    }
}

/// The bytes of the first characters of UTF-8 text.
fn first_chars(text: &[u8], count: usize) -> &[u8] {
    let starts = text.iter().enumerate().filter(|(_, byte)| starts_char(**byte));
    let end = starts.map(|(at, _)| at).nth(count).unwrap_or(text.len());
    &text[..end]
}

/// The bytes of the last characters of UTF-8 text.
fn last_chars(text: &[u8], count: usize) -> &[u8] {
    let Some(before) = count.checked_sub(1) else { return &[] };
    let starts = text.iter().enumerate().rev().filter(|(_, byte)| starts_char(**byte));
    let start = starts.map(|(at, _)| at).nth(before).unwrap_or(0);
    &text[start..]
}

/// Whether a byte of UTF-8 text is the first one of a character.
fn starts_char(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

/// The local time at which the unit that a calendar or epoch value stands for begins.
fn local_start(field: &Field, value: &Value, time_zone: Option<Tz>) -> Result<chrono::NaiveDateTime, String> {
    let outside = || format!("`{}` is outside the calendar", field.name);
    match (&field.kind, value) {
        (FieldKind::Calendar(calendar), Value::Number(ordinal)) => {
            calendar.format.granularity().start_of(*ordinal).ok_or_else(outside)
        }
        (FieldKind::Epoch(epoch), Value::Number(number)) => {
            let time_zone = time_zone.ok_or_else(|| "the schema has no `time_zone`".to_string())?;
            let milliseconds = number.checked_mul(epoch.unit.milliseconds()).ok_or_else(outside)?;
            zone::local_time(time_zone, milliseconds).ok_or_else(outside)
        }
        _ => Err(format!("`{}` has no date to format", field.name)),
    }
}

impl EpochUnit {
    /// Length of the unit in milliseconds.
    pub fn milliseconds(self) -> i64 {
        match self {
            EpochUnit::Seconds => 1_000,
            EpochUnit::Milliseconds => 1,
        }
    }

    /// The first whole unit that does not lie before a time in milliseconds.
    pub fn ceiling(self, milliseconds: i128) -> i128 {
        -(-milliseconds).div_euclid(i128::from(self.milliseconds()))
    }
}

impl Salt {
    /// The inputs, in order. `of: key` is every stored field as a whole; a random salt has none.
    pub fn inputs(&self, key: &RowKey) -> Vec<SaltInput> {
        let whole = |field| SaltInput { field, cut: Cut::Whole, lower: false };
        match &self.scheme {
            SaltScheme::Md5 { of: SaltInputs::Key, .. } => key.stored().map(whole).collect(),
            SaltScheme::Md5 { of: SaltInputs::List(inputs), .. }
            | SaltScheme::JavaHash { of: inputs, .. } => inputs.clone(),
            SaltScheme::Modulo { field, .. } => vec![whole(*field)],
            SaltScheme::Random { .. } => Vec::new(),
        }
    }

    /// Whether a row's fields determine its salt.
    pub fn is_computable(&self) -> bool {
        !matches!(self.scheme, SaltScheme::Random { .. })
    }

    /// The salt's bytes for the bytes of [`Salt::inputs`]; `None` for a random salt.
    pub fn compute(&self, key: &RowKey, inputs: &[Vec<u8>]) -> Option<Vec<u8>> {
        let mut salt = Vec::new();
        self.write(key, inputs.iter().map(Vec::as_slice), &mut salt)?;
        Some(salt)
    }

    /// Appends the salt's bytes for the bytes of [`Salt::inputs`]; `None`, and nothing, for a random salt.
    pub fn write<'i>(
        &self,
        key: &RowKey,
        mut inputs: impl Iterator<Item = &'i [u8]> + Clone,
        out: &mut Vec<u8>,
    ) -> Option<()> {
        match &self.scheme {
            SaltScheme::Md5 { of, joined_by, first_hex_digits } => {
                let digest = md5_of(key, of, joined_by, inputs);
                self.write_digest(&digest, *first_hex_digits, out);
            }
            SaltScheme::JavaHash { combine, reduce, .. } => {
                let hash = reduce.apply(java_hash(*combine, inputs));
                self.write.append(i128::from(hash), out);
            }
            SaltScheme::Modulo { field, by } => {
                let Value::Number(number) = key.fields[*field].kind.decode(inputs.next()?).ok()? else {
                    return None;
                };
                self.write.append(i128::from(number.checked_rem(*by)?), out);
            }
            SaltScheme::Random { .. } => return None,
        }
        Some(())
    }

    /// Appends the leading hex digits of a digest, or the number that they are.
    fn write_digest(&self, digest: &[u8; 16], digits: usize, out: &mut Vec<u8>) {
        match self.write {
            SaltWrite::Hex => {
                let nibbles = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
                out.extend(nibbles.take(digits).map(|nibble| HEX_DIGITS[usize::from(nibble)]));
            }
            write => {
                let kept = 4 * digits.min(32) as u32;
                let number = u128::from_be_bytes(*digest).checked_shr(128 - kept).unwrap_or(0);
                // Past 64 bits there is no number.
                write.append(i128::from(u64::try_from(number).unwrap_or(u64::MAX)), out);
            }
        }
    }

    /// The exact set of salts that rows can have.
    pub fn image(&self, key: &RowKey) -> Image {
        if let Some(salts) = self.image_of_finite_inputs(key) {
            return Image::Listed(salts);
        }
        let numbers: Vec<i128> = match &self.scheme {
            SaltScheme::Md5 { first_hex_digits, .. } => return self.md5_image(*first_hex_digits),
            SaltScheme::Random { below } if u128::from(*below) > MAX_LISTED => {
                return Image::TooMany { count: u128::from(*below) };
            }
            SaltScheme::Random { below } => (0..i128::from(*below)).collect(),
            SaltScheme::Modulo { field, by } => {
                let limit = i128::from(by.unsigned_abs());
                let lowest = if key.fields[*field].kind.domain().is_some_and(|domain| domain.start >= 0) {
                    0
                } else {
                    1 - limit
                };
                if (limit - lowest).unsigned_abs() > MAX_LISTED {
                    return Image::TooMany { count: (limit - lowest).unsigned_abs() };
                }
                (lowest..limit).collect()
            }
            SaltScheme::JavaHash { of, combine, reduce } => {
                let bounded = hashes_stay_positive(*combine, of, key);
                match reduce.image(bounded) {
                    Ok(numbers) => numbers,
                    Err(count) => return Image::TooMany { count },
                }
            }
        };
        let mut salts: Vec<Vec<u8>> = numbers.into_iter().map(|number| self.write.number(number)).collect();
        salts.sort_unstable();
        salts.dedup();
        Image::Listed(salts)
    }

    /// Whether a row's Java hash can be `Integer.MIN_VALUE`, or any other negative number: not where the inputs are too
    /// short for it. `false` for a salt without a Java hash.
    pub fn hash_reaches_min_value(&self, key: &RowKey) -> bool {
        match &self.scheme {
            SaltScheme::JavaHash { of, combine, .. } => !hashes_stay_positive(*combine, of, key),
            _ => false,
        }
    }

    fn md5_image(&self, digits: usize) -> Image {
        let count = 1u128.checked_shl(4 * digits as u32).unwrap_or(u128::MAX);
        if count > MAX_LISTED {
            return Image::TooMany { count };
        }
        let salt = |number: u128| {
            let digest = number.checked_shl(128 - 4 * digits as u32).unwrap_or(number);
            let mut salt = Vec::new();
            self.write_digest(&digest.to_be_bytes(), digits, &mut salt);
            salt
        };
        let salts: BTreeSet<Vec<u8>> = (0..count).map(salt).collect();
        Image::Listed(salts.into_iter().collect())
    }

    /// The image by trying every row, where the inputs come from short lists of values.
    fn image_of_finite_inputs(&self, key: &RowKey) -> Option<Vec<Vec<u8>>> {
        if !self.is_computable() {
            return None;
        }
        let mut rows: Vec<Vec<Vec<u8>>> = vec![Vec::new()];
        for input in self.inputs(key) {
            let field = &key.fields[input.field];
            let FieldKind::Text(text) = &field.kind else { return None };
            let values = text.values.as_ref()?;
            if rows.len().checked_mul(values.len())? > MAX_COMBINATIONS {
                return None;
            }
            let images: BTreeSet<Vec<u8>> = values
                .iter()
                .filter_map(|v| input.bytes(field, &Value::Text(v.clone()), None).ok())
                .collect();
            rows = rows
                .iter()
                .flat_map(|row| {
                    images.iter().map(move |image| [row.as_slice(), std::slice::from_ref(image)].concat())
                })
                .collect();
        }
        let salts: BTreeSet<Vec<u8>> = rows.iter().filter_map(|inputs| self.compute(key, inputs)).collect();
        Some(salts.into_iter().collect())
    }

    /// Width of the salt in bytes when every salt has the same.
    pub fn fixed_width(&self, key: &RowKey) -> Option<usize> {
        match (self.write, &self.scheme) {
            (SaltWrite::Be16, _) => Some(2),
            (SaltWrite::Be32, _) => Some(4),
            (SaltWrite::Be64, _) => Some(8),
            (SaltWrite::Hex, SaltScheme::Md5 { first_hex_digits, .. }) => Some(*first_hex_digits),
            _ => match self.image(key) {
                Image::Listed(salts) => {
                    let first = salts.first()?.len();
                    salts.iter().all(|salt| salt.len() == first).then_some(first)
                }
                Image::TooMany { .. } => None,
            },
        }
    }

    /// Whether two rows with one salt have the same inputs: the salt is at least 64 bits of an MD5, and the inputs
    /// can be told apart in the text that is hashed.
    pub fn determines_inputs(&self, key: &RowKey) -> bool {
        let SaltScheme::Md5 { of: SaltInputs::List(inputs), joined_by, first_hex_digits } = &self.scheme
        else {
            return false;
        };
        let Some((_, before_last)) = inputs.split_last() else { return false };
        let is_whole = |input: &SaltInput| input.cut == Cut::Whole && !input.lower;
        let ends_are_certain = |input: &SaltInput| {
            let kind = &key.fields[input.field].kind;
            kind.fixed_width().is_some() || (!joined_by.is_empty() && !kind.may_hold_part_of(joined_by))
        };
        *first_hex_digits >= 16 && inputs.iter().all(is_whole) && before_last.iter().all(ends_are_certain)
    }

    /// Two salts of which one, with its separator, is a prefix of the other: rows of both lie in each other's
    /// ranges, and nothing can tell them apart.
    pub fn overlapping_pair(&self, key: &RowKey) -> Option<(Vec<u8>, Vec<u8>)> {
        let Image::Listed(salts) = self.image(key) else { return None };
        let written: Vec<Vec<u8>> = salts.iter().map(|salt| [salt.as_slice(), &self.then].concat()).collect();
        // Sorted, a prefix stands directly before one of its extensions.
        let mut sorted = written;
        sorted.sort_unstable();
        sorted
            .windows(2)
            .find(|pair| pair[1].starts_with(&pair[0]))
            .map(|pair| (pair[0].clone(), pair[1].clone()))
    }
}

impl SaltWrite {
    /// The bytes of a salt's number, without the separator.
    pub fn number(self, number: i128) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.append(number, &mut bytes);
        bytes
    }

    /// Appends the bytes of a salt's number.
    pub fn append(self, number: i128, out: &mut Vec<u8>) {
        match self {
            SaltWrite::Decimal { width } => match i64::try_from(number) {
                Ok(number) => write_decimal(number, width.unwrap_or(0), out),
                Err(_) => {
                    out.extend_from_slice(format!("{number:0width$}", width = width.unwrap_or(0)).as_bytes());
                }
            },
            SaltWrite::Hex if number < 0 => out.extend_from_slice(format!("{:x}", number as i32).as_bytes()),
            SaltWrite::Hex => out.extend_from_slice(format!("{number:x}").as_bytes()),
            // Narrowing as Java's casts: the low bytes.
            SaltWrite::Be16 => out.extend_from_slice(&(number as i16).to_be_bytes()),
            SaltWrite::Be32 => out.extend_from_slice(&(number as i32).to_be_bytes()),
            SaltWrite::Be64 => out.extend_from_slice(&(number as i64).to_be_bytes()),
        }
    }
}

const HEX_DIGITS: &[u8; 16] = b"0123456789abcdef";

/// The MD5 of the inputs, as the scheme joins them.
fn md5_of<'i>(
    key: &RowKey,
    of: &SaltInputs,
    joined_by: &[u8],
    inputs: impl Iterator<Item = &'i [u8]>,
) -> [u8; 16] {
    let mut md5 = Md5::new();
    match of {
        SaltInputs::List(_) => {
            for (index, input) in inputs.enumerate() {
                md5.update(if index > 0 { joined_by } else { &[] });
                md5.update(input);
            }
        }
        SaltInputs::Key => {
            for (field, input) in key.stored().zip(inputs) {
                md5.update(input);
                md5.update(&key.fields[field].then);
            }
        }
    }
    md5.finalize().into()
}

fn java_hash<'i>(combine: Combine, inputs: impl Iterator<Item = &'i [u8]> + Clone) -> i32 {
    match combine {
        Combine::Concat => java::utf8_hash_code(inputs),
        Combine::Xor => inputs.fold(0, |hash, input| hash ^ java::utf8_hash_code(std::iter::once(input))),
    }
}

impl Reduce {
    fn apply(self, hash: i32) -> i32 {
        match self {
            Reduce::Mask(mask) => hash & mask,
            Reduce::Modulo { by, abs: Abs::Before } => java::abs(hash).checked_rem(by).unwrap_or(0),
            Reduce::Modulo { by, abs: Abs::After } => java::abs(hash.checked_rem(by).unwrap_or(0)),
            Reduce::Modulo { by, abs: Abs::None } => hash.checked_rem(by).unwrap_or(0),
        }
    }

    /// Every number the reduction can give, or their count where they are too many to list.
    fn image(self, hash_is_never_negative: bool) -> Result<Vec<i128>, u128> {
        match self {
            Reduce::Mask(mask) => {
                let count = 1u128 << mask.count_ones();
                if count > MAX_LISTED { Err(count) } else { Ok(submasks(mask)) }
            }
            Reduce::Modulo { by, abs } => {
                let limit = i128::from(by.unsigned_abs());
                let lowest = if abs == Abs::None && !hash_is_never_negative { 1 - limit } else { 0 };
                let count = (limit - lowest).unsigned_abs();
                if count > MAX_LISTED {
                    return Err(count);
                }
                let mut numbers: Vec<i128> = (lowest..limit).collect();
                let of_min_value = i128::from(self.apply(i32::MIN));
                if abs == Abs::Before && !hash_is_never_negative && of_min_value < 0 {
                    numbers.push(of_min_value);
                }
                Ok(numbers)
            }
        }
    }
}

fn submasks(mask: i32) -> Vec<i128> {
    let mut all = vec![mask];
    let mut current = mask;
    while current != 0 {
        current = current.wrapping_sub(1) & mask;
        all.push(current);
    }
    all.into_iter().map(i128::from).collect()
}

/// Whether no input is long enough for its hash to pass 2^31: then it is never negative, nor is a xor of such.
fn hashes_stay_positive(combine: Combine, inputs: &[SaltInput], key: &RowKey) -> bool {
    let widest = |input: &SaltInput| -> Option<(u32, usize)> {
        let kind = &key.fields[input.field].kind;
        let width = match &input.cut {
            Cut::Format(format) => return Some((format.greatest_char() as u32, format.width())),
            // Lower-case letters lie above upper-case ones, and can be longer.
            _ if input.lower || !kind.is_ascii_in_key() => return None,
            Cut::Whole => kind.fixed_width()?,
            Cut::First(count) | Cut::Last(count) => (*count).min(kind.fixed_width().unwrap_or(usize::MAX)),
        };
        Some((highest_unit(kind), width))
    };
    let Some(widths) = inputs.iter().map(widest).collect::<Option<Vec<_>>>() else { return false };
    match combine {
        Combine::Xor => {
            widths.iter().all(|&(unit, width)| greatest_hash(unit, width) <= i128::from(i32::MAX))
        }
        Combine::Concat => {
            let unit = widths.iter().map(|&(unit, _)| unit).max().unwrap_or(0);
            let width = widths.iter().map(|&(_, width)| width).sum();
            greatest_hash(unit, width) <= i128::from(i32::MAX)
        }
    }
}

fn highest_unit(kind: &FieldKind) -> u32 {
    match kind {
        FieldKind::Text(text) => (text.chars.greatest() as u32).min(0x7F),
        _ => u32::from('~'),
    }
}

/// The hash of `width` times the highest unit, without the wrap at 32 bits.
fn greatest_hash(unit: u32, width: usize) -> i128 {
    (0..width.min(16)).fold(0i128, |hash, _| hash * 31 + i128::from(unit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Span;
    use crate::key::chars::Chars;
    use crate::key::layout::{CalendarField, TextField};
    use crate::key::time_format::TimeFormat;
    use crate::key::window::Window;

    fn text_field(name: &str, width: Option<usize>, chars: &str) -> Field {
        Field {
            name: name.into(),
            kind: FieldKind::Text(TextField {
                width,
                chars: Chars::parse(chars).unwrap(),
                values: None,
                reverse: false,
            }),
            stored: true,
            window: Window::default(),
            then: Vec::new(),
            span: Span::default(),
        }
    }

    fn day_field() -> Field {
        let format = TimeFormat::parse("yyyyMMdd").unwrap();
        Field {
            name: "day".into(),
            kind: FieldKind::Calendar(CalendarField { format, time_of_day: false }),
            stored: true,
            window: Window::default(),
            then: Vec::new(),
            span: Span::default(),
        }
    }

    fn salt(scheme: SaltScheme, write: SaltWrite) -> Salt {
        Salt { scheme, write, then: Vec::new(), span: Span::default() }
    }

    fn key(fields: Vec<Field>) -> RowKey {
        RowKey { salt: None, fields, span: Span::default() }
    }

    fn whole(field: usize) -> SaltInput {
        SaltInput { field, cut: Cut::Whole, lower: false }
    }

    #[test]
    fn md5_nibble_as_hive_computes_it() {
        let key = key(vec![day_field(), text_field("row_id", None, "utf8")]);
        let salt = salt(
            SaltScheme::Md5 { of: SaltInputs::Key, joined_by: Vec::new(), first_hex_digits: 1 },
            SaltWrite::Decimal { width: Some(3) },
        );
        // lpad(conv(substr(md5('20200406_u1'), 1, 1), 16, 10), 3, '0') = 009 on Hive 2.3.9 and 3.1.3.
        assert_eq!(salt.compute(&key, &[b"20200406".to_vec(), b"_u1".to_vec()]).unwrap(), b"009");
        let Image::Listed(salts) = salt.image(&key) else { panic!("too many") };
        assert_eq!(salts.len(), 16);
        assert_eq!(salts[15], b"015");
        assert_eq!(salt.overlapping_pair(&key), None);
    }

    #[test]
    fn region_number_as_java_computes_it() {
        let key = key(vec![text_field("tel", Some(11), "digits"), day_field()]);
        let month = TimeFormat::parse("yyyyMM").unwrap();
        let inputs = vec![
            SaltInput { field: 0, cut: Cut::Last(4), lower: false },
            SaltInput { field: 1, cut: Cut::Format(month), lower: false },
        ];
        let reduce = Reduce::Modulo { by: 6, abs: Abs::Before };
        let salt = salt(
            SaltScheme::JavaHash { of: inputs.clone(), combine: Combine::Xor, reduce },
            SaltWrite::Decimal { width: None },
        );
        let tel = inputs[0].bytes(&key.fields[0], &Value::Text("13800001234".into()), None).unwrap();
        let month = inputs[1].bytes(&key.fields[1], &Value::Number(18_358), None).unwrap();
        assert_eq!((tel.as_slice(), month.as_slice()), (&b"1234"[..], &b"202004"[..]));
        assert_eq!(salt.compute(&key, &[tel, month]).unwrap(), b"2");
        // Four and six digits cannot reach Integer.MIN_VALUE.
        assert_eq!(salt.image(&key).count(), 6);
    }

    #[test]
    fn free_text_reaches_the_negative_salt() {
        let key = key(vec![text_field("name", None, "utf8")]);
        let reduce = Reduce::Modulo { by: 6, abs: Abs::Before };
        let salt = salt(
            SaltScheme::JavaHash { of: vec![whole(0)], combine: Combine::Concat, reduce },
            SaltWrite::Decimal { width: None },
        );
        assert_eq!(salt.compute(&key, &[b"polygenelubricants".to_vec()]).unwrap(), b"-2");
        let Image::Listed(salts) = salt.image(&key) else { panic!("too many") };
        assert!(salts.contains(&b"-2".to_vec()));
        assert_eq!(salts.len(), 7);
    }

    #[test]
    fn unpadded_salts_without_separator_overlap() {
        let key = key(vec![text_field("name", None, "utf8")]);
        let mut salt = salt(SaltScheme::Random { below: 12 }, SaltWrite::Decimal { width: None });
        assert_eq!(salt.overlapping_pair(&key), Some((b"1".to_vec(), b"10".to_vec())));
        salt.then = b"_".to_vec();
        assert_eq!(salt.overlapping_pair(&key), None);
        let wide = self::salt(SaltScheme::Random { below: 1 << 40 }, SaltWrite::Be64);
        assert_eq!(wide.image(&key), Image::TooMany { count: 1 << 40 });
    }
}
