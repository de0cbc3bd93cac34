//! Text of a file in messages: short, and on one line.

use crate::diag::visible;

/// The maximum number of characters of a reason that quotes text of the file.
pub const MAX_REASON: usize = 100;

/// The start of a text of the file, short enough for a message.
pub fn excerpt(text: &str) -> String {
    shorten(text, 40)
}

/// The first characters of a text.
pub fn shorten(text: &str, length: usize) -> String {
    let mut short: String = text.chars().take(length).map(visible::visible_character).collect();
    if text.chars().nth(length).is_some() {
        short.push('…');
    }
    short
}

/// The indefinite article of a name: `an int`, `a uniontype`, `an hour`.
pub fn with_article(name: &str) -> String {
    let vowel = name.starts_with(|c: char| matches!(c.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'o'));
    format!("{} {name}", if vowel || name == "hour" { "an" } else { "a" })
}

/// `1 byte`, `2 bytes`
pub fn plural(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// `` `a`, `b` or `c` ``
pub fn alternatives<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_short_line() {
        assert_eq!(excerpt("it's `a\\b`"), "it's `a\\b`");
        assert_eq!(shorten("a\nbc", 3), "a\u{fffd}b…");
        assert_eq!(alternatives(["a", "b", "c"].into_iter()), "`a`, `b` or `c`");
        assert_eq!(alternatives(["a"].into_iter()), "`a`");
        assert_eq!((with_article("int"), with_article("uniontype")), ("an int".into(), "a uniontype".into()));
        assert_eq!((plural(1, "byte"), plural(0, "byte")), ("1 byte".into(), "0 bytes".into()));
    }
}
