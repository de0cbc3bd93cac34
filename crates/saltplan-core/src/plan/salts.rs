//! The salts that the rows of a box can have: computed if the conditions determine the salt's inputs,
//! otherwise all.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::key_box::KeyBox;
use super::salt_parts::{input_values, parts_of_set};
use crate::analyze::ValueSet;
use crate::key::field::{FieldId, FieldKind};
use crate::key::interval::Interval;
use crate::key::layout::RowKey;
use crate::key::salt::{InputId, ModuloSalt, Number, Salt, SaltDomain, SaltInput, SaltScheme};
use crate::schema::model::Schema;

/// The maximum number of parts into which boxes are split to compute salts, for one box and for all boxes
/// together.
const MAX_PIECES: usize = 16_384;
const MAX_ALL_PIECES: usize = 262_144;

/// The maximum number of remainders that are listed to find the salts of a modulo.
const MAX_REMAINDERS: usize = 1_000_000;

/// A box and the salts that its rows can have.
#[derive(Debug, Clone)]
pub(crate) struct SaltedBox {
    /// The bytes of each salt, without its separator; `None` for a table without a salt.
    pub salts: Option<Arc<[Vec<u8>]>>,
    pub(crate) key_box: KeyBox,
    /// There is one salt, and every row of the box has it. Otherwise the box is read once for each salt.
    pub computed: bool,
}

impl SaltedBox {
    /// How often the box is read.
    pub fn reads(&self) -> usize {
        self.salts.as_ref().map_or(1, |salts| salts.len())
    }
}

/// Boxes and their salts.
#[derive(Debug, Clone, Default)]
pub(crate) struct SaltedBoxes {
    pub boxes: Vec<SaltedBox>,
    /// The fields whose values are missing to compute the salt; empty if it was computed.
    pub unbound: BTreeSet<FieldId>,
}

/// The salt has too many values to read a range for each, and the box does not determine it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TooManySalts {
    pub count: u128,
    pub unbound: Vec<FieldId>,
}

/// Splits the boxes of one predicate by salt.
#[derive(Debug)]
pub(crate) struct Splitter<'a> {
    schema: &'a Schema,
    salt_domain: Option<&'a SaltDomain>,
    /// Every salt, if they are listed.
    all: Arc<[Vec<u8>]>,
    max_branches: usize,
    pieces_left: usize,
    remainders_left: usize,
}

impl<'a> Splitter<'a> {
    pub fn new(schema: &'a Schema, salt_domain: Option<&'a SaltDomain>, max_branches: usize) -> Self {
        let all: Arc<[Vec<u8>]> = match salt_domain {
            Some(SaltDomain::Listed(salts)) => salts.as_slice().into(),
            _ => Arc::from([]),
        };
        let (pieces_left, remainders_left) = (MAX_ALL_PIECES, MAX_REMAINDERS);
        Splitter { schema, salt_domain, all, max_branches, pieces_left, remainders_left }
    }

    /// Splits boxes by salt.
    ///
    /// # Errors
    /// There are more salts than allowed branches, and a box does not determine the salt.
    pub(crate) fn split_all(mut self, key_boxes: &[KeyBox]) -> Result<SaltedBoxes, TooManySalts> {
        let mut all = SaltedBoxes::default();
        for key_box in key_boxes {
            let SaltedBoxes { boxes, unbound } = self.split(key_box)?;
            all.boxes.extend(boxes);
            all.unbound.extend(unbound);
        }
        Ok(all)
    }

