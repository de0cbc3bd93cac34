//! A batch of rows of the same shape: their keys and their regions.

use super::locate::Heads;
use super::program::KeyShape;
use super::salt::SaltKernel;
use super::salt_plan::{SaltPlace, SaltPlan};
use saltplan_lanes::md5::Messages;
use saltplan_lanes::{Kernels, NumberColumn, ROWS, WordColumn};

/// The buffers of a shape.
#[derive(Debug)]
pub struct Batch {
    /// By track.
    pub numbers: Vec<NumberColumn>,
    /// The row numbers, as far as the batch is filled.
    pub rows: Vec<u64>,
    pub regions: WordColumn,
    pub salts: WordColumn,
    parts: Vec<Vec<WordColumn>>,
    /// By part: the day whose date all rows contain, if it is a single one.
    days: Vec<Option<u32>>,
    messages: Option<Messages>,
    digests: [WordColumn; 4],
    scratch: Vec<WordColumn>,
    key: Vec<WordColumn>,
}

impl Batch {
    pub fn new(shape: &KeyShape, tracks: usize) -> Self {
        let columns = |bytes: usize| vec![[0; ROWS]; bytes.div_ceil(4)];
        let (messages, scratch) = match shape.salt.as_ref().map(|salt| &salt.scheme) {
            Some(SaltKernel::Md5 { message, .. }) => (Messages::new(message.width()), Vec::new()),
            Some(SaltKernel::JavaHash { inputs, .. }) => {
                (None, columns(inputs.iter().map(super::text::LaneText::width).max().unwrap_or(0)))
            }
            _ => (None, Vec::new()),
        };
        Batch {
            numbers: vec![[0; ROWS]; tracks],
            rows: Vec::with_capacity(ROWS),
            regions: [0; ROWS],
            salts: [0; ROWS],
            parts: shape.parts.iter().map(|(_, part)| columns(part.width)).collect(),
            days: vec![None; shape.parts.len()],
            messages,
            digests: [[0; ROWS]; 4],
            scratch,
            key: columns(shape.key.width().max(8)),
        }
    }

    /// Builds the keys of the rows in the batch, and finds their regions.
    pub fn make(&mut self, kernels: &Kernels, shape: &KeyShape, heads: &Heads) {
        for (((track, part), text), day) in shape.parts.iter().zip(&mut self.parts).zip(&mut self.days) {
            if let Some(numbers) = self.numbers.get(*track) {
                part.write(kernels, numbers, text, day);
            }
        }
        shape.key.write(kernels, &self.parts, &mut self.key);
        let Some(salt) = &shape.salt else { return self.locate_by_head(kernels, heads) };
        self.make_salts(kernels, salt);
        if let SaltPlace::Fixed(writer) = &salt.place {
            writer.write(kernels, &self.digests, &self.salts, &mut self.key);
        }
        match &salt.table {
            Some(table) => salt.locate(kernels, table, &self.salts, &mut self.regions),
            None => self.locate_by_head(kernels, heads),
        }
    }

    fn make_salts(&mut self, kernels: &Kernels, salt: &SaltPlan) {
        if let (SaltKernel::Md5 { message, digits }, Some(messages)) = (&salt.scheme, &mut self.messages) {
            message.write(kernels, &self.parts, messages.words_mut());
            match &mut self.digests {
                [first, ..] if *digits <= 8 => kernels.first_words(messages, first),
                digests => kernels.digests(messages, digests),
            }
        }
        let [digest, ..] = &self.digests;
        salt.scheme.numbers(kernels, &self.numbers, &self.parts, digest, &mut self.scratch, &mut self.salts);
    }

    fn locate_by_head(&mut self, kernels: &Kernels, heads: &Heads) {
        if let [first, second, ..] = self.key.as_slice() {
            heads.locate(kernels, first, second, &mut self.regions);
        }
    }

    /// The key of one row as bytes.
    pub fn key_of(&self, shape: &KeyShape, row: usize, key: &mut Vec<u8>) {
        key.clear();
        if let (Some(salt), Some(number)) = (&shape.salt, self.salts.get(row)) {
            key.extend_from_slice(salt.apart(*number));
        }
        let words = self.key.iter().filter_map(|column| column.get(row));
        key.extend(words.flat_map(|word| word.to_le_bytes()).take(shape.key.width()));
    }
}
