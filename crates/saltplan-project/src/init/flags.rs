//! The small language of the flags: `tel:string[11 digits]`, `md5:2(a,b)`, `hex:16`.

use super::draft::DraftColumn;
use super::draft::{
    DraftChars, DraftCut, DraftField, DraftHash, DraftInput, DraftKind, DraftOf, DraftRegions, DraftSalt,
    DraftScheme, DraftTake, HashFunction, TextForm, mapped_column,
};
use crate::fault::{Fault, fault};
use saltplan_core::key::chars::Chars as Set;
use saltplan_core::key::number::{IntegerSize, NumberEncoding, NumberForm};
use saltplan_core::key::salt::unknown::CHARS_OF_SALT;
use saltplan_core::key::salt::{Abs, HASHES, Hash, SaltWrite};
use saltplan_core::schema::field::EPOCH_UNITS;
use saltplan_sql::time::format::TimeFormat;

/// Parses `name:type`, see the help of `init`. Types have the names of schema files; `text`, `long`, `time`
/// and `epoch` are the names of version 0.1.0.
///
/// # Errors
/// What is not understood, and an example.
pub fn field(text: &str) -> Result<DraftField, Fault> {
    let Some((name, kind)) = text.split_once(':') else {
        return fault(format!("the field `{text}` has no type"), FIELD_HELP);
    };
    let Some((word, bracket, arguments)) = word_and_arguments(kind) else {
        return fault(format!("the field `{text}` does not end with its closing bracket"), FIELD_HELP);
    };
    let format = || {
        let help = match word {
            "date" => "write for example `day:date(yyyyMMdd)`",
            _ => {
                "write for example `at:timestamp(yyyyMMddHHmmss)`, or `at:timestamp(ms)` for an instant stored as a number"
            }
        };
        match arguments {
            "" => fault(format!("the field `{text}` has no format"), help),
            _ => TimeFormat::parse(arguments)
                .or_else(|error| fault(format!("the field `{text}`: {error}"), help)),
        }
    };
    let integer = |size, is_stored: &mut bool| {
        number_form(word, size, arguments.split_whitespace(), is_stored).map(DraftKind::Integer)
    };
    let mut is_stored = true;
    let kind = match word {
        "date" => DraftKind::Date { format: format()? },
        "epoch" => epoch(arguments, &mut is_stored)?,
        "timestamp" | "time" if is_epoch(arguments) => epoch(arguments, &mut is_stored)?,
        "timestamp" | "time" => DraftKind::Timestamp { format: format()? },
        "string" | "text" if bracket == Some('{') => {
            DraftKind::Values(arguments.split(',').map(|value| value.trim().to_string()).collect())
        }
        "string" | "text" => DraftKind::Text(text_form(arguments, &mut is_stored)?),
        "tinyint" => integer(IntegerSize::Tinyint, &mut is_stored)?,
        "smallint" => integer(IntegerSize::Smallint, &mut is_stored)?,
        "int" => integer(IntegerSize::Int, &mut is_stored)?,
        "bigint" | "long" => integer(IntegerSize::Bigint, &mut is_stored)?,
        _ => return fault(format!("`{word}` is not a field type"), FIELD_HELP),
    };
    Ok(DraftField { is_stored, ..DraftField::new(name.trim(), kind) })
}

const FIELD_HELP: &str = "write for example `day:date(yyyyMMdd)`, `tel:string[11 digits]` or `id:bigint`";

/// `string`, `[` and `11 digits` of `string[11 digits]`; `None` if the bracket is not closed.
fn word_and_arguments(kind: &str) -> Option<(&str, Option<char>, &str)> {
    let Some(at) = kind.find(['(', '[', '{']) else { return Some((kind, None, "")) };
    let (word, rest) = kind.split_at(at);
    let closed = [('(', ')'), ('[', ']'), ('{', '}')]
        .into_iter()
        .find_map(|(open, close)| Some((open, rest.strip_prefix(open)?.strip_suffix(close)?)));
    closed.map(|(bracket, arguments)| (word, Some(bracket), arguments))
}

