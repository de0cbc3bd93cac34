//! Compares the emulation of a growing table with a real HBase that gets the same rows.
//!
//! A few rows are inserted at a time, and HBase can finish its flushes, compactions and splits in between. So
//! both apply the same rules to the same rows. The only difference is what the rows of one batch do to a
//! memstore that is about to be flushed.

use ::saltplan_simulate::grow::{
    Arrivals, ColumnShape, FamilyShape, GrowingTable, Growth, HbaseSettings, Properties, Slice, grow,
};
use anyhow::{Result, ensure};
use libtest_mimic::{Failed, Trial};
use saltplan_simulate::watch::Watch;

use crate::engine::Engines;
use crate::keys::Random;
use crate::rows::hex;

/// The bytes of a value, of a full memstore and of a region that splits; a case multiplies them.
const VALUE: u64 = 4000;
const FLUSH_SIZE: u64 = 1 << 20;
const MAX_FILE_SIZE: u64 = 4 << 20;

/// A table with its settings and its load.
struct Case {
    name: &'static str,
    keys: fn(usize) -> Vec<Vec<u8>>,
    rows: usize,
    /// Sizes are multiplied by this.
    scale: u64,
    split_keys: &'static [&'static str],
    settings: &'static [(&'static str, &'static str)],
}

const POLICY: &str = "hbase.regionserver.region.split.policy";
const PACKAGE: &str = "org.apache.hadoop.hbase.regionserver.";

static CASES: [Case; 6] = [
    Case {
        name: "stepping_uniform",
        keys: uniform,
        rows: 3500,
        scale: 1,
        split_keys: &[],
        settings: &[(POLICY, "SteppingSplitPolicy")],
    },
    Case {
        name: "increasing_monotonic",
        keys: monotonic,
        rows: 2500,
        scale: 1,
        split_keys: &[],
        settings: &[
            (POLICY, "IncreasingToUpperBoundRegionSplitPolicy"),
            ("hbase.increasing.policy.initial.size", "524288"),
        ],
    },
    Case {
        name: "constant_presplit",
        keys: uniform,
        rows: 4200,
        scale: 1,
        split_keys: &["8", "c"],
        settings: &[(POLICY, "ConstantSizeRegionSplitPolicy")],
    },
    Case {
        name: "key_prefix",
        keys: uniform,
        rows: 1800,
        scale: 1,
        split_keys: &[],
        settings: &[
            ("hbase.regionserver.region.split_restriction.type", "KeyPrefix"),
            ("hbase.regionserver.region.split_restriction.prefix_length", "1"),
        ],
    },
    Case {
        name: "disabled",
        keys: monotonic,
        rows: 2400,
        scale: 1,
        split_keys: &[],
        settings: &[(POLICY, "DisabledRegionSplitPolicy")],
    },
    Case {
        name: "some_hundred_megabytes",
        keys: uniform,
        rows: 5000,
        scale: 10,
        split_keys: &["8"],
        settings: &[(POLICY, "SteppingSplitPolicy")],
    },
];

pub fn trials(engines: &Engines) -> Vec<Trial> {
    let trial = |case: &'static Case| {
        let engines = engines.clone();
        Trial::test(format!("grow::{}", case.name), move || {
            case.check(&engines).map_err(|error| Failed::from(format!("{error:#}")))
        })
    };
    CASES.iter().map(trial).collect()
}

/// Digits spread evenly over the key space.
fn uniform(rows: usize) -> Vec<Vec<u8>> {
    let mut random = Random::new("grow");
    (0..rows).map(|_| hex(random.digits(8).as_bytes()).into_bytes()).map(|key| mixed(&key)).collect()
}

/// Sixteen hex digits of an FNV-1a hash of the bytes.
fn mixed(bytes: &[u8]) -> Vec<u8> {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix);
    format!("{:016x}", hash.wrapping_mul(0x9E37_79B9_7F4A_7C15)).into_bytes()
}

fn monotonic(rows: usize) -> Vec<Vec<u8>> {
    (0..rows).map(|row| format!("2020{row:010}").into_bytes()).collect()
}

/// A region: start row, number of files, bytes.
#[derive(Debug)]
struct Region {
    start: Vec<u8>,
    files: u64,
    bytes: f64,
}

impl Case {
    fn check(&self, engines: &Engines) -> Result<()> {
        let keys = (self.keys)(self.rows);
        let real = self.real(engines, &keys)?;
        let growth = self.emulated(&keys)?;
        let emulated: Vec<Region> = growth
            .regions
            .iter()
            .map(|region| Region { start: region.start.clone(), files: region.files, bytes: region.stored })
            .collect();
        compare(self.name, &keys, &real, &emulated)
    }

