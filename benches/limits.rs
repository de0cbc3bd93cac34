//! How the time of the command grows with its input, up to the limits: each size is twice the previous one,
//! and the time should double, too. Times are milliseconds of a process.

#![expect(clippy::expect_used, reason = "a benchmark fails by panicking")]

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use divan::Bencher;

fn main() {
    divan::main();
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas/examples").join(name)
}

/// Times one call, which must succeed.
fn call(bencher: Bencher<'_, '_>, arguments: &[&str]) {
    ends_with(bencher, 0, arguments);
}

fn ends_with(bencher: Bencher<'_, '_>, code: i32, arguments: &[&str]) {
    let run = || {
        let output = Command::new(env!("CARGO_BIN_EXE_saltplan")).args(arguments).output();
        let output = output.expect("the command");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
    };
    bencher.bench(run);
}

fn explained(bencher: Bencher<'_, '_>, schema: &Path, predicate: &str) {
    explained_with(bencher, 0, schema, predicate);
}

fn explained_with(bencher: Bencher<'_, '_>, code: i32, schema: &Path, predicate: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("predicate");
    fs::write(&file, predicate).expect("a writable folder");
    let at = format!("@{}", file.display());
    ends_with(bencher, code, &["explain", schema.to_str().expect("a path"), &at]);
}

fn joined(count: usize, separator: &str, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect::<Vec<_>>().join(separator)
}

/// An AND of ORs on columns.
#[divan::bench(args = [100, 200, 400, 800], sample_count = 5)]
fn and_of_ors(bencher: Bencher<'_, '_>, count: usize) {
    let ors = joined(count, " AND ", |number| format!("(row_id = '{number}' OR phone_number = '{number}')"));
    explained(bencher, &example("md5_nibble_day.yaml"), &format!("opera_day = 20200406 AND {ors}"));
}

/// Patterns on a column after one day: all of them stay in the residual.
#[divan::bench(args = [250, 500, 1000, 2000], sample_count = 5)]
fn likes(bencher: Bencher<'_, '_>, count: usize) {
    let likes = joined(count, " OR ", |number| format!("phone_number LIKE '%{number}_'"));
    explained(bencher, &example("md5_nibble_day.yaml"), &format!("opera_day = 20200406 AND ({likes})"));
}

/// Values that each cause a warning: dates with too few digits.
#[divan::bench(args = [875, 1750, 3500, 7000], sample_count = 5)]
fn warnings(bencher: Bencher<'_, '_>, count: usize) {
    let values = joined(count, ", ", |number| (200_000 + number).to_string());
    explained(bencher, &example("md5_nibble_day.yaml"), &format!("opera_day IN ({values})"));
}

/// Unknown names, each an error.
#[divan::bench(args = [687, 1375, 2750, 5500], sample_count = 5)]
fn errors(bencher: Bencher<'_, '_>, count: usize) {
    let names = joined(count, " OR ", |number| format!("x{number}=1"));
    explained_with(bencher, 2, &example("md5_nibble_day.yaml"), &names);
}

/// Days of a list, as SQL: the statement grows to several megabytes.
#[divan::bench(args = [64, 128, 256, 512], sample_count = 5)]
fn printed_statement(bencher: Bencher<'_, '_>, count: usize) {
    let day =
        |index: usize| format!("{}{:02}{:02}", 2000 + index / 168, index / 14 % 12 + 1, index % 14 * 2 + 1);
    let predicate = format!("opera_day IN ({})", joined(count, ", ", day));
    let schema = example("md5_nibble_day.yaml");
    let schema = schema.to_str().expect("a path");
    call(bencher, &["plan", schema, &predicate, "--max-branches", "65536", "--max-bytes", "100000000"]);
}

/// The declared values of a field.
#[divan::bench(args = [10_000, 20_000, 40_000, 80_000], sample_count = 5)]
fn declared_values(bencher: Bencher<'_, '_>, count: usize) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let schema = folder.path().join("values.yaml");
    let values = joined(count, ", ", |number| format!("v{number:06}"));
    let text = format!(
        "saltplan: 1\nhbase: {{ table: t, families: {{ f: {{}} }} }}\n\
         key: {{ fields: [{{ name: v, type: string, values: [{values}] }}] }}\n"
    );
    fs::write(&schema, text).expect("a writable folder");
    explained(bencher, &schema, "v >= 'v000005' AND v < 'v000100'");
}

/// Regions of a table, one per salt.
#[divan::bench(args = [4, 8, 12, 16], sample_count = 5)]
fn simulated_regions(bencher: Bencher<'_, '_>, bits: u32) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let schema = folder.path().join("regions.yaml");
    let text = format!(
        "saltplan: 1\nhbase: {{ table: t, families: {{ f: {{}} }} }}\n\
         key:\n  salt: {{ md5: {{ of: key, first_hex_digits: {}, write: hex }} }}\n\
         \x20 fields: [{{ name: id, type: string, chars: alnum }}]\nregions: {{ per_salt: {{}} }}\n",
        bits / 4
    );
    fs::write(&schema, text).expect("a writable folder");
    call(bencher, &["simulate", schema.to_str().expect("a path"), "--keys", "100"]);
}

/// Generated keys for `grow`.
#[divan::bench(args = [50_000, 100_000, 200_000, 400_000], sample_count = 5)]
fn growth_by_keys(bencher: Bencher<'_, '_>, keys: usize) {
    let schema = example("modulo_partition.yaml");
    let keys = keys.to_string();
    let schema = schema.to_str().expect("a path");
    call(bencher, &["grow", schema, "--for", "7d", "--rows-per-day", "1M", "--keys", &keys]);
}

/// Properties of an hbase-site.xml.
#[divan::bench(args = [2_000, 4_000, 8_000, 16_000], sample_count = 5)]
fn properties(bencher: Bencher<'_, '_>, count: usize) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("hbase-site.xml");
    let mut site = String::from("<configuration>\n");
    for number in 0..count {
        let _ = writeln!(site, "<property><name>p{number}</name><value>{number}</value></property>");
    }
    site.push_str("</configuration>\n");
    fs::write(&file, site).expect("a writable folder");
    let (schema, file) = (example("modulo_partition.yaml"), file.to_str().expect("a path").to_string());
    let schema = schema.to_str().expect("a path");
    let arguments = ["grow", schema, "--for", "1d", "--rows-per-day", "10", "--keys", "10", "--hbase-site"];
    call(bencher, &[&arguments[..], &[&file]].concat());
}
