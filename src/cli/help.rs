//! The help: `-h` shows what most calls need, and `--help` everything. Old names of options are understood, and a note says the
//! new one.

use std::ffi::OsString;

use clap::builder::{Resettable, StyledStr};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgMatches, Command, CommandFactory};

use super::args::{Cli, GLOBAL};

/// What the help shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    Short,
    Full,
}

/// The command line with its whole help, for pages that are made of it.
pub fn everything() -> Command {
    let mut command = with_help(Cli::command().disable_help_subcommand(true), "saltplan", Extent::Full);
    command.build();
    command
}

/// The command line for some arguments: with `--help` the help is whole.
pub fn for_arguments(arguments: &[OsString]) -> Command {
    let is_long = words(arguments).any(|word| word == "--help");
    with_help(Cli::command(), "saltplan", if is_long { Extent::Full } else { Extent::Short })
}

/// Arguments in their present form: `help plan` is `plan --help`, and `simulate --grow` is the command `grow`.
pub fn present(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let has_grow = words(&arguments).any(|word| word == "--grow" || word.starts_with("--grow="));
    let first =
        |words: &[OsString], name: &str| words.iter().position(|word| word == name).filter(|at| *at > 0);
    if let (true, Some(at)) = (has_grow, first(&arguments, "simulate")) {
        arguments[at] = "grow".into();
    }
    if let Some(1) = first(&arguments, "help") {
        arguments.remove(1);
        arguments.push("--help".into());
    }
    arguments
}

/// The arguments before `--`.
fn words(arguments: &[OsString]) -> impl Iterator<Item = &str> {
    arguments.iter().skip(1).filter_map(|word| word.to_str()).take_while(|word| *word != "--")
}

/// `called` are the words that call the command.
fn with_help(command: Command, called: &str, extent: Extent) -> Command {
    let hidden = command.get_arguments().filter(|argument| is_left_out(argument)).count();
    let below = command.get_after_help().map(ToString::to_string);
    let command = match extent {
        Extent::Full => command.mut_args(whole),
        Extent::Short => command,
    };
    let command = match (extent, below) {
        (Extent::Short, Some(below)) => {
            command.after_help(StyledStr::from(shortened(&below, called, hidden)))
        }
        _ => command,
    };
    command.mut_subcommands(|below| {
        let called = format!("{called} {}", below.get_name());
        with_help(below, &called, extent)
    })
}

fn is_left_out(argument: &Arg) -> bool {
    argument.is_hide_short_help_set()
        && !argument.is_hide_set()
        && argument.get_help_heading() != Some(GLOBAL)
}

/// An option with all of its text, in every help.
fn whole(argument: Arg) -> Arg {
    let argument = argument.hide_short_help(false);
    match argument.get_long_help().map(ToString::to_string) {
        Some(text) => argument.help(text.replace("\n\n", " ")).long_help(Resettable::Reset),
        None => argument,
    }
}

/// The first example, and where the rest is.
fn shortened(below: &str, called: &str, hidden: usize) -> String {
    let mut first = String::new();
    if let Some((_, examples)) = below.split_once("Examples:\n") {
        for line in examples.lines() {
            first.push_str(line);
            first.push('\n');
            if !line.ends_with(['\\', '|', '&']) {
                break;
            }
        }
    }
    let more = match hidden {
        0 => "exit codes and more examples".to_string(),
        1 => "1 more option, exit codes and examples".to_string(),
        _ => format!("{hidden} more options, exit codes and examples"),
    };
    format!("Example:\n{first}\n`{called} --help` shows {more}.")
}

/// What is known of the command that was called.
pub struct Called {
    /// The long names of its options.
    pub options: Vec<String>,
    /// Notes about old names that were used.
    pub old_names: Vec<String>,
}

pub fn called(root: &Command, arguments: &[OsString], matches: &ArgMatches) -> Called {
    let (mut command, mut matches) = (root, matches);
    while let Some((name, below)) = matches.subcommand() {
        let Some(found) = command.find_subcommand(name) else { break };
        (command, matches) = (found, below);
    }
    let is_used = |old: &str| {
        words(arguments)
            .any(|word| word.strip_prefix("--").is_some_and(|word| word.split('=').next() == Some(old)))
    };
    let (mut options, mut old_names) = (Vec::new(), Vec::new());
    for argument in command.get_arguments() {
        let Some(new) = argument.get_long() else { continue };
        options.push(new.to_string());
        let used = argument.get_all_aliases().unwrap_or_default().into_iter().filter(|old| is_used(old));
        old_names.extend(used.map(|old| format!("`--{old}` is now called `--{new}`")));
    }
    Called { options, old_names }
}

/// Tells which commands have an option that this one lacks.
pub fn name_owners(error: &mut clap::Error) {
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else { return };
    let Some(long) = given.strip_prefix("--").filter(|_| error.kind() == ErrorKind::UnknownArgument) else {
        return;
    };
    let long = long.split('=').next().unwrap_or_default().to_string();
    let root = everything();
    let has = |command: &Command| command.get_arguments().any(|argument| argument.get_long() == Some(&*long));
    let owners: Vec<String> = leaves(&root)
        .into_iter()
        .filter(|(_, command)| has(command))
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    if let [first, rest @ ..] = owners.as_slice() {
        let owners = match rest {
            [] => first.clone(),
            [between @ .., last] => {
                let first = [std::slice::from_ref(first), between].concat();
                format!("{} and {last}", first.join(", "))
            }
        };
        let tip = StyledStr::from(format!("`--{long}` is an option of {owners}"));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
}

/// The commands that can be run, with the words that call them.
pub fn leaves(root: &Command) -> Vec<(String, &Command)> {
    let mut found = Vec::new();
    let mut waiting: Vec<(String, &Command)> = vec![(String::new(), root)];
    while let Some((name, command)) = waiting.pop() {
        let below: Vec<&Command> = command.get_subcommands().filter(|below| !below.is_hide_set()).collect();
        if below.is_empty() {
            found.push((name, command));
            continue;
        }
        // In the order of definition.
        let named =
            below.into_iter().map(|below| (format!("{name} {}", below.get_name()).trim().into(), below));
        let mut named: Vec<(String, &Command)> = named.collect();
        named.reverse();
        waiting.extend(named);
    }
    found
}
