//! Reads `hive:`, the mapping table and the target table.

use super::columns::ReadColumns;
use super::key::ReadKey;
use super::partition::partition_columns;
use super::scope::{Scope, field_type, report_misfit, spanned_type};
use super::value::hive_name;
use crate::diag::{Source, Span, Spanned};
use crate::document::names::Names;
use crate::document::reader::{Fields, optional};
use crate::document::reader::{FileValue, Reader};
use crate::document::wording::excerpt;
use crate::hiveql::{self, Expression};
use crate::schema::conversion::{HiveType, TypeUse, hive_type, is_same_type};
use crate::schema::format::hive::{self as format, target_column};
use crate::schema::model::{
    ColumnId, Hive, HiveTableName, MappingTable, PartitionColumn, TargetColumn, TargetTable, TargetValue,
};
use crate::schema::names;

pub fn hive(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    key: &ReadKey,
    columns: &ReadColumns,
    zoned: bool,
) -> Option<Hive> {
    let fields = key.row_key.as_ref().map(|row_key| &row_key.fields);
    let scope = Scope {
        fields,
        field_names: &key.names,
        columns: &columns.columns,
        column_names: &columns.names,
        zoned,
    };
    value.mapping(reader, |reader, fields| {
        let engine = fields.get(&format::ENGINE);
        let (mapping, target) = (fields.get(&format::MAPPING), fields.get(&format::TARGET));
        let view = fields.get(&format::VIEW);
        let engine = optional(engine, |value| value.word(reader, &format::ENGINES));
        let mapping = optional(mapping, |value| self::mapping(reader, value, &scope));
        let view = optional(view, |value| table_name(reader, value));
        let target = optional(target, |value| self::target(reader, value, &scope));
        Some(Hive { engine: engine?, mapping: mapping?, view: view?, target: target? })
    })
}

fn mapping(reader: &mut Reader<'_>, value: &FileValue<'_>, scope: &Scope<'_>) -> Option<MappingTable> {
    value.mapping(reader, |reader, fields| {
        let table = fields.get(&format::mapping::TABLE);
        let key_column = fields.get(&format::mapping::KEY_COLUMN);
        let external = fields.get(&format::mapping::EXTERNAL);
        let one_scan = fields.get(&format::mapping::ONE_SCAN);
        let table = table.and_then(|value| table_name(reader, &value));
        let key_column = key_column.and_then(|value| key_column_name(reader, &value, scope));
        let external = optional(external, |value| value.flag(reader));
        let one_scan = optional(one_scan, |value| value.flag(reader));
        let (table, key_column) = (table?, key_column?);
        Some(MappingTable {
            table,
            key_column: key_column.value,
            external: external?.unwrap_or_else(|| format::mapping::EXTERNAL.default_flag()),
            one_scan: one_scan?.unwrap_or_else(|| format::mapping::ONE_SCAN.default_flag()),
        })
    })
}

/// The key column must have a unique name, otherwise a condition on it would be ambiguous.
fn key_column_name(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    scope: &Scope<'_>,
) -> Option<Spanned<String>> {
    let name = hive_name(reader, value)?;
    let column = scope.column_names.find(&name.value).map(|taken| (taken, "a column"));
    let taken = column.or_else(|| scope.field_names.find(&name.value).map(|taken| (taken, "a key field")));
    if let Some((taken, what)) = taken {
        let message = format!("`{}` is both the key column and {what}", name.value);
        let fault = reader.fault(name.span, message, "the whole row key").with_label(taken.span, what);
        reader.report(fault.with_help("give the key column another name, such as `rowkey`"));
        return None;
    }
    Some(name)
}

