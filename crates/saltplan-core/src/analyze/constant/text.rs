//! Functions of constant texts.

use super::cast::text_of;
use super::value::{Constant, Decimal, NumberType, Typed};

/// The longest text, in bytes, that a function of constants makes here. Longer ones are left to Hive: nested calls of a short
/// predicate can make gigabytes.
const MAX_TEXT: usize = 1_000;

/// The value of a function of texts and of those that choose a value; `None` for every other one, and where Hives differ.
pub(super) fn call(name: &str, arguments: &[Typed]) -> Option<Typed> {
    let is_null = |argument: &Typed| argument.constant == Constant::Null;
    match name {
        "coalesce" | "nvl" => return first_value(arguments),
        "concat" | "substr" | "substring" | "left" | "lpad" | "rpad" | "regexp_replace" | "replace"
        | "length" | "reverse" | "upper" | "ucase" | "lower" | "lcase" | "trim" | "ltrim" | "rtrim"
        | "instr"
            if !arguments.is_empty() && arguments.iter().any(is_null) =>
        {
            return Some(Typed::plain(Constant::Null));
        }
        _ => {}
    }
    let texts: Vec<Option<String>> = arguments.iter().map(text_of).collect();
    let number = |at: usize| whole(arguments.get(at)?);
    let made = match (name, texts.as_slice()) {
        ("concat", [_, ..]) => joined(&texts, ""),
        ("concat_ws", [Some(separator), parts @ ..]) if are_texts(&arguments[1..]) => {
            joined(parts, separator)
        }
        ("substr" | "substring", [Some(text), _]) => substr(text, number(1)?, i64::MAX),
        ("substr" | "substring", [Some(text), _, _]) => substr(text, number(1)?, number(2)?),
        ("left", [Some(text), _]) => substr(text, 1, number(1)?),
        ("lpad" | "rpad", [Some(text), _, Some(with)]) => {
            if with.is_empty() {
                return Some(Typed::plain(Constant::Null));
            }
            padded(text, usize::try_from(number(1)?).ok()?, with, name == "lpad")
        }
        ("regexp_replace", [Some(text), Some(pattern), Some(by)]) => replaced(text, pattern, by),
        ("replace", [Some(text), Some(from), Some(by)]) if !from.is_empty() => all_replaced(text, from, by),
        ("reverse", [Some(text)]) => Some(text.chars().rev().collect()),
        ("upper" | "ucase", [Some(text)]) if text.is_ascii() => Some(text.to_ascii_uppercase()),
        ("lower" | "lcase", [Some(text)]) if text.is_ascii() => Some(text.to_ascii_lowercase()),
        ("trim", [Some(text)]) => Some(text.trim_matches(' ').to_string()),
        ("ltrim", [Some(text)]) => Some(text.trim_start_matches(' ').to_string()),
        ("rtrim", [Some(text)]) => Some(text.trim_end_matches(' ').to_string()),
        ("length", [Some(text)]) if are_texts(arguments) => return count(text.chars().count()),
        ("instr", [Some(text), Some(part)]) if text.is_ascii() && part.is_ascii() => {
            return count(text.find(part.as_str()).map_or(0, |at| at + 1));
        }
        _ => return number_call(name, arguments),
    };
    made.filter(|text| text.len() <= MAX_TEXT).map(|text| Typed::plain(Constant::Text(text)))
}

/// Texts one after the other; `None` if one is not known or the result is too long.
fn joined(texts: &[Option<String>], separator: &str) -> Option<String> {
    let texts = texts.iter().map(Option::as_deref).collect::<Option<Vec<&str>>>()?;
    let separators = texts.len().saturating_sub(1) * separator.len();
    let bytes = texts.iter().map(|text| text.len()).sum::<usize>() + separators;
    (bytes <= MAX_TEXT).then(|| texts.join(separator))
}

/// Every `from` of a text replaced; `None` if the result is too long.
fn all_replaced(text: &str, from: &str, by: &str) -> Option<String> {
    let count = text.matches(from).count();
    let bytes = (text.len() - count * from.len()).checked_add(count.checked_mul(by.len())?)?;
    (bytes <= MAX_TEXT).then(|| text.replace(from, by))
}

/// Functions of numbers.
fn number_call(name: &str, arguments: &[Typed]) -> Option<Typed> {
    let numbers = arguments.iter().map(|argument| match argument.constant {
        Constant::Number(number) if argument.of != NumberType::Double => Some((number, argument.of)),
        _ => None,
    });
    let numbers: Vec<(Decimal, NumberType)> = numbers.collect::<Option<_>>()?;
    match (name, numbers.as_slice()) {
        ("abs", [(number, of)]) if number.digits < 0 => Typed::number(number.negated()?, *of),
        ("abs", [(number, of)]) => Typed::number(*number, *of),
        ("ceil" | "ceiling", [(number, _)]) => {
            Typed::number(Decimal::integer(number.ceiling().0), NumberType::BIGINT)
        }
        ("floor", [(number, _)]) => {
            let (ceiling, exact) = number.ceiling();
            Typed::number(Decimal::integer(ceiling - i128::from(!exact)), NumberType::BIGINT)
        }
        ("pmod", [(a, of), (b, other)]) if of.is_whole() && other.is_whole() => {
            let (a, b) = (a.digits, b.digits);
            if b == 0 {
                return Some(Typed::plain(Constant::Null));
            }
            Typed::number(Decimal::integer(((a % b) + b) % b), *of.max(other))
        }
        _ => None,
    }
}

