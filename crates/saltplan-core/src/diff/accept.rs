//! The accept list: changes that are wanted.
//!
//! A line is a path (`key.salt.write`: any change of it) or a path with its values as they are printed
//! (`key.salt.write: decimal -> decimal(3)`). `#` starts a comment. Lines of the compared files play no part.

use std::sync::Arc;

use super::Change;
use crate::diag::{Diagnostic, Source, Span};

#[derive(Debug)]
pub struct AcceptList {
    source: Arc<Source>,
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    path: String,
    values: Option<String>,
    span: Span,
}

impl AcceptList {
    pub fn parse(source: &Arc<Source>) -> Self {
        let mut entries = Vec::new();
        let mut start = 0;
        for line in source.text.split_inclusive('\n') {
            let content = without_comment(line);
            let text = content.trim();
            if !text.is_empty() {
                let from = start + (content.len() - content.trim_start().len());
                let (path, values) = match text.split_once(": ") {
                    Some((path, values)) => (path, Some(values.trim().to_string())),
                    None => (text, None),
                };
                entries.push(Entry {
                    path: path.to_string(),
                    values,
                    span: Span::new(from, from + text.len()),
                });
            }
            start += line.len();
        }
        AcceptList { source: Arc::clone(source), entries }
    }

    /// Whether each change is accepted, and a warning for each entry that accepts nothing.
    pub fn apply(&self, changes: &[Change]) -> (Vec<bool>, Vec<Diagnostic>) {
        let accepted =
            changes.iter().map(|change| self.entries.iter().any(|entry| entry.takes(change))).collect();
        let unused = self.entries.iter().filter(|entry| !changes.iter().any(|change| entry.takes(change)));
        let warnings = unused.map(|entry| {
            let near = changes.iter().find(|change| change.path == entry.path);
            let help = match near {
                Some(change) => format!("it now reads `{}: {}`", change.path, change.values()),
                None => "remove it".to_string(),
            };
            Diagnostic::warning(format!(
                "the accept list names `{}`, but there is no such change",
                entry.path
            ))
            .at(&self.source, entry.span, "unused")
            .with_help(help)
        });
        (accepted, warnings.collect())
    }
}

impl Entry {
    fn takes(&self, change: &Change) -> bool {
        self.path == change.path && self.values.as_ref().is_none_or(|values| *values == change.values())
    }
}

/// A `#` at the start of a line or behind a blank starts a comment.
fn without_comment(line: &str) -> &str {
    let comment = line
        .match_indices('#')
        .map(|(at, _)| at)
        .find(|at| line[..*at].chars().next_back().is_none_or(char::is_whitespace));
    comment.map_or(line, |at| &line[..at])
}
