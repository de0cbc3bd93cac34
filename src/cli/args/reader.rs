//! `generate reader`

use clap::{Args, ValueEnum};
use saltplan_generate::ReaderLanguage;

use super::{OUTPUT, OutputArgs, PredicateArgs, RefusalArgs, SchemaArgs, TemplateArgs, WideningArgs};

#[derive(Debug, Args)]
pub struct ReaderArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,
    #[command(flatten)]
    pub predicate: PredicateArgs,

    /// Language of the program
    #[arg(long, value_name = "LANGUAGE")]
    pub lang: ReaderChoice,

    /// Name of the class in Java; by default that of the HBase table followed by `Reader`
    #[arg(long, value_name = "NAME", help_heading = OUTPUT)]
    pub class: Option<String>,

    /// Package of the class in Java
    #[arg(long, value_name = "NAME", help_heading = OUTPUT)]
    pub package: Option<String>,

    #[command(flatten)]
    pub widening: WideningArgs,
    #[command(flatten)]
    pub refusal: RefusalArgs,

    /// Print a program even if its ranges have more rows than the predicate and it cannot check them. It has a function for
    /// each such condition, which fails until you write it
    #[arg(long, help_heading = "Plans that are refused by default")]
    pub allow_residual: bool,

    #[command(flatten)]
    pub templates: TemplateArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReaderChoice {
    Java,
    Python,
    #[value(name = "pyspark")]
    PySpark,
}

impl ReaderChoice {
    pub fn meaning(self) -> ReaderLanguage {
        match self {
            ReaderChoice::Java => ReaderLanguage::Java,
            ReaderChoice::Python => ReaderLanguage::Python,
            ReaderChoice::PySpark => ReaderLanguage::PySpark,
        }
    }
}
