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

/// The relative path from a folder to a file; both are normalised paths from the same place.
pub fn way(folder: &Path, file: &Path) -> PathBuf {
    let common = folder.components().zip(file.components()).take_while(|(one, other)| one == other).count();
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    up.chain(file.components().skip(common)).collect()
}

/// A path with `/` as separator on every system.
pub fn with_slashes(path: &Path) -> String {
    path.components().map(|step| step.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_between_folders() {
        for (folder, file, expected) in [
            ("", "jobs.yaml", "jobs.yaml"),
            ("sql/a", "jobs.yaml", "../../jobs.yaml"),
            ("sql", "jobs/jobs.yaml", "../jobs/jobs.yaml"),
            ("jobs", "jobs/jobs.yaml", "jobs.yaml"),
            ("/a/b", "/a/b/c.yaml", "c.yaml"),
            ("/a/b", "/a/b/d/c.yaml", "d/c.yaml"),
            ("/a/b", "/a/c.yaml", "../c.yaml"),
            ("/a/b", "/x/c.yaml", "../../x/c.yaml"),
        ] {
            assert_eq!(with_slashes(&way(Path::new(folder), Path::new(file))), expected);
        }
    }
}
