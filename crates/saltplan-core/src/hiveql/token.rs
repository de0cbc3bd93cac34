//! Tokens and their places.

use std::ops::Range;

use crate::diag::Span;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A keyword or a name, as spelled.
    Word(String),
    /// A name in backquotes, without them.
    Quoted(String),
    /// A number as Hive writes it, its type's letter (`100L`) included.
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

    /// A word that chooses between values.
    pub(crate) fn is_choice(&self) -> bool {
        self.is_word("case") || self.is_word("if")
    }
}

/// A token with its place in bytes.
#[derive(Debug, Clone)]
pub(super) struct PlacedToken {
    pub token: Token,
    pub span: Span,
}

/// The place of some tokens, comments between them included.
pub(super) fn span(tokens: &[PlacedToken], range: &Range<usize>) -> Span {
    match tokens.get(range.clone()) {
        Some([first, .., last]) => first.span.to(last.span),
        Some([only]) => only.span,
        _ => Span::default(),
    }
}
