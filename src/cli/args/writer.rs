//! `generate writer`

use clap::{Args, ValueEnum};

use super::{OUTPUT, OutputArgs, SchemaArgs, TemplateArgs};

#[derive(Debug, Clone, Args)]
pub struct WriterArgs {
    #[command(flatten)]
    pub schema: SchemaArgs,

    /// Language of the class; Scala uses the class of Java
    #[arg(long, value_name = "LANGUAGE")]
    pub lang: LanguageChoice,

    /// Name of the class; by default that of the HBase table followed by `Key`
    #[arg(long, value_name = "NAME", help_heading = OUTPUT)]
    pub class: Option<String>,

    /// Package of a class in Java
    #[arg(long, value_name = "NAME", help_heading = OUTPUT)]
    pub package: Option<String>,

    /// Print the test of the class: rows with the keys that saltplan encodes
    #[arg(long, help_heading = OUTPUT)]
    pub golden_test: bool,

    #[command(flatten)]
    pub templates: TemplateArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LanguageChoice {
    Java,
    Python,
}

impl LanguageChoice {
    pub fn meaning(self) -> saltplan_generate::Language {
        match self {
            LanguageChoice::Java => saltplan_generate::Language::Java,
            LanguageChoice::Python => saltplan_generate::Language::Python,
        }
    }
}
