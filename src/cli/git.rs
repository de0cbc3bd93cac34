//! Reads files from a git revision.

use std::io::{BufRead, BufReader, Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::Context;

use super::failure::Failure;
use saltplan_core::files::named::Files;
use saltplan_core::files::sample::{MAX_BYTES, SampleError};
use saltplan_document::diag::Diagnostic;
use saltplan_document::files::bounds::{steps, walk};
use saltplan_document::files::paths::with_slashes;

/// `git:REF:path`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitPath {
    pub reference: String,
    /// Relative to the root of the repository; not a pattern, every character is literal.
    pub path: String,
}

/// What git reports about a path in a revision.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    /// A file with this size in bytes.
    File(u64),
    Folder,
    Missing,
    /// A link that leads out of the tree, has no target, or is circular; or a path through a file.
    Lost,
    /// The name of the revision is ambiguous.
    Ambiguous,
}

impl GitPath {
    /// `None` for a path in the file system.
    ///
    /// # Errors
    /// The prefix without a revision or a path, a revision that git would take for an option, or a path that
    /// leaves the repository.
    pub fn parse(argument: &str) -> Option<Result<Self, Failure>> {
        let rest = argument.strip_prefix("git:")?;
        let parts = rest.split_once(':').filter(|(reference, path)| {
            !reference.is_empty()
                && !reference.starts_with('-')
                && !path.is_empty()
                && !rest.contains(['\0', '\n'])
        });
        Some(match parts {
            Some((reference, path)) => {
                from_root(path).map(|path| GitPath { reference: reference.to_string(), path })
            }
            None => Err(Diagnostic::error(format!("`{argument}` is not of the form `git:REF:path`"))
                .with_help(
                    "write for example `git:main:schemas/calls.yaml`; write a file whose name begins with `git:` as `./git:…`",
                )
                .into()),
        })
    }

    /// Whether it is a folder of the revision.
    pub fn is_folder(&self) -> Result<bool, Failure> {
        let mut git = CatFile::start(&format!("{}:{}", self.reference, self.path))?;
        Ok(git.answer()? == Answer::Folder)
    }

    /// The files below the folder, by their relative paths. Submodules are skipped.
    pub fn files(&self) -> Result<Vec<String>, Failure> {
        let tree = format!("{}:{}", self.reference, self.path);
        let listed = git(&["ls-tree", "-r", "-z", "--full-tree", &tree])?;
        let listed = listed.ok_or_else(|| self.fault("cannot be listed"))?;
        let files = listed.split('\0').filter_map(|line| line.split_once('\t'));
        Ok(files.filter(|(kind, _)| kind.contains(" blob ")).map(|(_, path)| path.to_string()).collect())
    }

    /// A file below the folder.
    pub fn join(&self, path: &str) -> Self {
        let path = if self.path.is_empty() { path.to_string() } else { format!("{}/{path}", self.path) };
        GitPath { reference: self.reference.clone(), path }
    }

    /// The content of the file, at most `limit` bytes. Links inside the tree are followed.
    pub fn read(&self, limit: u64) -> Result<Vec<u8>, Failure> {
        let mut git = CatFile::start(&format!("{}:{}", self.reference, self.path))?;
        match git.answer()? {
            Answer::File(size) if size > limit => {
                Err(self.fault(&format!("is larger than {} KiB", limit >> 10)).into())
            }
            Answer::File(size) => git.content(size),
            Answer::Folder => {
                Err(self.fault("is a folder").with_help("name one file in it, or two folders").into())
            }
            Answer::Lost => Err(self
                .fault("is a symbolic link whose target is not in the repository")
                .with_help("name the file itself")
                .into()),
            Answer::Ambiguous => {
                let error = format!("the revision `{}` is ambiguous", self.reference);
                Err(Diagnostic::error(error).with_help("write more digits of its hash").into())
            }
            Answer::Missing => Err(self.missing()?.into()),
        }
    }

    fn fault(&self, what: &str) -> Diagnostic {
        Diagnostic::error(format!("`{}` of the revision `{}` {what}", self.path, self.reference))
    }

    fn missing(&self) -> Result<Diagnostic, Failure> {
        let revision = format!("{}^{{tree}}", self.reference);
        let known = git(&["rev-parse", "--verify", "--quiet", &revision])?;
        if known.is_none() {
            let error = Diagnostic::error(format!("git does not know the revision `{}`", self.reference));
            return Ok(error.with_help(
                "name a branch, a tag or a commit; a shallow clone does not have the older ones",
            ));
        }
        let error =
            Diagnostic::error(format!("the revision `{}` has no file `{}`", self.reference, self.path));
        Ok(error.with_help("name the path from the root of the repository; `./path` starts at this folder"))
    }
}

/// The files that a schema of a revision may refer to: those of the same revision.
impl Files for GitPath {
    fn locate(&self, path: &str) -> Result<PathBuf, SampleError> {
        let folder = Path::new(&self.path).parent().unwrap_or(Path::new(""));
        walk(folder, path).map_err(SampleError::Stray)
    }

