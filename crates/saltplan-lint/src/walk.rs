//! The schema files under the paths of a command line.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use saltplan_core::diag::Source;
use saltplan_core::document::yaml::NodeKind;
use saltplan_core::schema;

/// Folders nest less than this; a deeper one is a fault of the file system.
const MAX_DEPTH: usize = 64;

/// A file to audit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct AuditedFile {
    pub path: PathBuf,
    /// Named by the user, not met in a folder: audited whatever it holds.
    pub named: bool,
}

/// A path of the user that is not there, or a folder that cannot be read.
#[derive(Debug)]
pub struct Unreadable {
    pub path: PathBuf,
    pub error: io::Error,
}

/// Files as they are named, and all `*.yaml` and `*.yml` under the folders, in the order of their paths. A file that is
/// met under several paths stands there once, under the one that was named if there is one. Hidden folders and links to
/// folders are left out.
///
/// # Errors
/// The first path that cannot be read.
pub fn files(paths: &[PathBuf]) -> Result<Vec<AuditedFile>, Unreadable> {
    let mut found = Vec::new();
    for path in paths {
        let metadata = fs::metadata(path).map_err(|error| Unreadable { path: path.clone(), error })?;
        if metadata.is_dir() {
            folder(path, 0, &mut found)?;
        } else {
            found.push(AuditedFile { path: path.clone(), named: true });
        }
    }
    found.sort_by(|a, b| b.named.cmp(&a.named).then_with(|| a.path.cmp(&b.path)));
    let mut known = HashSet::new();
    // What cannot be resolved is reported when it is read.
    found.retain(|file| known.insert(file.path.canonicalize().unwrap_or_else(|_| file.path.clone())));
    found.sort();
    Ok(found)
}

fn folder(path: &Path, depth: usize, found: &mut Vec<AuditedFile>) -> Result<(), Unreadable> {
    let unreadable = |error| Unreadable { path: path.to_path_buf(), error };
    for entry in fs::read_dir(path).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let kind = entry.file_type().map_err(unreadable)?;
        let child = entry.path();
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        if kind.is_dir() {
            if !hidden && depth < MAX_DEPTH {
                folder(&child, depth + 1, found)?;
            }
        } else if is_yaml(&child) && child.is_file() {
            found.push(AuditedFile { path: child, named: false });
        }
    }
    Ok(())
}

fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("yaml") || end.eq_ignore_ascii_case("yml"))
}

/// Whether a text is YAML for something else: a mapping without any key that only a schema has. Text that cannot be
/// parsed may be a schema.
pub fn is_foreign(source: &std::sync::Arc<Source>) -> bool {
    const TELLING: [&str; 4] = ["saltplan", "hbase", "key", "regions"];
    match schema::parse(source).0.map(|document| document.root.kind) {
        Some(NodeKind::Mapping(entries)) => {
            !entries.iter().any(|entry| TELLING.contains(&entry.key.value.as_str()))
        }
        _ => false,
    }
}
