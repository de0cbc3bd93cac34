//! Regular expressions of Java that find a part of a row key, in its text or in its hex digits.
//!
//! Quantifiers are possessive (`*+`): Java needs no stack for them, and a key that does not fit fails at once.

use crate::hive::text::hex_digits;
use saltplan_sql::ast::Expr;
use saltplan_sql::functions::REGEXP_EXTRACT;

/// What a key is written in.
pub(super) trait Alphabet {
    /// The beginning of the text.
    const START: &str;
    /// A number of bytes that are not looked at.
    fn any(count: usize) -> String;
    /// All bytes before an end.
    fn until(end: &[u8]) -> String;
    /// The bytes themselves.
    fn exact(bytes: &[u8]) -> String;
}

/// Characters. All ends are text, and parts of a fixed width are ASCII.
pub(super) struct Characters;

impl Alphabet for Characters {
    // A dot is also a line feed.
    const START: &str = r"(?s)\A";

    fn any(count: usize) -> String {
        if count == 0 { String::new() } else { format!(".{{{count}}}") }
    }

    fn until(end: &[u8]) -> String {
        let text = String::from_utf8_lossy(end);
        let mut characters = text.chars();
        match (characters.next(), characters.next()) {
            (Some(only), None) => format!("[^{}]*+", in_class(only)),
            _ => format!("(?:(?!{}).)*+", Self::exact(end)),
        }
    }

    fn exact(bytes: &[u8]) -> String {
        String::from_utf8_lossy(bytes).chars().map(outside_class).collect()
    }
}

/// Two hex digits for each byte.
pub(super) struct HexDigits;

impl Alphabet for HexDigits {
    const START: &str = r"\A";

    fn any(count: usize) -> String {
        if count == 0 { String::new() } else { format!(".{{{}}}", 2 * count) }
    }

    fn until(end: &[u8]) -> String {
        format!("(?:(?!{})..)*+", hex_digits(end))
    }

    fn exact(bytes: &[u8]) -> String {
        hex_digits(bytes)
    }
}

/// The length of a part.
pub(super) enum Length {
    /// A fixed number of bytes.
    Fixed(usize),
    /// All bytes before these.
    Until(Vec<u8>),
    Rest,
}

/// The parts of a key before the one that is wanted.
#[derive(Debug, Clone, Default)]
pub(super) struct Before {
    /// Up to the last part without a fixed width: the bytes before each such part, and the bytes that end it.
    ended: Vec<(usize, Vec<u8>)>,
    /// The number of bytes after that.
    pub bytes: usize,
}

impl Before {
    pub fn skip(&mut self, bytes: usize) {
        self.bytes += bytes;
    }

    pub fn skip_until(&mut self, end: &[u8]) {
        self.ended.push((self.bytes, end.to_vec()));
        self.bytes = 0;
    }

    /// The number of parts without a fixed width.
    pub fn count_ended(&self) -> usize {
        self.ended.len()
    }

    /// The bytes that end the only part without a fixed width, if it comes first.
    pub fn only_end(&self) -> Option<&[u8]> {
        match self.ended.as_slice() {
            [(0, end)] => Some(end),
            _ => None,
        }
    }

    /// The part that follows, out of a text. Equal parts one after the other are written once, with their number.
    pub fn cut<A: Alphabet>(&self, text: &Expr, length: &Length) -> Expr {
        let mut pattern = A::START.to_string();
        for run in self.ended.chunk_by(|one, next| one == next) {
            let Some((bytes, end)) = run.first() else { continue };
            let part = format!("{}{}{}", A::any(*bytes), A::until(end), A::exact(end));
            match run.len() {
                1 => pattern += &part,
                count => pattern += &format!("(?:{part}){{{count}}}"),
            }
        }
        pattern += &A::any(self.bytes);
        pattern += &match length {
            Length::Fixed(bytes) => format!("({})", A::any(*bytes)),
            Length::Until(end) => format!("({}){}", A::until(end), A::exact(end)),
            Length::Rest => "(.*)".into(),
        };
        Expr::call(&REGEXP_EXTRACT, [text.clone(), Expr::text(pattern), 1.into()])
    }
}

/// A character between square brackets.
fn in_class(c: char) -> String {
    if matches!(c, '\\' | '[' | ']' | '^' | '-' | '&') || c.is_control() { code(c) } else { c.into() }
}

fn outside_class(c: char) -> String {
    match c {
        '.' | '$' | '|' | '?' | '*' | '+' | '(' | ')' | '{' | '}' => format!("[{c}]"),
        _ => in_class(c),
    }
}

fn code(c: char) -> String {
    format!("\\x{{{:X}}}", u32::from(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn third(separators: [&str; 2]) -> String {
        let mut before = Before::default();
        separators.iter().for_each(|separator| before.skip_until(separator.as_bytes()));
        before.cut::<Characters>(&Expr::column("k"), &Length::Until(b"_".to_vec())).to_string()
    }

    #[test]
    fn separators_are_taken_literally() {
        assert_eq!(third(["_", "_"]), r"regexp_extract(`k`, '(?s)\\A(?:[^_]*+_){2}([^_]*+)_', 1)");
        assert_eq!(third(["|", "."]), r"regexp_extract(`k`, '(?s)\\A[^|]*+[|][^.]*+[.]([^_]*+)_', 1)");
        let escaped = r"regexp_extract(`k`, '(?s)\\A[^\\x{2D}]*+\\x{2D}[^\\x{5E}]*+\\x{5E}([^_]*+)_', 1)";
        assert_eq!(third(["-", "^"]), escaped);
        let long = r"regexp_extract(`k`, '(?s)\\A(?:(?![|][|]).)*+[|][|][^é]*+é([^_]*+)_', 1)";
        assert_eq!(third(["||", "é"]), long);
    }

    #[test]
    fn hex_digits_come_in_pairs() {
        let mut before = Before::default();
        before.skip(2);
        before.skip_until(b"_");
        before.skip(8);
        let cut = |length| before.cut::<HexDigits>(&Expr::column("h"), &length).to_string();
        let start = r"regexp_extract(`h`, '\\A.{4}(?:(?!5F)..)*+5F.{16}";
        assert_eq!(cut(Length::Fixed(4)), format!("{start}(.{{8}})', 1)"));
        assert_eq!(cut(Length::Rest), format!("{start}(.*)', 1)"));
        assert_eq!(cut(Length::Until(vec![0xFF])), format!("{start}((?:(?!FF)..)*+)FF', 1)"));
    }
}