    fn read(&self, file: &Path) -> Result<Box<dyn BufRead + '_>, SampleError> {
        let file = GitPath { reference: self.reference.clone(), path: with_slashes(file) };
        match GitPath::read(&file, MAX_BYTES) {
            Ok(content) => Ok(Box::new(Cursor::new(content))),
            Err(failure) => Err(SampleError::Elsewhere(Box::new(failure.into_diagnostic()))),
        }
    }
}

/// A path relative to the root of the repository; `./path` and `../path` are relative to the current folder.
fn from_root(path: &str) -> Result<String, Failure> {
    let is_relative = ["./", "../"].iter().any(|start| path.starts_with(start));
    let here = if is_relative { git(&["rev-parse", "--show-prefix"])? } else { None };
    let walked = steps(Path::new(here.as_deref().unwrap_or_default().trim_end_matches('\n')), path);
    walked.map(|walked| with_slashes(&walked)).map_err(|_| {
        Diagnostic::error(format!("the path `{path}` leads out of the git repository"))
            .with_help("name the path from the root of the repository; `./path` starts at this folder")
            .into()
    })
}

/// The version of a file or folder in the last commit, as `git:HEAD:path`.
///
/// # Errors
/// It is not in a git repository.
pub fn of_head(path: &Path) -> Result<String, Failure> {
    let refuse = |reason: String| -> Failure {
        Diagnostic::error(reason).with_help("write both versions: `saltplan diff OLD NEW`").into()
    };
    let Some(root) = git(&["rev-parse", "--show-toplevel"])? else {
        let reason =
            format!("`{}` is the only version, and this folder is not in a git repository", path.display());
        return Err(refuse(reason));
    };
    if path.is_relative() {
        let start = if path.starts_with("..") { "" } else { "./" };
        return Ok(format!("git:HEAD:{start}{}", with_slashes(path.strip_prefix(".").unwrap_or(path))));
    }
    let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    match real.strip_prefix(root.trim_end_matches('\n')) {
        Ok(inside) => Ok(format!("git:HEAD:{}", with_slashes(inside))),
        Err(_) => Err(refuse(format!("`{}` is not in the git repository of this folder", path.display()))),
    }
}

/// Whether git knows a revision with this name.
pub fn is_revision(name: &str) -> Result<bool, Failure> {
    let is_name = !name.is_empty() && !name.starts_with('-') && !name.contains([':', '\0', '\n']);
    Ok(is_name && git(&["rev-parse", "--verify", "--quiet", &format!("{name}^{{tree}}")])?.is_some())
}

/// The output of git; `None` if it fails.
fn git(arguments: &[&str]) -> Result<Option<String>, Failure> {
    let output =
        Command::new("git").args(arguments).stdin(Stdio::null()).output().context("cannot run git")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(output.status.success().then_some(text))
}

/// A running `git cat-file` with a request for one object. Names are passed through its input, so that none
/// can be an option or a pattern.
struct CatFile {
    git: Child,
    said: BufReader<std::process::ChildStdout>,
}

impl CatFile {
    fn start(object: &str) -> Result<Self, Failure> {
        let mut git = Command::new("git")
            .args(["cat-file", "--batch", "--follow-symlinks"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .context("cannot run git")?;
        if let Some(mut input) = git.stdin.take() {
            // If git has already exited, its message explains why.
            let _ = writeln!(input, "{object}");
        }
        let said = git.stdout.take().map(BufReader::new).context("cannot read the output of git")?;
        Ok(CatFile { git, said })
    }

    fn answer(&mut self) -> Result<Answer, Failure> {
        let mut line = Vec::new();
        self.said.read_until(b'\n', &mut line).context("cannot read the output of git")?;
        if line.is_empty() {
            return Err(self.complaint().into());
        }
        let line = String::from_utf8_lossy(&line);
        // Missing objects are reported by the requested name, which may contain blanks.
        let words: Vec<&str> = line.trim_end().rsplitn(3, ' ').collect();
        Ok(match words[..] {
            ["missing", ..] => Answer::Missing,
            ["ambiguous", ..] => Answer::Ambiguous,
            [size, "blob", _] => Answer::File(size.parse().context("cannot parse the output of git")?),
            [_, "tree", _] => Answer::Folder,
            _ => Answer::Lost,
        })
    }

    fn content(mut self, size: u64) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        self.said.by_ref().take(size).read_to_end(&mut bytes).context("cannot read the output of git")?;
        if (bytes.len() as u64) < size {
            return Err(self.complaint().into());
        }
        Ok(bytes)
    }

    /// Why git gave no result.
    fn complaint(&mut self) -> Diagnostic {
        let mut said = Vec::new();
        if let Some(errors) = &mut self.git.stderr {
            let _ = errors.take(1 << 16).read_to_end(&mut said);
        }
        let said = String::from_utf8_lossy(&said);
        let first = said.lines().next().unwrap_or("it gives no reason").trim_start_matches("fatal: ");
        Diagnostic::error(format!("git failed: {first}"))
    }
}

impl Drop for CatFile {
    /// The rest of a large file is not read.
    fn drop(&mut self) {
        let _ = self.git.kill();
        let _ = self.git.wait();
    }
}
