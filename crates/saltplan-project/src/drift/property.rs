//! A mapping table of Hive, with the schema that it carries as a property, compared with a schema file.

use saltplan_core::Table;
use saltplan_core::schema::model::MappingTable;
use saltplan_core::schema::property::{DIGEST, FULL_SCAN, REFUSE, SCHEMA, digest};
use saltplan_document::files::without_mark;
use saltplan_tables::{HiveTable, TableName};

use crate::fault::{Fault, fault};
use crate::mapping_ddl::{CELLS, created_tables, hbase_table, property};

use super::is_same_table;

/// What the mapping table says about the row key, beside the schema file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CarriedSchema {
    /// The row key and the time zone of the file.
    Same,
    /// None, and the file wants none.
    Unplanned,
    /// None, but the file has `planned: true`.
    Missing,
    /// One, but the file does not have `planned: true`.
    Unwanted,
    /// A text that does not belong to the digest beside it; Hive does not use it.
    Edited,
    /// A text that is no schema for this version of saltplan.
    Unreadable,
    /// Another row key, or another time zone.
    Other,
    /// Another class reads the table.
    Handler,
    /// It is a table over another one of HBase.
    HbaseTable,
    /// Another column has the row key.
    KeyColumn,
    /// It lets full scans through, and the file has `refuse_full_scans: true`.
    Unguarded,
    /// It refuses full scans, and the file does not say so, so that a table that `ddl` prints would not.
    Guarded,
}

impl CarriedSchema {
    /// Whether nothing is to be done.
    #[must_use]
    pub fn is_same(self) -> bool {
        matches!(self, CarriedSchema::Same | CarriedSchema::Unplanned)
    }

    /// The word of the JSON form.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            CarriedSchema::Same => "same",
            CarriedSchema::Unplanned => "unplanned",
            CarriedSchema::Missing => "missing",
            CarriedSchema::Unwanted => "unwanted",
            CarriedSchema::Edited => "edited",
            CarriedSchema::Unreadable => "unreadable",
            CarriedSchema::Other => "other",
            CarriedSchema::Handler => "handler",
            CarriedSchema::HbaseTable => "hbase_table",
            CarriedSchema::KeyColumn => "key_column",
            CarriedSchema::Unguarded => "unguarded",
            CarriedSchema::Guarded => "guarded",
        }
    }

    /// The same in words.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            CarriedSchema::Same => "no drift; the table carries the row key of this schema",
            CarriedSchema::Unplanned => "no drift; the table carries no schema, and this schema wants none",
            CarriedSchema::Missing => "the table carries no schema, so Hive does not plan its queries",
            CarriedSchema::Unwanted => {
                "the table carries a schema, but this one does not have `planned: true`"
            }
            CarriedSchema::Edited => {
                "the schema that the table carries was edited: it does not belong to its digest, so Hive reads all keys"
            }
            CarriedSchema::Unreadable => {
                "the schema that the table carries is none for this version of saltplan"
            }
            CarriedSchema::Other => {
                "the table carries another row key or time zone than this schema: its plans may lose rows"
            }
            CarriedSchema::Handler => {
                "another storage handler reads the table than this schema wants, so Hive does not plan its queries as it says"
            }
            CarriedSchema::HbaseTable => "the table has the rows of another table of HBase than this schema",
            CarriedSchema::KeyColumn => "another column of the table has the row key than this schema says",
            CarriedSchema::Unguarded => {
                "the table lets full scans through, but this schema has `refuse_full_scans: true`"
            }
            CarriedSchema::Guarded => {
                "the table refuses full scans, but this schema does not have `refuse_full_scans: true`: a new table of `ddl` would not"
            }
        }
    }
}

/// Compares a mapping table, as SHOW CREATE TABLE prints it, with a schema.
///
/// # Errors
/// The text has no CREATE TABLE of the mapping table of the schema.
pub fn carried_schema(table: &Table, create: &str) -> Result<CarriedSchema, Fault> {
    let Some(mapping) = table.schema().mapping() else {
        return fault(
            "the schema has no `hive.mapping`",
            "add the mapping table: `hive: { mapping: { table: db.name, key_column: rowkey } }`",
        );
    };
    let found = created(without_mark(create), mapping)?;
    if found.storage_handler.as_deref() != Some(mapping.storage_handler()) {
        return Ok(CarriedSchema::Handler);
    }
    if !is_same_table(&hbase_table(&found), &table.schema().hbase.full_name()) {
        return Ok(CarriedSchema::HbaseTable);
    }
    if !key_column(&found).is_some_and(|name| name.eq_ignore_ascii_case(&mapping.key_column)) {
        return Ok(CarriedSchema::KeyColumn);
    }
    let is_guarded = property(&found, FULL_SCAN).is_some_and(|value| value.eq_ignore_ascii_case(REFUSE));
    let guard = match (is_guarded, mapping.refuse_full_scans) {
        (false, true) => Some(CarriedSchema::Unguarded),
        (true, false) => Some(CarriedSchema::Guarded),
        _ => None,
    };
    let Some(text) = property(&found, SCHEMA) else {
        let missing = if mapping.planned { CarriedSchema::Missing } else { CarriedSchema::Unplanned };
        return Ok(guard.filter(|_| !mapping.planned).unwrap_or(missing));
    };
    let is_whole = property(&found, DIGEST).is_some_and(|found| found.eq_ignore_ascii_case(&digest(text)));
    Ok(match Table::from_yaml(text) {
        _ if !is_whole => CarriedSchema::Edited,
        Err(_) => CarriedSchema::Unreadable,
        Ok(carried) => {
            let (carried, wanted) = (carried.schema(), table.schema());
            let is_same = carried.key == wanted.key && carried.time_zone == wanted.time_zone;
            match (is_same, mapping.planned) {
                (false, _) => CarriedSchema::Other,
                (true, false) => CarriedSchema::Unwanted,
                (true, true) => guard.unwrap_or(CarriedSchema::Same),
            }
        }
    })
}

