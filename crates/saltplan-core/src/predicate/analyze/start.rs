//! Conditions on what a text starts with, other than LIKE: RLIKE of a literal start, `instr(f, 'x') = 1`.

use crate::hiveql::ast::{BinaryOperator, Call, Expr};
use crate::key::field::{FieldId, FieldKind};
use crate::predicate::compare::{Comparer, NotUsed};
use crate::predicate::constant::{Constant, fold};
use crate::predicate::regex::Starts;
use crate::predicate::term::{Term, recognise};
use crate::predicate::values::ValueSet;
use crate::schema::model::Schema;

/// The values that start with one of some texts.
pub(super) struct Start {
    pub field: FieldId,
    pub values: ValueSet,
    /// Whether all of them satisfy the condition.
    pub is_exact: bool,
    pub negated: bool,
}

/// What a condition says of the start of a field; `Ok(None)` for every other condition.
///
/// # Errors
/// It is a condition on texts, and nothing is known of their start.
pub(super) fn start(schema: &Schema, expr: &Expr) -> Result<Option<Start>, NotUsed> {
    match expr {
        Expr::RLike { negated, expr, pattern } => {
            let Some(term) = text_term(schema, expr) else { return Ok(None) };
            let Some(Constant::Text(pattern)) = fold(pattern) else { return Ok(None) };
            let Some(Starts { texts, is_exact, .. }) = Starts::of(&pattern) else {
                return Err(NotUsed("the pattern has no literal prefix after `^`".into()));
            };
            started(schema, &term, &texts, is_exact, *negated)
        }
        Expr::BinaryOp { left, op: op @ (BinaryOperator::Eq | BinaryOperator::NotEq), right } => {
            let Some((operand, text)) = found_first(left, right).or_else(|| found_first(right, left)) else {
                return Ok(None);
            };
            let Some(term) = text_term(schema, operand) else { return Ok(None) };
            started(schema, &term, &[text], true, *op == BinaryOperator::NotEq)
        }
        _ => Ok(None),
    }
}

fn started(
    schema: &Schema,
    term: &Term,
    texts: &[String],
    is_exact: bool,
    negated: bool,
) -> Result<Option<Start>, NotUsed> {
    let comparer = Comparer::new(schema, term);
    let none = ValueSet::none(&comparer.field.kind);
    let values = texts.iter().try_fold(none, |all, text| Some(all.union(&comparer.like_prefix(text)?)));
    let unordered =
        || NotUsed(format!("the values of `{}` are not stored in this order", comparer.field.name));
    let values = values.ok_or_else(unordered)?;
    Ok(Some(Start { field: term.field, values, is_exact, negated }))
}

fn text_term(schema: &Schema, expr: &Expr) -> Option<Term> {
    recognise(schema, expr).filter(|term| match &schema.key.fields[term.field].kind {
        FieldKind::Text(_) => true,
        kind @ FieldKind::Calendar(_) => kind.shows_stored_text(),
        _ => false,
    })
}

/// `instr(f, 'x')` and `locate('x', f)` beside 1: what is searched, and for which text.
fn found_first<'e>(call: &'e Expr, place: &Expr) -> Option<(&'e Expr, String)> {
    let Constant::Number(place) = fold(place)? else { return None };
    (place.ceiling() == (1, true)).then_some(())?;
    let call = match call {
        Expr::Nested(inner) => inner,
        other => other,
    };
    let Expr::Call(Call { name, arguments, .. }) = call else { return None };
    let (("instr", [operand, text]) | ("locate", [text, operand])) = (name.as_str(), arguments.as_slice())
    else {
        return None;
    };
    match fold(text)? {
        Constant::Text(text) if !text.is_empty() => Some((operand, text)),
        _ => None,
    }
}
