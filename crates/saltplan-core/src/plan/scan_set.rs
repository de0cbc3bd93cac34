//! What is read of the table: disjoint ranges after each salt, within the limits, or the whole table.

use std::collections::{BTreeMap, HashMap};

use super::branches::{BranchCheck, Candidate, Checker, Disjoint};
use super::candidates::{Candidates, fair_share};
use super::ranges::KeyParts;
use super::salts::{SaltedBox, TooManySalts};
use super::{Given, Options};
use crate::key::range::KeyRanges;
use crate::key::salt::SaltDomain;

/// `None` for a table without a salt.
type SaltList = Vec<Option<Vec<u8>>>;

/// Salts that are followed by the same branches.
pub(super) struct SaltGroup {
    pub salts: SaltList,
    /// The indices of the boxes that are read.
    pub boxes: Vec<usize>,
    /// Relative to the end of the salt and its separator.
    pub branches: Vec<Disjoint>,
}

pub(super) enum ScanSet {
    Groups(Vec<SaltGroup>),
    /// All rows, checked one by one.
    WholeTable {
        check: BranchCheck,
        why: Unpruned,
    },
}

impl ScanSet {
    /// Builds the checks of rows.
    pub(super) fn checks(&self) -> impl Iterator<Item = &BranchCheck> {
        let (groups, whole) = match self {
            ScanSet::Groups(groups) => (groups.as_slice(), None),
            ScanSet::WholeTable { check, .. } => (&[][..], Some(check)),
        };
        groups.iter().flat_map(|group| &group.branches).map(|branch| &branch.check).chain(whole)
    }
}

/// Why a plan reads the whole table.
pub(super) enum Unpruned {
    /// The ranges cover all keys.
    NoGap,
    /// The predicate determines the salts, but there are more of them than allowed branches.
    TooManyBranches(usize),
    /// The predicate does not determine the salts.
    TooManySalts(TooManySalts),
}

/// Why ranges were merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joined {
    /// The limit of branches; the number is how many there were.
    Ranges { before: usize, per_salt: usize },
    /// The limit on the total bytes of residuals.
    Residuals { before: usize, after: usize, per_salt: usize },
}

/// The scan set of salted boxes, and how its ranges were merged.
pub(super) fn scan_set(
    given: &Given<'_>,
    parts: &KeyParts<'_>,
    salted: &[SaltedBox],
    candidates: &Candidates,
) -> (ScanSet, Vec<Joined>) {
    let mut checker = Checker::new(&candidates.clauses, given.analysis.expr.to_string().len());
    let read = read_behind(salted, &candidates.of_box);
    let reached: usize = read.iter().map(|read| read.salts.len()).sum();
    if reached > given.options.max_branches {
        let why = Unpruned::TooManyBranches(reached);
        return (ScanSet::WholeTable { check: BranchCheck::Everything, why }, Vec::new());
    }
    let group = |ReadBehind { salts, boxes, candidates }: ReadBehind<'_>| SaltGroup {
        salts,
        boxes,
        branches: checker.disjoint(&candidates),
    };
    let mut groups: Vec<SaltGroup> = read.into_iter().map(group).collect();
    close_gaps(given, parts, &mut groups, candidates);
    let mut joined = Vec::new();
    joined.extend(join_ranges(&mut groups, &checker, &given.options));
    joined.extend(shorten_residuals(&mut groups, &checker, &given.options));
    if !covers_everything(given, &groups) {
        return (ScanSet::Groups(groups), joined);
    }
    let mut checks = groups.iter().flat_map(|group| &group.branches).map(|branch| &branch.check);
    let first = checks.next().cloned().unwrap_or(BranchCheck::Everything);
    let check = if checks.all(|check| *check == first) { first } else { BranchCheck::Everything };
    (ScanSet::WholeTable { check, why: Unpruned::NoGap }, joined)
}

/// Salts that are followed by the same candidates.
struct ReadBehind<'c> {
    salts: SaltList,
    boxes: Vec<usize>,
    candidates: Vec<&'c Candidate>,
}

