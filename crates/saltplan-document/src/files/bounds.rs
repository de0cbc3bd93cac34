//! Which files may be read and written: no path of a text, and no symbolic link, leads further than the user
//! can see.
//!
//! A text may come from a stranger, as in a pull request, and the output may be public. So a schema, a jobs
//! file and settings may only refer to files in their own folder or git repository ([`Bounds::around`]), and
//! a command that is given a folder, to read or to write, stays in that folder ([`Bounds::within`]). Links
//! inside these bounds are followed, but not to hidden files, which may contain passwords and tokens. A file
//! that the user names is the user's choice, unless it is a link out of its git repository ([`check_named`]):
//! a pattern of the shell also names files.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::diag::Diagnostic;

/// Why a path is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Stray {
    #[error("the path is absolute")]
    Absolute,
    /// Directly or through a link.
    #[error("the path leads out of the folder of the schema, or of its git repository")]
    Outside,
    /// The path leads to a hidden file or through a hidden folder, such as `.git`.
    #[error("a file or folder of the path is hidden: its name starts with `.`")]
    Hidden,
    /// A file would be written wherever the link points.
    #[error("a symbolic link in the path has no target")]
    Dangling,
}

/// The folder of a schema, and the root that its paths must not leave.
#[derive(Debug)]
pub struct Bounds {
    /// Inside `root`; links are resolved.
    folder: PathBuf,
    /// The root of the git repository that contains the folder, or the folder itself.
    root: PathBuf,
    is_repository: bool,
}

impl Bounds {
    /// # Errors
    /// The folder is missing or cannot be read.
    pub fn around(folder: &Path) -> io::Result<Self> {
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let folder = here.canonicalize()?;
        let repository = repository_of(&folder);
        let is_repository = repository.is_some();
        let root = repository.unwrap_or(&folder).to_path_buf();
        Ok(Bounds { folder, root, is_repository })
    }

    /// A folder that a command walks or writes into, which is also the root.
    ///
    /// # Errors
    /// The folder is missing or cannot be read.
    pub fn within(folder: &Path) -> io::Result<Self> {
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let folder = here.canonicalize()?;
        Ok(Bounds { root: folder.clone(), folder, is_repository: false })
    }

    /// The folder itself, with links resolved.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The root of the repository, or the folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether a git repository determines the bounds.
    #[must_use]
    pub fn is_repository(&self) -> bool {
        self.is_repository
    }

    /// A path relative to the root, without regard to links.
    ///
    /// # Errors
    /// The path leaves the bounds.
    pub fn walk(&self, path: &str) -> Result<PathBuf, Stray> {
        walk(self.folder.strip_prefix(&self.root).map_err(|_| Stray::Outside)?, path)
    }

    /// The file that a path of the schema refers to, whether it exists or not; links are followed. `..`
    /// removes the preceding name, even if that is a link.
    ///
    /// # Errors
    /// The path leaves the bounds.
    pub fn locate(&self, path: &str) -> Result<PathBuf, Stray> {
        let folder = self.folder.strip_prefix(&self.root).map_err(|_| Stray::Outside)?;
        let file = self.root.join(walk(folder, path)?);
        match file.canonicalize() {
            Ok(real) => self.check(&real).map(|()| real),
            // A file that does not exist cannot be opened either.
            Err(_) => Ok(file),
        }
    }

    /// The output file that a path refers to, whether it exists or not, with links resolved. Two paths to the
    /// same file give the same result.
    ///
    /// # Errors
    /// The file is outside the bounds, or at the end of a link without a target.
    pub fn output(&self, file: &Path) -> Result<PathBuf, Stray> {
        let mut behind = Vec::new();
        let mut at = file;
        let real = loop {
            let here = if at.as_os_str().is_empty() { Path::new(".") } else { at };
            if let Ok(real) = here.canonicalize() {
                break real;
            }
            // A link without a target would be followed by a write.
            if fs::symlink_metadata(here).is_ok() {
                return Err(Stray::Dangling);
            }
            behind.extend(at.file_name());
            at = at.parent().ok_or(Stray::Outside)?;
        };
        let real = behind.iter().rev().fold(real, |path, name| path.join(name));
        self.check(&real).map(|()| real)
    }

    /// Checks that a file, given with links resolved, is within the bounds.
    ///
    /// # Errors
    /// It is not.
    pub fn check(&self, real: &Path) -> Result<(), Stray> {
        match (self.folder.strip_prefix(&self.root), real.strip_prefix(&self.root)) {
            (Ok(folder), Ok(file)) => refuse_hidden(folder, file),
            _ => Err(Stray::Outside),
        }
    }

