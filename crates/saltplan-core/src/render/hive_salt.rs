//! Salts as HiveQL: exactly what Java computes, or a condition under which it is.

use super::hive_field::{RowCheck, RowFault, concatenated, matches, reprinted};
use super::hive_text::literal;
use crate::refusal::{BinaryPart, Refusal};
use crate::schema::model::{
    Abs, Combine, Cut, Field, FieldKind, JavaHashSalt, Md5Salt, ModuloSalt, RandomSalt, Reduce, Salt,
    SaltInput, SaltInputs, SaltScheme, SaltWrite, Schema,
};

const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";

/// A salt's text and what must hold for it to be the right one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiveSalt {
    pub expression: String,
    pub exact_if: Vec<RowCheck>,
}

/// Refuses layouts with bytes that are no text.
///
/// # Errors
/// The part that is binary, and what to use instead.
pub fn check_text_layout(schema: &Schema) -> Result<(), Refusal> {
    let key = &schema.key;
    if let Some(salt) = &key.salt
        && salt.write.is_binary()
    {
        return Err(Refusal::BinaryKey { part: BinaryPart::Salt });
    }
    for index in key.stored() {
        let field = &key.fields[index];
        if !field.kind.is_text_in_key() {
            return Err(Refusal::BinaryKey { part: BinaryPart::Field(field.name.clone()) });
        }
    }
    Ok(())
}

/// A separator as a literal; `None` for no separator.
///
/// # Errors
/// It is no text.
pub fn separator(bytes: &[u8]) -> Result<Option<String>, Refusal> {
    match std::str::from_utf8(bytes) {
        Ok("") => Ok(None),
        Ok(text) => Ok(Some(literal(text))),
        Err(_) => Err(Refusal::BinaryKey { part: BinaryPart::Separator }),
    }
}

/// The salt of a row as text; `texts` are the stored texts of the fields.
///
/// # Errors
/// Why Hive cannot compute it.
pub fn salt(schema: &Schema, salt: &Salt, texts: &[String]) -> Result<HiveSalt, Refusal> {
    let builder = SaltBuilder { schema, salt, texts, exact_if: Vec::new() };
    builder.build().map_err(|reason| Refusal::SaltNotComputed { reason })
}

struct SaltBuilder<'a> {
    schema: &'a Schema,
    salt: &'a Salt,
    texts: &'a [String],
    exact_if: Vec<RowCheck>,
}

