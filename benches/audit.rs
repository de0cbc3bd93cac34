//! The audit of a thousand schema files.

#![expect(clippy::expect_used, reason = "a benchmark fails by panicking")]

use std::fs;
use std::path::Path;

use divan::Bencher;
use saltplan_lint::run::audit_files;
use saltplan_lint::walk;

fn main() {
    divan::main();
}

/// The examples and the schemas of the tests, repeated, in a folder with the sample keys that one of them
/// needs.
fn thousand_files(folder: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let examples = root.join("schemas/examples");
    fs::copy(examples.join("keys.txt"), folder.join("keys.txt")).expect("a writable folder");
    let schemas = walk::files(&[examples, root.join("tests/testdata/schemas")]).expect("the schemas");
    for (number, schema) in schemas.iter().cycle().take(1_000).enumerate() {
        fs::copy(&schema.path, folder.join(format!("{number:04}.yaml"))).expect("a writable folder");
    }
}

/// Finding and reading the files, and checking all rules; the time is for 1,000 files.
#[divan::bench(sample_count = 20)]
fn thousand_schemas(bencher: Bencher<'_, '_>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    thousand_files(folder.path());
    bencher.bench(|| {
        let files = walk::files(&[folder.path().to_path_buf()]).expect("readable files");
        let found = audit_files(&files, &|_| true);
        assert_eq!(found.reports.len(), 1_000);
        found
    });
}
