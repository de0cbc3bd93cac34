//! Lines of comments in printed text.

use std::fmt;

use serde::Serialize;

use saltplan_document::diag::visible;

/// The text of a comment after `--` or `#`: it cannot end the comment, and no client splits a script inside of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct CommentLine(String);

impl CommentLine {
    /// Any text as one line. `hive -e` looks for `;` and for quotes in comments, too: a semicolon is written as in a literal, and if a
    /// quote is not closed, all quotes are replaced.
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

/// Whether every quote is closed, by the rules of literals.
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
