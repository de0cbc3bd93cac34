//! The examples with their default workloads, as in `simulate SCHEMA`.

use std::path::Path;

use saltplan_core::key::salt::SaltDomain;
use saltplan_core::region::{self, SplitInputs};
use saltplan_core::schema::model::{Regions, Sampled, Schema};
use saltplan_simulate::defaults;
use saltplan_simulate::engine::{CountingEngine, RowEngine, RunCounts, run};
use saltplan_simulate::generator::Generator;
use saltplan_simulate::lanes::{LaneEngine, Level, Program};
use saltplan_simulate::watch::Watch;
use saltplan_simulate::workload::Workload;

/// The rows of the whole workload; a run takes the first ones.
pub const TOTAL: u64 = 100_000_000;
pub const SEED: u64 = 1;

/// The schemes, whether Java implements them too, and whether all words of a digest are needed.
const SCHEMES: [(&str, bool, Option<usize>); 11] = [
    ("md5_nibble_day", true, Some(0)),
    ("md5_prefix", true, Some(0)),
    ("md5_sampled", true, Some(0)),
    ("md5_whole", true, Some(1)),
    ("hash_prefix_short", true, None),
    ("region_number", true, None),
    ("modulo_partition", true, None),
    ("random_digit", false, None),
    ("random_two_digits", false, None),
    ("plain_concat", false, None),
    ("reversed_id_time", false, None),
];

pub struct Job {
    pub name: &'static str,
    pub has_peer: bool,
    /// Which kernel computes its digests.
    pub kernel: Option<usize>,
    pub split_keys: Vec<Vec<u8>>,
    schema: Schema,
    workload: Workload,
    program: Program,
}

pub fn all(filter: &[String]) -> Vec<Job> {
    let is_asked = |name: &str| filter.is_empty() || filter.iter().any(|text| name.contains(text.as_str()));
    SCHEMES.into_iter().filter(|(name, ..)| is_asked(name)).map(job).collect()
}

fn job((name, has_peer, kernel): (&'static str, bool, Option<usize>)) -> Job {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("schemas/examples/{name}.yaml"));
    let source = saltplan_core::schema::read_file(&path).expect("an example");
    let schema = saltplan_core::schema::load(&source).expect("a valid example").schema;
    let values =
        schema.key.fields.iter().map(|field| defaults::values(&schema, field, None).expect("values"));
    let workload = Workload { fields: values.collect(), rows: TOTAL, seed: SEED };
    let split_keys = split_keys(&schema, &workload);
    let program = Program::compile(&schema, &workload, &split_keys).expect("a program");
    Job { name, has_peer, kernel, split_keys, schema, workload, program }
}

fn split_keys(schema: &Schema, workload: &Workload) -> Vec<Vec<u8>> {
    let regions = schema.regions.as_ref().expect("regions");
    if let Regions::Sampled(Sampled { regions, .. }) = regions {
        let generator = Generator::new(schema, workload).expect("a generator");
        let key = |row: u64| generator.key(row * 10_000).expect("a key");
        let sample: Vec<Vec<u8>> = (0..10_000).map(key).collect();
        return region::quantiles(sample.len(), |index| &sample[index], *regions);
    }
    let salt = schema.key.salt.as_ref();
    let salts = match salt.map(|salt| salt.domain(&schema.key.fields)) {
        Some(SaltDomain::Listed(salts)) => salts,
        _ => Vec::new(),
    };
    let then = salt.map(|salt| salt.separator.clone()).unwrap_or_default();
    region::split_keys(regions, SplitInputs { salts: &salts, separator: &then, sample: &[] })
        .expect("split keys")
}

impl Job {
    pub fn lanes(&self, level: Level, rows: u64, threads: usize) -> Vec<u64> {
        let engine = LaneEngine::at(self.program.clone(), level);
        self.puts(&engine, rows, threads)
    }

    pub fn generator(&self) -> Generator<'_> {
        Generator::new(&self.schema, &self.workload).expect("a generator")
    }

    pub fn row_engine(&self, generator: &Generator<'_>, rows: u64) -> Vec<u64> {
        let engine = RowEngine { generator, split_keys: &self.split_keys, reader: None };
        self.puts(&engine, rows, 1)
    }

    fn puts(&self, engine: &impl CountingEngine, rows: u64, threads: usize) -> Vec<u64> {
        let regions = self.split_keys.len() + 1;
        let whole = 0..rows;
        let RunCounts { slices, .. } =
            run(engine, regions, std::slice::from_ref(&whole), threads, &Watch::default()).expect("counts");
        slices.into_iter().flat_map(|counts| counts.puts).collect()
    }
}
