//! `rewrite` on files: what is written, what stays, and that no file is ever half of two texts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::help::root;
use crate::jobs::said;

const PROGRAM: &str = env!("CARGO_BIN_EXE_saltplan");

/// A query that is narrowed to one range.
const ONE: &str = "SELECT phone FROM trace.calls WHERE opera_day = 20200406 AND row_id = 'u1';\n";
const WHOLE: &str = "SELECT phone FROM trace.calls;\n";
const OTHER: &str = "SELECT 1 FROM other;\n";

struct Queries(tempfile::TempDir);

impl Queries {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let queries = Queries(tempfile::tempdir().expect("a folder"));
        for (name, text) in files {
            queries.write(name, text);
        }
        queries
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &[u8]) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.at(name)).expect("a file")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        let schemas = root().join("examples/rewrite");
        command.current_dir(self.0.path()).arg("rewrite").arg("--schemas").arg(schemas).args(arguments);
        command
    }

    /// Runs the command, which must end with this code and say these things.
    fn run(&self, arguments: &[&str], code: i32, says: &[&str]) -> Output {
        let output = self.command(arguments).output().expect("a run");
        let told = said(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
        for text in says {
            assert!(told.contains(text), "{arguments:?} does not say `{text}`: {told}");
        }
        output
    }

    /// Names below the folder that are not `known`.
    fn others(&self, known: &[&str]) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("the folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
        names.filter(|name| !known.contains(&name.as_str())).collect()
    }
}

