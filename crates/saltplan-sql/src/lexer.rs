//! Splits text into tokens with their places, like Hive's lexer.
//!
//! Predicates and expressions have only what Hive accepts in a condition: any other character is a fault, so that it never reaches
//! a printed statement. [Scripts](Subject::Script) have more: `${…}`, placeholders of schedulers, commands of clients, characters
//! of other dialects. There every character is a part of a token, of a comment or a blank.

use std::sync::Arc;

use super::scanner::{OpenComment, Scanner, is_name_part};
use super::token::{PlacedToken, Token};
use super::{Subject, foreign};
use saltplan_document::diag::{Diagnostic, Source, Span};

/// Operators of several characters, longer ones first.
const LONG_SIGNS: [&str; 7] = ["<=>", "<=", ">=", "<>", "!=", "==", "||"];

/// The other operators and the punctuation of conditions.
const SIGNS: &str = "=<>+-*/%^&|~!()[],.";

/// Letters after a number that give it a type.
const NUMBER_TYPES: [&str; 5] = ["l", "s", "y", "d", "bd"];

/// First words of commands that Hive's clients run without parsing them as HiveQL.
const COMMANDS: [&str; 8] = ["set", "add", "list", "dfs", "reset", "source", "reload", "compile"];

/// What `DELETE` removes if it is a command.
const RESOURCES: [&str; 6] = ["jar", "jars", "file", "files", "archive", "archives"];

/// The maximum length of `${…}` and other placeholders in characters.
const MAX_VARIABLE: usize = 512;

/// Why a text cannot be split into tokens, with byte offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// A quote that is not closed.
    OpenQuote(usize),
    /// A comment that is not closed.
    OpenComment(usize),
    /// A `\u` that does not stand for a character; `is_half` for half of a surrogate pair.
    Escape { span: Span, is_half: bool },
    /// Digits with letters behind them that are no type.
    Number(Span),
    /// The start of a literal that Hive does not have.
    Literal(Span),
    /// A character that conditions do not have.
    Sign(usize),
}

pub(super) fn tokenize(source: &Arc<Source>, subject: Subject) -> Result<Vec<PlacedToken<'_>>, Diagnostic> {
    tokens(&source.text, subject).map_err(|fault| fault.diagnostic(source, subject))
}

/// The tokens of a text, without comments and blanks.
pub(super) fn tokens(text: &str, subject: Subject) -> Result<Vec<PlacedToken<'_>>, Fault> {
    let mut lexer = Lexer { subject, scanner: Scanner::new(text), list: Vec::new() };
    while lexer.skip_blanks()? {
        let start = lexer.scanner.at;
        let token = match lexer.begins_command() {
            true => Token::Command(lexer.command()),
            false => lexer.token()?,
        };
        let span = Span::new(start, lexer.scanner.at);
        lexer.list.push(PlacedToken { token, span });
    }
    Ok(lexer.list)
}

impl Fault {
    fn diagnostic(self, source: &Arc<Source>, subject: Subject) -> Diagnostic {
        match self {
            Fault::OpenQuote(start) | Fault::OpenComment(start) => Diagnostic::error(
                "unterminated quote or comment",
            )
            .at(source, Span::new(start, source.text.len()), "starts here"),
            Fault::Escape { span, is_half } => {
                let (what, help) = match is_half {
                    true => (
                        "half of a surrogate pair",
                        "write both halves, such as `\\uD83D\\uDE00`, or the character itself",
                    ),
                    false => {
                        ("four hex digits are missing", "write `\\u00FC`, or `\\\\u` for a backslash and a u")
                    }
                };
                Diagnostic::error("`\\u` does not stand for a character")
                    .at(source, span, what)
                    .with_help(help)
            }
            Fault::Number(span) => {
                let number = &source.text[span.start..span.end];
                Diagnostic::error(format!("`{number}` is not a number"))
                    .at(source, span, "not understood")
                    .with_help("write text in quotes, and a name that starts with a digit in backquotes")
            }
            Fault::Literal(span) => foreign::literal(source, span),
            Fault::Sign(at) => foreign::sign(source, subject, at),
        }
    }
}

struct Lexer<'s> {
    subject: Subject,
    scanner: Scanner<'s>,
    list: Vec<PlacedToken<'s>>,
}

impl<'s> Lexer<'s> {
    fn is_script(&self) -> bool {
        self.subject == Subject::Script
    }

    /// Returns whether a token follows.
    fn skip_blanks(&mut self) -> Result<bool, Fault> {
        let is_script = self.is_script();
        let is_blank = |c: char| c.is_whitespace() || is_script && c == '\u{feff}';
        self.scanner.skip_blanks(is_blank).map_err(|OpenComment(start)| Fault::OpenComment(start))
    }

