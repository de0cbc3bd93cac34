//! Keys a second of the lane engine, and of the MD5 kernel alone, at every level of vector instructions.
//!
//! Short runs take turns and the median counts, since other work on the machine comes and goes.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use saltplan::simulate::lanes::engine::Tally;
use saltplan::simulate::lanes::{Lanes, Program, ROWS, levels, md5};
use saltplan::simulate::workload::{Values, Workload};

const ROUNDS: usize = 9;
const RUN: u64 = 1 << 20;

/// Examples, with values for their fields.
fn jobs() -> Vec<(&'static str, Vec<Values>)> {
    let sequential = Values::Sequential { start: 1, step: 1 };
    let day = Values::Period { start: 18_262, stop: 18_628 };
    let second = Values::Period { start: 1_577_836_800, stop: 1_609_459_200 };
    vec![
        ("md5_nibble_day", vec![day, sequential.clone()]),
        ("md5_prefix", vec![sequential.clone(), Values::Uniform { low: 0, high: 1 << 40 }]),
        ("md5_sampled", vec![sequential.clone()]),
        ("region_number", vec![Values::Uniform { low: 13_000_000_000, high: 18_999_999_999 }, second]),
        ("modulo_partition", vec![sequential]),
    ]
}

fn program(name: &str, fields: Vec<Values>) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("schemas/examples/{name}.yaml"));
    let source = saltplan::schema::read_file(&path).expect("an example");
    let schema = saltplan::schema::load(&source).expect("a valid example").schema;
    let splits: Vec<Vec<u8>> = (1..16u8).map(|digit| format!("{digit:x}").into_bytes()).collect();
    Program::compile(&schema, &Workload { fields, rows: 100_000_000, seed: 1 }, &splits).expect("a program")
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64()
}

fn main() {
    let levels = levels();
    let programs: Vec<_> = jobs().into_iter().map(|(name, fields)| (name, program(name, fields))).collect();
    println!("million keys a second, one thread");
    for level in levels {
        let messages = md5::Messages::new(24).expect("a short message");
        let mut digests = [[0; ROWS]; 4];
        let mut kernel_times = Vec::new();
        let mut job_times = vec![Vec::new(); programs.len()];
        for _ in 0..ROUNDS {
            let start = Instant::now();
            for _ in 0..RUN / ROWS as u64 {
                md5::digest(level, black_box(&messages), md5::Wanted::First, &mut digests);
            }
            black_box(&digests);
            kernel_times.push(start.elapsed());
            for ((_, program), times) in programs.iter().zip(&mut job_times) {
                let mut lanes = Lanes::new(program, level);
                let mut tally = Tally::new(16);
                let start = Instant::now();
                lanes.count_chunk(0..RUN, &mut tally);
                times.push(start.elapsed());
                assert_eq!(tally.puts.iter().sum::<u64>(), RUN);
            }
        }
        let speed = |times: Vec<Duration>| RUN as f64 / median(times) / 1e6;
        let kernel = speed(kernel_times);
        println!("{:<20} md5 kernel         {kernel:7.1}", format!("{level:?}"));
        for ((name, _), times) in programs.iter().zip(job_times) {
            let job = speed(times);
            println!("{:<20} {name:<18} {job:7.1}  {:.2} of the kernel", "", job / kernel);
        }
    }
}
