//! `generate templates`

use std::path::Path;

use anyhow::Context;

use crate::cli::failure::{Failure, Outcome, Refused};
use crate::cli::talk::Talk;
use crate::cli::write::write_whole;
use saltplan_core::render::templates::BUILT_IN;

pub fn templates(folder: &Path, talk: &Talk) -> Result<Outcome, Failure> {
    // A link without a target also exists.
    let is_there = |path: &Path| path.symlink_metadata().is_ok();
    let existing = BUILT_IN.iter().map(|(name, _)| folder.join(name)).find(|path| is_there(path));
    if let Some(path) = existing {
        return Err(Refused {
            code: "file_exists",
            reason: format!("{} exists already", path.display()),
            help: "pass an empty folder: existing templates are not overwritten".into(),
        }
        .into());
    }
    for (name, text) in BUILT_IN {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
        }
        write_whole(&path, text.as_bytes())?;
    }
    talk.note(format!(
        "wrote {} templates to {}; use them with `--templates`",
        BUILT_IN.len(),
        folder.display()
    ));
    Ok(Outcome::Clean)
}
