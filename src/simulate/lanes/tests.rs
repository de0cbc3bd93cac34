//! Keys and counts against those of rows one by one.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value as Json};

use super::engine::Tally;
use super::{Lanes, Program, levels};
use crate::region;
use crate::row::{RowCodec, SALT_MEMBER};
use crate::schema::model::{FieldKind, SaltScheme, Schema};
use crate::simulate::random;
use crate::simulate::text::TextShape;
use crate::simulate::workload::{Values, Workload};

/// Schemas that make keys of one width: examples and test data. Fewer means that the fast path lost some.
const LEAST_COMPILED: usize = 12;

const ROWS: u64 = 1_000;

fn schemas() -> Vec<(PathBuf, Schema)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files =
        ["schemas/examples", "tests/testdata/schemas"].map(|folder| std::fs::read_dir(root.join(folder)));
    let files = files.into_iter().flat_map(|folder| folder.unwrap()).map(|file| file.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|end| end == "yaml")).collect();
    files.sort();
    let load = |file: PathBuf| {
        let source = crate::schema::read_file(&file).ok()?;
        Some((file, crate::schema::load(&source).ok()?.schema))
    };
    files.into_iter().filter_map(load).collect()
}

fn workload(schema: &Schema, random: bool) -> Workload {
    let values = |kind: &FieldKind| match (kind, random) {
        (FieldKind::Calendar(calendar), _) => {
            let (first, last) = calendar.format.domain();
            let middle = first + (last - first) / 5;
            if random {
                Values::Uniform { low: first, high: last }
            } else {
                Values::Period { start: middle, stop: middle + 777_777.min(last - middle) }
            }
        }
        (FieldKind::Epoch(_), false) => Values::Period { start: 1_586_000_000, stop: 1_587_000_000 },
        (FieldKind::Text(_), true) => Values::Uniform { low: 0, high: 99 },
        (_, true) => Values::Uniform { low: 1_000_000, high: 9_999_999 },
        (_, false) => Values::Sequential { start: 12_345, step: 7 },
    };
    Workload {
        fields: schema.key.fields.iter().map(|field| values(&field.kind)).collect(),
        rows: ROWS,
        seed: 5,
    }
}

fn number(values: &Values, field: u64, row: u64, workload: &Workload) -> i64 {
    match *values {
        Values::Sequential { start, step } => start + step * row as i64,
        Values::Uniform { low, high } => {
            let bits = random::bits(random::stream_key(workload.seed, field), row);
            low + random::below(bits, (high - low) as u64 + 1) as i64
        }
        Values::Period { start, stop } => {
            start + (i128::from(stop - start) * i128::from(row) / i128::from(workload.rows)) as i64
        }
        _ => unreachable!(),
    }
}

fn row(schema: &Schema, workload: &Workload, row: u64) -> Map<String, Json> {
    let mut members = Map::new();
    for (index, (field, values)) in schema.key.fields.iter().zip(&workload.fields).enumerate() {
        let number = number(values, index as u64, row, workload);
        let json = match &field.kind {
            FieldKind::Text(text) => {
                Json::from(TextShape::of(field, text).unwrap().text(number.unsigned_abs()))
            }
            FieldKind::Calendar(calendar) => Json::from(calendar.format.format(number).unwrap()),
            _ => Json::from(number),
        };
        members.insert(field.name.clone(), json);
    }
    if let Some(salt) = &schema.key.salt
        && let SaltScheme::Random { below } = salt.scheme
    {
        let bits = random::bits(random::stream_key(workload.seed, u64::MAX), row);
        members.insert(SALT_MEMBER.into(), Json::from(random::below(bits, below).to_string()));
    }
    members
}

#[test]
fn keys_and_counts_of_every_schema() {
    let mut compiled = 0;
    for (file, schema) in schemas() {
        for random in [false, true] {
            let workload = workload(&schema, random);
            if Program::compile(&schema, &workload, &[]).is_none() {
                continue;
            }
            compiled += usize::from(random);
            let codec = RowCodec::new(&schema);
            let expected: Vec<Vec<u8>> =
                (0..ROWS).map(|n| codec.encode(&row(&schema, &workload, n)).unwrap()).collect();
            check(&file, &schema, &workload, &expected);
        }
    }
    assert!(compiled >= LEAST_COMPILED, "{compiled}");
}

fn check(file: &Path, schema: &Schema, workload: &Workload, expected: &[Vec<u8>]) {
    let mut sorted = expected.to_vec();
    sorted.sort();
    sorted.dedup();
    let cut = |key: &Vec<u8>, index: usize| key[..key.len().min(1 + index % 24)].to_vec();
    let mut splits: Vec<Vec<u8>> =
        sorted.iter().step_by(41).enumerate().map(|(index, key)| cut(key, index)).collect();
    splits.sort();
    splits.dedup();
    let mut puts = vec![0; splits.len() + 1];
    for key in expected {
        puts[region::locate(key, &splits)] += 1;
    }
    let program = Program::compile(schema, workload, &splits).unwrap();
    for level in levels() {
        let mut lanes = Lanes::new(&program, level);
        let mut keys = Vec::new();
        lanes.keys(0..ROWS, |key| keys.push(key.to_vec()));
        for (found, expected) in keys.iter().zip(expected) {
            assert_eq!(found, expected, "{} {level:?}", file.display());
        }
        let mut tally = Tally::new(puts.len());
        for rows in [0..300, 300..301, 301..ROWS] {
            lanes.count_chunk(rows, &mut tally);
        }
        assert_eq!(tally.puts, puts, "{} {level:?}", file.display());
        assert_eq!(tally.bytes, expected.iter().map(|key| key.len() as u128).sum());
    }
}
