//! HiveQL: parses predicates and the expressions of a schema into one syntax tree ([`ast`]), and prints this tree.
//!
//! The grammar is that of a Hive `WHERE` clause, with Hive's precedence. String literals follow Hive: single or double quotes,
//! backslash escapes; a doubled quote is a quote, as in standard SQL. What Hive cannot read is refused, so every condition can be
//! printed for Hive. Comments are skipped.

pub mod ast;
pub mod build;
pub mod constant;
mod cursor;
mod expression;
mod filled_in;
mod foreign;
pub mod functions;
mod grammar;
pub mod hive_type;
mod json_parameters;
pub mod layout;
mod lexer;
mod literal;
mod operand;
mod operator;
mod parameters;
mod print;
#[cfg(any(test, feature = "testing"))]
pub mod random;
pub mod rewrite;
mod runtime;
pub mod scanner;
mod schedulers;
pub mod script;
pub mod statement;
pub mod time;
mod token;
pub mod value;
pub mod version;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::time::format::TimeFormat;
use ast::Node;
pub use expression::{Expression, expression};
pub use filled_in::{KnownValue, ValueClock, ValueForm};
use grammar::Parser;
pub use json_parameters::json_parameters;
use lexer::tokenize;
pub use literal::literal;
pub use parameters::{
    BlankAtEnd, Parameter, Parameters, has_blank_at_end, is_parameter_name, values_of_lines,
};
use parameters::{bind_parameters, set_clock};
pub use print::identifier;
pub use runtime::{Runtime, RuntimeFault};
use saltplan_document::diag::{Diagnostic, DiagnosticKind, PredicateFault, Source, Span};
use token::Token;

/// The maximum length of a predicate in bytes.
pub const MAX_PREDICATE_BYTES: usize = 64 * 1024;

/// The maximum number of expressions in a predicate that is a part of a script.
pub const MAX_PARTS: usize = MAX_PREDICATE_BYTES / 2;

/// The maximum number of operations in a row (`a + b + …`). The syntax tree has the same depth, and walking it takes stack.
const MAX_NODES_DEEP: usize = 300;

/// The maximum of patterns times bytes of the operand of `LIKE ANY` and `LIKE ALL`, which are printed as one LIKE for each pattern.
const MAX_LIKE_BYTES: usize = 256 * 1024;

/// The maximum depth of nested brackets, functions and `NOT`s.
const MAX_DEPTH: usize = 50;

/// The names of the parameters (`:day`) of a predicate; empty if the text cannot be split into tokens.
pub fn parameter_names(predicate: &str) -> BTreeSet<String> {
    let source = Source::new("predicate", predicate);
    let tokens = tokenize(&source, Subject::Predicate).unwrap_or_default();
    let names = tokens.into_iter().filter_map(|placed| match placed.token {
        Token::Parameter(name) => Some(name.to_string()),
        _ => None,
    });
    names.collect()
}

/// What is read: it decides which tokens there are, and what the text is called in messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    Predicate,
    /// The value of a column.
    Expression,
    /// A script, or an expression in it.
    Script,
}

impl Subject {
    fn the(self) -> &'static str {
        match self {
            Subject::Predicate => "the predicate",
            Subject::Expression => "the expression",
            Subject::Script => "it",
        }
    }

    fn a(self) -> &'static str {
        match self {
            Subject::Predicate => "a predicate",
            Subject::Expression => "an expression",
            Subject::Script => "a condition",
        }
    }

    /// The word for it in messages.
    fn part(self) -> &'static str {
        match self {
            Subject::Predicate | Subject::Script => "a condition",
            Subject::Expression => "an expression",
        }
    }
}

/// A parsed predicate.
#[derive(Debug, Clone)]
pub struct Parsed {
    pub source: Arc<Source>,
    pub tree: Node,
    /// Warnings about literals.
    pub warnings: Vec<Diagnostic>,
    /// Parameters whose values are known only when the statement runs, by name.
    pub runtime: BTreeMap<String, Runtime>,
}

/// Refuses a predicate with too many expressions in it.
///
/// # Errors
/// There are more than a predicate may have.
pub fn check_parts(parts: usize) -> Result<(), Diagnostic> {
    if parts <= MAX_PARTS {
        return Ok(());
    }
    Err(Diagnostic::error(format!("the predicate has {parts} parts, but the limit is {MAX_PARTS}"))
        .with_help("split it into several plans, or load the values into a table")
        .with_fault(PredicateFault::TooLong))
}

impl Parsed {
    /// Refuses a tree that is too large, as a text of it would be.
    ///
    /// # Errors
    /// It has too many parts.
    pub fn check_size(&self) -> Result<(), Diagnostic> {
        let mut parts: usize = 0;
        rewrite::walk(&self.tree, &mut |_| parts += 1);
        check_parts(parts)
    }
}

/// Parses a predicate and fills in the values of its parameters.
///
/// # Errors
/// Input that is empty, too long or too deep; a syntax error; text after the predicate; a parameter without a
/// value or a value without a parameter.
pub fn parse(source: &Arc<Source>, parameters: &Parameters) -> Result<Parsed, Diagnostic> {
    parse_for(source, parameters, &[])
}

