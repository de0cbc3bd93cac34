//! A batch of rows of one shape: their keys and their regions.

use fearless_simd::Simd;

use super::columns::Numbers;
use super::locate::Heads;
use super::md5::{self, Messages, Wanted};
use super::program::Shape;
use super::salt::Scheme;
use super::salt_plan::SaltPlan;
use super::{Column, ROWS};

/// Buffers of a shape.
#[derive(Debug)]
pub struct Batch {
    /// By track.
    pub numbers: Vec<Numbers>,
    /// The rows' own numbers, as far as they are in.
    pub rows: Vec<u64>,
    pub regions: Column,
    pub salts: Column,
    parts: Vec<Vec<Column>>,
    messages: Option<Messages>,
    digests: [Column; 4],
    scratch: Vec<Column>,
    key: Vec<Column>,
}

impl Batch {
    pub fn new(shape: &Shape, tracks: usize) -> Self {
        let columns = |bytes: usize| vec![[0; ROWS]; bytes.div_ceil(4)];
        let (messages, scratch) = match shape.salt.as_ref().map(|salt| &salt.scheme) {
            Some(Scheme::Md5 { message, .. }) => (Messages::new(message.width()), Vec::new()),
            Some(Scheme::JavaHash { inputs, .. }) => {
                (None, columns(inputs.iter().map(super::text::Text::width).max().unwrap_or(0)))
            }
            _ => (None, Vec::new()),
        };
        Batch {
            numbers: vec![[0; ROWS]; tracks],
            rows: Vec::with_capacity(ROWS),
            regions: [0; ROWS],
            salts: [0; ROWS],
            parts: shape.parts.iter().map(|(_, part)| columns(part.width)).collect(),
            messages,
            digests: [[0; ROWS]; 4],
            scratch,
            key: columns(shape.key.width().max(8)),
        }
    }

    /// Makes the keys of the rows whose numbers are in, and finds their regions.
    #[inline(always)]
    pub fn make<S: Simd>(&mut self, simd: S, shape: &Shape, heads: &Heads) {
        for ((track, part), text) in shape.parts.iter().zip(&mut self.parts) {
            if let Some(numbers) = self.numbers.get(*track) {
                part.write(numbers, text);
            }
        }
        shape.key.write(&self.parts, &mut self.key);
        let Some(salt) = &shape.salt else { return self.locate_by_head(heads) };
        self.make_salts(simd, salt);
        salt.write(&self.digests, &self.salts, &mut self.key);
        match &salt.table {
            Some(table) => salt.locate(table, &self.salts, &mut self.regions),
            None => self.locate_by_head(heads),
        }
    }

    #[inline(always)]
    fn make_salts<S: Simd>(&mut self, simd: S, salt: &SaltPlan) {
        if let (Scheme::Md5 { message, digits }, Some(messages)) = (&salt.scheme, &mut self.messages) {
            message.write_before_mark(&self.parts, messages.words_mut());
            let wanted = if *digits <= 8 { Wanted::First } else { Wanted::All };
            md5::digest_with(simd, messages, wanted, &mut self.digests);
        }
        let [digest, ..] = &self.digests;
        salt.scheme.numbers(&self.numbers, &self.parts, digest, &mut self.scratch, &mut self.salts);
    }

    #[inline(always)]
    fn locate_by_head(&mut self, heads: &Heads) {
        let [first, second, ..] = self.key.as_slice() else { return };
        let mut numbers = [0; ROWS];
        for ((head, first), second) in numbers.iter_mut().zip(first).zip(second) {
            *head = u64::from(first.swap_bytes()) << 32 | u64::from(second.swap_bytes());
        }
        heads.locate(&numbers, &mut self.regions);
    }

    /// The key of one row as bytes.
    pub fn key_of(&self, shape: &Shape, row: usize, key: &mut Vec<u8>) {
        key.clear();
        if let (Some(salt), Some(number)) = (&shape.salt, self.salts.get(row)) {
            key.extend_from_slice(salt.apart(*number));
        }
        let words = self.key.iter().filter_map(|column| column.get(row));
        key.extend(words.flat_map(|word| word.to_le_bytes()).take(shape.key.width()));
    }
}
