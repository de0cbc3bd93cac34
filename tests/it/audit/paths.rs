//! The command with all kinds of files: several paths to one file, links, unusual names, files that must not
//! change.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// One warning that `--fix` fixes: a suppression without a finding.
const FIXABLE: &str = "\
saltplan: 1
hbase: { table: 't', families: { f: {} } }
key: { fields: [{ name: id, type: string, width: 8, chars: alnum }] }    # saltplan: ignore[SP107] no salt here
";

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a scratch folder")
}

fn audit<A: AsRef<OsStr>>(folder: &Path, arguments: &[A]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_saltplan"));
    command.current_dir(folder).arg("audit").args(["--output-format", "concise"]).args(arguments);
    command.stdin(Stdio::null()).output().expect("a run")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_file_under_several_paths_is_audited_once() {
    let folder = folder();
    fs::create_dir(folder.path().join("sub")).expect("a folder");
    fs::write(folder.path().join("sub/a.yaml"), FIXABLE).expect("a file");
    let whole = folder.path().join("sub/a.yaml");
    let found = audit(folder.path(), &[Path::new("sub/../sub/a.yaml"), &whole, Path::new("sub")]);
    assert!(stderr(&found).contains("1 file: 1 warning"), "{}", stderr(&found));
}

#[test]
fn nothing_changes_when_a_file_is_read_only() {
    let folder = folder();
    let (first, second) = (folder.path().join("a.yaml"), folder.path().join("b.yaml"));
    fs::write(&first, FIXABLE).expect("a file");
    fs::write(&second, FIXABLE).expect("a file");
    let mut permissions = fs::metadata(&second).expect("its data").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&second, permissions).expect("its permissions");
    let output = audit(folder.path(), &["--fix", "."]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`./b.yaml` is read-only"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(&first).expect("the file"), FIXABLE);
}

#[test]
fn a_fix_keeps_line_ends_and_byte_order_marks() {
    let folder = folder();
    let path = folder.path().join("a.yaml");
    fs::write(&path, format!("\u{feff}{}", FIXABLE.replace('\n', "\r\n"))).expect("a file");
    let output = audit(folder.path(), &["--fix", "a.yaml"]);
    assert!(stderr(&output).contains("made 1 fix\n"), "{}", stderr(&output));
    let mended = fs::read_to_string(&path).expect("the file");
    assert!(mended.starts_with('\u{feff}') && mended.ends_with("] }\r\n"), "{mended:?}");
    assert_eq!(mended.matches('\n').count(), mended.matches("\r\n").count());
}

#[test]
fn standard_input_is_not_fixed() {
    let output = audit(Path::new("."), &["--fix", "-"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("standard input cannot be fixed"), "{}", stderr(&output));
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_saltplan"))
        .args(["generate", "rules"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a run");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("its end");
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
}

#[cfg(unix)]
#[test]
fn links_and_odd_names() {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    let folder = folder();
    let odd = folder.path().join(OsStr::from_bytes(b"not \xff text %20.yaml"));
    fs::write(&odd, FIXABLE).expect("a file");
    symlink(".", folder.path().join("loop")).expect("a link");
    symlink("nowhere.yaml", folder.path().join("dangling.yaml")).expect("a link");
    symlink(&odd, folder.path().join("link.yaml")).expect("a link");
    let found = audit(folder.path(), &["."]);
    assert!(stderr(&found).contains("1 file: 1 warning"), "{}", stderr(&found));
    assert!(stdout(&found).starts_with("./link.yaml:3:"), "{}", stdout(&found));
    let mended = audit(folder.path(), &[OsStr::new("--fix"), odd.as_os_str()]);
    assert_eq!(mended.status.code(), Some(0), "{}", stderr(&mended));
}
