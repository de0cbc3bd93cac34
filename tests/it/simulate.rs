//! Simulated rows compared with the codec of `key encode`, and the published results.

use std::path::Path;

use saltplan_core::key::Value;
use saltplan_core::key::field::{Field, FieldKind};
use saltplan_core::key::id::Id;
use saltplan_core::region::{self, SplitInputs};
use saltplan_core::row::{RowCodec, SALT_MEMBER};
use saltplan_core::schema::model::{Regions, Sampled, Schema};
use saltplan_simulate::defaults;
use saltplan_simulate::engine::{RowEngine, RunCounts, run};
use saltplan_simulate::generator::Generator;
use saltplan_simulate::watch::Watch;
use saltplan_simulate::workload::{Values, Workload};
use serde_json::{Map, Value as Json};

fn schema(name: &str) -> Schema {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas/examples").join(name);
    let source = saltplan_core::schema::read_file(&path).expect("a readable schema");
    saltplan_core::schema::load(&source).expect("a right schema").schema
}

fn examples() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas/examples");
    let names = folder.read_dir().expect("the examples").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    names.retain(|name| Path::new(name).extension().is_some_and(|ending| ending == "yaml"));
    names.sort();
    names
}

fn workload(schema: &Schema, rows: u64, seed: u64) -> Workload {
    let fields = schema.key.fields.iter().map(|field| defaults::values(schema, field, None).expect("values"));
    Workload { fields: fields.collect(), rows, seed }
}

/// A value in the form of a row for `key encode`.
fn json(field: &Field, value: &Value) -> Json {
    match (&field.kind, value) {
        (FieldKind::Calendar(calendar), Value::Number(number)) => {
            calendar.format.format(*number).expect("a date").into()
        }
        (_, Value::Number(number)) => (*number).into(),
        (_, Value::Text(text)) => text.as_str().into(),
    }
}

#[test]
fn keys_are_those_of_key_encode() {
    let names = examples();
    assert!(names.len() >= 11, "{names:?}");
    for name in names {
        let schema = schema(&name);
        let codec = RowCodec::new(&schema);
        let generator = Generator::new(&schema, &workload(&schema, 1_000, 7)).expect("a generator");
        let mut maker = generator.maker();
        for row in 0..1_000 {
            let values = generator.values(row);
            let fields = schema.key.fields.iter().zip(&values);
            let mut members: Map<String, Json> =
                fields.map(|(field, value)| (field.name.clone(), json(field, value))).collect();
            if let Some(salt) = generator.random_salt(row) {
                members.insert(SALT_MEMBER.into(), String::from_utf8(salt).expect("a salt as text").into());
            }
            assert_eq!(
                maker.make(row).map(<[u8]>::to_vec),
                codec.encode(&members).map_err(saltplan_simulate::WorkloadError::from),
                "{name}: {members:?}"
            );
        }
    }
}

fn count(schema: &Schema, workload: &Workload, split_keys: &[Vec<u8>], threads: usize) -> RunCounts {
    let generator = Generator::new(schema, workload).expect("a generator");
    let engine = RowEngine { generator: &generator, split_keys, reader: None };
    let slices = [0..workload.rows / 3, workload.rows / 3..workload.rows];
    run(&engine, split_keys.len() + 1, &slices, threads, &Watch::default()).expect("counts")
}

#[test]
fn threads_change_nothing() {
    let schema = schema("random_two_digits.yaml");
    let split_keys: Vec<Vec<u8>> = (1..100).map(|salt| format!("{salt:02}").into_bytes()).collect();
    let workload = workload(&schema, 200_000, 3);
    let one = count(&schema, &workload, &split_keys, 1);
    assert!(!one.partial);
    assert_eq!(one.slices.iter().map(saltplan_simulate::counts::RowCounts::total).sum::<u64>(), 200_000);
    assert_eq!(one, count(&schema, &workload, &split_keys, 2));
    assert_eq!(one, count(&schema, &workload, &split_keys, 3));
    let other = count(&schema, &Workload { seed: 4, ..workload }, &split_keys, 1);
    assert_ne!(one, other);
}

