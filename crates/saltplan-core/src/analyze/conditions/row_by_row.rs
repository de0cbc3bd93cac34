//! Comparisons that Hive should not make row by row. Hive converts its own columns to the type of a text that they are compared
//! with, but not the numbers and instants that are cut out of a row key.

use super::instant::local_time_of_instant;
use crate::analyze::bind::{Bound, BoundNode, CastOrigin, Operator, written};
use crate::analyze::chain::{Chain, bare_field};
use crate::analyze::clock::Unclear;
use crate::analyze::constant::{Constant, Decimal, leaves_calendar, size_of};
use crate::key::field::FieldKind;
use crate::key::number::IntegerSize;
use crate::schema::model::Schema;
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
    pub fn of(schema: &Schema, condition: &BoundNode) -> Self {
        let (mut texts, mut conflicts, mut constants) = (Vec::new(), Vec::new(), Vec::new());
        let mut unclear = None;
        condition.walk(&mut |part| {
            texts.extend(rejected_texts(schema, part));
            constants.extend(odd_constant(schema, part));
            for conflict in &part.conflicts {
                if !conflicts.contains(conflict) {
                    conflicts.push(conflict.clone());
                }
            }
            if unclear.is_none() {
                unclear = local_time_of_instant(schema, part.compared());
            }
        });
        RowByRow { rejected: texts.into_iter().chain(conflicts).chain(constants).collect(), unclear }
    }
}

/// What is wrong with texts that are compared with numbers of the key: Hive refuses a bigint beside a text unless it is a
/// column, and its versions differ on a text that is no number.
fn rejected_texts(schema: &Schema, part: &BoundNode) -> Vec<String> {
    let Some((a, b)) = pair(part) else { return Vec::new() };
    let rejected = |(operand, constant): (&BoundNode, &BoundNode)| {
        let (Some(Constant::Text(text)), Some(field)) = (constant.folded(), bare_field(schema, operand))
        else {
            return None;
        };
        let field = &schema.key.fields[field];
        let is_long = match &field.kind {
            FieldKind::Integer(integer) => integer.size == IntegerSize::Bigint,
            FieldKind::Epoch(_) if parse_timestamp(&text).is_none() => true,
            _ => return None,
        };
        let number = Decimal::parse(text.trim());
        if number.is_some() && !is_long {
            return None;
        }
        let remedy = number.map_or_else(String::new, |number| format!(": write {number}"));
        Some(format!("`{}` is a number, and '{text}' a text{remedy}", field.name))
    };
    [(a, b), (b, a)].into_iter().filter_map(rejected).collect()
}

/// What is wrong with a constant that different versions of Hive read as different values.
fn odd_constant(schema: &Schema, part: &BoundNode) -> Option<String> {
    if let Bound::Cast { operand, origin: CastOrigin::Written(_) } = &part.what
        && part.primitive().is_some_and(|of| size_of(of).is_some())
    {
        let Constant::Number(number) = operand.folded()? else { return None };
        let cast = written(part);
        return (number.scale > 0).then(|| {
            let cast = cast.unnested();
            format!("Hive 3 takes `{cast}` for {number} here and there: write the number that is meant")
        });
    }
    let held = held_together(part);
    if !held.iter().any(|operand| is_time(schema, operand)) {
        return None;
    }
    let far = held.into_iter().find(|operand| leaves_calendar(*operand))?;
    Some(format!(
        "`{far}` lies outside the years 1583 to 9999, and Hive 2 counts such days differently: write a day within them"
    ))
}

/// Whether an expression is computed from a time of the key.
fn is_time(schema: &Schema, operand: &BoundNode) -> bool {
    Chain::of(schema, operand).is_some_and(|chain| schema.key.fields[chain.field].kind.time().is_some())
}

/// The sides of a comparison, of a list, of a pattern or of a CASE, which are held against each other.
fn held_together(part: &BoundNode) -> Vec<&BoundNode> {
    match &part.what {
        Bound::Case { operand: Some(operand), arms, .. } => {
            std::iter::once(&**operand).chain(arms.iter().map(|(value, _)| value)).collect()
        }
        Bound::Operation { operator: Operator::Binary(op), .. } if !op.compares() => Vec::new(),
        _ => part.compared().iter().collect(),
    }
}

/// The two values that an expression compares; `None` if it is no comparison of two values.
fn pair(part: &BoundNode) -> Option<(&BoundNode, &BoundNode)> {
    match &part.what {
        Bound::Operation { operator: Operator::Binary(op), operands } if op.compares() => {
            match operands.as_slice() {
                [left, right] => Some((left, right)),
                _ => None,
            }
        }
        _ => None,
    }
}
