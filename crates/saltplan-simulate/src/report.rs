//! The result of a simulation, or of counting a real table.

use serde::Serialize;

/// The load of one region.
#[derive(Debug, Clone, PartialEq)]
pub struct RegionLoad {
    /// The first key of the region; empty for the first region.
    pub start: Vec<u8>,
    /// The first key of the next region; `None` for the last region.
    pub stop: Option<Vec<u8>>,
    /// Rows whose key is in the region. A key that is written twice counts twice.
    pub puts: u64,
    /// The salts with rows in the region, ascending; empty if the table has no salt or too many to list.
    pub salts: Vec<Vec<u8>>,
}

/// Puts by time and region.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Slices {
    /// The unit of a slice: `day`, `hour`, `month` or `part`.
    pub unit: String,
    /// The key field that advances with time.
    pub field: String,
    /// One per slice, in the order of time, such as `2020-04-06`.
    pub labels: Vec<String>,
    /// `puts[slice][region]`.
    pub puts: Vec<Vec<u64>>,
}

impl Slices {
    /// The region with the most puts of a slice, and its share of the slice's puts in 0..=1; `None` for an
    /// empty slice.
    pub fn hottest(&self, slice: usize) -> Option<(usize, f64)> {
        hottest(self.puts.get(slice)?)
    }

    /// Regions with at least one put in a slice.
    pub fn busy(&self, slice: usize) -> usize {
        self.puts.get(slice).map_or(0, |puts| puts.iter().filter(|puts| **puts > 0).count())
    }
}

/// The index of the most puts, the first among equals, and their share of all; `None` without puts.
fn hottest(puts: &[u64]) -> Option<(usize, f64)> {
    let total: u64 = puts.iter().sum();
    let (region, most) = puts.iter().enumerate().rev().max_by_key(|(_, puts)| **puts)?;
    (total > 0).then(|| (region, *most as f64 / total as f64))
}

/// The lengths of row keys in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct KeyLength {
    pub min: usize,
    pub mean: f64,
    pub max: usize,
}

/// The rows that a predicate reads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reads {
    /// The predicate on one line.
    pub predicate: String,
    /// The number of key ranges of its plan.
    pub ranges: usize,
    /// The regions that the ranges touch, with or without rows.
    pub regions: usize,
    /// Rows in the ranges, by region.
    pub read: Vec<u64>,
    /// Rows that satisfy the predicate; `None` if it depends on columns that are not simulated.
    pub wanted: Option<u64>,
    /// Rows in the ranges by slice and region, if the report has slices.
    pub by_slice: Option<Vec<Vec<u64>>>,
}

/// A finished count of puts per region.
#[derive(Debug, Clone, PartialEq)]
pub struct PutReport {
    /// In key order; never empty.
    pub regions: Vec<RegionLoad>,
    /// All puts.
    pub total: u64,
    pub slices: Option<Slices>,
    /// `None` if no key was counted, or if the counts have no lengths.
    pub key_length: Option<KeyLength>,
    /// Puts to a key that an earlier put has already written; `None` if they were not counted.
    pub duplicates: Option<u64>,
    pub reads: Option<Reads>,
    /// Whether the work was interrupted: `total` puts were counted, not all that were requested.
    pub partial: bool,
}

impl PutReport {
    fn puts(&self) -> impl Iterator<Item = u64> + '_ {
        self.regions.iter().map(|region| region.puts)
    }

    /// The puts of the region with the most puts.
    pub fn largest(&self) -> u64 {
        self.puts().max().unwrap_or(0)
    }

    /// The puts of the region with the fewest puts.
    pub fn smallest(&self) -> u64 {
        self.puts().min().unwrap_or(0)
    }

    /// The puts of an average region.
    pub fn mean(&self) -> f64 {
        self.total as f64 / self.regions.len().max(1) as f64
    }

    /// The puts of each region divided by those of the smallest non-empty region; 0 for an empty region.
    pub fn ratios(&self) -> impl Iterator<Item = f64> + '_ {
        let least = self.puts().filter(|puts| *puts > 0).min();
        self.puts().map(move |puts| least.map_or(0.0, |least| puts as f64 / least as f64))
    }

    /// The standard deviation of the regions' puts (over all regions, not a sample), divided by their mean; 0
    /// without puts.
    pub fn coefficient_of_variation(&self) -> f64 {
        let mean = self.mean();
        if mean == 0.0 {
            return 0.0;
        }
        let squares: f64 = self.puts().map(|puts| (puts as f64 - mean).powi(2)).sum();
        (squares / self.regions.len().max(1) as f64).sqrt() / mean
    }

    /// The index of the region with the most puts (the first among equals), and its share of all puts in
    /// 0..=1; `None` without puts.
    pub fn hottest(&self) -> Option<(usize, f64)> {
        hottest(&self.puts().collect::<Vec<_>>())
    }

    /// The number of regions without a put.
    pub fn empty_regions(&self) -> usize {
        self.puts().filter(|puts| *puts == 0).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(puts: &[u64]) -> PutReport {
        let region =
            |puts: &u64| RegionLoad { start: Vec::new(), stop: None, puts: *puts, salts: Vec::new() };
        PutReport {
            regions: puts.iter().map(region).collect(),
            total: puts.iter().sum(),
            slices: None,
            key_length: None,
            duplicates: None,
            reads: None,
            partial: false,
        }
    }

    #[test]
    fn figures() {
        let uneven = report(&[0, 2, 6]);
        assert_eq!((uneven.largest(), uneven.smallest(), uneven.empty_regions()), (6, 0, 1));
        assert_eq!(uneven.ratios().collect::<Vec<_>>(), [0.0, 1.0, 3.0]);
        assert_eq!(uneven.hottest(), Some((2, 0.75)));
        // Deviations 8/3, 2/3 and 10/3 from the mean 8/3: sqrt(56 / 9) / (8 / 3).
        assert!((uneven.coefficient_of_variation() - (56.0f64 / 9.0).sqrt() / (8.0 / 3.0)).abs() < 1e-12);
        assert_eq!(report(&[5, 5]).coefficient_of_variation(), 0.0);
    }

    #[test]
    fn nothing_counted() {
        let empty = report(&[0, 0]);
        assert_eq!(empty.ratios().collect::<Vec<_>>(), [0.0, 0.0]);
        assert_eq!(empty.hottest(), None);
        assert_eq!(empty.coefficient_of_variation(), 0.0);
    }
}
