//! `columns:` and `hive:`

use crate::document::format::{Choice, Key, Map, Text, ValueType, Word, optional, required, word};
use crate::schema::model::Engine;

pub static COLUMN: Map = Map {
    about: "A column.",
    keys: &[&column::NAME, &column::TYPE, &column::HBASE, &column::ENCODING],
    cases: &[],
    misplaced: &[],
};

/// An item of `columns:`
pub mod column {
    use crate::document::format::{Choice, Key, Text, ValueType, default, required, word};
    use crate::schema::model::CellEncoding;

    pub static NAME: Key =
        required("name", ValueType::Text(Text::Name), "…", "Name of the column in Hive and in predicates.");
    pub static TYPE: Key = required(
        "type",
        ValueType::Text(Text::HiveType),
        "string",
        "Hive type, such as string or decimal(18,2).",
    );
    pub static HBASE: Key = required(
        "hbase",
        ValueType::Text(Text::Cell),
        "'family:qualifier'",
        "HBase column, `'family:qualifier'`.",
    );

    pub static ENCODINGS: Choice<CellEncoding> = Choice(&[
        word("text", CellEncoding::Text, "the text of the value"),
        word(
            "be",
            CellEncoding::BigEndian,
            "the bytes of HBase's `Bytes.toBytes`, for numbers and `boolean`",
        ),
    ]);
    pub static ENCODING: Key = default(
        "encoding",
        ValueType::Words(&ENCODINGS),
        "text",
        "What the cells hold; `ddl` declares `be` with `#b`.",
    );
}

pub static MAPPING: Key =
    optional("mapping", ValueType::Map(&mapping::MAP), "{ table: db.name, key_column: rowkey }", "");
pub static TARGET: Key = optional("target", ValueType::Map(&target::MAP), "{ table: db.name }", "");

/// The engines, by the names of [`Engine`].
pub static ENGINES: Choice<Engine> =
    Choice(&[of_engine(Engine::Tez, ""), of_engine(Engine::MapReduce, "MapReduce")]);

const fn of_engine(engine: Engine, about: &'static str) -> Word<Engine> {
    word(engine.name(), engine, about)
}

pub static ENGINE: Key = optional(
    "engine",
    ValueType::Words(&ENGINES),
    "mr",
    "Execution engine of Hive; `--engine` overrides it: [settings.md](settings.md).",
);

pub static VIEW: Key = optional(
    "view",
    ValueType::Text(Text::HiveTable),
    "db.name",
    "View of the logical table: the decoded key fields and the columns.",
);

pub static HIVE: Map =
    Map { about: "The Hive tables.", keys: &[&ENGINE, &MAPPING, &VIEW, &TARGET], cases: &[], misplaced: &[] };

const TABLE: Key = required(
    "table",
    ValueType::Text(Text::HiveTable),
    "db.name",
    "Table with its database, `database.table`.",
);

pub mod mapping {
    use crate::document::format::{Key, Map, Text, ValueType, default, required};

    pub static TABLE: Key = super::TABLE;
    pub static KEY_COLUMN: Key = required(
        "key_column",
        ValueType::Text(Text::Name),
        "rowkey",
        "Column with the whole row key, as a string.",
    );
    pub static EXTERNAL: Key =
        default("external", ValueType::Flag, "true", "`true`: DROP TABLE keeps the HBase table.");

    pub(crate) static ONE_SCAN: Key = default(
        "one_scan",
        ValueType::Flag,
        "false",
        "`true`: saltplan's jar is installed in Hive, which then reads all ranges of a plan in one scan: [one-scan.md](one-scan.md).",
    );

    pub static MAP: Map = Map {
        about: "The Hive table over HBase.",
        keys: &[&TABLE, &KEY_COLUMN, &EXTERNAL, &ONE_SCAN],
        cases: &[],
        misplaced: &[],
    };
}

pub mod target {
    use super::{partition, target_column};
    use crate::document::format::{Choice, Key, List, Map, Text, ValueType, default, optional, word};

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

    pub static PARTITIONS: List = List {
        item: ValueType::Either(&[ValueType::Text(Text::FieldName), ValueType::Map(&partition::MAP)]),
        least: 0,
        most: 16,
        unique: false,
    };