    fn token(&mut self) -> Result<Token<'s>, Fault> {
        let start = self.scanner.at;
        let mut chars = self.scanner.rest().chars();
        let (first, second) = (chars.next().unwrap_or_default(), chars.next().unwrap_or_default());
        match first {
            '\'' | '"' => {
                let raw = self.quoted(first)?;
                if !self.is_script()
                    && let Some(fault) = bad_escape(&raw[1..raw.len() - 1], start + 1)
                {
                    return Err(fault);
                }
                Ok(Token::Text(raw))
            }
            '`' => self.quoted('`').map(Token::Quoted),
            '$' if self.is_script() && second == '{' => Ok(self.variable('{', '}')),
            '$' if self.is_script() && second == '[' => Ok(self.variable('[', ']')),
            '{' if self.is_script() && second == '{' => Ok(self.variable('{', '}')),
            ':' if !self.is_script() && is_name_part(second) => {
                self.scanner.at += 1;
                Ok(Token::Parameter(self.scanner.run(is_name_part)))
            }
            '0'..='9' => self.number(),
            '.' if second.is_ascii_digit() && !self.is_behind_name() => self.number(),
            'u' | 'U'
                if !self.is_script()
                    && second == '&'
                    && self.scanner.rest()[2..].starts_with(['\'', '"']) =>
            {
                Err(Fault::Literal(Span::new(start, start + 3)))
            }
            _ if is_name_start(first) || self.is_script() && is_name_part(first) => {
                Ok(Token::Word(self.scanner.run(is_name_part)))
            }
            _ => self.sign(),
        }
    }

    /// Whether the last token is a name and ends here.
    fn is_behind_name(&self) -> bool {
        self.list.last().is_some_and(|last| {
            last.span.end == self.scanner.at && matches!(last.token, Token::Word(_) | Token::Quoted(_))
        })
    }

    /// A text or a name in quotes. A backslash escapes in texts, a doubled backquote in names. A doubled quote is a quote in
    /// predicates, as in standard SQL; in scripts it ends one literal and starts another, as in Hive.
    fn quoted(&mut self, quote: char) -> Result<&'s str, Fault> {
        let start = self.scanner.at;
        let doubles = quote == '`' || !self.is_script();
        let mut chars = self.scanner.rest().char_indices().skip(1).peekable();
        while let Some((index, c)) = chars.next() {
            if quote != '`' && c == '\\' {
                chars.next();
            } else if c == quote && !(doubles && chars.next_if(|(_, next)| *next == quote).is_some()) {
                self.scanner.at += index + 1;
                return Ok(&self.scanner.text[start..self.scanner.at]);
            }
        }
        Err(Fault::OpenQuote(start))
    }

    /// A number; in a script also a name that starts with a digit.
    fn number(&mut self) -> Result<Token<'s>, Fault> {
        let start = self.scanner.at;
        let is_digit = |c: char| c.is_ascii_digit();
        self.scanner.run(is_digit);
        let behind_point = self.scanner.rest().strip_prefix('.').map(|rest| rest.chars().next());
        // In a script, `1.a` is a name behind a point.
        if behind_point
            .is_some_and(|next| !self.is_script() || next.is_none_or(|c| is_digit(c) || !is_name_part(c)))
        {
            self.scanner.at += 1;
            self.scanner.run(is_digit);
        }
        self.exponent();
        let letters = self.scanner.run(is_name_part);
        let is_typed =
            letters.is_empty() || NUMBER_TYPES.iter().any(|name| letters.eq_ignore_ascii_case(name));
        let raw = &self.scanner.text[start..self.scanner.at];
        match is_typed {
            true => Ok(Token::Number(raw)),
            false if self.is_script() => Ok(Token::Word(raw)),
            false => Err(Fault::Number(Span::new(start, self.scanner.at))),
        }
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

    fn sign(&mut self) -> Result<Token<'s>, Fault> {
        let rest = self.scanner.rest();
        let long = LONG_SIGNS.iter().find(|sign| rest.starts_with(**sign)).map(|sign| sign.len());
        let first = rest.chars().next().unwrap_or_default();
        let is_known = SIGNS.contains(first) && !rest.starts_with("&&");
        let length = match long {
            Some(length) => length,
            None if is_known || self.is_script() => first.len_utf8(),
            None => return Err(Fault::Sign(self.scanner.at)),
        };
        self.scanner.at += length;
        Ok(Token::Sign(&rest[..length]))
    }

    /// `${…}`, `$[…]` or `{{ … }}`, up to the bracket that closes the first one.
    fn variable(&mut self, open: char, close: char) -> Token<'s> {
        let rest = self.scanner.rest();
        let mut depth = 0;
        // Not searched further; otherwise a text of many openings would take quadratic time.
        for (index, c) in rest.char_indices().take(MAX_VARIABLE) {
            depth += i32::from(c == open) - i32::from(c == close);
            if depth == 0 && c == close {
                self.scanner.at += index + 1;
                return Token::Variable(&rest[..=index]);
            }
        }
        self.scanner.at += 1;
        Token::Sign(&rest[..1])
    }

    /// Whether a command of a client starts here.
    fn begins_command(&self) -> bool {
        let is_first =
            self.list.last().is_none_or(|last| matches!(last.token, Token::Command(_) | Token::Sign(";")));
        if !self.is_script() || !is_first {
            return false;
        }
        let word = |text: &'s str| &text[..text.find(|c: char| !is_name_part(c)).unwrap_or(text.len())];
        let is_one_of =
            |words: &[&str], word: &str| words.iter().any(|other| word.eq_ignore_ascii_case(other));
        let rest = self.scanner.rest();
        let first = word(rest);
        rest.starts_with('!')
            || is_one_of(&COMMANDS, first)
            || first.eq_ignore_ascii_case("delete")
                && is_one_of(&RESOURCES, word(rest[first.len()..].trim_start()))
    }

    /// A command, up to the semicolon. A semicolon in quotes that are closed on the same line does not end it. A command of
    /// Beeline, such as `!run x.hql`, ends with its line.
    fn command(&mut self) -> &'s str {
        let start = self.scanner.at;
        let end = self.end_of_command();
        self.scanner.at = end;
        &self.scanner.text[start..end]
    }

    fn end_of_command(&self) -> usize {
        let text = self.scanner.text;
        let end_of_line = |at: usize| text[at..].find(['\n', '\r']).map_or(text.len(), |end| at + end);
        let mut at = self.scanner.at;
        if text[at..].starts_with('!') {
            let line = &text[at..end_of_line(at)];
            return at + line.find(';').unwrap_or(line.len());
        }
        let mut line_end = 0;
        while let Some(next) = text[at..].find([';', '\'', '"']) {
            at += next;
            let Some(quote) = text[at..].chars().next().filter(|c| *c != ';') else { return at };
            at += 1;
            if line_end < at {
                line_end = end_of_line(at);
            }
            at += text[at..line_end].find(quote).map_or(0, |close| close + 1);
        }
        text.len()
    }
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// The first invalid `\u` of a text that starts at a byte offset: without four hex digits, which Hive nevertheless turns into a
/// character, or half of a surrogate pair.
fn bad_escape(raw: &str, start: usize) -> Option<Fault> {
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        rest = &rest[at + 1..];
        if !rest.starts_with('u') || numeric_escape(rest).is_some() {
            let pair = numeric_escape(rest).map_or(0, |(_, length)| length);
            rest = &rest[pair.max(rest.chars().next().map_or(0, char::len_utf8))..];
            continue;
        }
        let at = start + raw.len() - rest.len() - 1;
        let length = rest.len().min(5).min(rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(5));
        return Some(Fault::Escape {
            span: Span::new(at, at + 1 + length),
            is_half: utf16_escape(rest).is_some(),
        });
    }
    None
}

