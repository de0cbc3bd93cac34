//! The properties of a field that the templates use.

use chrono::NaiveDate;
use saltplan_core::key::chars::Chars;
use saltplan_core::key::field::{CalendarField, EpochField, EpochUnit, Field, FieldKind, TextField};
use saltplan_core::key::number::{NumberForm, StoredBits, StoredNumber};
use saltplan_sql::time::format::TimeFormat;
use saltplan_sql::time::pattern::{Granularity, PatternPiece};
use serde_json::{Value as Json, json};

use crate::GenerateError;
use crate::language::{Language, Names, pascal, python_escape};
use crate::messages::words;

/// The most values of one field, and their bytes: a method of Java has at most 64 KB.
const MAX_VALUES: usize = 1_000;
const MAX_VALUE_BYTES: usize = 16_384;

/// A field of the key, or an input of its salt.
#[derive(Debug)]
pub(crate) struct FieldView {
    /// The names of the member and of its bytes.
    pub id: String,
    pub bytes: String,
    /// Whether the end of the field is not known: every separator may be the one after it.
    pub is_open: bool,
    /// What the templates use.
    pub values: Json,
}

impl FieldView {
    pub(crate) fn new(
        field: &Field,
        language: Language,
        names: &mut Names,
        id: String,
        is_last: bool,
    ) -> Result<Self, GenerateError> {
        // A new property of a field has to be handled here.
        let Field { name, kind, stored, window: _, separator } = field;
        let function = |verb: &str| language.pick(format!("{verb}{}", pascal(name)), format!("_{verb}_{id}"));
        let (write, read) = (names.fresh(&function("write")), names.fresh(&function("read")));
        let bytes = names.fresh(&language.pick(format!("{id}Bytes"), format!("{id}_bytes")));
        let local = names.fresh(&language.pick(format!("{id}Value"), format!("{id}_value")));
        let mut constants = vec![("field", name.clone())];
        let view = match kind {
            FieldKind::Text(text) => text_kind(name, text, language, names, &mut constants)?,
            FieldKind::Integer(form) | FieldKind::Epoch(EpochField { number: form, unit: _ }) => {
                number_kind(form, language, &mut constants)
            }
            FieldKind::Calendar(CalendarField { format, time_of_day: _, hive_type: _ }) => {
                constants.push(("format", format.pattern().to_string()));
                calendar_kind(name, format, language, names)
            }
        };
        let fixed_width = kind.fixed_width();
        let is_rest = is_last && separator.is_empty();
        let ends = fixed_width.is_some() || is_rest;
        let is_open = *stored && !ends && (separator.is_empty() || kind.may_hold_part_of(separator));
        let values = json!({
            // The name as a literal.
            "label": language.string(name),
            // Names: of the member and argument, of a local variable with its value, of one with its bytes, of the functions
            // that write and read it.
            "id": id,
            "local": local,
            "bytes": bytes,
            "write": write,
            "read": read,
            // The values in words, for the documentation.
            "about": language.comment(&about(field)),
            // What differs between `text`, `calendar`, `bits` and `digits`.
            "kind": view,
            "is_number": kind.number().is_some(),
            "is_epoch": matches!(kind, FieldKind::Epoch(_)),
            // In the key, and not only an input of the salt.
            "stored": stored,
            // In bytes, if all values have the same width.
            "fixed_width": fixed_width,
            // The separator as a literal, if there is one, and its length.
            "separator": (!separator.is_empty()).then(|| language.bytes(separator)),
            "separator_bytes": separator.len(),
            // Nothing follows in the key.
            "is_last": is_rest,
            "is_open": is_open,
            "words": words(language, &constants),
        });
        Ok(FieldView { id, bytes, is_open, values })
    }
}

fn text_kind(
    name: &str,
    field: &TextField,
    language: Language,
    names: &mut Names,
    constants: &mut Vec<(&str, String)>,
) -> Result<Json, GenerateError> {
    let TextField { width, chars, values, reverse, nullable, form } = field;
    if !form.is_plain() {
        return Err(GenerateError::no_writer(&format!("`{name}` is not stored as plain text")));
    }
    constants.push(("declared", chars.name().to_string()));
    constants.extend(width.map(|width| ("width", width.to_string())));
    let list = match values {
        None => None,
        Some(values)
            if values.len() > MAX_VALUES
                || values.iter().map(String::len).sum::<usize>() > MAX_VALUE_BYTES =>
        {
            return Err(GenerateError::refused(
                "too_many_values",
                format!("`{name}` lists {} values, too many for a class", values.len()),
                format!("list at most {MAX_VALUES} short values, or declare `width` and `chars` instead"),
            ));
        }
        Some(values) => {
            let literals: Vec<String> = values.iter().map(|value| language.string(value)).collect();
            Some((names.fresh(&language.constant("VALUES", name)), literals))
        }
    };
    Ok(json!({
        "name": "text",
        // The code that finds a character that is not declared.
        "foreign": foreign(chars, language),
        "width": width,
        // The name and the literals of the list of values.
        "list": list,
        "reverse": reverse,
        // NULL is stored as the empty text.
        "nullable": nullable,
    }))
}

