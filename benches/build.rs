//! `saltplan build` as a process, from start to end: how its time grows with the number of files.

#![expect(clippy::expect_used, reason = "a benchmark fails by panicking")]

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use divan::Bencher;
use tempfile::TempDir;

const FILES: [usize; 3] = [100, 1_000, 10_000];

/// Jobs that share a schema, as in a real repository.
const SCHEMAS: usize = 100;

fn main() {
    divan::main();
}

/// A folder with a jobs file that has this many jobs with one statement each, on a hundred schemas.
fn jobs(count: usize) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas/examples/md5_nibble_day.yaml");
    for number in 0..SCHEMAS {
        fs::copy(&schema, folder.path().join(format!("table_{number}.yaml"))).expect("a writable folder");
    }
    let mut text = String::from("version: 1\ndefaults: { engine: tez, out: 'sql/{job}.sql' }\njobs:\n");
    for number in 0..count {
        let schema = number % SCHEMAS;
        let _ = writeln!(
            text,
            "  - {{ name: job_{number}, schema: table_{schema}.yaml, predicate: 'opera_day = :day', params: {{ day: 20200406 }} }}"
        );
    }
    fs::write(folder.path().join("jobs.yaml"), text).expect("a writable folder");
    folder
}

fn build(folder: &Path) {
    let run =
        Command::new(env!("CARGO_BIN_EXE_saltplan")).args(["build", "--quiet"]).current_dir(folder).status();
    assert!(run.expect("the command").success());
}

/// All files are new.
#[divan::bench(args = FILES, sample_count = 3, sample_size = 1)]
fn written(bencher: Bencher<'_, '_>, count: usize) {
    let folder = jobs(count);
    let emptied = || drop(fs::remove_dir_all(folder.path().join("sql")));
    bencher.with_inputs(emptied).bench_values(|()| build(folder.path()));
}

/// No file changes.
#[divan::bench(args = FILES, sample_count = 3, sample_size = 1)]
fn unchanged(bencher: Bencher<'_, '_>, count: usize) {
    let folder = jobs(count);
    build(folder.path());
    bencher.bench(|| build(folder.path()));
}
