//! The format of jobs files, described with [`document::format`](saltplan_core::document::format).

use saltplan_core::document::format::{
    Choice, File, Key, KeyRule, KeyTest, List, Map, Named, Syntax, Text, ValueType, Word, default, number,
    optional, required, word,
};
use saltplan_core::render::ddl::DdlTable;
use saltplan_core::render::hive_query::QueryShape;
use saltplan_core::schema::hive::ENGINES;

/// The maximum number of jobs in a file, and of files per job.
pub(crate) const MAX_JOBS: usize = 100_000;

/// The maximum number of names in a `for_each`.
const MAX_NAMES: usize = 8;

pub static FILE: File = File {
    what: "the jobs file",
    one: "a jobs file",
    start: "a jobs file starts with the line `version: 1`",
    title: "saltplan jobs",
    syntax: Syntax::Yaml,
    map: &TOP,
};

pub(crate) static VERSION: Key = required("version", number(1, 1), "1", "Version of the format.");
pub(crate) static DEFAULTS: Key = optional("defaults", ValueType::Map(&defaults::MAP), "{ engine: mr }", "");
pub static JOBS: Key = required(
    "jobs",
    ValueType::List(&List { item: ValueType::Map(&job::MAP), least: 1, most: MAX_JOBS, unique: false }),
    "[{ name: …, schema: …, predicate: …, out: … }]",
    "The jobs, each with the file that it writes.",
);

pub(crate) static TOP: Map = Map {
    about: "Files that `saltplan build` writes.",
    keys: &[&VERSION, &DEFAULTS, &JOBS],
    cases: &[],
    misplaced: &[],
};

const fn of_shape(shape: QueryShape) -> Word<Option<QueryShape>> {
    word(shape.name(), Some(shape), "")
}

/// The shapes of a query.
pub(crate) static SHAPES: Choice<Option<QueryShape>> = Choice(&[
    word("auto", None, "by the engine"),
    of_shape(QueryShape::UnionAll),
    of_shape(QueryShape::Isolated),
    of_shape(QueryShape::Statements),
    of_shape(QueryShape::OneScan),
]);

/// The values of `kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KindWord {
    Plan,
    Scan,
    Load,
    Verify,
    Ddl,
    Rewrite,
}

/// What a job writes.
pub static KINDS: Choice<KindWord> = Choice(&[
    word("plan", KindWord::Plan, "the Hive statement"),
    word("scan", KindWord::Scan, "HBase shell commands"),
    word("load", KindWord::Load, "the statement that writes rows to HBase"),
    word("verify", KindWord::Verify, "the query that counts wrong keys"),
    word("ddl", KindWord::Ddl, "the statements that create the tables"),
    word("rewrite", KindWord::Rewrite, "a query on logical tables, with their key ranges"),
]);

pub static PARTS: Choice<DdlTable> = Choice(&[
    word("hbase", DdlTable::Hbase, "for the HBase shell"),
    word("mapping", DdlTable::Mapping, "the Hive table over HBase"),
    word("view", DdlTable::View, "the Hive view of the logical table"),
    word("target", DdlTable::Target, "the Hive table to insert into"),
    word("phoenix", DdlTable::Phoenix, "Phoenix's view over the HBase table"),
]);

/// `defaults:`
pub mod defaults {
    use super::{ENGINES, Key, Map, SHAPES, Text, ValueType, optional};
    use saltplan_core::limits;

    pub static SCHEMA: Key = optional(
        "schema",
        ValueType::Text(Text::Path),
        "visits.yaml",
        "Schema file, relative to the jobs file.",
    );
    pub static ENGINE: Key = optional(
        "engine",
        ValueType::Words(&ENGINES),
        "mr",
        "Execution engine of Hive, if neither the job nor `hive.engine` of its schema sets it.",
    );
    pub static SHAPE: Key = optional("shape", ValueType::Words(&SHAPES), "auto", "Shape of the queries.");
    pub static TEMPLATES: Key =
        optional("templates", ValueType::Text(Text::Path), "templates", "Folder with your own templates.");
    pub(crate) static OUT: Key = optional(
        "out",
        ValueType::Text(Text::Path),
        "'sql/{job}.sql'",
        "File that a job writes, relative to the jobs file; `{job}` is its name, `{day}` a value of `for_each`.",
    );

