//! `[NOT] LIKE … [ESCAPE …]`, for an engine without `ESCAPE` that reads some patterns in two ways.

use std::sync::Arc;

use crate::analyze::bind::{Bound, BoundNode, CastOrigin, ColumnPlace, Operator};
use crate::analyze::constant::text;
use crate::analyze::like::LikePattern;
use crate::key::field::FieldKind;
use crate::schema::model::Schema;
use saltplan_document::diag::{Diagnostic, PredicateFault, Source};
use saltplan_sql::ast::{Literal, Type};
use saltplan_sql::functions::Operation;
use saltplan_sql::hive_type::HiveType;

/// The places of conditions with an ESCAPE that cannot be written without it.
pub(super) fn unwritable_likes(source: &Arc<Source>, node: &BoundNode, errors: &mut Vec<Diagnostic>) {
    node.for_each_part(&mut |part| unwritable_likes(source, part, errors));
    if let Some((Operator::Like { .. }, [_, pattern, escape])) = node.operation()
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
pub(super) fn write_likes(schema: &Schema, node: &mut BoundNode) {
    if let Bound::Call(call) = &node.what
        && let Operation::LikeList { all } = call.operation()
        && let Some((operand, patterns)) = call.arguments.split_first()
    {
        let mut likes: Vec<BoundNode> = patterns.iter().map(|pattern| like(operand, pattern)).collect();
        let joined = match likes.len() {
            0 => BoundNode::literal(Literal::Bool(all)),
            1 => likes.remove(0),
            _ if all => BoundNode::condition(Operator::And, likes),
            _ => BoundNode::condition(Operator::Or, likes).bracketed(),
        };
        let joined = if all { joined.bracketed() } else { joined };
        *node = BoundNode { brackets: node.brackets + joined.brackets, span: node.span, ..joined };
    }
    node.for_each_part_mut(&mut |part| write_likes(schema, part));
    let Bound::Operation { operator: Operator::Like { negated }, operands } = &node.what else { return };
    let [operand, pattern, rest @ ..] = operands.as_slice() else { return };
    let Some(plain) = like_pattern(pattern, rest.first()) else { return };
    let (operator, text) = plain.hive.operator();
    let negated = *negated;
    let mut operand = operand.clone();
    let operator = if operator == "LIKE" {
        Operator::Like { negated }
    } else {
        // LIKE takes any value as its text, RLIKE texts only.
        if !is_text(schema, &operand) {
            let origin = CastOrigin::Written(Type::String.to_string());
            let span = operand.span;
            let cast = Bound::Cast { operand: Box::new(operand), origin };
            operand = BoundNode::new(cast, Some(Type::String.into()), span);
        }
        Operator::RLike { negated }
    };
    let pattern = BoundNode::literal(Literal::Text(text.to_string()));
    node.what = Bound::Operation { operator, operands: vec![operand, pattern] };
}

/// Whether a value is known to be a text.
fn is_text(schema: &Schema, node: &BoundNode) -> bool {
    match &node.uncast().what {
        Bound::Column(column) => match column.place {
            ColumnPlace::Field(field) => matches!(schema.key.fields[field].kind, FieldKind::Text(_)),
            ColumnPlace::Column(_) => node.of.as_ref().is_some_and(HiveType::is_text),
            ColumnPlace::RowKey | ColumnPlace::Elsewhere => false,
        },
        Bound::Call(call) if !call.is_opaque() => {
            call.function.is_some_and(|function| function.result.is_text())
        }
        _ => false,
    }
}

/// The single conditions of `LIKE ANY` and `LIKE ALL`, and whether all of them must hold.
pub(super) fn likes_of(node: &BoundNode) -> Option<(Vec<BoundNode>, bool)> {
    let call = node.call()?;
    let Operation::LikeList { all } = call.operation() else { return None };
    let (operand, patterns) = call.arguments.split_first()?;
    Some((patterns.iter().map(|pattern| like(operand, pattern)).collect(), all))
}

fn like(operand: &BoundNode, pattern: &BoundNode) -> BoundNode {
    BoundNode::condition(Operator::Like { negated: false }, vec![operand.clone(), pattern.clone()])
}

pub(super) fn like_pattern(pattern: &BoundNode, escape: Option<&BoundNode>) -> Option<LikePattern> {
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
