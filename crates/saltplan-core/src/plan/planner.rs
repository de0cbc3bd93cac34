//! From boxes to branches: salts, ranges, limits.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::boxes::{Boxes, Clause, ClauseId, KeyBox};
use super::branches::{Candidate, Check, Checker, Disjoint};
use super::clauses::Clauses;
use super::notes::names;
use super::ranges::KeyParts;
use super::salts::{SaltedBox, Splitter, TooManySalts};
use super::{Bound, Branch, Kind, Note, Options, Plan, Residual, Share, bound};
use crate::key::range::{KeyRange, KeyRanges, prefix_successor};
use crate::key::salt::Image;
use crate::predicate::{Lowered, Meaning, Piece, Predicate, ValueSet, words::words_of};
use crate::region;
use crate::schema::model::Schema;

/// Conditions on one field that have more bytes are cut to the values that a wide range holds, or with fewer bytes
/// where residuals may not take as many.
const LONG_CONDITION: usize = 512;

pub(super) struct Planner<'a> {
    pub schema: &'a Schema,
    pub lowered: &'a Lowered,
    pub image: Option<&'a Image>,
    pub options: Options<'a>,
    pub bound: Bound,
    pub notes: Vec<Note>,
    pub clauses: Clauses,
    /// Clauses that rows of some branch are checked by.
    pub checked: BTreeSet<ClauseId>,
}

/// Salts with the same branches behind them.
struct SaltGroup {
    /// `None` in a table without salt.
    salts: Vec<Option<Vec<u8>>>,
    /// Relative to the salt and its separator.
    branches: Vec<Disjoint>,
}

/// Fields of which a plan says something.
#[derive(Default)]
struct Remarks {
    widened: BTreeSet<usize>,
    unordered: BTreeSet<usize>,
}

/// How often boxes are read, each once for every salt that its rows can have.
pub(super) fn reads(salted: &[SaltedBox]) -> usize {
    salted.iter().map(SaltedBox::reads).fold(0, usize::saturating_add)
}

impl<'a> Planner<'a> {
    pub(super) fn new(
        schema: &'a Schema,
        lowered: &'a Lowered,
        image: Option<&'a Image>,
        options: Options<'a>,
        boxes: &Boxes,
    ) -> Self {
        Planner {
            schema,
            lowered,
            image,
            options,
            bound: bound(schema, boxes),
            notes: Vec::new(),
            clauses: Clauses::new(boxes.clauses.clone()),
            checked: BTreeSet::new(),
        }
    }

    pub(super) fn salted(&mut self, key_boxes: &[KeyBox]) -> Result<Vec<SaltedBox>, TooManySalts> {
        let mut all = Vec::new();
        let mut unbound = BTreeSet::new();
        let mut splitter = Splitter::new(self.schema, self.image, self.options.max_branches);
        for key_box in key_boxes {
            let salted = splitter.split(key_box)?;
            unbound.extend(salted.unbound);
            all.extend(salted.boxes);
        }
        if !unbound.is_empty() {
            let message = format!(
                "the salt is not computed: {} not bound to single values",
                names(self.schema, &unbound)
            );
            self.note("salt_unbound", message);
        }
        if self.schema.key.salt.as_ref().is_some_and(|salt| !salt.is_computable()) && !all.is_empty() {
            self.note("salt_random", "the salt is random: no row tells it, so every salt is read".into());
        }
        Ok(all)
    }

    pub(super) fn ranged(&mut self, salted: &[SaltedBox]) -> Plan {
        let per_read = (self.options.max_branches / reads(salted).max(1)).max(1);
        let parts = KeyParts::new(&self.schema.key);
        let mut remarks = Remarks::default();
        let candidates: Vec<Vec<Candidate>> =
            salted.iter().map(|salted| self.candidates(&parts, salted, per_read, &mut remarks)).collect();
        let mut groups = self.groups(salted, &candidates);
        let reached: usize = groups.iter().map(|group| group.salts.len()).sum();
        if reached > self.options.max_branches {
            return self.too_many_branches(reached);
        }
        self.join_ranges(&mut groups, reached);
        self.shorten_residuals(&mut groups);
        self.remark(&remarks);
        if self.covers_everything(&groups) {
            return self.full_scan(&groups);
        }
        self.finish(groups)
    }

