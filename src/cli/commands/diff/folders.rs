//! Compares the schema files of two folders. Files are matched by their relative paths.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value as Json, json};

use super::report::DiffReport;
use super::{json, markdown, text};
use crate::cli::git::GitPath;
use crate::cli::input::{Located, load_of_many};
use crate::cli::{Failure, Reporter};
use saltplan_core::Table;
use saltplan_document::diag::{Diagnostic, counted, visible};
use saltplan_document::files::paths::with_slashes;
use saltplan_lint::walk;
use saltplan_project::diff::accept::AcceptList;
use saltplan_project::diff::{self, Class, SchemaDiff};

/// The version of the JSON form.
const FORMAT_VERSION: u32 = 1;

pub struct FolderReport<'a> {
    old: &'a str,
    new: &'a str,
    /// By their paths.
    files: BTreeMap<String, FileState>,
    /// Files that are not schemas, in both folders.
    passed_over: usize,
    /// Lines of the accept list that accept nothing.
    pub unused: Vec<Diagnostic>,
}

enum FileState {
    /// Only one folder has it: `added` or `removed`.
    Single {
        word: &'static str,
        accepted: bool,
    },
    Both {
        old: Box<Table>,
        new: Box<Table>,
        comparison: SchemaDiff,
        accepted: Vec<bool>,
    },
}

/// Whether both are folders.
///
/// # Errors
/// One is a folder, the other is not.
pub fn are_folders(old: &str, new: &str) -> Result<bool, Failure> {
    match (is_folder(old)?, is_folder(new)?) {
        (one, other) if one == other => Ok(one),
        (is_old, _) => {
            let (folder, file) = if is_old { (old, new) } else { (new, old) };
            Err(Diagnostic::error(format!("`{folder}` is a folder, and `{file}` is not"))
                .with_help("name two folders, or two files")
                .into())
        }
    }
}

fn is_folder(argument: &str) -> Result<bool, Failure> {
    match GitPath::parse(argument) {
        Some(path) => path?.is_folder(),
        None => Ok(Path::new(argument).is_dir()),
    }
}

/// The schemas below a folder by their paths, and the number of other files.
fn tables(argument: &str, reporter: &Reporter) -> Result<(BTreeMap<String, Table>, usize), Failure> {
    let files: BTreeMap<String, Located> = match GitPath::parse(argument) {
        Some(folder) => {
            let folder = folder?;
            let files = folder.files()?.into_iter().filter(|path| walk::is_met(Path::new(path)));
            files.map(|path| (path.clone(), Located::Git(folder.join(&path)))).collect()
        }
        None => {
            let folder = Path::new(argument);
            let files = walk::files(&[folder.to_path_buf()])
                .map_err(|fault| fault.told("name two folders with schema files"))?;
            let files = files.into_iter().map(|file| {
                let path = with_slashes(file.path.strip_prefix(folder).unwrap_or(&file.path));
                (path, Located::Here(file))
            });
            files.collect()
        }
    };
    let (mut tables, mut passed_over, mut faults) = (BTreeMap::new(), 0, Vec::new());
    for (path, file) in files {
        match load_of_many(&file, reporter) {
            Ok(Some(table)) => drop(tables.insert(path, table)),
            Ok(None) => passed_over += 1,
            Err(Failure::Invalid(found)) => faults.extend(found),
            Err(other) => return Err(other),
        }
    }
    if faults.is_empty() { Ok((tables, passed_over)) } else { Err(Failure::Invalid(faults)) }
}

pub fn compare<'a>(
    old: &'a str,
    new: &'a str,
    accept: &AcceptList,
    reporter: &Reporter,
) -> Result<FolderReport<'a>, Failure> {
    let (mut before, foreign_before) = tables(old, reporter)?;
    let (after, foreign_now) = tables(new, reporter)?;
    if before.is_empty() && after.is_empty() {
        return Err(Diagnostic::error(format!("there is no schema file in `{old}` and in `{new}`"))
            .with_help("name two folders with schema files")
            .into());
    }
    let names: Vec<String> = before.keys().chain(after.keys()).cloned().collect();
    let names: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    let mut used = vec![false; accept.count()];
    let mut all_changes = Vec::new();
    let mut files = BTreeMap::new();
    let takes = |line: String, used: &mut Vec<bool>| {
        let at = accept.line(&line);
        at.into_iter().for_each(|at| used[at] = true);
        at.is_some()
    };
    for (path, new) in after {
        let state = match before.remove(&path) {
            None => FileState::Single { word: "added", accepted: takes(format!("+ {path}"), &mut used) },
            Some(old) => {
                let comparison = diff::tables(&old, &new)?;
                let (list, places) = accept.of_file(&path, &names);
                let (accepted, used_here) = list.accepted(&comparison);
                let here = places.iter().zip(used_here).filter(|(_, is_used)| *is_used);
                here.for_each(|(at, _)| used[*at] = true);
                all_changes.extend(comparison.changes.iter().cloned());
                FileState::Both { old: Box::new(old), new: Box::new(new), comparison, accepted }
            }
        };
        files.insert(path, state);
    }
    for path in before.into_keys() {
        let accepted = takes(format!("- {path}"), &mut used);
        files.insert(path, FileState::Single { word: "removed", accepted });
    }
    Ok(FolderReport {
        old,
        new,
        files,
        passed_over: foreign_before + foreign_now,
        unused: accept.unused(&used, &all_changes),
    })
}

