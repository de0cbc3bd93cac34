//! Salts as HiveQL: exactly what Java computes, or a condition under which it is.

use crate::hive::field::{RowCheck, RowFault, matches, number, reprinted, written};
use crate::hive::not_in_hive::NotInHive;
use crate::key::field::{Field, FieldId, FieldKind, FieldVec};
use crate::key::salt::{
    Abs, Alphabet, Charset, Combine, Cut, FUNCTIONS, Hash, HashSalt, HashedText, HexDigits, ModuloSalt,
    Object, RandomSalt, Reduction, Salt, SaltInput, SaltInputs, SaltScheme, SaltWrite, Take, TextSalt,
    Window,
};
use crate::refusal::{BinaryPart, Refusal};
use crate::schema::model::Schema;
use saltplan_sql::ast::{BinaryOperator, Expr};
use saltplan_sql::build::Case;
use saltplan_sql::functions::{
    ABS, CONV, CRC32, ENCODE, FLOOR, Function, GREATEST, HASH, HEX, LOWER, LPAD, MD5, MURMUR_HASH, RAND,
    REGEXP_REPLACE, REVERSE, SHA1, SHA2, SUBSTR, TRANSLATE,
};
use saltplan_sql::hive_type::Type;

/// The seed of `murmur_hash`, which Hive 3 has and Hive 2 does not. It is `MurmurHash3_x86_32` of UTF-8, except that
/// the last one to three bytes after the last block of four are added as signed bytes, so that texts with non-ASCII
/// bytes there differ (measured on 3.1.3).
const MURMUR_SEED: i64 = 104_729;

const UPPER_LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER_LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";

/// The text of a salt, and the condition under which it is the right one.
#[derive(Debug, Clone, PartialEq)]
pub struct HiveSalt {
    pub expression: Expr,
    pub exact_if: Vec<RowCheck>,
}

/// Refuses layouts with bytes that are not text.
///
/// # Errors
/// The part that is binary, and what to use instead.
pub(crate) fn check_text_layout(schema: &Schema) -> Result<(), Refusal> {
    let key = &schema.key;
    if let Some(salt) = &key.salt
        && salt.write.is_binary()
    {
        return Err(Refusal::BinaryKey { part: BinaryPart::Salt });
    }
    for id in key.stored() {
        let field = &key.fields[id];
        if !field.kind.is_text_in_key() {
            return Err(Refusal::BinaryKey { part: BinaryPart::Field(field.name.clone()) });
        }
    }
    Ok(())
}

/// A separator as a literal; `None` for no separator.
///
/// # Errors
/// The separator is not text.
pub fn separator(bytes: &[u8]) -> Result<Option<Expr>, Refusal> {
    match std::str::from_utf8(bytes) {
        Ok("") => Ok(None),
        Ok(text) => Ok(Some(Expr::text(text))),
        Err(_) => Err(Refusal::BinaryKey { part: BinaryPart::Separator }),
    }
}

/// The salt of a row as text; `texts` are the stored texts of the fields.
///
/// # Errors
/// Why Hive cannot compute it.
pub fn salt(schema: &Schema, salt: &Salt, texts: &FieldVec<Expr>) -> Result<HiveSalt, Refusal> {
    with_part(schema, salt, texts, None)
}

/// The salts of a row that `verify` accepts, each as text: one, or one for each random part.
///
/// # Errors
/// Why Hive cannot compute them.
pub fn salts(schema: &Schema, salt: &Salt, texts: &FieldVec<Expr>) -> Result<Vec<HiveSalt>, Refusal> {
    match salt.spread {
        Some(spread) => (0..spread.below).map(|part| with_part(schema, salt, texts, Some(part))).collect(),
        None => Ok(vec![with_part(schema, salt, texts, None)?]),
    }
}

/// The stored text of a field that holds a hash; `texts` are the stored texts of the fields.
///
/// # Errors
/// Why Hive cannot compute it.
pub fn hash_in_field(
    schema: &Schema,
    id: FieldId,
    hash: &Salt,
    texts: &FieldVec<Expr>,
) -> Result<HiveSalt, Refusal> {
    let HiveSalt { expression, exact_if } = with_part(schema, hash, texts, None)?;
    let expression = match schema.key.fields[id].kind.number() {
        Some(form) => written(&expression.cast(Type::BigInt), form),
        None => expression,
    };
    Ok(HiveSalt { expression, exact_if })
}

