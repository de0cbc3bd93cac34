//! The values of functions of texts.

use crate::constant::text_of;
use crate::value::{Constant, Decimal, NumberType, Typed};

/// The longest text, in bytes, that a function of constants makes here. Longer ones are left to Hive: nested calls of a short
/// predicate can make gigabytes.
const MAX_TEXT: usize = 1_000;

/// The value of a function that is NULL if any argument is.
fn strict(arguments: &[Typed], value: impl FnOnce(&[Typed]) -> Option<Typed>) -> Option<Typed> {
    if arguments.iter().any(|argument| argument.constant == Constant::Null) {
        return Some(Typed::plain(Constant::Null));
    }
    value(arguments)
}

/// A text that a function of texts makes of its arguments.
fn text_made(arguments: &[Typed], make: impl FnOnce(&[Typed]) -> Option<String>) -> Option<Typed> {
    strict(arguments, |arguments| made(make(arguments)?))
}

/// The text that a function makes of one text.
fn text_of_text(arguments: &[Typed], make: impl FnOnce(&str) -> Option<String>) -> Option<Typed> {
    text_made(arguments, |arguments| match arguments {
        [text] => make(&text_of(text)?),
        _ => None,
    })
}

fn made(text: String) -> Option<Typed> {
    (text.len() <= MAX_TEXT).then(|| Typed::plain(Constant::Text(text)))
}

fn texts(arguments: &[Typed]) -> Vec<Option<String>> {
    arguments.iter().map(text_of).collect()
}

/// `concat(text, …)`
pub fn concat(arguments: &[Typed]) -> Option<Typed> {
    text_made(arguments, |arguments| if arguments.is_empty() { None } else { joined(&texts(arguments), "") })
}

/// `concat_ws(separator, text, …)`
pub fn concat_ws(arguments: &[Typed]) -> Option<Typed> {
    let (separator, parts) = arguments.split_first()?;
    if !are_texts(parts) {
        return None;
    }
    made(joined(&texts(parts), &text_of(separator)?)?)
}

/// `substr(text, from, count)`
pub fn substring(arguments: &[Typed]) -> Option<Typed> {
    text_made(arguments, |arguments| match arguments {
        [text, from] => substr(&text_of(text)?, whole(from)?, i64::MAX),
        [text, from, count] => substr(&text_of(text)?, whole(from)?, whole(count)?),
        _ => None,
    })
}

/// `left(text, count)`
pub fn start(arguments: &[Typed]) -> Option<Typed> {
    text_made(arguments, |arguments| match arguments {
        [text, count] => substr(&text_of(text)?, 1, whole(count)?),
        _ => None,
    })
}

/// `lpad(text, width, filler)`
pub fn pad_start(arguments: &[Typed]) -> Option<Typed> {
    pad(arguments, true)
}

/// `rpad(text, width, filler)`
pub fn pad_end(arguments: &[Typed]) -> Option<Typed> {
    pad(arguments, false)
}

fn pad(arguments: &[Typed], at_start: bool) -> Option<Typed> {
    strict(arguments, |arguments| {
        let [text, width, filler] = arguments else { return None };
        let (text, filler) = (text_of(text)?, text_of(filler)?);
        if filler.is_empty() {
            return Some(Typed::plain(Constant::Null));
        }
        made(padded(&text, usize::try_from(whole(width)?).ok()?, &filler, at_start)?)
    })
}

/// `regexp_replace(text, pattern, by)`
pub fn regexp_replace(arguments: &[Typed]) -> Option<Typed> {
    text_made(arguments, |arguments| match arguments {
        [text, pattern, by] => replaced(&text_of(text)?, &text_of(pattern)?, &text_of(by)?),
        _ => None,
    })
}

/// `replace(text, part, by)`
pub fn replace(arguments: &[Typed]) -> Option<Typed> {
    text_made(arguments, |arguments| {
        let [text, from, by] = arguments else { return None };
        let (text, from, by) = (text_of(text)?, text_of(from)?, text_of(by)?);
        if from.is_empty() { None } else { all_replaced(&text, &from, &by) }
    })
}

