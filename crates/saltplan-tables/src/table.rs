//! What is read of a table.

use std::fmt;

use saltplan_document::diag::Span;
use saltplan_sql::hive_type::HiveType;

/// A table of Hive.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HiveTable {
    pub name: TableName,
    /// Where the name stands; of a text without the name, where its columns begin.
    pub place: Span,
    pub is_external: bool,
    /// The columns that are not those of the partitions.
    pub data_columns: Vec<HiveColumn>,
    pub partition_columns: Vec<HiveColumn>,
    /// The class of `STORED BY`.
    pub storage_handler: Option<String>,
    /// The text of `COLLECTION ITEMS TERMINATED BY`, with its escapes resolved.
    pub collection_items: Option<String>,
    /// `WITH SERDEPROPERTIES`, in the order of the text. Empty in the output of `DESCRIBE`.
    pub serde_properties: Vec<(String, String)>,
    /// `TBLPROPERTIES`, in the order of the text. Empty in the output of `DESCRIBE`.
    pub table_properties: Vec<(String, String)>,
}

impl HiveTable {
    pub(crate) fn new(name: TableName, place: Span) -> Self {
        HiveTable {
            name,
            place,
            is_external: false,
            data_columns: Vec::new(),
            partition_columns: Vec::new(),
            storage_handler: None,
            collection_items: None,
            serde_properties: Vec::new(),
            table_properties: Vec::new(),
        }
    }

    /// All columns in the order of `SELECT *`.
    pub fn columns(&self) -> impl Iterator<Item = &HiveColumn> {
        self.data_columns.iter().chain(&self.partition_columns)
    }
}

/// A name in lower case, as Hive compares it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableName {
    /// `None` is the current database of whoever uses the name.
    pub database: Option<String>,
    pub table: String,
}

impl TableName {
    /// `table`, or `database.table`, in any case; `None` of other texts.
    pub fn parse(text: &str) -> Option<Self> {
        let is_name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
        let parts: Vec<&str> = text.split('.').collect();
        if !parts.iter().all(|part| is_name(part)) {
            return None;
        }
        match parts.as_slice() {
            [table] => Some(TableName { database: None, table: table.to_lowercase() }),
            [database, table] => {
                Some(TableName { database: Some(database.to_lowercase()), table: table.to_lowercase() })
            }
            _ => None,
        }
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(database) = &self.database {
            write!(f, "{database}.")?;
        }
        f.write_str(&self.table)
    }
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HiveColumn {
    /// In lower case.
    pub name: String,
    /// `None` is a type of Hive that saltplan does not compute with, such as `timestamp with local time zone`.
    pub hive_type: Option<HiveType>,
    /// Where the name stands.
    pub place: Span,
}

impl fmt::Display for HiveColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.hive_type {
            Some(hive_type) => write!(f, "{} {hive_type}", self.name),
            None => write!(f, "{} (another type)", self.name),
        }
    }
}

/// Types of Hive that have no [`HiveType`], in lower case.
const OTHER_TYPES: [&str; 5] =
    ["timestamplocaltz", "interval_year_month", "interval_day_time", "void", "unknown"];

/// Reads the text of a type.
///
/// # Errors
/// Why it is none of Hive.
pub(crate) fn type_of(text: &str) -> Result<Option<HiveType>, String> {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    match words.as_str() {
        "double precision" => HiveType::parse("double").map(Some).map_err(|fault| fault.reason),
        // `TIMESTAMP WITH LOCAL TIME ZONE`
        words if OTHER_TYPES.contains(&words) || words.starts_with("timestamp with ") => Ok(None),
        _ => HiveType::parse(text).map(Some).map_err(|fault| fault.reason),
    }
}

/// A text for a message.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
