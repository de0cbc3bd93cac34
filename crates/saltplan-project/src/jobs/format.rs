//! The keys of jobs files.

use super::model::Lists;
use super::pattern::JobPattern;
use super::read::{
    Values, file_text, pattern, read_check, read_for_each, read_lists, read_now, read_params, read_parts,
    read_runtime, read_schemas, read_tables,
};
use saltplan_core::ddl::DdlTable;
use saltplan_core::hive::check::CheckForm;
use saltplan_core::hive::query::QueryShape;
use saltplan_core::limits::{self, Limits};
use saltplan_core::plan::MaxWidening;
use saltplan_core::schema::hive::ENGINES;
use saltplan_core::schema::model::Engine;
use saltplan_document::diag::{Span, Spanned};
use saltplan_document::format::{
    Choice, File, Key, KeyRule, KeyTest, List, Named, Syntax, Text, ValueType, Word, number, word,
};
use saltplan_document::mapping;
use saltplan_sql::Parameters;

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
    map: &JobsKeys::MAP,
};

static JOBS: List = List { item: ValueType::Map(&JobKeys::MAP), least: 1, most: MAX_JOBS, unique: false };

mapping! {
    /// Files that `saltplan build` writes.
    pub keys JobsKeys {
        /// Version of the format.
        VERSION = required("version", number(1, 1), "1");
        DEFAULTS = optional("defaults", ValueType::Map(&Defaults::MAP), "{ engine: mr }");
        /// The jobs, each with the file that it writes.
        JOBS = required("jobs", ValueType::List(&JOBS), "[{ name: …, schema: …, predicate: …, out: … }]");
    }
}

const fn of_shape(shape: QueryShape) -> Word<Option<QueryShape>> {
    word(shape.name(), Some(shape), "")
}

/// The shapes of a query.
pub(crate) static SHAPES: Choice<Option<QueryShape>> = Choice(&[
    word("auto", None, "by the engine"),
    of_shape(QueryShape::UnionAll),
    of_shape(QueryShape::Isolated),
    of_shape(QueryShape::OneScan),
]);

/// The values of `kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KindWord {
    Plan,
    Scan,
    Check,
    Load,
    Verify,
    Ddl,
    Rewrite,
}

saltplan_document::from_file! { word: KindWord; }

