//! A change: what it breaks, where it is, and what it is about.

use serde::Serialize;

use saltplan_document::diag::Span;

/// What a change breaks, from least to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Class {
    /// Nothing: the text differs, but not the meaning.
    Cosmetic,
    /// What is printed for queries.
    Query,
    /// Tables, families and columns in HBase and Hive.
    Mapping,
    /// Split keys.
    Region,
    /// HBase deletes stored cells, at the latest at the next major compaction.
    DataLoss,
    /// Stored rows can no longer be read, or queries look for them under other keys.
    Key,
}

impl Class {
    /// From worst to least.
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

/// A value and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Side {
    /// On one line; `None` if this version does not have it.
    pub value: Option<String>,
    /// The place; if this version does not have it, or it has its default, the place of the enclosing part.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    pub class: Class,
    /// Such as `key.salt.write`. It contains no positions, so that it stays the same when lines move.
    pub path: String,
    pub old: Side,
    pub new: Side,
    /// What the change is about, to group related changes.
    #[doc(hidden)]
    pub subject: FactSubject,
    /// Whether the change is that something was added or removed.
    pub(crate) is_part: bool,
    /// Paths of other changes that are shown with it, such as `column.goods17`.
    pub part_of: Vec<String>,
    /// The effect on stored cells, if HBase deletes them or makes them unreadable, or on the keys of rows given as local times.
    pub consequence: Option<Consequence>,
}

/// The effect on stored cells or on the keys of rows, with its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Consequence {
    pub text: &'static str,
    /// A class of HBase, a section of its reference guide, or a page of saltplan.
    pub source: &'static str,
}

impl Change {
    /// A change that is not related to others.
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

/// What a change is about, if several changes are related.
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
    /// An attribute of the table, named in the same way.
    TableAttribute {
        constant: String,
    },
    Column {
        name: String,
        is_type: bool,
    },
    /// A column of the target, and the column from which it is filled.
    TargetColumn {
        name: String,
        source: Option<String>,
        is_type: bool,
    },
    /// What the local times of an instant are.
    LocalTimes,
    /// The names of all columns.
    Columns,
    /// The names of all columns of the target.
    TargetColumns,
}
