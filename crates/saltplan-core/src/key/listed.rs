//! The finite domain of a text field, with an index. A schema may list a hundred thousand values, and every
//! row and every condition looks one up.

use std::ops::{Deref, Range};

use super::range::KeyRange;

/// The values that a schema lists for a text field, in its order.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedValues {
    written: Vec<String>,
    /// The stored bytes of each value and its position in the list, in byte order.
    by_stored: Vec<(Vec<u8>, usize)>,
    fixed_width: Option<usize>,
    is_ascii: bool,
}

impl ListedValues {
    /// `reverse`: the characters of a value are stored in reverse order.
    pub fn new(values: Vec<String>, reverse: bool) -> Self {
        let stored = |text: &String| if reverse { text.chars().rev().collect() } else { text.clone() };
        let mut by_stored: Vec<(Vec<u8>, usize)> =
            values.iter().enumerate().map(|(position, text)| (stored(text).into_bytes(), position)).collect();
        by_stored.sort_unstable();
        by_stored.dedup_by(|later, kept| later.0 == kept.0);
        let first = values.first().map(String::len);
        ListedValues {
            fixed_width: first.filter(|width| values.iter().all(|value| value.len() == *width)),
            is_ascii: values.iter().all(|value| value.is_ascii()),
            written: values,
            by_stored,
        }
    }

    /// The width in bytes if all values have the same width.
    pub fn fixed_width(&self) -> Option<usize> {
        self.fixed_width
    }

    pub fn is_ascii(&self) -> bool {
        self.is_ascii
    }

    /// Whether these are the stored bytes of a value.
    pub fn stores(&self, stored: &[u8]) -> bool {
        self.by_stored.binary_search_by(|(known, _)| known.as_slice().cmp(stored)).is_ok()
    }

    /// The values in the order of their stored bytes.
    pub(crate) fn in_stored_order(&self) -> impl ExactSizeIterator<Item = (&[u8], &str)> {
        self.at(0..self.by_stored.len())
    }

    /// The values whose stored bytes are in a range, in byte order.
    pub(crate) fn stored_in(&self, range: &KeyRange) -> impl ExactSizeIterator<Item = (&[u8], &str)> {
        let first = self.by_stored.partition_point(|(stored, _)| *stored < range.start);
        let last = match &range.stop {
            Some(stop) => self.by_stored.partition_point(|(stored, _)| stored < stop),
            None => self.by_stored.len(),
        };
        self.at(first..last.max(first))
    }

    fn at(&self, positions: Range<usize>) -> impl ExactSizeIterator<Item = (&[u8], &str)> {
        let values = self.by_stored.get(positions).unwrap_or_default();
        values.iter().map(|(stored, position)| (stored.as_slice(), self.written[*position].as_str()))
    }
}

impl Deref for ListedValues {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looked_up_by_their_stored_bytes() {
        let values = ListedValues::new(["us", "cn", "de"].map(String::from).to_vec(), true);
        assert!(values.stores(b"nc") && !values.stores(b"cn"));
        let listed: Vec<&str> = values.in_stored_order().map(|(_, value)| value).collect();
        assert_eq!(listed, ["de", "cn", "us"]);
        let some: Vec<&str> = values
            .stored_in(&KeyRange::new(b"f".to_vec(), Some(b"su".to_vec())))
            .map(|(_, value)| value)
            .collect();
        assert_eq!(some, ["cn"]);
        assert_eq!(values.stored_in(&KeyRange::new(b"z".to_vec(), Some(b"a".to_vec()))).len(), 0);
        assert_eq!((values.fixed_width(), values.is_ascii(), values.len()), (Some(2), true, 3));
        assert_eq!(ListedValues::new(Vec::new(), false).fixed_width(), None);
    }
}
