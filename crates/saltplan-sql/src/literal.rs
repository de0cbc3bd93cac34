//! String literals of Hive.

use saltplan_document::diag::visible;

/// A string literal that reaches Hive 2.3 and 3.1 unchanged, also through the command line.
///
/// Measured: in Hive a doubled quote is not an escape but joins two literals. Tools split scripts at `;` and
/// replace `${…}` inside literals, so both are written as octal escapes, and so are control characters and
/// double quotes.
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
            // Characters with an effect on terminals, those that XML does not have (a MapReduce job stores its statement in an XML
            // file), and those that are none, which a metastore or a client may replace. Hive accepts four hex digits here, and two
            // such halves for a character above U+FFFF (measured on 2.3.9, 3.1.3 and 4.1.0).
            c if visible::is_sign(c) || u32::from(c) & 0xFFFE == 0xFFFE => {
                let mut halves = [0; 2];
                for half in c.encode_utf16(&mut halves) {
                    quoted.push_str(&format!("\\u{half:04X}"));
                }
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
    fn literals_may_contain_any_character() {
        assert_eq!(literal("it's"), r"'it\'s'");
        assert_eq!(literal("a\\b\"c;${d}\n\0"), r"'a\\b\042c\073\044{d}\012\000'");
        assert_eq!(literal("$.city $$ $"), "'$.city $$ $'");
        assert_eq!(literal("$${a}"), r"'$\044{a}'");
        assert_eq!(literal("\u{85}\u{9B}2J\u{2028}\u{202E}"), r"'\u0085\u009B2J\u2028\u202E'");
        assert_eq!(literal("\u{FFFD}\u{FFFE}\u{FFFF}\u{1FFFF}"), "'\u{FFFD}\\uFFFE\\uFFFF\\uD83F\\uDFFF'");
        assert_eq!(literal("\u{10FFFE}\u{10FFFF}"), r"'\uDBFF\uDFFE\uDBFF\uDFFF'");
        assert_eq!(literal("\u{FDCF}\u{FDD0}\u{FDEF}\u{FDF0}"), "'\u{FDCF}\\uFDD0\\uFDEF\u{FDF0}'");
        assert_eq!(literal("ü漢😀%_--`"), "'ü漢😀%_--`'");
    }
}
