//! HiveQL as tokens: what may not be broken, and the white space between.

use super::WIDTH;

/// What a piece of SQL text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Blank,
    LineEnd,
    /// A keyword, a bare name or a number.
    Word,
    /// A literal or a name in backquotes.
    Quoted,
    Comment,
    Open,
    Close,
    Comma,
    Sign,
    /// A quote or a comment that does not end.
    Unfinished,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LayoutToken<'a> {
    pub kind: TokenKind,
    pub text: &'a str,
}

impl LayoutToken<'_> {
    pub fn is_word(&self, word: &str) -> bool {
        self.kind == TokenKind::Word && self.text.eq_ignore_ascii_case(word)
    }
}

/// All of a text, token by token.
pub(super) fn tokens(sql: &str) -> impl Iterator<Item = LayoutToken<'_>> {
    let mut rest = sql;
    std::iter::from_fn(move || {
        let (kind, length) = first(rest)?;
        let (text, behind) = rest.split_at(length);
        rest = behind;
        Some(LayoutToken { kind, text })
    })
}

/// Bytes of the first line with its end, where it fits and nothing that begins in it goes on behind it: most lines need no more.
pub(super) fn fitting_line(sql: &str) -> Option<usize> {
    let end = sql.bytes().take(WIDTH + 1).position(|byte| byte == b'\n')?;
    let mut rest = &sql[..end];
    while let Some(at) = rest.find(['\'', '"', '`', '-', '/']) {
        rest = &rest[at..];
        let length = match first(rest)? {
            (TokenKind::Comment, _) => return rest.starts_with("--").then_some(end + 1),
            (TokenKind::Unfinished, _) => return None,
            (_, length) => length,
        };
        rest = &rest[length..];
    }
    Some(end + 1)
}

/// Kind and length of the first token.
fn first(text: &str) -> Option<(TokenKind, usize)> {
    let c = text.chars().next()?;
    let run = |takes: fn(char) -> bool| text.find(|c| !takes(c)).unwrap_or(text.len());
    Some(match c {
        '\n' => (TokenKind::LineEnd, 1),
        _ if is_blank(c) => (TokenKind::Blank, run(is_blank)),
        '\'' | '"' | '`' => until(text, quote_end(text, c), TokenKind::Quoted),
        '-' if text.starts_with("--") => (TokenKind::Comment, text.find('\n').unwrap_or(text.len())),
        '/' if text.starts_with("/*") => {
            until(text, text[2..].find("*/").map(|at| at + 4), TokenKind::Comment)
        }
        '(' | '[' | '{' => (TokenKind::Open, 1),
        ')' | ']' | '}' => (TokenKind::Close, 1),
        ',' => (TokenKind::Comma, 1),
        _ if is_word(c) => (TokenKind::Word, run(is_word)),
        _ => (TokenKind::Sign, c.len_utf8()),
    })
}

fn until(text: &str, end: Option<usize>, kind: TokenKind) -> (TokenKind, usize) {
    end.map_or((TokenKind::Unfinished, text.len()), |end| (kind, end))
}

/// White space of HiveQL; what Unicode adds to it is a sign like any other.
fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\u{C}')
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '$')
}

/// Where a quoted text ends. A backslash takes the next character along, but not between backquotes; a doubled quote
/// needs no care, as it ends one text and begins the next.
fn quote_end(text: &str, quote: char) -> Option<usize> {
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        if c == quote {
            return Some(at + 1);
        }
        if c == '\\' && quote != '`' {
            chars.next();
        }
    }
    None
}
