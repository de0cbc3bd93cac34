//! The sample keys of `regions: sampled`.

use std::io::{self, BufRead};

use super::kind::{self, Mark};
use super::lines::{LineError, Lines};
use crate::key::range::{MAX_KEY_BYTES, from_string_binary};
use saltplan_document::diag::Diagnostic;
use saltplan_document::files::ReadError;
use saltplan_document::files::bounds::Stray;

/// Enough for a million keys of 64 bytes.
pub const MAX_BYTES: u64 = 64 << 20;

/// Why a file gives no sample keys. The messages do not reveal the content of the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// The schema may not refer to this file.
    #[error("{0}")]
    Stray(Stray),
    #[error("{0}")]
    Unreadable(#[from] ReadError),
    #[error("{0}")]
    Line(#[from] LineError),
    /// A line that is not a row key; lines are counted from 1.
    #[error("line {0} is not a row key")]
    NoKey(u64),
    /// A line of another kind of text; lines are counted from 1.
    #[error("line {line} is {}, not a row key", .mark.kind)]
    OtherText { line: u64, mark: Mark },
    #[error("it contains no keys")]
    Empty,
    /// The error of a store of files other than the file system.
    #[error("{}", .0.message)]
    Elsewhere(Box<Diagnostic>),
}

impl SampleError {
    /// What the user can do about it.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            SampleError::Stray(Stray::Hidden) => {
                "use a file name without a leading dot, outside hidden folders"
            }
            SampleError::Stray(Stray::Absolute | Stray::Outside) => {
                "keep the sample next to the schema or in its git repository, and write its path relative to the schema file"
            }
            SampleError::Unreadable(ReadError::TooLarge { .. }) => {
                "take a smaller sample: a few thousand keys per region are enough"
            }
            SampleError::OtherText { .. } => {
                "name a file with one row key per line, as the HBase shell prints them; in a key that looks like another text, write a character of it as `\\xNN`"
            }
            _ => "name a file with one row key per line, as the HBase shell prints them",
        }
    }
}

impl From<io::Error> for SampleError {
    fn from(error: io::Error) -> Self {
        SampleError::Unreadable(error.into())
    }
}

/// Row keys in HBase's text form, one per line.
///
/// # Errors
/// There are too many bytes, or no keys, or a line is not a row key.
pub fn parse(reader: impl BufRead) -> Result<Vec<Vec<u8>>, SampleError> {
    let mut keys = Vec::new();
    let mut read = 0;
    let mut lines = Lines::new(reader.take(MAX_BYTES + 1));
    while let Some((number, line)) = lines.next_line()? {
        read += line.len() as u64 + 1;
        if read > MAX_BYTES {
            return Err(too_large());
        }
        if line.is_empty() {
            continue;
        }
        let text = std::str::from_utf8(line).map_err(|_| SampleError::NoKey(number))?;
        if let Some(mark) = kind::mark(text, number) {
            return Err(SampleError::OtherText { line: number, mark });
        }
        let key = from_string_binary(text);
        if key.len() > MAX_KEY_BYTES {
            return Err(SampleError::NoKey(number));
        }
        keys.push(key);
    }
    if keys.is_empty() { Err(SampleError::Empty) } else { Ok(keys) }
}

fn too_large() -> SampleError {
    SampleError::Unreadable(ReadError::TooLarge { limit: MAX_BYTES })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn keys_of_lines() {
        assert_eq!(parse(&b"a\\x00\r\n\nb"[..]).expect("keys"), [b"a\0".to_vec(), b"b".to_vec()]);
        assert!(matches!(parse(&b"\n\n"[..]), Err(SampleError::Empty)));
        assert!(matches!(parse(&b"a\n\xff"[..]), Err(SampleError::NoKey(2))));
        let scan = &b"a\nROW  COLUMN+CELL\n a column=f:q, timestamp=1, value=v"[..];
        assert!(matches!(parse(scan), Err(SampleError::OtherText { line: 2, .. })));
        let long = "x".repeat(MAX_KEY_BYTES + 1);
        assert!(matches!(parse(long.as_bytes()), Err(SampleError::NoKey(1))));
        assert!(matches!(parse(BufReader::new(io::repeat(b'x'))), Err(SampleError::Line(_))));
        assert!(parse("\\x00".repeat(MAX_KEY_BYTES).as_bytes()).is_ok());
    }
}
