//! Growth from a sample compared with growth from all rows: the examples, with strides that repeat in step
//! with their salts.

use std::path::Path;

use saltplan_core::key::range::to_string_binary;
use saltplan_core::key::salt::SaltDomain;
use saltplan_core::region::{self, SplitInputs};
use saltplan_core::schema::model::{Regions, Sampled, Schema};
use saltplan_simulate::generator::Generator;
use saltplan_simulate::grow::{
    Arrivals, ColumnShape, FamilyShape, GrowingTable, HbaseSettings, Properties, Slice, grow,
};
use saltplan_simulate::keys::{KeyList, Keys};
use saltplan_simulate::watch::Watch;
use saltplan_simulate::workload::Workload;
use saltplan_simulate::{defaults, strata};

const ROWS: u64 = 60_000;
/// Every tenth and every twentieth row: digits, and the remainders of the modulo salt.
const SAMPLES: [u64; 2] = [6_000, 3_000];
/// If a sample should have more keys than this for a salt or a region, it has at least one.
const FEW: f64 = 20.0;
const DAYS: f64 = 30.0 * 86_400.0;
/// Standard errors of a share; the largest of a few hundred shares is three or four away.
const DEVIATIONS: f64 = 6.0;
/// Files have overhead, and the last hour is still in memory.
const OVERHEAD: f64 = 0.003;

fn examples() -> Vec<(String, Schema)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas/examples");
    let paths = folder.read_dir().expect("the examples").map(|entry| entry.expect("an entry").path());
    let schema = |path: std::path::PathBuf| {
        let source = saltplan_core::schema::read_file(&path).expect("a readable schema");
        (path.display().to_string(), saltplan_core::schema::load(&source).expect("a right schema").schema)
    };
    paths.filter(|path| path.extension().is_some_and(|end| end == "yaml")).map(schema).collect()
}

fn salts(schema: &Schema) -> Vec<Vec<u8>> {
    match schema.key.salt.as_ref().map(|salt| salt.domain(&schema.key.fields)) {
        Some(SaltDomain::Listed(salts)) => salts,
        _ => Vec::new(),
    }
}

/// The table's own split keys; for quantiles of a sample, those of all keys.
fn split_keys(schema: &Schema, keys: &KeyList) -> Vec<Vec<u8>> {
    let regions = schema.regions.as_ref().expect("regions");
    if let Regions::Sampled(Sampled { regions, .. }) = regions {
        return region::quantiles(keys.len(), |index| keys.key(index), *regions);
    }
    let then = schema.key.salt.as_ref().map_or(&[][..], |salt| &salt.separator);
    let salts = salts(schema);
    region::split_keys(regions, SplitInputs { salts: &salts, separator: then, sample: &[] })
        .expect("split keys")
}

/// The shares of the parts between bounds.
fn shares(keys: &KeyList, bounds: &[Vec<u8>]) -> Vec<f64> {
    let mut counts = vec![0u64; bounds.len() + 1];
    keys.iter().for_each(|key| counts[region::locate(key, bounds)] += 1);
    counts.iter().map(|count| *count as f64 / keys.len() as f64).collect()
}

/// A table that never splits, with rows so large that files contain little else.
fn table(split_keys: &[Vec<u8>]) -> GrowingTable {
    let mut properties = Properties::default();
    properties.set("hbase.regionserver.region.split.policy", "DisabledRegionSplitPolicy");
    let columns = vec![ColumnShape { qualifier: 1, value: 20_000 }];
    GrowingTable {
        settings: HbaseSettings::read(&properties).expect("settings"),
        families: vec![FamilyShape { name: "f".into(), columns, ttl: None }],
        split_keys: split_keys.to_vec(),
        servers: 1,
        heap: None,
        ratio: 1.0,
        seed: 1,
    }
}

fn assert_shares(name: &str, found: &[f64], expected: &[f64], keys: u64) {
    assert_eq!(found.len(), expected.len(), "{name}");
    for (part, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (expected * (1.0 - expected) / keys as f64).sqrt();
        assert!(
            (found - expected).abs() <= DEVIATIONS * error + OVERHEAD,
            "{name}, {keys} keys, part {part}: {found} of the sample, {expected} of all rows"
        );
    }
}

#[test]
fn a_sample_grows_like_all_rows() {
    let examples = examples();
    assert!(examples.len() >= 11, "{}", examples.len());
    for (name, schema) in examples {
        let fields =
            schema.key.fields.iter().map(|field| defaults::values(&schema, field, None).expect("values"));
        let workload = Workload { fields: fields.collect(), rows: ROWS, seed: 1 };
        let generator = Generator::new(&schema, &workload).expect("a generator");
        let keys = Keys::new(&generator, &workload);
        let all = keys.in_order(0..ROWS).expect("keys");
        let split_keys = split_keys(&schema, &all);
        let salts = salts(&schema);
        for count in SAMPLES {
            let sample = keys.in_order(strata::rows(ROWS, count, workload.seed)).expect("keys");
            assert_eq!(sample.len() as u64, count);
            let (of_sample, of_all) = (shares(&sample, &salts), shares(&all, &salts));
            assert_shares(&name, &of_sample, &of_all, count);
            for (salt, (found, expected)) in of_sample.iter().zip(&of_all).enumerate() {
                assert!(*found > 0.0 || expected * count as f64 <= FEW, "{name}: no row of salt {salt}");
            }
            let slice = Slice { seconds: DAYS, puts: ROWS, keys: sample };
            let growth = grow(&table(&split_keys), &Arrivals::new([slice]), &Watch::default());
            let stored: f64 = growth.regions.iter().map(|region| region.stored).sum();
            let found: Vec<f64> = growth.regions.iter().map(|region| region.stored / stored).collect();
            let expected = shares(&all, &split_keys);
            assert_shares(&name, &found, &expected, count);
            for (region, expected) in growth.regions.iter().zip(&expected) {
                let start = to_string_binary(&region.start);
                assert!(
                    region.stored > 0.0 || expected * count as f64 <= FEW,
                    "{name}: nothing in `{start}`"
                );
            }
        }
    }
}
