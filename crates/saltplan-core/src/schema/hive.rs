//! `hive:`, the engine, the mapping table and the view.

use std::fmt;

use super::names::{self, NameFault};
use super::scope::Scope;
use super::target::{TargetKeys, TargetTable};
use super::value::hive_name;
use saltplan_document::format::{Choice, Text, ValueType, Word, word};
use saltplan_document::reader::{FileValue, FromFile, Reader};
use saltplan_document::{from_file, mapping};

mapping! {
    /// The Hive tables.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Hive(scope: &Scope<'_>) {
        /// Execution engine of Hive; `--engine` overrides it: [settings.md](settings.md).
        pub engine: Option<Engine> = ENGINE, optional("engine", ValueType::Words(&ENGINES), "mr");
        pub mapping: Option<MappingTable>
            = MAPPING, optional(
                "mapping", ValueType::Map(&MappingTable::MAP), "{ table: db.name, key_column: rowkey }"
            )
            by |reader, value| MappingTable::read(reader, value, scope);
        /// View of the logical table: the decoded key fields and the columns.
        pub view: Option<HiveTableName> = VIEW, optional("view", ValueType::Text(Text::HiveTable), "db.name");
        pub target: Option<TargetTable>
            = TARGET, optional("target", ValueType::Map(&TargetKeys::MAP), "{ table: db.name }")
            by |reader, value| TargetTable::read(reader, value, scope);
    }
}

/// The execution engine of Hive. It determines which shape is right and pruned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Engine {
    Tez,
    MapReduce,
}

impl Engine {
    pub const ALL: [Engine; 2] = [Engine::Tez, Engine::MapReduce];

    /// The name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Engine::Tez => "tez",
            Engine::MapReduce => "mr",
        }
    }

    /// Other accepted names.
    pub fn aliases(self) -> &'static [&'static str] {
        match self {
            Engine::Tez => &[],
            Engine::MapReduce => &["mapreduce"],
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Engine::ALL.into_iter().find(|engine| engine.name() == name || engine.aliases().contains(&name))
    }
}

/// The engines, by their names.
pub static ENGINES: Choice<Engine> =
    Choice(&[of_engine(Engine::Tez, ""), of_engine(Engine::MapReduce, "MapReduce")]);
from_file! { word: Engine; }

const fn of_engine(engine: Engine, about: &'static str) -> Word<Engine> {
    word(engine.name(), engine, about)
}

/// A Hive table name, with its database if the file has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiveTableName {
    pub database: Option<String>,
    pub table: String,
}

impl HiveTableName {
    /// Whether Hive finds the same table under both names: it compares lower case, and a name without a database is in `default`.
    pub fn is_same(&self, other: &Self) -> bool {
        self.in_full() == other.in_full()
    }

    /// In lower case, with its database.
    pub fn in_full(&self) -> String {
        let database = self.database.as_deref().unwrap_or("default");
        format!("{database}.{}", self.table).to_lowercase()
    }

    fn parse(text: &str) -> Result<Self, NameFault> {
        let (database, table) = match text.split_once('.') {
            Some((database, table)) => (Some(database), table),
            None => (None, text),
        };
        database.into_iter().chain([table]).try_for_each(names::hive_name)?;
        Ok(HiveTableName { database: database.map(str::to_string), table: table.to_string() })
    }
}

impl fmt::Display for HiveTableName {
    /// Without quotes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(database) = &self.database {
            write!(f, "{database}.")?;
        }
        f.write_str(&self.table)
    }
}

impl FromFile for HiveTableName {
    fn from_file(reader: &mut Reader<'_>, value: &FileValue<'_>) -> Option<Self> {
        let text = value.text(reader)?;
        let help = "write `database.table` with letters, digits and `_`";
        reader.parsed(&text, Self::parse, "the name of a Hive table", help)
    }
}

mapping! {
    /// The Hive table over HBase.
    #[derive(Debug, Clone, PartialEq)]
    pub struct MappingTable(scope: &Scope<'_>) {
        /// Table with its database, `database.table`.
        pub table: HiveTableName = TABLE, required("table", ValueType::Text(Text::HiveTable), "db.name");
        /// Column with the whole row key, as a string.
        pub key_column: String = KEY_COLUMN, required("key_column", ValueType::Text(Text::Name), "rowkey")
            by |reader, value| key_column_name(reader, value, scope);
        /// `true`: DROP TABLE keeps the HBase table.
        pub external: bool = EXTERNAL, default("external", ValueType::Flag, "true");
        /// `true`: saltplan's jar is installed in Hive, which then reads all ranges of a plan in one scan:
        /// [one-scan.md](one-scan.md).
        pub one_scan: bool = ONE_SCAN, default("one_scan", ValueType::Flag, "false");
        /// `true`: Hive itself plans every query of the table, with the schema in a property of the table, and reads all
        /// ranges in one scan: [one-scan.md](one-scan.md#salted-tables-as-ordinary-tables).
        pub planned: bool = PLANNED, default("planned", ValueType::Flag, "false");
        /// `true`: Hive refuses statements that would read all keys of the table, unless their session allows it:
        /// [one-scan.md](one-scan.md#who-decides-what). It needs `planned` or `one_scan`.
        pub refuse_full_scans: bool = REFUSE_FULL_SCANS, default("refuse_full_scans", ValueType::Flag, "false");
    }
}

impl MappingTable {
    /// Whether saltplan's jar reads the table: what plans its queries also reads all ranges in one scan.
    pub fn has_jar(&self) -> bool {
        self.one_scan || self.planned
    }

    /// The class that Hive reads the table with: Hive's own, or that of `storage-handler/`.
    pub fn storage_handler(&self) -> &'static str {
        match self.has_jar() {
            true => "io.saltplan.hive.RangesStorageHandler",
            false => "org.apache.hadoop.hive.hbase.HBaseStorageHandler",
        }
    }
}

/// The key column must have a unique name, otherwise a condition on it would be ambiguous.
fn key_column_name(reader: &mut Reader<'_>, value: &FileValue<'_>, scope: &Scope<'_>) -> Option<String> {
    let name = hive_name(reader, value)?;
    let column = scope.column_names.find(&name.value).map(|taken| (taken, "a column"));
    let taken = column.or_else(|| scope.field_names.find(&name.value).map(|taken| (taken, "a key field")));
    if let Some((taken, what)) = taken {
        let message = format!("`{}` is both the key column and {what}", name.value);
        let fault = reader.fault(name.span, message, "the whole row key").with_label(taken.span, what);
        return reader.rejected(fault.with_help("give the key column another name, such as `rowkey`"));
    }
    Some(name.value)
}
