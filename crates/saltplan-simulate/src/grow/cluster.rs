//! The regions in key order, and their servers.

use super::region::StoreRegion;
use super::server::Server;

/// All regions that ever existed, by number, and the order of those that are in the table.
pub(super) struct Cluster {
    regions: Vec<StoreRegion>,
    /// The start rank and the number of every region, in key order.
    order: Vec<(u32, usize)>,
    servers: Vec<Server>,
}

impl Cluster {
    /// At least one server; with `ranks_regions`, servers track their largest region.
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

    /// The number of regions that ever existed.
    pub(super) fn opened(&self) -> usize {
        self.regions.len()
    }

    /// Removes a region from the table.
    pub(super) fn close(&mut self, id: usize) -> &mut StoreRegion {
        let place = self.place_of(&self.regions[id].start);
        self.order.remove(place);
        let region = &mut self.regions[id];
        self.servers[region.server].regions -= 1;
        region
    }

    /// The position in the order of the region with this start, or where it would be inserted.
    fn place_of(&self, start: &[u8]) -> usize {
        self.order.partition_point(|(_, other)| self.regions[*other].start.as_slice() < start)
    }

    /// The region of a key.
    pub(super) fn holder_of(&self, rank: u32) -> Option<usize> {
        let at = self.order.partition_point(|(start, _)| *start <= rank);
        self.order.get(at.saturating_sub(1)).map(|(_, id)| *id)
    }

    pub(super) fn region(&self, id: usize) -> &StoreRegion {
        &self.regions[id]
    }

    /// For everything except its memory, see [`Cluster::change_memory`].
    pub(super) fn region_mut(&mut self, id: usize) -> &mut StoreRegion {
        &mut self.regions[id]
    }

    /// Changes the memory of a region, and updates its server.
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

    /// The server of a region.
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