    /// Ranges of keys behind the salt that hold the rows of a box, with its conditions.
    fn candidates(
        &mut self,
        parts: &KeyParts<'_>,
        salted: &SaltedBox,
        limit: usize,
        remarks: &mut Remarks,
    ) -> Vec<Candidate> {
        let SaltedBox { key_box, computed, .. } = salted;
        let cover = parts.cover(key_box, limit, &self.long_fields(key_box));
        remarks.widened.extend(cover.widened);
        remarks.unordered.extend(cover.unordered);
        let mut candidates = Vec::new();
        let stored: Vec<usize> = self.schema.key.stored().collect();
        for group in cover.groups {
            let clauses = match &group.part {
                Some((field, values)) => self.narrowed(&key_box.clauses, *field, values),
                None => key_box.clauses.to_vec(),
            };
            let exact = if group.is_of_one_row { &stored } else { &cover.exact };
            let unproved = self.unproved(&clauses, exact, *computed);
            let unproved = self.clauses.conjunction(unproved);
            let all = self.clauses.conjunction(clauses);
            // HBase has no empty row key.
            let is_key = |range: &KeyRange| salted.salts.is_some() || *range != KeyRange::point(Vec::new());
            let ranges = group.ranges.into_iter().filter(is_key);
            candidates.extend(ranges.map(|range| Candidate { range, unproved, all }));
        }
        candidates
    }

    /// Fields with conditions so long that they are not repeated in every range.
    fn long_fields(&self, key_box: &KeyBox) -> BTreeSet<usize> {
        let share = self.options.max_residual_bytes / self.options.max_branches;
        let mut bytes: BTreeMap<usize, usize> = BTreeMap::new();
        for id in key_box.clauses.iter() {
            if let Some(field) = self.clauses.get(*id).field {
                *bytes.entry(field).or_default() += self.clauses.bytes(*id);
            }
        }
        bytes
            .into_iter()
            .filter(|(_, bytes)| *bytes > LONG_CONDITION.min(share))
            .map(|(field, _)| field)
            .collect()
    }

    /// The clauses with those on one field cut to some of its values, where that can be written.
    fn narrowed(&mut self, clauses: &[ClauseId], field: usize, values: &ValueSet) -> Vec<ClauseId> {
        let (of, mut kept): (Vec<ClauseId>, Vec<ClauseId>) =
            clauses.iter().partition(|id| self.clauses.get(**id).field == Some(field));
        match self.part_of(&of, field, values) {
            Some(part) => {
                kept.push(self.clauses.add_part(part, of));
                kept
            }
            None => clauses.to_vec(),
        }
    }

    fn part_of(&self, of: &[ClauseId], field: usize, values: &ValueSet) -> Option<Clause> {
        let Predicate::Condition(condition) = &self.clauses.get(*of.first()?).predicate else { return None };
        let spelled = condition.text.0.iter().find_map(|piece| match piece {
            Piece::Field { index, spelled } if *index == field => Some(spelled),
            _ => None,
        })?;
        let text = words_of(field, &self.schema.key.fields[field].kind, spelled, values)?;
        let meaning = Meaning::Field { field, values: values.clone() };
        let predicate = Predicate::condition(meaning, text, condition.span);
        Some(Clause { field: Some(field), predicate })
    }

    /// The clauses of a box that its ranges do not imply.
    fn unproved(&self, clauses: &[ClauseId], exact: &[usize], computed: bool) -> Vec<ClauseId> {
        let is_unproved = |id: &ClauseId| match self.clauses.get(*id).field {
            Some(field) if exact.contains(&field) => false,
            Some(field) => !(computed && self.salt_tells(field)),
            None => true,
        };
        clauses.iter().copied().filter(is_unproved).collect()
    }

    /// Whether the salt alone proves the value of a field that the key does not store.
    fn salt_tells(&self, field: usize) -> bool {
        let key = &self.schema.key;
        !key.fields[field].stored && key.salt.as_ref().is_some_and(|salt| salt.determines_inputs(key))
    }

