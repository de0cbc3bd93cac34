//! The files that `rewrite` reads: queries and schemas, named or found in folders.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use saltplan_core::messages::Diagnostic;
use saltplan_lint::walk;

use crate::cli::inputs::is_dash;

/// Ends of names of files with queries.
const QUERIES: [&str; 2] = ["hql", "sql"];

/// Words that every schema with a logical table contains.
const WORDS_OF_SCHEMAS: [&str; 3] = ["hbase", "key", "view"];

/// A file of queries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryFile {
    pub path: PathBuf,
    /// Where its new text is written.
    pub output: Option<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaFile {
    pub path: PathBuf,
    /// Named by the user, and not found in a folder.
    pub is_named: bool,
}

/// The files in the order of their paths, each once. If there are several, `output` is a folder, in which
/// they keep their relative paths.
pub fn query_files(paths: &[PathBuf], output: Option<&Path>) -> Result<Vec<QueryFile>, Diagnostic> {
    if let ([path], false) = (paths, paths.iter().any(|path| path.is_dir())) {
        return Ok(vec![QueryFile { path: path.clone(), output: output.map(Path::to_path_buf) }]);
    }
    let mut found: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    for path in paths {
        match path.is_dir() {
            true => {
                let inside = files_below(path, &QUERIES)?;
                if inside.is_empty() {
                    let diagnostic = Diagnostic::error(format!(
                        "there is no *.hql or *.sql file under `{}`",
                        path.display()
                    ));
                    return Err(diagnostic.with_help("name files of queries, or a folder with them"));
                }
                for file in inside {
                    let name = file.strip_prefix(path).unwrap_or(&file).to_path_buf();
                    found.entry(file).or_insert(name);
                }
            }
            false if is_dash(path) => drop(found.insert(path.clone(), PathBuf::from("stdin.sql"))),
            false => {
                let name = path.file_name().map_or_else(|| path.clone(), PathBuf::from);
                found.entry(path.clone()).or_insert(name);
            }
        }
    }
    let mut targets: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    let mut files = Vec::new();
    for (path, name) in found {
        let target = output.map(|folder| folder.join(&name));
        if let Some(target) = &target
            && let Some(other) = targets.insert(target.clone(), path.clone())
        {
            let diagnostic = Diagnostic::error(format!(
                "`{}` and `{}` would both be written to `{}`",
                other.display(),
                path.display(),
                target.display()
            ));
            return Err(diagnostic.with_help("name the folder above both"));
        }
        files.push(QueryFile { path, output: target });
    }
    Ok(files)
}

/// Files that are to be replaced: each once, whatever links lead to it, and no link that leads out of a named folder.
pub fn replaced_files(files: Vec<QueryFile>, paths: &[PathBuf]) -> Result<Vec<QueryFile>, Diagnostic> {
    let folders: Vec<&PathBuf> = paths.iter().filter(|path| path.is_dir()).collect();
    let mut seen = BTreeSet::new();
    let mut kept = Vec::new();
    for file in files {
        // A missing file is reported when it is read.
        let real = file.path.canonicalize().unwrap_or_else(|_| file.path.clone());
        let is_named = paths.contains(&file.path);
        let is_inside = |folder: &&PathBuf| {
            file.path.starts_with(folder)
                && folder.canonicalize().is_ok_and(|folder| real.starts_with(folder))
        };
        if !is_named && !folders.iter().any(is_inside) {
            let message = format!("`{}` is a symbolic link that leaves its folder", file.path.display());
            return Err(Diagnostic::error(message)
                .with_help("name the file that it leads to, or write to another folder with `-o`"));
        }
        if seen.insert(real) {
            kept.push(file);
        }
    }
    Ok(kept)
}

/// The schemas of some paths. In a folder, only files that may have a logical table are included.
pub fn schema_files(paths: &[PathBuf]) -> Result<Vec<SchemaFile>, Diagnostic> {
    let mut found: Vec<SchemaFile> = Vec::new();
    for path in paths {
        if !path.is_dir() {
            found.push(SchemaFile { path: path.clone(), is_named: true });
            continue;
        }
        let mut inside = files_below(path, &["yaml", "yml"])?;
        inside.retain(|file| may_be_schema(file));
        found.extend(inside.into_iter().map(|path| SchemaFile { path, is_named: false }));
    }
    found.sort_by(|a, b| a.path.cmp(&b.path).then(b.is_named.cmp(&a.is_named)));
    found.dedup_by(|a, b| a.path == b.path);
    Ok(found)
}

fn may_be_schema(file: &Path) -> bool {
    // Unreadable files are reported when they are loaded.
    fs::read(file).map_or(true, |bytes| {
        let text = String::from_utf8_lossy(&bytes);
        WORDS_OF_SCHEMAS.iter().all(|word| text.contains(word))
    })
}

fn files_below(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>, Diagnostic> {
    walk::files_below(folder, extensions).map_err(|walk::Unreadable { path, error }| {
        Diagnostic::error(format!("cannot read `{}`: {error}", path.display())).with_help("check the path")
    })
}
