//! The statements that create the tables of a schema.

use serde::Serialize;

use crate::hbase::phoenix;
use crate::hbase::shell::{bytes_literal, string_literal};
use crate::hive::logical;
use crate::hive::text::table_name;
use crate::refusal::Refusal;
use crate::render::size::Room;
use crate::render::statements::Script;
use crate::render::templates::Templates;
use crate::render::{RenderError, check_mapped_columns, check_target_columns, mapping_of};
use crate::schema::Places;
use crate::schema::attributes::{AttributesOf, ShellName};
use crate::schema::model::{AttributeValue, Family, HbaseTable, Schema, TargetColumn};
use crate::schema::property::{self, SchemaProperty};
use saltplan_sql::literal;
use saltplan_sql::statement::{
    ColumnDefinition, CreateTable, Identifier, Property, Statement, Storage, TableName,
};

#[derive(Debug, Serialize)]
struct HbaseContext {
    namespace: Option<String>,
    /// A regular expression that matches only the namespace.
    namespace_pattern: Option<String>,
    table: String,
    /// The attributes of the table as a Ruby hash; absent if it has none.
    attributes: Option<String>,
    /// A Ruby hash for each family.
    families: Vec<String>,
    /// Quoted split keys; empty for a table of one region.
    splits: Vec<String>,
    /// Whether an existing table is kept.
    if_not_exists: bool,
}

#[derive(Debug, Serialize)]
struct HiveContext {
    /// Quoted database, absent when the table's name has none.
    database: Option<Identifier>,
    table: TableName,
    external: bool,
    /// Class of the storage handler, quoted.
    handler: String,
    columns: Vec<ColumnDefinition>,
    partition: Vec<ColumnDefinition>,
    /// Value of `hbase.columns.mapping`, quoted.
    columns_mapping: String,
    /// `('hbase.columns.mapping' = …)`, empty for a table of Hive's own.
    serde_properties: String,
    /// Value of `hbase.table.name`, quoted.
    hbase_table: String,
    /// `'name' = 'value'` for each other property of the table.
    more_properties: Vec<String>,
    stored_as: String,
}

impl HiveContext {
    fn print(
        &self,
        template: &'static str,
        storage: Storage,
        templates: &Templates,
    ) -> Result<String, RenderError> {
        let table = Statement::CreateTable(CreateTable {
            name: self.table.clone(),
            external: self.external,
            columns: self.columns.clone(),
            partitioned_by: self.partition.clone(),
            storage,
        });
        let database = self.database.clone().map(Statement::CreateDatabase);
        let statements: Vec<Statement> = database.into_iter().chain([table]).collect();
        Script { template, header: &[], statements: &statements }.print(self, templates)
    }
}

/// What a schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DdlTable {
    Hbase,
    Mapping,
    View,
    Target,
    /// A view of Apache Phoenix, printed only on request.
    Phoenix,
}

impl DdlTable {
    /// The sign that begins a comment.
    pub fn comment(self) -> &'static str {
        if self == DdlTable::Hbase { "#" } else { "--" }
    }

    fn title(self) -> &'static str {
        match self {
            DdlTable::Hbase => "HBase shell",
            DdlTable::Mapping => "Hive mapping table",
            DdlTable::View => "Hive view of the logical table",
            DdlTable::Target => "Hive target table",
            DdlTable::Phoenix => "Phoenix view over the HBase table",
        }
    }
}

/// The parts that a schema has.
pub fn parts_of(schema: &Schema) -> Vec<DdlTable> {
    let mut parts = vec![DdlTable::Hbase];
    parts.extend(schema.mapping().map(|_| DdlTable::Mapping));
    parts.extend(schema.hive.as_ref().and_then(|hive| hive.view.as_ref()).map(|_| DdlTable::View));
    parts.extend(schema.target().map(|_| DdlTable::Target));
    parts
}

