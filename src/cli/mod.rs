//! The command line: reads arguments and files, calls the library, writes results and messages.

mod args;
mod commands;
mod failure;
mod git;
mod help;
mod input;
mod inputs;
mod key_lines;
mod output;
mod progress;
mod reporter;
mod settings;
mod statements;
mod write;

use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::FromArgMatches;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};

use args::Cli;
use failure::{Failure, Outcome, Refused};
use reporter::Reporter;
use saltplan_document::diag::visible;

/// Runs the program. The exit code is 0 for success, 1 for a refused plan, findings or differences, and 2 for
/// wrong usage or input.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = help::present(arguments.into_iter().collect());
    let mut command = help::for_arguments(&arguments);
    let parsed = command.try_get_matches_from_mut(&arguments).and_then(|matches| {
        let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
        Ok((cli, help::called(&command, &arguments, &matches)))
    });
    let (cli, called) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return said_by_clap(error),
    };
    let reporter = Reporter::new(&cli.global, called.options);
    called.old_names.iter().for_each(|note| reporter.note(note));
    match commands::run(&cli.command, &reporter) {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Err(failure) => failure.report(&reporter),
    }
}

/// Printing the help or the version only fails if it cannot be written. A closed pipe is not a failure
/// either.
fn said_by_clap(mut error: clap::Error) -> ExitCode {
    show_arguments(&mut error);
    help::name_owners(&mut error);
    // Keeps what could not be written, so that it is not written again at exit.
    let printed = error.print().and_then(|()| std::io::stdout().flush());
    match printed {
        Err(fault) if fault.kind() != ErrorKind::BrokenPipe => {
            let _ = writeln!(std::io::stderr(), "error: cannot write the result: {fault}");
            ExitCode::from(2)
        }
        _ => ExitCode::from(if error.use_stderr() { 2 } else { 0 }),
    }
}

/// Arguments in the message may be file names that a stranger chose.
fn show_arguments(error: &mut clap::Error) {
    let shown = |text: &String| visible::line(text).into_owned();
    let styled = |text: &StyledStr| {
        let plain = text.to_string();
        let is_inert = !plain.chars().any(visible::is_sign);
        if is_inert { text.clone() } else { StyledStr::from(visible::line(&plain).into_owned()) }
    };
    let given: Vec<(ContextKind, ContextValue)> = error
        .context()
        .filter_map(|(kind, value)| {
            let value = match value {
                ContextValue::String(text) => ContextValue::String(shown(text)),
                ContextValue::Strings(texts) => ContextValue::Strings(texts.iter().map(shown).collect()),
                ContextValue::StyledStr(text) => ContextValue::StyledStr(styled(text)),
                ContextValue::StyledStrs(texts) => {
                    ContextValue::StyledStrs(texts.iter().map(styled).collect())
                }
                _ => return None,
            };
            Some((kind, value))
        })
        .collect();
    for (kind, value) in given {
        // The usage has its own lines and contains nothing that the user typed.
        if kind != ContextKind::Usage {
            error.insert(kind, value);
        }
    }
}
