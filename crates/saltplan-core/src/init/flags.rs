//! The small language of the flags: `tel:text[11 digits]`, `md5:2(a,b)`, `hex:16`.

use super::draft::{DraftColumn, DraftField, DraftSalt, quoted};

/// A fault of a flag, and how to write it.
pub type Fault = (String, String);

fn fault<T>(message: String, help: &str) -> Result<T, Fault> {
    Err((message, help.to_string()))
}

/// `name:type`, see the help of `init`.
///
/// # Errors
/// What cannot be understood, and an example.
pub fn field(text: &str) -> Result<DraftField, Fault> {
    let Some((name, kind)) = text.split_once(':') else {
        return fault(format!("the field `{text}` has no type"), FIELD_HELP);
    };
    let Some((word, arguments)) = word_and_arguments(kind) else {
        return fault(format!("the bracket of the field `{text}` is not closed at its end"), FIELD_HELP);
    };
    let yaml = match word {
        "date" | "time" if arguments.is_empty() => {
            return fault(
                format!("the field `{text}` has no format"),
                "write for example `day:date(yyyyMMdd)`",
            );
        }
        "date" => format!("type: date, format: {}", quoted(arguments)),
        "time" => format!("type: timestamp, format: {}", quoted(arguments)),
        "text" if kind.contains('{') => {
            let values: Vec<String> = arguments.split(',').map(|value| quoted(value.trim())).collect();
            format!("type: string, values: [{}]", values.join(", "))
        }
        "text" => text_field(arguments),
        "int" | "long" | "epoch" => number(word, arguments).ok_or_else(|| {
            (
                format!("`{arguments}` says nothing about `{word}`"),
                "write `decimal 5`, `sortable` or `descending`; for an epoch `ms` or `s` first".to_string(),
            )
        })?,
        _ => return fault(format!("`{word}` is no type of a field"), FIELD_HELP),
    };
    Ok(DraftField { name: name.trim().to_string(), yaml, comment: Vec::new() })
}

const FIELD_HELP: &str = "write for example `day:date(yyyyMMdd)`, `tel:text[11 digits]` or `id:long`";

/// `text` and `11 digits` of `text[11 digits]`; `None` for a bracket that is not closed.
fn word_and_arguments(kind: &str) -> Option<(&str, &str)> {
    let Some(at) = kind.find(['(', '[', '{']) else { return Some((kind, "")) };
    let (word, rest) = kind.split_at(at);
    let closed = [('(', ')'), ('[', ']'), ('{', '}')]
        .into_iter()
        .find_map(|(open, close)| rest.strip_prefix(open)?.strip_suffix(close));
    closed.map(|arguments| (word, arguments))
}

/// `11 digits reversed`, in any order; a word that is no name of a set is a class of characters.
fn text_field(arguments: &str) -> String {
    let mut yaml = "type: string".to_string();
    for word in arguments.split_whitespace() {
        match word {
            "reversed" => yaml.push_str(", reverse: true"),
            "unstored" => yaml.push_str(", stored: false"),
            "digits" | "hex" | "alnum" | "ascii" | "utf8" => yaml.push_str(&format!(", chars: {word}")),
            _ if word.bytes().all(|byte| byte.is_ascii_digit()) => yaml.push_str(&format!(", width: {word}")),
            _ => yaml.push_str(&format!(", chars: {}", quoted(&format!("[{word}]")))),
        }
    }
    yaml
}

fn number(word: &str, arguments: &str) -> Option<String> {
    let mut yaml = match word {
        "int" => "type: int".to_string(),
        "long" => "type: bigint".to_string(),
        _ => "type: timestamp".to_string(),
    };
    let (mut encoding, mut width, mut rest) = ("be", None, String::new());
    let mut words = arguments.split_whitespace().peekable();
    if word == "epoch" {
        let unit = words.next().filter(|unit| matches!(*unit, "ms" | "s"))?;
        yaml.push_str(&format!(", epoch: {unit}"));
    }
    while let Some(word) = words.next() {
        match word {
            "sortable" => encoding = "be_sortable",
            "descending" => rest.push_str(", descending: true"),
            "unstored" => rest.push_str(", stored: false"),
            "decimal" => {
                encoding = "decimal";
                width = words.next_if(|next| next.bytes().all(|byte| byte.is_ascii_digit()));
            }
            _ => return None,
        }
    }
    yaml.push_str(&format!(", encoding: {encoding}"));
    if let Some(width) = width {
        yaml.push_str(&format!(", width: {width}"));
    }
    Some(yaml + &rest)
}

const SALT_HELP: &str = "write `md5:2`, `hash:16`, `modulo:20(id)` or `random:100`";

