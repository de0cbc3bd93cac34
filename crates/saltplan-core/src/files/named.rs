//! The files that a schema refers to, wherever the schema itself comes from.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufRead, BufReader, Cursor};
use std::path::{Path, PathBuf};

use super::sample::{MAX_BYTES, SampleError};
use saltplan_document::files::bounds::{Bounds, walk};
use saltplan_document::files::{ReadError, open};

/// Access to the files that a schema may refer to. Paths are written in the schema, relative to its folder.
pub trait Files: fmt::Debug + Send + Sync {
    /// The location of a file, which need not exist.
    ///
    /// # Errors
    /// The schema may not refer to it.
    fn locate(&self, path: &str) -> Result<PathBuf, SampleError>;

    /// The content of a file from [`Files::locate`], at most [`MAX_BYTES`].
    ///
    /// # Errors
    /// The file is missing, too large or of another kind, or cannot be read.
    fn read(&self, file: &Path) -> Result<Box<dyn BufRead + '_>, SampleError>;
}

/// The folder of a schema in the file system, see [`Bounds`].
#[derive(Debug, Clone)]
pub struct Folder(PathBuf);

impl Folder {
    /// Files relative to a folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Folder(folder.into())
    }

    /// Files relative to the folder of a file.
    pub fn of(file: &Path) -> Self {
        Folder(file.parent().unwrap_or(Path::new("")).to_path_buf())
    }
}

impl Files for Folder {
    fn locate(&self, path: &str) -> Result<PathBuf, SampleError> {
        Bounds::around(&self.0)?.locate(path).map_err(SampleError::Stray)
    }

    fn read(&self, file: &Path) -> Result<Box<dyn BufRead + '_>, SampleError> {
        let file = open(file)?;
        if file.metadata()?.len() > MAX_BYTES {
            return Err(SampleError::Unreadable(ReadError::TooLarge { limit: MAX_BYTES }));
        }
        Ok(Box::new(BufReader::new(file)))
    }
}

/// Files in memory, by their paths.
#[derive(Debug, Clone, Default)]
pub struct Memory(BTreeMap<PathBuf, Vec<u8>>);

impl Memory {
    #[must_use]
    pub fn with(mut self, path: &str, content: impl Into<Vec<u8>>) -> Self {
        self.0.insert(path.into(), content.into());
        self
    }
}

impl Files for Memory {
    fn locate(&self, path: &str) -> Result<PathBuf, SampleError> {
        walk(Path::new(""), path).map_err(SampleError::Stray)
    }

    fn read(&self, file: &Path) -> Result<Box<dyn BufRead + '_>, SampleError> {
        let content = self.0.get(file).ok_or(SampleError::Unreadable(ReadError::Missing))?;
        Ok(Box::new(Cursor::new(content)))
    }
}