impl SaltBuilder<'_> {
    fn build(mut self) -> Result<HiveSalt, String> {
        let expression = match &self.salt.scheme {
            SaltScheme::Md5(Md5Salt { of, joined_by, first_hex_digits }) => {
                let text = self.digested(of, joined_by)?;
                self.written_hex(&text, *first_hex_digits)?
            }
            SaltScheme::JavaHash(JavaHashSalt { of, combine, reduce }) => {
                let hash = self.java_hash(of, *combine)?;
                self.written_number(&self.reduced(&hash, *reduce), true)?
            }
            SaltScheme::Modulo(ModuloSalt { field, by }) => {
                let number = self.number(*field)?;
                self.written_number(&format!("{number} % {}", signed(*by)), true)?
            }
            SaltScheme::BytesHash(_) => return Err("it has no function for a Java hash of bytes".into()),
            SaltScheme::Random(RandomSalt { below }) => {
                self.written_number(&format!("cast(floor(rand() * {below}) as bigint)"), false)?
            }
        };
        Ok(HiveSalt { expression, exact_if: self.exact_if })
    }

    fn field(&self, index: usize) -> &Field {
        &self.schema.key.fields[index]
    }

    fn digested(&mut self, of: &SaltInputs, joined_by: &[u8]) -> Result<String, String> {
        let mut parts = Vec::new();
        match of {
            SaltInputs::Key => {
                let stored: Vec<usize> = self.schema.key.stored().collect();
                for index in stored {
                    parts.push(self.texts[index].clone());
                    parts.extend(text_literal(&self.field(index).separator)?);
                }
            }
            SaltInputs::List(inputs) => {
                for (position, input) in inputs.iter().enumerate() {
                    if position > 0 {
                        parts.extend(text_literal(joined_by)?);
                    }
                    parts.push(self.input(input)?);
                }
            }
        }
        Ok(concatenated(&parts))
    }

    /// What the salt sees of a field.
    fn input(&mut self, input: &SaltInput) -> Result<String, String> {
        let field = self.field(input.field);
        if !field.kind.is_text_in_key() {
            return Err(format!("`{}` feeds it as binary", field.name));
        }
        let (name, kind) = (field.name.clone(), field.kind.clone());
        let stored = self.texts[input.field].clone();
        let is_ascii = kind.is_ascii_in_key();
        let cut = match &input.cut {
            Cut::Whole => stored,
            Cut::Format(format) => match &kind {
                FieldKind::Calendar(calendar) => reprinted(calendar, &stored, format)?,
                _ => {
                    return Err(format!(
                        "`{name}` is an instant, which Hive formats in the time zone of its session"
                    ));
                }
            },
            Cut::First(_) | Cut::Last(_) if !is_ascii => {
                // Hive cuts Java's UTF-16 units, and so through the middle of a character above U+FFFF.
                self.require(
                    matches(&stored, r"[\x{0}-\x{FFFF}]*"),
                    format!("{name} has a character above U+FFFF"),
                );
                cut_text(&stored, &input.cut)
            }
            Cut::Last(count) if kind.fixed_width().is_some_and(|width| width >= *count) => {
                format!("substr({stored}, -{count})")
            }
            Cut::First(_) | Cut::Last(_) => cut_text(&stored, &input.cut),
        };
        if !input.lower {
            return Ok(cut);
        }
        if !is_ascii {
            self.require_ascii(&cut, &name);
        }
        // `lower` follows the locale of the server.
        Ok(format!("translate({cut}, '{UPPER}', '{LOWER}')"))
    }

    fn require(&mut self, condition: String, message: String) {
        let check = RowCheck::new(RowFault::Unchecked, condition, message);
        if !self.exact_if.contains(&check) {
            self.exact_if.push(check);
        }
    }

    fn require_ascii(&mut self, text: &str, name: &str) {
        self.require(matches(text, r"[\x{0}-\x{7F}]*"), format!("{name} is not ASCII"));
    }

    /// Hive's `hash` runs over UTF-8 bytes, Java's `hashCode` over UTF-16 units: equal for ASCII alone.
    fn java_hash(&mut self, inputs: &[SaltInput], combine: Combine) -> Result<String, String> {
        let mut texts = Vec::new();
        for input in inputs {
            let text = self.input(input)?;
            let (kind, name) = (&self.field(input.field).kind, self.field(input.field).name.clone());
            if !kind.is_ascii_in_key() {
                self.require_ascii(&text, &name);
            }
            texts.push(text);
        }
        Ok(match combine {
            Combine::Concat => format!("hash({})", concatenated(&texts)),
            Combine::Xor => texts.iter().map(|text| format!("hash({text})")).collect::<Vec<_>>().join(" ^ "),
        })
    }

    fn reduced(&self, hash: &str, reduce: Reduce) -> String {
        let bare = hash;
        let hash = if bare.contains(" ^ ") { format!("({bare})") } else { bare.to_string() };
        match reduce {
            Reduce::Mask(mask) => format!("({hash} & {})", signed(i64::from(mask))),
            Reduce::Modulo { by, abs: Abs::After } => format!("abs({hash} % {})", signed(i64::from(by))),
            Reduce::Modulo { by, abs: Abs::None } => format!("{hash} % {}", signed(i64::from(by))),
            Reduce::Modulo { by, abs: Abs::Before } => {
                let reduced = format!("abs({bare}) % {}", signed(i64::from(by)));
                if self.least_hash_is_reachable() {
                    // Vectorised Hive computes with 64 bits, where this hash has an absolute value.
                    let trap = i32::MIN.checked_rem(by).unwrap_or(0);
                    format!("CASE WHEN {hash} = {} THEN {trap} ELSE {reduced} END", i32::MIN)
                } else {
                    reduced
                }
            }
        }
    }

    fn least_hash_is_reachable(&self) -> bool {
        !self.salt.shows_no_sign(&self.salt.image(&self.schema.key))
    }

    /// The number of an integer field, from its stored text.
    fn number(&self, index: usize) -> Result<String, String> {
        let field = self.field(index);
        let Some(number) = field.kind.number() else {
            return Err(format!("`{}` is no number", field.name));
        };
        if !number.is_text() {
            return Err(format!("`{}` feeds it as binary", field.name));
        }
        let stored = format!("cast({} as bigint)", self.texts[index]);
        Ok(match number.minuend() {
            Some(max) => format!("({max} - {stored})"),
            None => stored,
        })
    }

    fn written_hex(&self, text: &str, digits: usize) -> Result<String, String> {
        let hex =
            if digits >= 32 { format!("md5({text})") } else { format!("substr(md5({text}), 1, {digits})") };
        match self.salt.write {
            SaltWrite::Hex => Ok(hex),
            SaltWrite::Decimal { width: None } => Ok(format!("conv({hex}, 16, 10)")),
            SaltWrite::Decimal { width: Some(width) } => {
                Ok(format!("lpad(conv({hex}, 16, 10), {width}, '0')"))
            }
            SaltWrite::BigEndian { .. } => Err("it is stored as binary".into()),
        }
    }

    fn written_number(&self, number: &str, may_be_negative: bool) -> Result<String, String> {
        match self.salt.write {
            SaltWrite::Decimal { width: None } => Ok(format!("cast({number} as string)")),
            // As Java's `%03d`: the sign counts as one of the digits.
            SaltWrite::Decimal { width: Some(width) } => Ok(format!("printf('%0{width}d', {number})")),
            // Negative numbers have eight digits in Java and sixteen in Hive.
            SaltWrite::Hex if may_be_negative => {
                Ok(format!("lower(hex(CASE WHEN {number} < 0 THEN {number} & 4294967295 ELSE {number} END))"))
            }
            SaltWrite::Hex => Ok(format!("lower(hex({number}))")),
            SaltWrite::BigEndian { .. } => Err("it is stored as binary".into()),
        }
    }
}

fn text_literal(bytes: &[u8]) -> Result<Option<String>, String> {
    separator(bytes).map_err(|_| "a separator is no text".to_string())
}

fn cut_text(text: &str, cut: &Cut) -> String {
    match cut {
        Cut::First(count) => format!("substr({text}, 1, {count})"),
        // A negative start beyond the text gives nothing, not all of it.
        Cut::Last(count) => format!("substr({text}, greatest(length({text}) - {count}, 0) + 1)"),
        Cut::Whole | Cut::Format(_) => text.to_string(),
    }
}

fn signed(number: i64) -> String {
    if number < 0 { format!("({number})") } else { number.to_string() }
}
