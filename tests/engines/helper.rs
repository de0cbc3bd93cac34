//! The long-lived processes of the suite: Hive sessions, the HBase client, the HBase shell.
//!
//! Every response has a deadline. A process that misses it, or ends, is not used any more; the caller starts
//! another one.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};

const START: Duration = Duration::from_secs(120);

/// A process whose stdout is read by a separate thread, so that waiting for it can time out.
struct Process<T> {
    name: String,
    child: Child,
    stdin: ChildStdin,
    output: Receiver<T>,
}

impl<T: Send + 'static> Process<T> {
    /// Starts `lab helper NAME` with some variables of the environment; `read` reads one item from its stdout,
    /// `None` at the end.
    fn start<R>(lab: &Path, name: &str, environment: &[(&str, &str)], mut read: R) -> Result<Self>
    where
        R: FnMut(&mut dyn BufRead) -> Option<T> + Send + 'static,
    {
        let mut child = Command::new(lab)
            .args(["helper", name])
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run {} helper {name}", lab.display()))?;
        let stdin = child.stdin.take().context("no stdin")?;
        let mut stdout = BufReader::new(child.stdout.take().context("no stdout")?);
        let (send, output) = mpsc::channel();
        thread::spawn(move || {
            while let Some(item) = read(&mut stdout) {
                if send.send(item).is_err() {
                    break;
                }
            }
        });
        Ok(Self { name: name.to_owned(), child, stdin, output })
    }

    fn next(&mut self, deadline: Duration) -> Result<T> {
        match self.output.recv_timeout(deadline) {
            Ok(item) => Ok(item),
            Err(RecvTimeoutError::Timeout) => {
                bail!("{}: no answer within {deadline:?}; {}", self.name, self.log_hint())
            }
            Err(RecvTimeoutError::Disconnected) => {
                bail!("{}: the process ended; {}", self.name, self.log_hint())
            }
        }
    }

    fn send(&mut self, bytes: &[u8]) -> Result<()> {
        let sent = self.stdin.write_all(bytes).and_then(|()| self.stdin.flush());
        sent.with_context(|| format!("{}: the process ended; {}", self.name, self.log_hint()))
    }

    fn log_hint(&self) -> String {
        format!("see {}.log in the lab's directory", self.name)
    }
}

impl<T> Drop for Process<T> {
    /// `exec` in the lab script makes the child the Java process itself, so this ends it.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A helper that speaks the frames of `java/src/frames`.
pub struct Helper(Process<Frame>);

struct Frame {
    ok: bool,
    body: String,
}

impl Helper {
    pub fn start(lab: &Path, name: &str, environment: &[(&str, &str)]) -> Result<Self> {
        let mut process = Process::start(lab, name, environment, |stdout| read_frame(stdout))?;
        process.next(START).with_context(|| format!("starting {name}"))?;
        Ok(Self(process))
    }

    /// Sends a request and waits. The outer error means that the helper is lost, the inner one that the
    /// request failed.
    pub fn ask(&mut self, verb: &str, body: &str, deadline: Duration) -> Result<Result<String>> {
        let mut request = format!("{verb} {}\n", body.len()).into_bytes();
        request.extend_from_slice(body.as_bytes());
        self.0.send(&request)?;
        let frame = self.0.next(deadline)?;
        Ok(if frame.ok { Ok(frame.body) } else { Err(anyhow::anyhow!("{}: {}", self.0.name, frame.body)) })
    }
}

fn read_frame(stdout: &mut dyn BufRead) -> Option<Frame> {
    let mut header = String::new();
    stdout.read_line(&mut header).ok().filter(|n| *n > 0)?;
    let mut words = header.split_whitespace();
    let ok = words.next()? == "ok";
    let mut body = vec![0; words.next()?.parse().ok()?];
    stdout.read_exact(&mut body).ok()?;
    Some(Frame { ok, body: String::from_utf8_lossy(&body).into_owned() })
}

/// The real HBase shell, fed through stdin. It ends at its first error, as it does for users.
pub struct Shell(Process<String>);

/// The shell prints this at the end of a script.
const DONE: &str = "saltplan: end of script";

impl Shell {
    pub fn start(lab: &Path) -> Result<Self> {
        let mut shell = Self(Process::start(lab, "hbase-shell", &[], |stdout| {
            let mut line = Vec::new();
            stdout.read_until(b'\n', &mut line).ok().filter(|n| *n > 0)?;
            Some(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned())
        })?);
        shell.run("", START)?;
        Ok(shell)
    }

    /// Runs a script and returns the output of the shell. After an error the shell is lost.
    pub fn run(&mut self, script: &str, deadline: Duration) -> Result<String> {
        // Split in two, so that an echo of the input is not taken for the mark.
        let (head, tail) = DONE.split_at(8);
        self.0.send(format!("{script}\nputs '', '{head}' + '{tail}'; $stdout.flush\n").as_bytes())?;
        let mut printed = String::new();
        loop {
            let line =
                self.0.next(deadline).with_context(|| format!("HBase shell, after printing:\n{printed}"))?;
            if line == DONE {
                return Ok(printed);
            }
            printed.push_str(&line);
            printed.push('\n');
        }
    }
}