/// The first value that is not NULL, if all are of one kind.
fn first_value(arguments: &[Typed]) -> Option<Typed> {
    let values = arguments.iter().filter(|argument| argument.constant != Constant::Null);
    let mut kinds = values.map(|typed| (std::mem::discriminant(&typed.constant), typed.of));
    let first = kinds.next();
    if kinds.any(|other| Some(other) != first) {
        return None;
    }
    arguments.iter().find(|argument| argument.constant != Constant::Null).or(arguments.first()).cloned()
}

fn are_texts(arguments: &[Typed]) -> bool {
    arguments.iter().all(|argument| matches!(argument.constant, Constant::Text(_)))
}

fn whole(argument: &Typed) -> Option<i64> {
    match argument.constant {
        Constant::Number(number) if argument.of <= NumberType::INT => i64::try_from(number.digits).ok(),
        _ => None,
    }
}

fn count(number: usize) -> Option<Typed> {
    Typed::number(Decimal::integer(i128::try_from(number).ok()?), NumberType::INT)
}

/// Hive counts from 1 and reads 0 as 1. After the end, before the start and for a count of 0 it gives the empty text. It
/// counts UTF-16 units, and may cut a character in two: such a text is left to it.
fn substr(text: &str, from: i64, count: i64) -> Option<String> {
    if text.chars().any(|c| c.len_utf16() > 1) {
        return None;
    }
    let length = i64::try_from(text.chars().count()).ok()?;
    let start = match from {
        0 => 0,
        1.. => from - 1,
        _ => length + from,
    };
    if start < 0 || start >= length || count <= 0 {
        return Some(String::new());
    }
    let (start, count) = (usize::try_from(start).ok()?, usize::try_from(count).ok()?);
    Some(text.chars().skip(start).take(count).collect())
}

fn padded(text: &str, width: usize, with: &str, at_start: bool) -> Option<String> {
    if width > MAX_TEXT || text.chars().chain(with.chars()).any(|c| c.len_utf16() > 1) {
        return None;
    }
    let length = text.chars().count();
    if length >= width {
        return Some(text.chars().take(width).collect());
    }
    let padding: String = with.chars().cycle().take(width - length).collect();
    Some(if at_start { padding + text } else { text.to_string() + &padding })
}

/// A regular expression of plain characters, or one class of characters: a digit, none, or a few that are listed, once or as
/// often as they stand there.
fn replaced(text: &str, pattern: &str, by: &str) -> Option<String> {
    if by.contains(['$', '\\']) {
        return None;
    }
    if let Some(plain) = plain_pattern(pattern) {
        return all_replaced(text, &plain, by);
    }
    let (class, many) = pattern.strip_suffix('+').map_or((pattern, false), |class| (class, true));
    let is_in = class_of(class)?;
    let mut made = String::new();
    let mut inside = false;
    for c in text.chars() {
        let found = is_in(c);
        if !found {
            made.push(c);
        } else if !(many && inside) {
            made.push_str(by);
        }
        if made.len() > MAX_TEXT {
            return None;
        }
        inside = found;
    }
    Some(made)
}

/// The text that a regular expression without operators finds.
fn plain_pattern(pattern: &str) -> Option<String> {
    let mut plain = String::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => plain.push(chars.next().filter(char::is_ascii_punctuation)?),
            c if c.is_ascii_alphanumeric() || " -/:_,".contains(c) => plain.push(c),
            _ => return None,
        }
    }
    (!plain.is_empty()).then_some(plain)
}

fn class_of(class: &str) -> Option<Box<dyn Fn(char) -> bool>> {
    match class {
        "\\D" | "[^0-9]" | "[^\\d]" => return Some(Box::new(|c| !c.is_ascii_digit())),
        "\\d" | "[0-9]" => return Some(Box::new(|c| c.is_ascii_digit())),
        _ => {}
    }
    let listed = class.strip_prefix('[')?.strip_suffix(']')?.to_string();
    // A hyphen between two characters is a range.
    let is_hyphen_at_end = !listed.trim_matches('-').contains('-');
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " -/:_,.".contains(c);
    let is_list = !listed.is_empty() && is_hyphen_at_end && listed.chars().all(is_plain);
    is_list.then(|| Box::new(move |c| listed.contains(c)) as Box<dyn Fn(char) -> bool>)
}
