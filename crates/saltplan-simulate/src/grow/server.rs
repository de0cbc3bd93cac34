//! A region server: the number of its regions, and the heap that their memstores use.

use std::collections::BTreeSet;

#[derive(Debug, Clone, Default)]
pub(super) struct Server {
    pub(super) regions: u64,
    /// The bytes of heap in memstores.
    heap: f64,
    /// The regions with something in memory, ordered by its bytes and their number; empty unless the server
    /// tracks them.
    by_heap: BTreeSet<(Bytes, usize)>,
    ranks_regions: bool,
}

/// An order for bytes of heap: they are never below 0, so their bits have the same order as the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Bytes(u64);

impl Bytes {
    fn new(bytes: f64) -> Option<Self> {
        (bytes > 0.0).then(|| Bytes(bytes.to_bits()))
    }
}

impl Server {
    /// A server that tracks the [`Server::largest`] of its regions.
    pub(super) fn that_ranks_regions() -> Self {
        Server { ranks_regions: true, ..Server::default() }
    }

    pub(super) fn heap(&self) -> f64 {
        self.heap
    }

    /// Updates the size of a region's memstores.
    pub(super) fn resize(&mut self, region: usize, before: f64, after: f64) {
        self.heap += after - before;
        if self.ranks_regions {
            Bytes::new(before).map(|bytes| self.by_heap.remove(&(bytes, region)));
            Bytes::new(after).map(|bytes| self.by_heap.insert((bytes, region)));
        }
    }

    /// The region with the most in memory, among equals the one that was opened last; `None` if nothing is in
    /// memory.
    pub(super) fn largest(&self) -> Option<usize> {
        self.by_heap.last().map(|(_, region)| *region)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_region_with_the_most_in_memory() {
        let mut server = Server::that_ranks_regions();
        assert_eq!(server.largest(), None);
        for (region, bytes) in [(0, 10.0), (1, 300.5), (2, 300.5), (3, 0.25)] {
            server.resize(region, 0.0, bytes);
        }
        assert_eq!((server.largest(), server.heap()), (Some(2), 611.25));
        server.resize(2, 300.5, 0.0);
        assert_eq!(server.largest(), Some(1));
        server.resize(0, 10.0, 1e12);
        assert_eq!(server.largest(), Some(0));
        for (region, bytes) in [(0, 1e12), (1, 300.5), (3, 0.25)] {
            server.resize(region, bytes, 0.0);
        }
        assert_eq!(server.largest(), None);
    }
}
