//! Texts that are put into a text, and how a query is fitted into the place that it takes.

use crate::tokens::Tokens;
use saltplan_core::messages::Span;

/// A text that takes the place of a part of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    /// What is replaced; empty where something is put in.
    pub span: Span,
    pub text: String,
}

/// The text with its splices, which do not overlap and stand in the order of the text.
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

/// The original of a text that splices were made in.
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

/// A query in brackets, indented as the line that it is put into, with the line breaks of the text.
pub fn bracketed(query: &str, text: &str, at: usize) -> String {
    let indent = indent_of(text, at);
    let line_end = line_end_of(text);
    let mut bracketed = format!("({line_end}");
    for line in lines(query) {
        bracketed.push_str(&format!("{indent}  {line}{line_end}"));
    }
    bracketed + indent + ")"
}

/// What a line begins with.
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

/// The lines of a query. A line break in a literal or a name is none of them.
fn lines(query: &str) -> Vec<&str> {
    let Ok(tokens) = Tokens::new(query) else { return vec![query] };
    let mut lines = Vec::new();
    let mut start = 0;
    let mut token = 0;
    for (at, _) in query.match_indices('\n') {
        while token < tokens.len() && tokens.span(token).end <= at {
            token += 1;
        }
        if token == tokens.len() || tokens.span(token).start > at {
            lines.push(&query[start..at]);
            start = at + 1;
        }
    }
    lines.push(&query[start..]);
    lines
}
