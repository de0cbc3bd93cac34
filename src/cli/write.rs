//! Files are written as a whole or not at all.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::NamedTempFile;

use super::failure::Failure;
use saltplan_document::diag::Diagnostic;
use saltplan_document::files::bounds::Bounds;

/// The maximum number of links that are followed.
const MAX_LINKS: usize = 40;

/// Writes a file. A link is followed, and anything that is not a regular file (a pipe, a device) is written
/// to directly.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    Prepared::new(path, bytes, Durability::Synced)?.commit()
}

/// [`write_whole`] for a file that can be generated again: it is not forced to the disk, because thousands of
/// files would wait for that one by one.
pub fn write_made(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    Prepared::new(path, bytes, Durability::Buffered)?.commit()
}

/// A folder that receives files. A link in it is followed only if it stays in the folder.
#[derive(Debug)]
pub struct OutputFolder<'a> {
    path: &'a Path,
    /// None if there is no such folder yet, so that it contains no link.
    bounds: Option<Bounds>,
}

/// A file below an [`OutputFolder`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Below the folder as it was named.
    pub path: PathBuf,
    /// The same for all names of a file.
    pub real: PathBuf,
}

impl<'a> OutputFolder<'a> {
    pub fn at(path: &'a Path) -> Self {
        OutputFolder { path, bounds: Bounds::within(path).ok() }
    }

    /// Where a file is written; its name is relative to the folder.
    ///
    /// # Errors
    /// A link leads out of the folder, to a hidden file or nowhere.
    pub fn target(&self, name: &Path) -> Result<Target, Diagnostic> {
        let path = self.path.join(name);
        let Some(bounds) = &self.bounds else { return Ok(Target { real: path.clone(), path }) };
        match bounds.output(&path) {
            Ok(real) => Ok(Target { path, real }),
            Err(_) => Err(Diagnostic::error(format!(
                "`{}` is not written: a symbolic link leads out of the folder `{}`",
                path.display(),
                self.path.display()
            ))
            .with_help("remove the link, or write to another folder")),
        }
    }

    /// Writes a file, with the folders that it needs.
    pub fn write(&self, name: &Path, bytes: &[u8]) -> Result<(), Failure> {
        let target = self.target(name)?;
        create_folder(&target.path)?;
        write_whole(&target.path, bytes)
    }
}

/// The folder of a file that is to be written.
pub fn create_folder(path: &Path) -> Result<(), Failure> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => fs::create_dir_all(folder).map_err(|error| cannot_write(path, error)),
        None => Ok(()),
    }
}

/// Whether a file is forced to the disk before it replaces the old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Durability {
    /// A crash of the machine leaves the old file or the new one.
    Synced,
    /// The operating system writes it when it wants.
    Buffered,
}

/// Replaces several existing files, all or none.
pub fn write_all(files: &[(PathBuf, Vec<u8>)]) -> Result<(), Failure> {
    let before = files.iter().map(|(path, _)| read(path)).collect::<Result<Vec<_>, _>>()?;
    let prepared = files
        .iter()
        .map(|(path, bytes)| Prepared::new(path, bytes, Durability::Synced))
        .collect::<Result<Vec<_>, _>>()?;
    for (done, file) in prepared.into_iter().enumerate() {
        if let Err(failure) = file.commit() {
            for ((path, _), old) in files.iter().zip(&before).take(done) {
                write_whole(path, old)?;
            }
            return Err(failure);
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    Ok(fs::read(path).with_context(|| format!("cannot read {}", path.display()))?)
}

/// Everything that can be done before a file changes.
struct Prepared<'a> {
    target: PathBuf,
    bytes: &'a [u8],
    replacement: FileReplacement,
}

enum FileReplacement {
    /// A finished temporary file replaces the old one.
    Replace(NamedTempFile),
    /// The content is replaced: a new file would lose other hard links or the owner.
    Exchange { old: Vec<u8> },
    /// Not a regular file.
    Direct,
}

impl<'a> Prepared<'a> {
    fn new(path: &Path, bytes: &'a [u8], durability: Durability) -> Result<Self, Failure> {
        let existing = fs::metadata(path).ok();
        let target = behind_links(path).map_err(|error| cannot_write(path, error))?;
        let replacement = match &existing {
            Some(metadata) if !metadata.is_file() => FileReplacement::Direct,
            Some(metadata) if has_other_names(metadata) => FileReplacement::Exchange { old: read(path)? },
            _ => choose_replacement(path, &target, bytes, durability, existing.as_ref())?,
        };
        Ok(Prepared { target, bytes, replacement })
    }

    fn commit(self) -> Result<(), Failure> {
        let Prepared { target, bytes, replacement } = self;
        match replacement {
            FileReplacement::Replace(file) => file.persist(&target).map(drop).map_err(io::Error::from),
            FileReplacement::Exchange { old } => exchange(&target, bytes, &old),
            FileReplacement::Direct => fs::write(&target, bytes),
        }
        .map_err(|error| cannot_write(&target, error))
    }
}

fn choose_replacement(
    path: &Path,
    target: &Path,
    bytes: &[u8],
    durability: Durability,
    existing: Option<&Metadata>,
) -> Result<FileReplacement, Failure> {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = match temporary_file(folder) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(no_folder(path, folder).into()),
        // The file may be writable although its folder is not.
        Err(error) if error.kind() == ErrorKind::PermissionDenied && existing.is_some() => {
            return Ok(FileReplacement::Exchange { old: read(path)? });
        }
        Err(error) => return Err(cannot_write(path, error)),
    };
    if let Some(existing) = existing {
        let made = file.as_file().metadata().map_err(|error| cannot_write(path, error))?;
        if !has_same_owner(existing, &made) {
            return Ok(FileReplacement::Exchange { old: read(path)? });
        }
    }
    let mut fill = || {
        file.write_all(bytes)?;
        if durability == Durability::Synced {
            file.as_file().sync_all()?;
        }
        existing.map_or(Ok(()), |existing| fs::set_permissions(file.path(), existing.permissions()))
    };
    fill().map_err(|error| cannot_write(path, error))?;
    Ok(FileReplacement::Replace(file))
}

