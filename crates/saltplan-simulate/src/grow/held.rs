//! The keys in a memstore or a file.

use std::cell::OnceCell;
use std::collections::VecDeque;

use super::arrivals::Arrivals;
use super::cell::RowBytes;

/// Keys in the order of arrival, with the totals from which sizes are computed. Files can be merged, and old
/// cells removed, without visiting the keys that stay.
#[derive(Debug, Clone, Default)]
pub struct Held {
    ranks: VecDeque<u32>,
    /// The number of rows that the keys represent, and the bytes of their row keys.
    rows: f64,
    key_bytes: f64,
    /// The ranks in key order, once they were requested.
    sorted: OnceCell<Vec<u32>>,
}

impl Held {
    /// Adds the key that came last.
    pub fn push(&mut self, rank: u32, arrivals: &Arrivals) {
        self.ranks.push_back(rank);
        self.sorted.take();
        let (rows, key_bytes) = amount(rank, arrivals);
        self.rows += rows;
        self.key_bytes += key_bytes;
    }

    /// Adds keys that came later.
    pub fn append(&mut self, mut later: Held) {
        if self.is_empty() {
            *self = later;
            return;
        }
        self.rows += later.rows;
        self.key_bytes += later.key_bytes;
        self.sorted = merged(self.sorted.take(), later.sorted.take());
        // The smaller part is moved.
        if later.ranks.len() <= self.ranks.len() {
            self.ranks.append(&mut later.ranks);
        } else {
            while let Some(rank) = self.ranks.pop_back() {
                later.ranks.push_front(rank);
            }
            self.ranks = later.ranks;
        }
    }

    /// Removes the oldest keys, as long as `is_past` is true for their time.
    pub fn forget(&mut self, arrivals: &Arrivals, is_past: impl Fn(u64) -> bool) {
        while let Some(rank) = self.ranks.front().copied().filter(|rank| is_past(arrivals.time(*rank))) {
            let (rows, key_bytes) = amount(rank, arrivals);
            self.rows -= rows;
            self.key_bytes -= key_bytes;
            self.ranks.pop_front();
            self.sorted.take();
        }
    }

    /// The keys before a rank, and the others.
    pub fn split(self, at: u32, arrivals: &Arrivals) -> (Held, Held) {
        let (mut lower, mut upper) = (Held::default(), Held::default());
        for rank in self.ranks {
            if rank < at { lower.push(rank, arrivals) } else { upper.push(rank, arrivals) }
        }
        (lower, upper)
    }

    pub fn len(&self) -> usize {
        self.ranks.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// The ranks in key order, kept for repeated requests.
    pub fn sorted(&self) -> &[u32] {
        self.sorted.get_or_init(|| self.to_sorted())
    }

    /// The ranks in key order, for a single request.
    pub fn to_sorted(&self) -> Vec<u32> {
        let mut ranks: Vec<u32> = self.ranks.iter().copied().collect();
        ranks.sort_unstable();
        ranks
    }

    /// When the oldest and the newest key arrived; `None` without keys.
    pub fn times(&self, arrivals: &Arrivals) -> Option<(u64, u64)> {
        Some((arrivals.time(*self.ranks.front()?), arrivals.time(*self.ranks.back()?)))
    }

    /// The number of rows that the keys represent.
    pub fn rows(&self) -> f64 {
        self.rows
    }

    /// The bytes of the row keys of these rows, each counted once.
    pub fn key_bytes(&self) -> f64 {
        self.key_bytes
    }

    /// The bytes of the cells of these rows.
    pub fn data(&self, bytes: RowBytes) -> f64 {
        bytes.stored_rows(self.rows, self.key_bytes)
    }
}

/// The ranks in key order, if both parts are in order.
fn merged(one: Option<Vec<u32>>, other: Option<Vec<u32>>) -> OnceCell<Vec<u32>> {
    let Some((mut all, other)) = one.zip(other) else { return OnceCell::new() };
    all.extend(other);
    // A stable sort merges sorted runs.
    all.sort_unstable();
    all.into()
}

/// The number of rows that a key represents, and the bytes of their row keys.
fn amount(rank: u32, arrivals: &Arrivals) -> (f64, f64) {
    let rows = arrivals.rows(rank);
    (rows, rows * arrivals.key(rank).len() as f64)
}

#[cfg(test)]
mod tests {
    use super::super::arrivals::Slice;
    use super::*;

    /// Keys of one to three bytes that arrive in the order c, aa, b, ddd; each represents two rows.
    fn arrivals() -> Arrivals {
        let keys = ["c", "aa", "b", "ddd"].iter().collect();
        Arrivals::new([Slice { seconds: 4.0, puts: 8, keys }])
    }

    fn held(arrivals: &Arrivals, ranks: &[u32]) -> Held {
        let mut held = Held::default();
        ranks.iter().for_each(|rank| held.push(*rank, arrivals));
        held
    }

    fn seen(held: &Held) -> (Vec<u32>, f64, f64) {
        (held.ranks.iter().copied().collect(), held.rows(), held.key_bytes())
    }

    #[test]
    fn keys_stay_in_the_order_of_time() {
        let arrivals = arrivals();
        for cut in 0..=4 {
            let all = [2, 0, 1, 3];
            let mut early = held(&arrivals, &all[..cut]);
            early.append(held(&arrivals, &all[cut..]));
            assert_eq!(seen(&early), (all.to_vec(), 8.0, 14.0), "{cut}");
            assert_eq!((early.sorted(), early.times(&arrivals)), (&[0, 1, 2, 3][..], Some((500, 3500))));
        }
    }

    #[test]
    fn the_key_order_follows_what_is_held() {
        let arrivals = arrivals();
        let mut some = held(&arrivals, &[2]);
        assert_eq!(some.sorted(), [2]);
        some.push(0, &arrivals);
        assert_eq!(some.sorted(), [0, 2]);
        let later = held(&arrivals, &[1, 3]);
        assert_eq!(later.sorted(), [1, 3]);
        some.append(later);
        assert_eq!((some.sorted.get(), some.to_sorted()), (Some(&vec![0, 1, 2, 3]), vec![0, 1, 2, 3]));
        some.forget(&arrivals, |came| came < 1000);
        assert_eq!(some.sorted(), [0, 1, 3]);
        let mut none = Held::default();
        none.append(some);
        assert_eq!(none.sorted.get(), Some(&vec![0, 1, 3]));
    }

    #[test]
    fn old_keys_are_forgotten_and_halves_keep_their_sums() {
        let arrivals = arrivals();
        let mut some = held(&arrivals, &[2, 0, 1, 3]);
        let (lower, upper) = some.clone().split(2, &arrivals);
        assert_eq!((seen(&lower), seen(&upper)), ((vec![0, 1], 4.0, 6.0), (vec![2, 3], 4.0, 8.0)));
        some.forget(&arrivals, |came| came < 2000);
        assert_eq!(seen(&some), (vec![1, 3], 4.0, 8.0));
        some.forget(&arrivals, |_| true);
        assert_eq!((seen(&some), some.times(&arrivals)), ((vec![], 0.0, 0.0), None));
    }
}
