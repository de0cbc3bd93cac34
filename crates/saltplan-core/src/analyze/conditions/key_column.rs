//! Conditions on the row key itself, by the name of the mapping table's key column: `rowkey >= '000'`, `rowkey LIKE '00020200406%'`.
//!
//! Hive compares texts by their bytes, as HBase does, so such a condition is a set of ranges of row keys. A key with bytes that are
//! not text differs for some of Hive's functions: `IN`, `concat` and `substr` see U+FFFD in place of each such byte (measured on 2.3.9
//! and 3.1.3). These bytes and U+FFFD sort after ASCII, so constants of ASCII make the same ranges; others make no ranges.

use super::likes::like_pattern;
use crate::analyze::bind::{Bound, BoundNode, ColumnPlace, Operator};
use crate::analyze::compare::Comparison;
use crate::analyze::constant::Constant;
use crate::analyze::like::PatternRest;
use crate::analyze::regex::Starts;
use crate::key::range::{KeyRange, KeyRanges, from_hex, key_successor};
use crate::schema::model::Schema;
use saltplan_sql::functions::{HEX, Operation};

/// The row keys that the conditions of a conjunction leave; `None` if no condition is about the row key alone.
pub fn key_ranges(schema: &Schema, predicate: &BoundNode) -> Option<KeyRanges> {
    let keys = match &predicate.what {
        Bound::Operation { operator: Operator::And, operands } => {
            let sets: Vec<KeyRanges> = operands.iter().filter_map(|arm| of_condition(schema, arm)).collect();
            KeyRanges::intersection_of(&sets)
        }
        _ => of_condition(schema, predicate)?,
    };
    (keys != KeyRanges::all()).then_some(keys)
}

/// The row keys for which a condition is true; it is false for all others.
fn of_condition(schema: &Schema, condition: &BoundNode) -> Option<KeyRanges> {
    let Bound::Operation { operator, operands } = &condition.uncast().what else { return None };
    let negate_if = |negated: bool, keys: KeyRanges| if negated { keys.complement() } else { keys };
    let each =
        |arms: &[BoundNode]| arms.iter().map(|arm| of_condition(schema, arm)).collect::<Option<Vec<_>>>();
    match (operator, operands.as_slice()) {
        (Operator::And, arms) => Some(KeyRanges::intersection_of(&each(arms)?)),
        (Operator::Or, arms) => Some(KeyRanges::union_of(&each(arms)?)),
        (Operator::Not, [negated]) => Some(of_condition(schema, negated)?.complement()),
        (Operator::Binary(op), [left, right]) => {
            let (comparison, negated) = Comparison::of(*op)?;
            let keys = match (KeyOperand::of(left), KeyOperand::of(right)) {
                (Some(operand), None) => operand.compared(comparison, &text(schema, right)?)?,
                (None, Some(operand)) => operand.compared(comparison.flipped(), &text(schema, left)?)?,
                _ => return None,
            };
            Some(negate_if(negated, keys))
        }
        (Operator::Between { negated }, [operand, low, high]) => {
            let operand = KeyOperand::of(operand)?;
            let from = operand.compared(Comparison::GreaterOrEqual, &text(schema, low)?)?;
            let until = operand.compared(Comparison::LessOrEqual, &text(schema, high)?)?;
            Some(negate_if(*negated, from.intersect(&until)))
        }
        (Operator::In { negated }, [operand, list @ ..]) => {
            let operand = KeyOperand::of(operand)?;
            let each = list.iter().map(|item| operand.compared(Comparison::Equal, &text(schema, item)?));
            Some(negate_if(*negated, KeyRanges::union_of(&each.collect::<Option<Vec<_>>>()?)))
        }
        (Operator::Like { negated }, [operand, pattern, escape @ ..]) => {
            let KeyOperand::Whole = KeyOperand::of(operand)? else { return None };
            let pattern = like_pattern(pattern, escape.first())
                .filter(|pattern| divides_keys(schema, &pattern.prefix))?;
            let keys = match pattern.rest {
                PatternRest::Nothing => vec![KeyRange::point(pattern.prefix.into_bytes())].into(),
                PatternRest::Anything => prefix(&pattern.prefix),
                PatternRest::More => return None,
            };
            Some(negate_if(*negated, keys))
        }
        (Operator::RLike { negated }, [operand, pattern]) => {
            let KeyOperand::Whole = KeyOperand::of(operand)? else { return None };
            let starts = Starts::of(&text(schema, pattern)?).filter(|starts| starts.is_exact)?;
            let each: Vec<KeyRanges> = starts.texts.iter().map(|start| prefix(start)).collect();
            Some(negate_if(*negated, KeyRanges::union_of(&each)))
        }
        _ => None,
    }
}

