//! Output files: no input is lost, no link or owner changes, and nothing is half written.

use std::fs;

use super::{saltplan, write};

const SCHEMA: &str = "\
saltplan: 1
hbase: { table: t, families: { f: {} } }
key: { fields: [{ name: id, type: string, width: 8, chars: digits }] }
regions: { sampled: { keys: keys.txt, regions: 2 } }
columns: [{ name: c, type: string, hbase: 'f:c' }]
hive: { mapping: { table: m, key_column: rowkey }, target: { table: t } }
";

const KEYS: &str = "00000001\n50000002\n";

#[test]
fn no_input_is_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let files = [
        ("s.yaml", SCHEMA),
        ("keys.txt", KEYS),
        ("rows.jsonl", "{\"id\":\"00000001\"}\n"),
        ("params", "id=00000001\n"),
        ("predicate", "id = :id"),
        ("dump.txt", "{\"Region\":[{\"startKey\":\"\",\"name\":\"t,,1.x.\"}]}"),
        ("accept", "regions\n"),
        ("site.xml", "<configuration/>"),
        ("counts", "start_row\trow_count\tshortest\tkey_bytes\tlongest\n-\t1\t8\t8\t8\n"),
        ("T/hive/union_all.sql", "{{ mapping }}"),
    ];
    files.iter().for_each(|(name, text)| write(at, name, text));
    #[cfg(unix)]
    std::os::unix::fs::symlink("s.yaml", at.join("link.yaml")).expect("a link");
    fs::hard_link(at.join("keys.txt"), at.join("other_name")).expect("a link");
    let predicate = "@predicate --params-file params --select";
    for command in [
        "ddl s.yaml -o s.yaml",
        "ddl s.yaml -o ./T/../s.yaml",
        "ddl s.yaml -o link.yaml",
        "ddl s.yaml -o keys.txt",
        "ddl s.yaml -o other_name",
        "splits s.yaml --output keys.txt",
        "splits s.yaml --from-keys keys.txt -o keys.txt",
        "splits --from-splits keys.txt -o keys.txt",
        &format!("plan s.yaml {predicate} -o s.yaml"),
        &format!("plan s.yaml {predicate} -o params"),
        &format!("plan s.yaml {predicate} -o predicate"),
        &format!("plan s.yaml {predicate} -o keys.txt"),
        &format!("plan s.yaml {predicate} --templates T -o T/hive/union_all.sql"),
        "key encode s.yaml --input rows.jsonl -o rows.jsonl",
        "key decode s.yaml --input keys.txt -o keys.txt",
        "simulate s.yaml --keys-from keys.txt -o keys.txt",
        "simulate s.yaml --keys-from keys.txt --svg keys.txt",
        "simulate s.yaml --keys-from keys.txt --svg s.yaml",
        "simulate s.yaml --from-counts counts -o counts",
        "grow s.yaml --for 1d --rows-per-day 10 --hbase-site site.xml -o site.xml",
        "drift s.yaml --from-splits dump.txt -o dump.txt",
        "diff s.yaml s.yaml --accept accept -o accept",
        "diff s.yaml s.yaml -o s.yaml",
        "init --from-keys keys.txt -o keys.txt",
        "audit s.yaml -o s.yaml",
        "audit s.yaml -o keys.txt",
        "audit . -o s.yaml",
    ] {
        let run = saltplan(at, &command.split(' ').collect::<Vec<_>>());
        let is_told = run.stderr.contains("is an input of this command and would be overwritten");
        assert!(is_told || command.starts_with("init"), "{command}: {}", run.said());
        assert!(run.code != Some(0), "{command}: {}", run.said());
        for (name, text) in files {
            assert_eq!(
                fs::read_to_string(at.join(name)).expect("the file"),
                text,
                "{command} has changed {name}"
            );
        }
    }
    let run = saltplan(at, &["splits", "s.yaml", "--format", "file", "-o", "keys.txt", "--check"]);
    assert_eq!(run.code, Some(1), "{}", run.said());
    let run = saltplan(at, &["ddl", "s.yaml", "-o", "new.rb"]);
    assert_eq!(run.code, Some(0), "{}", run.said());
}

