//! `columns:` and `hive:`

use super::{Case, Choice, Key, List, Map, Misplaced, Text, Type, When, default, optional, required, word};
use crate::schema::format::Word;
use crate::schema::model::Engine;

pub static COLUMN: Map = Map {
    about: "A column.",
    keys: &[&column::NAME, &column::TYPE, &column::HBASE],
    cases: &[],
    misplaced: &[],
};

/// An item of `columns:`
pub mod column {
    use super::{Key, Text, Type, required};

    pub static NAME: Key =
        required("name", Type::Text(Text::Name), "…", "Name of the column in Hive and in predicates.");
    pub static TYPE: Key = required(
        "type",
        Type::Text(Text::HiveType),
        "string",
        "Type in Hive, such as string or decimal(18,2).",
    );
    pub static HBASE: Key = required(
        "hbase",
        Type::Text(Text::Cell),
        "'family:qualifier'",
        "Its place in HBase, `'family:qualifier'`.",
    );
}

pub static MAPPING: Key =
    optional("mapping", Type::Map(&mapping::MAP), "{ table: db.name, key_column: rowkey }", "");
pub static TARGET: Key = optional("target", Type::Map(&target::MAP), "{ table: db.name }", "");

/// What Hive runs on, by the names of [`Engine`].
pub static ENGINES: Choice<Engine> =
    Choice(&[of_engine(Engine::Tez, ""), of_engine(Engine::MapReduce, "MapReduce")]);

const fn of_engine(engine: Engine, about: &'static str) -> Word<Engine> {
    word(engine.name(), engine, about)
}

pub static ENGINE: Key = optional(
    "engine",
    Type::Words(&ENGINES),
    "mr",
    "What Hive runs on; `--engine` wins over it: [settings.md](settings.md).",
);

pub static HIVE: Map =
    Map { about: "The Hive tables.", keys: &[&ENGINE, &MAPPING, &TARGET], cases: &[], misplaced: &[] };

const TABLE: Key =
    required("table", Type::Text(Text::HiveTable), "db.name", "Table with its database, `database.table`.");

pub mod mapping {
    use super::{Key, Map, Text, Type, default, required};

    pub static TABLE: Key = super::TABLE;
    pub static KEY_COLUMN: Key = required(
        "key_column",
        Type::Text(Text::Name),
        "rowkey",
        "Column that holds the whole row key, as a string.",
    );
    pub static EXTERNAL: Key =
        default("external", Type::Flag, "true", "`true`: DROP TABLE leaves the HBase table alone.");

    pub static ONE_SCAN: Key = default(
        "one_scan",
        Type::Flag,
        "false",
        "`true`: Hive has the jar of saltplan, and reads all ranges of a plan in one scan: [one-scan.md](one-scan.md).",
    );

    pub static MAP: Map = Map {
        about: "The external table on HBase.",
        keys: &[&TABLE, &KEY_COLUMN, &EXTERNAL, &ONE_SCAN],
        cases: &[],
        misplaced: &[],
    };
}

pub mod target {
    use super::{Choice, Key, List, Map, Text, Type, default, optional, partition, target_column, word};

    /// The formats that a partition can be written in without naming classes.
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
        item: Type::Either(&[Type::Text(Text::FieldName), Type::Map(&partition::MAP)]),
        least: 0,
        most: 16,
        unique: false,
    };

    pub static TABLE: Key = super::TABLE;
    pub static PARTITION: Key = default(
        "partition",
        Type::List(&PARTITIONS),
        "[]",
        "What the table is partitioned by: names of key fields, or the forms below.",
    );
    pub static STORED_AS: Key = default("stored_as", Type::Words(&FORMATS), "orc", "Storage format.");
    pub static COLUMNS: Key = optional(
        "columns",
        Type::List(&List {
            item: Type::Either(&[Type::Text(Text::ColumnName), Type::Map(&target_column::MAP)]),
            least: 1,
            most: 4_096,
            unique: false,
        }),
        "[a, b]",
        "The select list; every column by default.",
    );

    pub static MAP: Map = Map {
        about: "The table that a plan fills.",
        keys: &[&TABLE, &PARTITION, &STORED_AS, &COLUMNS],
        cases: &[],
        misplaced: &[],
    };
}

/// An item of `partition:`
pub mod partition {
    use super::{Case, Key, Map, Misplaced, Text, Type, When, optional, required};

    pub static NAME: Key = required(
        "name",
        Type::Text(Text::Name),
        "…",
        "Name of the partition column; without `of` and `value` that of a key field, whose value it holds.",
    );
    pub static OF: Key = optional(
        "of",
        Type::Text(Text::FieldOrColumn),
        "opera_time",
        "The key field or the column whose value it holds, where it has another name.",
    );
    pub static FORMAT: Key = optional(
        "format",
        Type::Text(Text::TimeFormat),
        "yyyyMMdd",
        "The units of a date or a time that it holds, in Java's letters: yyyyMMdd, or HH beside a partition of the day.",
    );
    pub static VALUE: Key =
        optional("value", Type::Text(Text::Any), "wx", "The text that it holds for every row.");
    pub static TYPE: Key =
        optional("type", Type::Text(Text::HiveType), "string", "Type of the partition column.");

    pub static MAP: Map = Map {
        about: "A partition column with a type or a name of its own, of a part of a time, of a column, or of one value.",
        keys: &[&NAME, &OF, &FORMAT, &VALUE, &TYPE],
        cases: &[
            Case {
                when: &[When::Has(&VALUE)],
                beside: "`value`",
                refuses: &[&OF, &FORMAT],
                ..Case::EXCLUSIVE
            },
            Case {
                when: &[When::Lacks(&OF)],
                beside: "a partition without `of`",
                refuses: &[&FORMAT],
                help: "add `of: …` with the key field that is printed so",
                ..Case::NOTHING
            },
        ],
        misplaced: &[
            Misplaced {
                name: "from",
                message: "a partition column says `of` what it is",
                label: "of a target column",
                help: "write `of: opera_time`, of a time with a `format`",
            },
            Misplaced {
                name: "expr",
                message: "a partition column is no expression: its values must be known from the predicate",
                label: "of a target column",
                help: "write `of: …` with a key field or a column, of a time with a `format`, or a constant `value: …`",
            },
        ],
    };
}

/// An item of `columns:` of the target
pub mod target_column {
    use super::{Case, Key, Map, Text, Type, When, optional, required};

    pub static NAME: Key = required("name", Type::Text(Text::Name), "…", "Name of the column in the target.");
    pub static FROM: Key = optional(
        "from",
        Type::Text(Text::Origin),
        "key.day",
        "`key.<field>`, decoded from the row key, or the name of a column.",
    );
    pub static EXPR: Key = optional(
        "expr",
        Type::Text(Text::Expression),
        "'upper(name)'",
        "An expression of Hive over the columns of the mapping table.",
    );
    pub static TYPE: Key =
        optional("type", Type::Text(Text::HiveType), "string", "Type of the column; needed for an `expr`.");

    pub static MAP: Map = Map {
        about: "A column with another name, from the row key, or computed.",
        keys: &[&NAME, &FROM, &EXPR, &TYPE],
        cases: &[
            Case { when: &[When::Has(&FROM)], beside: "`from`", refuses: &[&EXPR], ..Case::EXCLUSIVE },
            Case { when: &[When::Lacks(&FROM)], beside: "no `from`", needs: &[&EXPR], ..Case::NOTHING },
        ],
        misplaced: &[],
    };
}
