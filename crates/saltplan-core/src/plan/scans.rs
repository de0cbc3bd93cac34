//! From the scan set to branches of whole row keys: adds salts, writes residuals, counts regions.

use std::collections::BTreeSet;

use super::branches::{BranchCheck, Disjoint};
use super::clauses::Clauses;
use super::ranges::KeyParts;
use super::residual::Residuals;
use super::scan_set::{SaltGroup, ScanSet};
use super::{Branch, Given, PlanKind, Residual, ResidualId, Share};
use crate::analyze::runtime::RuntimeCondition;
use crate::key::range::{KeyRange, KeyRanges, prefix_successor};
use crate::region;

/// The branches of a plan, and how much of the table they are.
pub(super) struct Scans {
    pub kind: PlanKind,
    pub salts: Option<Share>,
    pub branches: Vec<Branch>,
    pub residuals: Vec<Residual>,
    pub regions: Option<Share>,
}

/// `is_behind_salt`: the salt follows from values that are known when the statement runs.
pub(super) fn scans(given: &Given<'_>, clauses: &Clauses, scan_set: ScanSet, is_behind_salt: bool) -> Scans {
    let residuals = Residuals::new(given.analysis, clauses);
    let scans = match scan_set {
        ScanSet::Groups(groups) => of_groups(given, residuals, groups, is_behind_salt),
        ScanSet::WholeTable { check, .. } => whole_table(given, residuals, &check),
    };
    match &given.analysis.key_ranges {
        Some(keys) if given.analysis.runtime.is_none() => within(given, scans, keys),
        _ => scans,
    }
}

/// What lies within row key ranges. The branches keep their residuals, so wider ranges are acceptable if
/// there are too many.
fn within(given: &Given<'_>, scans: Scans, keys: &KeyRanges) -> Scans {
    let split_keys = given.options.split_keys;
    let cut = |keys: &[KeyRange]| {
        let mut branches = Vec::new();
        for branch in &scans.branches {
            let first =
                keys.partition_point(|key| key.stop.as_ref().is_some_and(|stop| *stop <= branch.range.start));
            let common = keys[first..].iter().map(|key| intersection(&branch.range, key));
            for range in common.take_while(|range| !range.is_empty()) {
                let regions = split_keys.map(|keys| touched(&range, keys));
                branches.push(Branch { range, regions, ..branch.clone() });
            }
        }
        branches
    };
    let mut branches = cut(keys.intervals());
    if branches.len() > given.options.max_branches
        && let (Some(first), Some(last)) = (keys.intervals().first(), keys.intervals().last())
    {
        branches = cut(&[KeyRange::new(first.start.clone(), last.stop.clone())]);
    }
    let salts: BTreeSet<&Option<Vec<u8>>> = branches.iter().map(|branch| &branch.salt).collect();
    let kind = match branches.as_slice() {
        [] => PlanKind::Empty,
        [only] if only.range.is_point() => PlanKind::Point,
        _ if salts.len() > 1 => PlanKind::FanOut,
        _ => PlanKind::Range,
    };
    // For a whole table, the salts are not distinguished.
    let part = if scans.kind == PlanKind::FullScan { None } else { Some(salts.len() as u128) };
    let salts = scans.salts.and_then(|of| Some(Share { part: part?, ..of }));
    let regions = split_keys.map(|keys| {
        let all: BTreeSet<usize> = branches.iter().flat_map(|branch| touched(&branch.range, keys)).collect();
        Share { part: all.len() as u128, of: keys.len() as u128 + 1 }
    });
    Scans { kind, salts, branches, regions, ..scans }
}

fn intersection(a: &KeyRange, b: &KeyRange) -> KeyRange {
    let stop = match (&a.stop, &b.stop) {
        (Some(a), Some(b)) => Some(a.min(b).clone()),
        (one, other) => one.as_ref().or(other.as_ref()).cloned(),
    };
    KeyRange::new(a.start.clone().max(b.start.clone()), stop)
}

fn whole_table(given: &Given<'_>, mut residuals: Residuals<'_>, check: &BranchCheck) -> Scans {
    let regions = given.options.split_keys.map(|keys| keys.len() + 1);
    let branch = Branch {
        salt: None,
        range: KeyRange::new(Vec::new(), None),
        residual: residuals.of_check(check),
        runtime: None,
        regions: regions.map(|count| 0..count),
    };
    Scans {
        kind: PlanKind::FullScan,
        salts: given
            .salt_domain
            .map(|salt_domain| Share { part: salt_domain.count(), of: salt_domain.count() }),
        branches: vec![branch],
        residuals: residuals.written(),
        regions: regions.map(|count| Share { part: count as u128, of: count as u128 }),
    }
}

