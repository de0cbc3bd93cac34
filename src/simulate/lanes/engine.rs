//! Batches of rows: their keys and their regions.

use std::ops::Range;

use fearless_simd::{Level, Simd, dispatch};

use super::columns::Numbers;
use super::locate::OPEN;
use super::md5::{self, Messages, Wanted};
use super::program::{Program, SaltPlan};
use super::salt::Scheme;
use super::{Column, ROWS};
use crate::region;
use crate::schema::model::SaltWrite;

/// Histograms that take turns, so that an increment does not wait for the one before.
const TURNS: usize = 4;

/// One thread's buffers for a [`Program`]: some hundred kilobytes, whatever the number of rows.
#[derive(Debug)]
pub struct Lanes<'a> {
    program: &'a Program,
    level: Level,
    batch: Batch,
    histograms: [Vec<u64>; TURNS],
}

#[derive(Debug)]
struct Batch {
    numbers: Vec<Numbers>,
    parts: Vec<Vec<Column>>,
    messages: Option<Messages>,
    digests: [Column; 4],
    salts: Column,
    scratch: Vec<Column>,
    key: Vec<Column>,
    regions: Column,
}

/// Counts of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// Rows by region.
    pub puts: Vec<u64>,
    /// Lengths of row keys in bytes; the shortest is [`usize::MAX`] while there is none.
    pub shortest: usize,
    pub longest: usize,
    /// Bytes of all row keys.
    pub bytes: u128,
}

impl Tally {
    pub fn new(regions: usize) -> Self {
        Tally { puts: vec![0; regions], shortest: usize::MAX, longest: 0, bytes: 0 }
    }

    fn add_lengths(&mut self, shortest: usize, longest: usize, bytes: u128) {
        self.shortest = self.shortest.min(shortest);
        self.longest = self.longest.max(longest);
        self.bytes += bytes;
    }
}

impl<'a> Lanes<'a> {
    pub fn new(program: &'a Program, level: Level) -> Self {
        let columns = |bytes: usize| vec![[0; ROWS]; bytes.div_ceil(4)];
        let (messages, scratch) = match program.salt.as_ref().map(|salt| &salt.scheme) {
            Some(Scheme::Md5 { message, .. }) => (Messages::new(message.width()), Vec::new()),
            Some(Scheme::JavaHash { inputs, .. }) => {
                (None, columns(inputs.iter().map(|input| input.width()).max().unwrap_or(0)))
            }
            _ => (None, Vec::new()),
        };
        let batch = Batch {
            numbers: vec![[0; ROWS]; program.fields.len()],
            parts: program.parts.iter().map(|(_, part)| columns(part.width)).collect(),
            messages,
            digests: [[0; ROWS]; 4],
            salts: [0; ROWS],
            scratch,
            key: columns(program.key.width().max(8)),
            regions: [0; ROWS],
        };
        let regions = program.split_keys.len() + 1;
        Lanes { program, level, batch, histograms: std::array::from_fn(|_| vec![0; regions]) }
    }

    /// Adds the rows of a range to `tally`, which has room for every region.
    pub fn count_chunk(&mut self, rows: Range<u64>, tally: &mut Tally) {
        let mut first = rows.start;
        while first < rows.end {
            let count = (rows.end - first).min(ROWS as u64) as usize;
            let (program, batch) = (self.program, &mut self.batch);
            dispatch!(self.level, simd => batch.make(simd, program, first));
            self.count_batch(count, tally);
            first = first.saturating_add(count as u64);
        }
        for histogram in &mut self.histograms {
            for (puts, counted) in tally.puts.iter_mut().zip(histogram.iter_mut()) {
                *puts += std::mem::take(counted);
            }
        }
    }

    /// The row keys of a range, in order.
    pub fn keys(&mut self, rows: Range<u64>, mut each: impl FnMut(&[u8])) {
        let mut first = rows.start;
        let mut key = Vec::new();
        while first < rows.end {
            let count = (rows.end - first).min(ROWS as u64) as usize;
            let (program, batch) = (self.program, &mut self.batch);
            dispatch!(self.level, simd => batch.make(simd, program, first));
            for row in 0..count {
                self.batch.key_of(self.program, row, &mut key);
                each(&key);
            }
            first = first.saturating_add(count as u64);
        }
    }

