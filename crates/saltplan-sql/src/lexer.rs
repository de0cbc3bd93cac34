//! Splits text into tokens with their places, like Hive's lexer.
//!
//! Characters that Hive does not accept are an error here, so that they never reach a printed statement.

use std::sync::Arc;

use super::scanner::{OpenComment, Scanner, is_name_part};
use super::token::{PlacedToken, Token};
use super::{Subject, foreign};
use saltplan_document::diag::{Diagnostic, Source, Span};

/// Longer operators first.
const SIGNS: [&str; 25] = [
    "<=>", "<=", ">=", "<>", "!=", "==", "||", "=", "<", ">", "+", "-", "*", "/", "%", "^", "&", "|", "~",
    "!", "(", ")", "[", "]", ",",
];

/// Letters after a number that give it a type.
const NUMBER_TYPES: [&str; 5] = ["l", "s", "y", "d", "bd"];

pub(super) fn tokenize(source: &Arc<Source>, subject: Subject) -> Result<Vec<PlacedToken>, Diagnostic> {
    let mut lexer = Lexer { source, subject, scanner: Scanner::new(&source.text) };
    let mut tokens: Vec<PlacedToken> = Vec::new();
    while lexer.skip_blanks()? {
        let start = lexer.scanner.at;
        let token = lexer.token()?;
        let span = Span::new(start, lexer.scanner.at);
        match (tokens.last_mut(), token) {
            // Adjacent literals are one literal.
            (Some(PlacedToken { token: Token::Text(text), span: whole }), Token::Text(more)) => {
                text.push_str(&more);
                *whole = whole.to(span);
            }
            (_, token) => tokens.push(PlacedToken { token, span }),
        }
    }
    Ok(tokens)
}

struct Lexer<'a> {
    source: &'a Arc<Source>,
    subject: Subject,
    scanner: Scanner<'a>,
}

impl<'a> Lexer<'a> {
    /// Returns whether a token follows.
    fn skip_blanks(&mut self) -> Result<bool, Diagnostic> {
        self.scanner.skip_blanks(char::is_whitespace).map_err(|OpenComment(start)| self.open(start))
    }

    fn open(&self, start: usize) -> Diagnostic {
        Diagnostic::error("unterminated quote or comment").at(
            self.source,
            Span::new(start, self.scanner.text.len()),
            "starts here",
        )
    }

    fn token(&mut self) -> Result<Token, Diagnostic> {
        let mut chars = self.scanner.rest().chars();
        let (first, second) = (chars.next().unwrap_or_default(), chars.next().unwrap_or_default());
        match first {
            '\'' | '"' => {
                let start = self.scanner.at;
                let raw = self.quoted(first, true)?;
                self.check_escapes(raw, start + 1)?;
                Ok(Token::Text(unescape(raw, first)))
            }
            '`' => self.quoted('`', false).map(|raw| Token::Quoted(raw.replace("``", "`"))),
            ':' if is_name_part(second) => {
                self.scanner.at += 1;
                Ok(Token::Parameter(self.scanner.run(is_name_part).to_string()))
            }
            '0'..='9' => self.number(),
            '.' if second.is_ascii_digit() => self.number(),
            '.' => {
                self.scanner.at += 1;
                Ok(Token::Sign("."))
            }
            'u' | 'U' if second == '&' && self.scanner.rest()[2..].starts_with(['\'', '"']) => {
                Err(foreign::literal(self.source, Span::new(self.scanner.at, self.scanner.at + 3)))
            }
            _ if is_name_start(first) => Ok(Token::Word(self.scanner.run(is_name_part).to_string())),
            _ => self.sign(),
        }
    }

