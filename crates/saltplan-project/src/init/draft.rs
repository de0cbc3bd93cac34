//! A schema file that is being composed: what is known, and remarks about it. `write` prints the YAML.

use saltplan_core::key::field::EpochUnit;
use saltplan_core::key::number::NumberForm;
use saltplan_core::key::salt::{Combine, SaltWrite};
use saltplan_core::key::time_format::TimeFormat;
use saltplan_core::schema::model::AttributeValue;

/// The content of the file. Comments are text without `#`.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    /// `ns:name`
    pub table: String,
    /// Comments at the top.
    pub head: Vec<String>,
    /// Families of the columns are added, with one version.
    pub families: Vec<DraftFamily>,
    pub separator: Option<String>,
    pub salt: Option<DraftSalt>,
    pub fields: Vec<DraftField>,
    pub regions: Option<DraftRegions>,
    pub regions_comment: Vec<String>,
    pub columns: Vec<DraftColumn>,
    /// Comments above the columns.
    pub columns_comment: Vec<String>,
    pub mapping: Option<String>,
    /// The row key column of the mapping table; by default an unused name.
    pub key_column: Option<String>,
    /// Whether dropping the mapping table drops the rows.
    pub is_managed: bool,
    pub target: Option<String>,
    pub partition: Vec<DraftPartition>,
    pub time_zone: Option<String>,
    pub time_zone_comment: Vec<String>,
}

impl Draft {
    /// Chooses regions that suit the salt, if possible.
    pub fn take_regions_of_salt(&mut self) {
        if let Some((regions, comment)) = self.salt.as_ref().and_then(|salt| salt.scheme.regions()) {
            (self.regions, self.regions_comment) = (Some(regions), vec![comment.to_string()]);
        }
    }

    /// Renames key fields that have the same name as a column.
    pub fn rename_fields_of_columns(&mut self) {
        for at in 0..self.fields.len() {
            let name = self.fields[at].name.clone();
            if self.columns.iter().any(|column| column.name.eq_ignore_ascii_case(&name)) {
                let new = fresh_name(&format!("key_{name}"), &self.fields);
                for input in
                    self.salt.iter_mut().flat_map(|salt| salt.scheme.inputs()).filter(|input| **input == name)
                {
                    input.clone_from(&new);
                }
                self.fields[at].name = new;
            }
        }
    }
}

/// A partition column of the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DraftPartition {
    /// A key field.
    Field(String),
    /// The day of a time in the key.
    Day { name: String, of: String },
}

/// A column family with its attributes, named as in schema files.
#[derive(Debug, Clone, PartialEq)]
pub struct DraftFamily {
    pub name: String,
    pub attributes: Vec<(String, AttributeValue)>,
    pub comment: Vec<String>,
}

impl DraftFamily {
    /// A family that keeps one version.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        let versions = ("versions".to_string(), AttributeValue::Number(1));
        DraftFamily { name: name.into(), attributes: vec![versions], comment: Vec::new() }
    }
}

/// Texts are as in the schema file: row keys and parts of them in HBase's text form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DraftRegions {
    PerSalt,
    HexString(u64),
    DecimalString(u64),
    Uniform(u64),
    LongRange {
        from: u64,
        to: u64,
    },
    /// Equal parts of the shorts from 0 on.
    Shorts(u64),
    Explicit(Vec<String>),
}

