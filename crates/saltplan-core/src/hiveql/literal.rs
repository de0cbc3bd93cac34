//! String literals of Hive.

use crate::diag::visible;

/// A string literal that arrives byte for byte on Hive 2.3 and 3.1, through the command line as well.
///
/// Measured: a doubled quote is no escape in Hive, it joins two literals; tools split scripts at `;` and replace
/// `${…}` inside literals, so both are written as octal escapes, as are control characters and double quotes.
pub fn literal(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('\'');
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => quoted.push_str("\\\\"),
            '\'' => quoted.push_str("\\'"),
            '$' if chars.peek() != Some(&'{') => quoted.push('$'),
            '"' | ';' | '$' | '\u{0}'..='\u{1F}' | '\u{7F}' => {
                quoted.push_str(&format!("\\{:03o}", u32::from(c)));
            }
            // Signs that a terminal obeys, and characters that XML has not: a job of MapReduce has its statement in a file of XML.
            // Hive reads four hex digits here.
            c if (visible::is_sign(c) || matches!(c, '\u{FFFE}' | '\u{FFFF}')) && u32::from(c) <= 0xFFFF => {
                quoted.push_str(&format!("\\u{:04X}", u32::from(c)));
            }
            _ => quoted.push(c),
        }
    }
    quoted.push('\'');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_hold_anything() {
        assert_eq!(literal("it's"), r"'it\'s'");
        assert_eq!(literal("a\\b\"c;${d}\n\0"), r"'a\\b\042c\073\044{d}\012\000'");
        assert_eq!(literal("$.city $$ $"), "'$.city $$ $'");
        assert_eq!(literal("$${a}"), r"'$\044{a}'");
        assert_eq!(literal("\u{85}\u{9B}2J\u{2028}\u{202E}"), r"'\u0085\u009B2J\u2028\u202E'");
        assert_eq!(literal("\u{FFFD}\u{FFFE}\u{FFFF}\u{1FFFF}"), "'\u{FFFD}\\uFFFE\\uFFFF\u{1FFFF}'");
        assert_eq!(literal("ü漢😀%_--`"), "'ü漢😀%_--`'");
    }
}
