//! The programs of `saltplan generate reader` in Python, over a table in memory instead of HBase: every case
//! of `testdata/reader_programs.txt`, and random conditions on text columns, checked by the oracle of
//! saltplan-law. `tests/engines` runs the programs with HBase, also those in Java.

use std::fs;
use std::process::Command;

use saltplan_core::{PlanOptions, Table};
use saltplan_generate::sample::Random;
use saltplan_generate::{GenerateError, Reader, ReaderLanguage, templates};
use saltplan_law::sql::{self, V};

use super::reader_cases::{self, Case};
use super::{folder, root, run};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The table for tests/writers/happybase.py: a line for each row, the key and its cells in hex.
fn table(case: &Case) -> String {
    let line = |row: &reader_cases::Row| {
        let cell = row.cell.as_ref().map(|cell| format!(" {}={}", hex(b"f:v"), hex(cell.as_bytes())));
        format!("{}{}\n", hex(&row.key), cell.unwrap_or_default())
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

/// Conditions of the random test.
const CONDITIONS: usize = 300;
const TEXTS: [&str; 6] = ["", "a", "ab", "b", "é", "😀"];

/// A random condition on the text columns `v` and `w`.
fn condition(random: &mut Random, depth: usize) -> String {
    if depth > 0 && random.below(4) > 0 {
        let mut part = || condition(random, depth - 1);
        let (one, other) = (part(), part());
        let truth = ["TRUE", "NOT TRUE", "FALSE", "NOT FALSE"][random.below(4)];
        return match random.below(8) {
            0..3 => format!("({one} AND {other})"),
            3..6 => format!("({one} OR {other})"),
            6 => format!("NOT ({one})"),
            _ => format!("(({one}) IS {truth})"),
        };
    }
    let column = ["v", "w"][random.below(2)];
    let [one, other] = [random.below(TEXTS.len()), random.below(TEXTS.len())].map(|place| TEXTS[place]);
    let op = ["=", "<>", "<", "<=", ">", ">="][random.below(6)];
    let not = ["", "NOT "][random.below(2)];
    match random.below(7) {
        0..3 => format!("{column} {op} '{one}'"),
        3 => format!("'{one}' {op} {column}"),
        4 => format!("{column} {not}IN ('{one}', '{other}')"),
        5 => format!("{column} {not}BETWEEN '{one}' AND '{other}'"),
        _ => format!("{column} IS {not}NULL"),
    }
}

#[test]
fn checks_are_those_of_the_oracle() {
    let table = Table::from_yaml(
        "saltplan: 1
hbase: { table: t, families: { f: {} } }
key:
  fields: [{ name: day, type: date, format: yyyyMMdd }, { name: id, type: string }]
columns: [{ name: v, type: string, hbase: 'f:v' }, { name: w, type: string, hbase: 'f:w' }]
",
    );
    let table = table.expect("a table");
    let cells: Vec<Option<&str>> = TEXTS.iter().map(|text| Some(*text)).chain([None]).collect();
    let rows: Vec<(String, [Option<&str>; 2])> = (0..cells.len() * cells.len())
        .map(|place| {
            (format!("20200406{place:02}"), [cells[place % cells.len()], cells[place / cells.len()]])
        })
        .collect();
    let folder = folder("checks");
    fs::copy(root().join("tests/writers/happybase.py"), folder.join("happybase.py")).expect("a copy");
    let line = |(key, cells): &(String, [Option<&str>; 2])| {
        let cell = |(name, text): (&str, Option<&str>)| {
            text.map(|text| format!(" {}={}", hex(format!("f:{name}").as_bytes()), hex(text.as_bytes())))
        };
        let cells: String = ["v", "w"].into_iter().zip(*cells).filter_map(cell).collect();
        format!("{}{cells}\n", hex(key.as_bytes()))
    };
    fs::write(folder.join("t.table"), rows.iter().map(line).collect::<String>()).expect("a table");

    let mut random = Random(11);
    let mut expected = Vec::new();
    let options = PlanOptions::accepting_all();
    let templates = templates(None);
    for number in 0..CONDITIONS {
        let condition = condition(&mut random, 3);
        let predicate = format!("day = 20200406 AND {condition}");
        let planned = table.plan_with(&predicate, &[].into(), &options).expect("a plan");
        let program = Reader::new(ReaderLanguage::Python).print(&table, &planned, &templates);
        let program = match program {
            // For a long condition the planner leaves everything to the residual, and a condition on the day
            // has no code.
            Err(GenerateError::Refused { code: "residual", reason, .. })
                if reason.contains("day = 20200406") =>
            {
                continue;
            }
            program => program.unwrap_or_else(|error| panic!("{predicate}: {error}")),
        };
        fs::write(folder.join(format!("r_{number}.py")), program.text).expect("a program");
        let tree = sql::parse(&condition);
        let holds = |(_, cells): &&(String, [Option<&str>; 2])| {
            let value = |text: Option<&str>| text.map_or(V::Null, |text| V::Text(text.into()));
            let values =
                ["v", "w"].into_iter().zip(*cells).map(|(name, text)| (name.to_string(), value(text)));
            sql::holds(&tree, &sql::Row { values: &values.collect::<Vec<_>>(), zone: None })
        };
        let keys: Vec<String> = rows.iter().filter(holds).map(|(key, _)| hex(key.as_bytes())).collect();
        expected.push((number.to_string(), predicate, keys));
    }
    let names = expected.iter().map(|(name, ..)| name);
    let printed = run(Command::new("python3").arg("happybase.py").args(names).current_dir(&folder));
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), expected.len());
    for ((_, predicate, keys), line) in expected.iter().zip(lines) {
        let found: Vec<&str> = line.split_whitespace().skip(3).collect();
        assert_eq!(found, *keys, "{predicate}");
    }
    let some = expected.iter().filter(|(.., keys)| !keys.is_empty() && keys.len() < rows.len()).count();
    assert!(some > CONDITIONS / 2, "{some} conditions distinguish rows");
}
