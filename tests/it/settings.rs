//! `saltplan.toml`: its messages in `testdata/settings_errors.txt`, and its effects.

use std::fs;

use saltplan_document::diag::{Source, Style, render};
use saltplan_project::settings::{self, Settings};

use crate::audit::json_schema::fresh_tables;
use crate::help::root;
use crate::jobs::{Repository, said};
use crate::schema_errors::check_messages;
use saltplan_law::expect::expect_file;

fn messages_of(name: &str, bytes: Vec<u8>) -> String {
    let name = name.trim_end_matches(".yaml").to_string() + "/saltplan.toml";
    let source = Source::new(name, String::from_utf8(bytes).expect("text"));
    let faults = Settings::parse(&source, root()).err().map(|told| told.0);
    render(&faults.unwrap_or_default(), Style::default())
}

#[test]
fn messages() {
    let count = check_messages("tests/testdata/settings_errors.txt", "settings", messages_of);
    assert!(count >= 8, "only {count} cases");
}

#[test]
fn files_generated_from_the_format_are_current() {
    expect_file("schemas/settings.schema.json", &settings::json_schema_text());
    fresh_tables("docs/settings.md", settings::format_tables());
}

const NO_JOBS: &str = "version: 1\n";
const DAY: &str = "schemas/examples/md5_nibble_day.yaml";

/// The engine for which a plan is made.
fn engine(repository: &Repository, folder: &str, schema: &str, more: &[&str]) -> String {
    let planned = repository.run(folder, &[&["plan", schema, "opera_day = 20200406"], more].concat());
    assert!(planned.status.success(), "{}", said(&planned));
    let text = String::from_utf8_lossy(&planned.stdout).into_owned();
    let (_, engine) = text.lines().next().and_then(|line| line.split_once("(engine ")).expect("an engine");
    engine.trim_end_matches(')').to_string()
}

#[test]
fn the_nearest_setting_applies() {
    let repository = Repository::new(NO_JOBS);
    assert_eq!(engine(&repository, "", DAY, &[]), "tez");
    fs::write(repository.at().join("saltplan.toml"), "engine = \"mr\"\n").expect("a file");
    assert_eq!(engine(&repository, "", DAY, &[]), "mr");
    assert_eq!(engine(&repository, "jobs", &format!("../{DAY}"), &[]), "mr");
    assert_eq!(engine(&repository, "", DAY, &["--engine", "tez"]), "tez");
    let schema = fs::read_to_string(repository.at().join(DAY)).expect("the schema");
    let of_tez = schema.replace("\nhive:\n", "\nhive:\n  engine: tez\n");
    assert_ne!(of_tez, schema);
    fs::write(repository.at().join(DAY), of_tez).expect("a file");
    assert_eq!(engine(&repository, "", DAY, &[]), "tez");
    assert_eq!(engine(&repository, "", DAY, &["--engine", "mr"]), "mr");
}

#[test]
fn a_build_uses_the_engine_set_closest_to_the_job() {
    let jobs = "version: 1\ndefaults: { engine: tez, schema: ../schemas/examples/md5_nibble_day.yaml, out: '{job}.sql' }\n\
                jobs:\n  - { name: a, predicate: 'opera_day = 20200406' }\n  - { name: b, engine: mr, predicate: 'opera_day = 20200407' }\n";
    let repository = Repository::new(jobs);
    let built = |name: &str| {
        let run = repository.run("jobs", &["build"]);
        assert!(run.status.success(), "{}", said(&run));
        fs::read_to_string(repository.at().join("jobs").join(name)).expect("the file")
    };
    fs::write(repository.at().join("saltplan.toml"), "engine = \"mr\"\n").expect("a file");
    assert!(built("a.sql").contains("(engine tez)") && built("b.sql").contains("(engine mr)"));
    fs::write(repository.at().join("jobs/jobs.yaml"), jobs.replace("engine: tez, ", "")).expect("a file");
    assert!(built("a.sql").contains("(engine mr)"));
}

#[test]
fn templates_of_the_settings() {
    let repository = Repository::new(NO_JOBS);
    let templates = repository.at().join("own/hive");
    fs::create_dir_all(&templates).expect("a folder");
    fs::write(templates.join("verify.sql"), "-- of our own\n").expect("a template");
    fs::write(repository.at().join("saltplan.toml"), "templates = \"own\"\n").expect("a file");
    let verified = repository.run("jobs", &["verify", &format!("../{DAY}")]);
    assert_eq!(String::from_utf8_lossy(&verified.stdout), "-- of our own\n", "{}", said(&verified));
}

#[test]
fn rules_and_files_are_left_out() {
    let repository = Repository::new(NO_JOBS);
    let found = |arguments: &[&str]| {
        let run = repository
            .run("", &[&["audit", "--fail-on", "never", "--output-format", "concise"], arguments].concat());
        assert!(run.status.success(), "{}", said(&run));
        let text = String::from_utf8_lossy(&run.stdout).into_owned();
        let mut codes: Vec<String> = text
            .lines()
            .filter_map(|line| line.split_whitespace().find(|word| word.starts_with("SP")))
            .map(String::from)
            .collect();
        codes.sort();
        codes.dedup();
        (codes, text)
    };
    let (all, _) = found(&["schemas"]);
    assert!(all.len() > 2, "{all:?}");
    let settings = |text: &str| fs::write(repository.at().join("saltplan.toml"), text).expect("a file");
    settings(&format!("ignore = [\"{}\"]\n", all[0]));
    assert_eq!(found(&["schemas"]).0, all[1..]);
    assert_eq!(found(&["schemas", "--rules", &all[0]]).0, all[..1]);
    settings("[per_file_ignore]\n\"schemas/**/*.yaml\" = [\"SP\"]\n");
    assert!(found(&["schemas"]).0.is_empty());
    settings("exclude = [\"schemas/examples/md5_*.yaml\"]\n");
    assert!(!found(&["schemas"]).1.contains("md5_"));
    assert!(found(&["schemas/examples/md5_prefix.yaml", "schemas"]).1.contains("md5_prefix"));
}

/// Without a repository, parent folders may belong to somebody else.
#[test]
fn settings_above_the_repository_do_not_count() {
    let repository = Repository::new(NO_JOBS);
    fs::write(repository.at().join("saltplan.toml"), "engine = \"mr\"\n").expect("a file");
    fs::create_dir_all(repository.at().join("schemas/.git")).expect("a folder");
    assert_eq!(engine(&repository, "", DAY, &[]), "tez");
}
