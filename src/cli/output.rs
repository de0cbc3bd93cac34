//! Results: to standard output, to a file as a whole, or compared with a file.

use std::io::Write;
use std::path::Path;

use anyhow::Context;

use super::args::OutputArgs;
use super::failure::{Failure, Outcome};
use super::talk::Talk;

/// Delivers a finished result.
pub fn deliver(text: &str, args: &OutputArgs, talk: &Talk) -> Result<Outcome, Failure> {
    match &args.output {
        Some(path) if args.check => check(text, path, talk),
        path => write_result(text, path.as_deref(), talk).map(|()| Outcome::Clean),
    }
}

/// Writes a result to standard output, or as a whole to a file.
pub fn write_result(text: &str, path: Option<&Path>, talk: &Talk) -> Result<(), Failure> {
    match path {
        Some(path) => {
            write_whole(path, text.as_bytes())?;
            talk.note(format!("wrote {}", path.display()));
        }
        None => {
            let mut stdout = std::io::stdout().lock();
            stdout
                .write_all(text.as_bytes())
                .and_then(|()| stdout.flush())
                .context("cannot write the result")?;
        }
    }
    Ok(())
}

/// Shows how a file differs from what would be written.
fn check(text: &str, path: &Path, talk: &Talk) -> Result<Outcome, Failure> {
    let current = match std::fs::read_to_string(path) {
        Ok(current) => current,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            return Err(anyhow::Error::new(error).context(format!("cannot read {}", path.display())).into());
        }
    };
    if current == text {
        return Ok(Outcome::Clean);
    }
    let name = path.display().to_string();
    let diff = similar::TextDiff::from_lines(current.as_str(), text);
    let mut stdout = std::io::stdout().lock();
    write!(stdout, "{}", diff.unified_diff().header(&name, &format!("{name} (new)")))?;
    talk.note(format!("{name} is out of date; write it with `-o {name}` and without `--check`"));
    Ok(Outcome::Findings)
}

/// Writes a file as a whole or not at all: a temporary file beside it takes its place. A link is followed, and what is
/// no regular file (a pipe, a device) is written to directly.
pub fn write_whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let cannot = || format!("cannot write {}", path.display());
    let existing = std::fs::metadata(path).ok();
    if existing.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        return std::fs::write(path, bytes).with_context(cannot);
    }
    let target =
        if existing.is_some() { path.canonicalize().with_context(cannot)? } else { path.to_path_buf() };
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = temporary_file(folder).with_context(cannot)?;
    file.write_all(bytes).with_context(cannot)?;
    file.as_file().sync_all().with_context(cannot)?;
    if let Some(metadata) = existing {
        std::fs::set_permissions(file.path(), metadata.permissions()).with_context(cannot)?;
    }
    file.persist(&target).with_context(cannot)?;
    Ok(())
}

/// A temporary file that others may read, as the user's umask allows.
fn temporary_file(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder).map_err(|error| {
        // The error names the temporary file behind the reason.
        let text = error.to_string();
        let reason = text.split(" at path ").next().unwrap_or_default();
        std::io::Error::new(error.kind(), reason)
    })
}
