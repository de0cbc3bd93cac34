//! Compiles a schema and a workload to the columns of its keys.

use std::ops::Range;

use super::calendar::Calendar;
use super::field::FieldPart;
use super::locate::Heads;
use super::salt::{Reducer, SaltKernel};
use super::salt_plan::SaltPlan;
use super::text::LaneText;
use super::track::Track;
use super::values::Bounded;
use super::{MAX_KEY, MAX_SHAPES};
use crate::random;
use crate::workload::Workload;
use saltplan_core::key::field::{FieldId, FieldKind, FieldVec};
use saltplan_core::key::layout::RowKey;
use saltplan_core::key::salt::{
    Cut, Hash, HashSalt, HexDigits, ModuloSalt, RandomSalt, Salt, SaltInput, SaltInputs, SaltScheme, Take,
};
use saltplan_core::schema::model::Schema;
use saltplan_lanes::md5::MAX_MESSAGE;
use saltplan_lanes::{Divisor, Kernels, NumberColumn, WordColumn};

/// The maximum number of regions of a table: every thread needs a histogram in memory.
const MAX_REGIONS: usize = 1 << 20;

/// A schema and a workload, compiled for batches.
#[derive(Debug, Clone)]
pub struct Program {
    pub(super) tracks: Vec<Track>,
    /// One for each combination of the tracks' classes; the class of the last track changes fastest.
    pub(super) shapes: Vec<KeyShape>,
    pub(super) split_keys: Vec<Vec<u8>>,
    pub(super) heads: Heads,
}

/// The layout of keys of the same width.
#[derive(Debug, Clone)]
pub(super) struct KeyShape {
    /// The track of a part, and its bytes.
    pub parts: Vec<(usize, FieldPart)>,
    pub salt: Option<SaltPlan>,
    /// The row key, with room for a salt of fixed width.
    pub key: LaneText,
}

impl Program {
    /// Compiles a workload; `None` if a field, a salt or a workload can only be generated row by row.
    /// `split_keys` must be in byte order.
    pub fn compile(schema: &Schema, workload: &Workload, split_keys: &[Vec<u8>]) -> Option<Self> {
        let key = &schema.key;
        if key.fields.is_empty() || workload.rows == 0 || split_keys.len() >= MAX_REGIONS {
            return None;
        }
        let mut tracks = Vec::new();
        let mut fields = FieldVec::new();
        for (id, field) in key.fields.entries() {
            let first = tracks.len();
            tracks.extend(Track::of_field(field, id, workload)?);
            fields.push(first..tracks.len());
        }
        let heads = Heads::new(split_keys);
        let mut program = Program { tracks, shapes: Vec::new(), split_keys: split_keys.to_vec(), heads };
        let combinations = combinations(&program.tracks)?;
        if let Some(Salt { scheme: SaltScheme::Random(RandomSalt { below }), .. }) = &key.salt {
            let bits = random::stream_key(workload.seed, random::SALT_STREAM);
            program.tracks.push(Track::bare(Bounded::below(*below, bits)?));
        }
        for parts in combinations {
            let shape =
                Compiler { key, tracks: &program.tracks, fields: &fields, parts }.shape(split_keys)?;
            program.shapes.push(shape);
        }
        Some(program)
    }

    /// The numbers of the rows from `first` on, by track.
    pub(super) fn fill(&self, kernels: &Kernels, first: u64, numbers: &mut [NumberColumn]) {
        for (track, numbers) in self.tracks.iter().zip(numbers) {
            track.values.fill(kernels, first, numbers);
        }
    }

    /// The shape of each row's key.
    pub(super) fn sort_by_shape(&self, kernels: &Kernels, numbers: &[NumberColumn], shapes: &mut WordColumn) {
        shapes.fill(0);
        let mut unit = 1;
        for (track, numbers) in self.tracks.iter().zip(numbers).rev() {
            if track.parts.len() > 1 {
                track.add_classes(kernels, unit, numbers, shapes);
                unit *= track.parts.len() as u32;
            }
        }
    }
}

/// All combinations of one part of every track; `None` for more than [`MAX_SHAPES`].
fn combinations(tracks: &[Track]) -> Option<Vec<Vec<(usize, FieldPart)>>> {
    let mut all: Vec<Vec<(usize, FieldPart)>> = vec![Vec::new()];
    for (index, track) in tracks.iter().enumerate() {
        if all.len() * track.parts.len() > MAX_SHAPES {
            return None;
        }
        let with = |parts: &Vec<(usize, FieldPart)>, part: &FieldPart| {
            let mut parts = parts.clone();
            parts.push((index, part.clone()));
            parts
        };
        all = all.iter().flat_map(|parts| track.parts.iter().map(|part| with(parts, part))).collect();
    }
    Some(all)
}

/// Makes a shape.
struct Compiler<'a> {
    key: &'a RowKey,
    tracks: &'a [Track],
    /// The tracks of every field.
    fields: &'a FieldVec<Range<usize>>,
    /// The parts of the tracks, followed by dates that only the salt uses.
    parts: Vec<(usize, FieldPart)>,
}

