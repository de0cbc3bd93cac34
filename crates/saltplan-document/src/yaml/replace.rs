//! Edits of a file that replace one word with another.

use super::write::{YamlValue, scalar};

/// Quoted text. Single quotes are used, in which only the quote itself is special, unless the text has line
/// breaks or invisible characters.
pub fn quoted(text: &str) -> String {
    YamlValue::Quoted(text.to_string()).to_string()
}

/// Text that every YAML reader takes for text, inside and outside braces.
fn is_word(text: &str) -> bool {
    const OTHERWISE: [&str; 10] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan"];
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'))
        && !OTHERWISE.contains(&text.to_lowercase().as_str())
}

/// The replacement for a place in which the word `written` becomes `meant`. `None` if the place contains the
/// word not exactly once.
pub fn replacement(place: &str, written: &str, meant: &str) -> Option<String> {
    if place == written {
        return Some(scalar(meant));
    }
    if place.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) == Some(written) {
        return Some(quoted(meant));
    }
    if written.is_empty() || !is_word(meant) {
        return None;
    }
    let mut found = place.match_indices(written);
    let (at, _) = found.next().filter(|_| found.next().is_none())?;
    let (before, behind) = (&place[..at], &place[at + written.len()..]);
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let whole = !before.ends_with(is_part) && !behind.starts_with(is_part);
    whole.then(|| format!("{before}{meant}{behind}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_need_no_quotes() {
        assert_eq!(scalar("Asia/Shanghai"), "Asia/Shanghai");
        assert_eq!(scalar("größe"), "größe");
        for text in ["no", "Null", "a,b", "", "a: b", "decimal(18,2)", "-"] {
            assert!(scalar(text).starts_with(['\'', '"']), "{}", scalar(text));
        }
        assert_eq!(quoted("it's"), "'it''s'");
        assert_eq!(quoted("a\nb"), "\"a\\nb\"");
    }

    #[test]
    fn a_word_in_its_place() {
        assert_eq!(replacement("tpye", "tpye", "type").as_deref(), Some("type"));
        assert_eq!(replacement("tpye", "tpye", "no"), Some(scalar("no")));
        assert_eq!(replacement("'tpye'", "tpye", "a b").as_deref(), Some("'a b'"));
        assert_eq!(replacement("\"tpye\"", "tpye", "type").as_deref(), Some("\"type\""));
        assert_eq!(replacement("'array<strng>'", "strng", "string").as_deref(), Some("'array<string>'"));
        for place in ["", "other", "array<strngs>", "map<strng,strng>"] {
            assert_eq!(replacement(place, "strng", "string"), None, "{place}");
        }
        assert_eq!(replacement("\"tpye\"", "tpye", "a\"b"), None);
        assert_eq!(replacement("", "", "type").as_deref(), Some("type"));
    }
}
