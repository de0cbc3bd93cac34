//! `generate commands`: the reference of the command line as Markdown, generated from its definition.

use clap::{Arg, ArgAction, Args, Command};

use crate::cli::args::{GLOBAL, OutputArgs};
use crate::cli::help;
use crate::cli::{Failure, Outcome, Reporter};

const HELP: &str = "\
Exit codes:
  0  done
  1  a difference with --check
  2  wrong usage, or a file that cannot be written

Examples:
  saltplan generate commands -o commands.md";

/// Print the reference of all commands, as Markdown
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct CommandsArgs {
    #[command(flatten)]
    output: OutputArgs,
}

const HEAD: &str = "\
# Commands

<!-- Written by `saltplan generate commands`; change the arguments under src/cli instead. -->

Input is read from regular files, or from standard input if the file is `-`. `-o FILE` writes the result as a whole or not at all,
and never overwrites a file that the command has read. `--check` writes nothing, and the exit code is 1 if the file differs.
";

pub fn run(args: &CommandsArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    args.output.deliver(&markdown(), reporter)
}

fn markdown() -> String {
    let root = help::everything();
    let mut text = HEAD.to_string();
    text.push_str("\n| command | |\n|---|---|\n");
    let commands = help::leaves(&root);
    for (name, command) in &commands {
        let anchor = name.replace(' ', "-");
        text.push_str(&format!("| [`{name}`](#{anchor}) | {} |\n", about(command)));
    }
    text.push_str("\nEvery command also takes these options:\n");
    options(&mut text, root.get_arguments().filter(|argument| is_global(argument)));
    for (name, command) in commands {
        page(&mut text, &name, command);
    }
    text
}

fn page(text: &mut String, name: &str, command: &Command) {
    text.push_str(&format!("\n## {name}\n\n{}.\n\n", about(command)));
    let usage = command.clone().render_usage().to_string();
    text.push_str(&format!("```text\n{}\n```\n", usage.trim_start_matches("Usage: ")));
    let own = |argument: &&Arg| !is_global(argument);
    let (positional, named): (Vec<&Arg>, Vec<&Arg>) =
        command.get_arguments().filter(own).partition(|argument| argument.is_positional());
    options(text, positional.into_iter().chain(named));
    if let Some(below) = command.get_after_help() {
        text.push_str(&format!("\n```text\n{below}\n```\n"));
    }
}

fn is_global(argument: &Arg) -> bool {
    argument.get_help_heading() == Some(GLOBAL) || argument.get_long() == Some("version")
}

fn options<'a>(text: &mut String, arguments: impl Iterator<Item = &'a Arg>) {
    text.push_str("\n| argument | |\n|---|---|\n");
    for argument in arguments.filter(|argument| !argument.is_hide_set()) {
        text.push_str(&format!("| `{}` | {} |\n", spelling(argument), meaning(argument)));
    }
}

/// `-o, --output FILE`
fn spelling(argument: &Arg) -> String {
    let short = argument.get_short().map(|short| format!("-{short}"));
    let long = argument.get_long().map(|long| format!("--{long}"));
    let names = [short, long].into_iter().flatten().collect::<Vec<_>>().join(", ");
    let takes_value = matches!(argument.get_action(), ArgAction::Set | ArgAction::Append);
    let value = argument.get_value_names().and_then(<[_]>::first).map(ToString::to_string);
    let value = value.unwrap_or_else(|| argument.get_id().to_string().to_uppercase());
    let value = match argument.get_num_args() {
        Some(range) if range.min_values() == 0 => format!("[{value}]"),
        _ => value,
    };
    match (names.is_empty(), takes_value) {
        (true, _) => value,
        (false, true) => format!("{names} {value}"),
        (false, false) => names,
    }
}

/// The help text, with the possible values of the argument and its default.
fn meaning(argument: &Arg) -> String {
    let mut text = cell(&argument.get_help().map(ToString::to_string).unwrap_or_default());
    let takes_value = matches!(argument.get_action(), ArgAction::Set | ArgAction::Append);
    let words: Vec<String> = argument
        .get_possible_values()
        .iter()
        .filter(|word| takes_value && !word.is_hide_set())
        .map(|word| match word.get_help() {
            Some(help) => format!("`{}` ({})", word.get_name(), cell(&help.to_string())),
            None => format!("`{}`", word.get_name()),
        })
        .collect();
    if !words.is_empty() {
        text.push_str(&format!(". One of {}", words.join(", ")));
    }
    let default: Vec<String> =
        argument.get_default_values().iter().map(|value| format!("`{}`", value.to_string_lossy())).collect();
    if takes_value && !default.is_empty() {
        text.push_str(&format!(". Default: {}", default.join(", ")));
    }
    text
}

fn about(command: &Command) -> String {
    cell(&command.get_about().map(ToString::to_string).unwrap_or_default())
}

/// Text in a cell of a table: special characters of Markdown are escaped, except in backquotes.
fn cell(text: &str) -> String {
    let mut is_code = false;
    let mut written = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '`' => is_code = !is_code,
            '|' => written.push('\\'),
            '*' | '<' | '[' | '_' if !is_code => written.push('\\'),
            _ => {}
        }
        written.push(if sign == '\n' { ' ' } else { sign });
    }
    written
}
