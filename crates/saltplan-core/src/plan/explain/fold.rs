//! Groups the branches of a plan for people: salts with the same ranges, and equal residuals, are shown once.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::key::range::prefix_successor;
use crate::plan::{Branch, Plan};
use crate::schema::model::Schema;

/// Branches that differ only in the salt.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SaltLines {
    pub salts: Salts,
    /// In key order, the same for every salt.
    pub lines: Vec<Line>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Salts {
    /// The table has no salt, or all of it is read.
    None,
    One(Vec<u8>),
    /// Consecutive salts of the table.
    Run {
        first: Vec<u8>,
        last: Vec<u8>,
        count: usize,
    },
    /// Every salt of the table, if they have different widths.
    All {
        count: usize,
    },
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub start: Vec<u8>,
    pub stop: GroupStop,
    /// The index of the residual.
    pub residual: Option<usize>,
    /// The regions touched with any of the salts.
    pub regions: Option<usize>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum GroupStop {
    Key(Vec<u8>),
    /// The range is a single key, its start row.
    OneKey,
    /// The end of the salt, or of the table.
    Open,
}

/// A plan as it is shown.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Folded {
    /// For several salts, bounds are relative to the end of the salt and its separator.
    pub groups: Vec<SaltLines>,
    pub residuals: Vec<String>,
}

/// A branch without its salt.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SaltlessBranch<'a> {
    start: &'a [u8],
    /// `None` means the end of the table.
    stop: Option<&'a [u8]>,
    residual: Option<usize>,
}

/// Consecutive branches with the same salt.
struct Chunk<'a> {
    branches: &'a [Branch],
    residuals: &'a [Option<usize>],
    /// `None` if a bound is not after the salt.
    shapes: Option<Vec<SaltlessBranch<'a>>>,
}

/// `listed` are the salts that rows can have; empty if they are not listed.
pub(super) fn fold(schema: &Schema, listed: &[Vec<u8>], plan: &Plan) -> Folded {
    let (residuals, numbers) = numbered_residuals(plan);
    let chunks = chunks(schema, &plan.branches, &numbers);
    let mut groups = Vec::new();
    let mut rest = chunks.as_slice();
    if is_every_salt(rest, listed) {
        groups.push(group(rest, |_, _, count| Salts::All { count }));
        rest = &[];
    }
    while !rest.is_empty() {
        let (run, behind) = rest.split_at(run_of_neighbours(rest, listed));
        groups.push(group(run, |first, last, count| Salts::Run { first, last, count }));
        rest = behind;
    }
    Folded { groups, residuals }
}

/// The distinct residuals, and the index for each branch.
fn numbered_residuals(plan: &Plan) -> (Vec<String>, Vec<Option<usize>>) {
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut texts = Vec::new();
    let numbers = plan.branches.iter().map(|branch| {
        let text = plan.residual_of(branch)?.expr.to_string();
        let next = texts.len();
        Some(*known.entry(text).or_insert_with_key(|text| {
            texts.push(text.clone());
            next
        }))
    });
    let numbers = numbers.collect();
    (texts, numbers)
}

fn chunks<'a>(schema: &Schema, branches: &'a [Branch], numbers: &'a [Option<usize>]) -> Vec<Chunk<'a>> {
    let separator = schema.key.salt.as_ref().map_or(&[][..], |salt| &salt.separator);
    let mut at = 0;
    let parts = branches.chunk_by(|one, other| one.salt == other.salt);
    parts
        .map(|branches| {
            let residuals = &numbers[at..at + branches.len()];
            at += branches.len();
            let shapes = branches.iter().zip(residuals).map(|(branch, residual)| {
                let prefix = [branch.salt.as_deref()?, separator].concat();
                let start = branch.range.start.strip_prefix(prefix.as_slice())?;
                let stop = match &branch.range.stop {
                    stop if *stop == prefix_successor(&prefix) => None,
                    stop => Some(stop.as_ref()?.strip_prefix(prefix.as_slice())?),
                };
                Some(SaltlessBranch { start, stop, residual: *residual })
            });
            Chunk { branches, residuals, shapes: shapes.collect() }
        })
        .collect()
}

