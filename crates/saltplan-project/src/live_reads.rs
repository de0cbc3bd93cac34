//! What the ranges of a plan read of a live table: regions, servers, bytes and requests, next to a full scan.
//!
//! The sizes are those of the files on disk, in megabytes, as `list_regions` prints them. A range usually covers
//! a part of a region, and how much of its bytes that is cannot be known from the dump. So a region counts whole,
//! and the bytes are an upper bound. A sample of row keys gives an estimate: a region counts by the share of its keys
//! that are in the ranges. A point read gets one row, and counts as one request.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::drift::{Dump, LiveRegion};
use saltplan_core::key::range::KeyRange;
use saltplan_document::diag::{counted, grouped};

/// The bytes that a client gets with one request: the default of `hbase.client.scanner.max.result.size`.
const BYTES_OF_REQUEST: u64 = 2 << 20;

const MEGABYTE: u64 = 1 << 20;

/// What is read of some regions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reads {
    /// The number of regions that are read.
    pub regions: usize,
    /// The number of scanners that are opened: one per range and region.
    pub scans: usize,
    /// The number of those that read one row.
    pub points: usize,
    /// The size of the regions in bytes, of those with a known size.
    pub bytes: u64,
    /// The bytes of the ranges in these regions, estimated by a sample of keys; without a sample all bytes.
    pub estimated: u64,
}

impl Reads {
    fn add(&mut self, region: &LiveRegion, reached: Reached, share: f64) {
        let all = region.bytes.unwrap_or(0);
        let bytes = if reached.ranges > 0 { all } else { all.min(reached.points as u64 * BYTES_OF_REQUEST) };
        self.regions += 1;
        self.scans += reached.ranges + reached.points;
        self.points += reached.points;
        self.bytes = self.bytes.saturating_add(bytes);
        self.estimated = self.estimated.saturating_add((bytes as f64 * share) as u64);
    }

    /// The number of requests for this many bytes: the first one of each scanner, and one for each further 2 MB.
    #[must_use]
    pub fn requests(&self, bytes: u64) -> u64 {
        let of_points = self.points as u64 * BYTES_OF_REQUEST;
        (self.scans as u64).saturating_add(bytes.saturating_sub(of_points) / BYTES_OF_REQUEST)
    }
}

/// What a plan reads of a live table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LiveReads {
    pub plan: Reads,
    pub full_scan: Reads,
    /// What the plan reads on each server, by name; empty if the dump has no servers.
    pub servers: BTreeMap<String, Reads>,
    /// The number of servers with regions of the table.
    pub all_servers: usize,
    /// The number of regions of the table without a known size.
    pub without_size: usize,
    /// The number of keys in the sample.
    pub sample: usize,
}

/// The ranges that reach a region.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Reached {
    points: usize,
    /// Those of more than one key.
    ranges: usize,
}

/// The keys of a sample in one region.
#[derive(Clone, Copy, Default)]
struct Sampled {
    keys: usize,
    in_ranges: usize,
}

impl Sampled {
    fn share(self) -> Option<f64> {
        (self.keys > 0).then(|| self.in_ranges as f64 / self.keys as f64)
    }
}

/// The sampled keys of each region.
fn sampled(ranges: &[&KeyRange], regions: &[LiveRegion], sample: &[Vec<u8>]) -> Vec<Sampled> {
    let mut found = vec![Sampled::default(); regions.len()];
    for key in sample {
        let at = regions.partition_point(|region| region.start <= *key);
        let range = ranges.partition_point(|range| range.start <= *key).checked_sub(1);
        if let Some(found) = at.checked_sub(1).and_then(|at| found.get_mut(at)) {
            found.keys += 1;
            found.in_ranges += usize::from(range.is_some_and(|at| ranges[at].contains(key)));
        }
    }
    found
}

