//! What is wrong with the syntax, said in words.

use std::sync::Arc;

use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Location, Token};

use super::MAX_DEPTH;
use super::lines::LineIndex;
use super::tokens::PlacedToken;
use crate::diag::{Diagnostic, Source, Span};

pub(super) fn syntax_error(
    source: &Arc<Source>,
    tokens: &[PlacedToken],
    parser: &mut Parser,
    error: ParserError,
) -> Diagnostic {
    let end = source.text.trim_end().len();
    if matches!(error, ParserError::RecursionLimitExceeded) {
        return Diagnostic::error(format!("brackets stand more than {MAX_DEPTH} deep"))
            .at(source, Span::new(0, end), "in this predicate")
            .with_help("write the conditions with fewer brackets");
    }
    // The parser has gone one past the token that it could not take, or stands before it.
    let next = parser.peek_token();
    let index = match next.token {
        Token::EOF => tokens.len(),
        _ => parser.index().min(tokens.len()),
    };
    let at_end = Span::new(end, end);
    let message = match error {
        ParserError::ParserError(text) | ParserError::TokenizerError(text) => text,
        ParserError::RecursionLimitExceeded => String::new(),
    };
    let expected =
        message.split(", found").next().unwrap_or_default().trim_start_matches("Expected: ").to_string();
    let wrong_end = message.contains("found: EOF");
    let span = if wrong_end {
        at_end
    } else {
        error_place(&message, source)
            .unwrap_or_else(|| tokens.get(index.saturating_sub(1)).map_or(at_end, |t| t.span))
    };
    let label = if expected.is_empty() || expected == message {
        "not understood".to_string()
    } else {
        format!("expected {expected}")
    };
    let what = if wrong_end { "the predicate ends too early" } else { "the predicate has a syntax error" };
    let diagnostic = Diagnostic::error(what).at(source, span, label);
    if tokens.iter().any(is_dollar) { diagnostic.with_help(PARAMETER_HELP) } else { diagnostic }
}

pub(super) const PARAMETER_HELP: &str = "write a parameter as `:name` and give it with `--param name=value`";

/// `$` or `${…`, as other tools write parameters.
pub(super) fn is_dollar(placed: &PlacedToken) -> bool {
    matches!(&placed.token, Token::Placeholder(text) if text.starts_with('$'))
}

/// The place that the parser's message ends with: `… at Line: 1, Column: 7`.
fn error_place(message: &str, source: &Arc<Source>) -> Option<Span> {
    let (_, place) = message.rsplit_once("at Line: ")?;
    let (line, column) = place.split_once(", Column: ")?;
    let column: String = column.chars().take_while(char::is_ascii_digit).collect();
    let start = LineIndex::new(&source.text)
        .offset(Location { line: line.parse().ok()?, column: column.parse().ok()? });
    let length = source.text[start..]
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .map(char::len_utf8)
        .sum();
    let length =
        if length == 0 { source.text[start..].chars().next().map_or(0, char::len_utf8) } else { length };
    Some(Span::new(start, start + length))
}
