//! Untrusted text (file names, values, predicates) in messages, logs and comments.
//!
//! On a terminal, escape sequences could overwrite other lines. In the log of a CI service, a line that
//! starts with `::` is a command. In a comment, a line break ends the comment.

use std::borrow::Cow;

/// Replaces a character that is not shown.
const HIDDEN: char = char::REPLACEMENT_CHARACTER;

/// Whether a character moves the cursor, ends the line, changes the writing direction, or is one that Unicode reserves for programs
/// (`layout` of `saltplan-sql` uses some of these).
pub fn is_sign(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{61C}' | '\u{200E}' | '\u{200F}')
        || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FDD0}'..='\u{FDEF}')
}

/// The character itself, or its replacement.
pub fn visible_character(c: char) -> char {
    if is_sign(c) { HIDDEN } else { c }
}

/// Text on one line, without any effect on the terminal.
pub fn line(text: &str) -> Cow<'_, str> {
    match text.chars().any(is_sign) {
        true => Cow::Owned(text.chars().map(visible_character).collect()),
        false => Cow::Borrowed(text),
    }
}

/// Several lines of a drawing. Line breaks are kept, and escape sequences too if the drawing is coloured.
pub(super) fn drawing(text: String, color: bool) -> String {
    let is_own = |c: char| c == '\n' || color && c == '\u{1B}';
    match text.chars().any(|c| is_sign(c) && !is_own(c)) {
        true => text.chars().map(|c| if is_own(c) { c } else { visible_character(c) }).collect(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_without_signs() {
        assert_eq!(line("größe 漢 😀 a\u{a0}b"), "größe 漢 😀 a\u{a0}b");
        let signs =
            "\0\t\n\r\u{B}\u{C}\u{1B}\u{7F}\u{85}\u{9B}\u{2028}\u{2029}\u{202E}\u{2066}\u{200F}\u{FDD0}";
        assert!(line(signs).chars().all(|c| c == HIDDEN));
        assert_eq!(line("a\n::error::b"), "a\u{FFFD}::error::b");
    }

    #[test]
    fn drawings_keep_their_lines() {
        assert_eq!(drawing("a\n\u{1B}[1mb\u{85}".into(), true), "a\n\u{1B}[1mb\u{FFFD}");
        assert_eq!(drawing("a\n\u{1B}[1mb".into(), false), "a\n\u{FFFD}[1mb");
    }
}