/// `db.table` or `table`.
fn table_name(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<HiveTableName> {
    let text = value.text(reader)?;
    let (database, table) = match text.value.split_once('.') {
        Some((database, table)) => (Some(database), table),
        None => (None, text.value.as_str()),
    };
    for part in database.into_iter().chain([table]) {
        if let Err(reason) = names::hive_name(part) {
            let message = format!("`{}` is not the name of a Hive table", excerpt(&text.value));
            reader.error(
                text.span,
                message,
                reason.to_string(),
                "write `database.table` with letters, digits and `_`",
            );
            return None;
        }
    }
    Some(HiveTableName { database: database.map(str::to_string), table: table.to_string() })
}

fn target(reader: &mut Reader<'_>, value: &FileValue<'_>, scope: &Scope<'_>) -> Option<TargetTable> {
    value.mapping(reader, |reader, fields| {
        let table = fields.get(&format::target::TABLE);
        let partition = fields.get(&format::target::PARTITION);
        let stored_as = fields.get(&format::target::STORED_AS);
        let columns = fields.get(&format::target::COLUMNS);
        let table = table.and_then(|value| table_name(reader, &value));
        let partition = optional(partition, |value| partition_columns(reader, value, scope));
        let stored_as = optional(stored_as, |value| value.word(reader, &format::target::FORMATS));
        let taken = partition.as_ref().and_then(Option::as_deref).unwrap_or_default();
        let columns = optional(columns, |value| target_columns(reader, value, scope, taken));
        let columns = columns.map(|listed| listed.unwrap_or_else(|| all_columns(scope, taken)));
        let stored_as =
            stored_as?.or_else(|| format::target::STORED_AS.default_word(&format::target::FORMATS))?;
        let (table, partition) = (table?, partition?.unwrap_or_default());
        let partition = partition.into_iter().map(|column| column.value).collect();
        Some(TargetTable { table, partition, stored_as: stored_as.to_string(), columns: columns? })
    })
}

/// Every column, except those that are partition columns.
fn all_columns(scope: &Scope<'_>, partition: &[Spanned<PartitionColumn>]) -> Vec<TargetColumn> {
    let taken = |name: &str| partition.iter().any(|column| column.value.name.eq_ignore_ascii_case(name));
    let columns = scope.columns.entries().filter(|(_, column)| !taken(&column.name));
    columns
        .map(|(id, column)| TargetColumn {
            name: column.name.clone(),
            value: TargetValue::Column(id),
            hive_type: Some(column.hive_type.clone()),
        })
        .collect()
}

fn target_columns(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    scope: &Scope<'_>,
    partition: &[Spanned<PartitionColumn>],
) -> Option<Vec<TargetColumn>> {
    let items = value.some_items(reader, "add a column, or remove this key to get all columns")?;
    let mut names: Names<()> = Names::new("target column");
    let mut columns = Vec::new();
    for item in &items {
        let mut name = None;
        let column = target_column(reader, item, scope, &mut name);
        if let Some(name) = &name {
            refuse_partition_name(reader, name, partition);
        }
        names.add(reader, name, None, item.span());
        columns.extend(column);
    }
    (columns.len() == items.len()).then_some(columns)
}

fn refuse_partition_name(
    reader: &mut Reader<'_>,
    name: &Spanned<String>,
    partition: &[Spanned<PartitionColumn>],
) {
    let same = |column: &&Spanned<PartitionColumn>| column.value.name.eq_ignore_ascii_case(&name.value);
    if let Some(column) = partition.iter().find(same) {
        let message = format!("`{}` is already a partition column", name.value);
        let fault = reader
            .fault(name.span, message, "given again here")
            .with_label(column.span, "the partition column");
        reader.report(fault.with_help("remove it from `columns`: Hive adds partition columns itself"));
    }
}

/// `tel`, or a mapping with `from` or `expr`.
fn target_column(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    scope: &Scope<'_>,
    name_found: &mut Option<Spanned<String>>,
) -> Option<TargetColumn> {
    if value.is_mapping() {
        return value.mapping(reader, |reader, fields| derived_column(reader, fields, scope, name_found));
    }
    let name = value.text(reader)?;
    *name_found = Some(name.clone());
    let id = column_id(reader, &name, scope)?;
    let column = scope.columns.get(id)?;
    Some(TargetColumn {
        name: column.name.clone(),
        value: TargetValue::Column(id),
        hive_type: Some(column.hive_type.clone()),
    })
}

fn derived_column(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    scope: &Scope<'_>,
    name_found: &mut Option<Spanned<String>>,
) -> Option<TargetColumn> {
    let name = fields.get(&target_column::NAME);
    let (from, expr) = (fields.get(&target_column::FROM), fields.get(&target_column::EXPR));
    let given = fields.get(&target_column::TYPE);
    let owner = fields.owner();
    *name_found = name.and_then(|value| hive_name(reader, &value));
    let given = optional(given, |value| spanned_type(reader, value))?;
    fields.refuse(reader)?;
    let target = match (from, expr) {
        (Some(from), _) => source_of(reader, &from, scope)?,
        (None, Some(expr)) => TargetValue::Expression(expression(reader, &expr)?),
        (None, None) => {
            reader.error(
                owner.key_span(),
                "a derived column needs `from` or `expr`",
                "incomplete",
                "add `from: key.<field>`, `from: <column>` or `expr: '…'`",
            );
            return None;
        }
    };
    let name = name_found.as_ref()?.value.clone();
    let hive_type = match &target {
        TargetValue::KeyField(id) => Some(field_type(reader, *id, given, TypeUse::Column, scope)?),
        TargetValue::Column(id) => Some(column_type(reader, *id, given, scope)?),
        TargetValue::Expression(_) => given.map(|given| given.value),
    };
    Some(TargetColumn { name, value: target, hive_type })
}

/// The declared type for the values of a column, or their own type. Hive converts simple types only.
fn column_type(
    reader: &mut Reader<'_>,
    id: ColumnId,
    given: Option<Spanned<String>>,
    scope: &Scope<'_>,
) -> Option<String> {
    let column = scope.columns.get(id)?;
    let Some(given) = given else { return Some(column.hive_type.clone()) };
    let is_nested = |text: &str| hive_type(text) == Some(HiveType::Nested);
    let nested = is_nested(&given.value) || is_nested(&column.hive_type);
    if !nested || is_same_type(&given.value, &column.hive_type) {
        return Some(given.value);
    }
    let message = format!("Hive does not convert {} to {}", column.hive_type, given.value);
    let declared = scope.column_names.item(id);
    let fault = reader.fault(given.span, message, "another type").with_label(declared, "the values");
    let help = format!("write `type: '{}'`, or convert it with an `expr`", column.hive_type);
    report_misfit(reader, fault, help);
    None
}

/// `key.<field>` or the name of a column.
fn source_of(reader: &mut Reader<'_>, value: &FileValue<'_>, scope: &Scope<'_>) -> Option<TargetValue> {
    let text = value.text(reader)?;
    let Some(name) = text.value.strip_prefix("key.") else {
        return column_id(reader, &text, scope).map(TargetValue::Column);
    };
    let place = Span::new(text.span.end - name.len().min(text.span.end), text.span.end);
    let place = if value.is_plain() { place } else { text.span };
    let id = scope.field_names.resolve(reader, &Spanned::new(name.to_string(), place))?;
    let field = scope.field(id)?;
    if !field.stored {
        let message = format!("`{}` is not stored in the row key", field.name);
        let declared = scope.field_names.item(id);
        let fault = reader.fault(text.span, message, "cannot be decoded").with_label(declared, "not stored");
        reader.report(fault.with_help("also store the value in a column, and select that column"));
        return None;
    }
    Some(TargetValue::KeyField(id))
}

/// The named column. For a key field, the error says how to write it.
fn column_id(reader: &mut Reader<'_>, name: &Spanned<String>, scope: &Scope<'_>) -> Option<ColumnId> {
    if scope.column_names.find(&name.value).is_none()
        && let Some(field) = scope.field_names.find(&name.value)
    {
        let message = format!("`{}` is a key field, not a column", name.value);
        let fault =
            reader.fault(name.span, message, "not in `columns`").with_label(field.span, "the key field");
        reader.report(fault.with_help(format!("write `{{ name: {0}, from: key.{0} }}`", field.value)));
        return None;
    }
    scope.column_names.resolve(reader, name)
}

fn expression(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Expression> {
    let text = value.text(reader)?;
    if text.value.trim().is_empty() {
        reader.error(text.span, "`expr` is empty", "no expression", "write `expr: 'upper(name)'`");
        return None;
    }
    match hiveql::expression(&Source::new("expr", text.value.as_str())) {
        Ok(expression) => Some(expression),
        Err(error) => {
            reader.report(reader.inside(error, &text));
            None
        }
    }
}
