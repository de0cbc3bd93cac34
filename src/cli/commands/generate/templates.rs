//! `generate templates`

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::settings::built_in;
use crate::cli::write::OutputFolder;
use crate::cli::{Failure, Outcome, Refused, Reporter};

const HELP: &str = "\
A template for Hive gets the parts of a statement, each expression on one line.
Long lines are broken only in statements that no template of yours prints.
Templates are programs. One that makes more than 256 MiB of texts and lists, or
prints more than the limit of its statement, is stopped; nothing stops a
template in a folder of --templates that loops forever. Links in the folder are
followed if they stay in it.

Exit codes:
  0  done
  1  a template exists already
  2  wrong usage, or a file that cannot be written

Examples:
  saltplan generate templates my_templates";

/// Write the built-in templates into a folder, to be edited and used with `--templates`
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct TemplatesArgs {
    /// Folder to write to; existing files are not overwritten
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub fn run(args: &TemplatesArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let folder = &args.folder;
    // A link without a target also exists.
    let is_there = |path: &Path| path.symlink_metadata().is_ok();
    let existing = built_in().map(|(name, _)| folder.join(name)).find(|path| is_there(path));
    if let Some(path) = existing {
        return Err(Refused {
            code: "file_exists",
            reason: format!("{} exists already", path.display()),
            help: "pass an empty folder: existing templates are not overwritten".into(),
        }
        .into());
    }
    let output = OutputFolder::at(folder);
    built_in().try_for_each(|(name, _)| output.target(Path::new(name)).map(drop))?;
    for (name, text) in built_in() {
        output.write(Path::new(name), text.as_bytes())?;
    }
    reporter.note(format!(
        "wrote {} templates to {}; use them with `--templates`",
        built_in().count(),
        folder.display()
    ));
    Ok(Outcome::Clean)
}