impl FileState {
    fn report(&self) -> Option<DiffReport<'_>> {
        let FileState::Both { old, new, comparison, accepted } = self else { return None };
        let is_changed = !comparison.changes.is_empty();
        is_changed.then(|| DiffReport::of(old, new, comparison, accepted))
    }

    fn word(&self) -> &'static str {
        match self {
            FileState::Single { word, .. } => word,
            FileState::Both { comparison, .. } if comparison.changes.is_empty() => "the same",
            FileState::Both { .. } => "changed",
        }
    }

    /// Whether the file is in one folder only, and that change is accepted.
    fn is_accepted(&self) -> bool {
        matches!(self, FileState::Single { accepted: true, .. })
    }

    /// The class of the worst change that is not accepted. A removed file does not change the table; only its
    /// printed statements are missing.
    fn worst(&self) -> Option<Class> {
        match self {
            FileState::Both { .. } => self.report()?.worst_unaccepted(),
            FileState::Single { accepted, .. } => (!accepted).then_some(Class::Mapping),
        }
    }
}

impl FolderReport<'_> {
    pub fn worst_unaccepted(&self) -> Option<Class> {
        self.files.values().filter_map(FileState::worst).max()
    }

    /// `4 files: 1 added, 1 changed, 2 the same`
    fn summary(&self) -> String {
        let counts = ["removed", "added", "changed", "the same"].map(|word| {
            let count = self.files.values().filter(|file| file.word() == word).count();
            (count > 0).then(|| format!("{count} {word}"))
        });
        let mut counts: Vec<String> = counts.into_iter().flatten().collect();
        if self.passed_over > 0 {
            counts.push(format!("{} no schema", self.passed_over));
        }
        format!("{}: {}", counted(self.files.len() as u128, "file", "files"), counts.join(", "))
    }

    /// The files that only one folder has.
    fn single(&self) -> impl Iterator<Item = (&String, &FileState)> {
        self.files.iter().filter(|(_, file)| matches!(file, FileState::Single { .. }))
    }

    pub fn text(&self) -> String {
        let (old, new) = (visible::line(self.old), visible::line(self.new));
        let mut text = format!("{old} -> {new}: {}\n", self.summary());
        for (at, (path, file)) in self.single().enumerate() {
            let gap = if at == 0 { "\n" } else { "" };
            let note = if file.is_accepted() { "  (accepted)" } else { "" };
            text.push_str(&format!("{gap}{:9} {}{note}\n", file.word(), visible::line(path)));
        }
        for report in self.files.values().filter_map(FileState::report) {
            text.push('\n');
            text.push_str(&text::text(&report));
        }
        text
    }

    pub fn markdown(&self) -> String {
        let mut text = format!("## Schema files: {}\n\n", self.summary());
        text.push_str(&format!("{} → {}\n\n", markdown::code(self.old), markdown::code(self.new)));
        for (path, file) in self.single() {
            let note = if file.is_accepted() { " (accepted)" } else { "" };
            text.push_str(&format!("- {}: {}{note}\n", file.word(), markdown::code(path)));
        }
        for report in self.files.values().filter_map(FileState::report) {
            text.push('\n');
            text.push_str(&markdown::markdown(&report));
        }
        text
    }

    pub fn json(&self) -> Json {
        let files = self.files.iter().map(|(path, file)| {
            json!({
                "path": path,
                "state": file.word().replace(' ', "_"),
                "accepted": file.is_accepted(),
                "comparison": file.report().map(|report| json::json(&report, &[])),
            })
        });
        json!({
            "format_version": FORMAT_VERSION,
            "old": self.old,
            "new": self.new,
            "files": files.collect::<Vec<Json>>(),
            "passed_over": self.passed_over,
            "unused_accepts": self.unused.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    }
}