/// `translate(text, characters, by)`: each character becomes the one at the same place, or nothing where there is none.
pub fn translate(arguments: &[Typed]) -> Option<Typed> {
    strict(arguments, |arguments| match arguments {
        [
            Typed { constant: Constant::Text(text), .. },
            Typed { constant: Constant::Text(from), .. },
            Typed { constant: Constant::Text(by), .. },
        ] => {
            let by: Vec<char> = by.chars().collect();
            // Of a character that stands twice, the first place counts.
            let place_of = |c: char| from.chars().position(|from| from == c);
            made(text.chars().filter_map(|c| place_of(c).map_or(Some(c), |at| by.get(at).copied())).collect())
        }
        _ => None,
    })
}

/// `substring_index(text, separator, count)`: the text before the separator that is the `count`th. Of a negative count it is the text
/// behind the first character of the separator that is so many from the end (measured: of `a--b` and `--` Hive gives `-b`).
pub fn substring_index(arguments: &[Typed]) -> Option<Typed> {
    // Hive refuses NULL and numbers.
    let [text, separator, count] = arguments else { return None };
    let (Constant::Text(text), Constant::Text(separator)) = (&text.constant, &separator.constant) else {
        return None;
    };
    let count = whole(count)?;
    if separator.is_empty() || count == 0 {
        return made(String::new());
    }
    let nth = usize::try_from(count.unsigned_abs()).ok()? - 1;
    let places: Vec<usize> = overlapping(text, separator).collect();
    let part = if count > 0 {
        places.get(nth).map(|at| &text[..*at])
    } else {
        let first = separator.chars().next().filter(|first| first.len_utf16() == 1)?;
        places.iter().rev().nth(nth).map(|at| &text[at + first.len_utf8()..])
    };
    made(part.unwrap_or(text).to_string())
}

/// The places where a text has a part; occurrences may overlap, as for Hive.
fn overlapping<'t>(text: &'t str, part: &'t str) -> impl Iterator<Item = usize> + 't {
    text.char_indices().map(|(at, _)| at).filter(move |at| text[*at..].starts_with(part))
}

/// `repeat(text, count)`
pub fn repeat(arguments: &[Typed]) -> Option<Typed> {
    text_made(arguments, |arguments| {
        let [text, count] = arguments else { return None };
        let (text, count) = (text_of(text)?, whole(count)?);
        // Hive computes the number of bytes as an int, which overflows for large negative counts, too.
        i32::try_from(i64::try_from(text.len()).ok()?.checked_mul(count)?).ok()?;
        let count = usize::try_from(count.max(0)).ok()?;
        (text.len().checked_mul(count)? <= MAX_TEXT).then(|| text.repeat(count))
    })
}

/// `reverse(text)`
pub fn reverse(arguments: &[Typed]) -> Option<Typed> {
    text_of_text(arguments, |text| Some(text.chars().rev().collect()))
}

/// `upper(text)`; the letters of other scripts differ between versions of Java.
pub fn upper(arguments: &[Typed]) -> Option<Typed> {
    text_of_text(arguments, |text| text.is_ascii().then(|| text.to_ascii_uppercase()))
}

/// `lower(text)`
pub fn lower(arguments: &[Typed]) -> Option<Typed> {
    text_of_text(arguments, |text| text.is_ascii().then(|| text.to_ascii_lowercase()))
}

/// `trim(text)`
pub fn trim(arguments: &[Typed]) -> Option<Typed> {
    text_of_text(arguments, |text| Some(text.trim_matches(' ').to_string()))
}

/// `ltrim(text)`
pub fn trim_start(arguments: &[Typed]) -> Option<Typed> {
    text_of_text(arguments, |text| Some(text.trim_start_matches(' ').to_string()))
}

/// `rtrim(text)`
pub fn trim_end(arguments: &[Typed]) -> Option<Typed> {
    text_of_text(arguments, |text| Some(text.trim_end_matches(' ').to_string()))
}

/// `length(text)`
pub fn length(arguments: &[Typed]) -> Option<Typed> {
    strict(arguments, |arguments| match arguments {
        [Typed { constant: Constant::Text(text), .. }] => count(text.chars().count()),
        _ => None,
    })
}

/// `instr(text, part)`
pub fn instr(arguments: &[Typed]) -> Option<Typed> {
    strict(arguments, |arguments| {
        let [text, part] = arguments else { return None };
        let (text, part) = (text_of(text)?, text_of(part)?);
        let is_ascii = text.is_ascii() && part.is_ascii();
        is_ascii.then(|| count(text.find(part.as_str()).map_or(0, |at| at + 1)))?
    })
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
