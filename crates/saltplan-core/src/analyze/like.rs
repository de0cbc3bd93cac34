//! `LIKE` patterns.
//!
//! A backslash escapes `%` and `_`. Before any other character it is a backslash, so two backslashes are two. So Hive evaluates LIKE row
//! by row; in vectorized execution it reads `x\%` as "starts with `x\`". Patterns with two readings are printed as RLIKE.

/// A pattern cut at its first wildcard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LikePattern {
    /// The literal text before the first wildcard, without escapes.
    pub prefix: String,
    pub rest: PatternRest,
    /// The literal text after a leading `%`, if that is the whole pattern.
    pub suffix: Option<String>,
    /// The same pattern as every Hive reads it.
    pub hive: HivePattern,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PatternRest {
    /// No wildcard: the pattern is one text.
    Nothing,
    /// One `%` or several: any text after the prefix.
    Anything,
    /// Something that the prefix does not determine.
    More,
}

/// The pattern of a condition for Hive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HivePattern {
    /// `LIKE`, without an escape.
    Like(String),
    /// `RLIKE`: a regular expression of Java for the whole text.
    Regex(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PatternPart {
    AnyText,
    AnyCharacter,
    Literal(char),
}

impl LikePattern {
    /// Reads a pattern of `%` (any text) and `_` (one character). `escape` is the character of an `ESCAPE`. It escapes wildcards and
    /// itself; before any other character it is an ordinary character.
    pub fn parse(pattern: &str, escape: Option<char>) -> Self {
        let parts = parts(pattern, escape);
        let mut prefix = String::new();
        let mut rest = PatternRest::Nothing;
        let mut suffix = None;
        for part in &parts {
            match part {
                PatternPart::AnyText => {
                    suffix = (rest == PatternRest::Nothing && prefix.is_empty()).then(String::new);
                    rest =
                        if rest == PatternRest::Nothing { PatternRest::Anything } else { PatternRest::More };
                }
                PatternPart::AnyCharacter => {
                    suffix = None;
                    rest = PatternRest::More;
                }
                PatternPart::Literal(c) => {
                    match rest {
                        PatternRest::Nothing => prefix.push(*c),
                        _ => rest = PatternRest::More,
                    }
                    if let Some(suffix) = &mut suffix {
                        suffix.push(*c);
                    }
                }
            }
        }
        LikePattern { prefix, rest, suffix, hive: HivePattern::of(&parts) }
    }
}

/// The parts of a pattern; several `%` in a row are one.
pub(crate) fn parts(pattern: &str, escape: Option<char>) -> Vec<PatternPart> {
    let mut parts = Vec::new();
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        let is_literal = |next: &char| ['%', '_'].contains(next) || Some(*next) == escape;
        let escaped = (c == escape.unwrap_or('\\')).then(|| chars.next_if(is_literal)).flatten();
        let part = match (escaped, c) {
            (Some(literal), _) => PatternPart::Literal(literal),
            (None, '%') => PatternPart::AnyText,
            (None, '_') => PatternPart::AnyCharacter,
            (None, c) => PatternPart::Literal(c),
        };
        if part != PatternPart::AnyText || parts.last() != Some(&part) {
            parts.push(part);
        }
    }
    parts
}

/// Whether a text matches a pattern without an ESCAPE; `None` where Hives differ.
pub(crate) fn matches(text: &str, pattern: &str) -> Option<bool> {
    let parts = parts(pattern, None);
    // Hive counts UTF-16 units.
    let is_plain = parts.contains(&PatternPart::AnyCharacter) && text.chars().any(|c| c.len_utf16() > 1);
    if is_plain || !is_one_thing_to_hive(&parts) {
        return None;
    }
    let text: Vec<char> = text.chars().collect();
    let (mut at, mut part) = (0, 0);
    // The last `%`, and where its text ends so far.
    let mut any = None;
    while at < text.len() {
        match parts.get(part) {
            Some(PatternPart::AnyText) => {
                any = Some((part, at));
                part += 1;
            }
            Some(PatternPart::AnyCharacter) => (at, part) = (at + 1, part + 1),
            Some(PatternPart::Literal(c)) if *c == text[at] => (at, part) = (at + 1, part + 1),
            _ => {
                let Some((of_any, end)) = any else { return Some(false) };
                any = Some((of_any, end + 1));
                (at, part) = (end + 1, of_any + 1);
            }
        }
    }
    Some(parts[part..].iter().all(|part| *part == PatternPart::AnyText))
}