    pub(crate) static MAP: Map = Map {
        about: "Defaults for all jobs.",
        keys: &[
            &SCHEMA,
            &ENGINE,
            &SHAPE,
            &limits::MAX_WIDENING,
            &limits::MAX_SCANS,
            &limits::MAX_JOBS,
            &TEMPLATES,
            &OUT,
        ],
        cases: &[],
        misplaced: &[],
    };
}

/// An item of `jobs:`
pub mod job {
    use super::{
        ENGINES, KINDS, Key, KeyRule, KeyTest, List, MAX_JOBS, MAX_NAMES, Map, Named, PARTS, SHAPES, Text,
        ValueType, default, number, optional, required, runtime,
    };
    use saltplan_core::limits;

    const TEXTS: List = List { item: ValueType::Text(Text::Any), least: 1, most: MAX_JOBS, unique: false };
    const VALUE: ValueType = ValueType::Either(&[ValueType::Text(Text::Any), ValueType::List(&TEXTS)]);

    pub static NAME: Key = required(
        "name",
        ValueType::Text(Text::Any),
        "visits_daily",
        "Name of the job, for `--job` and `{job}`.",
    );
    pub static KIND: Key = default("kind", ValueType::Words(&KINDS), "plan", "What is made:");
    pub static SCHEMA: Key = optional(
        "schema",
        ValueType::Text(Text::Path),
        "visits.yaml",
        "Schema file, relative to the jobs file; required here or in `defaults`.",
    );
    pub static PREDICATE: Key = optional(
        "predicate",
        ValueType::Text(Text::Expression),
        "'opera_day = :day'",
        "Condition on key fields and columns.",
    );
    pub(crate) static PARAMS: Key = optional(
        "params",
        ValueType::Named(&Named { name: Text::Any, value: VALUE, least: 0, most: MAX_JOBS }),
        "{ day: 20200406, ids: [a, b] }",
        "Values of parameters `:name`.",
    );
    pub(crate) static PARAM_FILES: Key = optional(
        "param_files",
        ValueType::Named(&Named {
            name: Text::Any,
            value: ValueType::Text(Text::Path),
            least: 0,
            most: MAX_JOBS,
        }),
        "{ ids: ids.txt }",
        "Values of list parameters, from files with one value per line.",
    );
    pub(crate) static RUNTIME: Key = optional(
        "runtime",
        ValueType::Named(&Named {
            name: Text::Any,
            value: ValueType::Either(&[ValueType::Text(Text::Any), ValueType::Map(&runtime::MAP)]),
            least: 0,
            most: MAX_JOBS,
        }),
        "{ day: 'hivevar:day' }",
        "Parameters that the scheduler fills in when the statement runs: [schedulers.md](schedulers.md).",
    );
    pub(crate) static NOW: Key = optional(
        "now",
        ValueType::Text(Text::Moment),
        "2020-04-06",
        "Time for `current_date` and `current_timestamp`.",
    );
    pub(crate) static FOR_EACH: Key = optional(
        "for_each",
        ValueType::Named(&Named { name: Text::Any, value: VALUE, least: 1, most: MAX_NAMES }),
        "{ day: 20200401..20200430 }",
        "One file per value or combination of values: a range of days or months, both ends included, or a list. The values are also parameters.",
    );
    pub static FROM: Key = optional(
        "from",
        ValueType::Text(Text::Any),
        "staging.visits",
        "Hive table or view with the rows to write.",
    );
    pub static LIST: Key = optional(
        "list",
        number(0, u32::MAX as i64),
        "20",
        "Maximum number of wrong rows to list; 20 by default.",
    );
    pub(crate) static ONLY: Key = optional(
        "only",
        ValueType::List(&List { item: ValueType::Words(&PARTS), least: 1, most: 3, unique: false }),
        "[mapping, target]",
        "Parts to write; by default all that the schema has.",
    );
    pub(crate) static IF_NOT_EXISTS: Key = default(
        "if_not_exists",
        ValueType::Flag,
        "false",
        "Create the HBase table only if it does not exist.",
    );
    pub static QUERY: Key = optional(
        "query",
        ValueType::Text(Text::Path),
        "'queries/{job}.sql'",
        "File with a query on logical tables, relative to the jobs file. Values of `params` and `for_each` replace `${name}` in it.",
    );
    pub static SCHEMAS: Key = optional(
        "schemas",
        ValueType::List(&List { item: ValueType::Text(Text::Path), least: 1, most: MAX_JOBS, unique: false }),
        "[users.yaml]",
        "Schema files of further logical tables that the query reads.",
    );
    pub static DATABASE: Key = optional(
        "database",
        ValueType::Text(Text::Any),
        "trace",
        "Database that the query begins in, for names without one.",
    );
    pub static ENGINE: Key =
        optional("engine", ValueType::Words(&ENGINES), "mr", "Execution engine of Hive.");
    pub static SHAPE: Key = optional("shape", ValueType::Words(&SHAPES), "auto", "Shape of the query.");
    pub static SELECT: Key =
        default("select", ValueType::Flag, "false", "Write the query without the INSERT.");
    pub(crate) static GUARDS: Key = default(
        "guards",
        ValueType::Flag,
        "true",
        "Whether to write the guards, which keep the result correct if Hive does not apply the ranges.",
    );
    pub(crate) static HEADER: Key =
        default("header", ValueType::Flag, "true", "Whether to write the comment above the statement.");
    pub static MAX_BRANCHES: Key =
        optional("max_branches", number(1, 100_000), "1000", "Maximum number of key ranges of a plan.");
    pub(crate) static ALLOW_FULL_SCAN: Key =
        default("allow_full_scan", ValueType::Flag, "false", "Write a plan that reads the whole table.");
    pub(crate) static ALLOW_EMPTY: Key =
        default("allow_empty", ValueType::Flag, "false", "Write a plan that reads nothing.");
    pub static TEMPLATES: Key =
        optional("templates", ValueType::Text(Text::Path), "templates", "Folder with your own templates.");
    pub(crate) static OUT: Key = optional(
        "out",
        ValueType::Text(Text::Path),
        "'sql/{job}.sql'",
        "File to write, relative to the jobs file; required here or in `defaults`.",
    );

