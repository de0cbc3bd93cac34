//! Finds the files under the paths of a command line.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use saltplan_core::schema;
use saltplan_document::diag::{Diagnostic, Diagnostics, Source};
use saltplan_document::files::bounds::{Bounds, check_named, link_out};
use saltplan_document::yaml::NodeKind;

/// The maximum nesting of folders; anything deeper is an error of the file system.
const MAX_DEPTH: usize = 64;

/// Extensions of schema files.
const YAML: [&str; 2] = ["yaml", "yml"];

/// A schema file that is named or was found in a folder.
#[derive(Debug, Clone)]
pub struct SchemaFile {
    pub path: PathBuf,
    /// Named by the user, and not found in a folder: settings do not exclude it.
    pub named: bool,
    /// Why it is not read: it is a link out of the folder.
    link: Option<Box<Diagnostic>>,
}

impl SchemaFile {
    /// A file that the user names.
    pub fn named(path: impl Into<PathBuf>) -> Self {
        SchemaFile { path: path.into(), named: true, link: None }
    }

    /// # Errors
    /// It is a link out of the folder in which it was found, or see [`schema::read_file`].
    pub fn read(&self) -> Result<Arc<Source>, Diagnostics> {
        match &self.link {
            Some(refused) => Err((**refused).clone().into()),
            None => schema::read_file(&self.path),
        }
    }
}

/// Why a folder is not walked.
#[derive(Debug)]
pub enum WalkFault {
    /// A path that does not exist, or a folder that cannot be read.
    Unreadable { path: PathBuf, error: io::Error },
    /// A folder that is a link out of its git repository.
    Link(Box<Diagnostic>),
}

impl WalkFault {
    /// The message; `help` says which paths the command takes.
    #[must_use]
    pub fn told(self, help: &str) -> Diagnostic {
        match self {
            WalkFault::Unreadable { path, error } => {
                let reason = error.to_string().to_lowercase();
                Diagnostic::error(format!("cannot read `{}`: {reason}", path.display())).with_help(help)
            }
            WalkFault::Link(refused) => *refused,
        }
    }
}

/// Files as they are named, and all `*.yaml` and `*.yml` under the folders, in the order of their paths. A
/// file that is found under several paths is listed once, under the path that was named if there is one.
/// Hidden folders and links to folders are skipped.
///
/// # Errors
/// The first path that cannot be read.
pub fn files(paths: &[PathBuf]) -> Result<Vec<SchemaFile>, WalkFault> {
    let mut found = Vec::new();
    for path in paths {
        let metadata =
            fs::metadata(path).map_err(|error| WalkFault::Unreadable { path: path.clone(), error })?;
        if metadata.is_dir() {
            let below = files_below(path, &YAML)?;
            found.extend(below.into_iter().map(|FoundFile { path, link }| SchemaFile {
                path,
                named: false,
                link,
            }));
        } else {
            found.push(SchemaFile::named(path));
        }
    }
    found.sort_by(|a, b| b.named.cmp(&a.named).then_with(|| a.path.cmp(&b.path)));
    let mut known = HashSet::new();
    // A path that cannot be resolved is reported when it is read.
    found.retain(|file| known.insert(file.path.canonicalize().unwrap_or_else(|_| file.path.clone())));
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// A file that was found in a folder.
#[derive(Debug)]
pub struct FoundFile {
    path: PathBuf,
    link: Option<Box<Diagnostic>>,
}

impl FoundFile {
    /// # Errors
    /// The file is a link out of the folder, which is not followed.
    pub fn path(self) -> Result<PathBuf, Diagnostic> {
        self.link.map_or(Ok(self.path), |refused| Err(*refused))
    }
}

/// The files below a folder whose names have one of these extensions. Hidden folders, links to folders and links
/// without a target are skipped. Other links are followed if they stay in the folder.
///
/// # Errors
/// A folder that cannot be read, or a link out of the git repository instead of a folder.
pub fn files_below(path: &Path, extensions: &[&str]) -> Result<Vec<FoundFile>, WalkFault> {
    check_named(path).map_err(|refused| WalkFault::Link(Box::new(refused)))?;
    let unreadable = |error| WalkFault::Unreadable { path: path.to_path_buf(), error };
    let bounds = Bounds::within(path).map_err(unreadable)?;
    let mut found = Vec::new();
    folder(path, extensions, 0, &mut found)?;
    found.sort();
    let found = found.into_iter().map(|file| {
        let link = bounds.check_met(&file).is_err().then(|| Box::new(link_out(&file, path)));
        FoundFile { path: file, link }
    });
    Ok(found.collect())
}

fn folder(path: &Path, extensions: &[&str], depth: usize, found: &mut Vec<PathBuf>) -> Result<(), WalkFault> {
    let unreadable = |error| WalkFault::Unreadable { path: path.to_path_buf(), error };
    for entry in fs::read_dir(path).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let kind = entry.file_type().map_err(unreadable)?;
        let child = entry.path();
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        if kind.is_dir() {
            if !hidden && depth < MAX_DEPTH {
                folder(&child, extensions, depth + 1, found)?;
            }
        } else if has_extension(&child, extensions) && child.is_file() {
            found.push(child);
        }
    }
    Ok(())
}