#[derive(Debug, Clone)]
pub struct DraftSalt {
    pub scheme: DraftScheme,
    /// The salt's own separator, if it differs from that of the key.
    pub separator: Option<String>,
    pub comment: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DraftScheme {
    /// An empty `of` is the whole key.
    Md5 {
        of: Option<Vec<DraftInput>>,
        hex_digits: u64,
        write: SaltWrite,
    },
    JavaHash {
        of: Vec<DraftInput>,
        combine: Combine,
        reduce: DraftReduce,
    },
    Modulo {
        of: String,
        by: u64,
        write: SaltWrite,
    },
    Random {
        below: u64,
        write: SaltWrite,
    },
}

/// A field, or a part of it, as an input of the salt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftInput {
    pub field: String,
    pub part: Option<DraftCut>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DraftCut {
    First(u64),
    Last(u64),
    /// The month of a date.
    Month,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DraftReduce {
    /// `hash & 0x7FFF`, as a short.
    Mask,
    /// `Math.abs(hash % n)`
    Modulo { modulo: u64, write: SaltWrite },
}

/// Up to this number of salts, each gets a region.
pub(crate) const MAX_SALT_REGIONS: u64 = 256;

impl DraftScheme {
    /// The number of salts, if they are few enough to list.
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        match self {
            DraftScheme::Md5 { hex_digits, .. } => 16u64.checked_pow(u32::try_from(*hex_digits).ok()?),
            DraftScheme::JavaHash { reduce: DraftReduce::Mask, .. } => None,
            DraftScheme::JavaHash { reduce: DraftReduce::Modulo { modulo, .. }, .. } => Some(*modulo),
            DraftScheme::Modulo { by, .. } => Some(*by),
            DraftScheme::Random { below, .. } => Some(*below),
        }
    }

    /// The width of the salt in bytes, if it is fixed.
    #[must_use]
    pub fn width(&self) -> Option<usize> {
        let write = match self {
            DraftScheme::Md5 { hex_digits, write: SaltWrite::Hex, .. } => {
                return usize::try_from(*hex_digits).ok();
            }
            DraftScheme::JavaHash { reduce: DraftReduce::Mask, .. } => return Some(2),
            DraftScheme::Md5 { write, .. }
            | DraftScheme::JavaHash { reduce: DraftReduce::Modulo { write, .. }, .. }
            | DraftScheme::Modulo { write, .. }
            | DraftScheme::Random { write, .. } => write,
        };
        match write {
            SaltWrite::Decimal { width } => *width,
            SaltWrite::BigEndian { bytes } => Some(*bytes),
            SaltWrite::Hex | SaltWrite::UpperHex | SaltWrite::Bytes => None,
        }
    }

    /// The names of the fields that are inputs of the salt.
    fn inputs(&mut self) -> Vec<&mut String> {
        match self {
            DraftScheme::Md5 { of, .. } => of.iter_mut().flatten().map(|input| &mut input.field).collect(),
            DraftScheme::JavaHash { of, .. } => of.iter_mut().map(|input| &mut input.field).collect(),
            DraftScheme::Modulo { of, .. } => vec![of],
            DraftScheme::Random { .. } => Vec::new(),
        }
    }

    /// Regions that suit the salts, and a remark about them.
    #[must_use]
    pub fn regions(&self) -> Option<(DraftRegions, &'static str)> {
        if self.count().is_some_and(|count| count <= MAX_SALT_REGIONS) {
            return Some((DraftRegions::PerSalt, "one region per salt"));
        }
        match self {
            DraftScheme::Md5 { write: SaltWrite::Hex, .. } => {
                Some((DraftRegions::HexString(16), "sixteen equal parts of the hex digits; check the number"))
            }
            DraftScheme::JavaHash { reduce: DraftReduce::Mask, .. } => {
                Some((DraftRegions::Shorts(16), "sixteen equal parts of 0 to 0x7FFF; check the number"))
            }
            _ => None,
        }
    }
}

#[derive(Debug, Clone)]
pub struct DraftField {
    pub name: String,
    pub kind: DraftKind,
    pub(crate) is_stored: bool,
    /// The field's own separator, if it differs from that of the key.
    pub separator: Option<String>,
    pub comment: Vec<String>,
    /// Also reported to the user.
    pub remark: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DraftKind {
    Date {
        format: TimeFormat,
    },
    Timestamp {
        format: TimeFormat,
    },
    Epoch {
        unit: EpochUnit,
        number: NumberForm,
    },
    Integer(NumberForm),
    Text(TextForm),
    /// One of a list.
    Values(Vec<String>),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextForm {
    /// In bytes.
    pub width: Option<usize>,
    pub chars: Option<DraftChars>,
    pub reverse: bool,
}

/// A set of characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DraftChars {
    Named(&'static str),
    /// `[a-f0-9]`, with the brackets.
    Class(String),
}

impl DraftField {
    /// A stored field without remarks.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: DraftKind) -> Self {
        DraftField {
            name: name.into(),
            kind,
            is_stored: true,
            separator: None,
            comment: Vec::new(),
            remark: None,
        }
    }

    #[must_use]
    pub(crate) fn with_comment(mut self, comment: impl Into<String>) -> Self {
        self.comment.push(comment.into());
        self
    }
}

impl DraftKind {
    /// The format of a date or a local time.
    #[must_use]
    pub fn format(&self) -> Option<&TimeFormat> {
        match self {
            DraftKind::Date { format } | DraftKind::Timestamp { format } => Some(format),
            _ => None,
        }
    }

    /// Whether there is a time of day, which needs a zone.
    #[must_use]
    pub(crate) fn is_instant(&self) -> bool {
        matches!(self, DraftKind::Timestamp { .. } | DraftKind::Epoch { .. })
    }
}

#[derive(Debug, Clone)]
pub struct DraftColumn {
    pub name: String,
    pub hive_type: String,
    pub family: String,
    pub qualifier: String,
    /// Whether the cells were written by `Bytes.toBytes`.
    pub has_bytes: bool,
}

/// Unused names for fields: `part`, `part_2`.
pub(crate) fn fresh_name(base: &str, fields: &[DraftField]) -> String {
    let taken = |name: &str| fields.iter().any(|field| field.name == name);
    let numbered = (2..).map(|number| format!("{base}_{number}"));
    std::iter::once(base.to_string()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}
