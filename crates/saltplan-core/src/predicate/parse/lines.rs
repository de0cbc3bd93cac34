//! Lines and columns to bytes and back.

use sqlparser::tokenizer::Location;

/// Byte offsets of lines and of the characters in them.
#[derive(Debug)]
pub(super) struct LineIndex {
    /// For every line, the byte offset of each of its characters, and of its end.
    lines: Vec<Vec<usize>>,
    length: usize,
}

impl LineIndex {
    pub(super) fn new(text: &str) -> Self {
        let mut lines = vec![Vec::new()];
        for (offset, c) in text.char_indices() {
            if let Some(line) = lines.last_mut() {
                line.push(offset);
            }
            if c == '\n' {
                lines.push(Vec::new());
            }
        }
        LineIndex { lines, length: text.len() }
    }

    /// Byte offset of a line and column, both counted from 1, the column in characters.
    pub(super) fn offset(&self, location: Location) -> usize {
        let line = usize::try_from(location.line).unwrap_or(usize::MAX).saturating_sub(1);
        let column = usize::try_from(location.column).unwrap_or(usize::MAX).saturating_sub(1);
        let Some(offsets) = self.lines.get(line) else { return self.length };
        match offsets.get(column) {
            Some(offset) => *offset,
            None => self.lines.get(line + 1).and_then(|next| next.first().copied()).unwrap_or(self.length),
        }
    }

    pub(super) fn location(&self, offset: usize) -> Location {
        let line = self
            .lines
            .partition_point(|offsets| offsets.first().is_some_and(|first| *first <= offset))
            .max(1);
        let column = self.lines[line - 1].partition_point(|start| *start < offset);
        Location { line: line as u64, column: column as u64 + 1 }
    }
}
