//! `build`: writes the files of a jobs file.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::inputs::{is_dash, name_of};
use crate::cli::output::{print, unified};
use crate::cli::progress;
use crate::cli::settings;
use crate::cli::write::{create_folder, write_made};
use crate::cli::{Failure, Outcome, Reporter};
use saltplan_document::diag::{Diagnostic, Severity, counted, grouped};
use saltplan_document::files::bounds::check_found;
use saltplan_document::files::paths::without_detours;
use saltplan_document::files::{self, ReadError};
use saltplan_project::jobs::{self, Build, Item, JobFault, Made};
use saltplan_simulate::watch::Watch;

const HELP: &str = "\
Each job of the jobs file names a schema, a predicate and the file to write;
docs/jobs.md describes all keys. Files that would not change are not touched;
others are replaced as a whole. If a job fails, the others are still built.
Files of an earlier build that no job writes any more are listed.

Exit codes:
  0  every file is written or current
  1  a refused plan, or with --check a file that is out of date
  2  wrong usage, an invalid jobs file, schema or predicate, or an internal
     error

Examples:
  saltplan build examples/schedulers/cron/jobs.yaml
  saltplan build examples/schedulers/cron --check
  saltplan build examples/schedulers/airflow --job daily -o sql";

/// Write the statements of a jobs file, for many tables and many days
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct BuildArgs {
    /// Jobs file, or a folder with a `jobs.yaml`
    #[arg(value_name = "JOBS", default_value = "jobs.yaml")]
    pub jobs: PathBuf,

    /// Name of a job to build; repeatable. Without it, all jobs
    #[arg(long, value_name = "NAME")]
    pub job: Vec<String>,

    /// Result of `saltplan check … --by`, as `hive` or `beeline` (tsv2, csv2) printed it: write only the plans of its days
    #[arg(long, value_name = "FILE")]
    pub missing: Option<PathBuf>,

    /// Folder to write to, instead of the folder of the jobs file
    #[arg(long, short, alias = "out", value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Write nothing; show the differences from the files and exit with 1 if there are any
    #[arg(long)]
    pub check: bool,
}

/// The maximum size of the result of a check.
const MAX_RESULT_BYTES: u64 = 16 << 20;

/// The maximum size of a file that is compared with a text.
const MAX_COMPARED_BYTES: u64 = 1 << 28;

pub fn run(args: &BuildArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    if is_dash(&args.jobs) {
        let diagnostic = Diagnostic::error("a jobs file cannot be read from standard input");
        return Err(diagnostic.with_help("pass a file: the paths in it are relative to its folder").into());
    }
    let file = if args.jobs.is_dir() {
        let file = args.jobs.join(jobs::NAME);
        check_found(&file, "name the file itself")?;
        file
    } else {
        args.jobs.clone()
    };
    let loaded = jobs::read_file(&file)?;
    reporter.remarks(&loaded.warnings);
    let settings = settings::of_file(&file)?;
    let settings_file = settings.file().map(PathBuf::from);
    let fallback = settings::fallback(&settings);
    let mut read: Vec<PathBuf> = vec![file.clone()];
    read.extend(settings_file);
    read.extend(args.missing.clone().filter(|file| !is_dash(file)));
    let mut build = Build::new(loaded.jobs, &file, fallback)?;
    build.find_targets(args.output.as_deref(), &read)?;
    if !args.job.is_empty() {
        build.choose(&args.job)?;
    }
    if let Some(file) = &args.missing {
        let name = name_of(file);
        let text = reporter.inputs.text(file, MAX_RESULT_BYTES)?;
        let groups = jobs::missing::groups(&text).map_err(|fault| {
            let error = Diagnostic::error(format!("{name}:{}: {}", fault.line, fault.reason));
            error.with_help("pass what `hive` or `beeline` printed for `saltplan check … --by FIELD`")
        })?;
        let warnings = build.choose_missing(&groups, &name)?;
        reporter.remarks(&warnings);
    }
    build.find_overlaps();
    let mut report = Report::default();
    let work = |watch: &Watch| -> Result<(), Failure> {
        let mut broken = Ok(());
        let make = |item: &Item| {
            let done = one(&build, item, args);
            watch.add(1);
            done
        };
        build.each(make, |_, done| {
            broken = report.add(done);
            report.is_broken_off = watch.is_stopped();
            broken.is_ok() && !report.is_broken_off
        });
        broken
    };
    progress::breakable(Some(build.count() as u64), "files", reporter, work)?;
    let stale = build.stale(args.output.as_deref());
    report.finish(args, &build, &stale, reporter)
}

/// The result for a file.
struct Done {
    path: PathBuf,
    state: State,
    warnings: Vec<Diagnostic>,
}

enum State {
    Unchanged,
    Written,
    /// With `--check`: the differences.
    Differs(String),
    Failed(JobFault),
}

