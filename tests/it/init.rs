//! First schemas from sample keys: `testdata/init/*.txt` hold row keys of the examples; what is guessed reads all of them and
//! passes the audit.

use std::path::Path;
use std::process::Command;

#[test]
fn guessed_schemas_read_their_keys_and_pass_the_audit() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/init");
    let mut samples = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder of the samples") {
        let keys = entry.expect("a readable entry").path();
        if keys.extension().is_none_or(|end| end != "txt") {
            continue;
        }
        samples += 1;
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let schema = scratch.path().join("schema.yaml");
        let (schema, keys) = (schema.to_string_lossy().into_owned(), keys.to_string_lossy().into_owned());
        run(&["init", "--table", "t:x", "--from-keys", &keys, "-o", &schema]);
        run(&["audit", &schema]);
        let decoded = run(&["key", "decode", &schema, "--input", &keys]);
        let lines = std::fs::read_to_string(&keys).expect("the sample").lines().count();
        assert_eq!(decoded.lines().count(), lines, "{keys}");
    }
    assert!(samples >= 9, "only {samples} samples");
}

/// The output of a run that must end with 0.
fn run(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_saltplan")).args(arguments).output().expect("a run");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