/// [`parse`] for a table whose calendar fields have these formats. As an argument of a date function (`date_sub(:day, 1)`), a
/// parameter may have a value in one of them; Hive itself takes only `yyyy-MM-dd`.
///
/// # Errors
/// As [`parse`].
pub fn parse_for(
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
            format!("the predicate has {} bytes, but the limit is {MAX_PREDICATE_BYTES}", text.len());
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
    let mut tree = Parser::new(source, Subject::Predicate, &tokens).predicate()?;
    if let Some(now) = parameters.now {
        set_clock(&mut tree, now);
    }
    let warnings = foreign::unfilled(source, &tokens);
    Ok(Parsed { source: Arc::clone(source), tree, warnings, runtime: parameters.runtime() })
}

#[cfg(test)]
mod tests {
    use super::ast::{Expr, UnaryOperator};
    use super::*;
    use proptest::prelude::*;

    fn parsed(text: &str) -> Parsed {
        parse(&Source::new("predicate", text), &Parameters::new()).unwrap_or_else(|e| panic!("{e}"))
    }

    /// The structure with every condition's text: `{a = 1} & ({b} | {c})`.
    fn shape(parsed: &Parsed) -> String {
        fn walk(parsed: &Parsed, node: &Node) -> String {
            match &node.expr {
                Expr::And(arms) => join(parsed, arms, " & "),
                Expr::Or(arms) => join(parsed, arms, " | "),
                Expr::Nested(inner) => walk(parsed, inner),
                Expr::UnaryOp { op: UnaryOperator::Not, expr } => format!("!{}", walk(parsed, expr)),
                _ => format!("{{{}}}", &parsed.source.text[node.span.start..node.span.end]),
            }
        }
        fn join(parsed: &Parsed, arms: &[Node], with: &str) -> String {
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
    fn printed_conditions() {
        for (text, printed) in [
            ("a=1 and( b in(1,'x')or not c)", "a = 1 AND (b IN (1, 'x') OR NOT c)"),
            ("!a == 1", "NOT a = 1"),
            ("a != - -5", "a <> - -5"),
            ("-(-5) < ~a + b * -c", "-(-5) < ~a + b * -c"),
            ("a IS NULL = b", "(a IS NULL) = b"),
            ("NOT a IS NULL", "NOT a IS NULL"),
            ("x not like any ('a', 'b')", "NOT x LIKE ANY ('a', 'b')"),
            ("NOT x LIKE ALL ('a')", "NOT x LIKE ALL ('a')"),
            ("a < all_of(1) and d > INTERVAL 3 days", "a < all_of(1) AND d > INTERVAL 3 DAY"),
            ("`Case`[0].b = Upper(t.c)", "`Case`[0].b = upper(c)"),
            (
                "extract(year from d) = 2020 or floor(d to day) = 5L",
                "extract(YEAR FROM d) = 2020 OR floor(d TO DAY) = 5L",
            ),
            ("f(distinct a) = 1.5BD", "f(DISTINCT a) = 1.5BD"),
            ("cast(a AS decimal( 10 , 2 )) = current_date", "cast(a as decimal( 10 , 2 )) = current_date"),
        ] {
            assert_eq!(parsed(text).tree.to_string(), printed, "{text}");
        }
    }

    #[test]
    fn operands_of_long_like_lists_are_short() {
        let likes = |operand: usize, patterns: usize| {
            let text = format!("{} LIKE ANY ({})", "a".repeat(operand), vec!["'b'"; patterns].join(", "));
            parse(&Source::new("predicate", text), &Parameters::new())
        };
        let most = MAX_LIKE_BYTES / 1024;
        assert!(likes(1024, most).is_ok() && likes(16, 8_000).is_ok());
        let error = likes(1024, most + 1).unwrap_err();
        assert_eq!(error.message, "257 patterns for an operand of 1024 bytes are too many");
    }

    #[test]
    fn long_chains_are_flattened() {
        let long = vec!["a = 1"; 5_000].join(" OR ");
        let Expr::Or(arms) = parsed(&long).tree.expr else { panic!("not an OR") };
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
        assert!(matches!(parse(&source, &parameters).unwrap().tree.expr, Expr::BinaryOp { .. }));
        parameters.insert("dya", "");
        assert!(parse(&source, &parameters).unwrap_err().help.is_some());
        assert!(parse(&source, &Parameters::new()).unwrap_err().message.contains("`:day`"));
    }

    proptest! {
        #[test]
        fn written_conditions_are_parsed_as_intended(asked in random::asked(), many: bool, seed: u64) {
            let text = random::written(&asked.bits(many), seed);
            match parse(&Source::new("predicate", text.clone()), &Parameters::new()) {
                Ok(parsed) => prop_assert_eq!(random::AskedCondition::of(&parsed, &parsed.tree).shape(), asked.shape(), "{}", text),
                Err(error) => prop_assert!(false, "{error}\n{text}"),
            }
        }

        #[test]
        fn printed_conditions_keep_their_structure(asked in random::asked(), many: bool, seed: u64) {
            let tree = parsed(&random::written(&asked.bits(many), seed)).tree;
            prop_assert_eq!(&parsed(&tree.to_string()).tree, &tree, "{}", tree);
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
