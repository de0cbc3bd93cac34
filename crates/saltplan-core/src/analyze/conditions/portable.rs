//! Puts conditions into forms that every version of Hive reads alike. Names stay as the predicate has them.

use super::boolean::compare_booleans;
use super::likes::write_likes;
use crate::analyze::bind::{Bound, BoundCall, BoundNode, CastOrigin, Operator};
use crate::schema::model::Schema;
use saltplan_sql::ast::{BinaryOperator, CallForm, Expr, Literal, Type};
use saltplan_sql::functions::{Function, Operation, REVERSE, SUBSTR};

/// A condition or a value in such a form.
pub(super) fn portable(schema: &Schema, node: BoundNode) -> BoundNode {
    let mut node = node;
    compare_booleans(&mut node);
    write_likes(schema, &mut node);
    for_every_hive(&mut node);
    node
}

/// Rewrites the forms that Hive 2 or Hive 3 does not know or understands differently. One text is printed for both versions, since a
/// schema does not say which Hive will run it.
fn for_every_hive(node: &mut BoundNode) {
    node.for_each_part_mut(&mut for_every_hive);
    let Some(other) = form_for_every_hive(node) else { return };
    let brackets = node.brackets + other.brackets;
    *node = BoundNode { brackets, span: node.span, ..other };
}

