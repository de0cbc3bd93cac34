//! `partition:` of the target table: key fields, parts of a time, columns and constants.

use super::columns::ColumnId;
use super::conversion::{
    DEFAULT_PARTITION, Mismatch, TypeUse, column_partition_type, constant, type_of_units, units_conversion,
};
use super::scope::{Scope, field_type, reject_type};
use super::value::{hive_name, spanned_type};
use crate::key::field::{FieldId, FieldKind};
use crate::key::read::{check_printed, time_pattern};
use saltplan_document::diag::{Span, Spanned};
use saltplan_document::format::{KeyRule, KeyTest, List, Misplaced, Text, ValueType};
use saltplan_document::mapping;
use saltplan_document::names::{Names, known_here};
use saltplan_document::reader::{FileValue, Reader};
use saltplan_document::wording::excerpt;
use saltplan_sql::hive_type::{DeclaredType, Type};
use saltplan_sql::time::pattern::{Granularity, TimePattern};

/// A partition column.
#[derive(Debug, Clone, PartialEq)]
pub struct PartitionColumn {
    pub name: String,
    pub value: PartitionValue,
    /// The Hive type: from the file, or the default of [`conversion`](super::conversion) for this kind of
    /// value.
    pub hive_type: DeclaredType,
}

/// What a partition column contains.
#[derive(Debug, Clone, PartialEq)]
pub enum PartitionValue {
    /// The value of a key field, in its stored text form.
    Field(FieldId),
    /// Units of the time in a key field, in local time.
    Part { field: FieldId, pattern: TimePattern },
    /// The same text for all rows.
    Constant(String),
    /// The value of a column.
    Column(ColumnId),
}

impl PartitionColumn {
    /// The key field that determines the value.
    pub fn field(&self) -> Option<FieldId> {
        match self.value {
            PartitionValue::Field(field) | PartitionValue::Part { field, .. } => Some(field),
            PartitionValue::Constant(_) | PartitionValue::Column(_) => None,
        }
    }

    /// Whether the value determines that of a key field.
    pub fn holds_all_of(&self, id: FieldId, kind: &FieldKind) -> bool {
        match (&self.value, kind) {
            (PartitionValue::Field(of), _) => *of == id,
            (PartitionValue::Part { field, pattern }, FieldKind::Calendar(calendar)) => {
                *field == id && pattern.sorted_units() == calendar.format.printed().sorted_units()
            }
            _ => false,
        }
    }
}

pub static PARTITIONS: List = List {
    item: ValueType::Either(&[ValueType::Text(Text::FieldName), ValueType::Map(&PartitionKeys::MAP)]),
    least: 0,
    most: 16,
    unique: false,
};

mapping! {
    /// A partition column with another name or type than its key field, or one that contains a part of a
    /// time, a column or a constant.
    pub keys PartitionKeys {
        /// Name of the partition column; without `of` and `value`, the name of the key field that it
        /// contains.
        NAME = required("name", ValueType::Text(Text::Name), "…");
        /// The key field or column that it contains, if it has another name.
        OF = optional("of", ValueType::Text(Text::FieldOrColumn), "opera_time");
        /// Units of a date or time that it contains, in Java's pattern letters: yyyyMMdd, or HH after a
        /// partition by day.
        FORMAT = optional("format", ValueType::Text(Text::TimeFormat), "yyyyMMdd");
        /// Constant text for all rows.
        VALUE = optional("value", ValueType::Text(Text::Any), "wx");
        /// Type of the partition column.
        TYPE = optional("type", ValueType::Text(Text::HiveType), "string");
    }
    cases: &[
        KeyRule::when(&[KeyTest::Has(&Self::VALUE)]).excludes(&[&Self::OF, &Self::FORMAT]),
        KeyRule::when(&[KeyTest::Lacks(&Self::OF)])
            .described("a partition without `of`")
            .refuses(&[&Self::FORMAT])
            .help("add `of: …` with the key field to format"),
    ];
    misplaced: &[
        Misplaced {
            name: "from",
            message: "a partition column uses `of`",
            label: "for target columns only",
            help: "write `of: opera_time`, for a time with a `format`",
        },
        Misplaced {
            name: "expr",
            message: "a partition column cannot be an expression: its values must be known from the predicate",
            label: "for target columns only",
            help: "write `of: …` with a key field or a column (for a time with a `format`), or a constant `value: …`",
        },
    ];
}

pub(super) fn partition_columns(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    scope: &Scope<'_>,
) -> Option<Vec<Spanned<PartitionColumn>>> {
    let items = value.items(reader)?;
    let limit = value.limit();
    if let Some(item) = items.get(limit) {
        let message = format!("more than {limit} partition columns");
        return reader.reject(
            item.span(),
            message,
            "the first one too many",
            "one or two are common: every value becomes a directory",
        );
    }
    let mut names = Names::new("partition column");
    let mut columns = Vec::new();
    for item in &items {
        let column = partition_column(reader, item, scope, &mut names);
        columns.extend(column);
    }
    let columns = (columns.len() == items.len()).then_some(columns)?;
    check_units(reader, &columns, scope)?;
    Some(columns)
}

