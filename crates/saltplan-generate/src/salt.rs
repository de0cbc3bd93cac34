//! The properties of the salt that the templates use.

use std::collections::BTreeSet;

use saltplan_core::Table;
use saltplan_core::key::field::{EpochField, Field, FieldTime};
use saltplan_core::key::layout::RowKey;
use saltplan_core::key::salt::unknown::{SaltChars, UnknownSalt};
use saltplan_core::key::salt::{
    Abs, Charset, Combine, Cut, FUNCTIONS, Hash, HashSalt, Object, RandomSalt, Reduction, Salt, SaltDomain,
    SaltInput, SaltInputs, SaltScheme, SaltWrite, Take,
};
use saltplan_sql::time::bisect::first_where;
use saltplan_sql::time::format::TimeFormat;
use saltplan_sql::time::pattern::{Granularity, PatternPiece};
use serde_json::{Value as Json, json};

use crate::GenerateError;
use crate::fields::FieldView;
use crate::language::{Language, Names, pascal};

/// The most salts that a class lists.
const MAX_LISTED: usize = 1_000;

/// The salt, the functions that print local times for it, and the small functions that it needs.
pub(crate) type SaltParts = (Json, Vec<Json>, BTreeSet<&'static str>);

struct Builder<'a> {
    table: &'a Table,
    key: &'a RowKey,
    views: &'a [FieldView],
    language: Language,
    names: &'a mut Names,
    times: Vec<Json>,
    helpers: BTreeSet<&'static str>,
}

pub(crate) fn salt_of(
    table: &Table,
    salt: &Salt,
    views: &[FieldView],
    language: Language,
    names: &mut Names,
) -> Result<SaltParts, GenerateError> {
    let key = &table.schema().key;
    // A new property of a salt has to be handled here.
    let Salt { scheme: _, behind, write, separator, spread } = salt;
    if spread.is_some() {
        return Err(GenerateError::no_writer("the salt has a random part"));
    }
    let mut builder =
        Builder { table, key, views, language, names, times: Vec::new(), helpers: BTreeSet::new() };
    let rule = builder.rule(salt)?;
    let is_given = !salt.is_computable();
    let is_member = is_member(salt, key);
    if is_member && !behind.is_empty() {
        return Err(GenerateError::no_writer(
            "the salt has a constant text in front, and the key does not determine it",
        ));
    }
    let kind = if matches!(salt.scheme, SaltScheme::Random(_)) { "number" } else { "bytes" };
    let known = match (&salt.scheme, table.salt_domain()) {
        (SaltScheme::Unknown(unknown), _) => Some(builder.unknown(unknown)?),
        (SaltScheme::Random(_), _) => None,
        (_, Some(SaltDomain::Listed(salts))) if is_member => builder.listed(salt, salts),
        _ => None,
    };
    let about = match &salt.scheme {
        SaltScheme::Random(random) => format!("the salt, a number from 0 to below {}", random_limit(*random)),
        SaltScheme::Unknown(_) => "the bytes of the salt, whose rule the schema does not know".into(),
        _ => "the bytes of the salt".to_string(),
    };
    let view = json!({
        // How it is computed, with texts that are expressions of bytes: `digest`, `java_hash`, `bytes_hash`, `remainder`,
        // `text`, `random`, or `unknown` if the caller passes it.
        "rule": rule,
        // How it is stored: `decimal`, `hex`, `upper_hex`, `bytes`, `big_endian` or `alphabet`.
        "write": write_of(*write, language),
        // The constant text in front of it, as bytes.
        "behind": (!behind.is_empty()).then(|| language.bytes(behind)),
        // Where it ends in a key: after a `fixed` width, `at_separator`, or after one of the `listed` salts, which are
        // literals with the separator.
        "end": end_of(table, salt, language)?,
        "separator": (!separator.is_empty()).then(|| language.bytes(separator)),
        "separator_bytes": separator.len(),
        // The salts of the table, if they are not computed: those of a key, or those that the caller passes. The
        // characters of every salt as a literal with its width, or a list.
        "known": known,
        // Whether the caller passes the salt.
        "is_given": is_given,
        // Whether decoded rows have the salt as a member.
        "is_member": is_member,
        // The name of its type: `number` or `bytes`.
        "kind": kind,
        "about": about,
    });
    Ok((view, builder.times, builder.helpers))
}

