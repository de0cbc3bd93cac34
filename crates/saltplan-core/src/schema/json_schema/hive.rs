//! `columns:` and `hive:`

use serde_json::{Value as Json, json};

use super::{described, flag, list, name, object, text_value, words};

fn hive_type(description: &str) -> Json {
    described(description, json!({ "type": "string", "pattern": "^\\s*[A-Za-z]" }))
}

pub fn columns() -> Json {
    let cell = described(
        "Its place in HBase, `'family:qualifier'`.",
        json!({ "type": "string", "pattern": "^[^:]+:[^:,#]*$" }),
    );
    let column = object(
        "A column.",
        &["name", "type", "hbase"],
        vec![
            ("name", name("Name of the column in Hive and in predicates.")),
            ("type", hive_type("Type in Hive, such as string or decimal(18,2).")),
            ("hbase", cell),
        ],
    );
    described(
        "Columns that are not in the row key.",
        json!({ "type": "array", "items": column, "maxItems": 4096 }),
    )
}

pub fn hive() -> Json {
    object("The Hive tables.", &[], vec![("mapping", mapping()), ("target", target())])
}

fn table() -> Json {
    described(
        "Table with its database, `database.table`.",
        json!({ "type": ["string", "number", "boolean"], "pattern": "^([^\\s`.'\"]+\\.)?[^\\s`.'\"]+$" }),
    )
}

fn mapping() -> Json {
    object(
        "The external table on HBase.",
        &["table", "key_column"],
        vec![
            ("table", table()),
            ("key_column", name("Column that holds the whole row key, as a string.")),
            ("external", flag("`true`, the default: DROP TABLE leaves the HBase table alone.")),
        ],
    )
}

fn target() -> Json {
    let formats =
        ["orc", "parquet", "textfile", "sequencefile", "rcfile", "avro", "jsonfile"].map(|word| (word, ""));
    object(
        "The table that a plan fills.",
        &["table"],
        vec![
            ("table", table()),
            ("partition", partition()),
            ("stored_as", words("Storage format; orc by default.", &formats)),
            ("columns", target_columns()),
        ],
    )
}

fn partition() -> Json {
    let typed = object(
        "A key field with a type of its own.",
        &["name"],
        vec![
            ("name", text_value("Name of the key field.")),
            ("type", hive_type("Type of the partition column.")),
        ],
    );
    let item = json!({ "anyOf": [text_value("Name of a key field."), typed] });
    described(
        "Key fields that the table is partitioned by.",
        json!({ "type": "array", "items": item, "maxItems": 16 }),
    )
}

fn target_columns() -> Json {
    let mut derived = object(
        "A column with another name, from the row key, or computed.",
        &["name"],
        vec![
            ("name", name("Name of the column in the target.")),
            ("from", text_value("`key.<field>`, decoded from the row key, or the name of a column.")),
            ("expr", text_value("An expression of Hive over the columns of the mapping table.")),
            ("type", hive_type("Type of the column; needed for an `expr`.")),
        ],
    );
    if let Some(members) = derived.as_object_mut() {
        members.insert("oneOf".into(), json!([{ "required": ["from"] }, { "required": ["expr"] }]));
    }
    let item = json!({ "anyOf": [text_value("Name of a column."), derived] });
    list("The select list; every column by default.", item, 4096)
}