    // The keys of a kind, in addition to the common ones.
    const PLAN: &[&Key] = &[
        &PREDICATE,
        &PARAMS,
        &PARAM_FILES,
        &RUNTIME,
        &NOW,
        &ENGINE,
        &SHAPE,
        &SELECT,
        &GUARDS,
        &MAX_BRANCHES,
        &limits::MAX_WIDENING,
        &limits::MAX_SCANS,
        &limits::MAX_JOBS,
        &ALLOW_FULL_SCAN,
        &ALLOW_EMPTY,
        &TEMPLATES,
    ];
    const SCAN: &[&Key] = &[
        &PREDICATE,
        &PARAMS,
        &PARAM_FILES,
        &NOW,
        &MAX_BRANCHES,
        &limits::MAX_WIDENING,
        &ALLOW_FULL_SCAN,
        &ALLOW_EMPTY,
    ];
    const LOAD: &[&Key] = &[&FROM, &TEMPLATES];
    const VERIFY: &[&Key] = &[&LIST, &TEMPLATES];
    const DDL: &[&Key] = &[&ONLY, &IF_NOT_EXISTS, &TEMPLATES];
    const REWRITE: &[&Key] = &[
        &QUERY,
        &SCHEMAS,
        &DATABASE,
        &PARAMS,
        &RUNTIME,
        &ENGINE,
        &SHAPE,
        &MAX_BRANCHES,
        &limits::MAX_WIDENING,
        &limits::MAX_SCANS,
        &limits::MAX_JOBS,
        &ALLOW_FULL_SCAN,
    ];

