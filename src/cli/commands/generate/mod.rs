//! `generate`: writes files that are made from the program itself or from a schema.

pub mod commands;
pub mod completions;
pub mod json_schema;
pub mod man;
pub mod reader;
pub mod rules;
pub mod templates;
pub mod writer;

super::commands! {
    /// Write programs, completions, manual pages, JSON schemas, templates and references
    GenerateCommand {
        #[command(hide = true)]
        Commands(commands::CommandsArgs),
        Completions(completions::CompletionsArgs),
        JsonSchema(json_schema::JsonSchemaArgs),
        Man(man::ManArgs),
        #[command(hide = true)]
        Rules(rules::RulesArgs),
        Writer(writer::WriterArgs),
        Reader(reader::ReaderArgs),
        Templates(templates::TemplatesArgs),
    }
}
