//! `generate templates`

use std::path::Path;

use anyhow::Context;

use crate::cli::failure::{Failure, Outcome, Refused};
use crate::cli::settings::built_in;
use crate::cli::talk::Talk;
use crate::cli::write::write_whole;

pub fn templates(folder: &Path, talk: &Talk) -> Result<Outcome, Failure> {
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
    for (name, text) in built_in() {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
        }
        write_whole(&path, text.as_bytes())?;
    }
    talk.note(format!(
        "wrote {} templates to {}; use them with `--templates`",
        built_in().count(),
        folder.display()
    ));
    Ok(Outcome::Clean)
}
