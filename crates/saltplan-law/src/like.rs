//! The meaning of LIKE. The engine suite compares it with the real Hive.

/// `%` is any text, `_` one character. After `escape`, a wildcard or the escape itself is literal; without
/// one, a wildcard after a backslash is literal.
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
