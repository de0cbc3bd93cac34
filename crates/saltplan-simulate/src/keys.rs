//! Keys of simulated rows for what needs the keys themselves.

use fearless_simd::Level;

use super::generator::Generator;
use super::lanes::{Lanes, Program};
use super::workload::Workload;

/// Makes keys, many at a time where the workload allows.
#[derive(Debug)]
pub struct Keys<'a> {
    generator: &'a Generator<'a>,
    program: Option<Program>,
}

impl<'a> Keys<'a> {
    /// `generator` is that of the workload.
    pub fn new(generator: &'a Generator<'a>, workload: &Workload) -> Self {
        Keys { generator, program: Program::compile(generator.schema(), workload, &[]) }
    }

    /// The keys of some rows, in an order of their own.
    ///
    /// # Errors
    /// A row has no key.
    pub fn each(&self, rows: impl Iterator<Item = u64>, mut each: impl FnMut(&[u8])) -> Result<(), String> {
        match &self.program {
            Some(program) => Lanes::new(program, Level::new()).keys_at(rows, |_, key| each(key)),
            None => {
                for row in rows {
                    each(&self.generator.key(row)?);
                }
            }
        }
        Ok(())
    }
}

/// Keys in one piece of memory.
#[derive(Debug, Default)]
pub struct Sample {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Sample {
    pub fn push(&mut self, key: &[u8]) {
        self.bytes.extend_from_slice(key);
        self.ends.push(self.bytes.len());
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A key; the empty one past the last.
    pub fn key(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.get(index).and_then(|end| self.bytes.get(start..*end)).unwrap_or(&[])
    }
}
