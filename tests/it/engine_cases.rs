//! The cases of the engine suite are printed or refused as expected, so that a changed rule is noticed
//! without a lab.

use std::path::{Path, PathBuf};
use std::process::Command;

use saltplan_law::sample::sampled;

/// A case of `tests/engines/layouts` or `tests/engines/cases`, as far as the command determines its result.
#[derive(Default)]
struct Case {
    name: String,
    predicate: String,
    arguments: Vec<String>,
    prints: String,
    refuses: String,
    runs_in_hive: bool,
}

#[test]
fn scans_of_the_layouts_are_printed() {
    let mut wrong = Vec::new();
    for (schema, case) in sampled(read("layouts"), 3) {
        let (printed, failed) = run("scan", &schema, &case, &case.arguments);
        if !failed.is_empty() || !printed.contains(&case.prints) {
            wrong.push(format!("{schema}, {}: scan\n{printed}{failed}", case.name));
        }
        let (_, failed) = match (case.runs_in_hive, case.refuses.is_empty()) {
            (false, true) => continue,
            _ => run("plan", &schema, &case, &case.arguments),
        };
        if !failed.contains(&case.refuses) || (case.refuses.is_empty() && !failed.is_empty()) {
            wrong.push(format!("{schema}, {}: plan\n{failed}", case.name));
        }
    }
    assert_eq!(Vec::<String>::new(), wrong);
}

#[test]
fn statements_of_the_cases_are_printed() {
    let mut wrong = Vec::new();
    for (schema, case) in read("cases") {
        let (_, failed) = run("plan", &schema, &case, &case.arguments);
        if !failed.is_empty() {
            wrong.push(format!("{schema}, {}: plan\n{failed}", case.name));
        }
    }
    assert_eq!(Vec::<String>::new(), wrong);
}

/// What is printed, and the errors.
fn run(command: &str, schema: &str, case: &Case, arguments: &[String]) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_saltplan"))
        .args([command, schema, &case.predicate])
        // The suite gives it, too: its targets have only the rows of one case.
        .args((command == "plan").then_some("--allow-partial"))
        .args(arguments)
        .output()
        .expect("a run");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let failed = if output.status.success() { String::new() } else { text(&output.stderr) };
    (text(&output.stdout), failed)
}

/// The cases of a folder, with the schema of their file.
fn read(folder: &str) -> Vec<(String, Case)> {
    let folder = Path::new("tests/engines").join(folder);
    let mut paths: Vec<PathBuf> =
        folder.read_dir().expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    let mut cases = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a file");
        let mut schema = String::new();
        for line in text.lines().map(str::trim) {
            if let Some(name) = line.strip_prefix("case ") {
                cases.push((schema.clone(), Case { name: name.to_owned(), ..Case::default() }));
                continue;
            }
            let Some((name, value)) = line.split_once(": ") else { continue };
            match (name, cases.last_mut()) {
                ("schema", _) => value.clone_into(&mut schema),
                ("predicate", Some((_, case))) => value.clone_into(&mut case.predicate),
                ("arguments", Some((_, case))) => {
                    case.arguments = value.split_whitespace().map(str::to_owned).collect();
                }
                ("prints", Some((_, case))) => value.clone_into(&mut case.prints),
                ("refuses", Some((_, case))) => value.clone_into(&mut case.refuses),
                ("hive", Some((_, case))) => case.runs_in_hive = true,
                _ => {}
            }
        }
    }
    assert!(cases.len() > 20, "{} cases", cases.len());
    assert!(cases.iter().all(|(schema, case)| !schema.is_empty() && !case.predicate.is_empty()));
    cases
}