    pub static TABLE: Key = super::TABLE;
    pub static PARTITION: Key = default(
        "partition",
        ValueType::List(&PARTITIONS),
        "[]",
        "Partition columns: names of key fields, or mappings as described below.",
    );
    pub static STORED_AS: Key = default("stored_as", ValueType::Words(&FORMATS), "orc", "Storage format.");
    pub static COLUMNS: Key = optional(
        "columns",
        ValueType::List(&List {
            item: ValueType::Either(&[
                ValueType::Text(Text::ColumnName),
                ValueType::Map(&target_column::MAP),
            ]),
            least: 1,
            most: 4_096,
            unique: false,
        }),
        "[a, b]",
        "Columns to insert; by default all columns.",
    );

    pub static MAP: Map = Map {
        about: "The Hive table to insert into.",
        keys: &[&TABLE, &PARTITION, &STORED_AS, &COLUMNS],
        cases: &[],
        misplaced: &[],
    };
}

/// An item of `partition:`
pub mod partition {
    use crate::document::format::{
        Key, KeyRule, KeyTest, Map, Misplaced, Text, ValueType, optional, required,
    };

    pub static NAME: Key = required(
        "name",
        ValueType::Text(Text::Name),
        "…",
        "Name of the partition column; without `of` and `value`, the name of the key field that it contains.",
    );
    pub static OF: Key = optional(
        "of",
        ValueType::Text(Text::FieldOrColumn),
        "opera_time",
        "The key field or column that it contains, if it has another name.",
    );
    pub static FORMAT: Key = optional(
        "format",
        ValueType::Text(Text::TimeFormat),
        "yyyyMMdd",
        "Units of a date or time that it contains, in Java's pattern letters: yyyyMMdd, or HH after a partition by day.",
    );
    pub static VALUE: Key =
        optional("value", ValueType::Text(Text::Any), "wx", "Constant text for all rows.");
    pub static TYPE: Key =
        optional("type", ValueType::Text(Text::HiveType), "string", "Type of the partition column.");

    pub static MAP: Map = Map {
        about: "A partition column with another name or type than its key field, or one that contains a part of a time, a column or a constant.",
        keys: &[&NAME, &OF, &FORMAT, &VALUE, &TYPE],
        cases: &[
            KeyRule {
                when: &[KeyTest::Has(&VALUE)],
                beside: "`value`",
                refuses: &[&OF, &FORMAT],
                ..KeyRule::EXCLUSIVE
            },
            KeyRule {
                when: &[KeyTest::Lacks(&OF)],
                beside: "a partition without `of`",
                refuses: &[&FORMAT],
                help: "add `of: …` with the key field to format",
                ..KeyRule::NOTHING
            },
        ],
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
        ],
    };
}

/// An item of `columns:` of the target
pub mod target_column {
    use crate::document::format::{Key, KeyRule, KeyTest, Map, Text, ValueType, optional, required};

    pub static NAME: Key =
        required("name", ValueType::Text(Text::Name), "…", "Name of the column in the target.");
    pub static FROM: Key = optional(
        "from",
        ValueType::Text(Text::Origin),
        "key.day",
        "`key.<field>`, decoded from the row key, or the name of a column.",
    );
    pub(crate) static EXPR: Key = optional(
        "expr",
        ValueType::Text(Text::Expression),
        "'upper(name)'",
        "Hive expression over the columns of the mapping table.",
    );
    pub static TYPE: Key = optional(
        "type",
        ValueType::Text(Text::HiveType),
        "string",
        "Type of the column; needed for an `expr`.",
    );

    pub static MAP: Map = Map {
        about: "A column with another name, decoded from the row key, or computed.",
        keys: &[&NAME, &FROM, &EXPR, &TYPE],
        cases: &[
            KeyRule {
                when: &[KeyTest::Has(&FROM)],
                beside: "`from`",
                refuses: &[&EXPR],
                ..KeyRule::EXCLUSIVE
            },
            KeyRule {
                when: &[KeyTest::Lacks(&FROM)],
                beside: "no `from`",
                needs: &[&EXPR],
                ..KeyRule::NOTHING
            },
        ],
        misplaced: &[],
    };
}