impl Compiler<'_> {
    fn shape(mut self, split_keys: &[Vec<u8>]) -> Option<KeyShape> {
        let mut text = LaneText::default();
        let salt = match &self.key.salt {
            Some(salt) => {
                let scheme = self.scheme(salt)?;
                let plan = SaltPlan::new(salt, self.key, scheme, split_keys)?;
                text.leave(plan.width_in_key());
                text.push_constant(&salt.separator);
                Some(plan)
            }
            None => None,
        };
        self.push_stored(&mut text)?;
        (text.width() <= MAX_KEY).then(|| KeyShape { parts: self.parts, salt, key: text.ready() })
    }

    fn push_stored(&self, text: &mut LaneText) -> Option<()> {
        for id in self.key.stored() {
            self.push_field(id, 0, self.width_of(id)?, text)?;
            text.push_constant(&self.key.fields.get(id)?.separator);
        }
        Some(())
    }

    fn parts_of(&self, field: FieldId) -> Option<&[(usize, FieldPart)]> {
        self.parts.get(self.fields.get(field)?.clone())
    }

    fn width_of(&self, field: FieldId) -> Option<usize> {
        Some(self.parts_of(field)?.iter().map(|(_, part)| part.width).sum())
    }

    /// Appends the bytes `from .. from + length` of a field to a text.
    fn push_field(&self, field: FieldId, from: usize, length: usize, text: &mut LaneText) -> Option<()> {
        let first = self.fields.get(field)?.start;
        let (mut at, stop) = (0, from + length);
        for (offset, (_, part)) in self.parts_of(field)?.iter().enumerate() {
            let (low, high) = (from.max(at), stop.min(at + part.width));
            if low < high {
                text.push_part(first + offset, low - at, high - low);
            }
            at += part.width;
        }
        Some(())
    }

    fn scheme(&mut self, salt: &Salt) -> Option<SaltKernel> {
        // Only the row engine adds random parts.
        salt.spread.is_none().then_some(())?;
        match &salt.scheme {
            SaltScheme::Hash(HashSalt {
                hash: Hash::Md5,
                of,
                joined_by,
                charset: None,
                take: Take::HexDigits(HexDigits { first: 1, count }),
                ..
            }) => {
                let mut message = LaneText::default();
                match of {
                    SaltInputs::Key => self.push_stored(&mut message)?,
                    // The row engine handles them.
                    SaltInputs::KeyBytes { .. } => return None,
                    SaltInputs::List(inputs) => {
                        for (place, input) in inputs.iter().enumerate() {
                            if place > 0 {
                                message.push_constant(joined_by);
                            }
                            self.push_input(input, &mut message)?;
                        }
                    }
                }
                (message.width() <= MAX_MESSAGE && (1..=32).contains(count)).then_some(())?;
                Some(SaltKernel::Md5 { message: message.ready_before_mark(), digits: *count })
            }
            SaltScheme::Hash(HashSalt {
                hash: Hash::StringCode,
                of,
                joined_by,
                combine,
                take: Take::Number(reduction),
                ..
            }) => {
                // Only the row engine hashes texts with bytes between them.
                let SaltInputs::List(of) = of else { return None };
                joined_by.is_empty().then_some(())?;
                let mut inputs = Vec::new();
                for input in of {
                    let mut text = LaneText::default();
                    self.push_input(input, &mut text)?;
                    inputs.push(text.ready());
                }
                let mut pieces = inputs.iter().flat_map(|text| &text.pieces);
                let is_ascii = |part: usize| self.parts.get(part).is_some_and(|(_, part)| part.is_ascii());
                pieces.all(|piece| is_ascii(piece.part)).then_some(())?;
                Some(SaltKernel::JavaHash { inputs, combine: *combine, reduce: Reducer::new(reduction)? })
            }
            SaltScheme::Modulo(ModuloSalt { field, by }) => {
                let track = self.fields.get(*field)?.start;
                (self.tracks.get(track)?.values.low >= 0 && *by > 0).then_some(())?;
                Some(SaltKernel::Number { track, by: Some(Divisor::new(by.unsigned_abs())?) })
            }
            SaltScheme::Random(_) => {
                Some(SaltKernel::Number { track: self.tracks.len().checked_sub(1)?, by: None })
            }
            // Not supported here; the row engine handles it.
            _ => None,
        }
    }

    /// Appends a salt input to a text.
    fn push_input(&mut self, input: &SaltInput, text: &mut LaneText) -> Option<()> {
        if let Cut::Format(format) = &input.cut {
            let FieldKind::Calendar(calendar) = &self.key.fields.get(input.field)?.kind else { return None };
            let track = self.fields.get(input.field)?.start;
            let values = &self.tracks.get(track)?.values;
            let part = FieldPart::calendar(Calendar::new(format, calendar.format.granularity(), values)?)?;
            let first = text.pieces.len();
            text.push_part(self.parts.len(), 0, part.width);
            text.lower_from(first, input.lower);
            self.parts.push((track, part));
        } else {
            let parts = self.parts_of(input.field)?;
            let is_ascii = parts.iter().all(|(_, part)| part.is_ascii());
            let cuts_bytes = is_ascii || parts.iter().all(|(_, part)| part.is_binary());
            let width = self.width_of(input.field)?;
            let (from, length) = match input.cut {
                Cut::Original => return None,
                Cut::First(count) => (0, count.min(width)),
                Cut::Bytes { from, to } => (from, to.min(width) - from.min(width)),
                Cut::Last(count) => (width - count.min(width), count.min(width)),
                Cut::Whole | Cut::Format(_) => (0, width),
            };
            (cuts_bytes || length == width).then_some(())?;
            (is_ascii || !input.lower).then_some(())?;
            let first = text.pieces.len();
            self.push_field(input.field, from, length, text)?;
            text.lower_from(first, input.lower);
        }
        Some(())
    }
}
