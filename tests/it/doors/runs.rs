//! Runs the commands of a block.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::blocks::{Block, Step};
use crate::help::copy;

/// No command of these files needs more: memory in KiB, and seconds of the processor.
const MEMORY: u32 = 2_000_000;
const SECONDS: u32 = 20;

/// A folder with the files of the tests, and a file and a folder outside of it.
pub struct Place(tempfile::TempDir);

/// What a command did.
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    pub fn said(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

impl Place {
    pub fn new() -> Self {
        let place = Place(tempfile::tempdir().expect("a folder"));
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        copy(&root.join("tests/testdata/doors/files"), &place.at());
        // More than any command reads, without taking room on the disk.
        let huge = fs::File::create(place.at().join("huge")).expect("a file");
        huge.set_len(8 << 30).expect("its length");
        fs::create_dir(place.0.path().join("outside")).expect("a folder");
        fs::write(place.0.path().join("outside/secret.sql"), "SELECT 'SECRET';\n").expect("a file");
        place
    }

    pub fn at(&self) -> PathBuf {
        self.0.path().join("inside")
    }

    /// The paths below the folder and beside it, with what is in them.
    pub fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut waiting = vec![self.0.path().to_path_buf()];
        while let Some(folder) = waiting.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() && !path.is_symlink() {
                    waiting.push(path);
                } else if !path.ends_with("huge") {
                    let content = fs::read(&path).unwrap_or_default();
                    found.insert(path, content);
                }
            }
        }
        found
    }

    /// Runs a line in a shell, within limits of memory and time.
    pub fn run(&self, line: &str) -> Run {
        let programs = Path::new(env!("CARGO_BIN_EXE_saltplan")).parent().expect("its folder");
        let mut path = programs.as_os_str().to_owned();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let output = Command::new("sh")
            .arg("-c")
            .arg(format!("ulimit -v {MEMORY}; ulimit -t {SECONDS}; {line}"))
            .current_dir(self.at())
            .env("PATH", path)
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        Run {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// Writes the file of a block, and runs its commands.
pub fn check(block: &Block, place: &Place) -> Result<(), String> {
    prepare(block, place);
    block.steps.iter().try_for_each(|step| expect(step, place).map(|_| ()))
}

/// The job of a block becomes a jobs file.
pub fn prepare(block: &Block, place: &Place) {
    if !block.file.is_empty() {
        let text = format!("version: 1\njobs:\n{}", block.file);
        fs::write(place.at().join("jobs.yaml"), text).expect("a file");
    }
}

pub fn expect(step: &Step, place: &Place) -> Result<Run, String> {
    let run = place.run(&step.command);
    if run.code != Some(step.code) {
        return Err(format!("`{}` ended with {:?}: {}", step.command, run.code, start(&run.said())));
    }
    if !run.said().contains(&step.says) {
        return Err(format!("`{}` does not say `{}`: {}", step.command, step.says, start(&run.said())));
    }
    if run.said().contains("SECRET") {
        return Err(format!("`{}` shows what is outside of its folder", step.command));
    }
    Ok(run)
}

fn start(text: &str) -> String {
    text.chars().take(2_000).collect()
}