const SAVE: &str = "save what `hive -e` or `beeline --outputformat=tsv2` prints for `SHOW CREATE TABLE` of the mapping table";

/// The mapping table among the tables that a text creates.
fn created(text: &str, mapping: &MappingTable) -> Result<HiveTable, Fault> {
    let tables = created_tables(text, "there is no CREATE TABLE in it", SAVE)?;
    let wanted = TableName {
        database: mapping.table.database.as_deref().map(str::to_lowercase),
        table: mapping.table.table.to_lowercase(),
    };
    let is_wanted = |name: &TableName| {
        let is_in = name.database.is_none() || wanted.database.is_none() || name.database == wanted.database;
        is_in && name.table == wanted.table
    };
    let first = tables.first().map(|table| table.name.to_string());
    let of_mapping = tables.into_iter().find(|table| is_wanted(&table.name));
    of_mapping.map_or_else(
        || match first {
            Some(name) => fault(
                format!("it is the table `{name}`, and the mapping table of the schema is `{wanted}`"),
                SAVE,
            ),
            None => fault("there is no CREATE TABLE with columns in it", SAVE),
        },
        Ok,
    )
}

/// The column with the row key: the one at the place of `:key`, by default the first one.
fn key_column(table: &HiveTable) -> Option<&str> {
    let cells = property(table, CELLS).unwrap_or_default();
    let mut cells = cells.split(',').map(str::trim).filter(|cell| !cell.is_empty());
    let at = cells.position(|cell| cell == ":key" || cell.starts_with(":key#")).unwrap_or(0);
    table.columns().nth(at).map(|column| column.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA_FILE: &str = "saltplan: 1\nhbase: { table: 'ns:t', families: { f: {} } }\nkey: { fields: [{ name: day, type: date, format: yyyyMMdd }] }\ncolumns: [{ name: a, type: int, hbase: 'f:a' }]\nhive: { mapping: { table: trace.calls_map, key_column: k, planned: true } }\n";

    fn table(text: &str) -> Table {
        Table::from_yaml(text).expect("a schema")
    }

    /// As Hive 2 and 3 print it.
    fn show_create(schema: &str, digest: &str) -> String {
        let schema = schema.replace('\\', "\\\\").replace('\'', "\\'").replace(';', "\\;");
        format!(
            "CREATE EXTERNAL TABLE `trace.calls_map`(\n  `k` string COMMENT 'it\\'s', \n  `a` int COMMENT '')\nROW FORMAT SERDE \n  'org.apache.hadoop.hive.hbase.HBaseSerDe' \nSTORED BY \n  'io.saltplan.hive.RangesStorageHandler' \nWITH SERDEPROPERTIES ( \n  'hbase.columns.mapping'=':key,f:a', \n  'serialization.format'='1')\nTBLPROPERTIES (\n  'hbase.table.name'='ns:t', \n  'saltplan.schema'='{schema}', \n  'saltplan.schema.digest'='{digest}', \n  'transient_lastDdlTime'='1')\n"
        )
    }

    #[test]
    fn what_a_table_carries() {
        let planned = table(SCHEMA_FILE);
        let property = planned.schema_property().expect("a property");
        let of = |table: &Table, text: &str| carried_schema(table, text).expect("a comparison");
        let text = show_create(&property.text, &property.digest);
        assert_eq!(of(&planned, &text), CarriedSchema::Same);
        let bordered: String = text.lines().map(|line| format!("| {line:90} |\n")).collect();
        assert_eq!(of(&planned, &bordered), CarriedSchema::Same);
        assert_eq!(of(&planned, &text.replace("yyyyMMdd", "yyyyMM")), CarriedSchema::Edited);
        let other = table(&SCHEMA_FILE.replace("yyyyMMdd", "yyyy-MM-dd"));
        assert_eq!(of(&other, &text), CarriedSchema::Other);
        let unplanned = table(&SCHEMA_FILE.replace("planned: true", "one_scan: true"));
        assert_eq!(of(&unplanned, &text), CarriedSchema::Unwanted);
        let without: String = text
            .lines()
            .filter(|line| !line.contains("saltplan.schema"))
            .map(|line| format!("{line}\n"))
            .collect();
        assert_eq!(of(&planned, &without), CarriedSchema::Missing);
        assert_eq!(of(&unplanned, &without), CarriedSchema::Unplanned);
        // The guard, with a schema in the table and without one.
        let guarded_text =
            |text: &str| text.replace("'transient", "'saltplan.full_scan'='Refuse', \n  'transient");
        for (own, text) in [
            (SCHEMA_FILE.to_string(), text.clone()),
            (SCHEMA_FILE.replace("planned: true", "one_scan: true"), without.clone()),
        ] {
            let plain = table(&own);
            let guarded = table(&own.replace(": true }", ": true, refuse_full_scans: true }"));
            assert_eq!(of(&guarded, &text), CarriedSchema::Unguarded);
            assert_eq!(of(&plain, &guarded_text(&text)), CarriedSchema::Guarded);
            assert!(of(&guarded, &guarded_text(&text)).is_same());
            assert_eq!(
                of(&guarded, &text.replace("'transient", "'saltplan.full_scan'='no', 'transient")),
                CarriedSchema::Unguarded
            );
        }
        let newer = "{saltplan: 2}";
        assert_eq!(of(&planned, &show_create(newer, &digest(newer))), CarriedSchema::Unreadable);
    }

    #[test]
    fn what_is_read_is_the_table_of_the_schema() {
        let planned = table(SCHEMA_FILE);
        let property = planned.schema_property().expect("a property");
        let text = show_create(&property.text, &property.digest);
        let of = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            carried_schema(&planned, &text.replace(from, to)).expect("a comparison")
        };
        let own = "org.apache.hadoop.hive.hbase.HBaseStorageHandler";
        assert_eq!(of("io.saltplan.hive.RangesStorageHandler", own), CarriedSchema::Handler);
        assert_eq!(of("='ns:t'", "='ns:other'"), CarriedSchema::HbaseTable);
        assert_eq!(of("'hbase.table.name'='ns:t', \n", ""), CarriedSchema::HbaseTable);
        assert_eq!(of(":key,f:a", "f:a,:key"), CarriedSchema::KeyColumn);
        assert_eq!(of(":key,f:a", "f:a"), CarriedSchema::Same);
        let default = table(&SCHEMA_FILE.replace("'ns:t'", "t"));
        let property = default.schema_property().expect("a property");
        let text = show_create(&property.text, &property.digest).replace("='ns:t'", "='default:t'");
        assert_eq!(carried_schema(&default, &text), Ok(CarriedSchema::Same));
    }

    #[test]
    fn the_form_of_beeline_with_quotes_is_refused() {
        let planned = table(SCHEMA_FILE);
        let property = planned.schema_property().expect("a property");
        let text = show_create(&property.text, &property.digest);
        let row = |line: &str| match line.contains([',', '"']) {
            true => format!("\"{}\"\n", line.replace('"', "\"\"")),
            false => format!("{line}\n"),
        };
        let csv: String = ["createtab_stmt"].into_iter().chain(text.lines()).map(row).collect();
        assert!(carried_schema(&planned, &csv).is_err());
    }

    #[test]
    fn what_ddl_prints_is_compared_too() {
        let planned = table(SCHEMA_FILE);
        let property = planned.schema_property().expect("a property");
        let printed = format!(
            "CREATE DATABASE IF NOT EXISTS `trace`;\nCREATE EXTERNAL TABLE IF NOT EXISTS `trace`.`calls_map` (\n  `k` string, `a` int\n)\nSTORED BY 'io.saltplan.hive.RangesStorageHandler'\nWITH SERDEPROPERTIES ('hbase.columns.mapping' = ':key,f:a')\nTBLPROPERTIES ('hbase.table.name' = 'ns:t', 'saltplan.schema' = {},\n  'saltplan.schema.digest' = '{}');",
            saltplan_sql::literal(&property.text),
            property.digest
        );
        assert_eq!(carried_schema(&planned, &printed), Ok(CarriedSchema::Same));
    }

    #[test]
    fn other_texts_are_refused() {
        let planned = table(SCHEMA_FILE);
        for text in [
            "",
            "k string",
            "CREATE VIEW v AS SELECT 1",
            "CREATE TABLE `trace.other` (k string)",
            "CREATE TABLE 'x",
        ] {
            assert!(carried_schema(&planned, text).is_err(), "{text}");
        }
    }
}
