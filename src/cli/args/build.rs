//! The arguments of `build`.

use std::path::PathBuf;

use clap::Args;

pub(super) const BUILD_HELP: &str = "\
The jobs file lists what to write: a schema, a predicate, a file; docs/jobs.md
has its keys. A file that is there already and would not change is left alone;
one that changes is replaced as a whole. A job that cannot be made does not
stop the others. Files that an earlier build wrote and that no job writes now
are named.

Exit codes:
  0  every file is written or current
  1  a refused plan, or with --check a file that is out of date
  2  wrong usage, an invalid jobs file, schema or predicate, or an internal
     fault

Examples:
  saltplan build examples/schedulers/cron/jobs.yaml
  saltplan build examples/schedulers/cron --check
  saltplan build examples/schedulers/airflow --job daily --out sql";

#[derive(Debug, Args)]
pub struct BuildArgs {
    /// Jobs file, or a folder with a `jobs.yaml`
    #[arg(value_name = "JOBS", default_value = "jobs.yaml")]
    pub jobs: PathBuf,

    /// Job to build, by its name; repeatable. All jobs by default
    #[arg(long, value_name = "NAME")]
    pub job: Vec<String>,

    /// Folder to write to, as if the jobs file lay in it
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Write nothing; show how the files differ and exit with 1 if one does
    #[arg(long)]
    pub check: bool,
}
