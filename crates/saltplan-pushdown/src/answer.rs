//! The answer: ranges of row keys, or that all keys are read.

use saltplan_core::key::range::{KeyRange, to_hex};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::request::PROTOCOL;

/// The maximum number of ranges of an answer.
pub const MAX_RANGES: usize = 4_096;

/// The maximum number of bytes of all keys of an answer.
const MAX_KEY_BYTES: usize = 1 << 20;

/// Which keys may satisfy the filter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Keys {
    /// Any key may, for this reason.
    All(String),
    /// The first key, and the key before which the range ends, in hex; an empty end is the end of the table.
    Ranges(Vec<(String, String)>),
}

#[derive(Serialize)]
struct Answer<'a> {
    protocol: u32,
    digest: &'a str,
    version: &'a str,
    #[serde(flatten)]
    keys: &'a Keys,
}

impl Keys {
    /// Disjoint ranges in key order. Neighbours are joined.
    pub fn of(ranges: Vec<KeyRange>) -> Self {
        let mut joined: Vec<KeyRange> = Vec::new();
        for range in ranges {
            match joined.last_mut() {
                Some(last) if last.stop.as_ref() == Some(&range.start) => last.stop = range.stop,
                _ => joined.push(range),
            }
        }
        if joined.len() > MAX_RANGES {
            joined = merged(joined);
        }
        if let [KeyRange { start, stop: None, .. }] = joined.as_slice()
            && start.is_empty()
        {
            return Keys::All("the filter leaves no key out".into());
        }
        let bytes = |range: &KeyRange| range.start.len() + range.stop.as_ref().map_or(0, Vec::len);
        if joined.iter().map(bytes).sum::<usize>() > MAX_KEY_BYTES {
            return Keys::All(format!("the keys of its ranges have more than {MAX_KEY_BYTES} bytes"));
        }
        // An empty stop row is the end of the table: a range that ends before the empty key is empty itself.
        let shown =
            joined.into_iter().filter(|range| range.stop.as_ref().is_none_or(|stop| !stop.is_empty()));
        Keys::Ranges(
            shown
                .map(|range| (to_hex(&range.start), range.stop.as_deref().map_or(String::new(), to_hex)))
                .collect(),
        )
    }

    /// The answer to a request, on one line.
    pub fn answer(&self, request: &[u8]) -> String {
        let digest = to_hex(&Sha256::digest(request));
        let answer =
            Answer { protocol: PROTOCOL, digest: &digest, version: env!("CARGO_PKG_VERSION"), keys: self };
        let mut text = serde_json::to_string(&answer).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// Ranges with those that follow them, so that there are few enough.
fn merged(ranges: Vec<KeyRange>) -> Vec<KeyRange> {
    let size = ranges.len().div_ceil(MAX_RANGES);
    let of = |group: &[KeyRange]| {
        let stop = group.last().and_then(|last| last.stop.clone());
        group.first().map(|first| KeyRange::new(first.start.clone(), stop))
    };
    ranges.chunks(size).filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: u32) -> KeyRange {
        KeyRange::new(start.to_be_bytes().to_vec(), Some((start + 1).to_be_bytes().to_vec()))
    }

    #[test]
    fn neighbours_are_joined_and_merged() {
        let Keys::Ranges(joined) = Keys::of((0..10).map(range).collect()) else { panic!("no ranges") };
        assert_eq!(joined, [("00000000".to_string(), "0000000a".to_string())]);
        let many: Vec<KeyRange> = (0..10_000).map(|at| range(at * 2)).collect();
        let Keys::Ranges(merged) = Keys::of(many.clone()) else { panic!("no ranges") };
        assert!(merged.len() <= MAX_RANGES && merged.len() > MAX_RANGES / 2);
        let hex = |key: u32| to_hex(&key.to_be_bytes());
        for range in &many {
            let start = to_hex(&range.start);
            assert!(merged.iter().any(|(from, to)| *from <= start && start < *to), "{start}");
        }
        assert_eq!(merged.last().unwrap().1, hex(19_999));
        assert_eq!(Keys::of(Vec::new()), Keys::Ranges(Vec::new()));
        let whole = vec![KeyRange::new(Vec::new(), Some(b"a".to_vec())), KeyRange::new(b"a".to_vec(), None)];
        assert!(matches!(Keys::of(whole), Keys::All(_)));
    }
}
