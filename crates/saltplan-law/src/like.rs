//! What LIKE says. The engine suite holds this against the real Hive.

/// `%` any text, `_` one character. `escape` takes a wildcard or itself literally; without one a backslash takes a wildcard.
pub fn like(text: &[char], pattern: &[char], escape: Option<char>) -> bool {
    match pattern {
        [] => text.is_empty(),
        [first, literal, rest @ ..]
            if *first == escape.unwrap_or('\\')
                && (['%', '_'].contains(literal) || Some(*literal) == escape) =>
        {
            text.first() == Some(literal) && like(&text[1..], rest, escape)
        }
        ['%', rest @ ..] => (0..=text.len()).any(|skipped| like(&text[skipped..], rest, escape)),
        ['_', rest @ ..] => !text.is_empty() && like(&text[1..], rest, escape),
        [literal, rest @ ..] => text.first() == Some(literal) && like(&text[1..], rest, escape),
    }
}
