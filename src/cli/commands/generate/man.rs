//! `generate man`

use std::path::PathBuf;

use clap::Args;
use clap_mangen::Man;

use crate::cli::help;
use crate::cli::write::OutputFolder;
use crate::cli::{Failure, Outcome, Reporter};

const HELP: &str = "\
Exit codes:
  0  done
  2  wrong usage, or a file that cannot be written

Examples:
  saltplan generate man man1";

/// Write the manual pages, one per command, into a folder
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct ManArgs {
    /// Folder to write to; existing pages are replaced
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes `saltplan.1` and a page for each subcommand, such as `saltplan-key-encode.1`.
pub fn run(args: &ManArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let folder = &args.folder;
    let output = OutputFolder::at(folder);
    let mut waiting = vec![help::everything()];
    let mut pages = Vec::new();
    while let Some(command) = waiting.pop() {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_string();
        waiting.extend(command.get_subcommands().filter(|below| !below.is_hide_set()).cloned());
        let mut page = Vec::new();
        Man::new(command).title(&name).render(&mut page)?;
        pages.push((PathBuf::from(format!("{name}.1")), page));
    }
    pages.iter().try_for_each(|(name, _)| output.target(name).map(drop))?;
    pages.iter().try_for_each(|(name, page)| output.write(name, page))?;
    let count = pages.len();
    reporter.note(format!("wrote {count} manual pages to {}; read one with `man -l`", folder.display()));
    Ok(Outcome::Clean)
}
