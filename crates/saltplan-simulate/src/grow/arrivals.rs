//! The rows that a table receives, in the order of time: a sample of their keys, and how many rows each key
//! represents.

use crate::keys::KeyList;
use saltplan_sql::time::bisect::first_where;

/// A period with the keys of some of the rows that arrive in it.
#[derive(Debug, Clone, Default)]
pub struct Slice {
    pub seconds: f64,
    /// The number of rows that arrive in this period, at a constant rate.
    pub puts: u64,
    /// Row keys in the order of arrival; each represents an equal share of the rows.
    pub keys: KeyList,
}

/// One key of the sample.
#[derive(Debug, Clone, Copy)]
pub struct Arrival {
    /// Milliseconds since the table was created.
    pub at: u64,
    /// The position of the key in the order of all keys.
    pub rank: u32,
}

/// All arrivals, with their keys in byte order. Elsewhere a key is identified by its position in that order,
/// its rank.
#[derive(Debug, Default)]
pub struct Arrivals {
    keys: KeyList,
    /// The number of rows that each key represents, by rank.
    rows: Vec<f32>,
    /// When each key arrived, by rank.
    times: Vec<u64>,
    by_time: Vec<Arrival>,
    grain: f64,
    has_one_length: bool,
    end: u64,
}

impl Arrivals {
    /// Adds the periods in the order of time. Nothing arrives in a period without keys.
    pub fn new(slices: impl IntoIterator<Item = Slice>) -> Self {
        let (mut keys, mut came, mut begin) = (KeyList::default(), Vec::new(), 0.0);
        for slice in slices {
            let count = slice.keys.len() as f64;
            let rows = (slice.puts as f64 / count.max(1.0)) as f32;
            for index in 0..slice.keys.len() {
                // In the middle of the rows that the key represents.
                let at = begin + slice.seconds * (index as f64 + 0.5) / count;
                came.push((rows, (at * 1000.0) as u64));
            }
            begin += slice.seconds.max(0.0);
            if keys.is_empty() {
                keys = slice.keys;
            } else {
                slice.keys.iter().for_each(|key| keys.push(key));
            }
        }
        Self::sorted(&keys, &came, (begin * 1000.0) as u64)
    }

    /// `came` has the number of rows that each key represents, and when the key arrived.
    fn sorted(keys: &KeyList, came: &[(f32, u64)], end: u64) -> Self {
        let order = keys.order();
        let mut arrivals = Arrivals { end, ..Arrivals::default() };
        arrivals.by_time = came.iter().map(|(_, at)| Arrival { at: *at, rank: 0 }).collect();
        for (rank, index) in order.iter().enumerate() {
            let Some((rows, at)) = came.get(*index as usize) else { continue };
            arrivals.rows.push(*rows);
            arrivals.times.push(*at);
            if let Some(arrival) = arrivals.by_time.get_mut(*index as usize) {
                arrival.rank = rank as u32;
            }
        }
        arrivals.keys = keys.arranged(order.iter().map(|index| *index as usize));
        let rows: f64 = arrivals.rows.iter().map(|rows| f64::from(*rows)).sum();
        arrivals.has_one_length =
            keys.iter().zip(keys.iter().skip(1)).all(|(one, two)| one.len() == two.len());
        arrivals.grain = rows / (arrivals.rows.len().max(1) as f64);
        arrivals
    }

    pub fn count(&self) -> usize {
        self.by_time.len()
    }

    /// Milliseconds from the start of the first period to the end of the last one.
    pub fn end(&self) -> u64 {
        self.end
    }

    pub fn by_time(&self) -> &[Arrival] {
        &self.by_time
    }

    pub fn key(&self, rank: u32) -> &[u8] {
        self.keys.key(rank as usize)
    }

    /// The number of rows that the key represents.
    pub fn rows(&self, rank: u32) -> f64 {
        f64::from(self.rows.get(rank as usize).copied().unwrap_or_default())
    }

    /// When the key arrived, in milliseconds since the table was created.
    pub fn time(&self, rank: u32) -> u64 {
        self.times.get(rank as usize).copied().unwrap_or_default()
    }

    /// The average number of rows that one key represents.
    pub fn grain(&self) -> f64 {
        self.grain
    }

    /// Whether all keys have the same length.
    pub fn has_one_length(&self) -> bool {
        self.has_one_length
    }

    /// The first rank whose key is at least `key`.
    pub fn rank_of(&self, key: &[u8]) -> u32 {
        first_where(0..self.rows.len() as u32, |rank| self.key(rank) >= key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slice(seconds: f64, puts: u64, keys: &[&str]) -> Slice {
        Slice { seconds, puts, keys: keys.iter().collect() }
    }

    #[test]
    fn keys_are_sorted_and_keep_their_time() {
        let arrivals =
            Arrivals::new([slice(2.0, 20, &["b", "a"]), slice(1.0, 0, &[]), slice(1.0, 3, &["ab"])]);
        assert_eq!(arrivals.count(), 3);
        assert_eq!(arrivals.end(), 4000);
        let seen: Vec<(u64, &[u8])> =
            arrivals.by_time().iter().map(|arrival| (arrival.at, arrivals.key(arrival.rank))).collect();
        assert_eq!(seen, [(500, &b"b"[..]), (1500, b"a"), (3500, b"ab")]);
        assert_eq!((arrivals.rows(0), arrivals.rows(1)), (10.0, 3.0));
        assert_eq!(arrivals.rank_of(b""), 0);
        assert_eq!(arrivals.rank_of(b"ab"), 1);
        assert_eq!(arrivals.rank_of(b"z"), 3);
    }
}