impl HivePattern {
    fn of(parts: &[PatternPart]) -> Self {
        if is_one_thing_to_hive(parts) {
            let text = parts.iter().map(|part| match part {
                PatternPart::AnyText => '%',
                PatternPart::AnyCharacter => '_',
                PatternPart::Literal(c) => *c,
            });
            return HivePattern::Like(text.collect());
        }
        let mut regex = String::from("(?s)\\A");
        for part in parts {
            match part {
                PatternPart::AnyText => regex.push_str(".*"),
                PatternPart::AnyCharacter => regex.push('.'),
                PatternPart::Literal(c) => {
                    if c.is_ascii_punctuation() {
                        regex.push('\\');
                    }
                    regex.push(*c);
                }
            }
        }
        HivePattern::Regex(regex + "\\z")
    }

    /// The operator, `LIKE` or `RLIKE`, and its text.
    pub fn operator(&self) -> (&'static str, &str) {
        match self {
            HivePattern::Like(pattern) => ("LIKE", pattern),
            HivePattern::Regex(regex) => ("RLIKE", regex),
        }
    }
}

/// Whether every Hive's LIKE, row by row and vectorized, matches the pattern as it is meant: nothing is escaped, no backslash seems to
/// escape, and no wildcard between other characters stands beside a character above U+FFFF, which it would never match.
fn is_one_thing_to_hive(parts: &[PatternPart]) -> bool {
    let is_escaped = |part: &PatternPart| matches!(part, PatternPart::Literal('%' | '_'));
    let seems_to_escape = |pair: &[PatternPart]| {
        pair[0] == PatternPart::Literal('\\')
            && matches!(pair[1], PatternPart::AnyText | PatternPart::AnyCharacter)
    };
    let inner = parts.strip_prefix(&[PatternPart::AnyText]).unwrap_or(parts);
    let inner = inner.strip_suffix(&[PatternPart::AnyText]).unwrap_or(inner);
    let is_simple = inner.iter().all(|part| matches!(part, PatternPart::Literal(_)));
    let is_wide = |part: &PatternPart| matches!(part, PatternPart::Literal(c) if *c > '\u{ffff}');
    !parts.iter().any(is_escaped)
        && !parts.windows(2).any(seems_to_escape)
        && (is_simple || !parts.iter().any(is_wide))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, prefix, rest) in [
            ("abc", "abc", PatternRest::Nothing),
            ("abc%", "abc", PatternRest::Anything),
            ("abc%%", "abc", PatternRest::Anything),
            ("ab_c%", "ab", PatternRest::More),
            (r"ab\_c%", "ab_c", PatternRest::Anything),
            (r"ab\\%", r"ab\%", PatternRest::Nothing),
            (r"ab\\c%", r"ab\\c", PatternRest::Anything),
            (r"a\b%", r"a\b", PatternRest::Anything),
            ("%", "", PatternRest::Anything),
            ("%a", "", PatternRest::More),
            ("", "", PatternRest::Nothing),
        ] {
            let like = LikePattern::parse(pattern, None);
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
            assert_eq!(LikePattern::parse(pattern, None).suffix.as_deref(), suffix, "{pattern}");
        }
        let like = LikePattern::parse("50!%!_a%", Some('!'));
        assert_eq!(like.prefix, "50%_a");
    }

    #[test]
    fn patterns_for_hive() {
        for (pattern, escape, operator, text) in [
            ("a%b_", None, "LIKE", "a%b_"),
            ("a%%", None, "LIKE", "a%"),
            (r"a\b%", None, "LIKE", r"a\b%"),
            (r"a\", None, "LIKE", r"a\"),
            ("%\u{1f600}", None, "LIKE", "%\u{1f600}"),
            ("_\u{1f600}", None, "RLIKE", "(?s)\\A.\u{1f600}\\z"),
            ("", None, "LIKE", ""),
            (r"a\%%", None, "RLIKE", r"(?s)\Aa\%.*\z"),
            (r"a\\%", None, "RLIKE", r"(?s)\Aa\\\%\z"),
            ("a!_.%", Some('!'), "RLIKE", r"(?s)\Aa\_\..*\z"),
            (r"a\%", Some('!'), "RLIKE", r"(?s)\Aa\\.*\z"),
            (r"a\\b", Some('\\'), "LIKE", r"a\b"),
            ("a!!b%", Some('!'), "LIKE", "a!b%"),
        ] {
            let like = LikePattern::parse(pattern, escape);
            assert_eq!(like.hive.operator(), (operator, text), "{pattern}");
        }
    }
}