    /// Checks a file or folder that was met in the folder: a link must stay within the bounds.
    ///
    /// # Errors
    /// It is a link that leads elsewhere, or nowhere.
    pub fn check_met(&self, path: &Path) -> Result<(), Stray> {
        if !is_link(path) {
            return Ok(());
        }
        path.canonicalize().map_err(|_| Stray::Dangling).and_then(|real| self.check(&real))
    }
}

/// Checks a file that the user names: it must not be a link that leads out of its git repository, or to a
/// hidden file in it. Messages show lines of the files that are read, and the author of the link may be a
/// stranger.
///
/// # Errors
/// The message about such a link.
pub fn check_named(path: &Path) -> Result<(), Diagnostic> {
    if !is_link(path) {
        return Ok(());
    }
    match (path.canonicalize(), Bounds::around(path.parent().unwrap_or(Path::new("")))) {
        (Ok(real), Ok(bounds)) if bounds.is_repository() && bounds.check(&real).is_err() => {
            Err(leaves(path, "its git repository", "name the file itself"))
        }
        _ => Ok(()),
    }
}

/// Checks a file that saltplan finds by its name, such as settings: it must not be a link out of its folder or
/// git repository, or to a hidden file.
///
/// # Errors
/// The message about such a link; `help` is the way out.
pub fn check_found(path: &Path, help: &str) -> Result<(), Diagnostic> {
    let bounds = Bounds::around(path.parent().unwrap_or(Path::new("")));
    match bounds.is_ok_and(|bounds| bounds.check_met(path).is_err()) {
        true => Err(leaves(path, "its folder or git repository", help)),
        false => Ok(()),
    }
}

/// The message about a link that was met in a folder and is not followed.
#[must_use]
pub fn link_out(path: &Path, folder: &Path) -> Diagnostic {
    let place = format!("the folder `{}`", folder.display());
    leaves(path, &place, "put the file itself there, or name the file that the link leads to")
}

fn leaves(path: &Path, place: &str, help: &str) -> Diagnostic {
    let message = format!("`{}` is a symbolic link that leaves {place}", path.display());
    Diagnostic::error(message).with_help(help)
}

fn is_link(path: &Path) -> bool {
    // A slash at the end would follow the link.
    path.components().as_path().symlink_metadata().is_ok_and(|metadata| metadata.is_symlink())
}

/// The root of the git repository that contains a folder.
fn repository_of(folder: &Path) -> Option<&Path> {
    // In a linked worktree `.git` is a file.
    folder.ancestors().find(|above| fs::symlink_metadata(above.join(".git")).is_ok())
}

/// Joins a folder and a path, both relative to the root.
///
/// # Errors
/// The path leaves the root at some step, or leads to something hidden.
pub fn walk(folder: &Path, path: &str) -> Result<PathBuf, Stray> {
    let walked = steps(folder, path)?;
    refuse_hidden(folder, &walked)?;
    Ok(walked)
}

/// Joins a folder and a path, both relative to the root; hidden names are allowed.
///
/// # Errors
/// The path leaves the root at some step.
pub fn steps(folder: &Path, path: &str) -> Result<PathBuf, Stray> {
    let mut at = folder.to_path_buf();
    for step in Path::new(path).components() {
        match step {
            Component::Normal(name) => at.push(name),
            Component::CurDir => {}
            Component::ParentDir if at.pop() => {}
            Component::ParentDir => return Err(Stray::Outside),
            Component::RootDir | Component::Prefix(_) => return Err(Stray::Absolute),
        }
    }
    Ok(at)
}

