//! Finds the settings file that applies to a file.

use std::path::{Path, PathBuf};

use saltplan_document::files::bounds::Bounds;

/// The name of the settings file.
pub const NAME: &str = "saltplan.toml";

/// The settings file of a folder: the one in it, or in the nearest folder above it, up to the root of its git
/// repository. Without a repository only the folder itself is searched, because folders above it may belong
/// to somebody else.
pub fn above(folder: &Path) -> Option<PathBuf> {
    let bounds = Bounds::around(folder).ok()?;
    let mut above = folder.to_path_buf();
    for real in bounds.folder().ancestors() {
        if real.join(NAME).is_file() {
            return Some(above.join(NAME));
        }
        if real == bounds.root() {
            return None;
        }
        above.push("..");
    }
    None
}
