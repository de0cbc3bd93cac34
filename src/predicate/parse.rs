//! From SQL text to a tree of conditions, each with the exact place that it was cut from.
//!
//! The grammar is that of a Hive `WHERE` clause. String literals follow Hive: single or double quotes, backslash
//! escapes; a doubled quote stands for itself, as in standard SQL.
//!
//! The syntax tree of `sqlparser` has no reliable spans for whole conditions (brackets and keywords at their ends
//! are missing), so the spans come from the tokens: a condition is what stands between two connectives.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use sqlparser::ast::{BinaryOperator, Expr, Spanned as _, UnaryOperator, visit_expressions};
use sqlparser::dialect::Dialect;
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};

use crate::diag::{Diagnostic, Source, Span};

/// Longest predicate taken, in bytes.
pub const MAX_PREDICATE_BYTES: usize = 64 * 1024;

/// Operators in a row that one condition may have: the syntax tree is as deep, and walking it takes stack.
const MAX_RUN: usize = 300;

/// Brackets and `NOT`s inside one another.
const MAX_DEPTH: usize = 50;

/// Values of the parameters of a predicate (`:day`), by name.
pub type Parameters = BTreeMap<String, String>;

/// The logical structure of a predicate.
#[derive(Debug, Clone)]
pub enum Tree {
    And(Vec<Tree>),
    Or(Vec<Tree>),
    Not(Box<Tree>),
    Leaf(Box<Leaf>),
}

/// One condition without connectives of its own.
#[derive(Debug, Clone)]
pub struct Leaf {
    pub expr: Expr,
    pub span: Span,
}

/// A parsed predicate and what is needed to point into it.
#[derive(Debug)]
pub struct Parsed {
    pub source: Arc<Source>,
    pub tree: Tree,
    tokens: Vec<PlacedToken>,
    lines: LineIndex,
}

/// A token with its place in bytes.
#[derive(Debug)]
struct PlacedToken {
    token: Token,
    span: Span,
}

/// A literal, a name or other text inside a span, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lexeme<'a> {
    Name(&'a str, Span),
    /// The value, escapes taken out.
    Literal(String),
    Other(&'a str),
}

impl Parsed {
    /// The place of a syntax tree node, as far as `sqlparser` knows it.
    pub fn span_of(&self, expr: &Expr, fallback: Span) -> Span {
        let span = expr.span();
        if span.start.line == 0 || span.end.line == 0 {
            return fallback;
        }
        Span::new(self.lines.offset(span.start), self.lines.offset(span.end))
    }

    /// Column names used in an expression, with their places.
    pub fn names(&self, expr: &Expr) -> Vec<(String, Span)> {
        let mut names = Vec::new();
        let _ = visit_expressions(expr, |node| {
            let ident = match node {
                Expr::Identifier(ident) => Some(ident),
                // `alias.column`: what counts is the column.
                Expr::CompoundIdentifier(parts) => parts.last(),
                _ => None,
            };
            if let Some(ident) = ident {
                let span = Span::new(self.lines.offset(ident.span.start), self.lines.offset(ident.span.end));
                names.push((ident.value.clone(), span));
            }
            ControlFlow::<()>::Continue(())
        });
        names
    }

    /// The text of a span, cut into names (those given), string literals and the rest.
    pub fn lexemes(&self, span: Span, names: &[(String, Span)]) -> Vec<Lexeme<'_>> {
        let mut lexemes = Vec::new();
        let mut at = span.start;
        let first = self.tokens.partition_point(|placed| placed.span.start < span.start);
        for placed in self.tokens[first..].iter().take_while(|placed| placed.span.end <= span.end) {
            let lexeme = match &placed.token {
                Token::SingleQuotedString(text) | Token::DoubleQuotedString(text) => {
                    Lexeme::Literal(text.clone())
                }
                Token::Word(word) if names.iter().any(|(_, place)| *place == placed.span) => {
                    debug_assert!(names.iter().any(|(name, _)| *name == word.value));
                    Lexeme::Name(&self.source.text[placed.span.start..placed.span.end], placed.span)
                }
                _ => continue,
            };
            if at < placed.span.start {
                lexemes.push(Lexeme::Other(&self.source.text[at..placed.span.start]));
            }
            lexemes.push(lexeme);
            at = placed.span.end;
        }
        if at < span.end {
            lexemes.push(Lexeme::Other(&self.source.text[at..span.end]));
        }
        lexemes
    }
}

