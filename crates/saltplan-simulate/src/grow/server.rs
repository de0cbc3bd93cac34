//! A region server: how many regions it has, and what their memstores take of its heap.

use std::collections::BTreeSet;

#[derive(Debug, Clone, Default)]
pub(super) struct Server {
    pub(super) regions: u64,
    /// Bytes of heap in memstores.
    heap: f64,
    /// The regions with something in memory, by its bytes and their place; empty unless the server was asked to know them.
    by_heap: BTreeSet<(Bytes, usize)>,
    ranks_regions: bool,
}

/// Bytes of heap that can be ordered: never below 0, so that their bits have the order of the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Bytes(u64);

impl Bytes {
    fn new(bytes: f64) -> Option<Self> {
        (bytes > 0.0).then(|| Bytes(bytes.to_bits()))
    }
}

impl Server {
    /// A server that can tell the [`Server::largest`] of its regions.
    pub(super) fn that_ranks_regions() -> Self {
        Server { ranks_regions: true, ..Server::default() }
    }

    pub(super) fn heap(&self) -> f64 {
        self.heap
    }

    /// The memstores of a region have another size now.
    pub(super) fn resize(&mut self, region: usize, before: f64, after: f64) {
        self.heap += after - before;
        if self.ranks_regions {
            Bytes::new(before).map(|bytes| self.by_heap.remove(&(bytes, region)));
            Bytes::new(after).map(|bytes| self.by_heap.insert((bytes, region)));
        }
    }

    /// The region with the most in memory, the last one opened of several; `None` if nothing is in memory.
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
