//! The logical table of a schema: what its view is called, and its columns.

use super::Table;
use crate::key::field::{CalendarType, FieldKind};

/// A date in this format has, as a text, the meaning that Hive's functions give it.
const ISO_DAY: &str = "yyyy-MM-dd";

/// What queries know of a table: the name of its view and the columns that the view shows.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogicalTable<'t> {
    /// Absent where the schema names the view without one.
    pub database: Option<&'t str>,
    pub view: &'t str,
    /// The mapping table that the view reads, as the schema names it.
    pub mapping: String,
    /// The stored key fields and the columns, in the order of the view.
    pub columns: Vec<LogicalColumn<'t>>,
}

/// A column of the logical table.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogicalColumn<'t> {
    pub name: &'t str,
    pub hive_type: &'t str,
    pub time: TimeReading<'t>,
}

/// Whether a predicate can take a column for a time where Hive, which sees the type of the column alone, does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimeReading<'t> {
    /// A condition means what Hive computes over the column.
    AsTyped,
    /// A number that a predicate also reads as a time: functions of times see that time, and a comparison with a text such
    /// as `'2020-04-06'`, which is NULL in Hive, compares days.
    Number,
    /// A text in this format that a predicate also reads as a time: Hive compares it with other forms of a time as texts.
    Text(&'t str),
}

impl Table {
    /// The logical table; `None` where the schema names no view or no mapping table.
    pub fn logical(&self) -> Option<LogicalTable<'_>> {
        let hive = self.schema.hive.as_ref()?;
        let (view, mapping) = (hive.view.as_ref()?, hive.mapping.as_ref()?);
        let key = &self.schema.key;
        let fields = key.stored().map(|id| {
            let field = &key.fields[id];
            LogicalColumn {
                name: &field.name,
                hive_type: field.kind.hive_type(),
                time: time_reading(&field.kind),
            }
        });
        let columns = self.schema.columns.entries().map(|(_, column)| LogicalColumn {
            name: &column.name,
            hive_type: &column.hive_type,
            time: TimeReading::AsTyped,
        });
        Some(LogicalTable {
            database: view.database.as_deref(),
            view: &view.table,
            mapping: mapping.table.to_string(),
            columns: fields.chain(columns).collect(),
        })
    }
}

fn time_reading(kind: &FieldKind) -> TimeReading<'_> {
    match kind {
        FieldKind::Text(_) | FieldKind::Integer(_) => TimeReading::AsTyped,
        FieldKind::Epoch(_) => TimeReading::Number,
        FieldKind::Calendar(calendar) => match calendar.hive_type {
            CalendarType::Int | CalendarType::Bigint => TimeReading::Number,
            CalendarType::String if calendar.format.pattern() != ISO_DAY => {
                TimeReading::Text(calendar.format.pattern())
            }
            CalendarType::String | CalendarType::Date | CalendarType::Timestamp => TimeReading::AsTyped,
        },
    }
}
