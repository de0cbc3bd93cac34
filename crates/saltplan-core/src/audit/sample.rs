//! Sample keys of `regions: sampled`.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::key::range::from_string_binary;

/// A million keys of 64 bytes.
const MAX_BYTES: u64 = 64 << 20;

/// Why a file gives no sample keys.
#[derive(Debug)]
pub enum SampleError {
    Unreadable(io::Error),
    TooLarge,
    Empty,
}

impl fmt::Display for SampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SampleError::Unreadable(error) if error.kind() == io::ErrorKind::NotFound => {
                f.write_str("the file is missing")
            }
            SampleError::Unreadable(error) => {
                write!(f, "the file cannot be read: {}", error.to_string().to_lowercase())
            }
            SampleError::TooLarge => write!(f, "the file is larger than {} MiB", MAX_BYTES >> 20),
            SampleError::Empty => f.write_str("the file holds no keys"),
        }
    }
}

/// Row keys in HBase's text form, one a line.
///
/// # Errors
/// The file is missing, no regular file, too large, or empty.
pub fn read(path: &Path) -> Result<Vec<Vec<u8>>, SampleError> {
    let text = read_text(path).map_err(SampleError::Unreadable)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(SampleError::TooLarge);
    }
    let keys: Vec<Vec<u8>> = text.lines().filter(|line| !line.is_empty()).map(from_string_binary).collect();
    if keys.is_empty() { Err(SampleError::Empty) } else { Ok(keys) }
}

fn read_text(path: &Path) -> io::Result<String> {
    // A pipe would be waited for.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut text = String::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_string(&mut text)?;
    Ok(text)
}