/// What a job writes.
pub static KINDS: Choice<KindWord> = Choice(&[
    word("plan", KindWord::Plan, "the Hive statement"),
    word("scan", KindWord::Scan, "HBase shell commands"),
    word("check", KindWord::Check, "the query that compares the rows in HBase with those of the target"),
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

mapping! {
    /// Defaults for all jobs.
    #[derive(Debug, Default)]
    pub struct Defaults {
        /// Schema file, relative to the jobs file.
        pub schema: Option<JobPattern> = SCHEMA, optional("schema", ValueType::Text(Text::Path), "visits.yaml")
            by pattern;
        /// Execution engine of Hive, if neither the job nor `hive.engine` of its schema sets it.
        pub engine: Option<Engine> = ENGINE, optional("engine", ValueType::Words(&ENGINES), "mr");
        /// Shape of the queries.
        pub shape: Option<Option<QueryShape>> = SHAPE, optional("shape", ValueType::Words(&SHAPES), "auto")
            by |reader, value| value.word(reader);
        pub max_widening: Option<MaxWidening> = MAX_WIDENING, shared(limits::MAX_WIDENING);
        pub max_scans: Option<usize> = MAX_SCANS, shared(limits::MAX_SCANS);
        pub max_jobs: Option<usize> = MAX_JOBS, shared(limits::MAX_JOBS);
        /// Folder with your own templates.
        pub templates: Option<Spanned<String>>
            = TEMPLATES, optional("templates", ValueType::Text(Text::Path), "templates");
        /// File that a job writes, relative to the jobs file; `{job}` is its name, `{day}` a value of `for_each`.
        pub out: Option<JobPattern> = OUT, optional("out", ValueType::Text(Text::Path), "'sql/{job}.sql'")
            by pattern;
    }
}

impl Defaults {
    pub fn limits(&self) -> Limits {
        Limits { max_widening: self.max_widening, max_scans: self.max_scans, max_jobs: self.max_jobs }
    }
}

/// A check beside a job that fails.
static FAILING: Choice<CheckForm> = Choice(&[word("assert", CheckForm::Assert, "")]);
static CHECKS: [ValueType; 2] = [ValueType::Flag, ValueType::Words(&FAILING)];

static TEXTS: List = List { item: ValueType::Text(Text::Any), least: 1, most: MAX_JOBS, unique: false };
static PATHS: List = List { item: ValueType::Text(Text::Path), least: 1, most: MAX_JOBS, unique: false };
static DDL_PARTS: List = List { item: ValueType::Words(&PARTS), least: 1, most: 3, unique: false };

static ONE_OR_SEVERAL: [ValueType; 2] = [ValueType::Text(Text::Any), ValueType::List(&TEXTS)];
static TEXT_OR_FORMAT: [ValueType; 2] = [ValueType::Text(Text::Any), ValueType::Map(&RuntimeText::MAP)];

const fn by_parameter(value: ValueType) -> Named {
    Named { name: Text::Any, value, least: 0, most: MAX_JOBS }
}
static VALUES: Named = by_parameter(ValueType::Either(&ONE_OR_SEVERAL));
static FILES: Named = by_parameter(ValueType::Text(Text::Path));
static RUNTIME_VALUES: Named = by_parameter(ValueType::Either(&TEXT_OR_FORMAT));
static NAMES: Named =
    Named { name: Text::Any, value: ValueType::Either(&ONE_OR_SEVERAL), least: 1, most: MAX_NAMES };

mapping! {
    /// A job, and the files that it writes.
    #[derive(Debug)]
    pub(super) parts struct JobKeys(parameters: &mut Parameters) {
        /// Name of the job, for `--job` and `{job}`.
        name: JobPattern = NAME, required("name", ValueType::Text(Text::Any), "visits_daily") by file_text;
        /// What is made:
        kind: KindWord = KIND, default("kind", ValueType::Words(&KINDS), "plan");
        /// Schema file, relative to the jobs file; required here or in `defaults`.
        schema: Option<JobPattern> = SCHEMA, optional("schema", ValueType::Text(Text::Path), "visits.yaml")
            by pattern;
        /// Condition on key fields and columns.
        predicate: Option<Spanned<String>>
            = PREDICATE, optional("predicate", ValueType::Text(Text::Expression), "'opera_day = :day'"),
            in &["plan", "scan", "check"];
        /// Values of parameters `:name`.
        params: Option<()>
            = PARAMS, optional("params", ValueType::Named(&VALUES), "{ day: 20200406, ids: [a, b] }")
            by |reader, value| read_params(reader, value, parameters), in &["plan", "scan", "check", "rewrite"];
        /// Values of list parameters, from files with one value per line.
        param_files: Option<Lists>
            = PARAM_FILES, optional("param_files", ValueType::Named(&FILES), "{ ids: ids.txt }")
            by read_lists, in &["plan", "scan", "check"];
        /// Parameters that the scheduler fills in when the statement runs: [schedulers.md](schedulers.md).
        runtime: Option<Vec<Span>>
            = RUNTIME, optional("runtime", ValueType::Named(&RUNTIME_VALUES), "{ day: 'hivevar:day' }")
            by |reader, value| read_runtime(reader, value, parameters), in &["plan", "check", "rewrite"];
        /// Time for `current_date` and `current_timestamp`.
        now: Option<()> = NOW, optional("now", ValueType::Text(Text::Moment), "2020-04-06")
            by |reader, value| read_now(reader, value, parameters), in &["plan", "scan", "check", "rewrite"];
        /// One file per value or combination of values: a range of days or months, both ends included, or a
        /// list. The values are also parameters.
        for_each: Option<Values>
            = FOR_EACH, optional("for_each", ValueType::Named(&NAMES), "{ day: 20200401..20200430 }")
            by read_for_each;
        /// Hive table or view with the rows to write.
        from: Option<JobPattern> = FROM, optional("from", ValueType::Text(Text::Any), "staging.visits")
            by pattern, in &["load"];
        /// Maximum number of wrong rows to list; 20 by default.
        list: Option<u32> = LIST, optional("list", number(0, u32::MAX as i64), "20"), in &["verify"];
        /// Parts to write; by default all that the schema has.
        only: Option<Vec<DdlTable>>
            = ONLY, optional("only", ValueType::List(&DDL_PARTS), "[mapping, target]")
            by read_parts, in &["ddl"];
        /// Create the HBase table only if it does not exist.
        if_not_exists: bool = IF_NOT_EXISTS, default("if_not_exists", ValueType::Flag, "false"), in &["ddl"];
        /// File with a query on logical tables, relative to the jobs file. Values of `params` and `for_each`
        /// replace `${name}` in it.
        query: Option<JobPattern>
            = QUERY, optional("query", ValueType::Text(Text::Path), "'queries/{job}.sql'")
            by pattern, in &["rewrite"];
        /// Schema files of further logical tables that the query reads.
        schemas: Option<Vec<JobPattern>> = SCHEMAS, optional("schemas", ValueType::List(&PATHS), "[users.yaml]")
            by read_schemas, in &["rewrite"];
        /// Files with the columns of other tables that the query reads: CREATE TABLE statements, or the output of DESCRIBE.
        tables: Option<Vec<JobPattern>> = TABLES, optional("tables", ValueType::List(&PATHS), "[dim.hql]")
            by read_tables, in &["rewrite"];
        /// Database that the query begins in, for names without one.
        database: Option<String>
            = DATABASE, optional("database", ValueType::Text(Text::Any), "trace"), in &["rewrite"];
        /// Execution engine of Hive.
        engine: Option<Engine>
            = ENGINE, optional("engine", ValueType::Words(&ENGINES), "mr"), in &["plan", "check", "rewrite"];
        /// Shape of the query.
        shape: Option<Option<QueryShape>> = SHAPE, optional("shape", ValueType::Words(&SHAPES), "auto")
            by |reader, value| value.word(reader), in &["plan", "check", "rewrite"];
        /// Write the query without the INSERT.
        select: bool = SELECT, default("select", ValueType::Flag, "false"), in &["plan"];
        /// Write an INSERT INTO, which adds the rows to those that the target has, instead of an INSERT OVERWRITE.
        into: bool = INTO, default("into", ValueType::Flag, "false"), in &["plan"];
        /// Write a check of the rows, too, to a file beside that of the statement, `daily_check.sql` beside `daily.sql`: a query,
        /// or with `assert` a statement that fails if rows differ: [check.md](check.md).
        check: Option<Option<CheckForm>> = CHECK, optional("check", ValueType::Either(&CHECKS), "true")
            by read_check, in &["plan"];
        /// Field or column of the target by which a check counts rows, or `salt`.
        by: Option<String> = BY, optional("by", ValueType::Text(Text::Any), "opera_day"), in &["check"];
        /// Maximum number of differing rows that a check lists, instead of groups.
        rows: Option<u32> = ROWS, optional("rows", number(1, u32::MAX as i64), "20"), in &["check"];
        /// Write a check that fails if a group differs.
        assert: bool = ASSERT, default("assert", ValueType::Flag, "false"), in &["check"];
        /// Whether to write the guards, which keep the result correct if Hive does not apply the ranges.
        guards: bool = GUARDS, default("guards", ValueType::Flag, "true"), in &["plan", "check"];
        /// Whether to write the comment above the statement.
        header: bool = HEADER, default("header", ValueType::Flag, "true");
        /// Maximum number of key ranges of a plan.
        max_branches: Option<usize> = MAX_BRANCHES, optional("max_branches", number(1, 100_000), "1000"),
            in &["plan", "scan", "check", "rewrite"];
        max_widening: Option<MaxWidening>
            = MAX_WIDENING, shared(limits::MAX_WIDENING), in &["plan", "scan", "check", "rewrite"];
        max_scans: Option<usize> = MAX_SCANS, shared(limits::MAX_SCANS), in &["plan", "check", "rewrite"];
        max_jobs: Option<usize> = MAX_JOBS, shared(limits::MAX_JOBS), in &["plan", "check", "rewrite"];
        /// Write a plan that reads the whole table.
        allow_full_scan: bool = ALLOW_FULL_SCAN, default("allow_full_scan", ValueType::Flag, "false"),
            in &["plan", "scan", "check", "rewrite"];
        /// Write a plan that reads nothing.
        allow_empty: bool
            = ALLOW_EMPTY, default("allow_empty", ValueType::Flag, "false"), in &["plan", "scan", "check", "rewrite"];
        /// Write an INSERT OVERWRITE whose rows are only a part of those that it replaces.
        allow_partial: bool = ALLOW_PARTIAL, default("allow_partial", ValueType::Flag, "false"),
            in &["plan", "check", "rewrite"];
        /// Write an INSERT OVERWRITE of partitions, or of a table, that another job of the file overwrites too.
        allow_overlap: bool = ALLOW_OVERLAP, default("allow_overlap", ValueType::Flag, "false"),
            in &["plan", "rewrite"];
        /// Folder with your own templates.
        templates: Option<Spanned<String>>
            = TEMPLATES, optional("templates", ValueType::Text(Text::Path), "templates"),
            in &["plan", "load", "verify", "ddl"];
        /// File to write, relative to the jobs file; required here or in `defaults`.
        out: Option<JobPattern> = OUT, optional("out", ValueType::Text(Text::Path), "'sql/{job}.sql'")
            by pattern;
    }
    cases: &[
        of_kind(&[KeyTest::Lacks(&Self::KIND)], "`kind: plan`, the default", &[&Self::PREDICATE], "plan"),
        of_kind(&[KeyTest::Is(&Self::KIND, &["plan"])], "`kind: plan`", &[&Self::PREDICATE], "plan"),
        of_kind(&[KeyTest::Is(&Self::KIND, &["scan"])], "`kind: scan`", &[&Self::PREDICATE], "scan"),
        of_kind(&[KeyTest::Is(&Self::KIND, &["check"])], "`kind: check`", &[&Self::PREDICATE], "check"),
        of_kind(&[KeyTest::Is(&Self::KIND, &["load"])], "`kind: load`", &[&Self::FROM], "load"),
        of_kind(&[KeyTest::Is(&Self::KIND, &["verify"])], "`kind: verify`", &[], "verify"),
        of_kind(&[KeyTest::Is(&Self::KIND, &["ddl"])], "`kind: ddl`", &[], "ddl"),
        of_kind(&[KeyTest::Is(&Self::KIND, &["rewrite"])], "`kind: rewrite`", &[&Self::QUERY], "rewrite"),
    ];
}

/// The keys that a kind of job requires; the others say themselves which kinds have them.
const fn of_kind(
    when: &'static [KeyTest],
    with: &'static str,
    needs: &'static [&'static Key],
    kind: &'static str,
) -> KeyRule {
    KeyRule { when, with, needs, kind: Some(kind), ..KeyRule::NOTHING }
}

mapping! {
    /// A text whose value has another format than the key.
    #[derive(Debug)]
    pub struct RuntimeText {
        /// The scheduler's own text, or a preset such as `hivevar:day`.
        pub text: Spanned<String> = TEXT, required("text", ValueType::Text(Text::Any), "'{{ ds }}'");
        /// Format of the value, if it differs from that of the key: `iso` or Java's pattern letters.
        pub format: Option<Spanned<String>> = FORMAT, optional("format", ValueType::Text(Text::Any), "iso");
    }
}
