//! `hive: target:`, the table that an INSERT OVERWRITE fills.

use super::columns::ColumnId;
use super::conversion::{TypeUse, default_type};
use super::hive::HiveTableName;
use super::partition::{PARTITIONS, PartitionColumn, partition_columns};
use super::scope::{Scope, field_type, reject_type};
use super::value::{hive_name, spanned_type};
use crate::key::field::{Field, FieldId};
use crate::key::id::IdVec;
use saltplan_document::diag::{Source, Span, Spanned};
use saltplan_document::format::{Choice, KeyRule, KeyTest, List, Text, ValueType, word};
use saltplan_document::mapping;
use saltplan_document::names::Names;
use saltplan_document::reader::{Fields, FileValue, Reader};
use saltplan_sql::hive_type::DeclaredType;
use saltplan_sql::{self, Expression};

/// The Hive target table.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetTable {
    pub table: HiveTableName,
    pub partition: Vec<PartitionColumn>,
    /// The storage format, such as `orc`.
    pub stored_as: String,
    pub columns: Vec<TargetColumn>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct TargetColumn {
    pub name: String,
    pub value: TargetValue,
    /// The Hive type in the target's DDL; `None` for an expression without a declared type.
    pub hive_type: Option<DeclaredType>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum TargetValue {
    Column(ColumnId),
    /// Decoded from the row key.
    KeyField(FieldId),
    /// A Hive expression over the columns of the mapping table, passed through.
    Expression(Expression),
}

/// The storage formats that need no class names.
pub static FORMATS: Choice<&str> = Choice(&[
    word("orc", "orc", ""),
    word("parquet", "parquet", ""),
    word("textfile", "textfile", ""),
    word("sequencefile", "sequencefile", ""),
    word("rcfile", "rcfile", ""),
    word("avro", "avro", ""),
    word("jsonfile", "jsonfile", ""),
]);

static COLUMNS: List = List {
    item: ValueType::Either(&[ValueType::Text(Text::ColumnName), ValueType::Map(&TargetColumnKeys::MAP)]),
    least: 1,
    most: 4_096,
    unique: false,
};

mapping! {
    /// The Hive table to insert into.
    #[derive(Debug)]
    pub parts struct TargetKeys(scope: &Scope<'_>) {
        /// Table with its database, `database.table`.
        table: HiveTableName = TABLE, required("table", ValueType::Text(Text::HiveTable), "db.name");
        /// Partition columns: names of key fields, or mappings as described below.
        partition: Vec<Spanned<PartitionColumn>>
            = PARTITION, default("partition", ValueType::List(&PARTITIONS), "[]")
            by |reader, value| partition_columns(reader, value, scope);
        /// Storage format.
        stored_as: &'static str = STORED_AS, default("stored_as", ValueType::Words(&FORMATS), "orc")
            by |reader, value| value.word(reader);
        /// Columns to insert; by default the key fields that are not partition columns, and all columns.
        columns: Option<Vec<TargetColumn>> = COLUMNS, optional("columns", ValueType::List(&COLUMNS), "[a, b]")
            by |reader, value| target_columns(reader, value, scope, partition.as_deref().unwrap_or_default());
    }
}

impl TargetTable {
    pub(super) fn read(reader: &mut Reader<'_>, value: &FileValue<'_>, scope: &Scope<'_>) -> Option<Self> {
        value.mapping(reader, |reader, fields| {
            let keys = TargetKeys::parts(reader, fields, scope);
            let partition = keys.partition?;
            let columns = keys.columns?.unwrap_or_else(|| all_columns(scope, &partition));
            let partition = partition.into_iter().map(|column| column.value).collect();
            Some(TargetTable {
                table: keys.table?,
                partition,
                stored_as: keys.stored_as?.to_string(),
                columns,
            })
        })
    }
}

mapping! {
    /// A column with another name, decoded from the row key, or computed.
    #[derive(Debug)]
    pub parts struct TargetColumnKeys(scope: &Scope<'_>) {
        /// Name of the column in the target.
        name: Spanned<String> = NAME, required("name", ValueType::Text(Text::Name), "…") by hive_name;
        /// `key.<field>`, decoded from the row key, or the name of a column.
        from: Option<TargetValue> = FROM, optional("from", ValueType::Text(Text::Origin), "key.day")
            by |reader, value| source_of(reader, value, scope);
        /// Hive expression over the columns of the mapping table.
        expr: Option<Expression> = EXPR, optional("expr", ValueType::Text(Text::Expression), "'upper(name)'")
            by expression;
        /// Type of the column; needed for an `expr`.
        hive_type: Option<Spanned<DeclaredType>> = TYPE, optional("type", ValueType::Text(Text::HiveType), "string")
            by spanned_type;
    }
    cases: &[
        KeyRule::when(&[KeyTest::Has(&Self::FROM)]).excludes(&[&Self::EXPR]),
        KeyRule::when(&[KeyTest::Lacks(&Self::FROM)]).needs(&[&Self::EXPR]),
    ];
}

/// The columns of the logical table, except those that are partition columns.
fn all_columns(scope: &Scope<'_>, partition: &[Spanned<PartitionColumn>]) -> Vec<TargetColumn> {
    let taken = |name: &str| partition.iter().any(|column| column.value.name.eq_ignore_ascii_case(name));
    let is_partition =
        |id, field: &Field| partition.iter().any(|column| column.value.holds_all_of(id, &field.kind));
    let fields = scope.fields.into_iter().flat_map(IdVec::entries);
    let fields =
        fields.filter(|(id, field)| field.stored && !taken(&field.name) && !is_partition(*id, field));
    let fields = fields.map(|(id, field)| TargetColumn {
        name: field.name.clone(),
        value: TargetValue::KeyField(id),
        hive_type: Some(default_type(&field.kind, TypeUse::Column).into()),
    });
    let columns = scope.columns.entries().filter(|(_, column)| !taken(&column.name));
    let columns = columns.map(|(id, column)| TargetColumn {
        name: column.name.clone(),
        value: TargetValue::Column(id),
        hive_type: Some(column.hive_type.clone()),
    });
    fields.chain(columns).collect()
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
    let TargetColumnKeys { name, from, expr, hive_type } = TargetColumnKeys::parts(reader, fields, scope);
    *name_found = name;
    let given = hive_type?;
    fields.refuse(reader)?;
    let target = match (from, expr) {
        (Some(Some(from)), _) => from,
        (Some(None), Some(Some(expr))) => TargetValue::Expression(expr),
        (Some(None), Some(None)) => {
            let help = "add `from: key.<field>`, `from: <column>` or `expr: '…'`";
            return fields.incomplete(reader, "a derived column needs `from` or `expr`", help);
        }
        _ => return None,
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
    given: Option<Spanned<DeclaredType>>,
    scope: &Scope<'_>,
) -> Option<DeclaredType> {
    let column = scope.columns.get(id)?;
    let Some(given) = given else { return Some(column.hive_type.clone()) };
    let nested = given.value.is_nested() || column.hive_type.is_nested();
    if !nested || given.value == column.hive_type {
        return Some(given.value);
    }
    let message = format!("Hive does not convert {} to {}", column.hive_type, given.value);
    let declared = scope.column_names.item(id);
    let fault = reader.fault(given.span, message, "another type").with_label(declared, "the values");
    let help = format!("write `type: '{}'`, or convert it with an `expr`", column.hive_type);
    reject_type(reader, fault, help)
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
        return reader.rejected(fault.with_help("also store the value in a column, and select that column"));
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
        return reader
            .rejected(fault.with_help(format!("write `{{ name: {0}, from: key.{0} }}`", field.value)));
    }
    scope.column_names.resolve(reader, name)
}

fn expression(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Expression> {
    let text = value.text(reader)?;
    if text.value.trim().is_empty() {
        return reader.reject(text.span, "`expr` is empty", "no expression", "write `expr: 'upper(name)'`");
    }
    match saltplan_sql::expression(&Source::new("expr", text.value.as_str())) {
        Ok(expression) => Some(expression),
        Err(error) => reader.rejected(reader.inside(error, &text)),
    }
}