    fn count_batch(&mut self, count: usize, tally: &mut Tally) {
        let length = self.program.key_length();
        let mut settled = 0;
        let regions = self.batch.regions.iter().take(count).enumerate();
        for (row, region) in regions {
            match self.histograms[row % TURNS].get_mut(*region as usize) {
                Some(puts) => {
                    *puts += 1;
                    settled += 1;
                }
                None => count_open(self.program, &self.batch, row, tally),
            }
        }
        if settled > 0 {
            tally.add_lengths(length, length, length as u128 * settled);
        }
    }
}

/// Counts a row whose whole key has to be compared.
#[cold]
fn count_open(program: &Program, batch: &Batch, row: usize, tally: &mut Tally) {
    let mut key = Vec::new();
    batch.key_of(program, row, &mut key);
    if let Some(puts) = tally.puts.get_mut(region::locate(&key, &program.split_keys)) {
        *puts += 1;
    }
    tally.add_lengths(key.len(), key.len(), key.len() as u128);
}

impl Batch {
    /// Makes the keys of the rows from `first` on, and finds their regions.
    #[inline(always)]
    fn make<S: Simd>(&mut self, simd: S, program: &Program, first: u64) {
        for (values, numbers) in program.fields.iter().zip(&mut self.numbers) {
            values.fill(first, numbers);
        }
        for ((field, part), text) in program.parts.iter().zip(&mut self.parts) {
            if let Some(numbers) = self.numbers.get(*field) {
                part.write(numbers, text);
            }
        }
        program.key.write(&self.parts, &mut self.key);
        match &program.salt {
            None => self.locate_by_head(program),
            Some(salt) => {
                self.make_salts(simd, salt, first);
                salt.writer.write(&self.digests, &self.salts, &mut self.key);
                match &salt.table {
                    Some(table) => self.locate_by_salt(table, salt.shift),
                    None => self.locate_by_head(program),
                }
                self.open_negative_salts(salt);
            }
        }
    }

    #[inline(always)]
    fn make_salts<S: Simd>(&mut self, simd: S, salt: &SaltPlan, first: u64) {
        if let (Scheme::Md5 { message, digits }, Some(messages)) = (&salt.scheme, &mut self.messages) {
            message.write_before_mark(&self.parts, messages.words_mut());
            let wanted = if *digits <= 8 { Wanted::First } else { Wanted::All };
            md5::digest_with(simd, messages, wanted, &mut self.digests);
        }
        salt.scheme.numbers(
            first,
            &self.numbers,
            &self.parts,
            &self.digests[0],
            &mut self.scratch,
            &mut self.salts,
        );
    }

    #[inline(always)]
    fn locate_by_salt(&mut self, table: &[u32], shift: u32) {
        for (region, salt) in self.regions.iter_mut().zip(&self.salts) {
            *region = table.get((salt >> shift) as usize).copied().unwrap_or(OPEN);
        }
    }

    #[inline(always)]
    fn locate_by_head(&mut self, program: &Program) {
        let [first, second, ..] = self.key.as_slice() else { return };
        for ((region, first), second) in self.regions.iter_mut().zip(first).zip(second) {
            let head = u64::from(first.swap_bytes()) << 32 | u64::from(second.swap_bytes());
            *region = program.heads.region(head).unwrap_or(OPEN);
        }
    }

    /// A negative number written in decimal has a sign before its digits: such a key is put together by itself.
    #[inline(always)]
    fn open_negative_salts(&mut self, salt: &SaltPlan) {
        if !salt.has_signs() {
            return;
        }
        for (region, number) in self.regions.iter_mut().zip(&self.salts) {
            *region = if (*number as i32) < 0 { OPEN } else { *region };
        }
    }

    /// The key of one row as bytes.
    fn key_of(&self, program: &Program, row: usize, key: &mut Vec<u8>) {
        key.clear();
        let words = self.key.iter().filter_map(|column| column.get(row));
        key.extend(words.flat_map(|word| word.to_le_bytes()).take(program.key_length()));
        if let (Some(salt), Some(number)) = (&program.salt, self.salts.get(row))
            && salt.has_signs()
            && (*number as i32) < 0
        {
            key.splice(..salt.writer.width, salt.writer.write.number(i128::from(*number as i32)));
        }
    }
}

impl SaltPlan {
    /// Whether a number that is negative as `i32` is a salt with a sign.
    fn has_signs(&self) -> bool {
        matches!(self.scheme, Scheme::JavaHash { .. })
            && matches!(self.writer.write, SaltWrite::Decimal { .. })
    }
}