impl LiveReads {
    /// The reads of ranges, which must be ascending and disjoint. `sample` contains row keys of the table, or none.
    #[must_use]
    pub fn of<'a>(ranges: impl IntoIterator<Item = &'a KeyRange>, dump: &Dump, sample: &[Vec<u8>]) -> Self {
        let regions = &dump.regions;
        let ranges: Vec<&KeyRange> = ranges.into_iter().collect();
        let sampled = sampled(&ranges, regions, sample);
        // Regions without a key in the sample.
        let of_all = sampled.iter().fold(Sampled::default(), |all, one| Sampled {
            keys: all.keys + one.keys,
            in_ranges: all.in_ranges + one.in_ranges,
        });
        let of_others = of_all.share().unwrap_or(1.0);
        let mut reached = vec![Reached::default(); regions.len()];
        for range in ranges {
            let after = regions.partition_point(|region| region.start <= range.start);
            let behind = regions.iter().zip(&mut reached).skip(after.saturating_sub(1));
            let is_in = |region: &LiveRegion| range.stop.as_ref().is_none_or(|stop| region.start < *stop);
            for (_, reached) in behind.take_while(|(region, _)| is_in(region)) {
                match range.is_point() {
                    true => reached.points += 1,
                    false => reached.ranges += 1,
                }
            }
        }
        let mut found = LiveReads { sample: sample.len(), ..LiveReads::default() };
        for ((region, reached), sampled) in regions.iter().zip(reached).zip(sampled) {
            let share = sampled.share().unwrap_or(of_others);
            found.full_scan.add(region, Reached { points: 0, ranges: 1 }, 1.0);
            found.without_size += usize::from(region.bytes.is_none());
            let server =
                region.server.as_ref().map(|server| found.servers.entry(server.clone()).or_default());
            if reached != Reached::default() {
                found.plan.add(region, reached, share);
                server.into_iter().for_each(|server| server.add(region, reached, share));
            }
        }
        found.all_servers = found.servers.len();
        found.servers.retain(|_, reads| reads.regions > 0);
        found
    }

    fn knows_bytes(&self) -> bool {
        self.without_size < self.full_scan.regions
    }

    /// For people: the plan and the full scan, then the servers.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut head = vec!["live table", "regions", "scans"];
        let knows_servers = self.all_servers > 0;
        head.extend(knows_servers.then_some("servers"));
        let sizes: &[&str] = match (self.knows_bytes(), self.sample) {
            (false, _) => &[],
            (true, 0) => &["MB at most", "requests at most"],
            (true, _) => &["about MB", "about requests"],
        };
        head.extend(sizes);
        let line = |name: &str, reads: &Reads, servers: Option<usize>| {
            let mut line = vec![name.to_string(), number(reads.regions), number(reads.scans)];
            line.extend(servers.filter(|_| knows_servers).map(number));
            if self.knows_bytes() {
                let bytes = if self.sample > 0 { reads.estimated } else { reads.bytes };
                line.extend([megabytes(bytes), grouped(u128::from(reads.requests(bytes)))]);
            }
            line
        };
        let plan = line("this plan", &self.plan, Some(self.servers.len()));
        let full = line("full scan", &self.full_scan, Some(self.all_servers));
        let mut text = aligned(&head, &[plan, full]);
        if !self.servers.is_empty() {
            let mut head = vec!["server", "regions", "scans"];
            head.extend(sizes);
            let lines: Vec<_> = self.servers.iter().map(|(name, reads)| line(name, reads, None)).collect();
            text.push('\n');
            text.push_str(&aligned(&head, &lines));
        }
        text.push_str(&self.remark().map(|remark| format!("\n{remark}\n")).unwrap_or_default());
        text
    }

    /// How exact the sizes are, and what would make them exact.
    fn remark(&self) -> Option<String> {
        match (self.without_size, self.sample) {
            _ if !self.knows_bytes() => {
                Some("the dump has no sizes; `list_regions 'ns:table'` prints them".into())
            }
            (0, 0) if self.plan.regions == 0 => None,
            (0, 0) => Some("regions count whole; a sample of row keys, --from-keys, gives estimates".into()),
            (0, some) => Some(format!("estimated by {}", counted(some as u128, "row key", "row keys"))),
            (some, _) => {
                Some(format!("the size of {} is unknown", counted(some as u128, "region", "regions")))
            }
        }
    }

    /// For programs: upper bounds, `null` if no size is known, and estimates, `null` without a sample.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let members = |reads: &Reads| {
            let bound = |value: u64| self.knows_bytes().then_some(value);
            let estimate = |value: u64| bound(value).filter(|_| self.sample > 0);
            json!({
                "regions": reads.regions,
                "scans": reads.scans,
                "max_bytes": bound(reads.bytes),
                "max_requests": bound(reads.requests(reads.bytes)),
                "estimated_bytes": estimate(reads.estimated),
                "estimated_requests": estimate(reads.requests(reads.estimated)),
            })
        };
        let servers = self.servers.iter().map(|(name, reads)| {
            let mut server = json!({ "server": name });
            if let (Some(server), Json::Object(members)) = (server.as_object_mut(), members(reads)) {
                server.extend(members);
            }
            server
        });
        json!({
            "plan": members(&self.plan),
            "full_scan": members(&self.full_scan),
            "servers": servers.collect::<Vec<Json>>(),
            "regions_without_size": self.without_size,
            "sampled_keys": self.sample,
        })
    }
}

