//! The programs of `saltplan generate reader` in Python, over a table in memory instead of HBase: every case of
//! testdata/reader_programs.txt. `tests/engines` runs the programs with HBase, also those in Java.

use std::fs;
use std::process::Command;

use super::reader_cases::{self, Case};
use super::{folder, root, run};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The table for tests/writers/happybase.py: a line for each row, the key and the cell in hex.
fn table(case: &Case) -> String {
    let line = |row: &reader_cases::Row| {
        let cell = row.cell.as_ref().map_or("-".into(), |cell| format!("={}", hex(cell.as_bytes())));
        format!("{} {cell}\n", hex(&row.key))
    };
    case.rows.iter().map(line).collect()
}

#[test]
fn readers_in_python() {
    let folder = folder("readers");
    fs::copy(root().join("tests/writers/happybase.py"), folder.join("happybase.py")).expect("a copy");
    let cases = reader_cases::read(root());
    assert!(cases.len() >= 8, "{}", cases.len());
    for case in &cases {
        let schema = folder.join(format!("{}.yaml", case.name));
        fs::write(&schema, &case.yaml).expect("a schema");
        let mut saltplan = Command::new(env!("CARGO_BIN_EXE_saltplan"));
        saltplan.args(["generate", "reader", "--lang", "python", "--allow-empty", "--allow-full-scan"]);
        let program = run(saltplan.arg(schema).arg(&case.predicate));
        fs::write(folder.join(format!("r_{}.py", case.name)), program).expect("a program");
        fs::write(folder.join(format!("{}.table", case.table())), table(case)).expect("a table");
    }
    let names = cases.iter().map(|case| &case.name);
    let printed = run(Command::new("python3").arg("happybase.py").args(names).current_dir(&folder));
    let expected = cases.iter().map(|case| {
        let keys: Vec<String> = case.expected().iter().map(|key| hex(key)).collect();
        format!("{} reads {}: {}\n", case.name, case.reads, keys.join(" "))
    });
    let expected: String = expected.map(|line| line.replace(": \n", ":\n")).collect();
    assert_eq!(printed.replace(": \n", ":\n"), expected);
}
