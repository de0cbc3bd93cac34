//! The first line of a generated file, by which a later build recognises it.

use std::path::Path;

use saltplan_core::render::CommentLine;
use saltplan_document::files::paths::with_slashes;

/// After the comment marker.
const MARK: &str = " saltplan build ";

/// The comment markers of Hive and of the HBase shell.
pub(crate) const HIVE: &str = "--";
pub(crate) const SHELL: &str = "#";

/// The line without its line break. `jobs` is the path of the jobs file from the folder of the file.
pub fn line(sign: &str, jobs: &Path, title: &str) -> String {
    format!("{sign}{MARK}{}", CommentLine::new(&format!("{} (job {title})", with_slashes(jobs))))
}

/// Whether a line was written by a build of this jobs file.
pub fn is_of(line: &str, jobs: &Path) -> bool {
    let begin = format!("{} (job ", with_slashes(jobs));
    [HIVE, SHELL].iter().any(|sign| {
        line.strip_prefix(sign)
            .and_then(|rest| rest.strip_prefix(MARK))
            .is_some_and(|rest| rest.starts_with(&begin))
    })
}

/// Whether a line was written by a build of any jobs file.
pub(crate) fn is_of_a_build(line: &str) -> bool {
    [HIVE, SHELL].iter().any(|sign| line.strip_prefix(sign).is_some_and(|rest| rest.starts_with(MARK)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_known_again() {
        let jobs = Path::new("../jobs.yaml");
        let line = line(HIVE, jobs, "a day=1");
        assert_eq!(line, "-- saltplan build ../jobs.yaml (job a day=1)");
        assert!(is_of(&line, jobs));
        for other in ["../jobs.yaml", "-- saltplan plan x", "-- saltplan build ../jobs.yaml2 (job a)", ""] {
            assert!(!is_of(other, jobs), "{other}");
        }
    }
}
