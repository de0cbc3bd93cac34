//! The program under test.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

const PROGRAM: &str = env!("CARGO_BIN_EXE_saltplan");
const DEADLINE: Duration = Duration::from_secs(60);

/// Runs `saltplan` in the root of the project and answers with its stdout; an exit code other than 0 is an error.
pub fn run<S: AsRef<str>>(root: &Path, arguments: &[S], stdin: &str) -> Result<String> {
    let arguments: Vec<&str> = arguments.iter().map(AsRef::as_ref).collect();
    let mut child = Command::new(PROGRAM)
        .args(&arguments)
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot run {PROGRAM}"))?;
    exchange(&mut child, stdin).with_context(|| format!("saltplan {}", arguments.join(" ")))
}

/// One thread for each pipe: both sides would wait for ever on full ones.
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
    // What came before a broken pipe is the best there is to show.
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
