//! Compares keys and counts with those of the row engine.

use std::path::{Path, PathBuf};

use super::{LaneEngine, Lanes, Level, Program};
use crate::counts::RowCounts;
use crate::defaults;
use crate::engine::{CountingEngine, RowEngine, run};
use crate::generator::Generator;
use crate::text::TextShape;
use crate::watch::Watch;
use crate::workload::{Values, Workload};
use saltplan_core::key::Value;
use saltplan_core::key::field::{FieldId, FieldKind};
use saltplan_core::schema::model::Schema;

const ROWS: u64 = 601;

fn schemas(folder: &str) -> Vec<(PathBuf, Schema)> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(folder);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "yaml"));
    files.sort();
    let load = |file: PathBuf| {
        let source = saltplan_core::schema::read_file(&file).unwrap();
        Some((file, saltplan_core::schema::load(&source).ok()?.schema))
    };
    files.into_iter().filter_map(load).collect()
}

/// Workloads that differ from the default.
const KINDS: [&str; 5] = ["default", "counting", "uniform", "zipf", "list"];

fn values(kind: &str, schema: &Schema, id: FieldId) -> Values {
    let field = &schema.key.fields[id];
    let (low, high) = match &field.kind {
        FieldKind::Text(text) => match TextShape::of(field, text) {
            Ok(shape) => (0, (shape.count() as i64 - 1).min(12_345)),
            Err(_) => (0, 0),
        },
        FieldKind::Calendar(calendar) => {
            let (first, last) = calendar.format.domain();
            (first + (last - first) / 2, last)
        }
        FieldKind::Integer(_) => {
            let domain = field.kind.domain().unwrap();
            let last = domain.stop.map_or(i128::MAX, |stop| stop - 1);
            (domain.start.max(0) as i64, last.min(123_456) as i64)
        }
        FieldKind::Epoch(_) => (1_586_000_000, 1_587_000_000),
    };
    let value = |number: i64| match &field.kind {
        FieldKind::Text(text) => {
            let mut written = Vec::new();
            TextShape::of(field, text).unwrap().write(number as u64, &mut written);
            Value::Text(String::from_utf8(written).unwrap())
        }
        _ => Value::Number(number),
    };
    let count = high - low + 1;
    match kind {
        "default" => defaults::values(schema, field, None).unwrap(),
        "counting" if matches!(field.kind, FieldKind::Text(_)) => Values::Sequential { start: high, step: 1 },
        "counting" => {
            Values::Sequential { start: low + (count / 3).min(5_000), step: (count / 2_000).min(7) }
        }
        "uniform" => Values::Uniform { low, high },
        "zipf" => Values::Zipf { low, count: count as u64, exponent: 1.1 },
        _ => {
            let numbers = [low, low + count / 1_000, low + count / 2, high];
            Values::list(numbers.into_iter().zip([1.0, 0.0, 2.5, 0.1]).map(|(n, w)| (value(n), w)).collect())
                .unwrap()
        }
    }
}

fn workload(kind: &str, schema: &Schema) -> Workload {
    let fields = schema.key.fields.ids().map(|id| values(kind, schema, id)).collect();
    Workload { fields, rows: ROWS, seed: 5 }
}

/// Truncated keys, so that some regions start in the middle of a field, and some rows are exactly at the
/// start of one.
fn splits(keys: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut sorted = keys.to_vec();
    sorted.sort();
    sorted.dedup();
    let cut = |(index, key): (usize, &Vec<u8>)| key[..key.len().min(1 + index % 24)].to_vec();
    let mut splits: Vec<Vec<u8>> = sorted.iter().step_by(41).enumerate().map(cut).collect();
    splits.sort();
    splits.dedup();
    splits
}

fn counts(engine: &impl CountingEngine, rows: u64, regions: usize, threads: usize) -> Vec<RowCounts> {
    let slices = [0..0, 0..300, 300..301, 301..rows];
    run(engine, regions, &slices, threads, &Watch::default()).unwrap().slices
}

