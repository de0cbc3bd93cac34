//! The arguments of `key encode` and `key decode`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};

use super::{OutputArgs, SchemaArgs, help};

#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Rows as JSON lines to row keys, one a line
    #[command(after_help = help::ENCODE)]
    Encode(KeyArgs),
    /// Row keys, one a line, to rows as JSON lines; a wrong salt is a finding
    #[command(after_help = help::DECODE)]
    Decode(KeyArgs),
}

#[derive(Debug, Args)]
pub struct KeyArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    /// File with one item a line; standard input by default, or as `-`
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// The old way to name the file
    #[arg(long, value_name = "FILE", hide = true, conflicts_with = "file")]
    pub input: Option<PathBuf>,

    /// How row keys are written: as the HBase shell prints them (`\xNN`), or in hex
    #[arg(long, alias = "keys", value_name = "FORM", default_value = "text")]
    pub key_form: KeyForm,

    #[command(flatten)]
    pub output: OutputArgs,
}

impl KeyArgs {
    /// The input, by either name.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref().or(self.input.as_deref())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KeyForm {
    Text,
    Hex,
}
