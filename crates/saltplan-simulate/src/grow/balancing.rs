//! Moves regions to servers with fewer regions.

use super::cluster::Cluster;

/// The next region to move and its new server; `None` if no server has at least two more regions than another
/// one.
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
