//! Keys per second of `simulate`: the lane engine with every instruction set on one thread and on two,
//! compared with the pure MD5 kernel, the row engine, the md-5 crate, and Java (`benches/peer/Peer.java`),
//! which makes the same rows.
//!
//! All variants take turns in short runs, and the fastest run of each counts, because other work on the
//! machine varies: ratios are valid within one run. An argument selects the schemes with this text in their
//! name.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark fails by panicking, and prints its tables itself"
)]

mod job;
mod peer;
mod table;

use std::hint::black_box;
use std::time::Instant;

use md5::{Digest, Md5};
use saltplan_lanes::md5::Messages;
use saltplan_lanes::{Level, ROWS, WordColumn};

use job::Job;
use peer::{Peer, Variant};
use table::{Best, Line};

const ROUNDS: usize = 25;

/// The rows of one run: some milliseconds, so that most runs are not interrupted.
const RUN: u64 = 1 << 18;
const RUN_OF_TWO: u64 = 1 << 21;
const RUN_OF_TUNED: u64 = 1 << 15;
const RUN_OF_TUNED_TWO: u64 = 1 << 18;
const RUN_OF_PLAIN: u64 = 1 << 13;

fn main() {
    let filter: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let jobs = job::all(&filter);
    let levels = Level::all();
    let mut peer = Peer::start();
    if peer.is_none() {
        println!("no java here: its columns are empty\n");
    }
    for job in &jobs {
        check(job, peer.as_mut());
    }
    let mut kernels = vec![[Best::default(); 2]; levels.len()];
    let mut digest = Best::default();
    let mut lines: Vec<Line> = jobs.iter().map(|job| Line::new(job.name, levels.len())).collect();
    for _ in 0..ROUNDS {
        for (level, [first, whole]) in levels.iter().zip(&mut kernels) {
            first.take(RUN, || kernel(|messages, [first, ..]| level.kernels().first_words(messages, first)));
            whole.take(RUN, || kernel(|messages, digests| level.kernels().digests(messages, digests)));
        }
        digest.take(RUN_OF_TUNED, one_by_one);
        for (job, line) in jobs.iter().zip(&mut lines) {
            measure(job, &levels, peer.as_mut(), line);
        }
    }
    print!("{}", table::text(&levels, &kernels, digest, &lines, &jobs));
}

/// The counts must equal those of the row engine and of Java.
fn check(job: &Job, peer: Option<&mut Peer>) {
    let expected = job.row_engine(&job.generator(), RUN_OF_PLAIN);
    for level in Level::all() {
        assert_eq!(job.lanes(level, RUN_OF_PLAIN, 1), expected, "{} {level:?}", job.name);
    }
    if let Some(peer) = peer.filter(|_| job.has_peer) {
        for variant in [Variant::Tuned, Variant::Plain] {
            let (_, puts) = peer.run(job, variant, 1, RUN_OF_PLAIN);
            assert_eq!(puts, expected, "{} {variant:?}", job.name);
        }
        for _ in 0..20 {
            peer.run(job, Variant::Tuned, 1, RUN);
            peer.run(job, Variant::Plain, 1, RUN_OF_PLAIN);
        }
    }
}

fn measure(job: &Job, levels: &[Level], peer: Option<&mut Peer>, line: &mut Line) {
    for (level, [one, two]) in levels.iter().zip(&mut line.lanes) {
        one.take(RUN, || job.lanes(*level, RUN, 1));
        two.take(RUN_OF_TWO, || job.lanes(*level, RUN_OF_TWO, 2));
    }
    let generator = job.generator();
    line.rows.take(RUN_OF_TUNED, || job.row_engine(&generator, RUN_OF_TUNED));
    if let Some(peer) = peer.filter(|_| job.has_peer) {
        line.tuned.add(RUN_OF_TUNED, peer.run(job, Variant::Tuned, 1, RUN_OF_TUNED).0);
        line.tuned_two.add(RUN_OF_TUNED_TWO, peer.run(job, Variant::Tuned, 2, RUN_OF_TUNED_TWO).0);
        line.plain.add(RUN_OF_PLAIN, peer.run(job, Variant::Plain, 1, RUN_OF_PLAIN).0);
    }
}

/// Digests of prepared messages, as many as a run has rows.
fn kernel(digest: impl Fn(&Messages, &mut [WordColumn; 4])) {
    let messages = Messages::new(24).expect("a short message");
    let mut digests = [[0; ROWS]; 4];
    for _ in 0..RUN / ROWS as u64 {
        digest(black_box(&messages), &mut digests);
    }
    black_box(&digests);
}

/// The md-5 crate alone, one message after the other.
fn one_by_one() {
    for row in 0..RUN_OF_TUNED {
        black_box(Md5::digest(black_box(row.to_be_bytes())));
    }
}

impl Best {
    fn take<T>(&mut self, rows: u64, run: impl FnOnce() -> T) {
        let begin = Instant::now();
        black_box(run());
        self.add(rows, begin.elapsed());
    }
}
