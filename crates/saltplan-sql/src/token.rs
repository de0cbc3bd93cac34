//! Tokens and their places.

use std::ops::Range;

use saltplan_document::diag::Span;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A keyword or a name, as spelled.
    Word(String),
    /// A name that was written in backquotes, without these.
    Quoted(String),
    /// A number, with the letter of its type (`100L`).
    Number(String),
    /// The value of a string literal.
    Text(String),
    /// `:name`.
    Parameter(String),
    Sign(&'static str),
}

impl Token {
    pub fn is_word(&self, word: &str) -> bool {
        matches!(self, Token::Word(text) if text.eq_ignore_ascii_case(word))
    }
}

/// A token and its place.
#[derive(Debug, Clone)]
pub(super) struct PlacedToken {
    pub token: Token,
    pub span: Span,
}

/// The place from the first to the last of some tokens.
pub(super) fn span(tokens: &[PlacedToken], range: &Range<usize>) -> Span {
    match tokens.get(range.clone()) {
        Some([first, .., last]) => first.span.to(last.span),
        Some([only]) => only.span,
        _ => Span::default(),
    }
}

/// The text of some tokens, with a blank between tokens that are not adjacent.
pub(super) fn written(tokens: &[PlacedToken]) -> String {
    let mut sql = String::new();
    let mut end = None;
    for PlacedToken { token, span } in tokens {
        if end.is_some_and(|end| end < span.start) {
            sql.push(' ');
        }
        end = Some(span.end);
        match token {
            Token::Word(text) | Token::Number(text) => sql.push_str(text),
            Token::Quoted(name) => sql.push_str(&format!("`{name}`")),
            Token::Text(value) => sql.push_str(&super::literal(value)),
            Token::Parameter(name) => sql.push_str(&format!(":{name}")),
            Token::Sign(sign) => sql.push_str(sign),
        }
    }
    sql
}