/// Whether decoded rows have the salt as a member: it is not computed, or not from what a key has.
pub(crate) fn is_member(salt: &Salt, key: &RowKey) -> bool {
    let is_stored = |input: &SaltInput| key.fields.get(input.field).is_some_and(|field| field.stored);
    !salt.is_computable() || !salt.inputs(&key.fields).iter().all(is_stored) || key.stored().next().is_none()
}

fn write_of(write: SaltWrite, language: Language) -> Json {
    match write {
        SaltWrite::Decimal { width } => json!({ "name": "decimal", "width": width.unwrap_or(1) }),
        SaltWrite::Hex => json!({ "name": "hex" }),
        SaltWrite::UpperHex => json!({ "name": "upper_hex" }),
        SaltWrite::Bytes | SaltWrite::Text => json!({ "name": "bytes" }),
        SaltWrite::BigEndian { bytes } => json!({ "name": "big_endian", "bytes": bytes }),
        SaltWrite::Alphabet { alphabet, width } => json!({
            "name": "alphabet",
            "alphabet": language.string(alphabet.text()),
            "width": width.unwrap_or(1),
        }),
    }
}

fn end_of(table: &Table, salt: &Salt, language: Language) -> Result<Json, GenerateError> {
    let key = &table.schema().key;
    if let Some(width) = salt.fixed_width(&key.fields) {
        return Ok(json!({ "name": "fixed", "width": width }));
    }
    let at_separator = || Ok(json!({ "name": "at_separator" }));
    let refused = |code, reason| {
        let help = "give the salt a fixed width, or a separator with `then`";
        Err(GenerateError::refused(code, reason, help.into()))
    };
    let separator = &salt.separator;
    let written = |salt: &Vec<u8>| [salt.as_slice(), separator].concat();
    let Some(SaltDomain::Listed(salts)) = table.salt_domain() else {
        let is_number = !separator.is_empty()
            && separator.iter().all(|byte| !byte.is_ascii_alphanumeric() && *byte != b'-')
            && salt.ends_at_separator(&key.fields)
            && !matches!(salt.scheme, SaltScheme::Text(_));
        return match is_number {
            true => at_separator(),
            false => refused("open_salt", "the end of the salt in a key is not known".into()),
        };
    };
    let ends_there = |salt: &Vec<u8>| {
        let written = written(salt);
        !separator.is_empty()
            && written.windows(separator.len()).position(|window| window == separator.as_slice())
                == Some(salt.len())
    };
    if salts.iter().all(ends_there) {
        return at_separator();
    }
    if let Some((one, other)) = salt.overlapping_pair(&key.fields) {
        let shown = |bytes: &[u8]| saltplan_core::key::range::to_string_binary(bytes);
        let (one, other) = (shown(&one), shown(&other));
        let reason = format!("a key that starts with `{other}` may have the salt `{one}` or a longer one");
        return refused("salts_overlap", reason);
    }
    if salts.len() > MAX_LISTED {
        let reason = format!("{} salts of different widths are too many for a class", salts.len());
        return refused("too_many_salts", reason);
    }
    let salts: Vec<String> = salts.iter().map(|salt| language.bytes(&written(salt))).collect();
    Ok(json!({ "name": "listed", "salts": salts }))
}

