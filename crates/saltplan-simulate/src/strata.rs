//! Picks a representative sample of rows.

use super::random::{below, bits, stream_key};

/// Streams of random bits, besides those of the fields, which count from 0, and that of the random salt.
const STREAM: u64 = u64::MAX - 1;

/// One random row from each of `count` sections of equal length of the rows `0..all`, ascending; all rows if
/// there are at most `count`.
///
/// Rows at a fixed position of every section would repeat with the length of the sections, and keys can
/// repeat with the same period: with ids that count up, every twentieth has the same remainder by 20.
pub fn rows(all: u64, count: u64, seed: u64) -> impl Iterator<Item = u64> {
    let count = count.min(all);
    let key = stream_key(seed, STREAM);
    let begin = move |stretch: u64| (u128::from(stretch) * u128::from(all) / u128::from(count.max(1))) as u64;
    (0..count).map(move |stretch| {
        let (low, high) = (begin(stretch), begin(stretch + 1));
        low + below(bits(key, stretch), high - low)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_row_of_each_section() {
        let some: Vec<u64> = rows(1_000_003, 1_000, 7).collect();
        assert_eq!(some.len(), 1_000);
        for (stretch, row) in some.iter().enumerate() {
            assert_eq!((u128::from(*row) * 1_000 / 1_000_003) as usize, stretch, "{row}");
        }
        assert_eq!(some, rows(1_000_003, 1_000, 7).collect::<Vec<_>>());
        assert_ne!(some, rows(1_000_003, 1_000, 8).collect::<Vec<_>>());
    }

    #[test]
    fn all_remainders_are_equally_frequent() {
        for modulus in [2, 10, 20, 100] {
            let mut seen = vec![0u32; modulus as usize];
            rows(20_000_000, 20_000, 1).for_each(|row| seen[(row % modulus) as usize] += 1);
            let mean = 20_000.0 / modulus as f64;
            assert!(
                seen.iter().all(|count| (f64::from(*count) - mean).abs() < 5.0 * mean.sqrt()),
                "{seen:?}"
            );
        }
    }

    #[test]
    fn all_rows_are_taken_if_there_are_few() {
        assert_eq!(rows(3, 10, 1).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(rows(5, 5, 1).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(rows(0, 10, 1).count(), 0);
        assert_eq!(rows(10, 0, 1).count(), 0);
        assert_eq!(rows(u64::MAX, 2, 1).count(), 2);
    }
}
