//! The command line: reads arguments and files, calls the library, writes results and messages.

mod args;
mod commands;
mod failure;
mod input;
mod output;
mod progress;
mod talk;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command, GenerateCommand, KeyCommand};
use failure::Outcome;
use talk::Talk;

/// Runs the program. The exit code is 0 when all is well, 1 for a refused plan, findings or differences, 2 for wrong
/// usage or input.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors. A closed pipe is not one either.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let talk = Talk::new(&cli.global);
    let result = match &cli.command {
        Command::Plan(args) => commands::plan(args, &talk),
        Command::Explain(args) => commands::explain(args, &talk),
        Command::Scan(args) => commands::scan(args, &talk),
        Command::Ddl(args) => commands::ddl(args, &talk),
        Command::Load(args) => commands::load::load(args, &talk),
        Command::Verify(args) => commands::verify::verify(args, &talk),
        Command::Simulate(args) => commands::simulate::simulate(args, &talk),
        Command::Splits(args) => commands::splits::splits(args, &talk),
        Command::Audit(args) => commands::audit::audit(args, &talk),
        Command::Rule(args) => commands::rule::rule(args, &talk),
        Command::Key(KeyCommand::Encode(args)) => commands::encode(args, &talk),
        Command::Key(KeyCommand::Decode(args)) => commands::decode(args, &talk),
        Command::Generate(GenerateCommand::Rules { output }) => commands::rule::documentation(output, &talk),
        Command::Generate(GenerateCommand::JsonSchema { output }) => {
            commands::json_schema::json_schema(output, &talk)
        }
        Command::Generate(GenerateCommand::Templates { folder }) => {
            commands::generate_templates(folder, &talk)
        }
    };
    match result {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Err(failure) => failure.report(&talk),
    }
}
