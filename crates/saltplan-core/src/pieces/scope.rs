//! The names of a mapping table.

use crate::analyze::bind::{BoundColumn, ColumnPlace, Scope};
use crate::analyze::clock::FieldForm;
use crate::schema::model::Schema;
use saltplan_sql::ast::Column;
use saltplan_sql::hive_type::{HiveType, Type};

/// The mapping table of a schema: the row key and the columns. The fields of the key are no columns of it.
#[derive(Debug, Clone, Copy)]
pub struct MappingScope<'s>(pub &'s Schema);

impl Scope for MappingScope<'_> {
    fn column(&self, column: &Column) -> (BoundColumn, Option<HiveType>) {
        let schema = self.0;
        let (place, of) = if schema.is_key_column(&column.name) {
            (ColumnPlace::RowKey, Some(Type::String.into()))
        } else if let Some(id) = schema.column(&column.name) {
            (ColumnPlace::Column(id), Some(schema.columns[id].hive_type.hive_type().clone()))
        } else {
            return (BoundColumn::elsewhere(None, column), None);
        };
        (BoundColumn { relation: Some(0), place, written: column.clone(), form: FieldForm::Value }, of)
    }
}
