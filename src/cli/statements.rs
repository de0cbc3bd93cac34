//! Statements that a user's own templates print are checked with a general SQL parser: if it cannot parse
//! them, there is a warning.
//!
//! The parser does not know all of HiveQL, so it never refuses anything. It is only used for these texts:
//! predicates and expressions have their own grammar.

use std::any::TypeId;
use std::sync::Arc;
use std::thread;

use saltplan_core::render::templates::{TemplateOutput, Templates};
use saltplan_document::diag::{Diagnostic, Source, Span};
use sqlparser::dialect::{Dialect, HiveDialect};
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};

use super::reporter::Reporter;

/// Longer texts are not checked: the parser builds one tree level for each `OR`, and walks the tree
/// recursively.
const MAX_BYTES: usize = 64 * 1024;

const STACK_BYTES: usize = 64 << 20;

/// Commands of Hive's command line, which are not SQL.
const COMMANDS: [&str; 8] = ["SET", "ADD", "DELETE", "LIST", "DFS", "SOURCE", "RESET", "RELOAD"];

/// Warns about statements that cannot be parsed.
pub fn check(templates: &Templates, reporter: &Reporter) {
    let warnings: Vec<Diagnostic> = templates.printed().iter().filter_map(warning).collect();
    if !warnings.is_empty() {
        reporter.remarks(&warnings);
    }
}

fn warning(printed: &TemplateOutput) -> Option<Diagnostic> {
    if printed.text.len() > MAX_BYTES {
        return None;
    }
    let text = printed.text.clone();
    let reader = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || fault(&text)).ok()?;
    let (at, message) = reader.join().ok()??;
    let template = printed.template.display().to_string();
    let source = Arc::new(Source::new(format!("the output of {template}"), printed.text.clone()));
    Some(
        Diagnostic::warning(format!(
            "the template {template} prints a statement that may not be valid HiveQL"
        ))
        .at(&source, span(&printed.text, at), message)
        .with_help(
            "this check does not know all of HiveQL; if Hive accepts the statement, ignore the warning",
        ),
    )
}

/// The first place where a statement cannot be parsed, and the reason.
fn fault(text: &str) -> Option<(Location, String)> {
    let tokens = match Tokenizer::new(&Hive, text).tokenize_with_location() {
        Ok(tokens) => tokens,
        Err(error) => return Some((error.location, error.message)),
    };
    tokens.split(|token| token.token == Token::SemiColon).find_map(fault_of_statement)
}

fn is_word(token: &TokenWithSpan, wanted: &str) -> bool {
    matches!(&token.token, Token::Word(word) if word.value.eq_ignore_ascii_case(wanted))
}

fn fault_of_statement(tokens: &[TokenWithSpan]) -> Option<(Location, String)> {
    let solid = tokens.iter().filter(|token| !matches!(token.token, Token::Whitespace(_)));
    let solid: Vec<TokenWithSpan> = solid.cloned().collect();
    let first = solid.first()?;
    if COMMANDS.iter().any(|command| is_word(first, command)) {
        return None;
    }
    let mut parser = Parser::new(&Hive).with_tokens_with_locations(without_handler(solid));
    let parsed = parser.parse_statement().and_then(|_| match parser.peek_token().token {
        Token::EOF => Ok(()),
        _ => parser.expected("end of statement", parser.peek_token()),
    });
    let message = match parsed {
        Ok(()) | Err(ParserError::RecursionLimitExceeded) => return None,
        Err(ParserError::ParserError(message) | ParserError::TokenizerError(message)) => message,
    };
    let (message, place) = message.split_once(" at Line: ").unwrap_or((&message, ""));
    let numbers: Vec<u64> = place.split(", Column: ").filter_map(|number| number.parse().ok()).collect();
    let at = match numbers.as_slice() {
        [line, column] => Location::new(*line, *column),
        _ => tokens.last()?.span.end,
    };
    Some((at, message.to_lowercase().replacen("eof", "the end", 1)))
}

/// The tokens without `STORED BY '…'`, which every mapping table has and the parser does not know.
fn without_handler(mut tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let is_handler = |part: &[TokenWithSpan]| {
        is_word(&part[0], "STORED")
            && is_word(&part[1], "BY")
            && matches!(part[2].token, Token::SingleQuotedString(_) | Token::DoubleQuotedString(_))
    };
    if let Some(at) = tokens.windows(3).position(is_handler) {
        tokens.drain(at..at + 3);
    }
    tokens
}

/// The parser counts lines and columns in characters from 1.
fn span(text: &str, at: Location) -> Span {
    let line = text.split_inclusive('\n').nth((at.line.max(1) - 1) as usize);
    let before: usize = text.split_inclusive('\n').take((at.line.max(1) - 1) as usize).map(str::len).sum();
    let line = line.unwrap_or_default();
    let column = line.char_indices().nth((at.column.max(1) - 1) as usize);
    let start = before + column.map_or(line.trim_end().len(), |(index, _)| index);
    let length = text[start..].find(|c: char| c.is_whitespace()).unwrap_or(text.len() - start);
    Span::new(start, start + length)
}

/// The crate's dialect for Hive, with Hive's own literals and names.
#[derive(Debug)]
struct Hive;

/// Parts of the grammar that a dialect has.
macro_rules! has {
    ($($part:ident)*) => { $(fn $part(&self) -> bool { true })* };
}

impl Dialect for Hive {
    fn dialect(&self) -> TypeId {
        TypeId::of::<HiveDialect>()
    }
    fn is_delimited_identifier_start(&self, c: char) -> bool {
        c == '`'
    }
    fn is_identifier_start(&self, c: char) -> bool {
        c.is_alphanumeric() || matches!(c, '_' | '$')
    }
    fn is_identifier_part(&self, c: char) -> bool {
        c.is_alphanumeric() || matches!(c, '_' | '$' | '{' | '}')
    }
    has! {
        supports_string_literal_backslash_escape
        ignores_wildcard_escapes
        supports_numeric_prefix
        supports_bang_not_operator
        supports_load_data
        supports_table_sample_before_alias
        supports_group_by_with_modifier
        supports_from_first_insert
        supports_string_literal_concatenation
    }
}