/// `11 digits reversed`, in any order; a word that is not the name of a set is a class of characters.
fn text_form(arguments: &str, is_stored: &mut bool) -> Result<TextForm, Fault> {
    let mut form = TextForm::default();
    for word in arguments.split_whitespace() {
        let named = Set::NAMES.into_iter().find(|name| *name == word);
        match word {
            "reversed" => form.reverse = true,
            "unstored" => *is_stored = false,
            _ if is_number(word) => once(&mut form.width, width(word)?, word)?,
            _ => {
                let chars = named.map_or_else(|| DraftChars::Class(format!("[{word}]")), DraftChars::Named);
                once(&mut form.chars, chars, word)?;
            }
        }
    }
    Ok(form)
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

fn width(word: &str) -> Result<usize, Fault> {
    word.parse().map_err(|_| (format!("the width `{word}` is too large"), FIELD_HELP.to_string()))
}

fn once<T>(place: &mut Option<T>, value: T, word: &str) -> Result<(), Fault> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => fault(format!("`{word}` repeats or contradicts what comes before it"), FIELD_HELP),
    }
}

/// An instant starts with its unit, which is not a format.
fn is_epoch(arguments: &str) -> bool {
    arguments.split_whitespace().next().is_some_and(|word| EPOCH_UNITS.meaning(word).is_some())
}

fn epoch(arguments: &str, is_stored: &mut bool) -> Result<DraftKind, Fault> {
    let mut words = arguments.split_whitespace();
    let Some(unit) = words.next().and_then(|word| EPOCH_UNITS.meaning(word)) else {
        return fault(format!("`{arguments}` is not a unit of an instant"), NUMBER_HELP);
    };
    Ok(DraftKind::Epoch { unit, number: number_form("timestamp", IntegerSize::Bigint, words, is_stored)? })
}

/// The encoding that the words of a number describe; the default is big-endian.
const ENCODING_WORDS: [(&str, NumberEncoding); 3] = [
    ("decimal", NumberEncoding::Decimal),
    ("unsigned", NumberEncoding::BigEndianUnsigned),
    ("sortable", NumberEncoding::BigEndianSortable),
];

const NUMBER_HELP: &str =
    "write `decimal 5`, `unsigned 3`, `sortable` or `descending`; for an instant `ms` or `s` first";

fn number_form<'a>(
    kind: &str,
    size: IntegerSize,
    words: impl Iterator<Item = &'a str>,
    is_stored: &mut bool,
) -> Result<NumberForm, Fault> {
    let mut form = NumberForm::new(size, NumberEncoding::BigEndian);
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        let encoding = ENCODING_WORDS.iter().find(|(known, _)| *known == word);
        match (word, encoding) {
            (_, Some((_, encoding))) => {
                let number = words.next_if(|next| encoding.widths().is_some() && is_number(next));
                form.encoding = *encoding;
                form.width = number.map(width).transpose()?;
            }
            ("descending", _) => form.descending = true,
            ("unstored", _) => *is_stored = false,
            _ => return fault(format!("`{word}` does not apply to `{kind}`"), NUMBER_HELP),
        }
    }
    Ok(form)
}

const SALT_HELP: &str = "write `md5:2`, `sha1:4(id)`, `crc32%16(id)`, `hash:16`, `bytes:16`, `modulo:20(id)`, `last:2(tel)`, `random:100` or `unknown:2(hex)`";

