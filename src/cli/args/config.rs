//! The arguments of `config`.

use std::path::PathBuf;

use clap::Args;

use super::ExplainFormat;

pub(super) const CONFIG_HELP: &str = "\
Flags override the schema, and the schema overrides `saltplan.toml`. That file
is searched for in the folder of the schema or jobs file and in the folders
above it, up to the root of the git repository.

Exit codes:
  0  done
  2  wrong usage, an invalid saltplan.toml or schema, or an internal error

Examples:
  saltplan config
  saltplan config schemas/examples/md5_nibble_day.yaml --output-format json";

#[derive(Debug, Args)]
pub struct ConfigArgs {
    /// Schema file, jobs file or folder
    #[arg(value_name = "PATH", default_value = ".")]
    pub path: PathBuf,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub output_format: ExplainFormat,
}
