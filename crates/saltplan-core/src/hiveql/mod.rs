//! From SQL text to a tree of conditions, each with the tokens that it is made of, and to the expressions of a schema.
//!
//! The grammar is that of a Hive `WHERE` clause, with Hive's precedence. String literals follow Hive: single or double quotes,
//! backslash escapes; a doubled quote stands for itself, as in standard SQL. What Hive cannot read is refused, so that every
//! condition can be written for it from its tokens; comments are no tokens.

pub mod ast;
mod cursor;
mod expression;
mod foreign;
mod grammar;
mod json_parameters;
mod lexer;
mod literal;
mod operand;
mod parameters;
#[cfg(test)]
pub(crate) mod random;
mod runtime;
mod schedulers;
mod token;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use crate::diag::{Diagnostic, DiagnosticKind, PredicateFault, Source, Span};
use crate::key::time_format::TimeFormat;
use ast::Expr;
pub use expression::{Expression, expression};
use grammar::{FoundInText, Parser};
pub use grammar::{Replacement, Rewrite, TimeCall};
pub use json_parameters::json_parameters;
use lexer::tokenize;
pub use literal::literal;
pub use operand::{OF_DATES, is_date_argument};
use parameters::bind_parameters;
pub use parameters::{Parameter, Parameters, is_parameter_name};
pub use runtime::{Runtime, RuntimeFault};
use token::{PlacedToken, Token};

/// Longest predicate taken, in bytes.
pub const MAX_PREDICATE_BYTES: usize = 64 * 1024;

/// Operations in a row that one condition may have: the syntax tree is as deep, and walking it takes stack.
const MAX_NODES_DEEP: usize = 300;

/// Brackets, functions and `NOT`s inside one another.
const MAX_DEPTH: usize = 50;

/// The names of the parameters (`:day`) of a predicate; none of a text that cannot be read.
pub fn parameter_names(predicate: &str) -> BTreeSet<String> {
    let tokens = tokenize(&Source::new("predicate", predicate), Subject::Predicate).unwrap_or_default();
    let names = tokens.into_iter().filter_map(|placed| match placed.token {
        Token::Parameter(name) => Some(name),
        _ => None,
    });
    names.collect()
}

/// What a text is called in messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    Predicate,
    /// The value of a column.
    Expression,
}

impl Subject {
    fn the(self) -> &'static str {
        match self {
            Subject::Predicate => "the predicate",
            Subject::Expression => "the expression",
        }
    }

    fn a(self) -> &'static str {
        match self {
            Subject::Predicate => "a predicate",
            Subject::Expression => "an expression",
        }
    }

    /// What it is made of.
    fn part(self) -> &'static str {
        match self {
            Subject::Predicate => "a condition",
            Subject::Expression => "an expression",
        }
    }
}

/// The logical structure of a predicate.
#[derive(Debug, Clone)]
pub enum Tree {
    And(Vec<Tree>),
    Or(Vec<Tree>),
    Not(Box<Tree>),
    Leaf(Leaf),
}

/// One condition without connectives of its own.
#[derive(Debug, Clone)]
pub struct Leaf {
    pub expr: Box<Expr>,
    pub span: Span,
    /// Its tokens, brackets around it left out.
    pub tokens: Range<usize>,
}

/// A parsed predicate and what is needed to point into it.
#[derive(Debug)]
pub struct Parsed {
    pub source: Arc<Source>,
    pub tree: Tree,
    /// Remarks on literals.
    pub warnings: Vec<Diagnostic>,
    /// Parameters whose values are known when a statement runs, by name.
    pub runtime: BTreeMap<String, Runtime>,
    tokens: Vec<PlacedToken>,
    found: FoundInText,
}

