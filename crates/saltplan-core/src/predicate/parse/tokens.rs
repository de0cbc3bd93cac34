//! Tokens with their places, literals as Hive reads them.

use std::sync::Arc;

use sqlparser::dialect::Dialect;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer};

use super::MAX_RUN;
use super::lines::LineIndex;
use crate::diag::{Diagnostic, Source, Span};

/// A token with its place in bytes.
#[derive(Debug)]
pub(super) struct PlacedToken {
    pub token: Token,
    pub span: Span,
}

/// The dialect: Hive's literals, its bang, backquoted names.
#[derive(Debug)]
pub(super) struct HivePredicate;

impl Dialect for HivePredicate {
    fn is_delimited_identifier_start(&self, c: char) -> bool {
        c == '`'
    }

    fn is_identifier_start(&self, c: char) -> bool {
        c.is_alphabetic() || c == '_'
    }

    fn is_identifier_part(&self, c: char) -> bool {
        c.is_alphanumeric() || c == '_'
    }

    fn supports_string_literal_backslash_escape(&self) -> bool {
        true
    }

    fn supports_bang_not_operator(&self) -> bool {
        true
    }

    fn supports_in_empty_list(&self) -> bool {
        true
    }
}

pub(super) fn located(placed: &PlacedToken, lines: &LineIndex) -> TokenWithSpan {
    let span =
        sqlparser::tokenizer::Span::new(lines.location(placed.span.start), lines.location(placed.span.end));
    TokenWithSpan::new(placed.token.clone(), span)
}

pub(super) fn tokenize(source: &Arc<Source>, lines: &LineIndex) -> Result<Vec<PlacedToken>, Diagnostic> {
    let tokens = Tokenizer::new(&HivePredicate, &source.text)
        .with_unescape(false)
        .tokenize_with_location()
        .map_err(|error| {
        let at = lines.offset(error.location);
        let span = Span::new(at, source.text.len().max(at));
        Diagnostic::error("this does not end: a quote or a comment is open").at(source, span, "starts here")
    })?;
    let mut placed = Vec::with_capacity(tokens.len());
    for token in tokens {
        let span = Span::new(lines.offset(token.span.start), lines.offset(token.span.end));
        let token = match token.token {
            Token::Whitespace(_) | Token::EOF => continue,
            Token::SingleQuotedString(raw) => Token::SingleQuotedString(unescape(&raw, '\'')),
            Token::DoubleQuotedString(raw) => Token::DoubleQuotedString(unescape(&raw, '"')),
            other => other,
        };
        placed.push(PlacedToken { token, span });
    }
    Ok(placed)
}

/// Takes the escapes out of a string literal by the rules of Hive's `BaseSemanticAnalyzer.unescapeSQLString`,
/// and doubled quotes by those of SQL. `\%` and `\_` stay, for `LIKE`.
fn unescape(raw: &str, quote: char) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        if c == quote {
            // The tokenizer lets a bare quote through only where it is doubled.
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

/// `uXXXX` or three octal digits after a backslash: the character and the length of the escape.
fn numeric_escape(rest: &str) -> Option<(char, usize)> {
    if let Some(hex) = rest.strip_prefix('u').and_then(|rest| rest.get(..4)) {
        let code =
            hex.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u32::from_str_radix(hex, 16).ok())??;
        return char::from_u32(code).map(|c| (c, 5));
    }
    let octal = rest.get(..3)?;
    let digits = octal.as_bytes();
    let in_range =
        (b'0'..=b'1').contains(&digits[0]) && digits[1..].iter().all(|d| (b'0'..=b'7').contains(d));
    let code = in_range.then(|| u32::from_str_radix(octal, 8).ok())??;
    char::from_u32(code).map(|c| (c, 3))
}

/// Refuses input whose syntax tree would be too deep to walk: chains of operators build a tree as deep as they are
/// long. Chains of AND and OR between bracketed groups are taken at any length, since they are flattened.
pub(super) fn guard_depth(source: &Arc<Source>, tokens: &[PlacedToken]) -> Result<(), Diagnostic> {
    struct Level {
        run: usize,
        betweens: usize,
        groups_conditions: bool,
    }
    let mut levels = vec![Level { run: 0, betweens: 0, groups_conditions: true }];
    let mut previous_opens_group = true;
    for placed in tokens {
        let keyword = keyword(&placed.token);
        let Some(level) = levels.last_mut() else { break };
        match (&placed.token, keyword) {
            (Token::LParen | Token::LBracket | Token::LBrace, _) | (_, Some(Keyword::CASE)) => {
                level.run += 1;
                let groups_conditions =
                    level.groups_conditions && previous_opens_group && placed.token == Token::LParen;
                levels.push(Level { run: 0, betweens: 0, groups_conditions });
            }
            (Token::RParen | Token::RBracket | Token::RBrace, _) | (_, Some(Keyword::END)) => {
                if levels.len() > 1 {
                    levels.pop();
                }
            }
            (Token::Comma, _) => level.run = 0,
            (_, Some(Keyword::BETWEEN)) => {
                level.betweens += 1;
                level.run += 1;
            }
            (_, Some(Keyword::AND)) if level.betweens > 0 => level.betweens -= 1,
            (_, Some(Keyword::AND | Keyword::OR)) if level.groups_conditions => level.run = 0,
            _ => level.run += 1,
        }
        if levels.last().is_some_and(|level| level.run > MAX_RUN) {
            return Err(Diagnostic::error(format!(
                "one condition has more than {MAX_RUN} words and signs in a row"
            ))
            .at(source, placed.span, "too long up to here")
            .with_help("use an `IN` list or shorter conditions"));
        }
        previous_opens_group = placed.token == Token::LParen
            || placed.token == Token::ExclamationMark
            || matches!(keyword, Some(Keyword::AND | Keyword::OR | Keyword::NOT));
    }
    Ok(())
}

pub(super) fn keyword(token: &Token) -> Option<Keyword> {
    match token {
        Token::Word(word) if word.quote_style.is_none() => Some(word.keyword),
        _ => None,
    }
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
    }
}