/// Several parts, one after the other, of at most `max_bytes` in all.
///
/// # Errors
/// The schema lacks one of them, the text is longer, or a template cannot be filled in.
pub fn all(
    schema: &Schema,
    places: &Places,
    parts: &[DdlTable],
    split_keys: &[Vec<u8>],
    if_not_exists: bool,
    max_bytes: usize,
    templates: &Templates,
) -> Result<String, RenderError> {
    if parts.contains(&DdlTable::Hbase) {
        let bytes: usize = split_keys.iter().map(|key| key.len() + "'', ".len()).sum();
        Room::new(max_bytes).take(bytes, bytes)?;
    }
    let mut room = Room::new(max_bytes);
    let mut texts = Vec::with_capacity(parts.len());
    for part in parts {
        let text = match part {
            DdlTable::Hbase => hbase(schema, split_keys, if_not_exists, templates)?,
            DdlTable::Mapping => mapping(schema, places, templates)?,
            DdlTable::View => logical::view(schema, templates)?,
            DdlTable::Target => target(schema, templates)?,
            DdlTable::Phoenix => phoenix::view(schema)?,
        };
        // The parts are for different programs: a comment says where each begins.
        let text = match parts.len() {
            1 => text,
            _ => format!("{} {}\n{text}", part.comment(), part.title()),
        };
        let break_before = usize::from(!texts.is_empty());
        room.take(text.len() + break_before, 0)?;
        texts.push(text);
    }
    Ok(texts.join("\n"))
}

/// HBase shell commands that create the namespace if it is missing, and the table with its split keys. With `if_not_exists` an
/// existing table is kept.
///
/// # Errors
/// A template that cannot be filled in.
pub fn hbase(
    schema: &Schema,
    split_keys: &[Vec<u8>],
    if_not_exists: bool,
    templates: &Templates,
) -> Result<String, RenderError> {
    let table = &schema.hbase;
    let context = HbaseContext {
        namespace: table.namespace.as_deref().map(string_literal),
        namespace_pattern: table.namespace.as_deref().map(|name| string_literal(&format!("^{name}$"))),
        table: string_literal(&table.full_name()),
        attributes: table_attributes(table),
        families: table.families.iter().map(family).collect(),
        splits: split_keys.iter().map(|key| bytes_literal(key)).collect(),
        if_not_exists,
    };
    Ok(templates.render("hbase/create.rb", &context)?)
}

/// A family as a Ruby hash.
pub fn family(family: &Family) -> String {
    let name = format!("NAME => {}", string_literal(&family.name));
    let members: Vec<String> =
        [name].into_iter().chain(members(AttributesOf::Family, &family.attributes)).collect();
    format!("{{{}}}", members.join(", "))
}

/// The attributes and the metadata of a table as a Ruby hash; `None` if it has none.
pub fn table_attributes(table: &HbaseTable) -> Option<String> {
    let mut members = members(AttributesOf::Table, &table.attributes);
    let metadata = table.metadata.iter().map(|(name, value)| pair(name, value));
    members.extend(nested("METADATA", metadata.collect()));
    (!members.is_empty()).then(|| format!("{{{}}}", members.join(", ")))
}

/// Attributes as members of a Ruby hash. HBase settings are in a nested hash, with texts as values.
fn members(of: AttributesOf, attributes: &[(String, AttributeValue)]) -> Vec<String> {
    let mut members = Vec::new();
    let mut settings = Vec::new();
    for (name, value) in attributes {
        match ShellName::of(of, name) {
            ShellName::Constant(constant) => members.push(format!("{constant} => {}", shell_value(value))),
            ShellName::Setting(name) => settings.push(pair(name, &value.text())),
        }
    }
    members.extend(nested("CONFIGURATION", settings));
    members
}

fn pair(name: &str, value: &str) -> String {
    format!("{} => {}", string_literal(name), string_literal(value))
}

fn nested(constant: &str, pairs: Vec<String>) -> Option<String> {
    (!pairs.is_empty()).then(|| format!("{constant} => {{{}}}", pairs.join(", ")))
}

