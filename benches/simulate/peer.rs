//! The Java peer in its own process.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use crate::job::{Job, SEED, TOTAL};

#[derive(Debug, Clone, Copy)]
pub enum Variant {
    Tuned,
    Plain,
}

pub struct Peer {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Peer {
    /// Compiles and starts the peer; `None` without a JDK.
    pub fn start() -> Option<Self> {
        let classes = Path::new(env!("CARGO_TARGET_TMPDIR")).join("peer");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peer/Peer.java");
        let compiled = Command::new("javac").arg("-d").arg(&classes).arg(source).status().ok()?;
        assert!(compiled.success(), "javac refuses the peer");
        let mut child = Command::new("java")
            .arg("-cp")
            .arg(classes)
            .arg("Peer")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take()?);
        Some(Peer { child, input, output })
    }

    /// The time inside Java, and the puts of every region.
    pub fn run(&mut self, job: &Job, variant: Variant, threads: usize, rows: u64) -> (Duration, Vec<u64>) {
        let variant = match variant {
            Variant::Tuned => "tuned",
            Variant::Plain => "plain",
        };
        let hex = |key: &Vec<u8>| key.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let splits: Vec<String> = job.split_keys.iter().map(hex).collect();
        let input = self.input.as_mut().expect("an open pipe");
        writeln!(input, "splits {}", splits.join(",")).expect("a running peer");
        writeln!(input, "run {} {variant} {threads} {rows} {TOTAL} {SEED}", job.name)
            .expect("a running peer");
        input.flush().expect("a running peer");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("an answer");
        let mut numbers = line.split_whitespace().map(|word| word.parse::<u64>().expect("a number"));
        let time = Duration::from_nanos(numbers.next().expect("a time"));
        (time, numbers.collect())
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}
