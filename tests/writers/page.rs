//! The programs of docs/writers.md, and that in Scala of docs/java.md.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{folder, root, run};

/// The blocks of a page in a language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let start = format!("\n```{language}\n");
    page.split(&start)
        .skip(1)
        .map(|part| part.split("\n```").next().unwrap_or_default().to_string())
        .collect()
}

/// Runs the command of a page that writes the class of a language to the folder, and returns the page's
/// program.
fn program(page: &str, class: &str, language: &str, folder: &Path) -> String {
    let page = fs::read_to_string(root().join("docs").join(page)).expect("the page");
    let commands = blocks(&page, "console").join("\n");
    let is_wanted = |line: &&str| line.contains(&format!("--lang {class}")) && line.contains(" -o ");
    let command = commands.lines().find(is_wanted).expect("a command").trim_start_matches("$ ");
    let (command, file) = command.split_once(" -o ").expect("a file");
    let arguments = command.split_whitespace().skip(1);
    let mut saltplan = Command::new(env!("CARGO_BIN_EXE_saltplan"));
    let text = run(saltplan.args(arguments).current_dir(root()));
    fs::write(folder.join(file.trim()), text).expect("a class");
    let [program] = blocks(&page, language).try_into().expect("one program");
    program
}

#[test]
fn the_python_program_of_the_page() {
    let folder = folder("page_python");
    fs::write(folder.join("program.py"), program("writers.md", "python", "python", &folder))
        .expect("a program");
    run(Command::new("python3").arg("program.py").current_dir(&folder));
}

#[test]
fn the_java_program_of_the_page() {
    let folder = folder("page_java");
    fs::write(folder.join("Program.java"), program("writers.md", "java", "java", &folder))
        .expect("a program");
    run(Command::new("javac").args(["CallsKey.java", "Program.java"]).current_dir(&folder));
    run(Command::new("java").args(["-cp", ".", "Program"]).current_dir(&folder));
}

/// The compiler is fetched once.
#[test]
fn the_scala_program_of_the_page() {
    let folder = folder("page_scala");
    let jars = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scala");
    if !jars.exists() {
        let pom = root().join("tests/writers/scala/pom.xml");
        let output = format!("-DoutputDirectory={}", jars.display());
        run(Command::new("mvn")
            .args(["-B", "-q", "-f"])
            .arg(pom)
            .args(["dependency:copy-dependencies", &output]));
    }
    fs::write(folder.join("Program.scala"), program("java.md", "java", "scala", &folder)).expect("a program");
    run(Command::new("javac").arg("CallsKey.java").current_dir(&folder));
    let jars = format!("{}/*", jars.display());
    let scala = ["scala.tools.nsc.Main", "-usejavacp", "-cp", ".", "-d", ".", "Program.scala"];
    run(Command::new("java").args(["-cp", &jars]).args(scala).current_dir(&folder));
    run(Command::new("java").args(["-cp", &format!("{jars}:."), "Program"]).current_dir(&folder));
}
