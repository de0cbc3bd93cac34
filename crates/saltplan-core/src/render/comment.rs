//! Lines of comments in what is printed.

use std::fmt;

use serde::Serialize;

use crate::diag::visible;

/// A line that may stand behind `--` or `#`: nothing in it ends the comment, and no client cuts a script inside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct CommentLine(String);

impl CommentLine {
    /// Any text as one line. Where Hive runs a statement from the command line (`-e`), it looks for `;` and for quotes in
    /// comments as well: a semicolon is written as in a literal, and quotes without a partner are left out.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let line = visible::line(text).replace(';', "\\073");
        if quotes_are_paired(&line) {
            return CommentLine(line);
        }
        CommentLine(line.replace(['\'', '"', '`'], &char::REPLACEMENT_CHARACTER.to_string()))
    }
}

impl fmt::Display for CommentLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether every quote has a partner, by the rules of literals.
fn quotes_are_paired(line: &str) -> bool {
    let mut open = None;
    let mut escaped = false;
    for c in line.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\'' | '"' | '`' if open == Some(c) => open = None,
            '\'' | '"' | '`' if open.is_none() => open = Some(c),
            _ => {}
        }
    }
    open.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_that_stays_a_comment() {
        let line = |text: &str| CommentLine::new(text).to_string();
        assert_eq!(line("c = 'it\\'s' AND d = \"x\""), "c = 'it\\'s' AND d = \"x\"");
        assert_eq!(line("x\rDROP TABLE t;\n--"), "x\u{FFFD}DROP TABLE t\\073\u{FFFD}--");
        assert_eq!(line("it's.yaml"), "it\u{FFFD}s.yaml");
        assert_eq!(line("a\u{2028}b\u{85}c"), "a\u{FFFD}b\u{FFFD}c");
    }
}
