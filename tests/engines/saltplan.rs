//! The program under test.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};

use crate::choice;

/// A copy of the program as it was when the suite started: in a run of many minutes another build may replace
/// it. The processes of one run share a copy.
static PROGRAM: LazyLock<std::io::Result<PathBuf>> = LazyLock::new(|| {
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("saltplan");
    if std::env::var_os("SALTPLAN_ENGINES_COPIED").is_none() {
        // A running program must not be overwritten.
        let _ = std::fs::remove_file(&copy);
        std::fs::copy(env!("CARGO_BIN_EXE_saltplan"), &copy)?;
    }
    Ok(copy)
});
const DEADLINE: Duration = Duration::from_secs(60);

/// The program under test; the first call copies it.
pub fn program() -> Result<&'static Path> {
    PROGRAM.as_deref().map_err(|error| anyhow!("cannot copy {}: {error}", env!("CARGO_BIN_EXE_saltplan")))
}

/// The folder for the files of the trials. Each process of a run has its own, because trials of two engines
/// write files of the same name.
pub fn folder() -> Result<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(choice::share().as_deref().unwrap_or("all"));
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Runs `saltplan` in the root of the project and returns its stdout; an exit code other than 0 is an error.
pub fn run<S: AsRef<str>>(root: &Path, arguments: &[S], stdin: &str) -> Result<String> {
    let arguments: Vec<&str> = arguments.iter().map(AsRef::as_ref).collect();
    let mut child = Command::new(program()?)
        .args(&arguments)
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("cannot run saltplan")?;
    exchange(&mut child, stdin).with_context(|| format!("saltplan {}", arguments.join(" ")))
}

/// One thread for each pipe: otherwise both sides would wait forever on full pipes.
fn exchange(child: &mut Child, stdin: &str) -> Result<String> {
    let mut to = child.stdin.take().context("no stdin")?;
    let mut out = child.stdout.take().context("no stdout")?;
    let mut err = child.stderr.take().context("no stderr")?;
    thread::scope(|scope| {
        scope.spawn(move || to.write_all(stdin.as_bytes()));
        let out = scope.spawn(move || read(&mut out));
        let err = scope.spawn(move || read(&mut err));
        let status = wait(child)?;
        let stderr = err.join().unwrap_or_default();
        ensure!(status.success(), "{status}\n{}", String::from_utf8_lossy(&stderr));
        Ok(String::from_utf8(out.join().unwrap_or_default())?)
    })
}

fn read(pipe: &mut impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    // The output before a broken pipe is the best that can be shown.
    let _ = pipe.read_to_end(&mut bytes);
    bytes
}

fn wait(child: &mut Child) -> Result<ExitStatus> {
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if begin.elapsed() > DEADLINE {
            child.kill()?;
            child.wait()?;
            bail!("no end within {DEADLINE:?}");
        }
        thread::sleep(Duration::from_millis(5));
    }
}
