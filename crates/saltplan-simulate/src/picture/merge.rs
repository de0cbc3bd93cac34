//! Merges neighbouring regions if there are more of them than rows to show.

use super::Bar;

/// Some neighbouring regions.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// The start row of the first one.
    pub start: String,
    /// Their salts, from the first to the last.
    pub salts: String,
    pub regions: usize,
    pub mean: f64,
    pub sum: u64,
}

/// The bars in at most `rows` groups of equal size; the last one may be smaller.
pub fn merged(bars: &[Bar], rows: usize) -> Vec<Merged> {
    bars.chunks(bars.len().div_ceil(rows.max(1)).max(1)).filter_map(group).collect()
}

fn group(bars: &[Bar]) -> Option<Merged> {
    let (first, last) = (bars.first()?, bars.last()?);
    let sum = bars.iter().fold(0u64, |sum, bar| sum.saturating_add(bar.value));
    let salts = if first.salts == last.salts {
        first.salts.clone()
    } else {
        format!("{}–{}", first.salts, last.salts)
    };
    Some(Merged {
        start: first.start.clone(),
        salts,
        regions: bars.len(),
        mean: sum as f64 / bars.len() as f64,
        sum,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_equal_size() {
        let bars: Vec<Bar> = (0..10u64)
            .map(|i| Bar { start: format!("{i}"), value: i, salts: format!("s{}", i / 5) })
            .collect();
        assert_eq!(merged(&bars, 10).len(), 10);
        let groups = merged(&bars, 4);
        assert_eq!(groups.iter().map(|group| group.regions).collect::<Vec<_>>(), [3, 3, 3, 1]);
        assert_eq!((groups[1].start.as_str(), groups[1].salts.as_str()), ("3", "s0–s1"));
        assert_eq!((groups[1].mean, groups[1].sum), (4.0, 12));
        assert!(merged(&[], 4).is_empty());
        assert_eq!(merged(&bars, 0).len(), 1);
    }
}
