//! Names, looked up in the relations of a query.

use super::tree::{BoundColumn, ColumnPlace};
use crate::analyze::clock::FieldForm;
use crate::schema::model::Schema;
use saltplan_sql::ast::Column;
use saltplan_sql::hive_type::{HiveType, Type};

/// The relations whose columns an expression may name. `rewrite` has one for the FROM of a query.
pub trait Scope {
    /// The column that a name stands for, with its type where that is known.
    fn column(&self, column: &Column) -> (BoundColumn, Option<HiveType>);
}

#[cfg(test)]
thread_local! {
    /// How many names were looked up in schemas.
    pub(crate) static LOOKUPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The logical table of a schema: its key fields, its columns, and the row key.
#[derive(Debug, Clone, Copy)]
pub struct SchemaScope<'s>(pub &'s Schema);

impl Scope for SchemaScope<'_> {
    fn column(&self, column: &Column) -> (BoundColumn, Option<HiveType>) {
        #[cfg(test)]
        LOOKUPS.set(LOOKUPS.get() + 1);
        let schema = self.0;
        let (place, of) = if let Some(field) = schema.field(&column.name) {
            (ColumnPlace::Field(field), Some(schema.key.fields[field].kind.hive_type().into()))
        } else if let Some(id) = schema.column(&column.name) {
            (ColumnPlace::Column(id), Some(schema.columns[id].hive_type.hive_type().clone()))
        } else if schema.is_key_column(&column.name) {
            (ColumnPlace::RowKey, Some(Type::String.into()))
        } else {
            (ColumnPlace::Elsewhere, None)
        };
        let relation = (place != ColumnPlace::Elsewhere).then_some(0);
        (BoundColumn { relation, place, written: column.clone(), form: FieldForm::Value }, of)
    }
}

/// The columns of one table of which only names and types are known.
#[derive(Debug, Clone, Default)]
pub struct TypedColumns(pub Vec<(String, HiveType)>);

impl TypedColumns {
    /// Reads `i int, d decimal(10,2)`: names and types with `, ` between them.
    ///
    /// # Errors
    /// A column without a type, or a text that is not a type.
    pub fn parse(text: &str) -> Result<Self, String> {
        let column = |declared: &str| {
            let (name, of) = declared.split_once(' ').ok_or_else(|| format!("`{declared}` has no type"))?;
            let of = HiveType::parse(of).map_err(|fault| fault.reason)?;
            Ok((name.to_string(), of))
        };
        let columns = text.split(", ").filter(|declared| !declared.is_empty());
        columns.map(column).collect::<Result<_, String>>().map(TypedColumns)
    }
}

impl Scope for TypedColumns {
    fn column(&self, column: &Column) -> (BoundColumn, Option<HiveType>) {
        let found = self.0.iter().find(|(name, _)| name.eq_ignore_ascii_case(&column.name));
        let bound = BoundColumn::elsewhere(found.map(|_| 0), column);
        (bound, found.map(|(_, of)| of.clone()))
    }
}
