//! The accept list: intended changes, which do not fail the comparison.
//!
//! A line is one of the following: a path (`key.salt.write` accepts any change of it, `column.tel` everything
//! about the column); a path with its values as printed (`key.salt.write: decimal -> decimal(3)`); or the
//! printed form of a part that was added or removed (`- column tel (string, f:tel)`). If folders are
//! compared, a line applies to all files, or to one file if it starts with its path (`calls.yaml:
//! key.salt.write`); `+ calls.yaml` is an added file. `#` starts a comment. Line numbers of the compared
//! files do not matter.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::{Change, SchemaDiff};
use saltplan_document::diag::{Diagnostic, Source, Span};

#[derive(Debug, Clone)]
pub struct AcceptList {
    source: Arc<Source>,
    entries: Vec<AcceptedChange>,
}

#[derive(Debug, Clone)]
struct AcceptedChange {
    path: String,
    values: Option<String>,
    /// The whole line.
    text: String,
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
                entries.push(AcceptedChange::new(text, Span::new(from, from + text.len())));
            }
            start += line.len();
        }
        AcceptList { source: Arc::clone(source), entries }
    }

    /// Whether each change is accepted, and a warning for each entry of the list that accepts nothing.
    pub fn apply(&self, comparison: &SchemaDiff) -> (Vec<bool>, Vec<Diagnostic>) {
        let (accepted, used) = self.accepted(comparison);
        (accepted, self.unused(&used, &comparison.changes))
    }

    /// The lines that apply to one of several files, each with its position in this list.
    pub fn of_file(&self, file: &str, files: &BTreeSet<&str>) -> (AcceptList, Vec<usize>) {
        let lines = self.entries.iter().enumerate().filter_map(|(at, entry)| {
            match entry.text.split_once(": ").filter(|(first, _)| files.contains(first)) {
                Some((first, rest)) => {
                    (first == file).then(|| (AcceptedChange::new(rest.trim(), entry.span), at))
                }
                None => Some((entry.clone(), at)),
            }
        });
        let (entries, places) = lines.unzip();
        (AcceptList { source: Arc::clone(&self.source), entries }, places)
    }

    /// The position of the line with this text.
    pub fn line(&self, text: &str) -> Option<usize> {
        self.entries.iter().position(|entry| entry.text == text)
    }

    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// Whether each change is accepted, and whether each line accepts something.
    pub fn accepted(&self, comparison: &SchemaDiff) -> (Vec<bool>, Vec<bool>) {
        let changes = &comparison.changes;
        let mut used = vec![false; self.entries.len()];
        let by_path = positions(self.entries.iter().map(|entry| entry.path.as_str()));
        let by_text = positions(self.entries.iter().map(|entry| entry.text.as_str()));
        let mut take = |candidates: Option<&Vec<usize>>, takes: &dyn Fn(&AcceptedChange) -> bool| {
            let taking: Vec<usize> =
                candidates.into_iter().flatten().copied().filter(|at| takes(&self.entries[*at])).collect();
            taking.iter().for_each(|at| used[*at] = true);
            !taking.is_empty()
        };
        let mut told: HashSet<&str> = HashSet::new();
        for entry in &comparison.entries {
            let headline = entry.headline.text();
            let first = entry.changes.first().and_then(|at| changes.get(*at));
            let is_taken = match (&headline, first) {
                (Some(text), _) => {
                    take(by_text.get(text.as_str()), &|_| true)
                        | take(by_path.get(entry.path.as_str()), &|entry| entry.values.is_none())
                }
                (None, Some(change)) => take(by_path.get(change.path.as_str()), &|entry| entry.takes(change)),
                (None, None) => false,
            };
            if is_taken {
                told.insert(&entry.path);
            }
        }
        // A list of names is shown with all its members.
        let accepted = changes.iter().map(|change| {
            let as_part =
                !change.part_of.is_empty() && change.part_of.iter().all(|path| told.contains(path.as_str()));
            let as_entry = told.contains(change.path.as_str());
            take(by_path.get(change.path.as_str()), &|entry| entry.takes(change)) | as_part | as_entry
        });
        let accepted = accepted.collect();
        (accepted, used)
    }

    /// A warning for each line that accepts nothing.
    pub fn unused(&self, used: &[bool], changes: &[Change]) -> Vec<Diagnostic> {
        let unused = self.entries.iter().zip(used).filter(|(_, used)| !**used);
        unused.map(|(entry, _)| self.warning(entry, changes)).collect()
    }

    fn warning(&self, entry: &AcceptedChange, changes: &[Change]) -> Diagnostic {
        let near = changes.iter().find(|change| change.path == entry.path);
        let help = match near {
            Some(change) => format!("it now reads `{}: {}`", change.path, change.values()),
            None => "remove it".to_string(),
        };
        Diagnostic::warning(format!("the accept list names `{}`, but there is no such change", entry.path))
            .at(&self.source, entry.span, "unused")
            .with_help(help)
    }
}

/// The position of each text.
fn positions<'a>(texts: impl Iterator<Item = &'a str>) -> HashMap<&'a str, Vec<usize>> {
    let mut positions: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, text) in texts.enumerate() {
        positions.entry(text).or_default().push(at);
    }
    positions
}

impl AcceptedChange {
    fn new(text: &str, span: Span) -> Self {
        let (path, values) = match text.split_once(": ") {
            Some((path, values)) => (path, Some(values.trim().to_string())),
            None => (text, None),
        };
        AcceptedChange { path: path.to_string(), values, text: text.to_string(), span }
    }

    fn takes(&self, change: &Change) -> bool {
        self.path == change.path && self.values.as_ref().is_none_or(|values| *values == change.values())
    }
}

/// A `#` at the start of a line or after a blank starts a comment.
fn without_comment(line: &str) -> &str {
    let comment = line
        .match_indices('#')
        .map(|(at, _)| at)
        .find(|at| line[..*at].chars().next_back().is_none_or(char::is_whitespace));
    comment.map_or(line, |at| &line[..at])
}