    /// The inside of a quoted text; a doubled quote does not end it, nor does a quote after a backslash.
    fn quoted(&mut self, quote: char, escapes: bool) -> Result<&'a str, Diagnostic> {
        let start = self.scanner.at;
        let mut chars = self.scanner.rest().char_indices().skip(1).peekable();
        while let Some((index, c)) = chars.next() {
            if escapes && c == '\\' {
                chars.next();
            } else if c == quote && chars.next_if(|(_, next)| *next == quote).is_none() {
                self.scanner.at += index + 1;
                return Ok(&self.scanner.text[start + 1..start + index]);
            }
        }
        Err(self.open(start))
    }

    /// Refuses invalid `\u` escapes: those without four hex digits, which Hive nevertheless turns into a
    /// character, and halves of surrogate pairs.
    fn check_escapes(&self, raw: &str, start: usize) -> Result<(), Diagnostic> {
        let mut rest = raw;
        while let Some(at) = rest.find('\\') {
            rest = &rest[at + 1..];
            if !rest.starts_with('u') || numeric_escape(rest).is_some() {
                let pair = numeric_escape(rest).map_or(0, |(_, length)| length);
                rest = &rest[pair.max(rest.chars().next().map_or(0, char::len_utf8))..];
                continue;
            }
            let at = start + raw.len() - rest.len() - 1;
            let span = Span::new(
                at,
                at + 1 + rest.len().min(5).min(rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(5)),
            );
            let (what, help) = match utf16_escape(rest) {
                Some(_) => (
                    "half of a surrogate pair",
                    "write both halves, such as `\\uD83D\\uDE00`, or the character itself",
                ),
                None => {
                    ("four hex digits are missing", "write `\\u00FC`, or `\\\\u` for a backslash and a u")
                }
            };
            return Err(Diagnostic::error("`\\u` does not stand for a character")
                .at(self.source, span, what)
                .with_help(help));
        }
        Ok(())
    }

    fn number(&mut self) -> Result<Token, Diagnostic> {
        let start = self.scanner.at;
        let digits = |c: char| c.is_ascii_digit();
        self.scanner.run(digits);
        let is_whole = !self.scanner.rest().starts_with('.');
        if !is_whole {
            self.scanner.at += 1;
            self.scanner.run(digits);
        }
        self.exponent();
        let number = &self.scanner.text[start..self.scanner.at];
        let letters = self.scanner.run(is_name_part);
        let typed = letters.is_empty() || NUMBER_TYPES.iter().any(|name| letters.eq_ignore_ascii_case(name));
        if !typed {
            let span = Span::new(start, self.scanner.at);
            return Err(Diagnostic::error(format!(
                "`{}` is not a number",
                &self.scanner.text[start..self.scanner.at]
            ))
            .at(self.source, span, "not understood")
            .with_help("write text in quotes, and a name that starts with a digit in backquotes"));
        }
        let zero = if number.starts_with('.') { "0" } else { "" };
        Ok(Token::Number(format!("{zero}{number}{letters}")))
    }

    fn exponent(&mut self) {
        let rest = self.scanner.rest();
        let sign = rest[usize::from(rest.starts_with(['e', 'E']))..].starts_with(['+', '-']);
        let length = 1 + usize::from(sign);
        if rest.starts_with(['e', 'E']) && rest[length..].starts_with(|c: char| c.is_ascii_digit()) {
            self.scanner.at += length;
            self.scanner.run(|c| c.is_ascii_digit());
        }
    }

    fn sign(&mut self) -> Result<Token, Diagnostic> {
        match SIGNS.iter().find(|sign| self.scanner.rest().starts_with(**sign)) {
            Some(sign) if !self.scanner.rest().starts_with("&&") => {
                self.scanner.at += sign.len();
                Ok(Token::Sign(sign))
            }
            _ => Err(foreign::sign(self.source, self.subject, self.scanner.at)),
        }
    }
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Resolves the escapes of a string literal by the rules of Hive's `BaseSemanticAnalyzer.unescapeSQLString`,
/// and doubled quotes by those of SQL. `\%` and `\_` stay, for `LIKE`.
fn unescape(raw: &str, quote: char) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        if c == quote {
            // The lexer accepts an unescaped quote only if it is doubled.
            chars.next();
            text.push(c);
            continue;
        }
        if c != '\\' {
            text.push(c);
            continue;
        }
        if let Some((unescaped, length)) = numeric_escape(chars.as_str()) {
            text.push(unescaped);
            chars = chars.as_str()[length..].chars();
            continue;
        }
        match chars.next() {
            Some('0') => text.push('\0'),
            Some('b') => text.push('\u{8}'),
            Some('n') => text.push('\n'),
            Some('r') => text.push('\r'),
            Some('t') => text.push('\t'),
            Some('Z') => text.push('\u{1A}'),
            Some(wildcard @ ('%' | '_')) => text.extend(['\\', wildcard]),
            Some(other) => text.push(other),
            None => text.push('\\'),
        }
    }
    text
}