    fn split(&mut self, key_box: &KeyBox) -> Result<SaltedBoxes, TooManySalts> {
        let (Some(salt), Some(salt_domain)) = (&self.schema.key.salt, self.salt_domain) else {
            let only = SaltedBox { salts: None, key_box: key_box.clone(), computed: false };
            return Ok(SaltedBoxes { boxes: vec![only], unbound: BTreeSet::new() });
        };
        let is_listed = matches!(salt_domain, SaltDomain::Listed(_));
        let computed = compute(self.schema, salt, key_box, self.max_branches, self.pieces_left);
        match computed {
            Ok(Computed { boxes, pieces }) => {
                self.pieces_left = self.pieces_left.saturating_sub(pieces);
                let is_worth_it = !is_listed
                    || is_worth_it(&self.schema.key, &boxes, key_box, self.all.len(), self.max_branches);
                let boxes = if is_worth_it { boxes } else { vec![fan_out(&self.all, key_box)] };
                Ok(SaltedBoxes { boxes, unbound: BTreeSet::new() })
            }
            Err(unbound) if is_listed => {
                if let Some((known, rest)) = self.bound_part(salt, key_box, &unbound)
                    && let Some(known) = self.computed_part(&known)
                {
                    let SaltedBoxes { mut boxes, unbound } = self.split(&rest)?;
                    boxes.extend(known);
                    return Ok(SaltedBoxes { boxes, unbound });
                }
                let reached = self.remainders(salt, key_box).unwrap_or_else(|| Arc::clone(&self.all));
                if reached.len() > self.max_branches {
                    return Err(TooManySalts { count: salt_domain.count(), unbound });
                }
                Ok(SaltedBoxes {
                    boxes: vec![fan_out(&reached, key_box)],
                    unbound: unbound.into_iter().collect(),
                })
            }
            Err(unbound) => Err(TooManySalts { count: salt_domain.count(), unbound }),
        }
    }

    /// Splits a box into the values of an unbound field that are in intervals short enough to determine the
    /// salt's input, and the rest.
    fn bound_part(&self, salt: &Salt, key_box: &KeyBox, unbound: &[FieldId]) -> Option<(KeyBox, KeyBox)> {
        let inputs = salt.inputs(&self.schema.key.fields);
        let input = inputs.iter().find(|input| unbound.contains(&input.field))?;
        let set = key_box.fields.get(&input.field)?;
        if !(2..=MAX_PIECES).contains(&set.interval_count()) {
            return None;
        }
        let field = &self.schema.key.fields[input.field];
        if field.stored && is_unordered(&field.kind) {
            return None;
        }
        // More values than this cost more ranges than a scan of every salt.
        let limit = self.all.len().min(self.pieces_left);
        let is_known = |part: &ValueSet| parts_of_set(self.schema, field, input, part, limit).is_some();
        let (known, rest): (Vec<ValueSet>, Vec<ValueSet>) = set.each_interval().partition(is_known);
        let part = |sets: &[ValueSet]| {
            let mut part = key_box.clone();
            part.fields.insert(input.field, Arc::new(ValueSet::union_of(&sets.iter().collect::<Vec<_>>())?));
            Some(part)
        };
        Some((part(&known)?, part(&rest)?))
    }

    /// The boxes of a part with known salts, if reading them separately is worthwhile.
    fn computed_part(&mut self, key_box: &KeyBox) -> Option<Vec<SaltedBox>> {
        let salted = self.split(key_box).ok().filter(|salted| salted.unbound.is_empty())?;
        let is_apart = salted.boxes.iter().all(|salted| salted.reads() < self.all.len());
        is_apart.then_some(salted.boxes)
    }

    /// The salts of a modulo that the numbers of a box can have, if they are fewer than all.
    fn remainders(&mut self, salt: &Salt, key_box: &KeyBox) -> Option<Arc<[Vec<u8>]>> {
        let SaltScheme::Modulo(ModuloSalt { field, by }) = salt.scheme else { return None };
        let ValueSet::Numbers(numbers) = key_box.fields.get(&field)?.as_ref() else { return None };
        let modulus = i128::from(by.unsigned_abs());
        let to_list = numbers.intervals().iter().map(|interval| {
            let wide = interval.stop.map_or(modulus, |stop| stop.saturating_sub(interval.start));
            usize::try_from(wide.min(modulus)).unwrap_or(usize::MAX)
        });
        self.remainders_left = self.remainders_left.checked_sub(to_list.fold(0, usize::saturating_add))?;
        let mut found = BTreeSet::new();
        for interval in numbers.intervals() {
            // Java's % has the sign of the number.
            let (start, stop) = (interval.start, interval.stop?);
            for (start, stop) in [(start, stop.min(0)), (start.max(0), stop)] {
                let stop = stop.min(start.saturating_add(modulus));
                found.extend((start..stop).filter_map(|number| number.checked_rem(i128::from(by))));
            }
            if found.len() == self.all.len() {
                return None;
            }
        }
        let salts: BTreeSet<Vec<u8>> =
            found.into_iter().flat_map(|number| salt.written(Number::Plain(number))).collect();
        Some(salts.into_iter().collect())
    }
}

