//! The top-level keys of a file.

use super::{hbase, hive, key, regions};
use crate::document::format::{File, Key, List, Map, Named, Syntax, Text, ValueType, optional, required};

pub static VERSION: Key =
    required("saltplan", crate::document::format::number(1, 1), "1", "Version of the format.");
pub static HBASE: Key =
    required("hbase", ValueType::Map(&hbase::HBASE), "{ table: 'ns:name', families: { … } }", "");
pub static KEY: Key = required("key", ValueType::Map(&key::KEY), "{ salt: …, fields: […] }", "");
pub static REGIONS: Key = optional("regions", ValueType::Forms(&regions::REGIONS), "{ hex_string: 16 }", "");
pub static COLUMNS: Key = optional(
    "columns",
    // On most metastores Hive itself fails with fewer.
    ValueType::List(&List { item: ValueType::Map(&hive::COLUMN), least: 0, most: 4_096, unique: false }),
    "[{ name: …, type: string, hbase: 'family:qualifier' }]",
    "Columns that are not in the row key.",
);
pub static HIVE: Key =
    optional("hive", ValueType::Map(&hive::HIVE), "{ mapping: { table: db.name, key_column: rowkey } }", "");
pub static TIME_ZONE: Key = optional(
    "time_zone",
    ValueType::Text(Text::Zone),
    "Asia/Shanghai",
    "Time zone for local times of instants, such as Asia/Shanghai. Required if an instant is formatted.",
);
pub(crate) static WORKLOAD: Key = optional(
    "workload",
    ValueType::Named(&Named {
        name: Text::FieldName,
        value: ValueType::Text(Text::Any),
        least: 0,
        most: usize::MAX,
    }),
    "{ tel: 'zipf(1.1, 1000000)' }",
    "Distributions of key fields for simulated rows, such as `tel: zipf(1.1, 1000000)`.",
);

pub static SCHEMA: Map = Map {
    about: "The schema of an HBase table with salted row keys, and of the Hive tables over it.",
    keys: &[&VERSION, &HBASE, &KEY, &REGIONS, &COLUMNS, &HIVE, &TIME_ZONE, &WORKLOAD],
    cases: &[],
    misplaced: &[],
};

pub static FILE: File = File {
    what: "the schema",
    one: "a schema",
    start: "a schema starts with the line `saltplan: 1`",
    title: "saltplan schema",
    syntax: Syntax::Yaml,
    map: &SCHEMA,
};
