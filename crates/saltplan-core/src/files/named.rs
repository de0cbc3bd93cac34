//! The files that a schema names, wherever the schema itself comes from.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufRead, BufReader, Cursor};
use std::path::{Path, PathBuf};

use super::bounds::{Bounds, walk};
use super::sample::{MAX_BYTES, SampleError};
use super::{ReadError, open};

/// Which files a schema may name, and what they hold. Paths are those that the schema writes, from its own folder.
pub trait Files: fmt::Debug + Send + Sync {
    /// Where a file lies. It need not be there yet.
    ///
    /// # Errors
    /// The schema may not name it.
    fn locate(&self, path: &str) -> Result<PathBuf, SampleError>;

    /// The content of a file that [`Files::locate`] gave, at most [`MAX_BYTES`] of it.
    ///
    /// # Errors
    /// The file is missing, too large or of another kind, or cannot be read.
    fn read(&self, file: &Path) -> Result<Box<dyn BufRead + '_>, SampleError>;
}

/// The folder of a schema in the file system, see [`Bounds`].
#[derive(Debug, Clone)]
pub struct Folder(PathBuf);

impl Folder {
    /// A folder itself.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Folder(folder.into())
    }

    /// The folder that a file lies in.
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
