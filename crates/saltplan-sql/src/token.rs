//! Tokens and their places.

use std::borrow::Cow;
use std::ops::Range;

use saltplan_document::diag::Span;

/// A token, with its text as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token<'s> {
    /// A keyword or a name.
    Word(&'s str),
    /// A name with its backquotes.
    Quoted(&'s str),
    /// A number, with the letter of its type (`100L`).
    Number(&'s str),
    /// A string literal with its quotes. Adjacent literals are tokens of their own.
    Text(&'s str),
    /// The value of a parameter.
    Value(Box<str>),
    /// The name of a parameter, without the colon.
    Parameter(&'s str),
    /// The name of a parameter whose value is known only when the statement runs.
    Runtime(&'s str),
    /// `${…}`, `$[…]` or `{{ … }}`, in scripts.
    Variable(&'s str),
    /// A whole command of a client such as `SET a=b`, in scripts.
    Command(&'s str),
    Sign(&'s str),
}

impl Token<'_> {
    pub fn is_word(&self, word: &str) -> bool {
        matches!(self, Token::Word(text) if text.eq_ignore_ascii_case(word))
    }
}

/// A token and its place.
#[derive(Debug, Clone)]
pub(super) struct PlacedToken<'s> {
    pub token: Token<'s>,
    pub span: Span,
}

/// A name without the backquotes around it.
pub(super) fn unquoted(raw: &str) -> Cow<'_, str> {
    let inside = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
    match inside.contains('`') {
        true => Cow::Owned(inside.replace("``", "`")),
        false => Cow::Borrowed(inside),
    }
}

/// The place from the first to the last of some tokens.
pub(super) fn span(tokens: &[PlacedToken<'_>], range: &Range<usize>) -> Span {
    match tokens.get(range.clone()) {
        Some([first, .., last]) => first.span.to(last.span),
        Some([only]) => only.span,
        _ => Span::default(),
    }
}

/// The text of the tokens of a type, with a blank between tokens that are not adjacent.
pub(super) fn written(tokens: &[PlacedToken<'_>]) -> String {
    let mut sql = String::new();
    let mut end = None;
    for PlacedToken { token, span } in tokens {
        if end.is_some_and(|end| end < span.start) {
            sql.push(' ');
        }
        end = Some(span.end);
        if let Token::Word(text) | Token::Number(text) | Token::Sign(text) = token {
            sql.push_str(text);
        }
    }
    sql
}