fn of_groups(
    given: &Given<'_>,
    mut residuals: Residuals<'_>,
    groups: Vec<SaltGroup>,
    is_behind_salt: bool,
) -> Scans {
    let split_keys = given.options.split_keys;
    let ranges = given.analysis.runtime.as_ref().map_or(1, |runtime| runtime.ranges.len());
    let salts_of_each = if is_behind_salt { ranges as u128 } else { 1 };
    let reached = groups.iter().map(|group| group.salts.len() as u128 * salts_of_each).sum();
    let mut branches = Vec::new();
    for SaltGroup { salts, branches: disjoint, .. } in groups {
        let disjoint: Vec<(KeyRange, Option<ResidualId>)> = disjoint
            .into_iter()
            .map(|Disjoint { range, check, .. }| (range, residuals.of_check(&check)))
            .collect();
        for salt in salts {
            let prefix = prefix(given, salt.as_deref());
            if let Some(runtime) = &given.analysis.runtime {
                let behind = disjoint.iter().flat_map(|(range, residual)| {
                    runtime_branches(given, runtime, salt.as_deref(), &behind(&prefix, range), *residual)
                });
                branches.extend(behind);
                continue;
            }
            branches.extend(disjoint.iter().map(|(range, residual)| {
                let range = behind(&prefix, range);
                let regions = split_keys.map(|keys| touched(&range, keys));
                Branch { salt: salt.clone(), residual: *residual, regions, range, runtime: None }
            }));
        }
    }
    // Salts sort without their separator: `1` comes before `10`, but `10_…` before `1_…`.
    branches.sort_unstable_by(|a, b| a.range.start.cmp(&b.range.start));
    let regions = split_keys.filter(|_| given.analysis.runtime.is_none()).map(|keys| {
        let touched: BTreeSet<usize> = branches.iter().flat_map(|b| touched(&b.range, keys)).collect();
        Share { part: touched.len() as u128, of: keys.len() as u128 + 1 }
    });
    let kind = match branches.as_slice() {
        [] => PlanKind::Empty,
        _ if reached > 1 => PlanKind::FanOut,
        [only] if only.range.is_point() => PlanKind::Point,
        _ => PlanKind::Range,
    };
    let salts = given.salt_domain.map(|salt_domain| Share { part: reached, of: salt_domain.count() });
    Scans { kind, salts, branches, residuals: residuals.written(), regions }
}

/// The ranges of run-time values after keys that are cut off before their field. If they are not a single
/// range, they are unknown, and the branch contains all keys of the prefix.
fn runtime_branches(
    given: &Given<'_>,
    runtime: &RuntimeCondition,
    salt: Option<&[u8]>,
    cut_off: &KeyRange,
    residual: Option<ResidualId>,
) -> Vec<Branch> {
    let branch = |range: KeyRange, runtime| Branch {
        salt: salt.map(<[u8]>::to_vec),
        residual,
        regions: None,
        range,
        runtime,
    };
    let is_certain = !KeyParts::new(&given.schema.key).before(runtime.field).are_ambiguous();
    if !cut_off.is_point() || !is_certain {
        return vec![branch(cut_off.clone(), None)];
    }
    let range = KeyRange::prefix(cut_off.start.clone());
    (0..runtime.ranges.len()).map(|index| branch(range.clone(), Some(index))).collect()
}

fn prefix(given: &Given<'_>, salt: Option<&[u8]>) -> Vec<u8> {
    match (salt, &given.schema.key.salt) {
        (Some(bytes), Some(salt)) => [bytes, &salt.separator].concat(),
        _ => Vec::new(),
    }
}

fn touched(range: &KeyRange, split_keys: &[Vec<u8>]) -> std::ops::Range<usize> {
    region::touched(&range.start, range.stop.as_deref(), split_keys)
}

/// A range of keys after a prefix.
fn behind(prefix: &[u8], range: &KeyRange) -> KeyRange {
    let stop = match &range.stop {
        Some(stop) => Some([prefix, stop].concat()),
        None => prefix_successor(prefix),
    };
    KeyRange::new([prefix, &range.start].concat(), stop)
}
