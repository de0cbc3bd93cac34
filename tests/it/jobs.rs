//! Jobs files and the files that are built from them. `testdata/jobs_errors.txt` has every message of the
//! reader.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;

use saltplan_core::schema::parse;
use saltplan_document::diag::{Source, Style, render};
use saltplan_project::jobs::{self, Build, Fallback};

use crate::audit::json_schema::{fresh_tables, to_json};
use crate::help::{copy, root};
use crate::schema_errors::{check_messages, texts};
use saltplan_law::expect::expect_file;

const PROGRAM: &str = env!("CARGO_BIN_EXE_saltplan");

/// Errors that the structure of the file does not show.
const ONLY_READ: [&str; 20] = [
    "backwards",
    "format_of_a_value_in_a_query",
    "no_day",
    "no_range",
    "no_schema",
    "one_file_for_all",
    "open_brace",
    "other_files",
    "parameter_twice",
    "query_with_unknown_name",
    "runtime_brackets",
    "runtime_constant",
    "runtime_misspelt",
    "same_file",
    "same_file_for_each",
    "same_name",
    "too_many_files",
    "unknown_name",
    "value_with_slash",
    "variable_with_several_values",
];

fn messages_of(name: &str, bytes: Vec<u8>) -> String {
    let source = Source::new(name, String::from_utf8(bytes).expect("text"));
    let faults = match jobs::load(&source) {
        Ok(loaded) => {
            Build::new(loaded.jobs, &root().join(name), Fallback::default()).err().map(|told| told.0)
        }
        Err(told) => Some(told.0),
    };
    render(&faults.unwrap_or_default(), Style::default())
}

#[test]
fn messages() {
    let count = check_messages("tests/testdata/jobs_errors.txt", "jobs", messages_of);
    assert!(count >= 20, "only {count} cases");
}

static VALIDATOR: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
    let schema = serde_json::from_str(&jobs::json_schema_text()).expect("JSON");
    jsonschema::draft7::new(&schema).expect("a schema of draft-07")
});

fn is_valid(text: &str) -> bool {
    let (document, _) = parse(&Source::new("jobs.yaml", text));
    VALIDATOR.is_valid(&to_json(&document.expect("a document").root))
}

/// The JSON schema accepts what the reader accepts; what only the reader refuses is listed by name.
#[test]
fn the_json_schema_agrees_with_the_reader() {
    assert!(is_valid(ALL_KEYS), "{ALL_KEYS}");
    assert!(jobs::load(&Source::new("jobs.yaml", ALL_KEYS)).is_ok());
    let cases = texts(&root().join("tests/testdata/jobs_errors.txt"), "jobs");
    let mut accepted: Vec<&str> =
        cases.iter().filter(|(_, text)| is_valid(text)).map(|(name, _)| name.as_str()).collect();
    accepted.sort_unstable();
    assert_eq!(accepted, ONLY_READ);
}

/// Every kind of job has the keys that are declared for it, and no others.
#[test]
fn kinds_have_their_keys() {
    let list = jobs::FORMAT.map.keys.iter().find_map(|key| key.value.list()).expect("a list of jobs");
    let job = list.item.map().expect("the keys of a job");
    for (rule, kind) in job.cases.iter().filter_map(|rule| Some((rule, rule.kind?))) {
        let needed = rule.needs.iter().map(|key| format!(", {}", key.written(jobs::FORMAT.syntax)));
        let base = format!("name: a, schema: s.yaml, out: o.sql, kind: {kind}{}", needed.collect::<String>());
        for key in job.keys.iter().filter(|key| !base.contains(&format!("{}: ", key.name))) {
            // A variable of a query has one value, which the JSON schema does not know.
            let entry = match (kind, key.name) {
                ("rewrite", "params") => "params: { day: 20200406 }".to_string(),
                _ => key.written(jobs::FORMAT.syntax),
            };
            let text = format!("version: 1\njobs:\n  - {{ {base}, {entry} }}\n");
            let is_allowed = key.kinds.is_empty() || key.kinds.contains(&kind);
            assert_eq!(is_valid(&text), is_allowed, "{text}");
            assert_eq!(jobs::load(&Source::new("jobs.yaml", text.as_str())).is_ok(), is_allowed, "{text}");
        }
    }
}

