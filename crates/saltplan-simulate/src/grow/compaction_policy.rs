//! Selects the files that a store compacts, by the rules of `SortedCompactionPolicy` and
//! `ExploringCompactionPolicy`.

use std::ops::Range;

use super::settings::HbaseSettings;
use super::store::HFile;

/// In a store that is stuck, a selection must be this much better than the best one to replace it.
const BETTER_BY: f64 = 1.05;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompactionSelection {
    pub files: Range<usize>,
    /// Rewrites all files of the store as one.
    pub major: bool,
}

/// Whether a store rewrites all its files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Major {
    No,
    /// A major compaction is due.
    Due,
    /// A major compaction was requested, so large files are included.
    Forced,
}

/// What the store compacts now.
pub fn select(files: &[HFile], settings: &HbaseSettings, major: Major) -> Option<CompactionSelection> {
    let stuck = files.len() >= settings.blocking_files;
    let is_small = |file: &HFile| file.reference || file.size <= settings.max_compact_size as f64;
    let start =
        if major == Major::Forced { 0 } else { files.iter().position(is_small).unwrap_or(files.len()) };
    let candidates = &files[start..];
    let major = major != Major::No && candidates.len() < settings.max_files;
    let after_split = candidates.iter().any(|file| file.reference);
    let chosen = if major || after_split {
        // The oldest files; the rest waits for the next compaction.
        0..candidates.len().min(settings.max_files)
    } else {
        explore(candidates, settings, stuck)?
    };
    let files_chosen = start + chosen.start..start + chosen.end;
    let all = files_chosen.len() == files.len();
    (!files_chosen.is_empty()).then_some(CompactionSelection { files: files_chosen, major: major && all })
}

/// Consecutive files in order of age: as many as possible, then as few bytes as possible, such that no file
/// is larger than the ratio allows.
fn explore(files: &[HFile], settings: &HbaseSettings, stuck: bool) -> Option<Range<usize>> {
    let mut best: Option<(Range<usize>, f64)> = None;
    let mut smallest: Option<(Range<usize>, f64)> = None;
    for start in 0..files.len() {
        let longest = files.len().min(start + settings.max_files);
        for end in start + settings.min_files..=longest {
            let candidate = start..end;
            let size: f64 = files[candidate.clone()].iter().map(|file| file.size).sum();
            if smallest.as_ref().is_none_or(|(_, least)| size < *least) {
                smallest = Some((candidate.clone(), size));
            }
            if size > settings.max_compact_size as f64 {
                continue;
            }
            let small = size < settings.min_compact_size as f64;
            if !small && !in_ratio(&files[candidate.clone()], size, settings.ratio) {
                continue;
            }
            if best.as_ref().is_none_or(|best| is_better(&candidate, size, best, stuck)) {
                best = Some((candidate, size));
            }
        }
    }
    best.or_else(|| smallest.filter(|_| stuck)).map(|(range, _)| range)
}

fn in_ratio(files: &[HFile], total: f64, ratio: f64) -> bool {
    files.iter().all(|file| file.size <= (total - file.size) * ratio)
}

fn is_better(candidate: &Range<usize>, size: f64, best: &(Range<usize>, f64), stuck: bool) -> bool {
    let (range, best_size) = best;
    if stuck && *best_size > 0.0 && size > 0.0 {
        return range.len() as f64 / best_size * BETTER_BY < candidate.len() as f64 / size;
    }
    candidate.len() > range.len() || (candidate.len() == range.len() && size < *best_size)
}

#[cfg(test)]
mod tests {
    use super::super::held::Held;
    use super::*;

    fn files(sizes: &[f64]) -> Vec<HFile> {
        let file = |size: &f64| {
            let mut file = HFile::new(Held::default(), *size * 1e9, 0, (0, 0));
            file.reference = *size < 0.0;
            file
        };
        sizes.iter().map(file).collect()
    }

    fn chosen(sizes: &[f64], settings: &HbaseSettings) -> Option<Range<usize>> {
        select(&files(sizes), settings, Major::No).map(|selection| selection.files)
    }

    #[test]
    fn neighbours_within_the_ratio() {
        let settings = HbaseSettings::default();
        assert_eq!(chosen(&[1.0, 1.0], &settings), None);
        assert_eq!(chosen(&[1.0, 1.0, 1.0], &settings), Some(0..3));
        // The first is more than 1.2 times the rest.
        assert_eq!(chosen(&[9.0, 1.0, 1.0], &settings), None);
        assert_eq!(chosen(&[9.0, 1.0, 1.0, 1.0], &settings), Some(1..4));
        assert_eq!(chosen(&[3.5, 1.0, 1.0, 1.0], &settings), Some(0..4));
        assert_eq!(chosen(&[1.0; 12], &settings), Some(0..10));
        // Below the flush size the ratio does not matter.
        assert_eq!(chosen(&[0.09, 0.01, 0.01], &settings), Some(0..3));
    }

    #[test]
    fn a_store_that_is_stuck_takes_the_cheapest() {
        let settings = HbaseSettings::default();
        let sizes: Vec<f64> = (0..16).map(|i| 4f64.powi(16 - i)).collect();
        assert_eq!(chosen(&sizes[1..], &settings), None);
        assert_eq!(chosen(&sizes, &settings), Some(13..16));
    }

    #[test]
    fn references_come_first_and_all_of_them() {
        let settings = HbaseSettings::default();
        assert_eq!(chosen(&[-1.0], &settings), Some(0..1));
        assert_eq!(chosen(&[-1.0; 12], &settings), Some(0..10));
    }

    #[test]
    fn major_compactions_take_all() {
        let settings = HbaseSettings::default();
        let of = |sizes: &[f64], major| select(&files(sizes), &settings, major);
        assert_eq!(of(&[9.0, 1.0], Major::Due), Some(CompactionSelection { files: 0..2, major: true }));
        assert_eq!(of(&[1.0; 12], Major::Forced), Some(CompactionSelection { files: 0..10, major: false }));
        let small = HbaseSettings { max_compact_size: 2_000_000_000, ..HbaseSettings::default() };
        let selection = select(&files(&[9.0, 1.0, 1.0, 1.0]), &small, Major::Due);
        assert_eq!(selection, Some(CompactionSelection { files: 1..4, major: false }));
    }
}