/// Whether a path below a folder belongs to it: a YAML file, not in a hidden folder.
pub fn is_met(path: &Path) -> bool {
    let is_hidden =
        |folder: &Path| folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    has_extension(path, &YAML) && !path.ancestors().skip(1).any(is_hidden)
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|end| extensions.iter().any(|known| end.eq_ignore_ascii_case(known)))
}

/// A schema has at least one of these keys, unless both are misspelt.
const TELLING: [&str; 2] = ["saltplan", "hbase"];

/// The number of bytes at the start of a schema that contain one of these keys.
const SNIFFED_BYTES: u64 = 1 << 16;

/// Whether a file is not a schema: it has neither `saltplan:` nor `hbase:`.
pub fn is_foreign(source: &Arc<Source>) -> bool {
    match schema::parse(source).0.map(|document| document.root.kind) {
        Some(NodeKind::Mapping(entries)) => {
            !entries.iter().any(|entry| TELLING.contains(&entry.key.value.as_str()))
        }
        _ => is_foreign_text(&source.text),
    }
}

/// The same check for a file that cannot be read as a schema because it is too large or not UTF-8. Links and
/// unreadable files are reported.
pub fn is_foreign_file(path: &Path) -> bool {
    if !fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return false;
    }
    let Ok(file) = fs::File::open(path) else { return false };
    let mut bytes = Vec::new();
    if file.take(SNIFFED_BYTES).read_to_end(&mut bytes).is_err() {
        return false;
    }
    // Text in UTF-16 may be a schema.
    bytes.retain(|byte| *byte != 0);
    is_foreign_text(&String::from_utf8_lossy(&bytes))
}

/// Whether no line starts with one of the keys; for text that is not valid YAML.
fn is_foreign_text(text: &str) -> bool {
    let begins = |line: &str| {
        let line = line.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
        TELLING.iter().any(|key| {
            let rest = line.strip_prefix(key).map(|rest| rest.trim_start_matches(['"', '\'', ' ', '\t']));
            rest.is_some_and(|rest| rest.starts_with(':'))
        })
    };
    !text.lines().any(begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_not_schemas() {
        for (text, expected) in [
            ("saltplan: 1\n", false),
            ("saltplan: [\n", false),
            ("{ \"saltplan\" : 1, ]", false),
            ("hbase: { table: t }\n", false),
            ("\u{FEFF}saltplan: 1\n: :", false),
            ("", true),
            ("- hosts: all\n- saltplan\n", true),
            ("apiVersion: v1\nkey: a\nregions: [eu]\n", true),
            ("a: {{ .Values.b }}\n", true),
            ("a: 1\n---\nb: 2\n", true),
        ] {
            assert_eq!(is_foreign(&Source::new("a.yaml", text)), expected, "{text:?}");
        }
    }
}
