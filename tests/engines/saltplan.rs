//! The program under test.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

const PROGRAM: &str = env!("CARGO_BIN_EXE_saltplan");

/// Runs `saltplan` in the root of the project and answers with its stdout; an exit code other than 0 is an error.
pub fn run<S: AsRef<str>>(root: &Path, arguments: &[S], stdin: &str) -> Result<String> {
    let arguments: Vec<&str> = arguments.iter().map(AsRef::as_ref).collect();
    let shown = format!("saltplan {}", arguments.join(" "));
    let mut child = Command::new(PROGRAM)
        .args(&arguments)
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| shown.clone())?;
    let mut pipe = child.stdin.take().context("no stdin")?;
    let output = std::thread::scope(|scope| {
        // In a thread: both sides would wait for ever on full pipes.
        scope.spawn(move || pipe.write_all(stdin.as_bytes()));
        child.wait_with_output()
    })?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{shown}: {}\n{stderr}", output.status);
    String::from_utf8(output.stdout).with_context(|| shown)
}
