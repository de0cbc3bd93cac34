//! The arguments of `key encode` and `key decode`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{OutputArgs, SchemaArgs};

#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Rows as JSON lines to row keys, one a line
    Encode(KeyArgs),
    /// Row keys, one a line, to rows as JSON lines; a wrong salt is a finding
    Decode(KeyArgs),
}

#[derive(Debug, Args)]
pub struct KeyArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    /// Input file; standard input by default, or as `-`
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,

    /// How row keys are written: as the HBase shell prints them (`\xNN`), or in hex
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub keys: KeyForm,

    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KeyForm {
    Text,
    Hex,
}
