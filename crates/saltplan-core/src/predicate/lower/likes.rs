//! `[NOT] LIKE … [ESCAPE …]`, for an engine without `ESCAPE` that reads some patterns in two ways.

use std::collections::BTreeMap;

use crate::hiveql::ast::Expr;

use crate::diag::{Diagnostic, PredicateFault};
use crate::predicate::SqlPiece;
use crate::predicate::constant::{Constant, fold};
use crate::predicate::like::LikePattern;
use crate::predicate::parse::{Parsed, Replacement, Rewrite};

/// What stands for `[NOT] LIKE … [ESCAPE …]` of a constant pattern, by its first token: the same in a form that has one meaning.
pub(super) type Likes = BTreeMap<usize, Vec<SqlPiece>>;

/// The patterns of a predicate, and those that cannot be written.
pub(super) fn likes(parsed: &Parsed) -> (Likes, Vec<Diagnostic>) {
    let (mut likes, mut errors) = (Likes::new(), Vec::new());
    for Rewrite { tokens, by } in parsed.rewrites() {
        let Replacement::Like { negated, pattern, escape } = by else { continue };
        match like_pattern(pattern, escape.as_deref()) {
            Some(pattern) => {
                let (operator, text) = pattern.hive.operator();
                let keyword = format!("{}{operator} ", if *negated { "NOT " } else { "" });
                let pieces = vec![SqlPiece::Text(keyword), SqlPiece::Literal(text.to_string())];
                likes.insert(tokens.start, pieces);
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
