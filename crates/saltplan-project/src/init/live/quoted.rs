//! Quoted texts as Ruby prints them.

/// The value of a literal in `'` or `"` at the start of a text, and what follows it. A backslash makes the
/// next character literal.
pub fn literal(text: &str) -> Option<(String, &str)> {
    let quote = text.chars().next().filter(|sign| matches!(sign, '\'' | '"'))?;
    let mut value = String::new();
    let mut chars = text[1..].char_indices();
    while let Some((at, sign)) = chars.next() {
        match sign {
            '\\' => value.push(chars.next()?.1),
            _ if sign == quote => return Some((value, &text[1 + at + 1..])),
            _ => value.push(sign),
        }
    }
    None
}

#[test]
fn literals_end_where_they_end() {
    assert_eq!(literal("'a''b'"), Some(("a".into(), "'b'")));
    assert_eq!(literal(r"'a\'b' c"), Some(("a'b".into(), " c")));
    assert_eq!(literal("'a"), None);
    assert_eq!(literal("a"), None);
}
