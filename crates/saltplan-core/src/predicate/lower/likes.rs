//! `[NOT] LIKE … [ESCAPE …]`, for an engine without `ESCAPE` that reads some patterns in two ways.

use std::collections::BTreeMap;

use super::names::column_type;
use crate::diag::{Diagnostic, PredicateFault};
use crate::hiveql::ast::Expr;
use crate::hiveql::{Parsed, Replacement, Rewrite};
use crate::key::field::FieldKind;
use crate::predicate::SqlPiece;
use crate::predicate::constant::{Constant, fold};
use crate::predicate::like::LikePattern;
use crate::predicate::term::recognise;
use crate::schema::conversion::hive_type;
use crate::schema::model::Schema;

/// Functions whose value is a text.
const OF_TEXT: [&str; 14] = [
    "substr",
    "substring",
    "left",
    "right",
    "concat",
    "lower",
    "upper",
    "reverse",
    "trim",
    "ltrim",
    "rtrim",
    "lpad",
    "regexp_replace",
    "date_format",
];

/// What stands for `[NOT] LIKE … [ESCAPE …]` of a constant pattern: the same in a form that has one meaning.
#[derive(Default)]
pub(super) struct Likes {
    /// By the first token.
    pub written: BTreeMap<usize, Vec<SqlPiece>>,
    /// Where operands of RLIKE begin and end that may be no texts: LIKE takes any value as its text, and RLIKE texts only.
    pub cast: BTreeMap<usize, usize>,
}

/// The patterns of a predicate, and those that cannot be written.
pub(super) fn likes(schema: &Schema, parsed: &Parsed) -> (Likes, Vec<Diagnostic>) {
    let (mut likes, mut errors) = (Likes::default(), Vec::new());
    for Rewrite { tokens, by } in parsed.rewrites() {
        let Replacement::Like { start, operand, negated, pattern, escape } = by else { continue };
        match like_pattern(pattern, escape.as_deref()) {
            Some(pattern) => {
                let (operator, text) = pattern.hive.operator();
                let keyword = format!("{}{operator} ", if *negated { "NOT " } else { "" });
                let pieces = vec![SqlPiece::Text(keyword), SqlPiece::Literal(text.to_string())];
                likes.written.insert(tokens.start, pieces);
                if operator == "RLIKE" && !is_text(schema, operand) {
                    likes.cast.insert(*start, tokens.start - 1);
                }
            }
            None if escape.is_some() => errors.push(
                Diagnostic::error("Hive has no ESCAPE, and only a constant pattern can be written without it")
                    .at(&parsed.source, parsed.span(tokens), "in this condition")
                    .with_help("write the pattern as one literal, and one character other than `%` and `_` behind ESCAPE")
                    .with_fault(PredicateFault::Escape),
            ),
            None => {}
        }
    }
    (likes, errors)
}

/// Whether a value is known to be a text.
fn is_text(schema: &Schema, expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) => is_text(schema, inner),
        Expr::Column(_) => match column_type(schema, expr) {
            Some((_, of)) => hive_type(of).is_some_and(|of| of.characters().is_some()),
            None => recognise(schema, expr)
                .is_some_and(|term| matches!(schema.key.fields[term.field].kind, FieldKind::Text(_))),
        },
        Expr::Call(call) => OF_TEXT.contains(&call.name.as_str()),
        _ => false,
    }
}

/// The single conditions of `LIKE ANY` and `LIKE ALL`, and whether all of them must hold.
pub(super) fn likes_of(expr: &Expr) -> Option<(Vec<Expr>, bool)> {
    let Expr::Call(call) = expr else { return None };
    let of_all = match call.name.as_str() {
        "likeany" => false,
        "likeall" => true,
        _ => return None,
    };
    let (operand, patterns) = call.arguments.split_first()?;
    let like = |pattern: &Expr| Expr::Like {
        negated: false,
        expr: Box::new(operand.clone()),
        pattern: Box::new(pattern.clone()),
        escape_char: None,
    };
    Some((patterns.iter().map(like).collect(), of_all))
}

pub(super) fn like_pattern(pattern: &Expr, escape: Option<&Expr>) -> Option<LikePattern> {
    let Constant::Text(pattern) = fold(pattern)? else { return None };
    let escape = match escape {
        None => None,
        Some(escape) => {
            let Constant::Text(escape) = fold(escape)? else { return None };
            let mut chars = escape.chars();
            let first = chars.next().filter(|c| !['%', '_'].contains(c))?;
            Some(chars.next().is_none().then_some(first)?)
        }
    };
    Some(LikePattern::parse(&pattern, escape))
}
