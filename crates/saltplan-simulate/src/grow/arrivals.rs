//! The rows that a table gets, in the order of time: a sample of their keys, each key with the rows it stands for.

/// A stretch of time with the keys of some of the rows that come in it.
#[derive(Debug, Clone, Default)]
pub struct Slice {
    pub seconds: f64,
    /// Rows that come in this time, at an even rate.
    pub puts: u64,
    /// Row keys in the order of arrival; each stands for an equal part of the rows.
    pub keys: Vec<Vec<u8>>,
}

impl Slice {
    /// A slice of `puts` rows with the keys of at most `keys` of them, evenly chosen; `key` makes the key of a row, which count
    /// from 0.
    ///
    /// # Errors
    /// The first one of `key`.
    pub fn sampled<E>(
        seconds: f64,
        puts: u64,
        keys: u64,
        key: impl FnMut(u64) -> Result<Vec<u8>, E>,
    ) -> Result<Slice, E> {
        let keys = keys.min(puts);
        // The row in the middle of those that the key stands for.
        let row = |index: u64| {
            let middle = (2 * u128::from(index) + 1) * u128::from(puts) / (2 * u128::from(keys.max(1)));
            u64::try_from(middle).unwrap_or(u64::MAX)
        };
        let keys = (0..keys).map(row).map(key).collect::<Result<_, E>>()?;
        Ok(Slice { seconds, puts, keys })
    }
}

/// One key of the sample.
#[derive(Debug, Clone, Copy)]
pub struct Arrival {
    /// Milliseconds since the table was made.
    pub at: u64,
    /// Place of the key in the order of all keys.
    pub rank: u32,
}

/// All arrivals, with their keys in byte order. A key's place in that order, its rank, stands for it everywhere else.
#[derive(Debug, Default)]
pub struct Arrivals {
    bytes: Vec<u8>,
    /// Where each key begins in `bytes`, and the end of the last one.
    starts: Vec<usize>,
    /// Rows that each key stands for, by rank.
    rows: Vec<f32>,
    /// When each key came, by rank.
    times: Vec<u64>,
    by_time: Vec<Arrival>,
    end: u64,
}

impl Arrivals {
    /// Takes the slices in the order of time. A slice without keys is a time in which nothing comes.
    pub fn new(slices: impl IntoIterator<Item = Slice>) -> Self {
        let mut keys: Vec<(Vec<u8>, f32, u64)> = Vec::new();
        let mut begin = 0.0;
        for slice in slices {
            let count = slice.keys.len() as f64;
            let rows = (slice.puts as f64 / count.max(1.0)) as f32;
            for (index, key) in slice.keys.into_iter().enumerate() {
                // In the middle of the rows that the key stands for.
                let at = begin + slice.seconds * (index as f64 + 0.5) / count;
                keys.push((key, rows, (at * 1000.0) as u64));
            }
            begin += slice.seconds.max(0.0);
        }
        Self::sorted(keys, (begin * 1000.0) as u64)
    }

    fn sorted(keys: Vec<(Vec<u8>, f32, u64)>, end: u64) -> Self {
        let mut order: Vec<u32> = (0..u32::try_from(keys.len()).unwrap_or(u32::MAX)).collect();
        let key = |index: &u32| keys.get(*index as usize).map(|(key, ..)| key.as_slice()).unwrap_or_default();
        // Stable, so that a key that comes again ranks behind its earlier self.
        order.sort_by(|left, right| key(left).cmp(key(right)));
        let mut arrivals = Arrivals { end, ..Arrivals::default() };
        arrivals.by_time = keys.iter().map(|(_, _, at)| Arrival { at: *at, rank: 0 }).collect();
        for (rank, index) in order.iter().enumerate() {
            let Some((key, rows, at)) = keys.get(*index as usize) else { continue };
            arrivals.starts.push(arrivals.bytes.len());
            arrivals.bytes.extend_from_slice(key);
            arrivals.rows.push(*rows);
            arrivals.times.push(*at);
            if let Some(arrival) = arrivals.by_time.get_mut(*index as usize) {
                arrival.rank = rank as u32;
            }
        }
        arrivals.starts.push(arrivals.bytes.len());
        arrivals
    }

    pub fn len(&self) -> usize {
        self.by_time.len()
    }

    pub fn is_empty(&self) -> bool {
        self.by_time.is_empty()
    }

    /// Milliseconds from the first slice's begin to the last one's end.
    pub fn end(&self) -> u64 {
        self.end
    }

    pub fn by_time(&self) -> &[Arrival] {
        &self.by_time
    }

    pub fn key(&self, rank: u32) -> &[u8] {
        let at = |index: usize| self.starts.get(index).copied().unwrap_or(self.bytes.len());
        self.bytes.get(at(rank as usize)..at(rank as usize + 1)).unwrap_or_default()
    }

    /// Rows that the key stands for.
    pub fn rows(&self, rank: u32) -> f64 {
        f64::from(self.rows.get(rank as usize).copied().unwrap_or_default())
    }

    /// When the key came, in milliseconds since the table was made.
    pub fn time(&self, rank: u32) -> u64 {
        self.times.get(rank as usize).copied().unwrap_or_default()
    }

    /// Rows that one key stands for on average.
    pub fn grain(&self) -> f64 {
        let rows: f64 = self.rows.iter().map(|rows| f64::from(*rows)).sum();
        rows / (self.rows.len().max(1) as f64)
    }

    /// The first rank whose key is not less than `key`.
    pub fn rank_of(&self, key: &[u8]) -> u32 {
        let mut low = 0;
        let mut high = self.rows.len() as u32;
        while low < high {
            let middle = low + (high - low) / 2;
            if self.key(middle) < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slice(seconds: f64, puts: u64, keys: &[&str]) -> Slice {
        Slice { seconds, puts, keys: keys.iter().map(|key| key.as_bytes().to_vec()).collect() }
    }

    #[test]
    fn evenly_chosen_rows() {
        let rows = |puts, keys| {
            let slice = Slice::sampled(1.0, puts, keys, |row| Ok::<_, ()>(vec![row as u8])).unwrap();
            slice.keys.concat()
        };
        assert_eq!(rows(100, 4), [12, 37, 62, 87]);
        assert_eq!(rows(3, 10), [0, 1, 2]);
        assert!(rows(0, 10).is_empty());
        assert_eq!(Slice::sampled(1.0, 5, 2, |_| Err("no")).unwrap_err(), "no");
    }

    #[test]
    fn keys_are_ranked_and_keep_their_time() {
        let arrivals =
            Arrivals::new([slice(2.0, 20, &["b", "a"]), slice(1.0, 0, &[]), slice(1.0, 3, &["ab"])]);
        assert_eq!(arrivals.len(), 3);
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