/// What a token is to those who write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lexeme<'a> {
    /// A column or a key field.
    Name { name: &'a str, spelled: &'a str, span: Span },
    /// The value, escapes taken out.
    Literal(&'a str),
    /// A name in backquotes that is no column.
    Quoted(&'a str),
    /// `CASE` or `if`, which choose between values.
    Choice(&'a str),
    /// A keyword, a function, a number or a sign.
    Other(&'a str),
}

impl Parsed {
    /// The tokens of the whole predicate.
    pub fn all(&self) -> Range<usize> {
        0..self.tokens.len()
    }

    pub fn lexeme(&self, token: usize) -> Lexeme<'_> {
        let PlacedToken { token: content, span } = &self.tokens[token];
        match content {
            Token::Word(name) | Token::Quoted(name) if self.found.columns.binary_search(&token).is_ok() => {
                Lexeme::Name { name, spelled: &self.source.text[span.start..span.end], span: *span }
            }
            Token::Quoted(name) => Lexeme::Quoted(name),
            Token::Word(word) if content.is_choice() => Lexeme::Choice(word),
            Token::Text(value) => Lexeme::Literal(value),
            Token::Word(text) | Token::Number(text) | Token::Parameter(text) => Lexeme::Other(text),
            Token::Sign(sign) => Lexeme::Other(sign),
        }
    }

    /// Column names among tokens, with their places.
    pub fn names(&self, tokens: &Range<usize>) -> impl Iterator<Item = (&str, Span)> {
        self.marked(&self.found.columns, tokens).filter_map(|token| match self.lexeme(token) {
            Lexeme::Name { name, span, .. } => Some((name, span)),
            _ => None,
        })
    }

    /// Whether a function among the tokens reads the engine's clock.
    pub(crate) fn reads_clock(&self, tokens: &Range<usize>) -> bool {
        self.marked(&self.found.clocks, tokens).next().is_some()
    }

    /// The first condition of a tree that has a parameter of run time.
    pub(crate) fn first_with_runtime<'t>(&self, tree: &'t Tree) -> Option<&'t Leaf> {
        match tree {
            Tree::And(arms) | Tree::Or(arms) => arms.iter().find_map(|arm| self.first_with_runtime(arm)),
            Tree::Not(inner) => self.first_with_runtime(inner),
            Tree::Leaf(leaf) => self.runtime_names(&leaf.tokens).next().is_some().then_some(leaf),
        }
    }

    /// Parameters of run time among tokens.
    pub(crate) fn runtime_names(&self, tokens: &Range<usize>) -> impl Iterator<Item = &str> {
        self.tokens[tokens.clone()].iter().filter_map(|placed| match &placed.token {
            Token::Parameter(spelled) => spelled.strip_prefix(':'),
            _ => None,
        })
    }

    fn marked<'a>(&self, marks: &'a [usize], tokens: &Range<usize>) -> impl Iterator<Item = usize> + use<'a> {
        let first = marks.partition_point(|token| *token < tokens.start);
        let end = marks.partition_point(|token| *token < tokens.end);
        marks[first..end].iter().copied()
    }

    /// All rewrites, in the order of their tokens.
    pub fn rewrites(&self) -> &[Rewrite] {
        &self.found.rewrites
    }

    /// Calls of functions of dates and times, an inner one before the outer one.
    pub(crate) fn time_calls(&self) -> &[TimeCall] {
        &self.found.time_calls
    }

    /// The place of some tokens.
    pub fn span(&self, tokens: &Range<usize>) -> Span {
        token::span(&self.tokens, tokens)
    }

    /// What stands for tokens from this one on, if it is not the tokens themselves.
    pub fn rewrite(&self, token: usize) -> Option<&Rewrite> {
        let at = self.found.rewrites.partition_point(|rewrite| rewrite.tokens.start < token);
        self.found.rewrites.get(at).filter(|rewrite| rewrite.tokens.start == token)
    }

    /// The brackets to write before and behind a token.
    pub fn brackets(&self, token: usize) -> (&str, &str) {
        self.found.brackets.get(&token).map_or(("", ""), |(open, close)| (open, close))
    }

    /// Whether something stood between a token and the one before it.
    pub(crate) fn is_apart(&self, token: usize) -> bool {
        let Some(before) = token.checked_sub(1).map(|before| &self.tokens[before]) else { return false };
        let start = self.tokens[token].span.start;
        // Of the values of one parameter each but the first is behind a comma that the predicate has not.
        before.span.end < start || (before.token == Token::Sign(",") && before.span.end > start)
    }

    /// Whether a row of values stands among the tokens.
    pub(crate) fn holds_row(&self, tokens: &Range<usize>) -> bool {
        self.lists_among(tokens).next().is_some()
    }

    /// The rows of values among the tokens, without those inside of others.
    pub fn rows(&self, tokens: &Range<usize>) -> Vec<Range<usize>> {
        let mut rows: Vec<Range<usize>> = Vec::new();
        for list in self.lists_among(tokens) {
            while rows.last().is_some_and(|inner| inner.start > list.tokens.start) {
                rows.pop();
            }
            rows.push(list.tokens.clone());
        }
        rows
    }

    /// The values of the row that these tokens are.
    pub fn row(&self, tokens: &Range<usize>) -> Option<&[Range<usize>]> {
        let lists = &self.found.lists;
        let at = lists.partition_point(|list| list.tokens.end < tokens.end);
        lists.get(at).filter(|list| list.tokens == *tokens).map(|list| list.items.as_slice())
    }

    /// The lists in brackets among the tokens, by their ends. None reaches into the tokens from outside.
    fn lists_among(&self, tokens: &Range<usize>) -> impl Iterator<Item = &grammar::ListTokens> {
        let lists = &self.found.lists;
        let after = lists.partition_point(|list| list.tokens.end <= tokens.start);
        let end = tokens.end;
        lists[after..].iter().take_while(move |list| list.tokens.end <= end)
    }
}

