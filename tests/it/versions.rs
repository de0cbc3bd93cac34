//! Old versions of schema files, from git: for `diff` and for `report --base`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const SCHEMA: &str = "\
saltplan: 1
hbase: { table: t, families: { f: {} } }
key: { fields: [{ name: id, type: string, width: 4 }] }
";

fn git(folder: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .output()
        .expect("git");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn saltplan(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_saltplan"));
    command.current_dir(folder).args(arguments).output().expect("a run")
}

fn said(output: &Output) -> String {
    [&output.stdout[..], &output.stderr[..]].map(String::from_utf8_lossy).concat()
}

/// A repository with a schema in a folder, which has changed since the last commit, and a new one.
fn repository() -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    fs::create_dir(folder.join("schemas")).expect("a folder");
    fs::write(folder.join("schemas/a.yaml"), SCHEMA).expect("a file");
    git(folder, &["init", "--quiet"]);
    git(folder, &["add", "."]);
    git(folder, &["commit", "--quiet", "-m", "one"]);
    fs::write(folder.join("schemas/a.yaml"), SCHEMA.replace("width: 4", "width: 5")).expect("a file");
    fs::write(folder.join("schemas/b.yaml"), SCHEMA.replace("table: t", "table: u")).expect("a file");
    place
}

#[test]
fn a_single_file_is_compared_with_the_last_commit() {
    let place = repository();
    let inside = place.path().join("schemas");
    let absolute = inside.join("a.yaml").display().to_string();
    for (folder, file) in [
        (place.path(), "schemas/a.yaml"),
        (place.path(), "./schemas/a.yaml"),
        (&inside, "a.yaml"),
        (&inside, "../schemas/a.yaml"),
        (&inside, &absolute),
    ] {
        let run = saltplan(folder, &["diff", file]);
        assert_eq!(run.status.code(), Some(1), "{file}: {}", said(&run));
        assert!(said(&run).contains("key.fields.id.width"), "{file}: {}", said(&run));
    }
    let run = saltplan(place.path(), &["diff", "schemas"]);
    assert!(said(&run).contains("b.yaml"), "{}", said(&run));
    let outside = tempfile::tempdir().expect("a folder");
    let run = saltplan(outside.path(), &["diff", &absolute]);
    assert_eq!(run.status.code(), Some(2));
    assert!(said(&run).contains("write both versions"), "{}", said(&run));
}

#[test]
fn the_name_of_a_revision_is_no_file() {
    let place = repository();
    let run = saltplan(place.path(), &["diff", "HEAD", "schemas/a.yaml"]);
    assert_eq!(run.status.code(), Some(2));
    assert!(said(&run).contains("did you mean `git:HEAD:./schemas/a.yaml`?"), "{}", said(&run));
    let run = saltplan(place.path(), &["diff", "git:HEAD:./schemas/a.yaml", "schemas/a.yaml"]);
    assert_eq!(run.status.code(), Some(1), "{}", said(&run));
    let run = saltplan(place.path(), &["diff", "git:HEAD:schemas/a.yaml"]);
    assert!(said(&run).contains("the new version is missing"), "{}", said(&run));
}

#[test]
fn a_page_of_a_folder_has_the_changes_of_each_file() {
    let place = repository();
    let run = saltplan(place.path(), &["report", "schemas", "--base", "git:HEAD:schemas", "-o", "x.html"]);
    assert_eq!(run.status.code(), Some(0), "{}", said(&run));
    assert!(said(&run).contains("has no `b.yaml`"), "{}", said(&run));
    let page = fs::read_to_string(place.path().join("x.html")).expect("a page");
    assert!(page.contains("git:HEAD:schemas/a.yaml") && !page.contains("git:HEAD:schemas/b.yaml"));
    let run = saltplan(place.path(), &["report", "schemas", "--base", "git:HEAD:schemas/a.yaml"]);
    assert!(said(&run).contains("is a folder, and `git:HEAD:schemas/a.yaml` is not"), "{}", said(&run));
}
