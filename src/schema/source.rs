//! The bytes of a schema file as text: size, encoding, and what the file system may say instead.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use crate::diag::{Diagnostic, Diagnostics, Source, Span};

/// The largest schema file that is read; a table of 4,096 columns takes about half of it.
pub const MAX_BYTES: usize = 1 << 20;

/// Reads a file of at most [`MAX_BYTES`]; of a larger one no more than that is read.
///
/// # Errors
/// A file that is missing, cannot be read, is a directory or too large, or does not hold UTF-8 text.
pub fn read_file(path: &Path) -> Result<Arc<Source>, Diagnostics> {
    let name = path.display().to_string();
    let mut bytes = Vec::new();
    let read = || -> io::Result<()> {
        let file = File::open(path)?;
        if file.metadata()?.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
        Ok(())
    };
    match { read }() {
        Ok(()) => source_from_bytes(&name, bytes),
        Err(error) => Err(unreadable(&name, &error).into()),
    }
}

/// Text that was read elsewhere, such as standard input, under the same rules as a file.
///
/// # Errors
/// Bytes that are too many or not UTF-8 text.
pub fn source_from_bytes(name: &str, bytes: Vec<u8>) -> Result<Arc<Source>, Diagnostics> {
    if bytes.len() > MAX_BYTES {
        let message = format!("`{name}` is larger than {} KiB, which no schema is", MAX_BYTES / 1024);
        return Err(Diagnostic::error(message).with_help("is this the path of a schema?").into());
    }
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        let message = format!("`{name}` is UTF-16 text, a schema is UTF-8");
        return Err(Diagnostic::error(message).with_help("save the file as UTF-8").into());
    }
    match String::from_utf8(bytes) {
        Ok(mut text) => {
            if text.starts_with('\u{feff}') {
                text.drain(..'\u{feff}'.len_utf8());
            }
            Ok(Source::new(name, text))
        }
        Err(error) => Err(not_utf8(name, error.as_bytes(), error.utf8_error().valid_up_to()).into()),
    }
}

fn not_utf8(name: &str, bytes: &[u8], offset: usize) -> Diagnostic {
    let source = Source::new(name, String::from_utf8_lossy(bytes));
    let span = Span::new(offset, offset + char::REPLACEMENT_CHARACTER.len_utf8());
    let byte = bytes.get(offset).copied().unwrap_or_default();
    Diagnostic::error(format!("`{name}` is not UTF-8 text: byte {offset} is 0x{byte:02X}"))
        .at(&source, span, "starts no character")
        .with_help("save the file as UTF-8")
}

fn unreadable(name: &str, error: &io::Error) -> Diagnostic {
    match error.kind() {
        io::ErrorKind::NotFound => {
            Diagnostic::error(format!("there is no file `{name}`")).with_help("check the path of the schema")
        }
        io::ErrorKind::IsADirectory => {
            Diagnostic::error(format!("`{name}` is a directory")).with_help("name one schema file in it")
        }
        _ => Diagnostic::error(format!("cannot read `{name}`: {}", error.to_string().to_lowercase())),
    }
}