    /// The keys that only some kinds have.
    const OF_KINDS: &[&Key] = &[
        &PREDICATE,
        &PARAMS,
        &PARAM_FILES,
        &RUNTIME,
        &NOW,
        &FROM,
        &LIST,
        &ONLY,
        &IF_NOT_EXISTS,
        &QUERY,
        &SCHEMAS,
        &DATABASE,
        &ENGINE,
        &SHAPE,
        &SELECT,
        &GUARDS,
        &MAX_BRANCHES,
        &limits::MAX_WIDENING,
        &limits::MAX_SCANS,
        &limits::MAX_JOBS,
        &ALLOW_FULL_SCAN,
        &ALLOW_EMPTY,
        &TEMPLATES,
    ];

    /// The keys of `OF_KINDS` that a kind of job allows, and those that it requires.
    const fn of_kind(
        when: &'static [KeyTest],
        beside: &'static str,
        needs: &'static [&'static Key],
        takes: &'static [&'static Key],
    ) -> KeyRule {
        KeyRule { when, beside, needs, among: OF_KINDS, takes, ..KeyRule::NOTHING }
    }

    pub(crate) static MAP: Map = Map {
        about: "A job, and the files that it writes.",
        keys: &[
            &NAME,
            &KIND,
            &SCHEMA,
            &PREDICATE,
            &PARAMS,
            &PARAM_FILES,
            &RUNTIME,
            &NOW,
            &FOR_EACH,
            &FROM,
            &LIST,
            &ONLY,
            &IF_NOT_EXISTS,
            &QUERY,
            &SCHEMAS,
            &DATABASE,
            &ENGINE,
            &SHAPE,
            &SELECT,
            &GUARDS,
            &HEADER,
            &MAX_BRANCHES,
            &limits::MAX_WIDENING,
            &limits::MAX_SCANS,
            &limits::MAX_JOBS,
            &ALLOW_FULL_SCAN,
            &ALLOW_EMPTY,
            &TEMPLATES,
            &OUT,
        ],
        cases: &[
            of_kind(&[KeyTest::Lacks(&KIND)], "`kind: plan`, the default", &[&PREDICATE], PLAN),
            of_kind(&[KeyTest::Is(&KIND, &["plan"])], "`kind: plan`", &[&PREDICATE], PLAN),
            of_kind(&[KeyTest::Is(&KIND, &["scan"])], "`kind: scan`", &[&PREDICATE], SCAN),
            of_kind(&[KeyTest::Is(&KIND, &["load"])], "`kind: load`", &[&FROM], LOAD),
            of_kind(&[KeyTest::Is(&KIND, &["verify"])], "`kind: verify`", &[], VERIFY),
            of_kind(&[KeyTest::Is(&KIND, &["ddl"])], "`kind: ddl`", &[], DDL),
            of_kind(&[KeyTest::Is(&KIND, &["rewrite"])], "`kind: rewrite`", &[&QUERY], REWRITE),
        ],
        misplaced: &[],
    };
}

/// A value of `runtime:`
pub mod runtime {
    use super::{Key, Map, Text, ValueType, optional, required};

    pub static TEXT: Key = required(
        "text",
        ValueType::Text(Text::Any),
        "'{{ ds }}'",
        "The scheduler's own text, or a preset such as `hivevar:day`.",
    );
    pub static FORMAT: Key = optional(
        "format",
        ValueType::Text(Text::Any),
        "iso",
        "Format of the value, if it differs from that of the key: `iso` or Java's pattern letters.",
    );

    pub(crate) static MAP: Map = Map {
        about: "A text whose value has another format than the key.",
        keys: &[&TEXT, &FORMAT],
        cases: &[],
        misplaced: &[],
    };
}