#[test]
fn files_generated_from_the_format_are_current() {
    expect_file("schemas/jobs.schema.json", &jobs::json_schema_text());
    fresh_tables("docs/jobs.md", jobs::format_tables());
}

/// Keys in combination, with values of all types.
const ALL_KEYS: &str = "
version: 1
defaults: { schema: s.yaml, engine: mr, shape: auto, max_widening: any, max_scans: 9, max_jobs: 9, templates: schemas, out: 'sql/{job}.sql' }
jobs:
  - name: plan
    kind: plan
    schema: s_{region}.yaml
    predicate: day = :day AND id IN (:ids) AND kind = :kind AND n IN (:more)
    params: { kind: 5, ids: [a, 'b,c'] }
    param_files: { more: more.txt }
    now: 2020-04-06
    for_each: { day: 2020-04-01..2020-04-30, region: [eu, us] }
    engine: tez
    shape: isolated
    select: false
    guards: true
    header: true
    max_branches: 10
    max_widening: 100
    max_scans: 10
    max_jobs: 10
    allow_full_scan: true
    allow_empty: true
    templates: schemas
    out: plan/{region}/{day}.sql
  - { name: runtime, predicate: 'day = :day OR day = :other', runtime: { day: 'hivevar:day', other: { text: '{{ ds }}', format: iso } } }
  - { name: scan, kind: scan, predicate: 'day = 1' }
  - { name: 'load_{day}', kind: load, from: 'staging.visits_{day}', for_each: { day: [a, b] } }
  - { name: verify, kind: verify, list: 0 }
  - { name: ddl, kind: ddl, only: [hbase, mapping, target], if_not_exists: true }
  - name: rewrite
    kind: rewrite
    query: 'queries/{day}.sql'
    schemas: [users.yaml, 'others_{day}.yaml']
    database: trace
    params: { city: Hangzhou }
    runtime: { hour: 'hivevar:hour' }
    for_each: { day: [a, b] }
    engine: mr
    shape: isolated
    max_branches: 10
    max_widening: 100
    max_scans: 10
    max_jobs: 10
    allow_full_scan: true
    out: 'rewrite/{day}.sql'
";

/// A folder for each scheduler, with an up-to-date statement and the command that writes it.
#[test]
fn the_examples_for_schedulers_are_current() {
    let folders = fs::read_dir(root().join("examples/schedulers")).expect("the examples");
    let folders: Vec<_> =
        folders.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir()).collect();
    assert!(folders.len() >= 6, "{folders:?}");
    for folder in folders {
        let checked = Command::new(PROGRAM).arg("build").arg(&folder).arg("--check").output().expect("a run");
        assert!(checked.status.success(), "{}: {}", folder.display(), said(&checked));
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let page = fs::read_to_string(folder.join("README.md")).expect("a page");
        assert!(page.contains(&format!("saltplan build examples/schedulers/{name}\n")), "{name}");
    }
}

/// A repository with the example schemas, and a jobs file in a folder.
pub struct Repository(tempfile::TempDir);

impl Repository {
    pub fn new(jobs: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        copy(&root().join("schemas"), &folder.path().join("schemas"));
        fs::create_dir_all(folder.path().join(".git")).expect("a folder");
        fs::create_dir_all(folder.path().join("jobs")).expect("a folder");
        fs::write(folder.path().join("jobs/jobs.yaml"), jobs).expect("a file");
        Repository(folder)
    }

    pub fn at(&self) -> &Path {
        self.0.path()
    }

    pub fn run(&self, folder: &str, arguments: &[&str]) -> Output {
        let at = self.at().join(folder);
        Command::new(PROGRAM).args(arguments).current_dir(at).output().expect("the command")
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.at().join(path)).expect("a file")
    }
}

pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const DAYS: &str = "
version: 1
defaults: { schema: ../schemas/examples/md5_nibble_day.yaml, engine: mr, out: '../sql/{job}.sql' }
jobs:
  - { name: 'day_{day}', predicate: opera_day = :day, for_each: { day: 20200406..20200408 } }
  - { name: key, kind: scan, predicate: \"opera_day = 20200406 AND row_id = 'u1'\" }
";

#[test]
fn missing_days_are_not_loaded_where_rows_would_be_lost_or_doubled() {
    let repository = Repository::new(DAYS);
    let adding = DAYS.replace("predicate: opera_day = :day", "into: true, predicate: opera_day = :day");
    fs::write(repository.at().join("jobs/adding.yaml"), adding).expect("a file");
    for (jobs, meaning, code, message) in [
        ("jobs", "missing", 0, ""),
        ("jobs", "more", 0, "warning: days.tsv:1: of `20200407` the target has more rows than HBase"),
        ("jobs", "foreign", 2, "error: days.tsv:1: HBase has no rows of `20200407`"),
        ("jobs/adding.yaml", "missing", 0, ""),
        ("jobs/adding.yaml", "fewer", 2, "error: days.tsv:1: the job `day_20200407` adds rows with `into`"),
    ] {
        let result = format!("20200407\t{meaning}: x\t2\t3\t1\t1\n");
        fs::write(repository.at().join("days.tsv"), result).expect("a file");
        let built = repository.run("", &["build", jobs, "--missing", "days.tsv"]);
        assert_eq!(built.status.code(), Some(code), "{jobs} {meaning}: {}", said(&built));
        assert!(said(&built).contains(message), "{jobs} {meaning}: {}", said(&built));
    }
}

/// A day that is also the value of another variable may be of either.
#[test]
fn missing_days_are_of_one_variable() {
    let jobs = "
version: 1
defaults: { schema: ../schemas/examples/md5_nibble_day.yaml, engine: mr, out: '../sql/{job}.sql' }
jobs:
  - { name: 'day_{day}', predicate: opera_day = :day, for_each: { day: 20200406..20200408 } }
  - name: 'clicks_{click}'
    schema: ../schemas/examples/random_digit.yaml
    predicate: to_date(click_time) = :click
    for_each: { click: [20200407, 20200409] }
    into: true
";
    let repository = Repository::new(jobs);
    fs::write(repository.at().join("days.tsv"), "20200407\tmissing: x\t2\t0\t1\t0\n").expect("a file");
    let built = repository.run("", &["build", "jobs", "--missing", "days.tsv"]);
    assert_eq!(built.status.code(), Some(2), "{}", said(&built));
    let message = "error: days.tsv: groups are values of several variables of `for_each`: `click`, `day`";
    assert!(said(&built).contains(message), "{}", said(&built));
    assert!(!repository.at().join("sql").exists());
    let built = repository.run("", &["build", "jobs", "--job", "day_20200407", "--missing", "days.tsv"]);
    assert_eq!(built.status.code(), Some(0), "{}", said(&built));
}

#[test]
fn statements_do_not_depend_on_the_current_folder() {
    let repository = Repository::new(DAYS);
    let built = repository.run("", &["build", "jobs"]);
    assert_eq!(built.status.code(), Some(0), "{}", said(&built));
    let day = repository.text("sql/day_20200407.sql");
    let head: Vec<&str> = day.lines().take(2).collect();
    let expected = [
        "-- saltplan build ../jobs/jobs.yaml (job day_20200407)",
        "-- saltplan plan ../schemas/examples/md5_nibble_day.yaml (engine mr)",
    ];
    assert_eq!(head, expected);
    let whole = repository.at().join("jobs/jobs.yaml");
    let elsewhere =
        [("jobs", "jobs.yaml"), ("sql", "../jobs/jobs.yaml"), ("", whole.to_str().expect("a path"))];
    for (folder, file) in elsewhere {
        let checked = repository.run(folder, &["build", file, "--check"]);
        assert_eq!(checked.status.code(), Some(0), "{folder} {file}: {}", said(&checked));
        assert!(said(&checked).contains("4 files: 4 current"), "{}", said(&checked));
    }
    // In another folder the bytes are the same.
    let copied = repository.run("", &["build", "jobs", "--output", "copy"]);
    assert_eq!(copied.status.code(), Some(2), "{}", said(&copied));
    assert!(said(&copied).contains("leads out of the folder of `--output`"), "{}", said(&copied));
}

#[test]
fn a_plan_is_checked_from_any_folder() {
    let repository = Repository::new(DAYS);
    let schema = "schemas/examples/md5_nibble_day.yaml";
    let made = repository.run("", &["plan", schema, "opera_day = 20200406", "-o", "day.sql"]);
    assert_eq!(made.status.code(), Some(0), "{}", said(&made));
    let whole = repository.at().join(schema);
    for (folder, schema) in
        [("jobs", "../schemas/examples/md5_nibble_day.yaml"), ("sql", whole.to_str().expect("a path"))]
    {
        fs::create_dir_all(repository.at().join(folder)).expect("a folder");
        let checked =
            repository.run(folder, &["plan", schema, "opera_day = 20200406", "-o", "../day.sql", "--check"]);
        assert_eq!(checked.status.code(), Some(0), "{folder}: {}", said(&checked));
    }
}

#[test]
fn only_what_changes_is_written() {
    let repository = Repository::new(DAYS);
    repository.run("", &["build", "jobs"]);
    let times = || {
        let modified = |name: &str| {
            let file = repository.at().join("sql").join(name);
            fs::metadata(file).and_then(|data| data.modified()).expect("a time")
        };
        (modified("day_20200406.sql"), modified("day_20200407.sql"))
    };
    let before = times();
    let changed = repository.text("sql/day_20200407.sql").replace("engine mr", "engine xx");
    fs::write(repository.at().join("sql/day_20200407.sql"), &changed).expect("a file");
    let checked = repository.run("jobs", &["build", "--check"]);
    assert_eq!(checked.status.code(), Some(1), "{}", said(&checked));
    let diff = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(diff.contains("+-- saltplan plan ../schemas/examples/md5_nibble_day.yaml (engine mr)"), "{diff}");
    assert_eq!(repository.text("sql/day_20200407.sql"), changed);
    let built = repository.run("jobs", &["build"]);
    assert!(
        said(&built).contains("wrote ../sql/day_20200407.sql\nnote: 4 files: 1 written, 3 unchanged"),
        "{}",
        said(&built)
    );
    assert_eq!(times().0, before.0);
    assert!(!repository.text("sql/day_20200407.sql").contains("engine xx"));
}

#[test]
fn stale_files_are_named_and_no_others() {
    let repository = Repository::new(DAYS);
    repository.run("", &["build", "jobs"]);
    let at = |name: &str| repository.at().join("sql").join(name);
    fs::write(at("own.sql"), "-- saltplan is not used here\nSELECT 1;\n").expect("a file");
    let others = "-- saltplan build ../other/jobs.yaml (job day_20200409)\n";
    fs::write(at("others.sql"), others).expect("a file");
    fs::write(repository.at().join("jobs/jobs.yaml"), DAYS.replace("20200408", "20200407")).expect("a file");
    let built = repository.run("", &["build", "jobs"]);
    assert_eq!(built.status.code(), Some(0), "{}", said(&built));
    let stale: Vec<String> =
        said(&built).lines().filter(|line| line.contains("stale")).map(String::from).collect();
    assert_eq!(stale, ["warning: `sql/day_20200408.sql` is stale: no job writes it any more"]);
    assert!(at("day_20200408.sql").is_file() && at("own.sql").is_file());
    assert_eq!(repository.run("", &["build", "jobs", "--check"]).status.code(), Some(1));
    fs::remove_file(at("day_20200408.sql")).expect("the file");
    assert_eq!(repository.run("", &["build", "jobs", "--check"]).status.code(), Some(0));
}

#[test]
fn one_job_does_not_stop_another() {
    let jobs = format!(
        "{DAYS}  - {{ name: all, predicate: \"phone_number = '1'\" }}\n  - {{ name: none, schema: none.yaml, predicate: 'a = 1' }}\n"
    );
    let repository = Repository::new(&jobs);
    let built = repository.run("jobs", &["build"]);
    assert_eq!(built.status.code(), Some(2), "{}", said(&built));
    assert!(said(&built).contains("6 files: 4 written, 1 refused, 1 invalid"), "{}", said(&built));
    assert!(said(&built).contains("`allow_full_scan: true`"), "{}", said(&built));
    assert!(repository.at().join("sql/key.sql").is_file());
    assert!(!repository.at().join("sql/all.sql").exists() && !repository.at().join("sql/none.sql").exists());
    let refused = repository.run("jobs", &["build", "--job", "all"]);
    assert_eq!(refused.status.code(), Some(1), "{}", said(&refused));
    let chosen = repository.run("jobs", &["build", "--job", "day_20200406", "--job", "key"]);
    assert!(said(&chosen).contains("2 files: 2 unchanged"), "{}", said(&chosen));
}

/// A link in the repository does not allow writing outside.
#[cfg(unix)]
#[test]
fn nothing_is_written_outside_of_the_repository() {
    let repository = Repository::new(DAYS);
    let outside = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink(outside.path(), repository.at().join("sql")).expect("a link");
    let built = repository.run("jobs", &["build"]);
    assert_eq!(built.status.code(), Some(2), "{}", said(&built));
    assert!(said(&built).contains("is not written"), "{}", said(&built));
    assert_eq!(fs::read_dir(outside.path()).expect("a folder").count(), 0);
}

const REWRITES: &str = "
version: 1
defaults: { schema: calls.yaml, out: '../sql/{job}.sql' }
jobs:
  - { name: 'users_{day}', kind: rewrite, query: ../queries/users.sql, for_each: { day: 20200406..20200408 } }
  - { name: users, kind: rewrite, query: ../queries/users.sql, runtime: { day: 'hivevar:day' }, engine: mr }
  - { name: city, kind: rewrite, query: '../queries/{job}.sql', params: { city: Hangzhou } }
";

fn rewrites() -> Repository {
    let repository = Repository::new(REWRITES);
    let at = |path: &str| repository.at().join(path);
    fs::create_dir(at("queries")).expect("a folder");
    fs::copy(root().join("examples/rewrite/calls.yaml"), at("jobs/calls.yaml")).expect("a schema");
    fs::copy(root().join("examples/rewrite/users.sql"), at("queries/users.sql")).expect("a query");
    let city = "\u{feff}SELECT 1 FROM trace.calls WHERE opera_day = 20200406 AND phone = '${city}';\n";
    fs::write(at("queries/city.sql"), city).expect("a query");
    repository
}

#[test]
fn queries_are_rewritten() {
    let repository = rewrites();
    let built = repository.run("", &["build", "jobs"]);
    assert_eq!(built.status.code(), Some(0), "{}", said(&built));
    assert!(said(&built).contains("5 files: 5 written"), "{}", said(&built));
    // The same as the command, below the lines that say where it comes from.
    let head = "-- saltplan build ../jobs/jobs.yaml (job users_20200407)\n-- saltplan rewrite ../queries/users.sql\n";
    let day = ["rewrite", "--schemas", "jobs/calls.yaml", "queries/users.sql", "--hivevar", "day=20200407"];
    let text = |output: Output| String::from_utf8(output.stdout).expect("text");
    assert_eq!(
        repository.text("sql/users_20200407.sql"),
        format!("{head}{}", text(repository.run("", &day)))
    );
    let later = ["rewrite", "--schemas", "jobs/calls.yaml", "queries/users.sql", "--runtime", "hivevar:day"];
    let later = text(repository.run("", &[&later[..], &["--engine", "mr"]].concat()));
    assert!(later.contains("SELECT assert_true(") && later.contains("c.opera_day = ${day}"), "{later}");
    assert!(repository.text("sql/users.sql").ends_with(&later));
    assert!(repository.text("sql/city.sql").ends_with(" AND phone = 'Hangzhou';\n"));
    assert!(!repository.text("sql/city.sql").contains('\u{feff}'));

    let checked = repository.run("jobs", &["build", "--check"]);
    assert_eq!(checked.status.code(), Some(0), "{}", said(&checked));
    let query = repository.text("queries/users.sql").replace("GROUP BY", "-- new\nGROUP BY");
    fs::write(repository.at().join("queries/users.sql"), query).expect("a query");
    let checked = repository.run("jobs", &["build", "--check", "--job", "users"]);
    assert_eq!(checked.status.code(), Some(1), "{}", said(&checked));
    assert!(text(checked).contains("\n+-- new\n"));
}

#[test]
fn queries_that_are_not_rewritten() {
    let cases: [(&str, &str, i32, &str); 7] = [
        (
            "{ query: ../queries/bad.sql }",
            "SELECT 1 FROM trace.calls WHERE phone = '${p}'",
            1,
            "refused: `trace.calls` still reads the whole table",
        ),
        (
            "{ query: ../queries/bad.sql, allow_full_scan: true }",
            "SELECT 1 FROM trace.calls WHERE phone = '${p}'",
            0,
            "warning: `trace.calls` still reads",
        ),
        ("{ query: ../queries/none.sql }", "", 2, "cannot read `../queries/none.sql`: there is no such file"),
        ("{ query: ../../up.sql }", "", 2, "the jobs file cannot use `../../up.sql`"),
        ("{ query: ../queries/bad.sql }", "SELECT 'a", 2, "../queries/bad.sql:1:8"),
        ("{ query: ../queries/bad.sql }", "S\0E\0", 2, "`../queries/bad.sql` is not UTF-8 text (byte 1)"),
        ("{ query: ../queries/city.sql, schemas: [plain.yaml] }", "", 2, "names no `hive.view`"),
    ];
    for (keys, query, code, says) in cases {
        let repository = rewrites();
        let keys = keys.replace("{ query", "{ name: a, kind: rewrite, schema: calls.yaml, out: a.sql, query");
        let jobs = format!("version: 1\njobs:\n  - {keys}\n");
        fs::write(repository.at().join("jobs/jobs.yaml"), jobs).expect("a file");
        fs::write(repository.at().join("queries/bad.sql"), query).expect("a file");
        let plain = "saltplan: 1\nhbase: { table: t, families: { f: {} } }\nkey: { fields: [{ name: a, type: string }] }\n";
        fs::write(repository.at().join("jobs/plain.yaml"), plain).expect("a file");
        let built = repository.run("jobs", &["build"]);
        assert_eq!(built.status.code(), Some(code), "{keys}: {}", said(&built));
        assert!(said(&built).contains(says), "{keys}: {}", said(&built));
        assert_eq!(repository.at().join("jobs/a.sql").exists(), code == 0, "{keys}");
    }
    // A query is never overwritten.
    let repository = rewrites();
    let jobs =
        "version: 1\njobs: [{ name: a, kind: rewrite, schema: calls.yaml, query: q.sql, out: q.sql }]\n";
    fs::write(repository.at().join("jobs/jobs.yaml"), jobs).expect("a file");
    fs::write(repository.at().join("jobs/q.sql"), "SELECT 1").expect("a file");
    let built = repository.run("jobs", &["build"]);
    assert_eq!(built.status.code(), Some(2), "{}", said(&built));
    assert!(said(&built).contains("`q.sql` is a query of this build"), "{}", said(&built));
    assert_eq!(repository.text("jobs/q.sql"), "SELECT 1");
}
