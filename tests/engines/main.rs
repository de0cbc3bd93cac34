//! The engine suite: the printed DDL, SQL and scans run on a real HBase and real Hive, and rows and reads are
//! counted.
//!
//! Run it with `tests/engines/run`, which starts what it needs. `docs/engines.md` says how to add a case.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a trial that cannot go on fails, and the runner says how far it is"
)]

mod attributes;
mod benchmark;
mod booleans;
mod bytes;
mod cases;
mod check;
mod choice;
mod clock;
mod constants;
mod counts;
mod drift;
mod emptied;
mod engine;
mod evaluator;
mod example;
mod files;
mod grow;
mod hbase;
mod helper;
mod hive4;
mod jobs;
mod judge;
mod keys;
mod layouts;
mod like;
mod logical;
mod meaning;
mod one_scan;
mod partition_parts;
mod partitions;
mod phoenix;
mod planned;
mod programs;
mod project;
mod pushed;
#[path = "../readers/cases.rs"]
mod reader_cases;
mod readers;
mod rewrite;
mod rows;
mod runtime;
mod runtime_forms;
mod saltplan;
mod skeletons;
mod spark;
mod spark_connector;
mod splits;
mod statements;
mod tpch;
mod types;
mod written;

use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use libtest_mimic::{Arguments, Failed, Trial};

use cases::CaseFile;
use engine::{Engine, Engines};
use project::{Measured, Project};

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // The reads of a case are the difference of two counters, so nothing else may read at the same time.
    arguments.test_threads = Some(1);
    let report = Report::default();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let chosen = saltplan::program()
        .and_then(|_| trials(root, &report, choice::is_whole(&arguments)))
        .and_then(|trials| choice::choose(root, trials, &arguments));
    let trials = match chosen {
        Ok(trials) => trials,
        Err(error) => {
            eprintln!("engines: {error:#}");
            return ExitCode::FAILURE;
        }
    };
    let list = arguments.list;
    let conclusion = libtest_mimic::run(&arguments, trials);
    report.print();
    if !list && conclusion.num_passed + conclusion.num_failed == 0 {
        eprintln!("engines: no case ran; look at the names with `-- --list`");
        return ExitCode::FAILURE;
    }
    conclusion.exit_code()
}

fn trials(root: &Path, report: &Report, is_whole: bool) -> Result<Vec<Trial>> {
    let engines = Engines::new(root);
    let mut trials = keys::trials(root);
    trials.extend(phoenix::trials(root, &engines)?);
    trials.extend(readers::trials(root));
    trials.extend(judge::trials(root));
    trials.extend(pushed::trials(root));
    trials.extend(splits::trials(root, &engines));
    trials.extend(programs::trials(root, &engines));
    trials.extend(attributes::trials(root, &engines));
    // Before the cases, because both create the table of the recommendation log.
    trials.extend(layouts::trials(root, &engines, report)?);
    for file in cases::read_all(&root.join("tests/engines/cases"))? {
        trials.extend(trials_of(root, file, &engines, report));
    }
    trials.extend(bytes::trials(root, &engines));
    trials.extend(written::trials(root, &engines));
    trials.extend(files::trials(root, &engines));
    trials.extend(like::trials(&engines));
    trials.extend(constants::trials(&engines));
    trials.extend(evaluator::trials(&engines));
    trials.extend(meaning::trials(&engines));
    trials.extend(statements::trials(root, &engines, is_whole));
    trials.extend(one_scan::trials(root, &engines, report));
    trials.extend(planned::trials(root, &engines, report));
    trials.extend(booleans::trials(root, &engines));
    trials.extend(logical::trials(root, &engines));
    trials.extend(clock::trials(root, &engines));
    trials.extend(partitions::trials(root, &engines));
    trials.extend(emptied::trials(root, &engines));
    trials.extend(partition_parts::trials(root, &engines));
    trials.extend(runtime::trials(root, &engines));
    trials.extend(runtime_forms::trials(root, &engines));
    trials.extend(skeletons::trials(root, &engines));
    trials.extend(rewrite::trials(root, &engines, is_whole));
    trials.extend(tpch::trials(root, &engines));
    trials.extend(jobs::trials(root, &engines));
    trials.extend(check::trials(root, &engines));
    trials.extend(benchmark::trials(root, &engines));
    trials.extend(counts::trials(root, &engines));
    trials.extend(grow::trials(&engines));
    trials.extend(drift::trials(root, &engines));
    trials.extend(spark::trials(root, &engines));
    trials.extend(spark_connector::trials(root, &engines));
    trials.extend(hive4::trials(root, &engines));
    // Last, because they leave sessions in another zone.
    trials.extend(types::trials(root, &engines));
    Ok(trials)
}

/// First the DDL, then the scans in the shell, then the statements, one engine after the other, because
/// switching takes time.
fn trials_of(root: &Path, file: CaseFile, engines: &Engines, report: &Report) -> Vec<Trial> {
    let name = file.name.clone();
    let cases = file.cases.clone();
    let project = Project::new(root.to_owned(), file, engines.clone());
    let project = Shared { project: Arc::new(Mutex::new(project)), report: report.clone() };
    let mut trials =
        vec![project.trial(format!("hbase::{name}::ddl"), |project| project.try_hbase_ddl().map(|()| None))];
    for case in cases.iter().filter(|case| case.scan) {
        let case = case.clone();
        trials.push(project.trial(format!("hbase::{name}::{}", case.name), move |project| {
            project.try_scan(&case).map(Some)
        }));
    }
    for engine in Engine::ALL {
        trials.push(project.trial(format!("{engine}::{name}::ddl"), move |project| {
            project.try_hive_ddl(engine).map(|()| None)
        }));
        for case in cases.iter().filter(|case| case.engines.contains(&engine)) {
            let case = case.clone();
            let name = format!("{engine}::{name}::{}", case.name);
            trials.push(project.trial(name, move |project| project.try_statement(engine, &case).map(Some)));
        }
    }
    trials
}

/// The project of a file; all its trials use the same one.
#[derive(Clone)]
struct Shared {
    project: Arc<Mutex<Project>>,
    report: Report,
}

impl Shared {
    fn trial<F>(&self, name: String, run: F) -> Trial
    where
        F: FnOnce(&mut Project) -> Result<Option<Measured>> + Send + 'static,
    {
        let Self { project, report } = self.clone();
        Trial::test(name.clone(), move || {
            // A panic in one trial must not make the others fail.
            let mut project = project.lock().unwrap_or_else(PoisonError::into_inner);
            match run(&mut project) {
                Ok(Some(measured)) => report.add(name, measured),
                Ok(None) => {}
                Err(error) => return Err(Failed::from(format!("{error:#}"))),
            }
            Ok(())
        })
    }
}

/// What the trials measured, printed as one table at the end.
#[derive(Clone, Default)]
struct Report(Arc<Mutex<Vec<(String, Measured)>>>);

impl Report {
    fn add(&self, name: String, measured: Measured) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((name, measured));
    }

    fn print(&self) {
        let measured = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if measured.is_empty() {
            return;
        }
        println!("{:56} {:>8} {:>8} {:>8}", "measured", "rows", "reads", "seconds");
        for (name, Measured { rows, reads, elapsed }) in measured.iter() {
            println!("{name:56} {rows:>8} {reads:>8} {:>8.1}", elapsed.as_secs_f64());
        }
        println!();
    }
}