#[test]
fn modulo_is_exactly_even() {
    let schema = schema("modulo_partition.yaml");
    let regions = schema.regions.as_ref().expect("regions");
    let split_keys = region::split_keys(regions, SplitInputs::default()).expect("split keys");
    let counted = count(&schema, &workload(&schema, 1_000_000, 1), &split_keys, 2);
    let puts: Vec<u64> =
        (0..20).map(|region| counted.slices.iter().map(|slice| slice.puts[region]).sum()).collect();
    assert_eq!(puts, [50_000; 20]);
}

#[test]
fn values_outside_a_field_are_refused() {
    let schema = schema("modulo_partition.yaml");
    for (values, reason) in [
        (Values::Uniform { low: 2, high: 1 }, "2 is greater than 1"),
        (Values::Period { start: 5, stop: 5 }, "the period ends before it begins, or is empty"),
        (Values::Zipf { low: i64::MAX, count: 2, exponent: 1.0 }, "is outside the values of the field"),
        (Values::Zipf { low: 0, count: 2, exponent: -1.0 }, "a Zipf law needs an exponent above 0"),
        (Values::List { values: Vec::new(), cumulative: Vec::new() }, "the list has no values"),
        (Values::List { values: vec![Value::Text("x".into())], cumulative: vec![1.0] }, "`id`: "),
        (Values::Text { chars: vec!['x'], width: 3 }, "`id`: "),
    ] {
        let error = Generator::new(&schema, &Workload { fields: vec![values].into(), rows: 10, seed: 1 })
            .expect_err("values that do not fit");
        assert!(error.to_string().contains(reason), "{error}");
    }
    let missing = Workload { fields: Vec::new().into(), rows: 1, seed: 1 };
    assert_eq!(Generator::new(&schema, &missing).unwrap_err().to_string(), "`id`: has no values");
}

#[test]
fn sequences_wrap_around_and_extremes_do_not_overflow() {
    let schema = schema("../../tests/engines/keys/modulo_signed.yaml");
    let numbers = |values: Values, rows: &[u64]| {
        let generator =
            Generator::new(&schema, &Workload { fields: vec![values].into(), rows: u64::MAX, seed: 1 })
                .expect("fits");
        rows.iter().map(|row| generator.number(Id::new(0), *row)).collect::<Vec<_>>()
    };
    let last = Values::Sequential { start: i64::MAX, step: 1 };
    assert_eq!(numbers(last, &[0, 1, 2]), [i64::MAX, i64::MIN, i64::MIN + 1]);
    let back = Values::Sequential { start: i64::MIN, step: i64::MIN };
    assert_eq!(numbers(back, &[0, 1, 2]), [i64::MIN, 0, i64::MIN]);
    numbers(Values::Sequential { start: 0, step: i64::MIN }, &[u64::MAX]);
    numbers(Values::Period { start: i64::MIN, stop: i64::MAX }, &[0, u64::MAX]);
    numbers(Values::Uniform { low: i64::MIN, high: i64::MAX }, &[0, 1, u64::MAX]);
}

/// The published result: quantiles of a sample make ten regions whose loads differ by less than 2 %.
#[test]
fn sampled_regions_are_even() {
    let schema = schema("md5_sampled.yaml");
    let workload = workload(&schema, 200_000, 1);
    let generator = Generator::new(&schema, &workload).expect("a generator");
    let sample: Vec<Vec<u8>> = (0..50_000).map(|row| generator.key(4 * row).expect("a key")).collect();
    let regions = Regions::Sampled(Sampled { keys: String::new(), regions: 10 });
    let inputs = SplitInputs { sample: &sample, ..SplitInputs::default() };
    let split_keys = region::split_keys(&regions, inputs).expect("split keys");
    let counted = count(&schema, &workload, &split_keys, 2);
    let puts: Vec<u64> =
        (0..10).map(|region| counted.slices.iter().map(|slice| slice.puts[region]).sum()).collect();
    let (least, most) = (puts.iter().min().expect("regions"), puts.iter().max().expect("regions"));
    // A twentieth of the published sample: the deviation of a quantile grows with the square root.
    assert!(*most as f64 / *least as f64 <= 1.05, "{puts:?}");
}
