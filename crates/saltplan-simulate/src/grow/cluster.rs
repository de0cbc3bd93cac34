//! The regions in key order, and the servers that they are on.

use super::region::StoreRegion;
use super::server::Server;

/// All regions that were ever opened are kept under their number; those of the table stand in the order.
pub(super) struct Cluster {
    regions: Vec<StoreRegion>,
    /// Start rank and number of every region, in key order.
    order: Vec<(u32, usize)>,
    servers: Vec<Server>,
}

impl Cluster {
    /// At least one server; one that knows its largest region where `ranks_regions`.
    pub(super) fn new(servers: usize, ranks_regions: bool) -> Self {
        let server = if ranks_regions { Server::that_ranks_regions() } else { Server::default() };
        Cluster { regions: Vec::new(), order: Vec::new(), servers: vec![server; servers.max(1)] }
    }

    /// Opens a region on its server, with nothing in memory.
    pub(super) fn open(&mut self, region: StoreRegion) -> usize {
        let id = self.regions.len();
        let place = self.place_of(&region.start);
        self.order.insert(place, (region.start_rank, id));
        self.servers[region.server].regions += 1;
        self.regions.push(region);
        id
    }

    /// How many regions there ever were.
    pub(super) fn opened(&self) -> usize {
        self.regions.len()
    }

    /// Takes a region out of the table.
    pub(super) fn close(&mut self, id: usize) -> &mut StoreRegion {
        let place = self.place_of(&self.regions[id].start);
        self.order.remove(place);
        let region = &mut self.regions[id];
        self.servers[region.server].regions -= 1;
        region
    }

    /// Where a region with this start stands, or would stand, in the order.
    fn place_of(&self, start: &[u8]) -> usize {
        self.order.partition_point(|(_, other)| self.regions[*other].start.as_slice() < start)
    }

    /// The region that a key goes to.
    pub(super) fn holder_of(&self, rank: u32) -> Option<usize> {
        let at = self.order.partition_point(|(start, _)| *start <= rank);
        self.order.get(at.saturating_sub(1)).map(|(_, id)| *id)
    }

    pub(super) fn region(&self, id: usize) -> &StoreRegion {
        &self.regions[id]
    }

    /// For all but what is in memory, see [`Cluster::change_memory`].
    pub(super) fn region_mut(&mut self, id: usize) -> &mut StoreRegion {
        &mut self.regions[id]
    }

    /// Changes what a region has in memory, and lets its server know.
    pub(super) fn change_memory(&mut self, id: usize, change: impl FnOnce(&mut StoreRegion)) {
        let region = &mut self.regions[id];
        let before = region.heap();
        change(region);
        self.servers[region.server].resize(id, before, region.heap());
    }

    /// The regions of the table, in key order.
    pub(super) fn live(&self) -> impl Iterator<Item = &StoreRegion> {
        self.order.iter().map(|(_, id)| &self.regions[*id])
    }

    /// Their numbers.
    pub(super) fn ids(&self) -> impl DoubleEndedIterator<Item = usize> {
        self.order.iter().map(|(_, id)| *id)
    }

    pub(super) fn servers(&self) -> &[Server] {
        &self.servers
    }

    /// The server that a region is on.
    pub(super) fn server_of(&self, id: usize) -> &Server {
        &self.servers[self.regions[id].server]
    }

    /// Moves a region that has nothing in memory.
    pub(super) fn move_to(&mut self, id: usize, server: usize) {
        let before = std::mem::replace(&mut self.regions[id].server, server);
        self.servers[before].regions -= 1;
        self.servers[server].regions += 1;
    }
}
