//! Where the numbers of a field come from, and how they are written.

use super::field::{FieldPart, change, words_of};
use super::values::{Bounded, NumberSource};
use crate::generator::{Group, groups};
use crate::random;
use crate::text::TextShape;
use crate::workload::{Values, Workload};
use saltplan_core::key::Value;
use saltplan_core::key::field::{Field, FieldId, FieldKind, TextField};
use saltplan_core::key::id::Id;
use saltplan_lanes::{Divisor, Kernels, NumberColumn, ROWS, WordColumn};

/// A source of numbers. A field is one track; random text has one track for every group of its characters.
#[derive(Debug, Clone)]
pub struct Track {
    pub values: Bounded,
    classes: Classes,
    /// How the numbers of each class are written; numbers of the same class have the same width.
    pub parts: Vec<FieldPart>,
}

/// How the class of a number is determined.
#[derive(Debug, Clone)]
enum Classes {
    One,
    /// By the number of decimal digits: the powers of ten at which the second class, the third and so on
    /// start.
    Digits {
        minuend: Option<i64>,
        starts: Vec<u64>,
    },
    Listed {
        texts: Divisor,
        classes: Vec<u32>,
    },
}

impl Track {
    /// The tracks of a field; `None` if only the row engine can generate its values.
    pub fn of_field(field: &Field, id: FieldId, workload: &Workload) -> Option<Vec<Self>> {
        let key = random::stream_key(workload.seed, id.position() as u64);
        if matches!(&field.kind, FieldKind::Text(text) if !text.form.is_plain()) {
            return None;
        }
        match (&field.kind, workload.fields.get(id)?) {
            (FieldKind::Text(text), Values::Text { chars, width }) => random_text(text, chars, *width, key),
            (FieldKind::Text(_), Values::List { values, cumulative }) => {
                let numbers = (0..values.len() as i64).collect();
                let texts: Vec<Vec<u8>> =
                    values.iter().map(|value| field.kind.encode(value).ok()).collect::<Option<_>>()?;
                Some(vec![Self::listed(Bounded::list(numbers, cumulative, key)?, &texts)?])
            }
            (_, Values::List { values, cumulative }) => {
                let number = |value: &Value| match value {
                    Value::Number(number) => Some(*number),
                    Value::Text(_) => None,
                };
                let numbers = values.iter().map(number).collect::<Option<_>>()?;
                Some(vec![Self::of_values(field, Bounded::list(numbers, cumulative, key)?)?])
            }
            (_, values) => Some(vec![Self::of_values(field, Bounded::new(values, workload.rows, key)?)?]),
        }
    }

    /// Numbers that only affect the key through the salt.
    pub fn bare(values: Bounded) -> Self {
        Track { values, classes: Classes::One, parts: Vec::new() }
    }

    fn one(values: Bounded, part: FieldPart) -> Self {
        Track { values, classes: Classes::One, parts: vec![part] }
    }

    fn of_values(field: &Field, values: Bounded) -> Option<Self> {
        match &field.kind {
            FieldKind::Text(text) => {
                (values.low >= 0 && values.high < i64::MAX).then_some(())?;
                match TextShape::of(field, text).ok()? {
                    TextShape::Listed(texts) => {
                        let encode = |text: &String| field.kind.encode(&Value::Text(text.clone())).ok();
                        let texts: Vec<Vec<u8>> = texts.iter().map(encode).collect::<Option<_>>()?;
                        Self::listed(values, &texts)
                    }
                    TextShape::Alphabet { digits, width } => {
                        Some(Self::one(values, FieldPart::text(digits.chars(), width, text.reverse)?))
                    }
                }
            }
            kind => {
                let domain = kind.domain()?;
                let is_inside = |number| domain.contains(&i128::from(number));
                (is_inside(values.low) && is_inside(values.high)).then_some(())?;
                match kind.number().filter(|number| number.is_text() && number.fixed_width().is_none()) {
                    Some(unpadded) => Self::unpadded(values, unpadded.minuend()),
                    None => {
                        let part = FieldPart::padded(kind, &values)?;
                        Some(Self::one(values, part))
                    }
                }
            }
        }
    }