/// `opera_day`, or a mapping.
fn partition_column(
    reader: &mut Reader<'_>,
    item: &FileValue<'_>,
    scope: &Scope<'_>,
    names: &mut Names<()>,
) -> Option<Spanned<PartitionColumn>> {
    if !item.is_mapping() {
        let name = item.text(reader)?;
        return key_field(reader, name, None, scope, names, item.span());
    }
    item.mapping(reader, |reader, fields| {
        let (name, of) = (fields.get(&PartitionKeys::NAME), fields.get(&PartitionKeys::OF));
        let (pattern, value) = (fields.get(&PartitionKeys::FORMAT), fields.get(&PartitionKeys::VALUE));
        let given = fields.optional(reader, &PartitionKeys::TYPE, spanned_type);
        fields.refuse(reader)?;
        if of.is_none() && value.is_none() {
            let name = name.and_then(|value| value.text(reader));
            return key_field(reader, name?, given?, scope, names, item.span());
        }
        let name = name.and_then(|value| hive_name(reader, &value));
        names.add(reader, name.clone(), None, item.span());
        let (value, hive_type) = match (of, value) {
            (Some(of), _) => {
                let source = source(reader, &of, scope);
                derived(reader, source?, pattern.as_ref(), given?, scope)?
            }
            (None, value) => constant_value(reader, &value?, given?)?,
        };
        let name = name?.value;
        Some(Spanned::new(PartitionColumn { name, value, hive_type }, item.span()))
    })
}

/// A key field under its own name.
fn key_field(
    reader: &mut Reader<'_>,
    name: Spanned<String>,
    given: Option<Spanned<DeclaredType>>,
    scope: &Scope<'_>,
    names: &mut Names<()>,
    item: Span,
) -> Option<Spanned<PartitionColumn>> {
    names.add(reader, Some(name.clone()), None, item);
    if scope.field_names.find(&name.value).is_none() && scope.column_names.find(&name.value).is_some() {
        let message = format!("`{}` is a column, not a key field", name.value);
        let fault = reader.fault(name.span, message, "not in the row key");
        let written = excerpt(&name.value);
        return reader.rejected(fault.with_help(format!("write `{{ name: {written}, of: {written} }}`")));
    }
    let field = scope.field_names.resolve(reader, &name);
    let hive_type = field_type(reader, field?, given, TypeUse::Partition, scope)?;
    let name = scope.field(field?)?.name.clone();
    Some(Spanned::new(PartitionColumn { name, value: PartitionValue::Field(field?), hive_type }, item))
}

enum PartitionSource {
    Field(FieldId),
    Column(ColumnId),
}

/// A key field or a column. They have different names unless they have the same value.
fn source(reader: &mut Reader<'_>, value: &FileValue<'_>, scope: &Scope<'_>) -> Option<PartitionSource> {
    let name = value.text(reader)?;
    if scope.field_names.find(&name.value).is_some() {
        return scope.field_names.resolve(reader, &name).map(PartitionSource::Field);
    }
    if scope.column_names.find(&name.value).is_some() {
        return scope.column_names.resolve(reader, &name).map(PartitionSource::Column);
    }
    if scope.field_names.is_partly_unread() || scope.column_names.is_partly_unread() {
        return None;
    }
    let message = format!("unknown key field or column `{}`", excerpt(&name.value));
    let fault = reader.fault(name.span, message, "no key field and no column has this name");
    let known: Vec<&str> = scope.field_names.all().chain(scope.column_names.all()).collect();
    let fault = fault.with_help(known_here(known.iter().copied()));
    let fault = reader.suggesting(fault, &name.value, known);
    reader.rejected(fault)
}

/// A key field, a part of it, or a column, and its type as a partition.
fn derived(
    reader: &mut Reader<'_>,
    source: PartitionSource,
    pattern: Option<&FileValue<'_>>,
    given: Option<Spanned<DeclaredType>>,
    scope: &Scope<'_>,
) -> Option<(PartitionValue, DeclaredType)> {
    match (source, pattern) {
        (PartitionSource::Field(field), None) => {
            let hive_type = field_type(reader, field, given, TypeUse::Partition, scope)?;
            Some((PartitionValue::Field(field), hive_type))
        }
        (PartitionSource::Field(field), Some(value)) => {
            let pattern = time_pattern(reader, value);
            let declared = (scope.field(field)?, scope.field_names.item(field));
            let help = "remove `format`: the partition contains the whole value";
            let pattern = pattern?;
            check_printed(reader, value, &pattern, declared, scope.zoned, help)?;
            let hive_type = match given {
                None => type_of_units(&pattern).into(),
                Some(given) => match units_conversion(&pattern, &given.value) {
                    Ok(_) => given.value,
                    Err(mismatch) => return unfit(reader, &given, pattern.text(), mismatch, value.span()),
                },
            };
            Some((PartitionValue::Part { field, pattern }, hive_type))
        }
        (PartitionSource::Column(column), Some(value)) => {
            let message =
                format!("`{}` is a column, which cannot be formatted", scope.columns.get(column)?.name);
            let fault = reader.fault(value.key_span(), message, "has no format");
            let declared = scope.column_names.item(column);
            let fault = fault.with_label(declared, "declared here");
            reader.rejected(fault.with_help("remove `format`, or use a time of the row key"))
        }
        (PartitionSource::Column(column), None) => {
            Some((PartitionValue::Column(column), column_type(reader, column, given, scope)?))
        }
    }
}

