//! Reads a schema file as text: checks size, encoding, and errors of the file system.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use saltplan_document::diag::{Diagnostic, Diagnostics, Source, Span};
use saltplan_document::files::bounds::check_named;
use saltplan_document::files::{ReadError, read_from, without_mark};

/// The maximum size of a schema file; a table with 4,096 columns needs about half of it.
pub const MAX_BYTES: usize = 1 << 20;

/// Reads a file of at most [`MAX_BYTES`]; a larger file is not read further than that.
///
/// # Errors
/// The file is missing, cannot be read, is a directory, is a link out of its git repository, is too large, or
/// is not UTF-8.
pub fn read_file(path: &Path) -> Result<Arc<Source>, Diagnostics> {
    let name = path.display().to_string();
    check_named(path)?;
    let read = File::open(path).map_err(ReadError::from).and_then(|file| read_from(file, MAX_BYTES as u64));
    match read {
        Ok(bytes) => source_from_bytes(&name, bytes),
        Err(error) => Err(unreadable(&name, &error).into()),
    }
}

/// Checks text from elsewhere, such as standard input, by the same rules as a file.
///
/// # Errors
/// There are too many bytes, or they are not UTF-8.
pub fn source_from_bytes(name: &str, bytes: Vec<u8>) -> Result<Arc<Source>, Diagnostics> {
    if bytes.len() > MAX_BYTES {
        return Err(too_large(name).into());
    }
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        let message = format!("`{name}` is UTF-16 text, but a schema must be UTF-8");
        let start = Diagnostic::error(message).at(
            &Source::new(name, ""),
            Span::default(),
            "a UTF-16 byte order mark",
        );
        return Err(start.with_help("save the file as UTF-8").into());
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source::new(name, without_mark(&text))),
        Err(error) => Err(not_utf8(name, error.as_bytes(), error.utf8_error().valid_up_to()).into()),
    }
}

fn not_utf8(name: &str, bytes: &[u8], offset: usize) -> Diagnostic {
    let source = Source::new(name, String::from_utf8_lossy(bytes));
    let span = Span::new(offset, offset + char::REPLACEMENT_CHARACTER.len_utf8());
    let byte = bytes.get(offset).copied().unwrap_or_default();
    Diagnostic::error(format!("`{name}` is not UTF-8 text: byte {offset} is 0x{byte:02X}"))
        .at(&source, span, "does not start a character")
        .with_help("save the file as UTF-8")
}

fn too_large(name: &str) -> Diagnostic {
    let message = format!("`{name}` is larger than {} KiB, the limit for a schema", MAX_BYTES / 1024);
    Diagnostic::error(message).with_help("is this the path of a schema?")
}

fn unreadable(name: &str, error: &ReadError) -> Diagnostic {
    match error {
        ReadError::Missing => {
            Diagnostic::error(format!("there is no file `{name}`")).with_help("check the path of the schema")
        }
        ReadError::Folder => {
            Diagnostic::error(format!("`{name}` is a directory")).with_help("name a schema file in it")
        }
        ReadError::TooLarge { .. } => too_large(name),
        error => Diagnostic::error(format!("cannot read `{name}`: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(result: Result<Arc<Source>, Diagnostics>) -> String {
        result.expect_err("a refusal").to_string()
    }

    #[test]
    fn what_is_no_schema_file() {
        let directory = std::env::temp_dir();
        let missing = directory.join("saltplan-no-such-file.yaml");
        assert!(message(read_file(&missing)).contains("there is no file"));
        assert!(message(read_file(&directory)).contains("is a directory"));
    }

    #[test]
    fn text_of_the_right_size() {
        assert!(message(source_from_bytes("-", vec![b' '; MAX_BYTES + 1])).contains("larger than 1024 KiB"));
        assert_eq!(source_from_bytes("-", vec![b' '; MAX_BYTES]).expect("text").text.len(), MAX_BYTES);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_without_end_is_not_read_to_its_end() {
        assert!(message(read_file(Path::new("/dev/zero"))).contains("larger than"));
    }

    #[test]
    fn a_byte_order_mark_is_dropped() {
        assert_eq!(source_from_bytes("-", b"\xEF\xBB\xBFa: 1".to_vec()).expect("text").text, "a: 1");
        assert!(message(source_from_bytes("-", b"\xFF\xFEa\0".to_vec())).contains("UTF-16"));
    }

    #[test]
    fn the_place_of_a_foreign_byte() {
        let text = message(source_from_bytes("a.yaml", b"a: 1\nb: \xFF\n".to_vec()));
        assert!(text.starts_with("a.yaml:2:4: error: `a.yaml` is not UTF-8 text: byte 8 is 0xFF"), "{text}");
    }
}
