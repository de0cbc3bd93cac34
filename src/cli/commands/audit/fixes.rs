//! `--fix` and `--fix --check`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;

use super::Selected;
use crate::cli::output::write_result;
use crate::cli::write::write_all;
use crate::cli::{Failure, Outcome, Reporter};
use saltplan_document::diag::{Diagnostic, Safety, Source, counted, visible};
use saltplan_lint::{FileReport, fix, run};

/// The changes of all fixes as one patch.
pub fn diff(reports: &[FileReport], safety: Safety, reporter: &Reporter) -> Result<Outcome, Failure> {
    let mut patch = String::new();
    let mut count = 0;
    for report in reports {
        let (Some(source), Some((text, made))) = (&report.source, fix::apply(report, safety)) else {
            continue;
        };
        let diff = similar::TextDiff::from_lines(source.text.as_str(), text.as_str());
        let path = visible::line(&report.path);
        patch.push_str(&diff.unified_diff().header(&path, &path).to_string());
        count += made;
    }
    write_result(&patch, None, reporter)?;
    let option = if safety == Safety::Safe { "--fix" } else { "--fix --unsafe-fixes" };
    let left = match unsafe_fixes(reports) {
        left if left == 0 || safety == Safety::Unsafe => String::new(),
        left => format!("; {left} more with `--unsafe-fixes`"),
    };
    reporter.note(match count {
        0 => format!("nothing to fix{left}"),
        1 => format!("1 fix; `{option}` applies it{left}"),
        count => format!("{count} fixes; `{option}` applies them{left}"),
    });
    Ok(if count > 0 { Outcome::Findings } else { Outcome::Clean })
}

/// Fixes that are only applied on request.
pub fn unsafe_fixes(reports: &[FileReport]) -> usize {
    let all = reports.iter().flat_map(|report| fix::fixes(report, Safety::Unsafe));
    all.filter(|fix| fix.safety == Safety::Unsafe).count()
}

/// Applies fixes until nothing is left to fix: a fix that overlapped another one is applied in the next
/// round.
const MAX_ROUNDS: usize = 10;

/// Applies the fixes, writes the files, and audits them again; `again` repeats the other steps for a report.
/// Nothing is written if one of the files must not be written.
pub fn mend(
    reports: &mut [FileReport],
    safety: Safety,
    reporter: &Reporter,
    selected: Selected<'_>,
    mut again: impl FnMut(&mut FileReport),
) -> Result<(), Failure> {
    let mut changed: Vec<(PathBuf, Arc<Source>)> = Vec::new();
    let mut count = 0;
    for report in reports {
        let Some(path) = report.file.clone() else { continue };
        let mut made = 0;
        for _ in 0..MAX_ROUNDS {
            let Some((text, more)) = fix::apply(report, safety) else { break };
            let source = Source::new(report.path.clone(), text);
            let mended = saltplan_lint::audit(&source, run::folder_of(&path), selected);
            let file = report.file.take();
            *report = mended;
            report.file = file;
            again(report);
            made += more;
        }
        if let (true, Some(source)) = (made > 0, &report.source) {
            changed.push((path, Arc::clone(source)));
            count += made;
        }
    }
    for (path, _) in &changed {
        check_writable(path)?;
    }
    let files = changed.iter().map(|(path, source)| Ok((path.clone(), with_mark(path, &source.text)?)));
    write_all(&files.collect::<Result<Vec<_>, Failure>>()?)?;
    if count > 0 {
        reporter.note(format!("made {}", counted(count as u128, "fix", "fixes")));
    }
    Ok(())
}

fn check_writable(path: &Path) -> Result<(), Diagnostic> {
    let read_only = std::fs::metadata(path).is_ok_and(|metadata| metadata.permissions().readonly());
    if !read_only {
        return Ok(());
    }
    let error = Diagnostic::error(format!("`{}` is read-only; nothing was changed", path.display()));
    Err(error.with_help("make the file writable, or see the fixes with `--fix --check`"))
}

/// The new content of a file. A byte order mark is kept; the offsets of messages do not include it.
fn with_mark(path: &Path, text: &str) -> Result<Vec<u8>, Failure> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    let old = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mark = if old.starts_with(MARK) { MARK } else { b"" };
    Ok([mark, text.as_bytes()].concat())
}
