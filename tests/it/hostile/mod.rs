//! Malicious files, names and values: nothing must leak, hang, or escape its quotes.

mod corpus;
mod generated;
mod leaks;
#[cfg(unix)]
mod memory;
#[cfg(unix)]
mod repository;
mod streams;
mod terminal;
mod written;

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// No command takes this long with the input of the tests; one that does is waiting for something.
const PATIENCE: Duration = Duration::from_secs(60);

/// The result of a command.
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Run {
    /// Everything that was printed.
    fn said(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

fn saltplan<A: AsRef<OsStr>>(folder: &Path, arguments: &[A]) -> Run {
    saltplan_with(folder, arguments, b"")
}

/// Runs the program in a folder. The output goes to files, because a full pipe would look like a command that
/// hangs.
fn saltplan_with<A: AsRef<OsStr>>(folder: &Path, arguments: &[A], input: &[u8]) -> Run {
    let outputs = tempfile::tempdir().expect("a folder");
    let (out, err) = (outputs.path().join("out"), outputs.path().join("err"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_saltplan"))
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(fs::File::create(&out).expect("a file"))
        .stderr(fs::File::create(&err).expect("a file"))
        .spawn()
        .expect("a run");
    // A program that does not need more input closes it.
    let _ = child.stdin.take().expect("its input").write_all(input);
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("its state") {
            break status;
        }
        if begin.elapsed() > PATIENCE {
            child.kill().expect("its end");
            let arguments: Vec<_> = arguments.iter().map(|one| one.as_ref().to_string_lossy()).collect();
            panic!("saltplan {} does not end", arguments.join(" "));
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let text = |path: &Path| String::from_utf8_lossy(&fs::read(path).expect("its output")).into_owned();
    Run { code: status.code(), stdout: text(&out), stderr: text(&err) }
}

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("its folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}
