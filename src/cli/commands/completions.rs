//! `generate completions`

use clap::CommandFactory;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

use crate::cli::args::{Cli, OutputArgs};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::output::deliver;
use crate::cli::talk::Talk;
use saltplan_lint::rules;

/// The command line, with the codes of the rules as possible values. They are only completions: other values,
/// such as names, are also accepted when a command runs.
fn command() -> clap::Command {
    let codes = || PossibleValuesParser::new(rules::all().iter().map(|rule| rule.code));
    Cli::command()
        .mut_subcommand("rule", |rule| rule.mut_arg("rule", |argument| argument.value_parser(codes())))
        .mut_subcommand("audit", |audit| {
            let audit = audit.mut_arg("select", |argument| argument.value_parser(codes()));
            audit.mut_arg("ignore", |argument| argument.value_parser(codes()))
        })
}

pub fn completions(shell: Shell, output: &OutputArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command(), "saltplan", &mut text);
    deliver(&String::from_utf8_lossy(&text), output, talk)
}
