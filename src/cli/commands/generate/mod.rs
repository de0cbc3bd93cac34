//! `generate`: writes files that are made from the program itself or from a schema.

pub mod commands;
pub mod completions;
pub mod json_schema;
pub mod man;
pub mod reader;
pub mod rules;
pub mod templates;
pub mod writer;

use std::path::Path;

use saltplan_document::diag::Diagnostic;

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

/// Refuses a file of another name than the public class in it, which Java does not compile.
fn check_class_file(output: Option<&Path>, class: &str) -> Result<(), Diagnostic> {
    let Some(path) = output.filter(|path| path.extension().is_some_and(|end| end == "java")) else {
        return Ok(());
    };
    let Some(name) = path.file_stem().map(|name| name.to_string_lossy()).filter(|name| name != class) else {
        return Ok(());
    };
    let right = path.with_file_name(format!("{class}.java"));
    let error =
        Diagnostic::error(format!("Java does not compile the class `{class}` in a file `{name}.java`"));
    Err(error.with_help(format!("write `-o {}`, or name the class with `--class`", right.display())))
}