#[test]
fn a_folder_that_is_missing_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    write(at, "s.yaml", SCHEMA);
    write(at, "keys.txt", KEYS);
    let run = saltplan(at, &["ddl", "s.yaml", "-o", "a/out/x.sql"]);
    assert_eq!(run.code, Some(2), "{}", run.said());
    assert!(run.stderr.contains("there is no folder `a/out`"), "{}", run.stderr);
    assert!(run.stderr.contains("help: create it first: `mkdir -p a/out`"), "{}", run.stderr);
}

/// One note that `--fix` fixes: a suppression without a finding.
const FIXABLE: &str = "\
saltplan: 1
hbase: { table: 't', families: { f: {} } }
key: { fields: [{ name: id, type: string, width: 8, chars: alnum }] }    # saltplan: ignore[SP107] no salt here
";

#[cfg(unix)]
#[test]
fn a_fix_keeps_other_names_and_links() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    write(at, "a.yaml", FIXABLE);
    write(at, "b.yaml", FIXABLE);
    fs::hard_link(at.join("a.yaml"), at.join("other_name")).expect("a link");
    symlink("b.yaml", at.join("link.yaml")).expect("a link");
    fs::set_permissions(at.join("b.yaml"), fs::Permissions::from_mode(0o640)).expect("its mode");
    let run = saltplan(at, &["audit", "--fix", "a.yaml", "link.yaml"]);
    assert!(run.stderr.contains("made 2 fixes"), "{}", run.said());
    let text = |name: &str| fs::read_to_string(at.join(name)).expect("the file");
    assert!(!text("other_name").contains("ignore") && !text("b.yaml").contains("ignore"));
    assert_eq!(fs::metadata(at.join("a.yaml")).expect("its data").nlink(), 2);
    assert_eq!(fs::metadata(at.join("b.yaml")).expect("its data").mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(at.join("link.yaml")).expect("its data").is_symlink());
    // No temporary file is left.
    assert_eq!(fs::read_dir(at).expect("the folder").count(), 4);
}

/// Only root can create another user's file, so other users skip this.
#[cfg(unix)]
#[test]
fn a_fix_keeps_the_owner() {
    use std::os::unix::fs::{MetadataExt, chown};

    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "a.yaml", FIXABLE);
    let path = folder.path().join("a.yaml");
    if chown(&path, Some(12_345), Some(23_456)).is_err() {
        return;
    }
    let run = saltplan(folder.path(), &["audit", "--fix", "a.yaml"]);
    assert!(run.stderr.contains("made 1 fix"), "{}", run.said());
    let metadata = fs::metadata(&path).expect("its data");
    assert_eq!((metadata.uid(), metadata.gid()), (12_345, 23_456));
}

#[cfg(unix)]
#[test]
fn templates_do_not_replace_a_link() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(folder.path().join("T/hive")).expect("a folder");
    let link = folder.path().join("T/hive/load.sql");
    std::os::unix::fs::symlink("nowhere", &link).expect("a link");
    let run = saltplan(folder.path(), &["generate", "templates", "T"]);
    assert_eq!(run.code, Some(1), "{}", run.said());
    assert!(run.stderr.contains("load.sql exists already"), "{}", run.stderr);
    assert!(fs::symlink_metadata(link).expect("its data").is_symlink());
    assert_eq!(fs::read_dir(folder.path().join("T")).expect("the folder").count(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    use std::process::{Command, Stdio};

    for arguments in [&["--help"][..], &["--version"], &["plan", "--help"], &["rule"], &["generate", "rules"]]
    {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
        let output = Command::new(env!("CARGO_BIN_EXE_saltplan"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(full)
            .output()
            .expect("a run");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains("cannot write"), "{arguments:?}: {stderr}");
    }
}