/// The dialect: Hive's literals, its bang, backquoted names.
#[derive(Debug)]
struct HivePredicate;

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

/// Reads a predicate and puts the parameters' values in.
///
/// # Errors
/// Input that is empty, too long or too deep; a syntax error; text after the predicate; a parameter without a
/// value or a value without a parameter.
pub fn parse(source: &Arc<Source>, parameters: &Parameters) -> Result<Parsed, Diagnostic> {
    let text = source.text.as_str();
    if text.len() > MAX_PREDICATE_BYTES {
        let message =
            format!("the predicate has {} bytes, at most {MAX_PREDICATE_BYTES} are taken", text.len());
        return Err(Diagnostic::error(message)
            .with_help("split it into several plans, or load the values into a table"));
    }
    let lines = LineIndex::new(text);
    let tokens = tokenize(source, &lines)?;
    let end = Span::new(text.trim_end().len(), text.trim_end().len());
    if tokens.is_empty() {
        return Err(Diagnostic::error("the predicate is empty")
            .at(source, end, "expected a condition")
            .with_help("write a condition such as `opera_day = 20200406`"));
    }
    let tokens = bind_parameters(source, tokens, parameters)?;
    guard_depth(source, &tokens)?;

    let located = tokens.iter().map(|placed| located(placed, &lines)).collect();
    let mut parser =
        Parser::new(&HivePredicate).with_recursion_limit(MAX_DEPTH).with_tokens_with_locations(located);
    let expr = parser.parse_expr().map_err(|error| syntax_error(source, &tokens, &mut parser, error))?;
    let rest = parser.peek_token();
    if rest.token != Token::EOF {
        let span = Span::new(lines.offset(rest.span.start), lines.offset(rest.span.end));
        dismantle(expr);
        return Err(Diagnostic::error("the predicate goes on after its end")
            .at(source, span, "unexpected here")
            .with_help(match tokens.iter().any(is_dollar) {
                true => PARAMETER_HELP,
                false => "join conditions with `AND` or `OR`",
            }));
    }
    let tree = Structure { tokens: &tokens, lines: &lines }.tree(expr, 0..tokens.len());
    Ok(Parsed { source: Arc::clone(source), tree, tokens, lines })
}

fn located(placed: &PlacedToken, lines: &LineIndex) -> TokenWithSpan {
    let span =
        sqlparser::tokenizer::Span::new(lines.location(placed.span.start), lines.location(placed.span.end));
    TokenWithSpan::new(placed.token.clone(), span)
}