fn fan_out(salts: &Arc<[Vec<u8>]>, key_box: &KeyBox) -> SaltedBox {
    SaltedBox { salts: Some(Arc::clone(salts)), key_box: key_box.clone(), computed: false }
}

/// Computed salts are used if they exclude some salts, or cost no more ranges than a scan of every salt.
fn is_worth_it(key: &RowKey, boxes: &[SaltedBox], whole: &KeyBox, salts: usize, max_branches: usize) -> bool {
    let reached: BTreeSet<_> = boxes.iter().map(|salted| &salted.salts).collect();
    let ranges: usize =
        boxes.iter().map(|salted| range_count(key, &salted.key_box)).fold(0, usize::saturating_add);
    let of_fan_out = range_count(key, whole).saturating_mul(salts);
    if ranges > max_branches && of_fan_out <= max_branches {
        return false;
    }
    reached.len() < salts || ranges <= of_fan_out
}

/// The approximate number of ranges of a box: values of unordered fields are read one by one.
fn range_count(key: &RowKey, key_box: &KeyBox) -> usize {
    let of_field = |(field, values): (&FieldId, &Arc<ValueSet>)| match values.as_ref() {
        ValueSet::Numbers(numbers) if is_unordered(&key.fields[*field].kind) => {
            numbers.intervals().iter().map(width).fold(0, usize::saturating_add)
        }
        values => values.interval_count(),
    };
    key_box.fields.iter().map(of_field).fold(1, usize::saturating_mul)
}

/// Whether values are read one by one, because no key range contains a range of them.
fn is_unordered(kind: &FieldKind) -> bool {
    kind.is_number() && kind.monotone_pieces().is_empty()
}

fn width(interval: &Interval<i128>) -> usize {
    let numbers = interval.stop.and_then(|stop| stop.checked_sub(interval.start));
    numbers.and_then(|numbers| usize::try_from(numbers).ok()).unwrap_or(usize::MAX)
}

/// A box split by salt, and the number of parts into which it was split.
struct Computed {
    boxes: Vec<SaltedBox>,
    pieces: usize,
}

