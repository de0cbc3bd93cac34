//! The limits of plans and their statements: their keys in jobs files and `saltplan.toml`.

use crate::hive::query::Budget;
use crate::plan::MaxWidening;
use saltplan_document::format::{Choice, Key, ValueType, number, optional as key, word};
use saltplan_document::reader::{FileValue, FromFile, Reader};

/// The word that allows any widening.
pub static ANY: Choice<MaxWidening> = Choice(&[word(MaxWidening::ANY, MaxWidening::Any, "")]);

const AT_LEAST_ONE: ValueType = number(1, i64::MAX);

static WIDENINGS: [ValueType; 2] = [AT_LEAST_ONE, ValueType::Words(&ANY)];

pub const MAX_WIDENING: Key = key(
    "max_widening",
    ValueType::Either(&WIDENINGS),
    "10",
    "If ranges are merged: maximum ratio of values read to values requested; 10 by default.",
);
pub const MAX_SCANS: Key =
    key("max_scans", AT_LEAST_ONE, "100", "Maximum number of HBase scans of a statement.");
pub const MAX_JOBS: Key = key("max_jobs", AT_LEAST_ONE, "50", "Maximum number of jobs of a statement.");

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
    pub fn by_key(self) -> [(&'static str, Option<String>); 3] {
        let text = |count: usize| count.to_string();
        [
            (MAX_WIDENING.name, Some(self.max_widening().to_string())),
            (MAX_SCANS.name, self.max_scans.map(text)),
            (MAX_JOBS.name, self.max_jobs.map(text)),
        ]
    }
}

impl FromFile for MaxWidening {
    fn from_file(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Self> {
        if value.is_scalar(|text| text == MaxWidening::ANY) {
            return value.word(reader);
        }
        if value.is_scalar(|text| text.starts_with(char::is_alphabetic)) {
            return value.mismatch(reader, "a whole number or `any`", "write 10 or `any`");
        }
        value.number(reader).map(MaxWidening::Times)
    }
}
