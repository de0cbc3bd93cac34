//! `generate completions`

use clap::builder::PossibleValuesParser;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::args::{Cli, OutputArgs};
use crate::cli::{Failure, Outcome, Reporter};
use saltplan_lint::rules;

const HELP: &str = "\
Exit codes:
  0  done
  1  a difference with --check
  2  wrong usage, or a file that cannot be written

Examples:
  saltplan generate completions bash -o saltplan.bash
  saltplan generate completions zsh -o _saltplan
  saltplan generate completions fish -o saltplan.fish";

/// Print completions for a shell
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct CompletionsArgs {
    /// Shell to complete the command line in
    shell: Shell,

    #[command(flatten)]
    output: OutputArgs,
}

/// The command line, with the codes of the rules as possible values. They are only completions: other values,
/// such as names, are also accepted when a command runs.
fn command() -> clap::Command {
    let codes = || PossibleValuesParser::new(rules::all().iter().map(|rule| rule.code));
    Cli::command()
        .mut_subcommand("rule", |rule| rule.mut_arg("rule", |argument| argument.value_parser(codes())))
        .mut_subcommand("audit", |audit| {
            let audit = audit.mut_arg("rules", |argument| argument.value_parser(codes()));
            audit.mut_arg("ignore", |argument| argument.value_parser(codes()))
        })
}

pub fn run(args: &CompletionsArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "saltplan", &mut text);
    args.output.deliver(&String::from_utf8_lossy(&text), reporter)
}
