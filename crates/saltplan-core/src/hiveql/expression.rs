//! One value in HiveQL, as a schema gives it for a column of its target table.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::grammar::Parser;
use super::lexer::tokenize;
use super::token::{PlacedToken, Token};
use super::{MAX_PREDICATE_BYTES, Subject, literal};
use crate::diag::{Diagnostic, Source, Span};

/// An expression that was read, with what a statement around it has to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    sql: String,
    /// Names and words in it, in lower case: all that may be a column.
    words: BTreeSet<String>,
    chooses: bool,
    cast_type: Option<String>,
}

impl Expression {
    fn new(tokens: &[PlacedToken]) -> Self {
        let words = tokens.iter().filter_map(|placed| match &placed.token {
            Token::Word(name) | Token::Quoted(name) => Some(name.to_lowercase()),
            _ => None,
        });
        let chooses = tokens.iter().any(|placed| placed.token.is_choice());
        let sql = written(tokens);
        Expression { words: words.collect(), chooses, cast_type: cast_type(tokens), sql }
    }

    pub fn sql(&self) -> &str {
        &self.sql
    }

    /// Whether it may use a column.
    pub(crate) fn may_use(&self, column: &str) -> bool {
        self.words.contains(&column.to_lowercase())
    }

    /// Whether a CASE or an `if` chooses between values.
    pub fn chooses(&self) -> bool {
        self.chooses
    }

    /// The type that it is cast to as a whole: `int` of `cast(a as int)`.
    pub(crate) fn cast_type(&self) -> Option<&str> {
        self.cast_type.as_deref()
    }
}

/// Reads an expression, and writes it from its tokens: nothing else of the text can reach a statement, and literals have
/// the one form that arrives.
///
/// # Errors
/// Text that is empty, too long or too deep, no expression, more than one, or holds a comment.
pub fn expression(source: &Arc<Source>) -> Result<Expression, Diagnostic> {
    let text = source.text.as_str();
    if text.len() > MAX_PREDICATE_BYTES {
        let message =
            format!("the expression has {} bytes, but the limit is {MAX_PREDICATE_BYTES}", text.len());
        return Err(Diagnostic::error(message).at(source, Span::new(0, text.len()), "too long"));
    }
    let tokens = tokenize(source, Subject::Expression)?;
    refuse_comments(source, &tokens)?;
    let mut parser = Parser::new(source, Subject::Expression, &tokens);
    parser.expr()?;
    if parser.at < tokens.len() {
        return Err(parser.goes_on());
    }
    tokens.iter().try_for_each(|placed| refuse_odd_name(source, placed))?;
    if let Some(row) = parser.found.lists.first() {
        return Err(Diagnostic::error("an expression is one value and cannot compare rows of values")
            .at(source, parser.span(&row.tokens), "a row")
            .with_help("compare the values one by one, such as `a = b AND c = 1`"));
    }
    Ok(Expression::new(&tokens))
}

/// The type of a cast around all of the tokens.
fn cast_type(tokens: &[PlacedToken]) -> Option<String> {
    let is_sign =
        |placed: &PlacedToken, wanted: &str| matches!(&placed.token, Token::Sign(sign) if *sign == wanted);
    let [cast, open, inside @ .., close] = tokens else { return None };
    if !cast.token.is_word("cast") || !is_sign(open, "(") || !is_sign(close, ")") {
        return None;
    }
    let (mut depth, mut hive_type) = (0usize, None);
    for (index, placed) in inside.iter().enumerate() {
        if is_sign(placed, "(") {
            depth += 1;
        } else if is_sign(placed, ")") {
            // The bracket behind `cast` ends before the expression does.
            depth = depth.checked_sub(1)?;
        } else if depth == 0 && placed.token.is_word("as") {
            hive_type = Some(&inside[index + 1..]);
        }
    }
    hive_type.map(written)
}

/// A comment says nothing to those who read the statement, and much to those who write it: it stands in the schema.
fn refuse_comments(source: &Arc<Source>, tokens: &[PlacedToken]) -> Result<(), Diagnostic> {
    let ends = tokens.iter().map(|placed| placed.span.start).chain([source.text.len()]);
    let starts = std::iter::once(0).chain(tokens.iter().map(|placed| placed.span.end));
    for (start, end) in starts.zip(ends) {
        let between = &source.text[start..end];
        let skipped = between.trim();
        if !skipped.is_empty() {
            let at = start + (between.len() - between.trim_start().len());
            return Err(Diagnostic::error("an expression cannot contain comments")
                .at(source, Span::new(at, at + skipped.len()), "a comment")
                .with_help("write it after `#`, as a comment of the schema"));
        }
    }
    Ok(())
}