/// The new text of [`ONE`].
fn one_range() -> String {
    let queries = Queries::new(&[("a.sql", ONE.as_bytes())]);
    let output = queries.run(&["a.sql"], 0, &["1 table narrowed to 1 range"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("`rowkey` = '01520200406u1'"), "{text}");
    text
}

#[test]
fn files_in_place() {
    let queries = Queries::new(&[
        ("a.hql", ONE.as_bytes()),
        ("sub/b.SQL", ONE.as_bytes()),
        ("sub/deep/other.sql", OTHER.as_bytes()),
        ("notes.txt", ONE.as_bytes()),
        (".hidden/c.hql", ONE.as_bytes()),
    ]);
    let other = fs::metadata(queries.at("sub/deep/other.sql")).expect("a file");
    set_mode(&queries.at("sub/b.SQL"), 0o640);
    let summary = "3 files, 2 with changes: 2 tables narrowed to 2 ranges; wrote 2 files";
    queries.run(&[".", "--in-place"], 0, &[summary]);
    let new = one_range();
    assert_eq!((queries.text("a.hql"), queries.text("sub/b.SQL")), (new.clone(), new.clone()));
    assert_eq!((&*queries.text("notes.txt"), &*queries.text(".hidden/c.hql")), (ONE, ONE));
    assert_eq!(mode(&queries.at("sub/b.SQL")), 0o640);
    // A file without changes is not written.
    let still = fs::metadata(queries.at("sub/deep/other.sql")).expect("a file");
    assert_eq!(still.modified().expect("a time"), other.modified().expect("a time"));
    // Rewritten once more, nothing changes, and a note says why.
    let again = ["the query reads the mapping table", "a file that was rewritten before needs no change"];
    queries.run(&["a.hql", "sub/b.SQL", "--in-place"], 0, &again);
    assert_eq!(queries.text("a.hql"), new);
    queries.run(&[".", "--check"], 0, &["3 files, 0 with changes"]);
    assert_eq!(queries.others(&["a.hql", "sub", "notes.txt", ".hidden"]), Vec::<String>::new());
}

/// Files that cannot be rewritten stay as they are, whatever is wrong with them, and the others are written.
#[test]
fn files_that_cannot_be_rewritten() {
    let utf16: Vec<u8> = WHOLE.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let with_mark = [&[0xff, 0xfe], utf16.as_slice()].concat();
    // Spaces and line breaks, so that only the zeros are wrong.
    let spaces: Vec<u8> = "\n \n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let large = vec![b' '; (16 << 20) + 1];
    let bad: [(&str, &[u8], &str); 8] = [
        ("nul.sql", b"SELECT 1\0 FROM trace.calls;", "`nul.sql` has a NUL character (byte 8)"),
        ("utf16.sql", &utf16, "`utf16.sql` is not UTF-8 text (byte 1)"),
        ("utf16_mark.sql", &with_mark, "`utf16_mark.sql` is not UTF-8 text (byte 0)"),
        ("utf16_spaces.sql", &spaces, "`utf16_spaces.sql` is not UTF-8 text (byte 0)"),
        ("latin1.sql", b"SELECT '\xe9' FROM trace.calls;", "`latin1.sql` is not UTF-8 text (byte 8)"),
        ("large.sql", &large, "cannot read `large.sql`: it is larger than 16 MiB"),
        ("open.sql", b"SELECT 1,\n  'a FROM trace.calls;", "--> open.sql:2:3"),
        ("prose.sql", b"SELECT 1;\n  Dear all,\n", "--> prose.sql:2:3"),
    ];
    let good: [(&str, &[u8]); 2] = [("a.sql", ONE.as_bytes()), ("z.sql", ONE.as_bytes())];
    for (name, bytes, message) in &bad {
        let queries = Queries::new(&[good[0], (name, bytes), good[1]]);
        // As the only file.
        queries.run(&[name, "--in-place"], 2, &[message]);
        let printed = queries.run(&[name], 2, &[message]);
        assert!(printed.stdout.is_empty(), "{name}");
        assert!(fs::read(queries.at(name)).expect("a file") == *bytes, "{name} has changed");
        // Together with other files.
        let last = ["1 file could not be rewritten", "the other files are not affected"];
        queries.run(&["a.sql", name, "z.sql", "--in-place"], 2, &[&[*message][..], &last].concat());
        assert!(fs::read(queries.at(name)).expect("a file") == *bytes, "{name} has changed");
        assert_eq!((queries.text("a.sql"), queries.text("z.sql")), (one_range(), one_range()), "{name}");
    }
}

#[test]
fn the_byte_order_mark_stays() {
    let text = format!("\u{feff}{ONE}");
    let queries = Queries::new(&[("a.sql", text.as_bytes())]);
    queries.run(&["a.sql", "--in-place"], 0, &[]);
    assert_eq!(queries.text("a.sql"), format!("\u{feff}{}", one_range()));
}

#[test]
fn texts_of_runtime() {
    let filled = "SELECT phone FROM trace.calls WHERE opera_day = ${day};\n";
    let queries = Queries::new(&[("one.sql", ONE.as_bytes()), ("filled.sql", filled.as_bytes())]);
    let unread = "no query has `${hivevar:dya}`, which `--runtime` names";
    queries.run(&["filled.sql", "--runtime", "hivevar:dya"], 0, &[unread]);
    let both =
        &["one.sql", "filled.sql", "-o", "out", "--runtime", "day=hivevar:day", "--runtime", "hivevar:dya"];
    let output = queries.run(both, 0, &[unread]);
    assert!(!said(&output).contains("`${hivevar:day}`, which"), "{}", said(&output));
    let with_format = ["filled.sql", "--runtime", "day:iso=${day}"];
    queries.run(&with_format, 2, &["has the form of the key", "write `--runtime day=${day}`"]);
}

#[test]
fn references_that_still_read_the_whole_table() {
    let queries = Queries::new(&[("whole.sql", WHOLE.as_bytes()), ("one.sql", ONE.as_bytes())]);
    let told = ["still reads the whole table", "--> whole.sql:1:19"];
    queries.run(&["whole.sql"], 1, &told);
    queries.run(&["whole.sql", "one.sql", "--in-place"], 1, &told);
    assert_eq!((&*queries.text("whole.sql"), queries.text("one.sql")), (WHOLE, one_range()));
    queries.run(&["whole.sql", "--allow-full-scan"], 0, &told);
    queries.run(&["whole.sql", "--check"], 1, &told);
    queries.run(&["whole.sql", "--check", "--allow-full-scan"], 0, &told);
}

#[test]
fn check_shows_what_would_change() {
    let queries = Queries::new(&[("q/one.sql", ONE.as_bytes()), ("q/other.hql", OTHER.as_bytes())]);
    let before = fs::metadata(queries.at("q/one.sql")).expect("a file").modified().expect("a time");
    let checked = queries.run(&["q", "--check"], 1, &["1 file out of date"]);
    let diff = String::from_utf8(checked.stdout).expect("text");
    let head = "--- q/one.sql\n+++ q/one.sql (new)\n@@ -1 +1,13 @@\n-SELECT phone FROM trace.calls WHERE";
    assert!(diff.starts_with(head), "{diff}");
    assert!(
        diff.contains("\n+    WHERE `rowkey` = '01520200406u1'\n") && !diff.contains("other.hql"),
        "{diff}"
    );
    assert_eq!(queries.text("q/one.sql"), ONE);
    assert_eq!(fs::metadata(queries.at("q/one.sql")).expect("a file").modified().expect("a time"), before);

    // Compared with the files of another folder, which is not created.
    let checked = queries.run(&["q", "-o", "out", "--check"], 1, &["2 files out of date"]);
    assert!(String::from_utf8_lossy(&checked.stdout).contains("+SELECT 1 FROM other;\n"));
    assert!(!queries.at("out").exists());
    queries.run(&["q", "-o", "out"], 0, &["wrote 2 files"]);
    queries.run(&["q", "-o", "out", "--check"], 0, &[]);
    queries.write("out/one.sql", one_range().replace("u1", "u2").as_bytes());
    let checked = queries.run(&["q", "-o", "out", "--check"], 1, &["1 file out of date"]);
    let diff = String::from_utf8(checked.stdout).expect("text");
    assert!(
        diff.starts_with("--- out/one.sql\n") && diff.contains("\n-    WHERE `rowkey` = '01520200406u2'\n")
    );
}

#[test]
fn results_do_not_overwrite_inputs() {
    let queries = Queries::new(&[("q/a.sql", ONE.as_bytes()), ("r/a.sql", ONE.as_bytes())]);
    queries.run(&["q/a.sql", "-o", "q/a.sql"], 2, &["is an input of this command"]);
    queries.run(&["q", "-o", "q"], 2, &["is an input of this command", "1 file could not be rewritten"]);
    queries.run(&["q", "r", "-o", "out"], 2, &["would both be written to `out/a.sql`"]);
    queries.run(&["q"], 2, &["several files cannot be written to standard output"]);
    queries.run(&["-", "--in-place"], 2, &["standard input cannot be replaced"]);
    fs::create_dir(queries.at("none")).expect("a folder");
    queries.run(&["none", "--in-place"], 2, &["there is no *.hql or *.sql file under `none`"]);
    assert_eq!((&*queries.text("q/a.sql"), &*queries.text("r/a.sql")), (ONE, ONE));
    // One file that cannot be written does not stop the others.
    queries.write("q/b.sql", OTHER.as_bytes());
    fs::create_dir_all(queries.at("out/a.sql")).expect("a folder");
    queries.run(&["q", "-o", "out"], 2, &["1 file could not be rewritten"]);
    assert_eq!(queries.text("out/b.sql"), OTHER);
}

#[cfg(unix)]
#[test]
fn links() {
    use std::os::unix::fs::symlink;

    let queries = Queries::new(&[
        ("q/a.sql", ONE.as_bytes()),
        ("q/sub/b.sql", OTHER.as_bytes()),
        ("elsewhere/c.sql", ONE.as_bytes()),
    ]);
    // A link that is named is followed and stays a link; without a repository it may lead anywhere.
    symlink("elsewhere/c.sql", queries.at("named.sql")).expect("a link");
    queries.run(&["named.sql", "--in-place"], 0, &["1 table narrowed"]);
    assert!(fs::symlink_metadata(queries.at("named.sql")).expect("a link").is_symlink());
    assert_eq!(queries.text("elsewhere/c.sql"), one_range());
    // Two names of one file in a folder: it is rewritten once.
    symlink("../a.sql", queries.at("q/sub/same.sql")).expect("a link");
    // A link to a folder and one that leads nowhere are left out.
    symlink("../elsewhere", queries.at("q/folder")).expect("a link");
    symlink("nowhere", queries.at("q/dangling.sql")).expect("a link");
    queries.run(&["q", "--in-place"], 0, &["2 files, 1 with changes"]);
    assert_eq!(queries.text("q/a.sql"), one_range());
    assert!(fs::symlink_metadata(queries.at("q/sub/same.sql")).expect("a link").is_symlink());
    // A link that leaves the folder: nothing at all is read, shown or replaced.
    queries.write("elsewhere/d.sql", ONE.as_bytes());
    queries.write("q/e.sql", ONE.as_bytes());
    symlink("../elsewhere/d.sql", queries.at("q/out.sql")).expect("a link");
    let told = ["`q/out.sql` is a symbolic link that leaves the folder `q`", "put the file itself there"];
    for way in [&["q", "--in-place"][..], &["q", "--check"], &["q", "-o", "new"], &["q", "--explain"]] {
        queries.run(way, 2, &told);
    }
    assert_eq!((&*queries.text("elsewhere/d.sql"), &*queries.text("q/e.sql")), (ONE, ONE));
    assert!(!queries.at("new").exists());
}

/// A link below the folder that is written is not followed out of it, and two files do not become one.
#[cfg(unix)]
#[test]
fn links_below_the_output_folder() {
    use std::os::unix::fs::symlink;

    let told = "is not written: a symbolic link leads out of the folder `out`";
    for (name, target) in [
        ("a.sql", "../elsewhere/c.sql"),
        ("a.sql", "../elsewhere/new.sql"),
        ("a.sql", "../.git/config"),
        ("a.sql", ".hidden.sql"),
        ("sub", "../elsewhere"),
        ("sub", "../new"),
    ] {
        let queries = Queries::new(&[
            ("q/a.sql", ONE.as_bytes()),
            ("q/sub/b.sql", ONE.as_bytes()),
            ("elsewhere/c.sql", OTHER.as_bytes()),
            (".git/config", OTHER.as_bytes()),
            ("out/.hidden.sql", OTHER.as_bytes()),
        ]);
        symlink(target, queries.at("out").join(name)).expect("a link");
        for way in [&["q", "-o", "out"][..], &["q", "-o", "out", "--check"]] {
            let output = queries.run(way, 2, &[told]);
            assert!(output.stdout.is_empty(), "{target}: {}", said(&output));
        }
        for kept in ["elsewhere/c.sql", ".git/config", "out/.hidden.sql"] {
            assert_eq!(queries.text(kept), OTHER, "{target}");
        }
        assert!(!queries.at("elsewhere/new.sql").exists() && !queries.at("new").exists(), "{target}");
    }
    let queries = Queries::new(&[("q/a.sql", ONE.as_bytes()), ("q/b.sql", OTHER.as_bytes())]);
    queries.write("out/b.sql", b"");
    symlink("b.sql", queries.at("out/a.sql")).expect("a link");
    queries.run(&["q", "-o", "out"], 2, &["would both be written to `out/b.sql`"]);
    // Inside of the folder a link is followed, and stays.
    fs::remove_file(queries.at("q/b.sql")).expect("its end");
    queries.run(&["q", "-o", "out"], 0, &[]);
    assert_eq!(queries.text("out/b.sql"), one_range());
    assert!(fs::symlink_metadata(queries.at("out/a.sql")).expect("a link").is_symlink());
    // The file of `-o` is the user's choice, whatever it is.
    symlink("../made.sql", queries.at("out/c.sql")).expect("a link");
    queries.run(&["q/a.sql", "-o", "out/c.sql"], 0, &[]);
    assert_eq!(queries.text("made.sql"), one_range());
}

/// Whenever the command is ended, each file has its old text or its new one.
#[cfg(unix)]
#[test]
fn interrupted_runs_leave_whole_files() {
    const FILES: usize = 300;
    let name = |number: usize| format!("q/{number:04}.sql");
    let new = one_range();
    for (signal, code) in [("INT", Some(1)), ("KILL", None)] {
        let queries = Queries::new(&[]);
        (0..FILES).for_each(|number| queries.write(&name(number), ONE.as_bytes()));
        let mut command = queries.command(&["q", "--in-place"]);
        command.stderr(std::process::Stdio::null());
        let mut child = command.spawn().expect("a run");
        let begun = std::time::Instant::now();
        while queries.text(&name(0)) == ONE {
            assert!(begun.elapsed().as_secs() < 60, "nothing is written");
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
        assert!(sent.expect("kill").success());
        let status = child.wait().expect("its end");
        assert_eq!(status.code(), code, "{signal}");
        let texts: Vec<String> = (0..FILES).map(|number| queries.text(&name(number))).collect();
        assert!(texts.iter().all(|text| *text == new || *text == ONE), "{signal}: a file is broken");
        let written = texts.iter().filter(|text| **text == new).count();
        assert!((1..FILES).contains(&written), "{signal}: {written} files were written");
        // The next run does the rest.
        queries.run(&["q", "--in-place"], 0, &[&format!("{} with changes", FILES - written)]);
        assert!((0..FILES).all(|number| queries.text(&name(number)) == new));
    }
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).expect("a file").permissions().mode() & 0o777
}