/// Compares the keys and counts of a workload. Returns whether it can be compiled.
fn compare(what: &str, schema: &Schema, workload: &Workload) -> bool {
    let generator = Generator::new(schema, workload).unwrap_or_else(|error| panic!("{what}: {error}"));
    if Program::compile(schema, workload, &[]).is_none() {
        return false;
    }
    let keys: Vec<Vec<u8>> = (0..workload.rows).map(|row| generator.key(row).unwrap()).collect();
    let split_keys = splits(&keys);
    let rows = RowEngine { generator: &generator, split_keys: &split_keys, reader: None };
    let expected = counts(&rows, workload.rows, split_keys.len() + 1, 1);
    let program = Program::compile(schema, workload, &split_keys).unwrap();
    for level in Level::all() {
        let mut found = vec![Vec::new(); keys.len()];
        let mut lanes = Lanes::new(&program, level);
        // Some rows twice, whole batches of the last day and of the first: the columns must not keep anything
        // of the previous batch.
        let last = workload.rows - 300..workload.rows - 44;
        for rows in [0..257, 257..workload.rows, last, 0..256] {
            lanes.keys(rows, |row, key| found[row as usize] = key.to_vec());
        }
        for (row, (found, expected)) in found.iter().zip(&keys).enumerate() {
            assert_eq!(found, expected, "{what} {level:?} row {row}");
        }
        let engine = LaneEngine::at(program.clone(), level);
        for threads in [1, 3] {
            assert_eq!(
                counts(&engine, workload.rows, split_keys.len() + 1, threads),
                expected,
                "{what} {level:?}"
            );
        }
    }
    true
}

/// The workloads of a folder's schemas that cannot be compiled.
fn compare_all(folder: &str) -> Vec<String> {
    let mut without = Vec::new();
    for (file, schema) in schemas(folder) {
        for kind in KINDS {
            let what = format!("{} {kind}", file.file_stem().unwrap().to_string_lossy());
            if !compare(&what, &schema, &workload(kind, &schema)) {
                without.push(what);
            }
        }
    }
    without
}

#[test]
fn every_example_has_a_program() {
    assert_eq!(compare_all("schemas/examples"), [""; 0]);
}

/// Dates stay in their columns from batch to batch, until a row is on another day.
#[test]
fn days_that_last_for_batches() {
    let mut compared = 0;
    for (file, schema) in ["schemas/examples", "tests/testdata/schemas"].into_iter().flat_map(schemas) {
        let mut workload = Workload { rows: 1_700, ..workload("default", &schema) };
        let mut is_shorter = false;
        for values in &mut workload.fields {
            if let Values::Period { start, stop } = values {
                // Three days of thirty.
                *stop = *start + (*stop - *start).div_euclid(10).max(1);
                is_shorter = true;
            }
        }
        if is_shorter && compare(&file.display().to_string(), &schema, &workload) {
            compared += 1;
        }
    }
    assert!(compared > 10, "{compared}");
}

#[test]
fn test_schemas_have_programs() {
    // Sequences that wrap around at the field's `max` or width, a salt that formats an instant, hashes and texts without
    // lanes, and number formats that only the row engine supports.
    let starts_again = ["bounded default", "day_kind_uid default"].map(str::to_string);
    let rows = [
        "descending_text",
        "epoch_month_salt",
        "padded",
        "phoenix",
        "pinpoint",
        "pinpoint_spread",
        "salt_crc32",
        "salt_joined_hash",
        "salt_key_bytes",
        "salt_key_bytes_mid",
        "salt_key_bytes_open",
        "salt_md5_bytes",
        "salt_sha1",
        "salt_spread",
        "salt_spread_open",
        "salt_text",
        "salt_unknown",
        "small_numbers",
        "text_forms",
        "unsigned",
    ]
    .map(|schema| KINDS.map(|kind| format!("{schema} {kind}")));
    let without: Vec<String> = starts_again.into_iter().chain(rows.into_iter().flatten()).collect();
    assert_eq!(compare_all("tests/testdata/schemas"), without);
}

#[test]
fn chunks_and_threads() {
    let (_, schema) = schemas("schemas/examples")
        .into_iter()
        .find(|(file, _)| file.ends_with("region_number.yaml"))
        .unwrap();
    let workload = Workload { rows: 150_001, ..workload("uniform", &schema) };
    let split_keys: Vec<Vec<u8>> = (1..6).map(|salt| format!("{salt}_").into_bytes()).collect();
    let program = Program::compile(&schema, &workload, &split_keys).unwrap();
    let [one, many] = [1, 3].map(|threads| {
        let engine = LaneEngine::new(program.clone());
        run(&engine, 6, &[0..70_000, 70_000..150_001], threads, &Watch::default()).unwrap()
    });
    assert_eq!(one, many);
    assert_eq!(one.slices.iter().map(RowCounts::total).sum::<u64>(), 150_001);
}
