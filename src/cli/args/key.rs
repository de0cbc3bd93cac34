//! The arguments of `key encode` and `key decode`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};

use super::{OutputArgs, SchemaArgs, help};

#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Encode rows, given as JSON lines, as row keys, one per line
    #[command(after_help = help::ENCODE)]
    Encode(KeyArgs),
    /// Decode row keys, one per line, to JSON lines; report wrong salts
    #[command(after_help = help::DECODE)]
    Decode(KeyArgs),
}

#[derive(Debug, Args)]
pub struct KeyArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    /// File with one row or key per line; by default, or with `-`, standard input
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// Old spelling of FILE
    #[arg(long, value_name = "FILE", hide = true, conflicts_with = "file")]
    pub input: Option<PathBuf>,

    /// How row keys are written: as the HBase shell prints them (`\xNN`), or in hex
    #[arg(long, alias = "keys", value_name = "FORM", default_value = "text")]
    pub key_form: KeyForm,

    #[command(flatten)]
    pub output: OutputArgs,
}

impl KeyArgs {
    /// The input file, by either option.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref().or(self.input.as_deref())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KeyForm {
    Text,
    Hex,
}
