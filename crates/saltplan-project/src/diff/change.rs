//! A change: what it breaks, where it stands, what it is about.

use serde::Serialize;

use saltplan_core::diag::Span;

/// What a change breaks, from the least to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Class {
    /// Nothing: the text differs, the meaning does not.
    Cosmetic,
    /// What is printed for queries.
    Query,
    /// Tables, families and columns in HBase and Hive.
    Mapping,
    /// Split keys.
    Region,
    /// HBase deletes stored cells, at the next major compaction at the latest.
    DataLoss,
    /// Stored rows become unreadable, or are looked for under other keys.
    Key,
}

impl Class {
    /// From the worst.
    pub const ALL: [Class; 6] =
        [Class::Key, Class::DataLoss, Class::Region, Class::Mapping, Class::Query, Class::Cosmetic];

    pub fn name(self) -> &'static str {
        match self {
            Class::Key => "key",
            Class::DataLoss => "data_loss",
            Class::Region => "region",
            Class::Mapping => "mapping",
            Class::Query => "query",
            Class::Cosmetic => "cosmetic",
        }
    }
}

/// A value and where it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Side {
    /// One line; `None` where this version has no such thing.
    pub value: Option<String>,
    /// The place; of what holds it, where this version has no such thing or leaves a default out.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    pub class: Class,
    /// Such as `key.salt.write`; free of positions, so that it stays the same when lines move.
    pub path: String,
    pub old: Side,
    pub new: Side,
    /// What it is about, to put together what belongs together.
    #[doc(hidden)]
    pub subject: FactSubject,
    /// Whether it says that something is there at all.
    pub(crate) is_part: bool,
    /// Paths of what it is told with, such as `column.goods17`.
    pub part_of: Vec<String>,
    /// What it does to stored cells, where it deletes them or makes them unreadable.
    pub consequence: Option<Consequence>,
}

/// What becomes of stored cells, and who says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Consequence {
    pub text: &'static str,
    /// A class of HBase or a section of its reference guide.
    pub source: &'static str,
}

impl Change {
    /// A change that stands alone.
    pub(super) fn alone(class: Class, path: impl Into<String>, old: Side, new: Side) -> Self {
        let path = path.into();
        let subject = FactSubject::Alone;
        Change { class, path, old, new, subject, is_part: false, part_of: Vec::new(), consequence: None }
    }

    /// `old -> new`
    pub fn values(&self) -> String {
        let value = |side: &Side| side.value.clone().unwrap_or_else(|| "none".into());
        format!("{} -> {}", value(&self.old), value(&self.new))
    }
}

/// What a change is about, where several belong together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum FactSubject {
    #[default]
    Alone,
    Family {
        name: String,
    },
    /// An attribute of a family by the shell's constant, or a setting by its full name.
    Attribute {
        family: String,
        constant: String,
    },
    Column {
        name: String,
        is_type: bool,
    },
    /// A column of the target, and the column that it hands on.
    TargetColumn {
        name: String,
        source: Option<String>,
        is_type: bool,
    },
    /// The names of all columns.
    Columns,
    /// The names of all columns of the target.
    TargetColumns,
}
