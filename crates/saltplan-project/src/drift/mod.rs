//! Drift: the differences between a schema and a live table.
//!
//! `read` parses what the HBase shell and HBase's REST server print about a table, [`compare`] finds the
//! differences, and [`mend::commands`] prints the shell commands that would remove them. [`compare_described`] and
//! [`compare_mapping`] compare families, attributes and columns, [`carried_schema`] what a mapping table of Hive carries. Nothing here connects to HBase.

mod described;
mod dump;
pub mod mend;
mod property;
mod read;
mod rest;
mod shell;
pub mod split_list;
mod table;

pub use property::{CarriedSchema, carried_schema};
pub use read::{dump_kind, read};
pub use table::{Part, TableDifference, TableDrift, compare_described, compare_mapping};

/// Whether two names are of one table of HBase, where `default` is the namespace of a name without one.
#[must_use]
pub fn is_same_table(one: &str, other: &str) -> bool {
    let bare = |name| str::strip_prefix(name, "default:").unwrap_or(name);
    bare(one) == bare(other)
}

/// A region of a live table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveRegion {
    /// The first key of the region; for the first region the empty key.
    pub start: Vec<u8>,
    /// The MD5 at the end of the region's name, by which the shell identifies regions.
    pub encoded: Option<String>,
    /// The region server, `host,port,start code`.
    pub server: Option<String>,
    /// The size of the region's files. The shell prints whole megabytes.
    pub bytes: Option<u64>,
}

impl LiveRegion {
    /// A region with a known first key and an unknown end.
    fn starting_at(start: Vec<u8>) -> Self {
        LiveRegion { start, encoded: None, server: None, bytes: None }
    }
}

/// The regions of a live table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dump {
    /// Sorted by start key; the first region has the empty key.
    pub regions: Vec<LiveRegion>,
    /// `ns:name`, if the dump has it.
    pub table: Option<String>,
    /// Whether the keys were given one per line, and not printed by a tool of HBase.
    pub is_list: bool,
}

impl Dump {
    /// The regions of a table, from its split keys alone, which may be in any order.
    #[must_use]
    pub fn of_split_keys(mut keys: Vec<Vec<u8>>) -> Self {
        keys.push(Vec::new());
        keys.sort_unstable();
        keys.dedup();
        Dump { regions: keys.into_iter().map(LiveRegion::starting_at).collect(), table: None, is_list: true }
    }

    /// The split keys, in byte order.
    pub fn split_keys(&self) -> impl Iterator<Item = &[u8]> {
        self.regions.iter().skip(1).map(|region| region.start.as_slice())
    }
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// Only the schema has the key.
    Missing(Vec<u8>),
    /// Only the table has the key.
    Extra(Vec<u8>),
    /// One missing and one extra key, without another key between them.
    Moved { from: Vec<u8>, to: Vec<u8> },
}

/// The differences between two common keys.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Gap {
    /// Keys that only the schema has, in byte order.
    pub missing: Vec<Vec<u8>>,
    /// Keys that only the table has, in byte order.
    pub extra: Vec<Vec<u8>>,
}

impl Gap {
    /// In the order of the keys.
    pub fn differences(&self) -> Vec<Difference> {
        if let ([to], [from]) = (self.missing.as_slice(), self.extra.as_slice()) {
            return vec![Difference::Moved { from: from.clone(), to: to.clone() }];
        }
        let missing = self.missing.iter().map(|key| (key, Difference::Missing(key.clone())));
        let extra = self.extra.iter().map(|key| (key, Difference::Extra(key.clone())));
        let mut all: Vec<_> = missing.chain(extra).collect();
        all.sort_by(|a, b| a.0.cmp(b.0));
        all.into_iter().map(|(_, difference)| difference).collect()
    }
}

/// The gaps in which the two lists differ, in byte order. `wanted` and `found` must be ascending.
pub fn compare(wanted: &[Vec<u8>], found: &[&[u8]]) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let mut gap = Gap::default();
    let (mut wanted, mut found) = (wanted.iter().peekable(), found.iter().peekable());
    loop {
        let order = match (wanted.peek(), found.peek()) {
            (None, None) => break,
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some(wanted), Some(found)) => wanted.as_slice().cmp(found),
        };
        match order {
            std::cmp::Ordering::Less => gap.missing.extend(wanted.next().cloned()),
            std::cmp::Ordering::Greater => gap.extra.extend(found.next().map(|key| key.to_vec())),
            std::cmp::Ordering::Equal => {
                wanted.next();
                found.next();
                gaps.push(std::mem::take(&mut gap));
            }
        }
    }
    gaps.push(gap);
    gaps.retain(|gap| *gap != Gap::default());
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differences(wanted: &[&str], found: &[&str]) -> Vec<Difference> {
        let wanted: Vec<Vec<u8>> = wanted.iter().map(|key| key.as_bytes().to_vec()).collect();
        let found: Vec<&[u8]> = found.iter().map(|key| key.as_bytes()).collect();
        compare(&wanted, &found).iter().flat_map(Gap::differences).collect()
    }

    #[test]
    fn a_moved_key_is_alone_with_its_counterpart() {
        let moved = |from: &str, to: &str| Difference::Moved { from: from.into(), to: to.into() };
        let missing = |key: &str| Difference::Missing(key.into());
        let extra = |key: &str| Difference::Extra(key.into());
        assert_eq!(differences(&["1", "2", "3"], &["1", "2", "3"]), []);
        assert_eq!(differences(&["1", "2", "3"], &["1", "25", "3"]), [moved("25", "2")]);
        assert_eq!(differences(&["1", "2", "3"], &["1", "3"]), [missing("2")]);
        assert_eq!(differences(&["1", "3"], &["1", "2", "3", "4"]), [extra("2"), extra("4")]);
        assert_eq!(differences(&["1", "2"], &["15", "25", "26"]).len(), 5);
        assert_eq!(differences(&["1"], &[]), [missing("1")]);
        assert_eq!(differences(&["1", "2"], &["2", "3"]), [missing("1"), extra("3")]);
    }
}