/// Generates a file, and writes it if it changes.
fn one(build: &Build, item: &Item, args: &BuildArgs) -> Done {
    let target = build.target(item);
    let path = without_detours(build.path(item, args.output.as_deref()));
    let (state, warnings) = match (target, build.make(item)) {
        (_, Err(fault)) => (State::Failed(fault), Vec::new()),
        (Err(diagnostic), _) => (State::Failed((*diagnostic).into()), Vec::new()),
        (Ok(target), Ok(Made { text, warnings })) => {
            let state = put(&target, &path, &text, args.check);
            (state.unwrap_or_else(|failure| State::Failed(failure.into_diagnostic().into())), warnings)
        }
    };
    Done { path, state, warnings }
}

/// `name` is the path as shown to the user.
fn put(path: &Path, name: &Path, text: &str, only_check: bool) -> Result<State, Failure> {
    let current = match files::read(path, MAX_COMPARED_BYTES) {
        Ok(bytes) if bytes == text.as_bytes() => return Ok(State::Unchanged),
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(ReadError::Missing) => String::new(),
        Err(error) => {
            let diagnostic = Diagnostic::error(format!("cannot write `{}`: {error}", name.display()));
            return Err(diagnostic.with_help("write to another file").into());
        }
    };
    if only_check {
        return Ok(State::Differs(unified(&current, text, name)));
    }
    create_folder(path)?;
    write_made(path, text.as_bytes())?;
    Ok(State::Written)
}

/// The messages of all files; each is printed once, with the number of files.
#[derive(Default)]
struct Report {
    is_broken_off: bool,
    /// The indices of messages by their text.
    indices: BTreeMap<String, usize>,
    /// Each with the number of files.
    messages: Vec<(Diagnostic, usize)>,
    written: Vec<PathBuf>,
    unchanged: usize,
    differing: usize,
    refused: usize,
    invalid: usize,
}

impl Report {
    fn add(&mut self, done: Done) -> Result<(), Failure> {
        for warning in done.warnings {
            self.record(warning);
        }
        match done.state {
            State::Unchanged => self.unchanged += 1,
            State::Written => self.written.push(done.path),
            State::Differs(diff) => {
                self.differing += 1;
                print(&diff)?;
            }
            State::Failed(JobFault::Refused(diagnostic)) => {
                self.refused += 1;
                self.record(*diagnostic);
            }
            State::Failed(JobFault::Invalid(diagnostics)) => {
                self.invalid += 1;
                diagnostics.into_iter().for_each(|diagnostic| self.record(diagnostic));
            }
        }
        Ok(())
    }

    /// Records a message, or counts it if another file already had it.
    fn record(&mut self, diagnostic: Diagnostic) {
        match self.indices.entry(diagnostic.to_string()) {
            Entry::Occupied(known) => self.messages[*known.get()].1 += 1,
            Entry::Vacant(new) => {
                new.insert(self.messages.len());
                self.messages.push((diagnostic, 1));
            }
        }
    }

    fn finish(
        self,
        args: &BuildArgs,
        build: &Build,
        stale: &[PathBuf],
        reporter: &Reporter,
    ) -> Result<Outcome, Failure> {
        let diagnostics = self.messages.iter().map(|(diagnostic, count)| {
            let mut diagnostic = diagnostic.clone();
            if *count > 1 {
                diagnostic.message += &format!(" (in {} files)", grouped(*count as u128));
            }
            diagnostic
        });
        let (errors, remarks): (Vec<_>, Vec<_>) =
            diagnostics.partition(|diagnostic| diagnostic.severity == Severity::Error);
        reporter.remarks(&remarks);
        reporter.errors(&errors);
        for path in &self.written {
            reporter.note(format!("wrote {}", path.display()));
        }
        for path in stale {
            let name = without_detours(path);
            let diagnostic =
                Diagnostic::warning(format!("`{}` is stale: no job writes it any more", name.display()));
            reporter.remarks(&[diagnostic.with_help("remove it if nobody needs it")]);
        }
        reporter.note(self.summary(args, build));
        if self.is_broken_off {
            reporter.note("interrupted: the other files are unchanged");
            return Ok(Outcome::Findings);
        }
        if self.invalid > 0 {
            let files = counted(self.invalid as u128, "file", "files");
            let diagnostic = Diagnostic::error(format!("{files} could not be built"));
            return Err(diagnostic.with_help("the other files are not affected").into());
        }
        let is_stale = args.check && !stale.is_empty();
        match self.refused + self.differing > 0 || is_stale {
            true => Ok(Outcome::Findings),
            false => Ok(Outcome::Clean),
        }
    }

    fn summary(&self, args: &BuildArgs, build: &Build) -> String {
        let files = counted(build.count() as u128, "file", "files");
        let parts = [
            (self.written.len(), "written"),
            (self.differing, "out of date"),
            (self.unchanged, if args.check { "current" } else { "unchanged" }),
            (self.refused, "refused"),
            (self.invalid, "invalid"),
        ];
        let parts: Vec<String> = parts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{} {what}", grouped(*count as u128)))
            .collect();
        let hint = if self.differing > 0 { "; run without `--check` to update them" } else { "" };
        format!("{files}: {}{hint}", parts.join(", "))
    }
}