/// The name of the schema's own folder does not matter, only names elsewhere.
fn refuse_hidden(folder: &Path, file: &Path) -> Result<(), Stray> {
    let common = folder.components().zip(file.components()).take_while(|(one, other)| one == other).count();
    let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b".");
    if file.components().skip(common).any(|step| is_hidden(step.as_os_str())) {
        return Err(Stray::Hidden);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_from_a_folder() {
        let walked = |folder: &str, path: &str| {
            walk(Path::new(folder), path).map(|path| path.to_string_lossy().into_owned())
        };
        assert_eq!(walked("a/b", "keys.txt"), Ok("a/b/keys.txt".into()));
        assert_eq!(walked("a/b", "./c//keys.txt"), Ok("a/b/c/keys.txt".into()));
        assert_eq!(walked("a/b", "../../keys.txt"), Ok("keys.txt".into()));
        assert_eq!(walked("a", "../../a/keys.txt"), Err(Stray::Outside));
        assert_eq!(walked("", "../keys.txt"), Err(Stray::Outside));
        assert_eq!(walked("a", "/keys.txt"), Err(Stray::Absolute));
        for hidden in ["../.git/config", ".env", "c/.keys.txt"] {
            assert_eq!(walked("a", hidden), Err(Stray::Hidden), "{hidden}");
        }
        assert_eq!(walked(".ci/schemas", "../keys.txt"), Ok(".ci/keys.txt".into()));
        assert_eq!(walked(".ci/schemas", "../.keys.txt"), Err(Stray::Hidden));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed() {
        use std::os::unix::fs::symlink;

        let outer = tempfile::tempdir().expect("a folder");
        let repository = outer.path().join("repository");
        fs::create_dir_all(repository.join(".git")).expect("a folder");
        fs::create_dir_all(repository.join("schemas/more")).expect("a folder");
        for file in ["secret.txt", "repository/keys.txt", "repository/.git/config"] {
            fs::write(outer.path().join(file), "key\n").expect("a file");
        }
        let schemas = repository.join("schemas");
        symlink("../keys.txt", schemas.join("inside")).expect("a link");
        symlink("../../secret.txt", schemas.join("outside")).expect("a link");
        symlink("../.git", schemas.join("git")).expect("a link");
        symlink("nowhere", schemas.join("dangling")).expect("a link");
        symlink("loop", schemas.join("loop")).expect("a link");
        let bounds = Bounds::around(&schemas).expect("a folder");
        let located = |path: &str| bounds.locate(path);
        let keys = Ok(repository.join("keys.txt").canonicalize().expect("a file"));
        assert_eq!(located("inside"), keys);
        assert_eq!(located("../keys.txt"), keys);
        assert_eq!(located("outside"), Err(Stray::Outside));
        assert_eq!(located("more/../../../secret.txt"), Err(Stray::Outside));
        assert_eq!(located("git/config"), Err(Stray::Hidden));
        // A folder that does not exist contains no link.
        assert_eq!(located("none/../outside"), Err(Stray::Outside));
        assert_eq!(located("git/../outside"), Err(Stray::Outside));
        for absent in ["dangling", "none.txt", "loop"] {
            assert!(located(absent).is_ok_and(|file| super::super::open(&file).is_err()), "{absent}");
        }
        // Without a repository the folder is the root.
        let alone = Bounds::around(outer.path()).expect("a folder");
        assert_eq!(alone.locate("../x"), Err(Stray::Outside));
    }

    #[cfg(unix)]
    #[test]
    fn outputs_stay_inside() {
        use std::os::unix::fs::symlink;

        let outer = tempfile::tempdir().expect("a folder");
        let outer = outer.path().canonicalize().expect("a folder");
        let repository = outer.join("repository");
        fs::create_dir_all(repository.join(".git")).expect("a folder");
        fs::create_dir_all(repository.join("sql")).expect("a folder");
        fs::write(repository.join("sql/a.sql"), "").expect("a file");
        fs::write(repository.join(".git/config"), "").expect("a file");
        symlink("../.git/config", repository.join("sql/config.sql")).expect("a link");
        symlink("../../new.sql", repository.join("sql/out.sql")).expect("a link");
        symlink("a.sql", repository.join("sql/same.sql")).expect("a link");
        symlink("sql", repository.join("other")).expect("a link");
        symlink("nowhere", repository.join("gone")).expect("a link");
        let bounds = Bounds::around(&repository).expect("a folder");
        let output = |path: &str| bounds.output(&repository.join(path));
        let real = |path: &str| Ok(repository.join(path));
        assert_eq!(output("sql/a.sql"), real("sql/a.sql"));
        assert_eq!(output("sql/same.sql"), real("sql/a.sql"));
        assert_eq!(output("other/a.sql"), real("sql/a.sql"));
        assert_eq!(output("other/new/b.sql"), real("sql/new/b.sql"));
        assert_eq!(output("sql/config.sql"), Err(Stray::Hidden));
        assert_eq!(output("sql/out.sql"), Err(Stray::Dangling));
        assert_eq!(output("gone/b.sql"), Err(Stray::Dangling));
        assert_eq!(bounds.output(&outer.join("b.sql")), Err(Stray::Outside));
    }
}