fn number(count: usize) -> String {
    grouped(count as u128)
}

/// Rounded up: the shell prints whole megabytes.
fn megabytes(bytes: u64) -> String {
    grouped(u128::from(bytes.div_ceil(MEGABYTE)))
}

/// A table: names to the left, numbers to the right.
fn aligned(head: &[&str], lines: &[Vec<String>]) -> String {
    let head: Vec<String> = head.iter().map(ToString::to_string).collect();
    let all = || std::iter::once(&head).chain(lines);
    let widths: Vec<usize> = (0..head.len())
        .map(|column| all().map(|line| line[column].chars().count()).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for line in all() {
        let cells = line.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
            0 => format!("{cell:width$}"),
            _ => format!("{cell:>width$}"),
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dump() -> Dump {
        let region = |start: &str, server: &str, bytes| LiveRegion {
            start: start.into(),
            encoded: None,
            server: Some(server.into()),
            bytes,
        };
        let megabytes = |count| Some(count * MEGABYTE);
        Dump {
            regions: vec![
                region("", "a", megabytes(10)),
                region("b", "b", megabytes(20)),
                region("d", "a", megabytes(40)),
                region("f", "c", None),
            ],
            table: None,
            is_list: false,
        }
    }

    fn reads(ranges: &[(&str, Option<&str>)]) -> LiveReads {
        let ranges: Vec<KeyRange> =
            ranges.iter().map(|(start, stop)| KeyRange::new((*start).into(), stop.map(Into::into))).collect();
        LiveReads::of(&ranges, &dump(), &[])
    }

    fn whole(regions: usize, scans: usize, megabytes: u64) -> Reads {
        let bytes = megabytes * MEGABYTE;
        Reads { regions, scans, points: 0, bytes, estimated: bytes }
    }

    #[test]
    fn a_sample_gives_the_share_of_each_region() {
        let ranges =
            [KeyRange::new("a".into(), Some("aa".into())), KeyRange::new("b".into(), Some("e".into()))];
        let sample: Vec<Vec<u8>> = ["a", "aa", "ab", "ac", "d", "e"].map(Into::into).to_vec();
        let found = LiveReads::of(&ranges, &dump(), &sample);
        // One key of four, no key in the region (two of six in all), and one key of two.
        let shares = [10 * MEGABYTE / 4, (20.0 * MEGABYTE as f64 / 3.0) as u64, 40 * MEGABYTE / 2];
        assert_eq!(found.plan.estimated, shares.iter().sum::<u64>());
        assert_eq!(found.full_scan.estimated, 70 * MEGABYTE);
    }

    #[test]
    fn a_stop_row_is_not_read() {
        let found = reads(&[("b", Some("d"))]);
        assert_eq!(found.plan, whole(1, 1, 20));
        assert_eq!(found.full_scan, whole(4, 4, 70));
        assert_eq!(found.servers.keys().collect::<Vec<_>>(), ["b"]);
        assert_eq!((found.all_servers, found.without_size), (3, 1));
    }

    #[test]
    fn several_ranges_of_a_region_open_several_scanners() {
        let found = reads(&[("a", Some("aa")), ("ab", Some("c")), ("e", None)]);
        assert_eq!(found.plan, whole(4, 5, 70));
        assert_eq!(found.plan.requests(found.plan.bytes), 5 + 35);
        assert_eq!(found.servers["a"], whole(2, 3, 50));
    }

    #[test]
    fn a_point_is_one_request() {
        let points = [KeyRange::point("da".into()), KeyRange::point("db".into())];
        let found = LiveReads::of(&points, &dump(), &[]);
        assert_eq!((found.plan.scans, found.plan.bytes), (2, 4 * MEGABYTE));
        assert_eq!(found.plan.requests(found.plan.bytes), 2);
    }

    #[test]
    fn nothing_is_read() {
        let found = reads(&[]);
        assert_eq!(found.plan, Reads::default());
        assert!(found.servers.is_empty());
    }
}
