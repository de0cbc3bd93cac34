//! Fields of the key that hold a hash: their values in a box follow from those of the hashed fields.

use std::sync::Arc;

use super::boxes::MAX_BOXES;
use super::key_box::KeyBox;
use super::salt_parts::parts_of_set;
use crate::analyze::ValueSet;
use crate::key::Value;
use crate::key::field::FieldId;
use crate::key::interval::IntervalSet;
use crate::key::salt::Salt;
use crate::schema::model::Schema;

/// A box is split by at most this many values of the hashed fields. Beyond, it has all their hashes together.
const MAX_SPLIT: usize = 64;

/// The maximum number of hashes in a box.
const MAX_HASHES: usize = 4_096;

/// Restricts each field that holds a hash, where the values of the hashed fields are known. Every row that fits the schema has the hash
/// of its own values, so no row of a box is left out.
pub(super) fn restrict_hashes(schema: &Schema, boxes: &mut Vec<KeyBox>) {
    for (id, hash) in &schema.key.hashed {
        let count = boxes.len();
        let restricted: Vec<KeyBox> =
            boxes.iter().flat_map(|key_box| restricted(schema, *id, hash, key_box, count)).collect();
        *boxes = restricted.into_iter().filter(|key_box| !key_box.is_empty()).collect();
    }
}

/// The box with the hash of its values, in parts if there are few.
fn restricted(schema: &Schema, id: FieldId, hash: &Salt, key_box: &KeyBox, boxes: usize) -> Vec<KeyBox> {
    let whole = || vec![key_box.clone()];
    let Some(pieces) = pieces(schema, hash, key_box) else { return whole() };
    let mut hashes = Vec::new();
    for (inputs, _) in &pieces {
        let value = schema.key.hashed_value(id, hash, inputs);
        // A hash that the field cannot hold is in no row, but then the schema is wrong.
        let Some(values) = value.and_then(|value| point(schema, id, &value)) else { return whole() };
        hashes.push(values);
    }
    if pieces.len() <= MAX_SPLIT && boxes.saturating_mul(pieces.len()) <= MAX_BOXES {
        let parts = pieces.into_iter().zip(hashes).map(|((_, mut part), values)| {
            part.restrict(id, &Arc::new(values));
            part
        });
        return parts.collect();
    }
    let Some(all) = ValueSet::union_of(&hashes.iter().collect::<Vec<_>>()) else { return whole() };
    let mut restricted = key_box.clone();
    restricted.restrict(id, &Arc::new(all));
    vec![restricted]
}

/// The parts of a box, each with the bytes of the hashed inputs; `None` if they are not known or too many.
fn pieces(schema: &Schema, hash: &Salt, key_box: &KeyBox) -> Option<Vec<(Vec<Vec<u8>>, KeyBox)>> {
    let mut pieces = vec![(Vec::new(), key_box.clone())];
    for input in hash.inputs(&schema.key.fields) {
        let field = &schema.key.fields[input.field];
        let mut refined = Vec::new();
        for (inputs, part) in &pieces {
            let set = part.fields.get(&input.field)?;
            let limit = MAX_HASHES.checked_sub(refined.len())?;
            for (bytes, values) in parts_of_set(schema, field, &input, set, limit)? {
                let mut inputs: Vec<Vec<u8>> = inputs.clone();
                inputs.push(bytes);
                let mut part = part.clone();
                part.fields.insert(input.field, Arc::new(values));
                refined.push((inputs, part));
            }
        }
        pieces = refined;
        if pieces.len() > MAX_HASHES {
            return None;
        }
    }
    Some(pieces)
}

fn point(schema: &Schema, id: FieldId, value: &Value) -> Option<ValueSet> {
    let kind = &schema.key.fields[id].kind;
    kind.encode(value).ok()?;
    Some(match value {
        Value::Number(number) => {
            ValueSet::Numbers(IntervalSet::range((*number).into(), Some(i128::from(*number) + 1)))
        }
        Value::Text(_) => ValueSet::one_text(kind.compared(value).ok()?),
    })
}