    fn settings(&self) -> impl Iterator<Item = (&'static str, String)> {
        let common = [
            ("hbase.hregion.memstore.flush.size", (FLUSH_SIZE * self.scale).to_string()),
            ("hbase.hregion.max.filesize", (MAX_FILE_SIZE * self.scale).to_string()),
            ("hbase.hregion.max.filesize.jitter", "0".to_owned()),
        ];
        let own = self.settings.iter().map(|(name, value)| (*name, (*value).to_owned()));
        common.into_iter().chain(own)
    }

    fn value(&self) -> u64 {
        VALUE * self.scale
    }

    fn real(&self, engines: &Engines, keys: &[Vec<u8>]) -> Result<Vec<Region>> {
        let table = format!("saltplan_grow_{}", self.name);
        engines.client("drop", &table)?;
        engines.shell(&self.create(&table))?;
        let lines: String = keys.iter().map(|key| format!("\n{}", hex(key))).collect();
        engines
            .client("fill", &format!("{table}\nf:q {} {}{lines}", self.value(), FLUSH_SIZE * self.scale))?;
        let state = engines.client("state", &table)?;
        engines.client("drop", &table)?;
        state.lines().map(region).collect()
    }

    fn create(&self, table: &str) -> String {
        let class = |name: &str| if name == POLICY { PACKAGE } else { "" };
        let settings: Vec<String> =
            self.settings().map(|(name, value)| format!("'{name}' => '{}{value}'", class(name))).collect();
        let splits: Vec<String> = self.split_keys.iter().map(|key| format!("'{key}'")).collect();
        let splits =
            if splits.is_empty() { String::new() } else { format!(", SPLITS => [{}]", splits.join(", ")) };
        format!("create '{table}', 'f', CONFIGURATION => {{{}}}{splits}\n", settings.join(", "))
    }

    fn emulated(&self, keys: &[Vec<u8>]) -> Result<Growth> {
        let mut properties = Properties::default();
        // The trial waits until HBase has removed compacted files.
        properties.set("hbase.hfile.compaction.discharger.interval", "1");
        for (name, value) in self.settings() {
            properties.set(name, &value);
        }
        let columns = vec![ColumnShape { qualifier: 1, value: self.value() }];
        let table = GrowingTable {
            settings: HbaseSettings::read(&properties)?,
            families: vec![FamilyShape { name: "f".into(), columns, ttl: None }],
            split_keys: self.split_keys.iter().map(|key| key.as_bytes().to_vec()).collect(),
            servers: 1,
            heap: None,
            ratio: 1.0,
            seed: 1,
        };
        let slice = Slice { seconds: 60.0, puts: keys.len() as u64, keys: keys.iter().collect() };
        Ok(grow(&table, &Arrivals::new([slice]), &Watch::default()))
    }
}

fn region(line: &str) -> Result<Region> {
    let words: Vec<&str> = line.split(' ').collect();
    let [start, files, bytes] = words[..] else { anyhow::bail!("cannot read `{line}`") };
    let digits = if start == "-" { "" } else { start };
    let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16);
    let start = (0..digits.len()).step_by(2).map(byte).collect::<Result<_, _>>()?;
    Ok(Region { start, files: files.parse()?, bytes: bytes.parse()? })
}

/// Requires the same number of regions, split keys at most 2 % of the rows apart, and similar numbers of
/// files and bytes.
fn compare(name: &str, keys: &[Vec<u8>], real: &[Region], emulated: &[Region]) -> Result<()> {
    let below = |start: &[u8]| keys.iter().filter(|key| key.as_slice() < start).count() as f64;
    let apart: Vec<f64> = real
        .iter()
        .zip(emulated)
        .map(|(real, emulated)| (below(&real.start) - below(&emulated.start)).abs() / keys.len() as f64)
        .collect();
    let worst = apart.iter().copied().fold(0.0, f64::max);
    let equal = real.iter().zip(emulated).filter(|(real, emulated)| real.start == emulated.start).count();
    let files = |regions: &[Region]| regions.iter().map(|region| region.files).sum::<u64>();
    let bytes = |regions: &[Region]| regions.iter().map(|region| region.bytes).sum::<f64>();
    println!(
        "grow::{name}: regions {} real, {} emulated; {equal} start rows equal, others {:.2} % of the rows apart at \
         most; files {} and {}; bytes {:.1} and {:.1} MiB",
        real.len(),
        emulated.len(),
        worst * 100.0,
        files(real),
        files(emulated),
        bytes(real) / 1_048_576.0,
        bytes(emulated) / 1_048_576.0,
    );
    let starts = |regions: &[Region]| {
        let starts = regions.iter().map(|region| String::from_utf8_lossy(&region.start).into_owned());
        starts.collect::<Vec<_>>().join(" ")
    };
    ensure!(
        real.len() == emulated.len() && worst <= 0.02,
        "HBase has the start rows\n  {}\nthe emulation\n  {}",
        starts(real),
        starts(emulated)
    );
    let difference = files(real).abs_diff(files(emulated));
    ensure!(difference <= 2, "HBase has {} files, the emulation {}", files(real), files(emulated));
    Ok(())
}
