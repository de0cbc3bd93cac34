//! Quoted texts as Ruby and Hive print them.

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

/// The value of each literal, whatever is between them. If a separator is between two literals, the second is
/// the value of the first.
pub fn pairs<'a>(text: &'a str, sign: &'a str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\'', '"']) {
        let Some((name, behind)) = literal(&rest[at..]) else { break };
        rest = behind;
        let Some(value) = behind.trim_start().strip_prefix(sign) else { continue };
        if let Some((value, behind)) = literal(value.trim_start()) {
            pairs.push((name, value));
            rest = behind;
        }
    }
    pairs
}

#[test]
fn literals_end_where_they_end() {
    assert_eq!(literal("'a''b'"), Some(("a".into(), "'b'")));
    assert_eq!(literal(r"'a\'b' c"), Some(("a'b".into(), " c")));
    assert_eq!(literal("'a"), None);
    assert_eq!(literal("a"), None);
    let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
    assert_eq!(pairs("ROW 'x' ('a'='1', \n'b' = '2')", "="), [pair("a", "1"), pair("b", "2")]);
}
