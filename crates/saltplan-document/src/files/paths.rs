//! Operations on paths as text, without looking at the disk.

use std::path::{Component, Path, PathBuf};

/// A path without `.`, and without names that a following `..` cancels.
pub fn without_detours(path: impl AsRef<Path>) -> PathBuf {
    let mut clean = PathBuf::new();
    for step in path.as_ref().components() {
        match step {
            Component::CurDir => {}
            Component::ParentDir if matches!(clean.components().next_back(), Some(Component::Normal(_))) => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

/// A path with `/` as separator on every system.
pub fn with_slashes(path: &Path) -> String {
    path.components().map(|step| step.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}
