//! `generate completions`

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::args::{Cli, OutputArgs};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::output::deliver;
use crate::cli::talk::Talk;

pub fn completions(shell: Shell, output: &OutputArgs, talk: &Talk) -> Result<Outcome, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "saltplan", &mut text);
    deliver(&String::from_utf8_lossy(&text), output, talk)
}