/// Whether the groups are all salts of the table, equal, and of different widths, so that a range of salts
/// cannot be written.
fn is_every_salt(chunks: &[Chunk<'_>], listed: &[Vec<u8>]) -> bool {
    let Some(first) = chunks.first() else { return false };
    let salts: HashSet<&[u8]> = chunks.iter().filter_map(Chunk::salt).collect();
    chunks.len() > 1
        && chunks.len() == listed.len()
        && salts.len() == listed.len()
        && listed.iter().any(|salt| salt.len() != listed[0].len())
        && first.shapes.is_some()
        && chunks.iter().all(|chunk| chunk.shapes == first.shapes)
}

/// The number of equal groups, from the first one on, whose salts are consecutive in the table.
fn run_of_neighbours(chunks: &[Chunk<'_>], listed: &[Vec<u8>]) -> usize {
    let follows = |pair: &[Chunk<'_>]| -> bool {
        let [one, other] = pair else { return false };
        let (Some(salt), Some(next)) = (one.salt(), other.salt()) else { return false };
        let place = listed.binary_search_by(|probe| probe.as_slice().cmp(salt));
        let is_neighbour = place.is_ok_and(|place| listed.get(place + 1).is_some_and(|after| after == next));
        is_neighbour && salt.len() == next.len() && one.shapes.is_some() && one.shapes == other.shapes
    };
    1 + chunks.windows(2).take_while(|pair| follows(pair)).count()
}

impl<'a> Chunk<'a> {
    fn salt(&self) -> Option<&'a [u8]> {
        self.branches.first()?.salt.as_deref()
    }
}

fn group(chunks: &[Chunk<'_>], several: impl Fn(Vec<u8>, Vec<u8>, usize) -> Salts) -> SaltLines {
    let salt = |chunk: Option<&Chunk<'_>>| chunk.and_then(Chunk::salt).map(<[u8]>::to_vec);
    match (chunks, salt(chunks.first()), salt(chunks.last())) {
        ([only], salt, _) => SaltLines {
            salts: salt.map_or(Salts::None, Salts::One),
            lines: only.branches.iter().zip(only.residuals).map(whole_line).collect(),
        },
        ([first, ..], Some(low), Some(high)) => {
            let shapes = first.shapes.iter().flatten().enumerate();
            let lines = shapes.map(|(index, shape)| {
                let branches = chunks.iter().filter_map(|chunk| chunk.branches.get(index));
                salted_line(shape, branches)
            });
            SaltLines { salts: several(low, high, chunks.len()), lines: lines.collect() }
        }
        _ => SaltLines { salts: Salts::None, lines: Vec::new() },
    }
}

/// A line for one salt, with its bounds.
fn whole_line((branch, residual): (&Branch, &Option<usize>)) -> Line {
    let stop = match &branch.range.stop {
        _ if branch.range.is_point() => GroupStop::OneKey,
        Some(stop) => GroupStop::Key(stop.clone()),
        None => GroupStop::Open,
    };
    Line {
        start: branch.range.start.clone(),
        stop,
        residual: *residual,
        regions: branch.regions.as_ref().map(Range::len),
    }
}

/// A line for several salts in key order.
fn salted_line<'b>(shape: &SaltlessBranch<'_>, branches: impl Iterator<Item = &'b Branch>) -> Line {
    let (mut is_point, mut touched, mut end) = (false, Some(0), 0);
    for branch in branches {
        is_point = branch.range.is_point();
        touched = touched.zip(branch.regions.as_ref()).map(|(count, regions)| {
            // Neighbours can share a region.
            let fresh = regions.end.saturating_sub(regions.start.max(end));
            end = end.max(regions.end);
            count + fresh
        });
    }
    let stop = match shape.stop {
        _ if is_point => GroupStop::OneKey,
        Some(stop) => GroupStop::Key(stop.to_vec()),
        None => GroupStop::Open,
    };
    Line { start: shape.start.to_vec(), stop, residual: shape.residual, regions: touched }
}