/// The condition in Java, or the regular expression in Python, for characters outside a set; `None` if there
/// are none.
fn foreign(chars: &Chars, language: Language) -> Option<String> {
    if let [('\0', char::MAX)] = chars.ranges() {
        return None;
    }
    let code = |c: char| format!("0x{:X}", c as u32);
    Some(match language {
        Language::Java => {
            let outside = chars.ranges().iter().map(|&(first, last)| match first == last {
                true => format!("character != {}", code(first)),
                false => format!("(character < {} || character > {})", code(first), code(last)),
            });
            outside.collect::<Vec<_>>().join(" && ")
        }
        Language::Python => {
            let literal = |c: char| match c.is_ascii_alphanumeric() {
                true => c.to_string(),
                false => python_escape(c),
            };
            let inside = chars.ranges().iter().map(|&(first, last)| match first == last {
                true => literal(first),
                false => format!("{}-{}", literal(first), literal(last)),
            });
            format!("r\"[^{}]\"", inside.collect::<String>())
        }
    })
}

fn calendar_kind(name: &str, format: &TimeFormat, language: Language, names: &mut Names) -> Json {
    let pieces = format.printed().pieces();
    let regex = pieces.iter().map(|piece| match piece {
        PatternPiece::Unit(_) => format!("([0-9]{{{}}})", piece.width()),
        PatternPiece::Literal(c) if c.is_alphanumeric() => c.to_string(),
        PatternPiece::Literal(c) if c.is_ascii_graphic() || *c == ' ' => format!("\\{c}"),
        PatternPiece::Literal(c) => language.pick(format!("\\x{{{:X}}}", *c as u32), python_escape(*c)),
    });
    let units: Vec<Granularity> = format.printed().units().collect();
    let group = |unit| units.iter().position(|printed| *printed == unit).map_or(0, |place| place + 1);
    json!({
        "name": "calendar",
        // The name of the regular expression, and its text as a literal.
        "pattern": names.fresh(&language.constant("FORMAT", name)),
        "regex": language.string(&regex.collect::<String>()),
        // Year to millisecond: the groups of the expression, or 0 for units that are not printed.
        "groups": Granularity::ALL.map(group),
    })
}

fn number_kind(form: &NumberForm, language: Language, constants: &mut Vec<(&str, String)>) -> Json {
    constants.extend(form.min.map(|min| ("min", min.to_string())));
    constants.extend(form.max.map(|max| ("max", max.to_string())));
    let domain = form.domain();
    let least = i64::try_from(domain.start).unwrap_or(i64::MIN);
    let greatest = domain.stop.and_then(|stop| i64::try_from(stop - 1).ok()).unwrap_or(i64::MAX);
    let literal = |number: i64| language.number(number);
    // As literals.
    let limits = json!({
        "min": form.min.map(literal),
        "max": form.max.map(literal),
        "least": (least > i64::MIN && form.min != Some(least)).then(|| literal(least)),
        "greatest": (greatest < i64::MAX && form.max != Some(greatest)).then(|| literal(greatest)),
    });
    match form.stored() {
        StoredNumber::Digits { minuend, width } => {
            json!({ "name": "digits", "limits": limits, "width": width, "minuend": minuend.map(literal) })
        }
        StoredNumber::Bits(StoredBits { bytes, inverted, signed }) => {
            let unused = 64 - 8 * bytes.clamp(1, 8);
            json!({
                "name": "bits",
                "limits": limits,
                "bytes": bytes,
                "inverted": (inverted != 0).then(|| language.bits(inverted)),
                "mask": language.bits(u64::MAX >> unused),
                "signed": signed,
                // The value of the sign bit.
                "sign": language.bits(1 << (63 - unused)),
                "unused": unused,
            })
        }
    }
}

/// The values of a field, for people.
fn about(field: &Field) -> String {
    let mut about = match &field.kind {
        FieldKind::Text(text) => {
            let width = text.width.map(|width| format!(" of {width} bytes in UTF-8")).unwrap_or_default();
            let chars = match text.chars.name() {
                "utf8" => String::new(),
                name => format!(", characters: {name}"),
            };
            let values = text.values.as_ref().map(|values| match values.len() {
                ..=8 => format!(", one of {}", values.join(", ")),
                count => format!(", one of {count} values"),
            });
            let null = if text.nullable { ", or null" } else { "" };
            format!("text{width}{chars}{}{null}", values.unwrap_or_default())
        }
        FieldKind::Integer(form) => {
            let domain = form.domain();
            format!("a whole number from {} to {}", domain.start, domain.stop.unwrap_or(i128::MAX) - 1)
        }
        FieldKind::Calendar(calendar) => {
            let format = &calendar.format;
            let unit = if calendar.time_of_day { "a local time" } else { "a date" };
            let sample = NaiveDate::from_ymd_opt(2020, 4, 6).and_then(|day| day.and_hms_opt(10, 0, 0));
            let sample = sample.and_then(|at| format.format(format.granularity().ordinal_of(at)));
            let sample = sample.map(|text| format!(", such as {text}")).unwrap_or_default();
            format!("{unit} as text in the format {}{sample}", format.pattern())
        }
        FieldKind::Epoch(epoch) => {
            let unit = match epoch.unit {
                EpochUnit::Seconds => "seconds",
                EpochUnit::Milliseconds => "milliseconds",
            };
            format!("{unit} since 1970-01-01T00:00:00Z")
        }
    };
    if !field.stored {
        about.push_str("; only an input of the salt, not in the key");
    }
    about
}
