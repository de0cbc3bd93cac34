//! Finds files that an earlier build wrote and that no job writes any more.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::build::Build;
use super::header;
use saltplan_document::files::paths::without_detours;

/// The number of bytes in which the first line of a file is looked for.
const FIRST_BYTES: u64 = 1 << 10;

/// The maximum nesting of folders.
const MAX_DEPTH: usize = 16;

/// The generated files under the folders that the jobs write to, below `base`. Other files, which do not
/// start with the first line of a build of this jobs file, are not included, and neither are unreadable ones.
pub fn files(build: &Build, base: &Path) -> Vec<PathBuf> {
    let written: BTreeSet<&Path> = build.items.iter().map(|item| item.out.as_path()).collect();
    let mut looked_at = BTreeSet::new();
    let mut found = BTreeSet::new();
    for job in &build.jobs.jobs {
        let start = job.out.start();
        let folder = start.rsplit_once('/').map_or("", |(folder, _)| folder);
        let folder = without_detours(folder);
        // The folder of the jobs file may contain anything, so its subfolders are not searched.
        let depth = if folder.components().next().is_none() { MAX_DEPTH } else { 0 };
        search(build, base, &folder, depth, &written, &mut looked_at, &mut found);
    }
    found.into_iter().map(|path| base.join(path)).collect()
}

fn search(
    build: &Build,
    base: &Path,
    folder: &Path,
    depth: usize,
    written: &BTreeSet<&Path>,
    looked_at: &mut BTreeSet<PathBuf>,
    found: &mut BTreeSet<PathBuf>,
) {
    if !looked_at.insert(folder.to_path_buf()) {
        return;
    }
    let jobs = build.way_back_from(folder);
    let Ok(entries) = fs::read_dir(place(base, folder)) else { return };
    for entry in entries.flatten() {
        let (Ok(kind), name) = (entry.file_type(), entry.file_name()) else { continue };
        let path = folder.join(&name);
        if name.to_string_lossy().starts_with('.') {
            continue;
        }
        if kind.is_dir() && depth < MAX_DEPTH {
            search(build, base, &path, depth + 1, written, looked_at, found);
        } else if kind.is_file()
            && !written.contains(path.as_path())
            && first_line(&entry.path()).is_some_and(|line| header::is_of(&line, &jobs))
        {
            found.insert(path);
        }
    }
}

/// Whether a file starts with the first line of a build of any jobs file.
pub(crate) fn is_of_a_build(path: &Path) -> bool {
    first_line(path).is_some_and(|line| header::is_of_a_build(&line))
}

fn place(base: &Path, folder: &Path) -> PathBuf {
    let place = base.join(folder);
    if place.as_os_str().is_empty() { PathBuf::from(".") } else { place }
}

fn first_line(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(FIRST_BYTES).read_to_end(&mut bytes).ok()?;
    let line = bytes.split(|byte| *byte == b'\n').next()?;
    Some(String::from_utf8_lossy(line).into_owned())
}