impl Builder<'_> {
    fn rule(&mut self, salt: &Salt) -> Result<Json, GenerateError> {
        // The compiler requires an arm for each new scheme; what the class cannot compute is refused.
        let rule = match &salt.scheme {
            SaltScheme::Hash(hash) => self.hash(hash, salt)?,
            SaltScheme::Modulo(modulo) => {
                let value = &self.view(modulo.field)?.id;
                json!({ "name": "remainder", "value": value, "by": self.language.number(modulo.by) })
            }
            SaltScheme::Text(text) => json!({ "name": "text", "text": [self.input(&text.of)?] }),
            SaltScheme::Random(random) => {
                json!({ "name": "random", "below": self.language.number(random_limit(*random)) })
            }
            SaltScheme::Unknown(_) => json!({ "name": "unknown" }),
            scheme => return Err(unknown_salt(scheme.name())),
        };
        let digits = match &salt.scheme {
            SaltScheme::Hash(hash) => hash.take.hex_digits().map(|digits| digits.count),
            _ => None,
        };
        // Numbers have at most 64 bits; the last two forms need digits, or a salt that is text or unknown.
        let is_writable = match (digits, salt.write) {
            (_, SaltWrite::Hex | SaltWrite::UpperHex) => true,
            // It is a number of 64 bits with a sign.
            (Some(digits), SaltWrite::Alphabet { .. }) => digits <= 15,
            (None, SaltWrite::Alphabet { .. }) => !matches!(salt.scheme, SaltScheme::Random(_)),
            (Some(digits), SaltWrite::Decimal { .. } | SaltWrite::BigEndian { .. }) => digits <= 16,
            (None, SaltWrite::Decimal { .. } | SaltWrite::BigEndian { .. }) => true,
            (digits, SaltWrite::Bytes | SaltWrite::Text) => {
                digits.is_some() || matches!(salt.scheme, SaltScheme::Text(_) | SaltScheme::Unknown(_))
            }
        };
        if is_writable { Ok(rule) } else { Err(unknown_salt(salt.scheme.name())) }
    }

    fn view(&self, field: saltplan_core::key::field::FieldId) -> Result<&FieldView, GenerateError> {
        use saltplan_core::key::id::Id;
        self.views.get(field.position()).ok_or_else(|| unknown_salt("of an unknown field"))
    }

    fn hash(&mut self, hash: &HashSalt, salt: &Salt) -> Result<Json, GenerateError> {
        Ok(match (hash.hash, &hash.take) {
            (Hash::StringCode, Take::Number(reduction)) if is_of_code(reduction) => {
                // The salt is the XOR of the hashes of the texts.
                let texts = match hash.combine {
                    Combine::Concat => vec![self.joined(&hash.of, &hash.joined_by)?],
                    Combine::Xor => {
                        let inputs = salt.inputs(&self.key.fields);
                        inputs
                            .iter()
                            .map(|input| Ok(vec![self.input(input)?]))
                            .collect::<Result<_, GenerateError>>()?
                    }
                };
                json!({ "name": "java_hash", "texts": texts, "reduce": reduce_json(reduction)? })
            }
            (Hash::StringCode, _)
                if hash.combine == Combine::Xor
                    && !matches!(&hash.of, SaltInputs::List(of) if of.len() == 1) =>
            {
                return Err(GenerateError::no_writer("the salt is a part of several hashes"));
            }
            (Hash::BytesCode, Take::Number(reduction)) if is_of_code(reduction) => json!({
                "name": "bytes_hash",
                "text": self.hashed(hash)?,
                "seed": hash.seed,
                "reduce": reduce_json(reduction)?,
            }),
            (function, take) => json!({
                "name": "digest",
                "hash": FUNCTIONS.word(function),
                // For murmur3, xxhash64 and Java's hash codes.
                "seed": hash.seed,
                "text": self.hashed(hash)?,
                "take": self.take(function, take)?,
            }),
        })
    }

    fn take(&self, hash: Hash, take: &Take) -> Result<Json, GenerateError> {
        Ok(match take {
            Take::HexDigits(digits) => {
                json!({ "name": "hex", "first": digits.first - 1, "stop": digits.last() })
            }
            Take::Number(Reduction { digits: None, signed: false, mask: None, modulo: Some(by), .. }) => {
                json!({ "name": "unsigned", "by": self.language.number((*by).into()) })
            }
            Take::Number(reduction) if is_of_code(reduction) => json!({
                "name": "signed",
                "bits": (4 * hash.hex_digits()).min(64),
                "reduce": reduce_json(reduction)?,
            }),
            Take::Number(reduction) => self.number(hash, reduction)?,
        })
    }

    /// A number made of some digits, or of the whole hash, with a mask, a sign and a remainder.
    fn number(&self, hash: Hash, reduction: &Reduction) -> Result<Json, GenerateError> {
        let Reduction { digits, signed, mask, abs, modulo } = *reduction;
        let bits = reduction.bits(hash);
        if bits == Some(64) && !signed && mask.is_none() && modulo.is_none() {
            return Err(GenerateError::no_writer("the salt is a number of 64 bits without a sign"));
        }
        let abs = match abs {
            Abs::Before => "before",
            Abs::After => "after",
            Abs::Mask => "mask",
            Abs::None => "none",
        };
        Ok(json!({
            "name": "number",
            // Bits to the right of the digits that are taken; `null` for the whole hash as a number.
            "shift": digits.map(|digits| 4 * (hash.hex_digits() - digits.last())),
            "bits": digits.map(|digits| 4 * digits.count).or(bits.map(|bits| bits as usize)),
            "is_wide": bits.is_none(),
            "signed": signed,
            "type": if signed && bits.is_some_and(|bits| bits <= 32) { "int" } else { "long" },
            "mask": mask.map(|mask| self.language.number(mask)),
            "abs": abs,
            // An `int`, so that the remainder of one is one.
            "modulo": modulo,
        }))
    }

    fn unknown(&self, unknown: &UnknownSalt) -> Result<Json, GenerateError> {
        match unknown {
            UnknownSalt::Every { width, chars } => {
                let chars = match chars {
                    SaltChars::Digits => Some("0123456789"),
                    SaltChars::Hex => Some("0123456789abcdef"),
                    SaltChars::UpperHex => Some("0123456789ABCDEF"),
                    SaltChars::Bytes => None,
                };
                let chars = chars.map(|chars| self.language.string(chars));
                Ok(json!({ "chars": chars, "width": width, "list": [] }))
            }
            UnknownSalt::Values(values) if values.len() > MAX_LISTED => Err(GenerateError::refused(
                "too_many_salts",
                format!("{} listed salts are too many for a class", values.len()),
                "give `width` and `chars` instead of `values`".into(),
            )),
            UnknownSalt::Values(values) => Ok(self.known_list(values)),
        }
    }

    fn known_list(&self, salts: &[Vec<u8>]) -> Json {
        let list: Vec<String> = salts.iter().map(|salt| self.language.bytes(salt)).collect();
        json!({ "chars": null, "width": 0, "list": list })
    }

    /// The salts of a table that the class does not compute again when it reads a key.
    fn listed(&self, salt: &Salt, salts: &[Vec<u8>]) -> Option<Json> {
        let digits = match salt.write {
            SaltWrite::UpperHex => "0123456789ABCDEF",
            _ => "0123456789abcdef",
        };
        match salt.hex_digits(&self.key.fields) {
            Some(width) => Some(json!({ "chars": self.language.string(digits), "width": width, "list": [] })),
            None => (salts.len() <= MAX_LISTED).then(|| self.known_list(salts)),
        }
    }

    /// The message of a hash, in pieces.
    fn hashed(&mut self, hash: &HashSalt) -> Result<Vec<String>, GenerateError> {
        if hash.hash.takes_objects() {
            let SaltInputs::List(of) = &hash.of else { return Err(unknown_salt("of such inputs")) };
            return of.iter().map(|input| self.object_code(hash.hash, input)).collect();
        }
        let pieces = self.joined(&hash.of, &hash.joined_by)?;
        let Some(charset) = hash.charset else { return Ok(pieces) };
        let codec = match charset {
            Charset::UsAscii => ("StandardCharsets.US_ASCII", "\"ascii\""),
            Charset::Iso8859x1 => ("StandardCharsets.ISO_8859_1", "\"latin-1\""),
            Charset::Utf16Be => ("StandardCharsets.UTF_16BE", "\"utf-16-be\""),
            Charset::Utf16Le => ("StandardCharsets.UTF_16LE", "\"utf-16-le\""),
        };
        Ok(vec![self.language.pick(
            format!(
                "new String(concat({}), StandardCharsets.UTF_8).getBytes({})",
                pieces.join(", "),
                codec.0
            ),
            format!("({}).decode(errors=\"replace\").encode({}, \"replace\")", pieces.join(" + "), codec.1),
        )])
    }

    /// The four bytes of an input's hash code as an object.
    fn object_code(&mut self, hash: Hash, input: &SaltInput) -> Result<String, GenerateError> {
        let field = self.key.fields.get(input.field).ok_or_else(|| unknown_salt("of an unknown field"))?;
        let value = self.view(input.field)?.id.clone();
        Ok(match Object::of(hash, input, &field.kind) {
            Object::Long => self.language.pick(
                format!("bigEndian(Long.hashCode({value}), 4)"),
                format!("(({value} ^ {value} >> 32) % 2**32).to_bytes(4, \"big\")"),
            ),
            Object::Integer => self
                .language
                .pick(format!("bigEndian({value}, 4)"), format!("({value} % 2**32).to_bytes(4, \"big\")")),
            Object::String => {
                let text = self.input(input)?;
                self.helpers.insert("text_code");
                self.language.pick(
                    format!("bigEndian(new String({text}, StandardCharsets.UTF_8).hashCode(), 4)"),
                    format!("_text_code({text})"),
                )
            }
        })
    }

    /// The bytes that are hashed, in pieces.
    fn joined(&mut self, of: &SaltInputs, joined_by: &[u8]) -> Result<Vec<String>, GenerateError> {
        let mut pieces = Vec::new();
        match of {
            SaltInputs::Key => {
                for (view, field) in self.views.iter().zip(&self.key.fields).filter(|(_, field)| field.stored)
                {
                    pieces.push(view.bytes.clone());
                    pieces
                        .extend((!field.separator.is_empty()).then(|| self.language.bytes(&field.separator)));
                }
            }
            SaltInputs::List(inputs) => {
                for (place, input) in inputs.iter().enumerate() {
                    if place > 0 && !joined_by.is_empty() {
                        pieces.push(self.language.bytes(joined_by));
                    }
                    pieces.push(self.input(input)?);
                }
            }
            SaltInputs::KeyBytes { .. } => {
                return Err(GenerateError::no_writer("the salt is made of bytes of the key"));
            }
        }
        Ok(pieces)
    }

    /// The bytes of an input.
    fn input(&mut self, input: &SaltInput) -> Result<String, GenerateError> {
        let SaltInput { field: id, cut, lower } = input;
        let field = self.key.fields.get(*id).ok_or_else(|| unknown_salt("of an unknown field"))?;
        let view = self.view(*id)?;
        let (bytes, value) = (view.bytes.clone(), view.id.clone());
        let in_characters = field.kind.is_text_in_key() && !field.kind.is_ascii_in_key();
        let code = match cut {
            Cut::Whole => bytes,
            Cut::First(count) => self.end_of_text(&bytes, *count, in_characters, true),
            Cut::Last(count) => self.end_of_text(&bytes, *count, in_characters, false),
            Cut::Bytes { .. } => {
                return Err(GenerateError::no_writer("the salt is made of bytes of the key"));
            }
            // A text that is padded or inverted has no class.
            Cut::Original if field.kind.number().is_some() => self.language.pick(
                format!("Long.toString({value}).getBytes(StandardCharsets.US_ASCII)"),
                format!("str({value}).encode()"),
            ),
            Cut::Original => self.language.pick(
                format!(
                    "new StringBuilder(new String({bytes}, StandardCharsets.UTF_8)).reverse().toString().getBytes(StandardCharsets.UTF_8)"
                ),
                format!("{bytes}.decode()[::-1].encode()"),
            ),
            Cut::Format(format) => match field.kind.time() {
                Some(FieldTime::Local(calendar)) => self.reformatted(&bytes, &calendar.format, format),
                Some(FieldTime::Instant(epoch)) => self.local_time(field, epoch, &value, format)?,
                None => return Err(unknown_salt("of a date")),
            },
        };
        if !lower {
            return Ok(code);
        }
        if !field.kind.is_ascii_in_key() {
            return Err(GenerateError::refused(
                "lower_case",
                format!(
                    "`case: lower` of `{}`, which is not ASCII, depends on the version of Unicode: {} may differ from saltplan",
                    field.name,
                    self.language.name()
                ),
                "declare `chars: ascii`, or encode the rows with `saltplan key encode`".into(),
            ));
        }
        self.helpers.insert("lower");
        Ok(self.language.pick(format!("lower({code})"), format!("{code}.lower()")))
    }

    /// The first or the last characters or bytes.
    fn end_of_text(&mut self, bytes: &str, count: usize, in_characters: bool, first: bool) -> String {
        let (helper, java) = match (in_characters, first) {
            (false, true) => ("first", "first"),
            (false, false) => ("last", "last"),
            (true, true) => ("first_characters", "firstCharacters"),
            (true, false) => ("last_characters", "lastCharacters"),
        };
        self.helpers.insert(helper);
        let part = if first { format!("[:{count}]") } else { format!("[-{count}:]") };
        let python = if in_characters { format!(".decode(){part}.encode()") } else { part };
        self.language.pick(format!("{java}({bytes}, {count})"), format!("{bytes}{python}"))
    }

    /// A stored date in another format: parts of its bytes.
    fn reformatted(&self, bytes: &str, from: &TimeFormat, to: &TimeFormat) -> String {
        enum Part {
            Constant(Vec<u8>),
            Stored(usize, usize),
        }
        let mut parts: Vec<Part> = Vec::new();
        for piece in to.printed().pieces() {
            let mut place = None;
            let mut at = 0;
            for stored in from.printed().pieces() {
                if stored == piece && matches!(piece, PatternPiece::Unit(_)) {
                    place = Some(at);
                }
                at += stored.width();
            }
            let constant = match piece {
                PatternPiece::Literal(c) => c.to_string(),
                // A unit that the key does not store has its first value.
                PatternPiece::Unit(Granularity::Month | Granularity::Day) => "01".into(),
                PatternPiece::Unit(_) => "0".repeat(piece.width()),
            };
            match (parts.last_mut(), place) {
                (Some(Part::Stored(_, end)), Some(at)) if *end == at => *end += piece.width(),
                (_, Some(at)) => parts.push(Part::Stored(at, at + piece.width())),
                (Some(Part::Constant(before)), None) => before.extend_from_slice(constant.as_bytes()),
                (_, None) => parts.push(Part::Constant(constant.into_bytes())),
            }
        }
        let written: Vec<String> = parts
            .into_iter()
            .map(|part| match part {
                Part::Constant(text) => self.language.bytes(&text),
                Part::Stored(start, end) => self.language.pick(
                    format!("Arrays.copyOfRange({bytes}, {start}, {end})"),
                    format!("{bytes}[{start}:{end}]"),
                ),
            })
            .collect();
        match written.as_slice() {
            [one] => one.clone(),
            _ => self
                .language
                .pick(format!("concat({})", written.join(", ")), format!("({})", written.join(" + "))),
        }
    }

    /// Calls a function that prints the local time of an instant as an input of the salt.
    fn local_time(
        &mut self,
        field: &Field,
        epoch: &EpochField,
        value: &str,
        format: &TimeFormat,
    ) -> Result<String, GenerateError> {
        if self.table.schema().time_zone.is_none() {
            return Err(unknown_salt("of a local time without a `time_zone`"));
        }
        let place = self.key.fields.iter().position(|one| one.name == field.name).unwrap_or_default();
        let function = self.names.fresh(
            &self
                .language
                .pick(format!("localTimeOf{}", pascal(&field.name)), format!("_local_time_of_{value}")),
        );
        let pieces = format.printed().pieces().iter().map(|piece| match piece {
            PatternPiece::Literal(c) => {
                json!({ "name": "literal", "text": self.language.string(&c.to_string()) })
            }
            PatternPiece::Unit(unit) => {
                json!({ "name": "unit", "unit": *unit as usize, "width": piece.width() })
            }
        });
        self.times.push(json!({
            "function": function,
            "place": place,
            "unit": epoch.unit.milliseconds(),
            "pieces": pieces.collect::<Vec<_>>(),
        }));
        Ok(format!("{function}({value})"))
    }
}

