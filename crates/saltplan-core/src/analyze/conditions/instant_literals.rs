//! Times with an offset beside an instant: `ts >= '2024-06-01T00:00:00+08:00'` compares with the number of that instant. Hive, for
//! which an instant is a number, would find no row.

use crate::analyze::bind::BoundNode;
use crate::analyze::chain::{bare_field, epoch_seconds};
use crate::analyze::constant::{Constant, fold};
use crate::key::field::{EpochUnit, FieldKind};
use crate::schema::model::Schema;
use saltplan_sql::ast::Literal;
use saltplan_sql::time::parse_instant;

/// Whether some text is such a time.
pub(super) fn has_offset(predicate: &BoundNode) -> bool {
    predicate.has(&|part| {
        let given = part.constant().and_then(|constant| constant.given.as_ref());
        matches!(given.map(|given| &given.constant), Some(Constant::Text(text)) if parse_instant(text).is_some())
    })
}

/// Puts numbers in the place of such times.
pub(super) fn put_numbers(schema: &Schema, node: &mut BoundNode) {
    if let Some(unit) = unit_of(schema, node) {
        node.for_each_part_mut(&mut |part| {
            if let Some(number) = number(part, unit) {
                let literal = BoundNode::literal(Literal::Number(number));
                *part = BoundNode { span: part.span, ..literal };
            }
        });
    }
    node.for_each_part_mut(&mut |part| put_numbers(schema, part));
}

/// The unit of the instant that a condition compares with constants.
fn unit_of(schema: &Schema, condition: &BoundNode) -> Option<EpochUnit> {
    condition.compared().iter().find_map(|operand| {
        let of_field = bare_field(schema, operand).map(|field| &schema.key.fields[field].kind);
        match of_field {
            Some(FieldKind::Epoch(epoch)) => Some(epoch.unit),
            _ => epoch_seconds(schema, operand).map(|_| EpochUnit::Seconds),
        }
    })
}

/// The number of an instant, with the fraction that its unit does not hold.
fn number(node: &BoundNode, unit: EpochUnit) -> Option<String> {
    let Some(Constant::Text(text)) = fold(node) else { return None };
    let at = parse_instant(&text)?;
    let nanoseconds = i128::from(at.timestamp()) * 1_000_000_000 + i128::from(at.timestamp_subsec_nanos());
    let of_unit = i128::from(unit.milliseconds()) * 1_000_000;
    let (whole, rest) = (nanoseconds / of_unit, nanoseconds % of_unit);
    if rest == 0 {
        return Some(whole.to_string());
    }
    let digits = if unit == EpochUnit::Seconds { 9 } else { 6 };
    let sign = if nanoseconds < 0 { "-" } else { "" };
    let fraction = format!("{:0digits$}", rest.unsigned_abs());
    Some(format!("{sign}{}.{}", whole.unsigned_abs(), fraction.trim_end_matches('0')))
}