/// Parses `md5:2`, `hash:16(a,b)`, `modulo:20(id)` or `random:100`. `fields` are the names of all fields.
///
/// # Errors
/// What is not understood, and an example.
pub fn salt(text: &str, fields: &[String]) -> Result<DraftSalt, Fault> {
    let at = text.find([':', '%']).unwrap_or(text.len());
    let (scheme, rest) = text.split_at(at);
    let is_remainder = rest.starts_with('%');
    let rest = rest.get(1..).unwrap_or("");
    let (number, list) = match rest.split_once('(') {
        Some((number, list)) => match list.strip_suffix(')') {
            Some(list) => (number, Some(list)),
            None => return fault(format!("the salt `{text}` does not end with `)`"), SALT_HELP),
        },
        None => (rest, None),
    };
    let digest = HASHES.meaning(scheme);
    if is_remainder && digest.is_none() {
        return fault(format!("`{scheme}` has no remainder"), SALT_HELP);
    }
    let (first, last) = match number.split_once('-') {
        Some((first, last)) if digest.is_some() && !is_remainder => (first, last),
        _ => ("1", number),
    };
    let whole = |number: &str| number.trim().parse::<u64>().ok().filter(|number| *number > 0);
    let (Some(first), Some(number)) = (whole(first), whole(last)) else {
        return fault(format!("the salt `{text}` has no number"), SALT_HELP);
    };
    if scheme == "unknown" {
        return unknown(text, number, list);
    }
    let inputs = list.map(|names| known(names, fields)).transpose()?;
    let Some(digest) = digest else { return scheme_of(scheme, number, inputs, fields) };
    let (take, write) = match is_remainder {
        true => (DraftTake::Modulo { by: number, abs: None }, decimal_below(number)),
        false => (window(text, first, number, digest)?, SaltWrite::Hex),
    };
    let hash = DraftHash::new(
        HashFunction::Digest(digest),
        inputs.map_or(DraftOf::Key, DraftOf::fields),
        take,
        write,
    );
    let comment = match (take, digest) {
        (DraftTake::HexDigits { first: 1, .. }, Hash::Md5) => "hex digits of an MD5",
        (DraftTake::HexDigits { .. }, _) => "hex digits of a digest",
        _ => "the remainder of a digest",
    };
    Ok(DraftSalt::new(DraftScheme::Hash(hash), comment))
}

/// Hex digits of a digest, from the first to the last.
fn window(text: &str, first: u64, last: u64, digest: Hash) -> Result<DraftTake, Fault> {
    let digits = digest.hex_digits();
    match (usize::try_from(first), usize::try_from(last)) {
        (Ok(first), Ok(last)) if first <= last && last <= digits => {
            Ok(DraftTake::HexDigits { first, count: last - first + 1 })
        }
        _ => fault(format!("`{text}`: {} has the hex digits 1 to {digits}", HASHES.word(digest)), SALT_HELP),
    }
}

/// `unknown:2(hex)`
fn unknown(text: &str, width: u64, chars: Option<&str>) -> Result<DraftSalt, Fault> {
    let Some(chars) = CHARS_OF_SALT.meaning(chars.unwrap_or("").trim()) else {
        let help = "write `unknown:2(digits)`, `unknown:2(hex)`, `unknown:2(HEX)` or `unknown:1(bytes)`";
        return fault(format!("the salt `{text}` does not say its characters"), help);
    };
    let Some(width) = usize::try_from(width).ok() else {
        return fault(format!("`{text}` is too wide"), SALT_HELP);
    };
    let comment = "no rule is known: every query reads all salts, and no row can be read by its key";
    let scheme = DraftScheme::Unknown { width, chars };
    Ok(DraftSalt::new(scheme, comment))
}

/// Zero-padded digits of numbers below the bound.
fn decimal_below(bound: u64) -> SaltWrite {
    SaltWrite::Decimal { width: Some(bound.saturating_sub(1).to_string().len()) }
}

/// The names in a list, all of which must be fields.
fn known(names: &str, fields: &[String]) -> Result<Vec<String>, Fault> {
    let names: Vec<String> = names.split(',').map(|name| name.trim().to_string()).collect();
    let Some(unknown) = names.iter().find(|name| !fields.contains(name)) else { return Ok(names) };
    let help = match saltplan_document::diag::did_you_mean(unknown, fields.iter().map(String::as_str)) {
        Some(name) => format!("did you mean `{name}`?"),
        None => "use fields that are declared with `--field`".to_string(),
    };
    Err((format!("the salt uses `{unknown}`, which is not a field"), help))
}

