//! `LIKE` patterns.

/// A pattern cut at its first wildcard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LikePattern {
    /// The literal text before the first wildcard, escapes taken out.
    pub prefix: String,
    pub rest: Rest,
    /// The literal text behind a leading `%`, when the pattern is nothing else.
    pub suffix: Option<String>,
    /// The same pattern with a backslash as its escape character, which is the only one that Hive knows.
    pub hive: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// No wildcard: the pattern is one text.
    Nothing,
    /// One `%` or several: any text after the prefix.
    Anything,
    /// Something that the prefix does not say.
    More,
}

impl LikePattern {
    /// Reads a pattern of `%` (any text), `_` (one character) and `escape`, which takes the next character literally.
    /// As in Hive, an escape before any other character than a wildcard or itself stands for itself.
    pub fn parse(pattern: &str, escape: char) -> Self {
        let mut prefix = String::new();
        let mut hive = String::new();
        let mut rest = Rest::Nothing;
        let mut suffix = None;
        let mut chars = pattern.chars().peekable();
        while let Some(c) = chars.next() {
            let escaped =
                (c == escape).then(|| chars.next_if(|next| ['%', '_', escape].contains(next))).flatten();
            match (escaped, c) {
                (None, '%') => {
                    hive.push('%');
                    suffix = (rest != Rest::More && prefix.is_empty()).then(String::new);
                    if rest == Rest::Nothing {
                        rest = Rest::Anything;
                    }
                }
                (None, '_') => {
                    hive.push('_');
                    suffix = None;
                    rest = Rest::More;
                }
                (escaped, c) => {
                    let literal = escaped.unwrap_or(c);
                    if ['%', '_', '\\'].contains(&literal) {
                        hive.push('\\');
                    }
                    hive.push(literal);
                    match rest {
                        Rest::Nothing => prefix.push(literal),
                        _ => rest = Rest::More,
                    }
                    if let Some(suffix) = &mut suffix {
                        suffix.push(literal);
                    }
                }
            }
        }
        LikePattern { prefix, rest, suffix, hive }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, prefix, rest) in [
            ("abc", "abc", Rest::Nothing),
            ("abc%", "abc", Rest::Anything),
            ("abc%%", "abc", Rest::Anything),
            ("ab_c%", "ab", Rest::More),
            (r"ab\_c%", "ab_c", Rest::Anything),
            (r"ab\\%", r"ab\", Rest::Anything),
            (r"a\b%", r"a\b", Rest::Anything),
            ("%", "", Rest::Anything),
            ("%a", "", Rest::More),
            ("", "", Rest::Nothing),
        ] {
            let like = LikePattern::parse(pattern, '\\');
            assert_eq!((like.prefix.as_str(), like.rest), (prefix, rest), "{pattern}");
        }
        for (pattern, suffix) in [
            ("%a", Some("a")),
            (r"%%a\%b", Some("a%b")),
            ("%", Some("")),
            ("%a%", None),
            ("%_a", None),
            ("a%b", None),
            ("%a_", None),
            ("a", None),
        ] {
            assert_eq!(LikePattern::parse(pattern, '\\').suffix.as_deref(), suffix, "{pattern}");
        }
        let like = LikePattern::parse("50!%!_a%", '!');
        assert_eq!((like.prefix.as_str(), like.hive.as_str()), ("50%_a", r"50\%\_a%"));
    }
}