fn with_part(
    schema: &Schema,
    salt: &Salt,
    texts: &FieldVec<Expr>,
    part: Option<u32>,
) -> Result<HiveSalt, Refusal> {
    let builder = SaltBuilder { schema, salt, texts, part, exact_if: Vec::new() };
    builder.build().map_err(|reason| Refusal::SaltNotComputed { reason: reason.into() })
}

/// A hash as Hive computes it.
enum Hashed {
    /// The hex digits of a digest, in lower case.
    Hex(Expr),
    /// A number of 32 bits without sign.
    Unsigned(Expr),
    /// A number of 32 bits with sign.
    Signed(Expr),
}

impl Hashed {
    fn hex(&self) -> Result<Expr, NotInHive> {
        match self {
            Hashed::Hex(hex) => Ok(hex.clone()),
            Hashed::Unsigned(number) => {
                let digits = Expr::call(&LOWER, [Expr::call(&HEX, [number.clone()])]);
                Ok(Expr::call(&LPAD, [digits, 8.into(), Expr::text("0")]))
            }
            Hashed::Signed(number) => {
                let bits = number.binary(BinaryOperator::BitwiseAnd, &Expr::number(u32::MAX));
                Hashed::Unsigned(bits.bracketed()).hex()
            }
        }
    }
}

struct SaltBuilder<'a> {
    schema: &'a Schema,
    salt: &'a Salt,
    texts: &'a FieldVec<Expr>,
    /// The random part of the salt; `None` if Hive draws it.
    part: Option<u32>,
    exact_if: Vec<RowCheck>,
}