/// Reads a predicate and puts the parameters' values in.
///
/// # Errors
/// Input that is empty, too long or too deep; a syntax error; text after the predicate; a parameter without a
/// value or a value without a parameter.
pub fn parse(source: &Arc<Source>, parameters: &Parameters) -> Result<Parsed, Diagnostic> {
    parse_for(source, parameters, &[])
}

/// The same for a table whose calendar fields have these formats: a parameter's value in one of them is that day for
/// functions of dates (`date_sub(:day, 1)`), which in Hive take only `yyyy-MM-dd`.
///
/// # Errors
/// As [`parse`].
pub(crate) fn parse_for(
    source: &Arc<Source>,
    parameters: &Parameters,
    formats: &[&TimeFormat],
) -> Result<Parsed, Diagnostic> {
    read(source, parameters, formats).map_err(|error| match error.kind {
        DiagnosticKind::Other => error.with_fault(PredicateFault::Syntax),
        _ => error,
    })
}

fn read(
    source: &Arc<Source>,
    parameters: &Parameters,
    formats: &[&TimeFormat],
) -> Result<Parsed, Diagnostic> {
    let text = source.text.as_str();
    if text.len() > MAX_PREDICATE_BYTES {
        let message =
            format!("the predicate has {} bytes, at most {MAX_PREDICATE_BYTES} are taken", text.len());
        return Err(Diagnostic::error(message)
            .with_help("split it into several plans, or load the values into a table")
            .with_fault(PredicateFault::TooLong));
    }
    let mut tokens = tokenize(source, Subject::Predicate)?;
    if tokens.is_empty() {
        let end = Span::new(text.trim_end().len(), text.trim_end().len());
        return Err(Diagnostic::error("the predicate is empty")
            .at(source, end, "expected a condition")
            .with_help("write a condition such as `opera_day = 20200406`"));
    }
    bind_parameters(source, &mut tokens, parameters, formats)?;
    let mut parser = Parser::new(source, Subject::Predicate, &tokens);
    let tree = parser.predicate()?;
    let mut found = parser.found;
    // Lists stand in the order of their ends: an inner one is done before the outer one.
    found.rewrites.sort_by_key(|rewrite| (rewrite.tokens.start, std::cmp::Reverse(rewrite.tokens.end)));
    let warnings = foreign::unfilled(source, &tokens);
    let runtime = parameters.runtime();
    Ok(Parsed { source: Arc::clone(source), tree, warnings, runtime, tokens, found })
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
    fn depth_has_a_limit() {
        let depth = |count: usize| {
            let open = ["(", "f(", "NOT ", "CASE WHEN "];
            let close = [")", ") = 1", "", " THEN 1 END = 1"];
            let texts = open.into_iter().zip(close).map(|(open, close)| {
                let inner = if open == "f(" { "a" } else { "a = 1" };
                let close = if open == "f(" { ")".repeat(count - 1) + close } else { close.repeat(count) };
                open.repeat(count) + inner + &close
            });
            texts
                .map(|text| parse(&Source::new("predicate", text), &Parameters::new()).is_ok())
                .collect::<Vec<_>>()
        };
        assert_eq!(depth(MAX_DEPTH), [true; 4]);
        assert_eq!(depth(MAX_DEPTH + 1), [false; 4]);
    }

    #[test]
    fn parameters_are_data() {
        let source = Source::new("predicate", "a = :day");
        let mut parameters = Parameters::from([("day".to_string(), "1' OR '1'='1".into())]);
        let Tree::Leaf(leaf) = parse(&source, &parameters).unwrap().tree else { panic!("not a leaf") };
        assert!(matches!(*leaf.expr, Expr::BinaryOp { .. }));
        parameters.insert("dya", "");
        assert!(parse(&source, &parameters).unwrap_err().help.is_some());
        assert!(parse(&source, &Parameters::new()).unwrap_err().message.contains("`:day`"));
    }

    proptest! {
        #[test]
        fn trees_are_those_that_were_asked_for(asked in random::asked(), many: bool, seed: u64) {
            let text = random::written(&asked.bits(many), seed);
            match parse(&Source::new("predicate", text.clone()), &Parameters::new()) {
                Ok(parsed) => prop_assert_eq!(random::shape(&parsed), asked.shape(), "{}", text),
                Err(error) => prop_assert!(false, "{error}\n{text}"),
            }
        }

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
