//! The files that a command reads: opened in one place, and remembered, so that no result takes the place of one.

use std::cell::RefCell;
use std::fs::Metadata;
use std::io::{BufRead, BufReader};
use std::path::Path;

use saltplan_core::diag::Diagnostic;
use saltplan_core::files::lines::{LineError, Lines};
use saltplan_core::files::{self, ReadError};

/// Bytes that are read at once.
const BUFFER: usize = 1 << 16;

/// The files that were read so far.
#[derive(Debug, Default)]
pub struct Inputs(RefCell<Vec<Identity>>);

/// The lines of a file or of standard input.
pub struct NamedLines {
    /// In messages.
    pub name: String,
    lines: Lines<Box<dyn BufRead>>,
}

impl Inputs {
    /// The whole of a text of at most `limit` bytes; `-` is standard input.
    pub fn text(&self, path: &Path, limit: u64) -> Result<String, Diagnostic> {
        let bytes = self.bytes(path, limit)?;
        files::text(bytes).map_err(|error| unreadable(path, &error))
    }

    /// The whole of a file of at most `limit` bytes; `-` is standard input.
    pub fn bytes(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Diagnostic> {
        let read = || match is_standard_input(path) {
            true => files::read_from(std::io::stdin().lock(), limit),
            false => files::read(path, limit),
        };
        let bytes = read().map_err(|error| unreadable(path, &error))?;
        self.add(path);
        Ok(bytes)
    }

    /// The lines of a file; `-` is standard input.
    pub fn lines(&self, path: &Path) -> Result<NamedLines, Diagnostic> {
        let reader: Box<dyn BufRead> = if is_standard_input(path) {
            Box::new(BufReader::with_capacity(BUFFER, std::io::stdin().lock()))
        } else {
            let file = files::open(path).map_err(|error| unreadable(path, &error))?;
            self.add(path);
            Box::new(BufReader::with_capacity(BUFFER, file))
        };
        Ok(NamedLines { name: name_of(path), lines: Lines::new(reader) })
    }

    /// Remembers a file that was read elsewhere.
    pub fn add(&self, path: &Path) {
        self.0.borrow_mut().extend(Identity::of(path));
    }

    /// Refuses to write to a file that was read, whatever it is called.
    pub fn spare(&self, path: &Path) -> Result<(), Diagnostic> {
        match Identity::of(path) {
            Some(identity) if self.0.borrow().contains(&identity) => Err(Diagnostic::error(format!(
                "`{}` is an input of this command and would be overwritten",
                path.display()
            ))
            .with_help("write the result to another file")),
            _ => Ok(()),
        }
    }
}

impl NamedLines {
    /// The next line with its number, see [`Lines::next_line`].
    pub fn next_line(&mut self) -> Result<Option<(u64, &[u8])>, Diagnostic> {
        let name = &self.name;
        self.lines.next_line().map_err(|error| {
            let fault = Diagnostic::error(format!("cannot read `{name}`: {error}"));
            match error {
                LineError::TooLong { .. } => fault.with_help("give text with one item a line"),
                LineError::Unreadable(_) => fault,
            }
        })
    }

    /// An error about a line.
    pub fn fault(&self, line: u64, reason: &str) -> Diagnostic {
        Diagnostic::error(format!("{}:{line}: {reason}", self.name))
    }
}

pub fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// What an input is called in messages.
pub fn name_of(path: &Path) -> String {
    if is_standard_input(path) { "<stdin>".into() } else { path.display().to_string() }
}

fn unreadable(path: &Path, error: &ReadError) -> Diagnostic {
    let fault = Diagnostic::error(format!("cannot read `{}`: {error}", name_of(path)));
    match error {
        ReadError::Special => fault.with_help("save what it gives in a file, and name that"),
        ReadError::Folder => fault.with_help("name one file in it"),
        ReadError::Missing => fault.with_help("check the path"),
        ReadError::NotText { .. } => fault.with_help("save the file as UTF-8"),
        ReadError::TooLarge { .. } => fault.with_help("is this the right file?"),
        ReadError::Refused(_) => fault,
    }
}

/// A file, whatever path leads to it.
#[derive(Debug, PartialEq, Eq)]
struct Identity {
    #[cfg(unix)]
    place: (u64, u64),
    #[cfg(not(unix))]
    place: std::path::PathBuf,
}

impl Identity {
    /// `None` for what is not there, and for what has no content to lose, such as a terminal.
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
