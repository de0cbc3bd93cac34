//! Where the settings of a file lie.

use std::path::{Path, PathBuf};

use saltplan_core::files::bounds::Bounds;

/// Its name.
pub const NAME: &str = "saltplan.toml";

/// The settings that hold in a folder: those in it, or in the nearest folder above it, up to the root of its git repository.
/// Without a repository only the folder itself is looked at: what lies above it may be somebody else's.
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