/// The form in the place of one that some version does not know, if it is one; the parts are in such forms already.
fn form_for_every_hive(node: &BoundNode) -> Option<BoundNode> {
    match &node.what {
        Bound::Operation { operator, operands } => match (operator, operands.as_slice()) {
            // Hive 2 knows only `<=>`.
            (Operator::Binary(BinaryOperator::NotDistinctFrom), [left, right]) => {
                Some(same(left.clone(), right.clone()))
            }
            (Operator::Binary(BinaryOperator::DistinctFrom), [left, right]) => {
                Some(not(same(left.clone(), right.clone())).bracketed())
            }
            // Hive 2 has none of these tests.
            (Operator::Is { value: value @ Some(_), negated }, [operand]) => {
                Some(is(operand, *value, *negated))
            }
            // Hive 3 reads `(NOT x) IS NULL` as `NOT (x IS NULL)`.
            (Operator::Is { value: None, negated: false }, [operand]) if is_negation(operand) => {
                Some(is(operand, None, false))
            }
            // Hive 3 reads `cast(x as t) IS NOT NULL` as `x IS NOT NULL`. It cannot compare a CASE by
            // `<=>`.
            (Operator::Is { value: None, negated: true }, [operand])
                if operand.has(&is_cast) && !operand.has(&|part| matches!(part.what, Bound::Case { .. })) =>
            {
                Some(is(operand, None, true))
            }
            // No list of Hive is empty. Nothing is in such a list, not even NULL.
            (Operator::In { negated }, [_]) => Some(BoundNode::literal(Literal::Bool(*negated))),
            (Operator::In { negated }, [operand, items @ ..]) => {
                let nulls = items.iter().take_while(|item| is_null(item)).count();
                // In a list that begins with NULL, Hive 3 does not find any text.
                (nulls > 0 && nulls < items.len()).then(|| {
                    let others = items[nulls..].iter().cloned();
                    let operands = std::iter::once(operand.clone()).chain(others);
                    let operands = operands.chain([BoundNode::literal(Literal::Null)]).collect();
                    BoundNode::condition(Operator::In { negated: *negated }, operands)
                })
            }
            _ => None,
        },
        // Hive has neither `left` nor `right`.
        Bound::Call(call) if call.form == CallForm::Plain => {
            match (call.operation(), call.arguments.as_slice()) {
                (Operation::Start, [text, count]) => Some(first_characters(text.clone(), count)),
                (Operation::End, [text, count]) => {
                    let reversed = text_call(&REVERSE, vec![text.clone()]);
                    Some(text_call(&REVERSE, vec![first_characters(reversed, count)]))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn not(condition: BoundNode) -> BoundNode {
    BoundNode::condition(Operator::Not, vec![condition.bracketed()])
}

fn same(left: BoundNode, right: BoundNode) -> BoundNode {
    BoundNode::condition(Operator::Binary(BinaryOperator::NullSafeEq), vec![left, right])
}

/// `(operand <=> value)`, or the negation of it; the value `None` is NULL.
fn is(operand: &BoundNode, value: Option<bool>, negated: bool) -> BoundNode {
    let value = BoundNode::literal(value.map_or(Literal::Null, Literal::Bool));
    let is = same(operand.clone(), value);
    if negated { not(is).bracketed() } else { is.bracketed() }
}

/// `substr(text, 1, count)`
fn first_characters(text: BoundNode, count: &BoundNode) -> BoundNode {
    text_call(&SUBSTR, vec![text, BoundNode::literal(Literal::Number("1".into())), count.clone()])
}

fn text_call(function: &'static Function, arguments: Vec<BoundNode>) -> BoundNode {
    let span = arguments.first().map(|first| first.span).unwrap_or_default();
    let name = function.name().to_string();
    let call = BoundCall { function: Some(function), name, arguments, form: CallForm::Plain };
    BoundNode::new(Bound::Call(call), Some(Type::String.into()), span)
}

fn is_null(item: &BoundNode) -> bool {
    let written = item.constant().and_then(|constant| constant.written.as_deref());
    item.brackets == 0 && written == Some(&Expr::null())
}

fn is_cast(node: &BoundNode) -> bool {
    let is_digits = |operand: &BoundNode| {
        let written = operand.constant().and_then(|constant| constant.written.as_deref());
        operand.brackets == 0 && matches!(written, Some(Expr::Literal(Literal::Number(_))))
    };
    match &node.what {
        Bound::Cast { operand, origin: CastOrigin::Written(_) } => !is_digits(operand),
        _ => false,
    }
}

/// Whether the condition is a negation.
fn is_negation(node: &BoundNode) -> bool {
    match &node.uncast().what {
        Bound::Operation { operator, .. } => match operator {
            Operator::Not => true,
            Operator::Like { negated }
            | Operator::RLike { negated }
            | Operator::In { negated }
            | Operator::Between { negated } => *negated,
            _ => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::analyze::bind::{Setting, TypedColumns, bind, written};
    use saltplan_document::diag::Source;
    use saltplan_sql::ast::Node;
    use saltplan_sql::random::{asked, written as random_text};
    use saltplan_sql::{Parameters, parse};

    fn parsed(text: &str) -> Node {
        parse(&Source::new("predicate", text), &Parameters::new()).unwrap().tree
    }

    fn for_hive(text: &str) -> Expr {
        let mut bound = bind(&parsed(text), &TypedColumns::default(), Setting::Predicate);
        for_every_hive(&mut bound);
        written(&bound)
    }

    #[test]
    fn conditions_printed_for_every_hive() {
        for (text, printed) in [
            ("a IS NOT DISTINCT FROM b", "a <=> b"),
            ("a IS DISTINCT FROM b", "(NOT (a <=> b))"),
            ("a IS TRUE AND b IS NOT FALSE", "(a <=> TRUE) AND (NOT (b <=> FALSE))"),
            ("(NOT a) IS NULL", "((NOT a) <=> NULL)"),
            ("(a IS DISTINCT FROM b) IS NULL", "(((NOT (a <=> b))) <=> NULL)"),
            ("cast(a AS int) IS NOT NULL", "(NOT (cast(a as int) <=> NULL))"),
            ("a IN (NULL, 'x', 'y')", "a IN ('x', 'y', NULL)"),
            ("left(a, 2) = right(b, 3)", "substr(a, 1, 2) = reverse(substr(reverse(b), 1, 3))"),
            ("a = ANY (1, 2) OR a <> ALL (3)", "a IN (1, 2) OR a NOT IN (3)"),
        ] {
            assert_eq!(for_hive(text).to_string(), printed, "{text}");
        }
    }

    proptest! {
        #[test]
        fn printed_conditions_keep_their_structure(asked in asked(), many: bool, seed: u64) {
            let for_hive = for_hive(&random_text(&asked.bits(many), seed));
            prop_assert_eq!(&parsed(&for_hive.to_string()).expr, &for_hive, "{}", for_hive);
        }
    }
}
