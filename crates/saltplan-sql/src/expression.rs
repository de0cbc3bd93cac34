//! One value in HiveQL, as a schema gives it for a column of its target table.

use std::sync::Arc;

use super::ast::{Expr, Node, Type};
use super::grammar::Parser;
use super::lexer::tokenize;
use super::rewrite::has;
use super::token::{PlacedToken, Token, unquoted};
use super::{MAX_PREDICATE_BYTES, Subject};
use saltplan_document::diag::{Diagnostic, Source, Span};

/// An expression of a schema, and questions about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression(Expr);

impl Expression {
    pub fn expr(&self) -> &Expr {
        &self.0
    }

    /// Whether it may use a column.
    pub fn may_use(&self, column: &str) -> bool {
        has(&self.0, |part| match part {
            Expr::Column(own) => own.name.eq_ignore_ascii_case(column),
            Expr::Member { name, .. } => name.trim_matches('`').eq_ignore_ascii_case(column),
            _ => false,
        })
    }

    /// The type that it is cast to as a whole: `int` of `cast(a as int)`.
    pub fn cast_type(&self) -> Option<Type> {
        match &self.0 {
            Expr::Cast { data_type, .. } => Some(*data_type),
            _ => None,
        }
    }
}

/// Reads an expression.
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
    let expr = parser.expr()?.node;
    if parser.at < tokens.len() {
        return Err(parser.goes_on());
    }
    tokens.iter().try_for_each(|placed| refuse_odd_name(source, placed))?;
    let mut row = None;
    find_row(&expr, &mut row);
    if let Some(row) = row {
        return Err(Diagnostic::error("an expression is one value and cannot compare rows of values")
            .at(source, row, "a row")
            .with_help("compare the values one by one, such as `a = b AND c = 1`"));
    }
    Ok(Expression(expr.expr))
}

/// The place of the first row of values.
fn find_row(node: &Node, row: &mut Option<Span>) {
    node.for_each_part(&mut |part| find_row(part, row));
    if matches!(node.expr, Expr::Tuple(_)) && row.is_none() {
        *row = Some(node.span);
    }
}

/// Refuses comments: they would not reach the statement. Comments on an expression belong in the schema file.
fn refuse_comments(source: &Arc<Source>, tokens: &[PlacedToken<'_>]) -> Result<(), Diagnostic> {
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

/// Refuses names that no table has. Clients split scripts at some characters even inside of names.
fn refuse_odd_name(source: &Arc<Source>, placed: &PlacedToken<'_>) -> Result<(), Diagnostic> {
    let is_plain = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    match &placed.token {
        Token::Quoted(raw) if !is_plain(&unquoted(raw)) => {
            Err(Diagnostic::error(format!("no column has the name `{}`", unquoted(raw).escape_debug()))
                .at(source, placed.span, "letters, digits and `_` only")
                .with_help("write the name of a column of the mapping table"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casts_of_whole_expressions() {
        for (sql, hive_type) in [
            ("cast(a as int)", Some(Type::Int)),
            ("CAST(cast(a as int) + 1 AS decimal(18, 2))", Some(Type::Decimal { precision: 18, scale: 2 })),
            ("cast(a as int) + cast(b as int)", None),
            ("upper(cast(a as string))", None),
            ("cast(')' as int)", Some(Type::Int)),
        ] {
            assert_eq!(known(sql).cast_type(), hive_type, "{sql}");
        }
    }

    #[test]
    fn columns_that_an_expression_may_use() {
        let expression = known("if(`Case` > 1, upper(a), 'b')");
        assert!(expression.may_use("case") && expression.may_use("A"));
        assert!(!expression.may_use("b"));
    }

    fn read(text: &str) -> Result<String, String> {
        expression(&Source::new("expr", text))
            .map(|read| read.expr().to_string())
            .map_err(|error| error.message)
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
            "cast(a as decimal(10,2))",
            "CASE WHEN a > 1 THEN 'x' ELSE b END",
            "if(a IS NULL, 0, a)",
            "a = 1 AND NOT b LIKE 'x%'",
            "from_unixtime(cast(substr(`rowkey`, 1, 10) as bigint), 'yyyyMMdd')",
            "tags['k'][0]",
            "info.name",
            "get_json_object(body, '$.a')",
            "DATE '2020-04-06'",
            "NULL",
            "1",
            "a DIV 2",
            "db.f(a)",
        ] {
            assert_eq!(read(text).as_deref(), Ok(text), "{text}");
        }
        assert_eq!(read(" upper(\n  name )").as_deref(), Ok("upper(name)"));
        assert_eq!(read("concat(\"a;\nb\", c)").as_deref(), Ok("concat('a\\073\\012b', c)"));
    }

    #[test]
    fn texts_that_are_not_values() {
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