/// The clock of the schema's time zone.
pub(crate) fn clock(table: &Table, language: Language) -> Option<Json> {
    let time_zone = table.schema().time_zone?;
    let offset = |milliseconds: i64| {
        let local = time_zone.local_time(milliseconds)?;
        Some((local.and_utc().timestamp_millis() - milliseconds) / 1_000)
    };
    let changes: Vec<(i64, i64)> = time_zone
        .changes(i64::MIN, i64::MAX)
        .iter()
        .map(|change| (change.at, i64::from(change.offset)))
        .collect();
    // The calendar of the encoder ends with the years -262,143 and 262,142.
    let is_known = |milliseconds: i64| time_zone.local_time(milliseconds).is_some();
    let known = |sign: i64| sign * (first_where(0..1 << 60, |distance: i64| !is_known(sign * distance)) - 1);
    Some(json!({
        "zone": language.comment(time_zone.name()),
        // The offset from UTC in seconds, and the seconds at which it changes.
        "first": offset(-100_000_000_000_000)?,
        "changes": changes,
        "least": language.number(known(-1)),
        "greatest": language.number(known(1)),
    }))
}

/// A random salt is below this number.
fn random_limit(random: RandomSalt) -> i64 {
    i64::try_from(random.below).unwrap_or(i64::MAX)
}

/// Whether the number is made of a hash code of Java as one of the older schemes makes it.
fn is_of_code(reduction: &Reduction) -> bool {
    reduction.signed_modulo().is_some()
        || reduction.digits.is_none()
            && reduction.signed
            && reduction.mask.is_some()
            && reduction.modulo.is_none()
}

fn reduce_json(reduction: &Reduction) -> Result<Json, GenerateError> {
    let (name, by) = match (reduction.signed_modulo(), reduction.mask) {
        (None, Some(mask)) => ("bits", mask.to_string()),
        (Some((by, Abs::Before)), _) => ("before", by.to_string()),
        (Some((by, Abs::After)), _) => ("after", by.to_string()),
        (Some((by, Abs::Mask)), _) => ("mask", by.to_string()),
        (Some((by, Abs::None)), _) => ("none", by.to_string()),
        (None, None) => return Err(unknown_salt("of such a number")),
    };
    Ok(json!({ "name": name, "by": by }))
}

fn unknown_salt(what: &str) -> GenerateError {
    GenerateError::refused(
        "salt_without_writer",
        format!("the salt `{what}` of this schema cannot be printed as a class yet"),
        "encode the rows with `saltplan key encode`".into(),
    )
}
