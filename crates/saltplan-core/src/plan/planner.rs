//! From boxes to branches: salts, ranges, limits.

use std::collections::{BTreeMap, BTreeSet};

use super::boxes::{Clause, KeyBox};
use super::branches::{self, Candidate, Check, Disjoint};
use super::notes::names;
use super::salts::{self, SaltedBox, TooManySalts};
use super::{Bound, Branch, Kind, Note, Options, Plan, Share, ranges};
use crate::key::range::{KeyRange, prefix_successor};
use crate::key::salt::Image;
use crate::predicate::Lowered;
use crate::region;
use crate::schema::model::Schema;

pub(super) struct Planner<'a> {
    pub schema: &'a Schema,
    pub lowered: &'a Lowered,
    pub image: Option<Image>,
    pub options: Options<'a>,
    pub bound: Bound,
    pub notes: Vec<Note>,
    /// Every clause by its id.
    pub clauses: BTreeMap<usize, Clause>,
}

impl Planner<'_> {
    pub(super) fn salted(&mut self, key_boxes: &[KeyBox]) -> Result<Vec<SaltedBox>, TooManySalts> {
        let mut all = Vec::new();
        let mut unbound = BTreeSet::new();
        for key_box in key_boxes {
            for clause in &key_box.clauses {
                self.clauses.entry(clause.id).or_insert_with(|| clause.clone());
            }
            let salted = salts::split(self.schema, self.image.as_ref(), key_box, self.options.max_branches)?;
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
        let per_box = (self.options.max_branches / salted.len().max(1)).max(1);
        let mut by_salt: BTreeMap<Option<Vec<u8>>, Vec<Candidate>> = BTreeMap::new();
        let (mut widened, mut unordered) = (BTreeSet::new(), BTreeSet::new());
        for SaltedBox { salt, key_box, computed } in salted {
            let cover = ranges::cover(&self.schema.key, key_box, &self.prefix(salt.as_deref()), per_box);
            widened.extend(cover.widened);
            unordered.extend(cover.unordered);
            let clauses = self.unproved(key_box, &cover.exact, *computed);
            let candidates = by_salt.entry(salt.clone()).or_default();
            // HBase has no empty row key.
            let ranges = cover.ranges.into_iter().filter(|range| *range != KeyRange::point(Vec::new()));
            candidates.extend(ranges.map(|range| Candidate { range, clauses: clauses.clone() }));
        }
        let mut disjoint: BTreeMap<Option<Vec<u8>>, Vec<Disjoint>> = by_salt
            .into_iter()
            .map(|(salt, candidates)| (salt, branches::disjoint(&candidates)))
            .filter(|(_, branches)| !branches.is_empty())
            .collect();
        let total: usize = disjoint.values().map(Vec::len).sum();
        if disjoint.len() > self.options.max_branches {
            return self.too_many_branches(disjoint.len());
        }
        if total > self.options.max_branches {
            let per_salt = (self.options.max_branches / disjoint.len()).max(1);
            disjoint =
                disjoint.into_iter().map(|(salt, list)| (salt, branches::widen(list, per_salt))).collect();
            let message = format!(
                "{total} ranges joined to {per_salt} per salt at most; the rows between are filtered"
            );
            self.note("widened", message);
        }
        for field in widened {
            let name = &self.schema.key.fields[field].name;
            let message = format!(
                "the values of `{name}` make more than {} ranges; the ranges are wider and the condition is a residual",
                self.options.max_branches
            );
            self.note("widened", message);
        }
        for field in unordered {
            let name = &self.schema.key.fields[field].name;
            let message = format!(
                "`{name}` is not stored in the order of its values, so only single values make ranges"
            );
            self.note("unordered", message);
        }
        if self.covers_everything(&disjoint) {
            return self.full_scan(disjoint);
        }
        self.finish(disjoint)
    }

    /// The clauses of a box that its ranges do not imply.
    fn unproved(&self, key_box: &KeyBox, exact: &[usize], computed: bool) -> Vec<usize> {
        let mut ids: Vec<usize> = key_box
            .clauses
            .iter()
            .filter(|clause| match clause.field {
                Some(field) if exact.contains(&field) => false,
                Some(field) => !(computed && self.salt_tells(field)),
                None => true,
            })
            .map(|clause| clause.id)
            .collect();
        ids.sort_unstable();
        ids
    }

    /// Whether the salt alone proves the value of a field that the key does not store.
    fn salt_tells(&self, field: usize) -> bool {
        let key = &self.schema.key;
        !key.fields[field].stored && key.salt.as_ref().is_some_and(|salt| salt.determines_inputs(key))
    }

    fn prefix(&self, salt: Option<&[u8]>) -> Vec<u8> {
        match (salt, &self.schema.key.salt) {
            (Some(bytes), Some(salt)) => [bytes, &salt.then].concat(),
            _ => Vec::new(),
        }
    }

    /// Whether the branches leave out no key that a row can have.
    fn covers_everything(&self, disjoint: &BTreeMap<Option<Vec<u8>>, Vec<Disjoint>>) -> bool {
        let salts: Vec<Option<Vec<u8>>> = match &self.image {
            None => vec![None],
            Some(Image::Listed(salts)) => salts.iter().cloned().map(Some).collect(),
            Some(Image::TooMany { .. }) => return false,
        };
        let stores_fields = self.schema.key.stored().next().is_some();
        stores_fields
            && salts.iter().all(|salt| {
                let prefix = self.prefix(salt.as_deref());
                let whole = KeyRange::new(prefix.clone(), prefix_successor(&prefix));
                disjoint.get(salt).is_some_and(|list| spans(list, &whole))
            })
    }

    fn full_scan(&mut self, disjoint: BTreeMap<Option<Vec<u8>>, Vec<Disjoint>>) -> Plan {
        let mut checks = disjoint.values().flatten().map(|branch| &branch.check);
        let first = checks.next().cloned().unwrap_or(Check::Everything);
        let check = if checks.all(|check| *check == first) { first } else { Check::Everything };
        let mut plan = self.scan_of_everything(None);
        for branch in &mut plan.branches {
            branch.residual = self.residual(&check);
        }
        plan
    }

    /// The predicate determines the salts, and they are more than there may be branches.
    fn too_many_branches(&mut self, count: usize) -> Plan {
        let limit = self.options.max_branches;
        self.note(
            "too_many_salts",
            format!("{count} salts would be read one by one; the limit of branches is {limit}"),
        );
        self.whole_table(None)
    }

    pub(super) fn scan_of_everything(&mut self, too_many: Option<TooManySalts>) -> Plan {
        match &too_many {
            Some(too_many) => self.note("too_many_salts", self.why_too_many(too_many)),
            None => self.note("no_pruning", self.why_no_pruning()),
        }
        self.whole_table(too_many)
    }

    fn whole_table(&self, too_many_salts: Option<TooManySalts>) -> Plan {
        let branch = Branch {
            salt: None,
            range: KeyRange::new(Vec::new(), None),
            residual: self.residual(&Check::Everything),
            regions: self.region_count().map(|count| 0..count),
        };
        Plan {
            kind: Kind::FullScan,
            salts: self.image.as_ref().map(|image| Share { part: image.count(), of: image.count() }),
            branches: vec![branch],
            regions: self.region_count().map(|count| Share { part: count as u128, of: count as u128 }),
            notes: Vec::new(),
            bound: Bound::default(),
            too_many_salts,
        }
    }

    fn region_count(&self) -> Option<usize> {
        self.options.split_keys.map(|keys| keys.len() + 1)
    }

    fn finish(&mut self, disjoint: BTreeMap<Option<Vec<u8>>, Vec<Disjoint>>) -> Plan {
        let split_keys = self.options.split_keys;
        let reached = disjoint.len() as u128;
        let mut branches: Vec<Branch> = disjoint
            .into_iter()
            .flat_map(|(salt, list)| list.into_iter().map(move |branch| (salt.clone(), branch)))
            .map(|(salt, Disjoint { range, check })| Branch {
                salt,
                residual: self.residual(&check),
                regions: split_keys.map(|keys| touched(&range, keys)),
                range,
            })
            .collect();
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
        let salts = self.image.as_ref().map(|image| Share { part: reached, of: image.count() });
        Plan {
            kind,
            salts,
            branches,
            regions,
            notes: Vec::new(),
            bound: Bound::default(),
            too_many_salts: None,
        }
    }
}

fn touched(range: &KeyRange, split_keys: &[Vec<u8>]) -> std::ops::Range<usize> {
    region::touched(&range.start, range.stop.as_deref(), split_keys)
}

/// Whether sorted, disjoint branches hold all of a range without a gap.
fn spans(list: &[Disjoint], whole: &KeyRange) -> bool {
    let joined =
        crate::key::KeyRanges::from_intervals(list.iter().map(|branch| branch.range.clone()).collect());
    crate::key::KeyRanges::from_intervals(vec![whole.clone()]).is_subset(&joined)
}
