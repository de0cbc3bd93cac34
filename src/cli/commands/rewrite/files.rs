//! The files that `rewrite` reads: queries and schemas, named or found in folders.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use saltplan_core::messages::Diagnostic;
use saltplan_core::schema;
use saltplan_document::files;
use saltplan_lint::walk;

use crate::cli::failure::Failure;
use crate::cli::inputs::is_dash;
use crate::cli::write::OutputFolder;

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
pub fn query_files(paths: &[PathBuf], output: Option<&Path>) -> Result<Vec<QueryFile>, Failure> {
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
                    return Err(diagnostic.with_help("name files of queries, or a folder with them").into());
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
    let output = output.map(OutputFolder::at);
    let mut targets: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    let mut files = Vec::new();
    for (path, name) in found {
        let target = output.as_ref().map(|folder| folder.target(&name)).transpose()?;
        if let Some(target) = &target
            && let Some(other) = targets.insert(target.real.clone(), path.clone())
        {
            let diagnostic = Diagnostic::error(format!(
                "`{}` and `{}` would both be written to `{}`",
                other.display(),
                path.display(),
                target.path.display()
            ));
            return Err(diagnostic.with_help("name the folder above both").into());
        }
        files.push(QueryFile { path, output: target.map(|target| target.path) });
    }
    Ok(files)
}

/// Files that are to be replaced: each once, whatever links lead to it.
pub fn replaced_files(mut files: Vec<QueryFile>) -> Vec<QueryFile> {
    let mut seen = BTreeSet::new();
    // A missing file is reported when it is read.
    files.retain(|file| seen.insert(file.path.canonicalize().unwrap_or_else(|_| file.path.clone())));
    files
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
    files::read(file, schema::MAX_BYTES as u64).map_or(true, |bytes| {
        let text = String::from_utf8_lossy(&bytes);
        WORDS_OF_SCHEMAS.iter().all(|word| text.contains(word))
    })
}

fn files_below(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>, Diagnostic> {
    let found = walk::files_below(folder, extensions).map_err(|fault| fault.told("check the path"))?;
    found.into_iter().map(walk::FoundFile::path).collect()
}
