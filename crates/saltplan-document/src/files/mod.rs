//! Input files: which are accepted, and how much of them is read.
//!
//! Data is read from regular files. A device may be endless and a pipe may never start, so pipes can only be
//! passed as standard input.

pub mod bounds;
pub mod paths;

use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;

/// Why a file is not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    #[error("there is no such file")]
    Missing,
    #[error("it is a folder")]
    Folder,
    /// A pipe, a device or a socket.
    #[error("it is a pipe or a device, not a regular file")]
    Special,
    #[error("it is larger than {}", size(*.limit))]
    TooLarge {
        /// The maximum number of bytes.
        limit: u64,
    },
    #[error("line {line} is not UTF-8 text")]
    NotText {
        /// The line with the first invalid UTF-8 byte, counted from 1.
        line: usize,
    },
    /// An error of the file system, such as a missing permission.
    #[error("{}", .0.to_string().to_lowercase())]
    Refused(io::Error),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => ReadError::Missing,
            io::ErrorKind::IsADirectory => ReadError::Folder,
            _ => ReadError::Refused(error),
        }
    }
}

/// `64 MiB`, `1,000 bytes`
fn size(bytes: u64) -> String {
    match bytes {
        whole if whole >= 1 << 20 && whole % (1 << 20) == 0 => format!("{} MiB", whole >> 20),
        whole if whole >= 1 << 10 && whole % (1 << 10) == 0 => format!("{} KiB", whole >> 10),
        other => format!("{other} bytes"),
    }
}

/// Opens a regular file, or a link to one.
///
/// # Errors
/// The file is missing, of another kind, or cannot be read.
pub fn open(path: &Path) -> Result<File, ReadError> {
    // Opening a pipe would wait for a writer, so its kind is checked first.
    only_regular(fs::metadata(path)?.file_type())?;
    let file = File::open(path)?;
    only_regular(file.metadata()?.file_type())?;
    Ok(file)
}

fn only_regular(kind: FileType) -> Result<(), ReadError> {
    match kind {
        kind if kind.is_file() => Ok(()),
        kind if kind.is_dir() => Err(ReadError::Folder),
        _ => Err(ReadError::Special),
    }
}

/// The content of a regular file of at most `limit` bytes; a larger file is not read further than that.
///
/// # Errors
/// The file is missing, not regular, too large, or cannot be read.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    read_from(open(path)?, limit)
}

/// The text of a regular file, see [`read`].
///
/// # Errors
/// As [`read`], and bytes that are not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> Result<String, ReadError> {
    text(read(path, limit)?)
}

/// The byte order mark that some editors write at the start of UTF-8 text. It does not belong to the text.
const MARK: char = '\u{feff}';

/// A text without a byte order mark.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix(MARK).unwrap_or(text)
}

/// Everything from a reader, at most `limit` bytes.
///
/// # Errors
/// There are more bytes, or the reader fails.
pub fn read_from(reader: impl Read, limit: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    // One more byte than the limit shows that there is more.
    reader.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(ReadError::TooLarge { limit }) } else { Ok(bytes) }
}

/// Bytes as text, without a byte order mark.
///
/// # Errors
/// The line of the first invalid UTF-8 byte.
pub fn text(bytes: Vec<u8>) -> Result<String, ReadError> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let right = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        ReadError::NotText { line: right.iter().filter(|byte| **byte == b'\n').count() + 1 }
    })?;
    Ok(if text.starts_with(MARK) { without_mark(&text).to_string() } else { text })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason<T: std::fmt::Debug>(result: Result<T, ReadError>) -> String {
        result.expect_err("a refusal").to_string()
    }

    #[test]
    fn regular_files_only() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(reason(open(folder.path())), "it is a folder");
        assert_eq!(reason(open(&folder.path().join("none"))), "there is no such file");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_and_a_pipe_are_not_opened() {
        assert_eq!(reason(open(Path::new("/dev/zero"))), "it is a pipe or a device, not a regular file");
        let (reader, _writer) = io::pipe().expect("a pipe");
        let path = format!("/dev/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&reader));
        assert_eq!(reason(open(Path::new(&path))), "it is a pipe or a device, not a regular file");
    }

    #[test]
    fn reading_stops_at_the_limit() {
        assert_eq!(read_from(&b"abc"[..], 3).expect("bytes"), b"abc");
        assert_eq!(reason(read_from(&b"abcd"[..], 3)), "it is larger than 3 bytes");
        assert_eq!(reason(read_from(io::repeat(0), 2 << 10)), "it is larger than 2 KiB");
    }

    #[test]
    fn line_of_invalid_utf8() {
        assert_eq!(text(b"a\nb".to_vec()).expect("text"), "a\nb");
        assert_eq!(reason(text(b"a\nb\xff\n".to_vec())), "line 2 is not UTF-8 text");
    }
}
