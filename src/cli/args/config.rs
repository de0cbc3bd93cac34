//! The arguments of `config`.

use std::path::PathBuf;

use clap::Args;

use super::ExplainFormat;

pub(super) const CONFIG_HELP: &str = "\
A flag wins over what a schema says, and that over `saltplan.toml`. The file is
looked for in the folder of the schema or of the jobs file and in those above,
up to the root of the git repository.

Exit codes:
  0  done
  2  wrong usage, an invalid saltplan.toml or schema, or an internal fault

Examples:
  saltplan config
  saltplan config schemas/examples/md5_nibble_day.yaml --output-format json";

#[derive(Debug, Args)]
pub struct ConfigArgs {
    /// Schema file, jobs file or folder
    #[arg(value_name = "PATH", default_value = ".")]
    pub path: PathBuf,

    /// Form of the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub output_format: ExplainFormat,
}
