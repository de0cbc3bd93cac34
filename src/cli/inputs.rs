//! The input files of a command. They are opened in one place and remembered, so that no result overwrites an
//! input.

use std::cell::{Cell, RefCell};
use std::fs::Metadata;
use std::io::{BufRead, BufReader, Cursor, StdinLock};
use std::path::Path;

use saltplan_core::files::lines::{LineError, Lines};
use saltplan_document::diag::Diagnostic;
use saltplan_document::files::bounds::check_named;
use saltplan_document::files::{self, ReadError};

/// The number of bytes that are read at a time.
const BUFFER: usize = 1 << 16;

/// The files that were read so far, and whether standard input was read.
#[derive(Debug, Default)]
pub struct Inputs {
    read: RefCell<Vec<Identity>>,
    is_standard_input_taken: Cell<bool>,
}

/// The lines of a file or of standard input.
pub struct NamedLines {
    /// The name in messages.
    pub name: String,
    lines: Lines<Box<dyn BufRead>>,
}

impl Inputs {
    /// A whole text of at most `limit` bytes; `-` is standard input.
    pub fn text(&self, path: &Path, limit: u64) -> Result<String, Diagnostic> {
        let bytes = self.bytes(path, limit)?;
        files::text(bytes).map_err(|error| unreadable(path, &error))
    }

    /// A whole file of at most `limit` bytes; `-` is standard input.
    pub fn bytes(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Diagnostic> {
        let bytes = match is_dash(path) {
            true => files::read_from(self.standard_input()?, limit),
            false => check_named(path).map(|()| files::read(path, limit))?,
        };
        let bytes = bytes.map_err(|error| unreadable(path, &error))?;
        self.add(path);
        Ok(bytes)
    }

    /// The lines of a file; `-` is standard input.
    pub fn lines(&self, path: &Path) -> Result<NamedLines, Diagnostic> {
        let reader: Box<dyn BufRead> = if is_dash(path) {
            Box::new(BufReader::with_capacity(BUFFER, self.standard_input()?))
        } else {
            check_named(path)?;
            let file = files::open(path).map_err(|error| unreadable(path, &error))?;
            self.add(path);
            Box::new(BufReader::with_capacity(BUFFER, file))
        };
        Ok(NamedLines { name: name_of(path), lines: Lines::new(reader) })
    }

    /// Standard input, for the first argument that names it; a second one would find it empty.
    pub fn standard_input(&self) -> Result<StdinLock<'static>, Diagnostic> {
        match self.is_standard_input_taken.replace(true) {
            false => Ok(std::io::stdin().lock()),
            true => Err(named_twice()),
        }
    }

    /// Reports an error, before anything is read, if two of these inputs are standard input.
    pub fn differ<'a>(&self, paths: impl IntoIterator<Item = &'a Path>) -> Result<(), Diagnostic> {
        match paths.into_iter().filter(|path| is_dash(path)).count() {
            0 | 1 => Ok(()),
            _ => Err(named_twice()),
        }
    }

    /// Remembers a file that was read elsewhere.
    pub fn add(&self, path: &Path) {
        self.read.borrow_mut().extend(Identity::of(path));
    }

    /// Refuses to write to a file that was read, under any name.
    pub fn spare(&self, path: &Path) -> Result<(), Diagnostic> {
        match Identity::of(path) {
            Some(identity) if self.read.borrow().contains(&identity) => Err(Diagnostic::error(format!(
                "`{}` is an input of this command and would be overwritten",
                path.display()
            ))
            .with_help("write the result to another file")),
            _ => Ok(()),
        }
    }
}

impl NamedLines {
    /// The lines of a text that was read as a whole.
    pub fn of(name: String, bytes: Vec<u8>) -> Self {
        NamedLines { name, lines: Lines::new(Box::new(Cursor::new(bytes))) }
    }

    /// The next line with its number, see [`Lines::next_line`].
    pub fn next_line(&mut self) -> Result<Option<(u64, &[u8])>, Diagnostic> {
        let name = &self.name;
        self.lines.next_line().map_err(|error| {
            let fault = Diagnostic::error(format!("cannot read `{name}`: {error}"));
            match error {
                LineError::TooLong { .. } => fault.with_help("pass a text file with one item per line"),
                _ => fault,
            }
        })
    }

    /// An error about a line.
    pub fn fault(&self, line: u64, reason: &str) -> Diagnostic {
        Diagnostic::error(format!("{}:{line}: {reason}", self.name))
    }
}

/// Whether a path is `-`: standard input, or for results standard output.
pub fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name of an input in messages.
pub fn name_of(path: &Path) -> String {
    if is_dash(path) { "<stdin>".into() } else { path.display().to_string() }
}

fn named_twice() -> Diagnostic {
    Diagnostic::error("two arguments read standard input, and only one can")
        .with_help("pass a file to one of them")
}

/// The text of an output file, which the user may have replaced by any link.
pub fn text_of_output(path: &Path, limit: u64) -> Result<String, Diagnostic> {
    files::read_text(path, limit).map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &ReadError) -> Diagnostic {
    let fault = Diagnostic::error(format!("cannot read `{}`: {error}", name_of(path)));
    match error {
        ReadError::Special => fault.with_help("save its output in a file and pass that"),
        ReadError::Folder => fault.with_help("name one file in it"),
        ReadError::Missing => fault.with_help("check the path"),
        ReadError::NotText { .. } => fault.with_help("save the file as UTF-8"),
        ReadError::TooLarge { .. } => fault.with_help("is this the right file?"),
        _ => fault,
    }
}

/// The identity of a file, independent of its path.
#[derive(Debug, PartialEq, Eq)]
struct Identity {
    #[cfg(unix)]
    place: (u64, u64),
    #[cfg(not(unix))]
    place: std::path::PathBuf,
}

impl Identity {
    /// `None` if it does not exist or has no content to lose, such as a terminal.
    fn of(path: &Path) -> Option<Self> {
        let metadata = std::fs::metadata(path).ok().filter(Metadata::is_file)?;
        Self::place(path, &metadata).map(|place| Identity { place })
    }

    #[cfg(unix)]
    fn place(_: &Path, metadata: &Metadata) -> Option<(u64, u64)> {
        use std::os::unix::fs::MetadataExt;
        Some((metadata.dev(), metadata.ino()))
    }

    #[cfg(not(unix))]
    fn place(path: &Path, _: &Metadata) -> Option<std::path::PathBuf> {
        path.canonicalize().ok()
    }
}
