//! `[NOT] LIKE … [ESCAPE …]`, for an engine without `ESCAPE` that reads some patterns in two ways.

use std::sync::Arc;

use super::names::column_type;
use crate::analyze::constant::text;
use crate::analyze::like::LikePattern;
use crate::analyze::sargable::Sargable;
use crate::key::field::FieldKind;
use crate::schema::model::Schema;
use saltplan_document::diag::{Diagnostic, PredicateFault, Source};
use saltplan_sql::ast::{Expr, Literal, Node, Type};
use saltplan_sql::functions::Operation;

/// The places of conditions with an ESCAPE that cannot be written without it.
pub(super) fn unwritable_likes(source: &Arc<Source>, node: &Node, errors: &mut Vec<Diagnostic>) {
    node.for_each_part(&mut |part| unwritable_likes(source, part, errors));
    if let Expr::Like { pattern, escape_char: Some(escape), .. } = &node.expr
        && like_pattern(pattern, Some(escape)).is_none()
    {
        errors.push(
            Diagnostic::error("Hive has no ESCAPE, and only a constant pattern can be written without it")
                .at(source, node.span, "in this condition")
                .with_help(
                    "write the pattern as one literal, and one character other than `%` and `_` behind ESCAPE",
                )
                .with_fault(PredicateFault::Escape),
        );
    }
}

/// Writes `[NOT] LIKE … [ESCAPE …]` of constant patterns in a form that has one meaning, and `LIKE ANY` and `LIKE ALL`, which Hive 2 does
/// not know, as their single conditions.
pub(super) fn write_likes(schema: &Schema, node: &mut Node) {
    if let Some((likes, of_all)) = likes_of(&node.expr) {
        node.expr = if of_all { Expr::all(likes).bracketed() } else { Expr::any(likes) };
    }
    node.for_each_part_mut(&mut |part| write_likes(schema, part));
    let Expr::Like { negated, expr, pattern, escape_char } = &node.expr else { return };
    let Some(plain) = like_pattern(pattern, escape_char.as_deref()) else {
        return;
    };
    let (operator, text) = plain.hive.operator();
    let (negated, operand) = (*negated, expr.clone());
    let pattern = Expr::Literal(Literal::Text(text.to_string())).into();
    node.expr = if operator == "LIKE" {
        Expr::Like { negated, expr: operand, pattern, escape_char: None }
    } else if is_text(schema, &operand) {
        Expr::RLike { negated, expr: operand, pattern }
    } else {
        // LIKE takes any value as its text, RLIKE texts only.
        let expr = Expr::Cast { expr: operand, data_type: Type::String, written: "string".into() }.into();
        Expr::RLike { negated, expr, pattern }
    };
}

/// Whether a value is known to be a text.
fn is_text(schema: &Schema, expr: &Expr) -> bool {
    match expr.unnested() {
        Expr::Column(_) => match column_type(schema, expr) {
            Some((_, of)) => of.is_text(),
            None => Sargable::of(schema, expr)
                .is_some_and(|sargable| matches!(schema.key.fields[sargable.field].kind, FieldKind::Text(_))),
        },
        Expr::Call(call) => call.function.is_some_and(|function| function.result.is_text()),
        _ => false,
    }
}

/// The single conditions of `LIKE ANY` and `LIKE ALL`, and whether all of them must hold.
pub(super) fn likes_of(expr: &Expr) -> Option<(Vec<Expr>, bool)> {
    let Expr::Call(call) = expr else { return None };
    let Operation::LikeList { all } = call.operation() else { return None };
    let (operand, patterns) = call.arguments.split_first()?;
    let like = |pattern: &Node| Expr::Like {
        negated: false,
        expr: Box::new(operand.clone()),
        pattern: Box::new(pattern.clone()),
        escape_char: None,
    };
    Some((patterns.iter().map(like).collect(), all))
}

pub(super) fn like_pattern(pattern: &Expr, escape: Option<&Node>) -> Option<LikePattern> {
    let pattern = text(pattern)?;
    let escape = match escape {
        None => None,
        Some(escape) => {
            let escape = text(escape)?;
            let mut chars = escape.chars();
            let first = chars.next().filter(|c| !['%', '_'].contains(c))?;
            Some(chars.next().is_none().then_some(first)?)
        }
    };
    Some(LikePattern::parse(&pattern, escape))
}