    /// The disjoint branches of every salt; salts behind which the same boxes lie share them.
    fn groups(&self, salted: &[SaltedBox], candidates: &[Vec<Candidate>]) -> Vec<SaltGroup> {
        let mut lists: HashMap<*const Vec<u8>, usize> = HashMap::new();
        let mut boxes_of_list: Vec<Vec<usize>> = Vec::new();
        let mut lists_of_salt: BTreeMap<Option<&Vec<u8>>, Vec<usize>> = BTreeMap::new();
        for (index, salted) in salted.iter().enumerate() {
            let salts = salted.salts.as_deref();
            let list = *lists.entry(salts.map_or(std::ptr::null(), <[_]>::as_ptr)).or_insert_with(|| {
                boxes_of_list.push(Vec::new());
                let list = boxes_of_list.len() - 1;
                let each = salts.map_or(vec![None], |salts| salts.iter().map(Some).collect());
                each.into_iter().for_each(|salt| lists_of_salt.entry(salt).or_default().push(list));
                list
            });
            boxes_of_list[list].push(index);
        }
        let mut by_lists: BTreeMap<Vec<usize>, Vec<Option<Vec<u8>>>> = BTreeMap::new();
        for (salt, lists) in lists_of_salt {
            by_lists.entry(lists).or_default().push(salt.cloned());
        }
        let mut checker = self.checker();
        let group = |(lists, salts): (Vec<usize>, _)| {
            let boxes = lists.iter().flat_map(|list| &boxes_of_list[*list]);
            let all: Vec<&Candidate> = boxes.flat_map(|index| &candidates[*index]).collect();
            SaltGroup { salts, branches: checker.disjoint(&all) }
        };
        by_lists.into_iter().map(group).filter(|group| !group.branches.is_empty()).collect()
    }

