//! Comparisons that Hive should not make row by row. Hive converts its own columns to the type of a text that they are compared
//! with, but not the numbers and instants that are cut out of a row key.

use super::instant::local_time_of_instant;
use super::meaning::unclear_comparisons;
use crate::analyze::clock::Unclear;
use crate::analyze::constant::{Constant, Decimal, fold, leaves_calendar, size_of};
use crate::analyze::sargable::Sargable;
use crate::key::field::FieldKind;
use crate::key::number::IntegerSize;
use crate::schema::model::Schema;
use saltplan_sql::ast::{Expr, Node};
use saltplan_sql::rewrite::{operands, walk};
use saltplan_sql::time::format::parse_timestamp;

/// Why Hive should not check a condition row by row.
#[derive(Debug, Default)]
pub(super) struct RowByRow {
    /// Comparisons that are refused.
    pub rejected: Vec<String>,
    /// Why Hive cannot evaluate the condition: some comparison in it has an instant and a local time.
    pub unclear: Option<Unclear>,
}

impl RowByRow {
    pub fn of(schema: &Schema, condition: &Node) -> Self {
        let (mut texts, mut constants, mut unclear) = (Vec::new(), Vec::new(), None);
        walk(condition, &mut |part| {
            texts.extend(rejected_texts(schema, part));
            constants.extend(odd_constant(schema, part));
            if unclear.is_none() {
                unclear = local_time_of_instant(schema, &compared(part));
            }
        });
        let rejected = texts.into_iter().chain(unclear_comparisons(schema, condition)).chain(constants);
        RowByRow { rejected: rejected.collect(), unclear }
    }
}

/// What is wrong with texts that are compared with numbers of the key: Hive refuses a bigint beside a text unless it is a
/// column, and its versions differ on a text that is no number.
fn rejected_texts(schema: &Schema, part: &Expr) -> Vec<String> {
    let Some((a, b)) = pair(part) else { return Vec::new() };
    let rejected = |(operand, constant): (&Node, &Node)| {
        let (Some(sargable), Some(Constant::Text(text))) = (Sargable::of(schema, operand), fold(constant))
        else {
            return None;
        };
        let field = &schema.key.fields[sargable.field];
        let is_long = match &field.kind {
            FieldKind::Integer(integer) => integer.size == IntegerSize::Bigint,
            FieldKind::Epoch(_) if parse_timestamp(&text).is_none() => true,
            _ => return None,
        };
        let number = Decimal::parse(text.trim());
        if !sargable.is_bare() || number.is_some() && !is_long {
            return None;
        }
        let remedy = number.map_or_else(String::new, |number| format!(": write {number}"));
        Some(format!("`{}` is a number, and '{text}' a text{remedy}", field.name))
    };
    [(a, b), (b, a)].into_iter().filter_map(rejected).collect()
}

/// What is wrong with a constant that different versions of Hive read as different values.
fn odd_constant(schema: &Schema, part: &Expr) -> Option<String> {
    if let Expr::Cast { expr, data_type, .. } = part
        && size_of(*data_type).is_some()
    {
        let Constant::Number(number) = fold(expr)? else { return None };
        return (number.scale > 0).then(|| {
            format!("Hive 3 takes `{part}` for {number} here and there: write the number that is meant")
        });
    }
    let is_time = |operand: &Expr| {
        Sargable::of(schema, operand)
            .is_some_and(|sargable| schema.key.fields[sargable.field].kind.time().is_some())
    };
    let held = held_together(part);
    if !held.iter().any(|operand| is_time(operand)) {
        return None;
    }
    let far = held.iter().find(|one| leaves_calendar(one))?;
    Some(format!(
        "`{far}` lies outside the years 1583 to 9999, and Hive 2 counts such days differently: write a day within them"
    ))
}

/// The sides of a comparison, of a list, of a pattern or of a CASE, which are held against each other.
fn held_together(expr: &Expr) -> Vec<&Node> {
    match (pair(expr), expr) {
        (Some((left, right)), _) => vec![left, right],
        (None, Expr::Nested(_) | Expr::BinaryOp { .. }) => Vec::new(),
        (None, Expr::Case { operand: Some(operand), conditions, .. }) => {
            let values = conditions.iter().map(|when| &when.condition);
            std::iter::once(operand.as_ref()).chain(values).collect()
        }
        (None, other) => operands(other),
    }
}

/// Both sides of a comparison that Hive makes of two values.
fn pair(expr: &Expr) -> Option<(&Node, &Node)> {
    match expr {
        Expr::BinaryOp { left, op, right } if op.compares() => Some((left, right)),
        _ => None,
    }
}

/// What is compared right here.
fn compared(expr: &Expr) -> Vec<&Node> {
    match expr {
        Expr::Nested(_) => Vec::new(),
        other => operands(other),
    }
}
