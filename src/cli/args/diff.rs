//! The arguments of `diff`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::OutputArgs;

pub(super) const DIFF_HELP: &str = "\
Classes, worst first:
  key       stored rows become unreadable, or are looked up under other keys
  data_loss HBase deletes stored cells: a shorter ttl, fewer versions, a family
            that is removed
  region    the split keys change
  mapping   the HBase and Hive tables change: families, columns, types, names
  query     only printed queries change: value ranges, names, expressions
  cosmetic  comments, order, another spelling of the same thing

The accept file has one line per accepted change: a path such as
`key.salt.write` or `column.tel`, or a line as printed, such as
`key.salt.write: decimal -> decimal(3)` or `- column tel (string, f:tel)`.
`#` starts a comment.

Two folders are compared file by file. A line of the accept file then applies
to all files, or to one: `calls.yaml: key.salt.write`. `+ calls.yaml` accepts a
new file, `- calls.yaml` a removed one. Both count as `mapping`.

Exit codes:
  0  no change at or above --fail-on, apart from those listed in --accept
  1  such a change, or a difference with --check
  2  wrong usage, invalid input, or an internal error

Examples:
  saltplan diff git:main:schemas schemas
  saltplan diff git:main:schemas/examples/plain_concat.yaml \\
    schemas/examples/plain_concat.yaml
  saltplan diff schemas/examples/md5_prefix.yaml \\
    schemas/examples/md5_whole.yaml --output-format markdown";

#[derive(Debug, Args)]
pub struct DiffArgs {
    /// Old version: a file, a folder, `git:REF:path` with the path from the root of the repository, or `-` for standard input
    #[arg(value_name = "OLD")]
    pub old: String,

    /// New version, in the same forms
    #[arg(value_name = "NEW")]
    pub new: String,

    /// Exit with 1 if there is a change of this class or a worse one
    #[arg(long, value_name = "CLASS", default_value = "query")]
    pub fail_on: ClassChoice,

    /// File with accepted changes, one per line
    #[arg(long, value_name = "FILE")]
    pub accept: Option<PathBuf>,

    /// Output format; `markdown` is for a comment on a pull request
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub output_format: DiffFormat,

    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ClassChoice {
    Key,
    #[value(name = "data_loss", alias = "data-loss")]
    DataLoss,
    Region,
    Mapping,
    Query,
    Cosmetic,
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    Text,
    Json,
    Markdown,
}