/// The box split by the values of the salt's inputs, one salt each; or the missing fields.
fn compute(
    schema: &Schema,
    salt: &Salt,
    key_box: &KeyBox,
    max_branches: usize,
    pieces_left: usize,
) -> Result<Computed, Vec<FieldId>> {
    if !salt.is_computable() {
        return Err(Vec::new());
    }
    let inputs = salt.inputs(&schema.key.fields);
    let mut pieces = vec![(Vec::new(), key_box.clone())];
    let mut unbound = Vec::new();
    for (id, input) in inputs.entries() {
        // The values of a field without a condition are listed only if they can become branches.
        let limit = if key_box.fields.contains_key(&input.field) { MAX_PIECES } else { max_branches };
        match refine(schema, id, input, &pieces, limit.min(pieces_left)) {
            Some(refined) => pieces = refined,
            None => unbound.push(input.field),
        }
    }
    unbound.dedup();
    if !unbound.is_empty() {
        return Err(unbound);
    }
    let count = pieces.len();
    let mut by_salt: BTreeMap<Vec<u8>, Vec<KeyBox>> = BTreeMap::new();
    for (values, piece) in pieces {
        let Some(salts) = salt.salts(&schema.key.fields, &values) else { return Err(Vec::new()) };
        for bytes in salts {
            by_salt.entry(bytes).or_default().push(piece.clone());
        }
    }
    let inputs_are_stored = inputs.iter().all(|input| schema.key.fields[input.field].stored);
    let salt_is_random = salt.is_random();
    let mut salted = Vec::new();
    for (salt, boxes) in by_salt {
        let mut boxes = join_boxes(boxes);
        let count = |boxes: &[KeyBox]| {
            let each = boxes.iter().map(|key_box| range_count(&schema.key, key_box));
            each.fold(0, usize::saturating_add)
        };
        // A salt is only followed by its own rows, so a range reads no more of them than its parts would.
        let ranges = count(&boxes);
        let around = (inputs_are_stored && ranges > 1).then(|| vec![around(&schema.key, &boxes, key_box)]);
        let around = around.filter(|around| count(around) < ranges);
        let computed = around.is_none() && !salt_is_random;
        boxes = around.unwrap_or(boxes);
        let salt: Arc<[Vec<u8>]> = Arc::from([salt]);
        let one = |key_box| SaltedBox { salts: Some(Arc::clone(&salt)), key_box, computed };
        salted.extend(boxes.into_iter().map(one));
    }
    Ok(Computed { boxes: salted, pieces: count })
}

/// One box that contains all `pieces` of the box `whole`. An interval of `whole` in which there are several pieces stays as it is;
/// one without a piece is left out, so that a further condition never brings one back.
fn around(key: &RowKey, pieces: &[KeyBox], whole: &KeyBox) -> KeyBox {
    let mut around = whole.clone();
    for (field, set) in &mut around.fields {
        let of_pieces: Option<Vec<&Arc<ValueSet>>> =
            pieces.iter().map(|piece| piece.fields.get(field)).collect();
        // Fields that are not inputs of the salt are unchanged.
        let Some(of_pieces) = of_pieces.filter(|of| !of.iter().all(|part| Arc::ptr_eq(part, set))) else {
            continue;
        };
        let sets: Vec<&ValueSet> = of_pieces.into_iter().map(Arc::as_ref).collect();
        let Some(union) = ValueSet::union_of(&sets) else { continue };
        *set = Arc::new(if is_unordered(&key.fields[*field].kind) { union } else { set.around(&union) });
    }
    around
}

type Piece = (Vec<Vec<u8>>, KeyBox);

/// Splits every part by the values of one more input.
fn refine(
    schema: &Schema,
    id: InputId,
    input: &SaltInput,
    pieces: &[Piece],
    limit: usize,
) -> Option<Vec<Piece>> {
    let mut refined = Vec::new();
    for (values, key_box) in pieces {
        let remaining = MAX_PIECES.saturating_sub(refined.len());
        for (value, part) in input_values(schema, id, input, key_box, limit.min(remaining))? {
            let mut values = values.clone();
            values.push(value);
            refined.push((values, part));
        }
        if refined.len() > MAX_PIECES {
            return None;
        }
    }
    Some(refined)
}

/// Merges boxes that differ only in the values of one field.
fn join_boxes(boxes: Vec<KeyBox>) -> Vec<KeyBox> {
    let [first, _, ..] = boxes.as_slice() else { return boxes };
    let differing: BTreeSet<FieldId> = boxes
        .iter()
        .flat_map(|other| first.fields.iter().filter(|(field, set)| other.fields.get(field) != Some(set)))
        .map(|(field, _)| *field)
        .collect();
    let mut differing = differing.into_iter();
    match (differing.next(), differing.next()) {
        (Some(field), None) => {
            let sets: Vec<&ValueSet> =
                boxes.iter().filter_map(|key_box| key_box.fields.get(&field).map(Arc::as_ref)).collect();
            let Some(union) = ValueSet::union_of(&sets) else { return boxes };
            let mut joined = first.clone();
            joined.fields.insert(field, Arc::new(union));
            vec![joined]
        }
        (None, _) => vec![first.clone()],
        _ => boxes,
    }
}
