//! HiveQL as tokens: what may not be broken, and the white space between.

/// What a piece of SQL text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
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
pub(super) struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
}

impl Token<'_> {
    pub fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text.eq_ignore_ascii_case(word)
    }
}

/// All of a text, token by token.
pub(super) fn tokens(sql: &str) -> impl Iterator<Item = Token<'_>> {
    let mut rest = sql;
    std::iter::from_fn(move || {
        let (kind, length) = first(rest)?;
        let (text, behind) = rest.split_at(length);
        rest = behind;
        Some(Token { kind, text })
    })
}

/// Kind and length of the first token.
fn first(text: &str) -> Option<(Kind, usize)> {
    let c = text.chars().next()?;
    let run = |takes: fn(char) -> bool| text.find(|c| !takes(c)).unwrap_or(text.len());
    Some(match c {
        '\n' => (Kind::LineEnd, 1),
        _ if is_blank(c) => (Kind::Blank, run(is_blank)),
        '\'' | '"' | '`' => until(text, quote_end(text, c), Kind::Quoted),
        '-' if text.starts_with("--") => (Kind::Comment, text.find('\n').unwrap_or(text.len())),
        '/' if text.starts_with("/*") => until(text, text[2..].find("*/").map(|at| at + 4), Kind::Comment),
        '(' | '[' | '{' => (Kind::Open, 1),
        ')' | ']' | '}' => (Kind::Close, 1),
        ',' => (Kind::Comma, 1),
        _ if is_word(c) => (Kind::Word, run(is_word)),
        _ => (Kind::Sign, c.len_utf8()),
    })
}

fn until(text: &str, end: Option<usize>, kind: Kind) -> (Kind, usize) {
    end.map_or((Kind::Unfinished, text.len()), |end| (kind, end))
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