    /// Decimal numbers without leading zeros.
    fn unpadded(values: Bounded, minuend: Option<i64>) -> Option<Self> {
        let stored = [values.low, values.high].map(|number| minuend.map_or(number, |max| max - number));
        let [least, most] = [stored.into_iter().min()?, stored.into_iter().max()?];
        (least >= 0).then_some(())?;
        let digits = |number: i64| number.checked_ilog10().unwrap_or(0) as usize + 1;
        let widths = digits(least)..=digits(most);
        let parts: Vec<FieldPart> =
            widths.clone().map(|width| FieldPart::decimal(minuend, width)).collect::<Option<_>>()?;
        let starts = widths.skip(1).map(|width| 10u64.pow(width as u32 - 1)).collect();
        let classes = if parts.len() == 1 { Classes::One } else { Classes::Digits { minuend, starts } };
        Some(Track { values, classes, parts })
    }

    fn listed(values: Bounded, texts: &[Vec<u8>]) -> Option<Self> {
        let count = Divisor::new(texts.len() as u64)?;
        let mut widths: Vec<usize> = texts.iter().map(Vec::len).collect();
        widths.sort_unstable();
        widths.dedup();
        let parts = widths.iter().map(|width| FieldPart::listed(count, words_of(texts, *width)?, *width));
        let parts = parts.collect::<Option<Vec<_>>>()?;
        let class =
            |text: &Vec<u8>| u32::try_from(widths.binary_search(&text.len()).unwrap_or(0)).unwrap_or(0);
        let classes = match widths.as_slice() {
            [_] => Classes::One,
            _ => Classes::Listed { texts: count, classes: texts.iter().map(class).collect() },
        };
        Some(Track { values, classes, parts })
    }

    /// Adds `unit` times the class of every number to `shapes`.
    pub fn add_classes(&self, kernels: &Kernels, unit: u32, numbers: &NumberColumn, shapes: &mut WordColumn) {
        match &self.classes {
            Classes::One => {}
            Classes::Digits { minuend, starts } => {
                kernels.add_reached(change(*minuend), starts, unit, numbers, shapes);
            }
            Classes::Listed { texts, classes } => {
                let mut found = [0; ROWS];
                kernels.look_up_remainders(classes, *texts, numbers, &mut found);
                shapes.iter_mut().zip(&found).for_each(|(shape, class)| *shape += unit * class);
            }
        }
    }
}

/// The groups of random text, in the order in which they are stored.
fn random_text(text: &TextField, chars: &[char], width: usize, key: u64) -> Option<Vec<Track>> {
    let mut tracks = Vec::new();
    for Group { key, size, .. } in groups(key, chars.len() as u64, width) {
        let values = Bounded { source: NumberSource::Bits { key }, low: 0, high: 0 };
        tracks.push(Track::one(values, FieldPart::drawn(chars, size, text.reverse)?));
    }
    if text.reverse {
        tracks.reverse();
    }
    Some(tracks)
}

impl Bounded {
    /// Numbers below `count`, all equally frequent.
    pub fn below(count: u64, key: u64) -> Option<Self> {
        let high = i64::try_from(count).ok()?.checked_sub(1).filter(|high| *high >= 0)?;
        Some(Bounded { source: NumberSource::Uniform { low: 0, count, key }, low: 0, high })
    }

    fn list(numbers: Vec<i64>, cumulative: &[f64], key: u64) -> Option<Self> {
        let (low, high) = (*numbers.iter().min()?, *numbers.iter().max()?);
        let source = NumberSource::List { numbers, cumulative: cumulative.to_vec(), key };
        Some(Bounded { source, low, high })
    }
}
