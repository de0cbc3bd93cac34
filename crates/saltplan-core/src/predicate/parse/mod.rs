//! From SQL text to a tree of conditions, each with the exact place that it was cut from.
//!
//! The grammar is that of a Hive `WHERE` clause. String literals follow Hive: single or double quotes, backslash
//! escapes; a doubled quote stands for itself, as in standard SQL.
//!
//! The syntax tree of `sqlparser` has no reliable spans for whole conditions (brackets and keywords at their ends
//! are missing), so the spans come from the tokens: a condition is what stands between two connectives.

mod errors;
mod lines;
mod parameters;
mod structure;
mod tokens;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use sqlparser::ast::{Expr, Spanned as _, visit_expressions};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::Token;

use crate::diag::{Diagnostic, Source, Span};
use errors::{PARAMETER_HELP, is_dollar, syntax_error};
use lines::LineIndex;
use parameters::bind_parameters;
use structure::Structure;
use tokens::{HivePredicate, PlacedToken, guard_depth, located, tokenize};

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

/// Frees an expression without recursion along its left spine.
fn dismantle(mut expr: Expr) {
    while let Expr::BinaryOp { left, .. } = expr {
        expr = *left;
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
