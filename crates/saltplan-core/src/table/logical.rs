//! The logical table of a schema: the name of its view, and its columns.

use super::Table;
use std::collections::BTreeMap;

use crate::analyze::{Constraint, Meaning, analyze};
use crate::hive::condition::{literal_of_type, value_text};
use crate::key::Value;
use crate::key::field::{CalendarType, FieldKind, FieldTime};
use saltplan_document::diag::Source;
use saltplan_sql::Parsed;
use saltplan_sql::ast::{BinaryOperator, Expr, Node};
use saltplan_sql::hive_type::{DeclaredType, Type};
use saltplan_sql::time::format::{ISO_DAY, TimeFormat};

/// A table as queries see it: the name of its view and the columns of the view.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LogicalTable<'t> {
    /// `None` if the schema names the view without a database.
    pub database: Option<&'t str>,
    pub view: &'t str,
    /// The mapping table that the view reads, as named in the schema.
    pub mapping: String,
    /// The stored key fields and the columns, in the order of the view.
    pub columns: Vec<LogicalColumn<'t>>,
}

/// A column of the logical table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LogicalColumn<'t> {
    pub name: &'t str,
    pub hive_type: DeclaredType,
    pub time: TimeReading<'t>,
}

/// Whether a predicate may treat a column as a time where Hive does not, because Hive only sees the type of
/// the column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimeReading<'t> {
    /// A condition means exactly what Hive computes for the column.
    AsTyped,
    /// A number that predicates also treat as a time: for date functions, and in a comparison with a text
    /// such as `'2020-04-06'`, which is NULL in Hive.
    Number,
    /// A text in this format that predicates also treat as a time, while Hive compares it with other forms of
    /// a time as text.
    Text(&'t str),
    /// A DATE or a TIMESTAMP, which predicates also compare with numbers and texts in the form of the key.
    Time,
}

impl Table {
    /// The logical table; `None` if the schema has no view or no mapping table.
    #[doc(hidden)]
    pub fn logical(&self) -> Option<LogicalTable<'_>> {
        let hive = self.inner.schema.hive.as_ref()?;
        let (view, mapping) = (hive.view.as_ref()?, hive.mapping.as_ref()?);
        Some(LogicalTable {
            database: view.database.as_deref(),
            view: &view.table,
            mapping: mapping.table.to_string(),
            columns: self.logical_columns(),
        })
    }

    fn logical_columns(&self) -> Vec<LogicalColumn<'_>> {
        let key = &self.inner.schema.key;
        let fields = key.stored().map(|id| {
            let field = &key.fields[id];
            LogicalColumn {
                name: &field.name,
                hive_type: field.kind.hive_type().into(),
                time: time_reading(&field.kind),
            }
        });
        fields.chain(self.other_columns()).collect()
    }

    fn other_columns(&self) -> impl Iterator<Item = LogicalColumn<'_>> {
        self.inner.schema.columns.entries().map(|(_, column)| LogicalColumn {
            name: &column.name,
            hive_type: column.hive_type.clone(),
            time: TimeReading::AsTyped,
        })
    }

    /// The columns of the logical table under the name of the mapping table, whether the schema has a view or not.
    #[doc(hidden)]
    pub fn logical_of_mapping(&self) -> Option<LogicalTable<'_>> {
        Some(LogicalTable { columns: self.logical_columns(), ..self.mapping_table()? })
    }

    /// The mapping table as queries see it: the row key, then the columns. `view` is its own name. `None` if the schema has no mapping
    /// table.
    #[doc(hidden)]
    pub fn mapping_table(&self) -> Option<LogicalTable<'_>> {
        let mapping = self.inner.schema.mapping()?;
        let key = LogicalColumn {
            name: &mapping.key_column,
            hive_type: Type::String.into(),
            time: TimeReading::AsTyped,
        };
        Some(LogicalTable {
            database: mapping.table.database.as_deref(),
            view: &mapping.table.table,
            mapping: mapping.table.to_string(),
            columns: [key].into_iter().chain(self.other_columns()).collect(),
        })
    }
}

impl Table {
    /// A constant that predicates take for a field, written so that Hive compares it as the field's type: `20240601` for
    /// `'2024-06-01'` and an int. `None` if it is not one value of the field.
    #[doc(hidden)]
    pub fn in_type_of(&self, field: &str, constant: &Node) -> Option<String> {
        let (left, op) = (Expr::column(field).into(), BinaryOperator::Eq);
        let tree = Expr::BinaryOp { left, op, right: constant.clone().into() };
        let predicate = Parsed {
            source: Source::new("value", ""),
            tree: tree.into(),
            warnings: Vec::new(),
            runtime: BTreeMap::new(),
        };
        let analysis = analyze(&self.inner.schema, &predicate).ok()?;
        let Constraint::Condition(condition) = &analysis.constraint else { return None };
        let Meaning::Tight { field, values } = &condition.meaning else { return None };
        let kind = &self.inner.schema.key.fields.get(*field)?.kind;
        let value = values.points(kind, 1)?.pop()?;
        let typed = |word: &str, pattern: &str| {
            let Value::Number(number) = value else { return None };
            let format = TimeFormat::parse(pattern).ok()?;
            let FieldKind::Calendar(calendar) = kind else { return None };
            let is_alike = calendar.format.granularity() == format.granularity();
            is_alike.then(|| format.format(number)).flatten().map(|text| format!("{word} '{text}'"))
        };
        match kind.hive_type() {
            Type::Date => typed("DATE", ISO_DAY),
            Type::Timestamp => typed("TIMESTAMP", "yyyy-MM-dd HH:mm:ss"),
            of => Some(literal_of_type(&value_text(kind, &value, &of.into()).ok()?, &of.into())),
        }
    }
}

fn time_reading(kind: &FieldKind) -> TimeReading<'_> {
    match kind.time() {
        None => TimeReading::AsTyped,
        Some(FieldTime::Instant(_)) => TimeReading::Number,
        Some(FieldTime::Local(calendar)) => match calendar.hive_type {
            CalendarType::Int | CalendarType::Bigint => TimeReading::Number,
            CalendarType::String if calendar.format.pattern() != ISO_DAY => {
                TimeReading::Text(calendar.format.pattern())
            }
            CalendarType::String => TimeReading::AsTyped,
            CalendarType::Date | CalendarType::Timestamp => TimeReading::Time,
        },
    }
}