    fn checker(&self) -> Checker<'_> {
        Checker::new(&self.clauses, self.lowered.text.bytes())
    }

    /// Joins ranges until they are no more than branches may be.
    fn join_ranges(&mut self, groups: &mut [SaltGroup], reached: usize) {
        let total: usize = groups.iter().map(|group| group.salts.len() * group.branches.len()).sum();
        if total <= self.options.max_branches {
            return;
        }
        let per_salt = (self.options.max_branches / reached).max(1);
        let checker = self.checker();
        for group in groups.iter_mut() {
            group.branches = checker.widened(&group.branches, per_salt);
        }
        self.note(
            "widened",
            format!("{total} ranges joined to {per_salt} per salt at most; the rows between are filtered"),
        );
    }

    /// Joins ranges further where their residuals would be too long, and joining helps.
    fn shorten_residuals(&mut self, groups: &mut [SaltGroup]) {
        let checker = self.checker();
        let bytes_of = |branches: &[Disjoint]| -> usize {
            branches.iter().map(|branch| checker.bytes(&branch.check)).sum()
        };
        let bytes = |of: &[Vec<Disjoint>], groups: &[SaltGroup]| -> usize {
            let each = groups.iter().zip(of).map(|(group, list)| group.salts.len() * bytes_of(list));
            each.fold(0, usize::saturating_add)
        };
        let mut joined: Vec<Vec<Disjoint>> = groups.iter().map(|group| group.branches.clone()).collect();
        let before = bytes(&joined, groups);
        let mut per_salt = joined.iter().map(Vec::len).max().unwrap_or(0);
        while per_salt > 1 && bytes(&joined, groups) > self.options.max_residual_bytes {
            per_salt /= 2;
            joined = groups.iter().map(|group| checker.widened(&group.branches, per_salt)).collect();
        }
        let after = bytes(&joined, groups);
        if after == before || after > self.options.max_residual_bytes {
            return;
        }
        for (group, branches) in groups.iter_mut().zip(joined) {
            group.branches = branches;
        }
        self.note(
            "widened",
            format!("conditions of {before} bytes in all: ranges joined to {per_salt} per salt at most, with {after} bytes"),
        );
    }

    fn remark(&mut self, remarks: &Remarks) {
        for field in &remarks.widened {
            let name = &self.schema.key.fields[*field].name;
            let message = format!(
                "the values of `{name}` make more than {} ranges; the ranges are wider and the condition is a residual",
                self.options.max_branches
            );
            self.note("widened", message);
        }
        for field in &remarks.unordered {
            let name = &self.schema.key.fields[*field].name;
            let message = format!(
                "`{name}` is not stored in the order of its values, so only single values make ranges"
            );
            self.note("unordered", message);
        }
    }

    fn prefix(&self, salt: Option<&[u8]>) -> Vec<u8> {
        match (salt, &self.schema.key.salt) {
            (Some(bytes), Some(salt)) => [bytes, &salt.then].concat(),
            _ => Vec::new(),
        }
    }

    /// Whether the branches leave out no key that a row can have.
    fn covers_everything(&self, groups: &[SaltGroup]) -> bool {
        let salts = match self.image {
            None => 1,
            Some(Image::Listed(salts)) => salts.len(),
            Some(Image::TooMany { .. }) => return false,
        };
        let reached: usize = groups.iter().map(|group| group.salts.len()).sum();
        self.schema.key.stored().next().is_some()
            && reached == salts
            && groups.iter().all(|group| has_no_gap(&group.branches))
    }

    fn full_scan(&mut self, groups: &[SaltGroup]) -> Plan {
        let mut checks = groups.iter().flat_map(|group| &group.branches).map(|branch| &branch.check);
        let first = checks.next().cloned().unwrap_or(Check::Everything);
        let check = if checks.all(|check| *check == first) { first } else { Check::Everything };
        self.note("no_pruning", self.why_no_pruning());
        self.whole_table(&check, None)
    }

    /// The predicate determines the salts, and they are more than there may be branches.
    fn too_many_branches(&mut self, count: usize) -> Plan {
        let limit = self.options.max_branches;
        self.note(
            "too_many_salts",
            format!("{count} salts would be read one by one; the limit of branches is {limit}"),
        );
        self.whole_table(&Check::Everything, None)
    }

    pub(super) fn scan_of_everything(&mut self, too_many: TooManySalts) -> Plan {
        self.note("too_many_salts", self.why_too_many(&too_many));
        self.whole_table(&Check::Everything, Some(too_many))
    }

    fn whole_table(&mut self, check: &Check, too_many_salts: Option<TooManySalts>) -> Plan {
        let branch = Branch {
            salt: None,
            range: KeyRange::new(Vec::new(), None),
            residual: self.residual(check),
            regions: self.region_count().map(|count| 0..count),
        };
        Plan {
            kind: Kind::FullScan,
            salts: self.image.map(|image| Share { part: image.count(), of: image.count() }),
            branches: vec![branch],
            regions: self.region_count().map(|count| Share { part: count as u128, of: count as u128 }),
            notes: Vec::new(),
            unused: Vec::new(),
            bound: Bound::default(),
            too_many_salts,
        }
    }

    fn region_count(&self) -> Option<usize> {
        self.options.split_keys.map(|keys| keys.len() + 1)
    }

    fn finish(&mut self, groups: Vec<SaltGroup>) -> Plan {
        let split_keys = self.options.split_keys;
        let reached = groups.iter().map(|group| group.salts.len() as u128).sum();
        let mut residuals: BTreeMap<Check, Option<Arc<Residual>>> = BTreeMap::new();
        let mut branches = Vec::new();
        for SaltGroup { salts, branches: disjoint } in groups {
            let disjoint: Vec<(KeyRange, Option<Arc<Residual>>)> = disjoint
                .into_iter()
                .map(|Disjoint { range, check, .. }| {
                    let residual = match residuals.get(&check) {
                        Some(known) => known.clone(),
                        None => residuals.entry(check.clone()).or_insert(self.residual(&check)).clone(),
                    };
                    (range, residual)
                })
                .collect();
            for salt in salts {
                let prefix = self.prefix(salt.as_deref());
                branches.extend(disjoint.iter().map(|(range, residual)| {
                    let range = behind(&prefix, range);
                    let regions = split_keys.map(|keys| touched(&range, keys));
                    Branch { salt: salt.clone(), residual: residual.clone(), regions, range }
                }));
            }
        }
        // Salts sort without their separator: `1` before `10`, yet `10_…` before `1_…`.
        branches.sort_unstable_by(|a, b| a.range.start.cmp(&b.range.start));
        let regions = split_keys.map(|keys| {
            let touched: BTreeSet<usize> = branches.iter().flat_map(|b| touched(&b.range, keys)).collect();
            Share { part: touched.len() as u128, of: keys.len() as u128 + 1 }
        });
        let kind = match branches.as_slice() {
            [] => Kind::Empty,
            _ if reached > 1 => Kind::FanOut,
            [only] if only.range.is_point() => Kind::Point,
            _ => Kind::Range,
        };
        let salts = self.image.map(|image| Share { part: reached, of: image.count() });
        Plan {
            kind,
            salts,
            branches,
            regions,
            notes: Vec::new(),
            unused: Vec::new(),
            bound: Bound::default(),
            too_many_salts: None,
        }
    }
}

fn touched(range: &KeyRange, split_keys: &[Vec<u8>]) -> std::ops::Range<usize> {
    region::touched(&range.start, range.stop.as_deref(), split_keys)
}

/// A range of keys behind a prefix.
fn behind(prefix: &[u8], range: &KeyRange) -> KeyRange {
    let stop = match &range.stop {
        Some(stop) => Some([prefix, stop].concat()),
        None => prefix_successor(prefix),
    };
    KeyRange::new([prefix, &range.start].concat(), stop)
}

/// Whether sorted, disjoint branches hold every key.
fn has_no_gap(branches: &[Disjoint]) -> bool {
    let joined = KeyRanges::from_intervals(branches.iter().map(|branch| branch.range.clone()).collect());
    joined == KeyRanges::all()
}
