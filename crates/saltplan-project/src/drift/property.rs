//! The schema that a mapping table of Hive carries as a property, compared with that of a file.

use saltplan_core::Table;
use saltplan_core::schema::property::{DIGEST, SCHEMA, digest};
use saltplan_document::files::without_mark;
use saltplan_sql::script::Tokens;

use crate::fault::{Fault, fault};

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
        }
    }
}

/// Compares the properties of a mapping table, as SHOW CREATE TABLE prints them, with a schema.
///
/// # Errors
/// The text is no CREATE TABLE, or one of another table than the mapping table of the schema.
pub fn carried_schema(table: &Table, create: &str) -> Result<CarriedSchema, Fault> {
    let Some(mapping) = table.schema().mapping() else {
        return fault(
            "the schema has no `hive.mapping`",
            "add the mapping table: `hive: { mapping: { table: db.name, key_column: rowkey } }`",
        );
    };
    let text = without_mark(create);
    let Ok(tokens) = Tokens::new(text) else {
        return fault("a quote or a bracket is not closed", SAVE);
    };
    let Some(name) = created(&tokens) else {
        return fault("there is no CREATE TABLE in it", SAVE);
    };
    let wanted = mapping.table.in_full();
    if name != wanted && name != mapping.table.table.to_lowercase() {
        return fault(
            format!("it is the table `{name}`, and the mapping table of the schema is `{wanted}`"),
            SAVE,
        );
    }
    let Some(text) = property(&tokens, SCHEMA) else {
        return Ok(if mapping.planned { CarriedSchema::Missing } else { CarriedSchema::Unplanned });
    };
    let is_whole = property(&tokens, DIGEST).is_some_and(|found| found.eq_ignore_ascii_case(&digest(&text)));
    Ok(match Table::from_yaml(&text) {
        _ if !is_whole => CarriedSchema::Edited,
        Err(_) => CarriedSchema::Unreadable,
        Ok(carried) => {
            let (carried, wanted) = (carried.schema(), table.schema());
            let is_same = carried.key == wanted.key && carried.time_zone == wanted.time_zone;
            match (is_same, mapping.planned) {
                (false, _) => CarriedSchema::Other,
                (true, false) => CarriedSchema::Unwanted,
                (true, true) => CarriedSchema::Same,
            }
        }
    })
}

const SAVE: &str = "save what `SHOW CREATE TABLE` prints for the mapping table of the schema";

/// The name of the first table that is created, in lower case.
fn created(tokens: &Tokens<'_>) -> Option<String> {
    let create = (0..tokens.len()).find(|at| tokens.is_word(*at, "create"))?;
    let mut at = (create + 1..tokens.len().min(create + 4)).find(|at| tokens.is_word(*at, "table"))? + 1;
    if tokens.is_word(at, "if") {
        at += 3;
    }
    let mut name = tokens.name(at);
    if tokens.is_sign(at + 1, ".") {
        name = format!("{name}.{}", tokens.name(at + 2));
    }
    Some(name.to_lowercase())
}

/// The value of a property: `'name'='value'`.
fn property(tokens: &Tokens<'_>, name: &str) -> Option<String> {
    let mut places = 0..tokens.len();
    let at = places
        .find(|at| tokens.is_sign(at + 1, "=") && tokens.literal(*at).is_some_and(|text| text == name))?;
    tokens.literal(at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA_FILE: &str = "saltplan: 1\nhbase: { table: 'ns:t', families: { f: {} } }\nkey: { fields: [{ name: day, type: date, format: yyyyMMdd }] }\ncolumns: [{ name: a, type: int, hbase: 'f:a' }]\nhive: { mapping: { table: trace.calls_map, key_column: k, planned: true } }\n";

    fn table(text: &str) -> Table {
        Table::from_yaml(text).expect("a schema")
    }

    /// As Hive 2 and 3 print it.
    fn shown(schema: &str, digest: &str) -> String {
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
        let text = shown(&property.text, &property.digest);
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
        let newer = "{saltplan: 2}";
        assert_eq!(of(&planned, &shown(newer, &digest(newer))), CarriedSchema::Unreadable);
    }

    #[test]
    fn what_ddl_prints_is_compared_too() {
        let planned = table(SCHEMA_FILE);
        let property = planned.schema_property().expect("a property");
        let printed = format!(
            "CREATE EXTERNAL TABLE IF NOT EXISTS `trace`.`calls_map` (\n  `k` string\n)\nTBLPROPERTIES ('saltplan.schema' = {},\n  'saltplan.schema.digest' = '{}');",
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
