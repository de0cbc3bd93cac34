//! Inserts texts into a text, and adapts a query to its place.

use saltplan_core::messages::Span;
use saltplan_core::queries::Query;

/// A text that replaces a part of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    /// What is replaced; empty for an insertion.
    pub span: Span,
    pub text: String,
}

/// The text with its splices, which must be in order and must not overlap.
pub fn apply(text: &str, splices: &[Splice]) -> String {
    let length: usize = splices.iter().map(|splice| splice.text.len()).sum();
    let mut spliced = String::with_capacity(text.len() + length);
    let mut at = 0;
    for splice in splices {
        spliced.push_str(&text[at..splice.span.start]);
        spliced.push_str(&splice.text);
        at = splice.span.end;
    }
    spliced.push_str(&text[at..]);
    spliced
}

/// The original text before the splices.
pub fn undo(spliced: &str, original: &str, splices: &[Splice]) -> String {
    let mut text = String::with_capacity(original.len());
    let (mut at, mut behind) = (0, 0);
    for splice in splices {
        let kept = splice.span.start - behind;
        text.push_str(&spliced[at..at + kept]);
        text.push_str(&original[splice.span.start..splice.span.end]);
        at += kept + splice.text.len();
        behind = splice.span.end;
    }
    text.push_str(&spliced[at..]);
    text
}

/// A subquery in brackets, indented like the line where it is inserted, with the line breaks of the text.
pub fn bracketed(query: &Query, text: &str, at: usize, line_end: &str) -> String {
    let indent = indent_of(text, at);
    let margin = format!("{line_end}{indent}  ");
    format!("({margin}{}{line_end}{indent})", query.subquery(&margin))
}

/// The indentation of a line.
pub fn indent_of(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |line| line + 1);
    let line = &text[start..at];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

pub fn line_end_of(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}