impl SaltBuilder<'_> {
    fn build(mut self) -> Result<HiveSalt, NotInHive> {
        let expression = match &self.salt.scheme {
            SaltScheme::Hash(hash) => self.hash(hash)?,
            SaltScheme::Modulo(ModuloSalt { field, by }) => {
                let number = self.number(*field)?;
                self.written_number(&number.binary(BinaryOperator::Modulo, &Expr::number(*by)), true)?
            }
            SaltScheme::Text(TextSalt { of, .. }) => self.input(of)?,
            SaltScheme::Unknown(_) => return Err(NotInHive::UnknownRule),
            SaltScheme::Random(RandomSalt { below }) => self.written_number(&random_below(*below), false)?,
        };
        let written = text_literal(&self.salt.behind)?.into_iter().chain([expression]);
        Ok(HiveSalt { expression: Expr::concatenated(written.collect()), exact_if: self.exact_if })
    }

    fn field(&self, id: FieldId) -> &Field {
        &self.schema.key.fields[id]
    }

    fn hash(&mut self, salt: &HashSalt) -> Result<Expr, NotInHive> {
        let hash = match salt.hash {
            Hash::StringCode => Hashed::Signed(self.java_hash(&salt.of, &salt.joined_by, salt.combine)?),
            Hash::LongCode | Hash::ObjectsCode => Hashed::Signed(self.hash_of_objects(salt)?),
            Hash::BytesCode => return Err(NotInHive::NoHashOfBytes),
            _ => self.digest(salt)?,
        };
        match &salt.take {
            Take::HexDigits(HexDigits { first: 1, count }) if *count == salt.hash.hex_digits() => {
                self.written_hex(hash.hex()?, *count)
            }
            Take::HexDigits(HexDigits { first, count }) => {
                self.written_hex(hash.hex()?.substr(*first, *count), *count)
            }
            Take::Number(reduction) => self.number_of_hash(salt.hash, &hash, reduction),
        }
    }

    /// The hash as hex digits, or as a number if it has 32 bits.
    fn digest(&mut self, salt: &HashSalt) -> Result<Hashed, NotInHive> {
        let text = self.joined(&salt.of, &salt.joined_by)?;
        let text = match salt.charset {
            Some(charset) => self.in_charset(text, charset, salt),
            None => text,
        };
        let of = |function: &'static Function| Expr::call(function, [text.clone()]);
        Ok(match salt.hash {
            Hash::Crc32 => Hashed::Unsigned(of(&CRC32)),
            Hash::Murmur3x32 if salt.seed == MURMUR_SEED => {
                if let Some(charset) = salt.charset {
                    return Err(NotInHive::MurmurCharset { charset: charset.name() });
                }
                self.ascii_inputs(&salt.of, &salt.joined_by)?;
                let bits = of(&MURMUR_HASH).binary(BinaryOperator::BitwiseAnd, &Expr::number(u32::MAX));
                Hashed::Unsigned(bits.bracketed())
            }
            Hash::Md5 => Hashed::Hex(of(&MD5)),
            Hash::Sha1 => Hashed::Hex(of(&SHA1)),
            Hash::Sha256 => Hashed::Hex(Expr::call(&SHA2, [text.clone(), 256.into()])),
            Hash::Murmur3x32 => return Err(NotInHive::MurmurSeed { seed: MURMUR_SEED }),
            hash => return Err(NotInHive::NoDigest { hash: FUNCTIONS.word(hash) }),
        })
    }

    /// A number made of a hash, as the salt stores it.
    fn number_of_hash(&self, hash: Hash, hashed: &Hashed, reduction: &Reduction) -> Result<Expr, NotInHive> {
        if let Some(digits) = reduction.digits {
            return self.number_of_digits(digits, &hashed.hex()?, reduction);
        }
        match (hashed, reduction.modulo) {
            (Hashed::Signed(number), _) if reduction.signed => {
                self.written_number(&self.reduced(number, reduction), true)
            }
            (Hashed::Signed(number), _) => {
                let bits = number.binary(BinaryOperator::BitwiseAnd, &Expr::number(u32::MAX)).bracketed();
                self.written_number(&self.reduced(&bits, reduction), false)
            }
            (Hashed::Unsigned(number), _) if !reduction.signed => {
                self.written_number(&self.reduced(number, reduction), false)
            }
            (Hashed::Unsigned(number), _) => {
                let is_negative = number.binary(BinaryOperator::Gt, &Expr::number(i32::MAX));
                let wrapped = number.binary(BinaryOperator::Minus, &Expr::number(1_i64 << 32));
                let signed = Case::when(&is_negative, &wrapped).or_else(number);
                self.written_number(&self.reduced(&signed, reduction), true)
            }
            (Hashed::Hex(hex), Some(by)) if !reduction.signed => {
                let rest = remainder_of_hex(hex, hash.hex_digits(), by);
                self.written_number(&rest, false)
            }
            // Digests of more than 64 bits have no sign.
            (Hashed::Hex(_), _) => Err(NotInHive::NoDigest { hash: FUNCTIONS.word(hash) }),
        }
    }

    /// A number made of some hex digits of a hash.
    fn number_of_digits(
        &self,
        digits: HexDigits,
        hex: &Expr,
        reduction: &Reduction,
    ) -> Result<Expr, NotInHive> {
        let taken = hex.substr(digits.first, digits.count);
        match (digits.count > DIGITS_OF_A_BIGINT, reduction.modulo) {
            (true, Some(by)) if !reduction.signed && reduction.mask.is_none() => {
                self.written_number(&remainder_of_hex(&taken, digits.count, by), false)
            }
            (true, _) => Err(NotInHive::ManyDigits),
            (false, _) => {
                let number = Expr::call(&CONV, [taken, 16.into(), 10.into()]).cast(Type::BigInt);
                if !reduction.signed {
                    return self.written_number(&self.reduced(&number, reduction), false);
                }
                let bits = 4 * digits.count;
                let is_negative = number.binary(BinaryOperator::GtEq, &Expr::number(1_i64 << (bits - 1)));
                let wrapped = number.binary(BinaryOperator::Minus, &Expr::number(1_i64 << bits));
                let signed = Case::when(&is_negative, &wrapped).or_else(&number);
                // Java's `int` and `long`, to which a shorter number is widened, have other sign bits.
                if bits > 32 && matches!(reduction.abs, Abs::Mask) {
                    return Err(NotInHive::ManyDigits);
                }
                self.written_number(&self.reduced(&signed, reduction), true)
            }
        }
    }

    /// The text that is hashed: the inputs and the bytes between them.
    fn joined(&mut self, of: &SaltInputs, joined_by: &[u8]) -> Result<Expr, NotInHive> {
        let HashedText { before, inputs, window } = of.text(&self.schema.key.fields, joined_by);
        let is_cut = matches!(of, SaltInputs::KeyBytes { .. });
        let mut parts: Vec<Expr> = text_literal(&before)?.into_iter().collect();
        for (input, behind) in &inputs {
            let field = self.field(input.field);
            // The window counts bytes, Hive counts characters.
            if is_cut && field.kind.is_text_in_key() && !field.kind.is_ascii_in_key() {
                return Err(NotInHive::WideCharacters { field: field.name.clone() });
            }
            parts.push(self.input(input)?);
            parts.extend(text_literal(behind)?);
        }
        let text = Expr::concatenated(parts);
        if window == Window::ALL {
            return Ok(text);
        }
        if !before.is_ascii() || !inputs.iter().all(|(_, behind)| behind.is_ascii()) {
            return Err(NotInHive::WideSeparator);
        }
        Ok(text.substr(window.start + 1, window.stop - window.start))
    }

    /// The part of a field that is an input of the salt.
    fn input(&mut self, input: &SaltInput) -> Result<Expr, NotInHive> {
        let field = self.field(input.field);
        if !field.kind.is_text_in_key() {
            return Err(NotInHive::FeedsSaltAsBinary { field: field.name.clone() });
        }
        let (name, kind) = (field.name.clone(), field.kind.clone());
        let stored = self.texts[input.field].clone();
        let is_ascii = kind.is_ascii_in_key();
        let cut = match &input.cut {
            Cut::Whole => stored,
            Cut::Bytes { from, to } => stored.substr(from + 1, to - from),
            // Texts that are padded or inverted are not text in the key.
            Cut::Original => match &kind {
                FieldKind::Text(_) => Expr::call(&REVERSE, [stored]),
                _ => number(&kind, &stored, &Type::String.into()),
            },
            Cut::Format(format) => match &kind {
                FieldKind::Calendar(calendar) => reprinted(calendar, &stored, format.printed())?,
                _ => {
                    return Err(NotInHive::FormattedInstant { field: name });
                }
            },
            Cut::First(_) | Cut::Last(_) if !is_ascii => {
                // Hive cuts by Java's UTF-16 units, which can split a character above U+FFFF.
                self.require(
                    matches(&stored, r"[\x{0}-\x{FFFF}]*"),
                    format!("{name} has a character above U+FFFF"),
                );
                cut_text(&stored, &input.cut)
            }
            Cut::Last(count) if kind.fixed_width().is_some_and(|width| width >= *count) => {
                stored.substr_from(Expr::number(format_args!("-{count}")))
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
        Ok(Expr::call(&TRANSLATE, [cut, Expr::text(UPPER_LETTERS), Expr::text(LOWER_LETTERS)]))
    }

    fn require(&mut self, condition: Expr, message: String) {
        let check = RowCheck::new(RowFault::Unchecked, condition, message);
        if !self.exact_if.contains(&check) {
            self.exact_if.push(check);
        }
    }

    fn require_ascii(&mut self, text: &Expr, name: &str) {
        self.require(matches(text, r"[\x{0}-\x{7F}]*"), format!("{name} is not ASCII"));
    }

    /// The inputs of a hash that Hive computes correctly only for ASCII.
    fn ascii_inputs(&mut self, of: &SaltInputs, joined_by: &[u8]) -> Result<Vec<Expr>, NotInHive> {
        let key = &self.schema.key;
        let separators_are_ascii = match of {
            SaltInputs::Key | SaltInputs::KeyBytes { .. } => {
                key.stored().all(|id| key.fields[id].separator.is_ascii())
            }
            SaltInputs::List(_) => joined_by.is_ascii(),
        };
        if !separators_are_ascii {
            return Err(NotInHive::HashedSeparator);
        }
        let mut texts = Vec::new();
        for input in of.list(&key.fields) {
            let text = self.input(&input)?;
            let (kind, name) = (&self.field(input.field).kind, self.field(input.field).name.clone());
            if !kind.is_ascii_in_key() {
                self.require_ascii(&text, &name);
            }
            texts.push(text);
        }
        Ok(texts)
    }

    /// Hive's `hash` runs over UTF-8 bytes, Java's `hashCode` over UTF-16 units: they are equal only for
    /// ASCII.
    fn java_hash(&mut self, of: &SaltInputs, joined_by: &[u8], combine: Combine) -> Result<Expr, NotInHive> {
        let texts = self.ascii_inputs(of, joined_by)?;
        let hash = |text| Expr::call(&HASH, [text]);
        Ok(match combine {
            Combine::Concat => hash(self.joined(of, joined_by)?),
            Combine::Xor => {
                let hashes = texts.into_iter().map(hash);
                hashes
                    .reduce(|all, one| all.binary(BinaryOperator::BitwiseXor, &one))
                    .ok_or(NotInHive::NothingToHash)?
            }
        })
    }

    /// Hive's `hash` combines its arguments as `Arrays.hashCode` combines objects, but starts from 0: the first argument is the seed.
    fn hash_of_objects(&mut self, salt: &HashSalt) -> Result<Expr, NotInHive> {
        let mut arguments = Vec::new();
        if salt.seed != 0 {
            arguments.push(Expr::number(salt.seed).cast(Type::Int));
        }
        for input in salt.of.list(&self.schema.key.fields) {
            let field = self.field(input.field);
            let (name, kind) = (field.name.clone(), field.kind.clone());
            let hive_type = match Object::of(salt.hash, &input, &kind) {
                Object::Long => Type::BigInt,
                Object::Integer => Type::Int,
                Object::String => {
                    let text = self.input(&input)?;
                    if !kind.is_ascii_in_key() {
                        self.require_ascii(&text, &name);
                    }
                    arguments.push(text);
                    continue;
                }
            };
            if !kind.is_text_in_key() {
                return Err(NotInHive::FeedsSaltAsBinary { field: name });
            }
            arguments.push(number(&kind, &self.texts[input.field], &hive_type.into()));
        }
        Ok(Expr::call(&HASH, arguments))
    }

    /// The bytes of a text in another charset. `encode` fails for a character that the charset lacks.
    fn in_charset(&self, text: Expr, charset: Charset, salt: &HashSalt) -> Expr {
        let fields = &self.schema.key.fields;
        let HashedText { before, inputs, .. } = salt.of.text(fields, &salt.joined_by);
        let is_ascii = before.is_ascii()
            && inputs
                .iter()
                .all(|(input, behind)| behind.is_ascii() && is_ascii_input(&fields[input.field], input));
        if is_ascii && charset.is_narrow() {
            return text;
        }
        let others = format!(r"[^\x{{0}}-\x{{{:X}}}]", u32::from(charset.greatest()));
        let known = match charset.is_narrow() {
            true => Expr::call(&REGEXP_REPLACE, [text, Expr::text(&others), Expr::text("?")]),
            false => text,
        };
        match charset {
            Charset::UsAscii => known,
            _ => Expr::call(&ENCODE, [known, Expr::text(charset.name())]),
        }
    }

    fn reduced(&self, hash: &Expr, reduction: &Reduction) -> Expr {
        let masked = |mask: i64| hash.binary(BinaryOperator::BitwiseAnd, &Expr::number(mask)).bracketed();
        let absolute = |number: &Expr| Expr::call(&ABS, [number.clone()]);
        let kept = reduction.mask.map_or_else(|| hash.clone(), masked);
        let Some(by) = reduction.modulo else {
            return match reduction.abs {
                Abs::None => kept,
                Abs::Before | Abs::After if self.least_hash_is_reachable() => {
                    let least = Expr::number(i32::MIN);
                    let is_least = hash.binary(BinaryOperator::Eq, &least);
                    Case::when(&is_least, &least).or_else(&absolute(&kept))
                }
                Abs::Before | Abs::After => absolute(&kept),
                Abs::Mask => masked(i32::MAX.into()),
            };
        };
        let modulo = |number: &Expr| number.binary(BinaryOperator::Modulo, &Expr::number(by));
        match reduction.abs {
            Abs::After => absolute(&modulo(&kept)),
            Abs::Mask => modulo(&masked(i32::MAX.into())),
            Abs::None => modulo(&kept),
            Abs::Before => {
                let reduced = modulo(&absolute(&kept));
                if self.least_hash_is_reachable() {
                    // Vectorised, Hive computes with 64 bits, in which the smallest 32-bit hash has an
                    // absolute value.
                    let trap = Expr::number(i32::MIN.checked_rem(by).unwrap_or(0));
                    let is_least = hash.binary(BinaryOperator::Eq, &Expr::number(i32::MIN));
                    Case::when(&is_least, &trap).or_else(&reduced)
                } else {
                    reduced
                }
            }
        }
    }

    fn least_hash_is_reachable(&self) -> bool {
        !self.salt.shows_no_sign(&self.salt.domain(&self.schema.key.fields))
    }

    /// The number of an integer field, from its stored text.
    fn number(&self, id: FieldId) -> Result<Expr, NotInHive> {
        let field = self.field(id);
        let Some(number) = field.kind.number() else {
            return Err(NotInHive::NumberNeeded { field: field.name.clone() });
        };
        if !number.is_text() {
            return Err(NotInHive::FeedsSaltAsBinary { field: field.name.clone() });
        }
        let stored = self.texts[id].cast(Type::BigInt);
        Ok(match number.minuend() {
            Some(max) => Expr::number(max).binary(BinaryOperator::Minus, &stored),
            None => stored,
        })
    }

    fn written_hex(&self, hex: Expr, digits: usize) -> Result<Expr, NotInHive> {
        let decimal = |hex: Expr| Expr::call(&CONV, [hex, 16.into(), 10.into()]);
        match self.salt.write {
            SaltWrite::Hex => Ok(hex),
            SaltWrite::UpperHex => Ok(in_capitals(hex)),
            SaltWrite::Decimal { width: None } => Ok(decimal(hex)),
            SaltWrite::Decimal { width: Some(width) } => {
                Ok(Expr::call(&LPAD, [decimal(hex), width.into(), Expr::text("0")]))
            }
            SaltWrite::Alphabet { .. } if digits > DIGITS_OF_A_BIGINT => Err(NotInHive::ManyDigits),
            SaltWrite::Alphabet { .. } => self.written_plain(&decimal(hex).cast(Type::BigInt), false),
            SaltWrite::BigEndian { .. } | SaltWrite::Bytes | SaltWrite::Text => {
                Err(NotInHive::WrittenAsBinary)
            }
        }
    }

    /// A number as the salt stores it, after a random part is added.
    fn written_number(&self, number: &Expr, may_be_negative: bool) -> Result<Expr, NotInHive> {
        let Some(spread) = self.salt.spread else { return self.written_plain(number, may_be_negative) };
        let part = match self.part {
            Some(part) => Expr::number(part),
            None => random_below(spread.below),
        };
        let sum = number.binary(BinaryOperator::Plus, &part);
        let number = match spread.modulo {
            Some(by) => sum.bracketed().binary(BinaryOperator::Modulo, &Expr::number(by)),
            None => sum.bracketed(),
        };
        self.written_plain(&number, false)
    }

    fn written_plain(&self, number: &Expr, may_be_negative: bool) -> Result<Expr, NotInHive> {
        // Hive's `hex` writes capitals.
        let hex = |number: Expr| {
            let hex = Expr::call(&HEX, [number]);
            if self.salt.write == SaltWrite::UpperHex { hex } else { Expr::call(&LOWER, [hex]) }
        };
        match self.salt.write {
            SaltWrite::Decimal { width: None } => Ok(number.cast(Type::String)),
            SaltWrite::Decimal { width: Some(width) } => Ok(number.zero_filled(width)),
            // Negative numbers have eight digits in Java and sixteen in Hive.
            SaltWrite::Hex | SaltWrite::UpperHex if may_be_negative => {
                let is_negative = number.binary(BinaryOperator::Lt, &0.into());
                let low_half = number.binary(BinaryOperator::BitwiseAnd, &Expr::number(u32::MAX));
                Ok(hex(Case::when(&is_negative, &low_half).or_else(number)))
            }
            SaltWrite::Hex | SaltWrite::UpperHex => Ok(hex(number.clone())),
            SaltWrite::Alphabet { alphabet, width } => {
                let is_one = || {
                    let greatest = self.salt.numbers(&self.schema.key.fields).range();
                    greatest.is_some_and(|range| *range.end() < alphabet.count() as i128)
                };
                let width = width.or_else(|| is_one().then_some(1)).ok_or(NotInHive::OpenAlphabet)?;
                let is_drawn = matches!(self.salt.scheme, SaltScheme::Random(_))
                    || self.salt.spread.is_some() && self.part.is_none();
                // Each digit would be of another random number.
                if is_drawn && width > 1 {
                    return Err(NotInHive::RandomDigits);
                }
                Ok(in_alphabet(number, alphabet, width))
            }
            SaltWrite::BigEndian { .. } | SaltWrite::Bytes | SaltWrite::Text => {
                Err(NotInHive::WrittenAsBinary)
            }
        }
    }
}

/// Whether every character of an input is ASCII.
fn is_ascii_input(field: &Field, input: &SaltInput) -> bool {
    match &input.cut {
        Cut::Format(_) => true,
        Cut::Original if field.kind.number().is_some() => true,
        _ => field.kind.is_ascii_in_key(),
    }
}

/// So many hex digits are a number of 64 bits with a sign.
const DIGITS_OF_A_BIGINT: usize = 15;

/// Hex digits of one step of a remainder: 48 bits, so that no step exceeds 64 bits.
const DIGITS_OF_A_STEP: usize = 12;

/// The remainder of a number of many hex digits, some digits at a time.
fn remainder_of_hex(hex: &Expr, digits: usize, by: i32) -> Expr {
    let modulo = |number: &Expr| number.clone().bracketed().binary(BinaryOperator::Modulo, &Expr::number(by));
    let mut rest: Option<Expr> = None;
    for first in (0..digits).step_by(DIGITS_OF_A_STEP) {
        let count = DIGITS_OF_A_STEP.min(digits - first);
        let step = Expr::call(&CONV, [hex.substr(first + 1, count), 16.into(), 10.into()]).cast(Type::BigInt);
        rest = Some(match rest {
            None => step.binary(BinaryOperator::Modulo, &Expr::number(by)),
            Some(rest) => {
                let weight = Expr::number((1_i64 << (4 * count)) % i64::from(by));
                modulo(&rest.binary(BinaryOperator::Multiply, &weight).binary(BinaryOperator::Plus, &step))
            }
        });
    }
    rest.unwrap_or_else(|| Expr::number(0))
}

/// The digits of a number from 0 on, each a character of an alphabet.
fn in_alphabet(number: &Expr, alphabet: Alphabet, width: usize) -> Expr {
    let count = alphabet.count() as i64;
    let digit = |place: usize| {
        let weight = count.checked_pow(place as u32);
        // Beyond the greatest weight of 64 bits there are only zeros.
        let Some(weight) = weight else { return Expr::text(&alphabet.text()[..1]) };
        let above = match weight {
            1 => number.clone().bracketed(),
            weight => {
                let above =
                    number.clone().bracketed().binary(BinaryOperator::IntegerDivide, &Expr::number(weight));
                above.bracketed()
            }
        };
        let place = above.binary(BinaryOperator::Modulo, &Expr::number(count));
        let place = place.binary(BinaryOperator::Plus, &1.into()).cast(Type::Int);
        Expr::call(&SUBSTR, [Expr::text(alphabet.text()), place, 1.into()])
    };
    Expr::concatenated((0..width).rev().map(digit).collect())
}

/// A random number from 0 on. Hive computes it once for each row.
fn random_below(below: impl std::fmt::Display) -> Expr {
    let random = Expr::call(&RAND, []).binary(BinaryOperator::Multiply, &Expr::number(below));
    Expr::call(&FLOOR, [random]).cast(Type::BigInt)
}

/// `upper` follows the locale of the server.
fn in_capitals(hex: Expr) -> Expr {
    Expr::call(&TRANSLATE, [hex, Expr::text("abcdef"), Expr::text("ABCDEF")])
}

fn text_literal(bytes: &[u8]) -> Result<Option<Expr>, NotInHive> {
    separator(bytes).map_err(|_| NotInHive::BinarySeparator)
}

fn cut_text(text: &Expr, cut: &Cut) -> Expr {
    match cut {
        Cut::First(count) => text.substr(1, *count),
        // A start before the beginning of the text gives an empty text, not the whole one.
        Cut::Last(count) => {
            let before = Expr::call(
                &GREATEST,
                [text.length().binary(BinaryOperator::Minus, &(*count).into()), 0.into()],
            );
            text.substr_from(before.binary(BinaryOperator::Plus, &1.into()))
        }
        Cut::Whole | Cut::Bytes { .. } | Cut::Format(_) | Cut::Original => text.clone(),
    }
}