/// `uXXXX` (two of them for a character above U+FFFF) or three octal digits after a backslash: the character
/// and the length of the escape.
fn numeric_escape(rest: &str) -> Option<(char, usize)> {
    if let Some(unit) = utf16_escape(rest) {
        let next = rest.get(5..).and_then(|rest| utf16_escape(rest.strip_prefix('\\')?));
        let mut units = char::decode_utf16([unit].into_iter().chain(next));
        let c = units.next()?.ok()?;
        return Some((c, if c.len_utf16() == 2 { 11 } else { 5 }));
    }
    let octal = rest.get(..3)?;
    let digits = octal.as_bytes();
    let in_range =
        (b'0'..=b'1').contains(&digits[0]) && digits[1..].iter().all(|d| (b'0'..=b'7').contains(d));
    let code = in_range.then(|| u32::from_str_radix(octal, 8).ok())??;
    char::from_u32(code).map(|c| (c, 3))
}

fn utf16_escape(rest: &str) -> Option<u16> {
    let hex = rest.strip_prefix('u')?.get(..4)?;
    hex.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u16::from_str_radix(hex, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_follow_hive() {
        assert_eq!(unescape(r"it\'s", '\''), "it's");
        assert_eq!(unescape("it''s", '\''), "it's");
        assert_eq!(unescape(r"a\_b\%\\", '\''), r"a\_b\%\");
        assert_eq!(unescape(r"\u00fc\101\n\x", '\''), "üA\nx");
        assert_eq!(unescape(r"\ud83d\ude00!", '\''), "😀!");
    }

    /// The tokens as text, separated by blanks.
    fn cut(text: &str) -> Result<String, String> {
        let tokens = tokenize(&Source::new("predicate", text), Subject::Predicate)
            .map_err(|error| error.to_string())?;
        let texts = tokens.iter().map(|placed| match &placed.token {
            Token::Word(text) | Token::Number(text) => text.clone(),
            Token::Quoted(name) => format!("`{name}`"),
            Token::Text(value) => format!("{value:?}"),
            Token::Parameter(name) => format!(":{name}"),
            Token::Sign(sign) => (*sign).to_string(),
        });
        Ok(texts.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn comments_end_where_they_end_in_hive() {
        for (text, tokens) in [
            ("a -- b\n c", "a c"),
            ("a -- b\r c", "a c"),
            ("a --", "a"),
            ("a/*b*/c", "a c"),
            ("a /* b -- */ c", "a c"),
            ("a /* b /* c */ d */ e", "a e"),
            ("a /*+ hint */ b", "a b"),
            ("a '--' \"/*\"", "a \"--/*\""),
            ("a / * b", "a / * b"),
        ] {
            assert_eq!(cut(text).as_deref(), Ok(tokens), "{text}");
        }
        for text in [r"'\uD800'", r"'\uDE00\uD83D'", r"'\uD83Dx'", r"'\u12'", r"'C:\user'"] {
            let error = cut(text).expect_err(text);
            assert!(error.contains("does not stand for a character"), "{text}: {error}");
        }
        assert_eq!(cut(r"'\\u12' '\uD83D\uDE00\u00fc'").as_deref(), Ok("\"\\\\u12😀ü\""));
        for text in ["a /* b", "a /* b /* c */", "'a", "`a", "'a\\'"] {
            assert!(cut(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_and_names() {
        for (text, tokens) in [
            ("1 1.5 1. .5 1e5 1.e-5 1E+5", "1 1.5 1. 0.5 1e5 1.e-5 1E+5"),
            ("100L 10s 1Y 1.5BD 1d", "100L 10s 1Y 1.5BD 1d"),
            ("a1 _b `c``d` ü", "a1 _b `c`d` ü"),
            ("a.b=:c", "a . b = :c"),
            ("a<=>b<>c!=d==e||f", "a <=> b <> c != d == e || f"),
            ("'a' 'b' 'c''d'", "\"abc'd\""),
        ] {
            assert_eq!(cut(text).as_deref(), Ok(tokens), "{text}");
        }
        for text in [
            "1a", "0x1F", "1e5x", "a @ b", "a # b", "a ? b", "a::int", "a && b", "{a}", "$a", "a \\ b",
            "a ; b",
        ] {
            assert!(cut(text).is_err(), "{text}");
        }
    }
}