fn tokenize(source: &Arc<Source>, lines: &LineIndex) -> Result<Vec<PlacedToken>, Diagnostic> {
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
fn guard_depth(source: &Arc<Source>, tokens: &[PlacedToken]) -> Result<(), Diagnostic> {
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

fn keyword(token: &Token) -> Option<Keyword> {
    match token {
        Token::Word(word) if word.quote_style.is_none() => Some(word.keyword),
        _ => None,
    }
}

fn syntax_error(
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

const PARAMETER_HELP: &str = "write a parameter as `:name` and give it with `--param name=value`";

/// `$` or `${…`, as other tools write parameters.
fn is_dollar(placed: &PlacedToken) -> bool {
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

/// Frees an expression without recursion along its left spine.
fn dismantle(mut expr: Expr) {
    while let Expr::BinaryOp { left, .. } = expr {
        expr = *left;
    }
}

/// Finds the logical structure and gives every condition its tokens.
struct Structure<'a> {
    tokens: &'a [PlacedToken],
    lines: &'a LineIndex,
}

impl Structure<'_> {
    /// `range` are the tokens of `expr`, brackets around it included.
    fn tree(&self, expr: Expr, range: std::ops::Range<usize>) -> Tree {
        match expr {
            Expr::BinaryOp { op: op @ (BinaryOperator::And | BinaryOperator::Or), left, right } => {
                self.chain(op, *left, *right, range)
            }
            Expr::Nested(inner) if self.is(range.start, &Token::LParen) => {
                self.tree(*inner, range.start + 1..range.end - 1)
            }
            Expr::UnaryOp { op: UnaryOperator::Not | UnaryOperator::BangNot, expr } => {
                Tree::Not(Box::new(self.tree(*expr, range.start + 1..range.end)))
            }
            expr => Tree::Leaf(Box::new(Leaf { expr, span: self.span(&range) })),
        }
    }

    /// Flattens `a AND b AND c`, which the parser nests to the left, without recursion.
    fn chain(&self, op: BinaryOperator, left: Expr, right: Expr, range: std::ops::Range<usize>) -> Tree {
        let mut arms = Vec::new();
        let mut end = range.end;
        let mut rest = (left, right);
        loop {
            let (left, right) = rest;
            let connective = self.connective_before(&right, &op, range.start, end);
            arms.push(self.tree(right, connective + 1..end));
            end = connective;
            match left {
                Expr::BinaryOp { op: inner, left, right } if inner == op => rest = (*left, *right),
                last => {
                    arms.push(self.tree(last, range.start..end));
                    break;
                }
            }
        }
        arms.reverse();
        if op == BinaryOperator::And { Tree::And(arms) } else { Tree::Or(arms) }
    }

    /// The token of the connective that stands before `right`. Nothing but brackets, NOTs and function names can
    /// stand between it and the first place known inside `right`.
    fn connective_before(&self, right: &Expr, op: &BinaryOperator, start: usize, end: usize) -> usize {
        let wanted = if *op == BinaryOperator::And { Keyword::AND } else { Keyword::OR };
        let first_known = right.span().start;
        let upper = if first_known.line == 0 {
            end
        } else {
            let offset = self.lines.offset(first_known);
            self.tokens[start..end].partition_point(|placed| placed.span.start < offset) + start
        };
        (start..upper)
            .rev()
            .find(|&index| keyword(&self.tokens[index].token) == Some(wanted))
            .unwrap_or(start)
    }

    fn is(&self, index: usize, token: &Token) -> bool {
        self.tokens.get(index).is_some_and(|placed| placed.token == *token)
    }

    fn span(&self, range: &std::ops::Range<usize>) -> Span {
        match self.tokens.get(range.start..range.end) {
            Some([first, .., last]) => first.span.to(last.span),
            Some([only]) => only.span,
            _ => Span::default(),
        }
    }
}

/// Puts parameter values in place of `:name`, as string literals: a value is data whatever it holds.
fn bind_parameters(
    source: &Arc<Source>,
    tokens: Vec<PlacedToken>,
    parameters: &Parameters,
) -> Result<Vec<PlacedToken>, Diagnostic> {
    let mut bound: Vec<PlacedToken> = Vec::with_capacity(tokens.len());
    let mut missing: BTreeMap<String, Span> = BTreeMap::new();
    let mut known = BTreeSet::new();
    for placed in tokens {
        let name = match (&placed.token, bound.last()) {
            (Token::Word(word), Some(PlacedToken { token: Token::Colon, span }))
                if span.end == placed.span.start && word.quote_style.is_none() =>
            {
                word.value.clone()
            }
            _ => {
                bound.push(placed);
                continue;
            }
        };
        let span = Span::new(placed.span.start - 1, placed.span.end);
        bound.pop();
        let value = parameters.get(&name).cloned().unwrap_or_default();
        if !parameters.contains_key(&name) {
            missing.entry(name.clone()).or_insert(span);
        }
        known.insert(name);
        bound.push(PlacedToken { token: Token::SingleQuotedString(value), span });
    }
    if let Some((first, span)) = missing.first_key_value() {
        let list = missing.keys().map(|name| format!("`:{name}`")).collect::<Vec<_>>().join(", ");
        return Err(Diagnostic::error(format!("no value for {list}"))
            .at(source, *span, "this parameter")
            .with_help(format!("add `--param {first}=VALUE`")));
    }
    match parameters.keys().find(|name| !known.contains(*name)) {
        Some(unused) => Err(Diagnostic::error(format!("the predicate has no parameter `:{unused}`"))
            .at(source, Span::new(0, source.text.trim_end().len()), "in this predicate")
            .with_suggestion(unused, known.iter().map(String::as_str))),
        None => Ok(bound),
    }
}

/// Byte offsets of lines and of the characters in them.
#[derive(Debug)]
struct LineIndex {
    /// For every line, the byte offset of each of its characters, and of its end.
    lines: Vec<Vec<usize>>,
    length: usize,
}

impl LineIndex {
    fn new(text: &str) -> Self {
        let mut lines = vec![Vec::new()];
        for (offset, c) in text.char_indices() {
            if let Some(line) = lines.last_mut() {
                line.push(offset);
            }
            if c == '\n' {
                lines.push(Vec::new());
            }
        }
        LineIndex { lines, length: text.len() }
    }

    /// Byte offset of a line and column, both counted from 1, the column in characters.
    fn offset(&self, location: Location) -> usize {
        let line = usize::try_from(location.line).unwrap_or(usize::MAX).saturating_sub(1);
        let column = usize::try_from(location.column).unwrap_or(usize::MAX).saturating_sub(1);
        let Some(offsets) = self.lines.get(line) else { return self.length };
        match offsets.get(column) {
            Some(offset) => *offset,
            None => self.lines.get(line + 1).and_then(|next| next.first().copied()).unwrap_or(self.length),
        }
    }

    fn location(&self, offset: usize) -> Location {
        let line = self
            .lines
            .partition_point(|offsets| offsets.first().is_some_and(|first| *first <= offset))
            .max(1);
        let column = self.lines[line - 1].partition_point(|start| *start < offset);
        Location { line: line as u64, column: column as u64 + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parsed(text: &str) -> Parsed {
        parse(&Source::new("predicate", text), &Parameters::new()).unwrap_or_else(|e| panic!("{e}"))
    }

    /// The structure with every condition's text: `{a = 1} & ({b} | {c})`.
    fn shape(parsed: &Parsed) -> String {
        fn walk(parsed: &Parsed, tree: &Tree) -> String {
            match tree {
                Tree::And(arms) => join(parsed, arms, " & "),
                Tree::Or(arms) => join(parsed, arms, " | "),
                Tree::Not(inner) => format!("!{}", walk(parsed, inner)),
                Tree::Leaf(leaf) => format!("{{{}}}", &parsed.source.text[leaf.span.start..leaf.span.end]),
            }
        }
        fn join(parsed: &Parsed, arms: &[Tree], with: &str) -> String {
            format!("({})", arms.iter().map(|arm| walk(parsed, arm)).collect::<Vec<_>>().join(with))
        }
        walk(parsed, &parsed.tree)
    }

    #[test]
    fn conditions_are_cut_exactly() {
        for (text, expected) in [
            ("a = 1", "{a = 1}"),
            ("a = 1 AND b IN (1, 2) AND (c) IS NULL", "({a = 1} & {b IN (1, 2)} & {(c) IS NULL})"),
            ("a BETWEEN 1 AND 2 AND b = 3", "({a BETWEEN 1 AND 2} & {b = 3})"),
            ("(a = 1 OR NOT (b = 2)) AND c = 'x AND y'", "(({a = 1} | !{b = 2}) & {c = 'x AND y'})"),
            ("a = 1 OR b = 2 AND c = 3", "({a = 1} | ({b = 2} & {c = 3}))"),
            ("CASE WHEN a AND b THEN 1 END = 1 AND c = 2", "({CASE WHEN a AND b THEN 1 END = 1} & {c = 2})"),
            ("upper(a) = 'X' and (lower(b)) = 'y'", "({upper(a) = 'X'} & {(lower(b)) = 'y'})"),
            (
                "(a, b) IN ((1, 2), (3, 4)) OR (a, b) > (1, 2)",
                "({(a, b) IN ((1, 2), (3, 4))} | {(a, b) > (1, 2)})",
            ),
            ("((a = 1))", "{a = 1}"),
            ("! a = 1", "!{a = 1}"),
            ("a = 1 -- day\n AND\n b = 'ü'", "({a = 1} & {b = 'ü'})"),
            (
                "(a + 1) * 2 > 3 AND b LIKE 'x\\_%' ESCAPE '!'",
                "({(a + 1) * 2 > 3} & {b LIKE 'x\\_%' ESCAPE '!'})",
            ),
        ] {
            assert_eq!(shape(&parsed(text)), expected, "{text}");
        }
    }

    #[test]
    fn literals_follow_hive() {
        assert_eq!(unescape(r"it\'s", '\''), "it's");
        assert_eq!(unescape("it''s", '\''), "it's");
        assert_eq!(unescape(r"a\_b\%\\", '\''), r"a\_b\%\");
        assert_eq!(unescape(r"\u00fc\101\n\x", '\''), "üA\nx");
    }

    #[test]
    fn long_chains_are_flattened() {
        let long = vec!["a = 1"; 5_000].join(" OR ");
        let Tree::Or(arms) = parsed(&long).tree else { panic!("not an OR") };
        assert_eq!(arms.len(), 5_000);
        for deep in ["a + ".repeat(5_000) + "1 = 1", "NOT ".repeat(5_000) + "a = 1", "(".repeat(9_000)] {
            assert!(parse(&Source::new("predicate", deep), &Parameters::new()).is_err());
        }
    }

    #[test]
    fn parameters_are_data() {
        let source = Source::new("predicate", "a = :day");
        let mut parameters = Parameters::from([("day".to_string(), "1' OR '1'='1".to_string())]);
        let Tree::Leaf(leaf) = parse(&source, &parameters).unwrap().tree else { panic!("not a leaf") };
        assert!(matches!(leaf.expr, Expr::BinaryOp { .. }));
        parameters.insert("dya".into(), String::new());
        assert!(parse(&source, &parameters).unwrap_err().help.is_some());
        assert!(parse(&source, &Parameters::new()).unwrap_err().message.contains("`:day`"));
    }

    proptest! {
        #[test]
        fn never_panics(text in "[a-c0-9 ()'\"=<>!,.:`\\\\ANDORINOTüé%_+-]{0,60}") {
            let source = Source::new("predicate", text.clone());
            if let Err(error) = parse(&source, &Parameters::new()) {
                for label in &error.labels {
                    prop_assert!(label.span.start <= label.span.end && label.span.end <= text.len());
                }
            }
        }

        #[test]
        fn never_panics_on_words(words in prop::collection::vec(prop::sample::select(vec![
            "a", "b", "1", "'x'", "(", ")", "AND", "OR", "NOT", "IN", "BETWEEN", "LIKE", "=", "<", ",", "NULL", "IS",
            "CASE", "WHEN", "THEN", "END", "DATE", "substr", "cast", "AS", "INTERVAL", "-", "*", ":p", "ESCAPE", "/*",
        ]), 0..24)) {
            let source = Source::new("predicate", words.join(" "));
            let _ = parse(&source, &Parameters::new());
        }
    }
}