/// A salt of the named fields.
fn scheme_of(
    scheme: &str,
    number: u64,
    named: Option<Vec<String>>,
    fields: &[String],
) -> Result<DraftSalt, Fault> {
    let one = |named: Option<Vec<String>>, help: &str| match <[String; 1]>::try_from(
        named.unwrap_or_else(|| fields.to_vec()),
    ) {
        Ok([of]) => Ok(of),
        Err(_) => fault(format!("a {scheme} salt takes one field"), help),
    };
    let write = decimal_below(number);
    let (scheme, comment) = match scheme {
        "hash" => {
            let of = DraftOf::fields(named.unwrap_or_else(|| fields.to_vec()));
            let take = DraftTake::Modulo { by: number, abs: Some(Abs::After) };
            let hash = DraftHash::new(HashFunction::JavaString, of, take, write);
            (DraftScheme::Hash(hash), "Math.abs(text.hashCode() % n), zero-padded")
        }
        "bytes" if number > 256 => {
            return fault(format!("{number} salts do not fit one byte"), "write at most `bytes:256`");
        }
        "bytes" => {
            let hash = DraftHash::of_bytes(named.map_or(DraftOf::Key, DraftOf::fields), number, 1);
            (DraftScheme::Hash(hash), "Math.abs(Arrays.hashCode(bytes) % n), one byte")
        }
        "first" | "last" => {
            let of = DraftInput::whole(one(named, &format!("write `{scheme}:2(tel)`"))?);
            let part = if scheme == "first" { DraftCut::First(number) } else { DraftCut::Last(number) };
            (DraftScheme::Text(DraftInput { part: Some(part), ..of }), "characters of a field")
        }
        "modulo" => {
            let of = DraftInput::whole(one(named, "write `modulo:20(id)`")?);
            (DraftScheme::Modulo { of, by: number, write }, "the remainder of a number")
        }
        "random" => (
            DraftScheme::Random { below: number, write },
            "random: every query reads all salts, and no row can be read by its key",
        ),
        _ => return fault(format!("`{scheme}` is not a salt scheme"), SALT_HELP),
    };
    Ok(DraftSalt::new(scheme, comment))
}

/// Parses `per-salt`, `hex:16`, `longs:1-19`, or split keys separated by commas.
///
/// # Errors
/// A number is invalid.
pub fn regions(text: &str) -> Result<DraftRegions, Fault> {
    if text == "per-salt" {
        return Ok(DraftRegions::PerSalt { zero_bytes: 0 });
    }
    let number = |number: &str| -> Result<u64, Fault> {
        number
            .trim()
            .parse()
            .map_err(|_| (format!("`{text}` has no number"), "write for example `hex:16`".into()))
    };
    match text.split_once(':') {
        Some(("hex", count)) => Ok(DraftRegions::HexString(number(count)?)),
        Some(("decimal", count)) => Ok(DraftRegions::DecimalString(number(count)?)),
        Some(("uniform", count)) => Ok(DraftRegions::Uniform(number(count)?)),
        Some(("longs", range)) => {
            let (from, to) = range.split_once('-').unwrap_or((range, ""));
            Ok(DraftRegions::LongRange { from: number(from)?, to: number(to)? })
        }
        _ => Ok(DraftRegions::Explicit(text.split(',').map(str::to_string).collect())),
    }
}

/// Parses `name:type@family:qualifier`.
///
/// # Errors
/// A part is missing.
pub fn column(text: &str) -> Result<DraftColumn, Fault> {
    let parts = || {
        let (front, cell) = text.rsplit_once('@')?;
        let (name, hive_type) = front.split_once(':')?;
        let (family, qualifier) = cell.split_once(':')?;
        Some((name, hive_type, family, qualifier))
    };
    let Some((name, hive_type, family, qualifier)) = parts() else {
        return fault(
            format!("the column `{text}` is incomplete"),
            "write for example `amount:decimal(18,2)@info:amount`",
        );
    };
    Ok(mapped_column(name.trim(), hive_type.trim(), (family.trim(), qualifier.trim()), false))
}