/// The value of a string literal at a byte offset.
///
/// # Errors
/// An escape that does not stand for a character.
pub(super) fn value_of_literal(source: &Arc<Source>, raw: &str, start: usize) -> Result<String, Diagnostic> {
    let inside = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
    match bad_escape(inside, start + 1) {
        Some(fault) => Err(fault.diagnostic(source, Subject::Predicate)),
        None => Ok(unescaped(raw)),
    }
}

/// The value of a string literal without invalid escapes.
pub(super) fn unescaped(raw: &str) -> String {
    let inside = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
    unescape(inside, raw.chars().next().unwrap_or_default())
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
    use super::super::token::unquoted;
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
        let source = Source::new("predicate", text);
        let tokens = tokenize(&source, Subject::Predicate).map_err(|error| error.to_string())?;
        let texts = tokens.iter().map(|placed| match &placed.token {
            Token::Text(raw) => format!("{:?}", unescaped(raw)),
            Token::Quoted(raw) => format!("`{}`", unquoted(raw)),
            Token::Parameter(name) => format!(":{name}"),
            _ => source.text[placed.span.start..placed.span.end].to_string(),
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
            ("a '--' \"/*\"", "a \"--\" \"/*\""),
            ("a / * b", "a / * b"),
        ] {
            assert_eq!(cut(text).as_deref(), Ok(tokens), "{text}");
        }
        for text in [r"'\uD800'", r"'\uDE00\uD83D'", r"'\uD83Dx'", r"'\u12'", r"'C:\user'"] {
            let error = cut(text).expect_err(text);
            assert!(error.contains("does not stand for a character"), "{text}: {error}");
        }
        assert_eq!(cut(r"'\\u12' '\uD83D\uDE00\u00fc'").as_deref(), Ok("\"\\\\u12\" \"😀ü\""));
        for text in ["a /* b", "a /* b /* c */", "'a", "`a", "'a\\'"] {
            assert!(cut(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_and_names() {
        for (text, tokens) in [
            ("1 1.5 1. .5 1e5 1.e-5 1E+5", "1 1.5 1. .5 1e5 1.e-5 1E+5"),
            ("100L 10s 1Y 1.5BD 1d", "100L 10s 1Y 1.5BD 1d"),
            ("a1 _b `c``d` ü", "a1 _b `c`d` ü"),
            ("a.b=:c", "a . b = :c"),
            ("a<=>b<>c!=d==e||f", "a <=> b <> c != d == e || f"),
            ("'a' 'b' 'c''d'", "\"a\" \"b\" \"c'd\""),
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
