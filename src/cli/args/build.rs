//! The arguments of `build`.

use std::path::PathBuf;

use clap::Args;

pub(super) const BUILD_HELP: &str = "\
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
  saltplan build examples/schedulers/airflow --job daily --out sql";

#[derive(Debug, Args)]
pub struct BuildArgs {
    /// Jobs file, or a folder with a `jobs.yaml`
    #[arg(value_name = "JOBS", default_value = "jobs.yaml")]
    pub jobs: PathBuf,

    /// Name of a job to build; repeatable. Without it, all jobs
    #[arg(long, value_name = "NAME")]
    pub job: Vec<String>,

    /// Folder to write to, instead of the folder of the jobs file
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Write nothing; show the differences from the files and exit with 1 if there are any
    #[arg(long)]
    pub check: bool,
}