/// `md5:2`, `hash:16(a,b)`, `modulo:20(id)`, `random:100`. `fields` are the names of all fields.
///
/// # Errors
/// What cannot be understood, and an example.
pub fn salt(text: &str, fields: &[String]) -> Result<DraftSalt, Fault> {
    let (scheme, rest) = text.split_once(':').unwrap_or((text, ""));
    let (number, inputs) = match rest.split_once('(') {
        Some((number, inputs)) => match inputs.strip_suffix(')') {
            Some(inputs) => (number, Some(inputs)),
            None => return fault(format!("the salt `{text}` does not end with `)`"), SALT_HELP),
        },
        None => (rest, None),
    };
    let Some(number) = number.trim().parse::<u64>().ok().filter(|number| *number > 0) else {
        return fault(format!("the salt `{text}` has no number"), SALT_HELP);
    };
    let inputs = inputs.map(|names| known(names, fields)).transpose()?;
    scheme_of(scheme, number, inputs.as_deref(), fields)
}

/// The names of a list, all of them fields.
fn known(names: &str, fields: &[String]) -> Result<Vec<String>, Fault> {
    let names: Vec<String> = names.split(',').map(|name| name.trim().to_string()).collect();
    let Some(unknown) = names.iter().find(|name| !fields.contains(name)) else { return Ok(names) };
    let help = match crate::diag::did_you_mean(unknown, fields.iter().map(String::as_str)) {
        Some(name) => format!("did you mean `{name}`?"),
        None => "name fields that are given with `--field`".to_string(),
    };
    Err((format!("the salt takes `{unknown}`, which is no field"), help))
}

/// A salt of the named fields, or of all of them.
fn scheme_of(
    scheme: &str,
    number: u64,
    inputs: Option<&[String]>,
    fields: &[String],
) -> Result<DraftSalt, Fault> {
    let names = inputs.unwrap_or(fields);
    let list = names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ");
    let width = number.saturating_sub(1).to_string().len();
    let decimal = format!("write: {{ decimal: {width} }}");
    let (yaml, count, comment) = match scheme {
        "md5" => {
            let of = if inputs.is_some() { format!("[{list}]") } else { "key".into() };
            (
                format!("md5: {{ of: {of}, first_hex_digits: {number}, write: hex }}"),
                16u64.checked_pow(u32::try_from(number).unwrap_or(u32::MAX)),
                "hex digits of an MD5",
            )
        }
        "hash" => (
            format!(
                "java_hash: {{ of: [{list}], combine: concat, abs: after, modulo: {number}, {decimal} }}"
            ),
            Some(number),
            "Math.abs(text.hashCode() % n), zero-padded",
        ),
        "modulo" if names.len() == 1 => (
            format!("modulo: {{ of: {list}, by: {number}, {decimal} }}"),
            Some(number),
            "the remainder of a number",
        ),
        "modulo" => return fault("a remainder is taken of one field".into(), "write `modulo:20(id)`"),
        "random" => (
            format!("random: {{ below: {number}, {decimal} }}"),
            Some(number),
            "random: every query reads all salts, and no row can be read by its key",
        ),
        _ => return fault(format!("`{scheme}` is no scheme of salts"), SALT_HELP),
    };
    Ok(DraftSalt { yaml, then: None, comment: vec![comment.to_string()], count })
}

/// `per-salt`, `hex:16`, `longs:1-19`, or split keys separated by commas.
///
/// # Errors
/// A number that is none.
pub fn regions(text: &str) -> Result<String, Fault> {
    if text == "per-salt" {
        return Ok("per_salt: {}".into());
    }
    let number = |number: &str| -> Result<u32, Fault> {
        number
            .trim()
            .parse()
            .map_err(|_| (format!("`{text}` has no number"), "write for example `hex:16`".into()))
    };
    match text.split_once(':') {
        Some(("hex", count)) => Ok(format!("hex_string: {}", number(count)?)),
        Some(("decimal", count)) => Ok(format!("decimal_string: {}", number(count)?)),
        Some(("uniform", count)) => Ok(format!("uniform: {}", number(count)?)),
        Some(("longs", range)) => {
            let (from, to) = range.split_once('-').unwrap_or((range, ""));
            Ok(format!("long_range: {{ from: {}, to: {} }}", number(from)?, number(to)?))
        }
        _ => {
            let keys: Vec<String> = text.split(',').map(quoted).collect();
            Ok(format!("explicit: [{}]", keys.join(", ")))
        }
    }
}

/// `name:type@family:qualifier`
///
/// # Errors
/// A part that is missing.
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
    Ok(DraftColumn {
        name: name.trim().into(),
        hive_type: hive_type.trim().into(),
        family: family.trim().into(),
        qualifier: qualifier.trim().into(),
    })
}
