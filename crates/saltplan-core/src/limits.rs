//! The limits of plans and their statements: their keys in jobs files and `saltplan.toml`, and how they are
//! read.

use crate::diag::Span;
use crate::document::format::{Choice, Key, ValueType, number, optional as key, word};
use crate::document::reader::{Fields, FileValue, Reader, optional};
use crate::plan::MaxWidening;
use crate::render::hive_query::Budget;

/// The word that allows any widening.
pub static ANY: Choice<MaxWidening> = Choice(&[word(MaxWidening::ANY, MaxWidening::Any, "")]);

pub static MAX_WIDENING: Key = key(
    "max_widening",
    ValueType::Either(&[number(1, i64::MAX), ValueType::Words(&ANY)]),
    "10",
    "If ranges are merged: maximum ratio of values read to values requested; 10 by default.",
);
pub static MAX_SCANS: Key =
    key("max_scans", number(1, i64::MAX), "100", "Maximum number of HBase scans of a statement.");
pub static MAX_JOBS: Key =
    key("max_jobs", number(1, i64::MAX), "50", "Maximum number of jobs of a statement.");

/// The limits that are set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    pub max_widening: Option<MaxWidening>,
    pub max_scans: Option<usize>,
    pub max_jobs: Option<usize>,
}

impl Limits {
    /// These limits, with others as defaults.
    #[must_use]
    pub fn or(self, other: Limits) -> Self {
        Limits {
            max_widening: self.max_widening.or(other.max_widening),
            max_scans: self.max_scans.or(other.max_scans),
            max_jobs: self.max_jobs.or(other.max_jobs),
        }
    }

    pub fn max_widening(self) -> MaxWidening {
        self.max_widening.unwrap_or_default()
    }

    pub fn budget(self) -> Budget {
        Budget { max_scans: self.max_scans, max_jobs: self.max_jobs }
    }

    /// The limits by their keys, as written in a file; the default if not set.
    pub fn shown(self) -> [(&'static str, Option<String>); 3] {
        let text = |count: usize| count.to_string();
        [
            (MAX_WIDENING.name, Some(self.max_widening().to_string())),
            (MAX_SCANS.name, self.max_scans.map(text)),
            (MAX_JOBS.name, self.max_jobs.map(text)),
        ]
    }
}

/// The values of the keys, before they are parsed.
#[derive(Debug)]
pub struct LimitValues<'n> {
    max_widening: Option<FileValue<'n>>,
    max_scans: Option<FileValue<'n>>,
    max_jobs: Option<FileValue<'n>>,
}

impl<'n> LimitValues<'n> {
    pub fn of(fields: &mut Fields<'n>) -> Self {
        LimitValues {
            max_widening: fields.get(&MAX_WIDENING),
            max_scans: fields.get(&MAX_SCANS),
            max_jobs: fields.get(&MAX_JOBS),
        }
    }

    /// The limits and their places in the file, in the order of [`Limits::shown`].
    pub fn read(self, reader: &mut Reader<'_>) -> Option<(Limits, [Option<Span>; 3])> {
        let places = [&self.max_widening, &self.max_scans, &self.max_jobs]
            .map(|value| value.as_ref().map(FileValue::span));
        let max_widening = optional(self.max_widening, |value| widening(reader, value));
        let max_scans = optional(self.max_scans, |value| value.number(reader));
        let max_jobs = optional(self.max_jobs, |value| value.number(reader));
        Some((Limits { max_widening: max_widening?, max_scans: max_scans?, max_jobs: max_jobs? }, places))
    }
}

fn widening(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<MaxWidening> {
    if value.is_scalar(|text| text == MaxWidening::ANY) {
        return value.word(reader);
    }
    if value.is_scalar(|text| text.starts_with(char::is_alphabetic)) {
        return value.mismatch(reader, "a whole number or `any`", "write 10 or `any`");
    }
    value.number(reader).map(MaxWidening::Times)
}