/// Writes new content into a file, and restores the old content if that fails.
fn exchange(path: &Path, new: &[u8], old: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    put(&mut file, new).inspect_err(|_| {
        // Nothing has been truncated yet, so there is still room for the old content.
        let _ = put(&mut file, old);
    })
}

fn put(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.rewind()?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)?;
    file.sync_all()
}

/// The file at the end of a chain of links, whether it exists or not.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut at = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&at) else { return Ok(at) };
        at = at.parent().unwrap_or(Path::new("")).join(target);
    }
    Err(io::Error::other("the symbolic links form a circle"))
}

#[cfg(unix)]
fn has_other_names(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &Metadata) -> bool {
    false
}

#[cfg(unix)]
fn has_same_owner(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.uid(), one.gid()) == (other.uid(), other.gid())
}

#[cfg(not(unix))]
fn has_same_owner(_: &Metadata, _: &Metadata) -> bool {
    true
}

fn no_folder(path: &Path, folder: &Path) -> Diagnostic {
    let error = Diagnostic::error(format!(
        "cannot write `{}`: there is no folder `{}`",
        path.display(),
        folder.display()
    ));
    error.with_help(format!("create it first: `mkdir -p {}`", folder.display()))
}

fn cannot_write(path: &Path, error: io::Error) -> Failure {
    anyhow::Error::new(error).context(format!("cannot write {}", path.display())).into()
}

/// A temporary file that others may read, as far as the umask allows.
fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder).map_err(|error| {
        // The error message ends with the name of the temporary file, which is removed.
        let text = error.to_string();
        let reason = text.split(" at path ").next().unwrap_or_default();
        io::Error::new(error.kind(), reason)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_exchanged_or_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        for (old, new) in [("short", "much longer"), ("much longer", "short"), ("a", "")] {
            fs::write(&path, old).expect("a file");
            exchange(&path, new.as_bytes(), old.as_bytes()).expect("an exchange");
            assert_eq!(fs::read_to_string(&path).expect("the file"), new);
        }
    }

    #[test]
    fn a_file_without_a_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let failure = write_whole(&folder.path().join("none/a"), b"x").expect_err("a failure");
        let Failure::Invalid(errors) = failure else { panic!("{failure:?}") };
        assert!(errors[0].message.contains("there is no folder"), "{}", errors[0]);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_other_names_stay() {
        use std::os::unix::fs::{MetadataExt, symlink};

        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a"), "old").expect("a file");
        fs::hard_link(at("a"), at("b")).expect("a hard link");
        symlink("a", at("to_a")).expect("a link");
        symlink("new", at("dangling")).expect("a link");
        symlink("circle", at("circle")).expect("a link");
        write_whole(&at("to_a"), b"new").expect("a file");
        assert_eq!(fs::read(at("b")).expect("the other name"), b"new");
        assert_eq!(fs::metadata(at("a")).expect("its data").nlink(), 2);
        write_whole(&at("dangling"), b"made").expect("a file");
        assert_eq!(fs::read(at("new")).expect("the file behind the link"), b"made");
        assert!(fs::symlink_metadata(at("dangling")).expect("its data").is_symlink());
        assert!(write_whole(&at("circle"), b"x").is_err());
        assert!(fs::symlink_metadata(at("circle")).expect("its data").is_symlink());
    }

    #[test]
    fn several_files_change_together() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a"), "old").expect("a file");
        fs::write(at("b"), "old").expect("a file");
        let missing = [(at("a"), b"new".to_vec()), (at("none"), b"new".to_vec())];
        assert!(write_all(&missing).is_err());
        assert_eq!(fs::read(at("a")).expect("the file"), b"old");
        write_all(&[(at("a"), b"new".to_vec()), (at("b"), b"new".to_vec())]).expect("two files");
        assert_eq!(
            (fs::read(at("a")).unwrap(), fs::read(at("b")).unwrap()),
            (b"new".to_vec(), b"new".to_vec())
        );
    }
}