/// The declared type of a partition with the values of a column, or the column's own type.
fn column_type(
    reader: &mut Reader<'_>,
    id: ColumnId,
    given: Option<Spanned<DeclaredType>>,
    scope: &Scope<'_>,
) -> Option<DeclaredType> {
    let column = scope.columns.get(id)?;
    let declared = scope.column_names.item(id);
    let own = match column_partition_type(&column.hive_type) {
        Ok(own) => own,
        Err(mismatch) => {
            let message = format!("a column of type {} cannot be a partition", column.hive_type);
            let fault = reader.fault(declared, message, mismatch.reason.to_string());
            return reject_type(reader, fault, mismatch.help);
        }
    };
    match given {
        Some(given) if given.value == own || given.value == Type::String => Some(given.value),
        Some(given) => {
            let message = format!("{} cannot represent the values of `{}`", given.value, column.name);
            let fault = reader.fault(given.span, message, "another type").with_label(declared, "the values");
            reject_type(reader, fault, format!("write `type: {own}`"))
        }
        None => Some(own),
    }
}

fn constant_value(
    reader: &mut Reader<'_>,
    value: &FileValue<'_>,
    given: Option<Spanned<DeclaredType>>,
) -> Option<(PartitionValue, DeclaredType)> {
    let text = value.text(reader)?;
    if text.value.is_empty() || text.value == DEFAULT_PARTITION {
        let message = match text.value.as_str() {
            "" => "an empty text cannot be the name of a partition".to_string(),
            name => format!("`{name}` cannot be the name of a partition"),
        };
        let label = format!("Hive uses `{DEFAULT_PARTITION}` instead");
        return reader.reject(
            text.span,
            message,
            label,
            "write a text that is not empty, such as `value: wx`",
        );
    }
    let Some(given) = given else {
        return Some((PartitionValue::Constant(text.value), Type::String.into()));
    };
    match constant(&text.value, &given.value) {
        Ok(shown) => Some((PartitionValue::Constant(shown), given.value)),
        Err(mismatch) => unfit(reader, &given, &text.value, mismatch, text.span),
    }
}

fn unfit<T>(
    reader: &mut Reader<'_>,
    given: &Spanned<DeclaredType>,
    what: &str,
    mismatch: Mismatch,
    values: Span,
) -> Option<T> {
    let message = format!("{} cannot represent `{}`", given.value, excerpt(what));
    let fault =
        reader.fault(given.span, message, mismatch.reason.to_string()).with_label(values, "the values");
    reject_type(reader, fault, mismatch.help)
}

/// The partition columns of one time must identify a unit together: an hour without its day would be the same
/// every day.
fn check_units(
    reader: &mut Reader<'_>,
    columns: &[Spanned<PartitionColumn>],
    scope: &Scope<'_>,
) -> Option<()> {
    let mut clean = Some(());
    for column in columns {
        let PartitionValue::Part { field, pattern } = &column.value.value else { continue };
        let mut units = Vec::new();
        for other in columns {
            match &other.value.value {
                PartitionValue::Part { field: of, pattern } if of == field => units.extend(pattern.units()),
                PartitionValue::Field(of) if of == field => match scope.field(*of).map(|field| &field.kind) {
                    Some(FieldKind::Calendar(calendar)) => units.extend(calendar.format.printed().units()),
                    // For an instant, all units are known.
                    _ => units.extend(Granularity::ALL),
                },
                _ => {}
            }
        }
        let coarser = Granularity::ALL.into_iter().filter(|unit| Some(*unit) < pattern.units().max());
        let Some(missing) = coarser.into_iter().find(|unit| !units.contains(unit)) else { continue };
        let of = scope.field(*field).map_or("…", |field| field.name.as_str());
        let message = format!(
            "`{}` of `{of}` is ambiguous: no partition contains the {}",
            pattern.text(),
            missing.word()
        );
        let fault = reader.fault(column.span, message, format!("of which {}?", missing.word()));
        reader.report(fault.with_help(format!(
            "add a partition with it in front, such as `{{ name: dt, of: {of}, format: {} }}`, or add it to this format",
            missing.digits()
        )));
        clean = None;
    }
    clean
}