/// No table has a column of such a name, and clients cut scripts at some signs wherever they stand.
fn refuse_odd_name(source: &Arc<Source>, placed: &PlacedToken) -> Result<(), Diagnostic> {
    let is_plain = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    match &placed.token {
        Token::Quoted(name) if !is_plain(name) => {
            Err(Diagnostic::error(format!("no column has the name `{}`", name.escape_debug()))
                .at(source, placed.span, "letters, digits and `_` only")
                .with_help("write the name of a column of the mapping table"))
        }
        _ => Ok(()),
    }
}

fn written(tokens: &[PlacedToken]) -> String {
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
            Token::Text(value) => sql.push_str(&literal(value)),
            Token::Parameter(name) => sql.push_str(&format!(":{name}")),
            Token::Sign(sign) => sql.push_str(sign),
        }
    }
    sql
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casts_of_whole_expressions() {
        for (sql, hive_type) in [
            ("cast(a as int)", Some("int")),
            ("CAST(cast(a as int) + 1 AS decimal(18, 2))", Some("decimal(18, 2)")),
            ("cast(a as int) + cast(b as int)", None),
            ("upper(cast(a as string))", None),
            ("cast(')' as int)", Some("int")),
        ] {
            assert_eq!(known(sql).cast_type(), hive_type, "{sql}");
        }
    }

    #[test]
    fn what_is_known_of_an_expression() {
        let expression = known("if(`Case` > 1, upper(a), 'b')");
        assert!(expression.chooses() && expression.may_use("case") && expression.may_use("A"));
        assert!(!expression.may_use("b"));
        assert!(!known("concat(`case`, 'if')").chooses());
    }

    fn read(text: &str) -> Result<String, String> {
        expression(&Source::new("expr", text)).map(|read| read.sql).map_err(|error| error.message)
    }

    fn known(text: &str) -> Expression {
        expression(&Source::new("expr", text)).unwrap()
    }

    #[test]
    fn values_of_hive() {
        for text in [
            "upper(name)",
            "amount / 100.0",
            "a + b * -c",
            "concat(a, '-', b)",
            "cast(a AS decimal(10,2))",
            "CASE WHEN a > 1 THEN 'x' ELSE b END",
            "if(a IS NULL, 0, a)",
            "a = 1 AND NOT b LIKE 'x%'",
            "from_unixtime(cast(substr(`rowkey`, 1, 10) AS bigint), 'yyyyMMdd')",
            "tags['k'][0]",
            "info.name",
            "get_json_object(body, '$.a')",
            "date '2020-04-06'",
            "NULL",
            "1",
            "a DIV 2",
            "db.f(a)",
        ] {
            assert_eq!(read(text).as_deref(), Ok(text), "{text}");
        }
        assert_eq!(read(" upper(\n  name )").as_deref(), Ok("upper( name )"));
        assert_eq!(read("concat(\"a;\nb\", c)").as_deref(), Ok("concat('a\\073\\012b', c)"));
    }

    #[test]
    fn what_is_no_value() {
        for (text, reason) in [
            ("", "the expression ends too early"),
            ("1 -- ", "an expression cannot contain comments"),
            ("1 /* x */", "an expression cannot contain comments"),
            ("/* x */ 1", "an expression cannot contain comments"),
            ("upper(-- x\n a)", "an expression cannot contain comments"),
            ("1; DROP TABLE x; SELECT 1", "an expression has no `;`"),
            ("1, 2", "the expression continues after its end"),
            ("1 FROM other", "the expression continues after its end"),
            ("a AS b", "the expression continues after its end"),
            ("a b", "the expression continues after its end"),
            ("(1", "the expression ends too early"),
            ("1)", "the expression continues after its end"),
            ("'x", "unterminated quote or comment"),
            ("/* x", "unterminated quote or comment"),
            ("(SELECT 1)", "an expression cannot contain a subquery: it is about one row of the table"),
            ("*", "the expression has a syntax error"),
            ("a = :b", "the expression has a syntax error"),
            ("${hivevar:x}", "`${hivevar:x}` is filled in by another program"),
            ("`a;b`", "no column has the name `a;b`"),
            ("`a\nb`", "no column has the name `a\\nb`"),
            ("a\u{2028}; b", "an expression has no `;`"),
        ] {
            assert_eq!(read(text).err().as_deref(), Some(reason), "{text}");
        }
        assert!(read(&"(".repeat(9_000)).is_err() && read(&"-".repeat(9_000)).is_err());
        assert!(read(&"a+".repeat(40_000)).is_err());
    }
}
