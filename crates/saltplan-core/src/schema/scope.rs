//! What Hive tables can refer to, and the types of their values.

use super::columns::{Column, ColumnId, ReadColumns};
use super::conversion::{TypeUse, conversion, default_type};
use super::key::ReadKey;
use crate::key::field::{Field, FieldId, FieldVec};
use crate::key::id::IdVec;
use saltplan_document::diag::{Diagnostic, DiagnosticKind, Spanned};
use saltplan_document::names::Names;
use saltplan_document::reader::Reader;
use saltplan_sql::hive_type::DeclaredType;

/// What a Hive table can refer to.
#[derive(Debug)]
pub(crate) struct Scope<'a> {
    pub(super) fields: Option<&'a FieldVec<Field>>,
    pub(super) field_names: &'a Names<FieldId>,
    pub(super) columns: &'a IdVec<ColumnId, Column>,
    pub(super) column_names: &'a Names<ColumnId>,
    /// Whether the schema has a time zone.
    pub(super) zoned: bool,
}

impl<'a> Scope<'a> {
    pub(super) fn new(key: &'a ReadKey, columns: &'a ReadColumns, zoned: bool) -> Self {
        Scope {
            fields: key.row_key.as_ref().map(|row_key| &row_key.fields),
            field_names: &key.names,
            columns: &columns.columns,
            column_names: &columns.names,
            zoned,
        }
    }

    /// The field, unless a field of the key could not be read.
    pub(super) fn field(&self, id: FieldId) -> Option<&Field> {
        self.fields?.get(id)
    }
}

/// The declared type of a key field's values, or their default type.
pub(super) fn field_type(
    reader: &mut Reader<'_>,
    id: FieldId,
    given: Option<Spanned<DeclaredType>>,
    place: TypeUse,
    scope: &Scope<'_>,
) -> Option<DeclaredType> {
    let field = scope.field(id)?;
    let Some(given) = given else { return Some(default_type(&field.kind, place).into()) };
    let (message, label, help) = match conversion(field, &given.value, place) {
        Ok(form) if form.is_clock() && !scope.zoned => (
            format!("`{}` as {} is local time, but the schema has no time zone", field.name, given.value),
            "in which zone?".to_string(),
            "add `time_zone: …` to the schema, or write `type: bigint`".to_string(),
        ),
        Ok(_) => return Some(given.value),
        Err(mismatch) => {
            let what = if place == TypeUse::Partition { "partition column" } else { "key field" };
            let message =
                format!("{} cannot represent the values of the {what} `{}`", given.value, field.name);
            (message, mismatch.reason.to_string(), mismatch.help)
        }
    };
    let declared = scope.field_names.item(id);
    let fault = reader.fault(given.span, message, label).with_label(declared, "the values");
    reject_type(reader, fault, help)
}

/// Reports a type that cannot represent its values.
pub(super) fn reject_type<T>(reader: &mut Reader<'_>, fault: Diagnostic, help: String) -> Option<T> {
    reader.rejected(fault.with_kind(DiagnosticKind::Mismatch).with_help(help))
}