/// What is read after every salt; salts with the same boxes share it.
fn read_behind<'c>(salted: &[SaltedBox], of_box: &'c [Vec<Candidate>]) -> Vec<ReadBehind<'c>> {
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
    let mut by_lists: BTreeMap<Vec<usize>, SaltList> = BTreeMap::new();
    for (salt, lists) in lists_of_salt {
        by_lists.entry(lists).or_default().push(salt.cloned());
    }
    let read = |(lists, salts): (Vec<usize>, SaltList)| {
        let boxes: Vec<usize> = lists.iter().flat_map(|list| &boxes_of_list[*list]).copied().collect();
        let all = boxes.iter().flat_map(|index| &of_box[*index]);
        let candidates = all.filter(|candidate| !candidate.range.is_empty()).collect();
        ReadBehind { salts, boxes, candidates }
    };
    by_lists.into_iter().map(read).filter(|read| !read.candidates.is_empty()).collect()
}

/// Merges ranges with no key in between, if the plan is then within its limit. If ranges are merged because of the limit, what
/// they read in addition is found by the ranges of single values.
fn close_gaps(given: &Given<'_>, parts: &KeyParts<'_>, groups: &mut [SaltGroup], candidates: &Candidates) {
    // The ranges of run-time values are prefixes.
    if given.analysis.runtime.is_some() || !candidates.widened.is_empty() {
        return;
    }
    let closed: Vec<Vec<Disjoint>> = groups
        .iter()
        .map(|group| Checker::without_gaps(&group.branches, |from, to| parts.is_gap(from, to)))
        .collect();
    let count: usize =
        groups.iter().zip(&closed).map(|(group, closed)| group.salts.len() * closed.len()).sum();
    if count <= given.options.max_branches {
        groups.iter_mut().zip(closed).for_each(|(group, closed)| group.branches = closed);
    }
}

/// Merges ranges until there are at most as many as allowed branches. All salts may have the same number, and what a salt does
/// not use is left to the others.
fn join_ranges(groups: &mut [SaltGroup], checker: &Checker<'_>, options: &Options<'_>) -> Option<Joined> {
    let needed: Vec<(usize, usize)> =
        groups.iter().map(|group| (group.salts.len(), group.branches.len())).collect();
    let before: usize = needed.iter().map(|(salts, branches)| salts * branches).sum();
    let per_salt = fair_share(&needed, options.max_branches)?;
    for group in groups.iter_mut() {
        group.branches = checker.widened(&group.branches, per_salt);
    }
    Some(Joined::Ranges { before, per_salt })
}

/// Merges ranges further if their residuals would be too long and merging helps.
fn shorten_residuals(
    groups: &mut [SaltGroup],
    checker: &Checker<'_>,
    options: &Options<'_>,
) -> Option<Joined> {
    let bytes_of = |group: &SaltGroup, branches: &[Disjoint]| -> usize {
        group.salts.len() * branches.iter().map(|branch| checker.bytes(&branch.check)).sum::<usize>()
    };
    let before = groups.iter().map(|group| bytes_of(group, &group.branches)).fold(0, usize::saturating_add);
    if before <= options.max_residual_bytes {
        return None;
    }
    let mut per_salt = groups.iter().map(|group| group.branches.len()).max()?;
    while per_salt > 1 {
        per_salt /= 2;
        let joined: Vec<Vec<Disjoint>> =
            groups.iter().map(|group| checker.widened(&group.branches, per_salt)).collect();
        let each = groups.iter().zip(&joined).map(|(group, branches)| bytes_of(group, branches));
        let after = each.fold(0, usize::saturating_add);
        if after <= options.max_residual_bytes {
            for (group, branches) in groups.iter_mut().zip(joined) {
                group.branches = branches;
            }
            return Some(Joined::Residuals { before, after, per_salt });
        }
    }
    None
}

/// Whether the branches cover every key that a row can have.
fn covers_everything(given: &Given<'_>, groups: &[SaltGroup]) -> bool {
    let salts = match given.salt_domain {
        None => 1,
        Some(SaltDomain::Listed(salts)) => salts.len(),
        Some(SaltDomain::TooMany { .. }) => return false,
    };
    let reached: usize = groups.iter().map(|group| group.salts.len()).sum();
    given.schema.key.stored().next().is_some()
        && reached == salts
        && groups.iter().all(|group| has_no_gap(&group.branches))
}

/// Whether sorted, disjoint branches cover all keys.
fn has_no_gap(branches: &[Disjoint]) -> bool {
    let joined = KeyRanges::from_intervals(branches.iter().map(|branch| branch.range.clone()).collect());
    joined == KeyRanges::all()
}