/// The row key, its first characters, or its bytes in hex.
enum KeyOperand {
    Whole,
    Prefix(usize),
    Hex,
}

impl KeyOperand {
    fn of(node: &BoundNode) -> Option<Self> {
        match &node.uncast().what {
            Bound::Column(column) => (column.place == ColumnPlace::RowKey).then_some(KeyOperand::Whole),
            Bound::Call(call) if call.function == Some(&HEX) => {
                let KeyOperand::Whole = KeyOperand::of(call.arguments.first()?)? else { return None };
                Some(KeyOperand::Hex)
            }
            Bound::Call(call) if !call.is_opaque() => {
                let count = match (call.operation(), call.arguments.as_slice()) {
                    (Operation::Substring, [_, from, count]) if matches!(integer(from)?, 0 | 1) => count,
                    (Operation::Start, [_, count]) => count,
                    _ => return None,
                };
                let KeyOperand::Whole = KeyOperand::of(call.arguments.first()?)? else { return None };
                let count = integer(count)?;
                usize::try_from(count).ok().map(KeyOperand::Prefix)
            }
            _ => None,
        }
    }

    fn compared(&self, comparison: Comparison, constant: &str) -> Option<KeyRanges> {
        match self {
            KeyOperand::Whole => Some(compared_bytes(comparison, constant.as_bytes())),
            // Two digits a byte, so the texts have the order of the bytes. Hive writes capital letters.
            KeyOperand::Hex => {
                let is_upper = !constant.bytes().any(|byte| byte.is_ascii_lowercase());
                let bytes = from_hex(constant).filter(|_| is_upper)?;
                Some(compared_bytes(comparison, &bytes))
            }
            // Hive counts characters; of ASCII they are bytes. It counts those beyond U+FFFF twice, and of half of one it makes a `?`.
            KeyOperand::Prefix(count) => {
                let is_start = comparison == Comparison::Equal
                    && constant.is_ascii()
                    && constant.len() == *count
                    && !constant.ends_with('?');
                is_start.then(|| prefix(constant))
            }
        }
    }
}

/// The keys that compare so with a key.
fn compared_bytes(comparison: Comparison, key: &[u8]) -> KeyRanges {
    let not_below = KeyRanges::range(key.to_vec(), None);
    let above = KeyRanges::range(key_successor(key), None);
    match comparison {
        Comparison::Equal => not_below.subtract(&above),
        Comparison::Less => not_below.complement(),
        Comparison::LessOrEqual => above.complement(),
        Comparison::Greater => above,
        Comparison::GreaterOrEqual => not_below,
    }
}

fn prefix(text: &str) -> KeyRanges {
    vec![KeyRange::prefix(text.as_bytes().to_vec())].into()
}

fn text(schema: &Schema, node: &BoundNode) -> Option<String> {
    match node.folded()? {
        Constant::Text(text) => Some(text).filter(|text| divides_keys(schema, text)),
        _ => None,
    }
}

fn integer(node: &BoundNode) -> Option<i64> {
    node.folded()?.integer()
}

/// Whether keys compare with a text in the order of their bytes, even if Hive replaces bytes that are not text.
fn divides_keys(schema: &Schema, text: &str) -> bool {
    let key = &schema.key;
    let is_text = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok();
    text.is_ascii()
        || key.salt.as_ref().is_none_or(|salt| !salt.write.is_binary() && is_text(&salt.separator))
            && key.stored().all(|id| {
                let field = &key.fields[id];
                field.kind.is_text_in_key() && is_text(&field.separator)
            })
}