fn shell_value(value: &AttributeValue) -> String {
    match value {
        AttributeValue::Text(text) => string_literal(text),
        AttributeValue::Number(_) | AttributeValue::Bool(_) => value.text(),
    }
}

/// The external Hive table on the HBase table.
///
/// # Errors
/// No mapping table is declared, the schema is too long for a property of the table, or a template cannot be filled in.
pub fn mapping(schema: &Schema, places: &Places, templates: &Templates) -> Result<String, RenderError> {
    let mapping = mapping_of(schema).map_err(|_| Refusal::NoPart { part: "hive.mapping" })?;
    check_mapped_columns(schema)?;
    let mut columns =
        vec![ColumnDefinition { name: Identifier::new(&mapping.key_column), hive_type: "string".into() }];
    let mut columns_mapping = vec![":key".to_string()];
    for column in &schema.columns {
        columns.push(ColumnDefinition {
            name: Identifier::new(&column.name),
            hive_type: column.hive_type.to_string(),
        });
        columns_mapping.push(format!("{}:{}{}", column.family, column.qualifier, column.storage_type()));
    }
    let columns_mapping = columns_mapping.join(",");
    let named = |name: &str, value: String| Property { name: name.to_string(), value };
    let handler = mapping.storage_handler();
    let serde_property = named("hbase.columns.mapping", columns_mapping);
    let hbase_table = schema.hbase.full_name();
    let mut more_properties = Vec::new();
    if mapping.planned {
        let SchemaProperty { text, digest } = SchemaProperty::of(schema, places)?;
        more_properties = vec![named(property::SCHEMA, text), named(property::DIGEST, digest)];
    }
    if mapping.refuse_full_scans {
        more_properties.push(named(property::FULL_SCAN, property::REFUSE.to_string()));
    }
    let context = HiveContext {
        database: mapping.table.database.as_ref().map(Identifier::new),
        table: table_name(&mapping.table),
        external: mapping.external,
        handler: literal(handler),
        columns,
        partition: Vec::new(),
        serde_properties: serde_property.to_string(),
        columns_mapping: literal(&serde_property.value),
        hbase_table: literal(&hbase_table),
        more_properties: more_properties.iter().map(Property::unbracketed).collect(),
        stored_as: String::new(),
    };
    let mut table_properties = vec![named("hbase.table.name", hbase_table)];
    table_properties.extend(more_properties);
    let storage = Storage::Handler { class: handler.to_string(), serde_property, table_properties };
    context.print("hive/mapping.sql", storage, templates)
}

/// The Hive table that the query fills.
///
/// # Errors
/// No target table is declared, or a template cannot be filled in.
pub fn target(schema: &Schema, templates: &Templates) -> Result<String, RenderError> {
    let target = schema.target();
    let target = target.ok_or(Refusal::NoPart { part: "hive.target" })?;
    check_target_columns(target)?;
    let columns = target.columns.iter().map(target_column).collect::<Result<Vec<_>, _>>()?;
    let partition = target.partition.iter().map(|column| ColumnDefinition {
        name: Identifier::new(&column.name),
        hive_type: column.hive_type.to_string(),
    });
    let context = HiveContext {
        database: target.table.database.as_ref().map(Identifier::new),
        table: table_name(&target.table),
        external: false,
        handler: String::new(),
        columns,
        partition: partition.collect(),
        columns_mapping: String::new(),
        serde_properties: String::new(),
        hbase_table: String::new(),
        more_properties: Vec::new(),
        stored_as: target.stored_as.to_uppercase(),
    };
    let storage = Storage::Format(context.stored_as.clone());
    context.print("hive/target.sql", storage, templates)
}

fn target_column(column: &TargetColumn) -> Result<ColumnDefinition, Refusal> {
    let hive_type =
        column.hive_type.as_ref().ok_or_else(|| Refusal::UnknownType { column: column.name.clone() })?;
    Ok(ColumnDefinition { name: Identifier::new(&column.name), hive_type: hive_type.to_string() })
}
