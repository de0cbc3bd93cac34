//! Regions go to servers with fewer of them.

use super::cluster::Cluster;

/// The next region to move, and the server that it goes to, until no server has two more of them than another.
pub(super) fn next_move(cluster: &Cluster) -> Option<(usize, usize)> {
    let counts = || cluster.servers().iter().map(|server| server.regions).enumerate();
    let (least, low) = counts().min_by_key(|(_, count)| *count)?;
    let (most, high) = counts().rev().max_by_key(|(_, count)| *count)?;
    if high < low + 2 {
        return None;
    }
    let region = cluster.ids().rev().find(|id| cluster.region(*id).server == most)?;
    Some((region, least))
}
