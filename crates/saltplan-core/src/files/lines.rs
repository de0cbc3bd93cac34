//! Reads input line by line, with memory that does not depend on its size.

use std::io::{self, BufRead, Read};

use crate::key::range::MAX_KEY_BYTES;

/// The maximum length of a line in bytes: every byte of the longest row key as `\xNN`.
pub(crate) const MAX_LINE_BYTES: usize = 4 * MAX_KEY_BYTES;

/// Why the next line cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LineError {
    /// The line is longer than `MAX_LINE_BYTES`.
    #[error("line {line} is longer than {MAX_LINE_BYTES} bytes, the longest row key as `\\xNN`")]
    TooLong {
        /// Counted from 1.
        line: u64,
    },
    #[error("{}", .0.to_string().to_lowercase())]
    Unreadable(io::Error),
}

/// The lines of a reader, one at a time.
#[derive(Debug)]
pub struct Lines<R> {
    reader: R,
    line: Vec<u8>,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    pub fn new(reader: R) -> Self {
        Lines { reader, line: Vec::new(), number: 0 }
    }

    /// The number of the next line, counted from 1, and its content without the line end (`\n` or `\r\n`);
    /// `None` after the last line.
    ///
    /// # Errors
    /// The line is too long, or the reader fails. Reading cannot be continued after that.
    pub fn next_line(&mut self) -> Result<Option<(u64, &[u8])>, LineError> {
        self.line.clear();
        self.number += 1;
        // Room for a byte order mark, the content, its line end, and one more byte to detect longer lines.
        let most = MAX_LINE_BYTES as u64 + 6;
        let read = self.reader.by_ref().take(most).read_until(b'\n', &mut self.line);
        if read.map_err(LineError::Unreadable)? == 0 {
            return Ok(None);
        }
        let content = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        // Some editors write a byte order mark at the start of a file. It does not belong to the first line.
        let content = content.strip_prefix(b"\xEF\xBB\xBF").filter(|_| self.number == 1).unwrap_or(content);
        let content = content.strip_suffix(b"\r").unwrap_or(content);
        if content.len() > MAX_LINE_BYTES {
            return Err(LineError::TooLong { line: self.number });
        }
        Ok(Some((self.number, content)))
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn lines_with_their_numbers() {
        let mut lines = Lines::new(&b"a\r\n\nb"[..]);
        let mut next = || lines.next_line().expect("a line").map(|(number, line)| (number, line.to_vec()));
        assert_eq!(next(), Some((1, b"a".to_vec())));
        assert_eq!(next(), Some((2, Vec::new())));
        assert_eq!(next(), Some((3, b"b".to_vec())));
        assert_eq!(next(), None);
    }

    #[test]
    fn the_longest_line() {
        for end in ["", "\n", "\r\n"] {
            let text = "x".repeat(MAX_LINE_BYTES) + end;
            let mut lines = Lines::new(text.as_bytes());
            assert_eq!(lines.next_line().expect("a line").map(|(_, line)| line.len()), Some(MAX_LINE_BYTES));
            assert!(lines.next_line().expect("the end").is_none());
            let text = format!("a\nx{text}");
            let mut lines = Lines::new(text.as_bytes());
            lines.next_line().expect("a line");
            let error = lines.next_line().expect_err("a line that is too long");
            assert!(error.to_string().starts_with("line 2 is longer than 131068 bytes"), "{error}");
        }
    }

    #[test]
    fn a_line_without_end() {
        let mut lines = Lines::new(BufReader::new(io::repeat(b'0')));
        assert!(matches!(lines.next_line(), Err(LineError::TooLong { line: 1 })));
    }
}
