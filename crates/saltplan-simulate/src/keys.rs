//! The keys of simulated rows, for code that needs the keys themselves.

use super::generator::Generator;
use super::lanes::{Lanes, Level, Program};
use super::workload::Workload;
use crate::WorkloadError;
use saltplan_core::key::range;

/// Generates keys, many at a time if the workload allows that.
#[derive(Debug)]
pub struct Keys<'a> {
    generator: &'a Generator<'a>,
    program: Option<Program>,
}

impl<'a> Keys<'a> {
    /// `generator` must belong to the workload.
    pub fn new(generator: &'a Generator<'a>, workload: &Workload) -> Self {
        Keys { generator, program: Program::compile(generator.schema(), workload, &[]) }
    }

    /// The keys of some rows with their row numbers, in arbitrary order.
    ///
    /// # Errors
    /// A row has no key.
    pub fn each(
        &self,
        rows: impl Iterator<Item = u64>,
        mut each: impl FnMut(u64, &[u8]),
    ) -> Result<(), WorkloadError> {
        match &self.program {
            Some(program) => Lanes::new(program, Level::best()).keys_at(rows, each),
            None => {
                let mut maker = self.generator.maker();
                for row in rows {
                    each(row, maker.make(row)?);
                }
            }
        }
        Ok(())
    }

    /// The keys of some rows in the order of row numbers.
    ///
    /// # Errors
    /// A row has no key.
    pub fn in_order(&self, rows: impl Iterator<Item = u64>) -> Result<KeyList, WorkloadError> {
        let (mut keys, mut numbers) = (KeyList::default(), Vec::new());
        self.each(rows, |row, key| {
            keys.push(key);
            numbers.push(row);
        })?;
        if numbers.is_sorted() {
            return Ok(keys);
        }
        let mut order: Vec<usize> = (0..numbers.len()).collect();
        order.sort_by_key(|index| numbers.get(*index));
        Ok(keys.arranged(order.into_iter()))
    }
}

/// Keys in contiguous memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyList {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl KeyList {
    pub fn push(&mut self, key: &[u8]) {
        self.bytes.extend_from_slice(key);
        self.ends.push(self.bytes.len());
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A key; empty beyond the last one.
    #[must_use]
    pub fn key(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.get(index).and_then(|end| self.bytes.get(start..*end)).unwrap_or(&[])
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|index| self.key(index))
    }

    /// The positions of the keys in byte order; equal keys keep their order.
    #[must_use]
    pub fn order(&self) -> Vec<u32> {
        let mut order: Vec<(u64, u32)> =
            self.iter().zip(0u32..).map(|(key, index)| (range::head(key), index)).collect();
        order.sort_unstable_by(|left, right| {
            let keys = || self.key(left.1 as usize).cmp(self.key(right.1 as usize));
            left.0.cmp(&right.0).then_with(keys).then(left.1.cmp(&right.1))
        });
        order.into_iter().map(|(_, index)| index).collect()
    }

    /// The keys in the order of the positions in `order`.
    #[must_use]
    pub fn arranged(&self, order: impl Iterator<Item = usize>) -> KeyList {
        order.map(|index| self.key(index)).collect()
    }
}

impl<K: AsRef<[u8]>> FromIterator<K> for KeyList {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut list = KeyList::default();
        keys.into_iter().for_each(|key| list.push(key.as_ref()));
        list
    }
}
