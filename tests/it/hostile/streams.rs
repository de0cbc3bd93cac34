//! Input that is endless, has no line ends, or never arrives gives an error at once.

use std::fs;
use std::io::Write;

use super::{saltplan, saltplan_with, write};

const SCHEMA: &str = "\
saltplan: 1
hbase: { table: t, families: { f: {} } }
key: { fields: [{ name: id, type: string, width: 8, chars: digits }] }
regions: { explicit: ['5'] }
columns: [{ name: c, type: string, hbase: 'f:c' }]
hive: { mapping: { table: m, key_column: rowkey }, target: { table: t, partition: [id] } }
";

/// Commands that read a file F in addition to a schema.
const COMMANDS: [&str; 15] = [
    "key decode s.yaml --input F",
    "key encode s.yaml --input F",
    "splits --from-keys F --regions 3",
    "splits --from-splits F",
    "init --from-keys F",
    "simulate s.yaml --keys-from F",
    "simulate s.yaml --from-counts F",
    "grow s.yaml --for 1d --rows-per-day 10 --keys-from F",
    "grow s.yaml --for 1d --rows-per-day 10 --hbase-site F",
    "drift s.yaml --from-splits F",
    "diff s.yaml s.yaml --accept F",
    "plan s.yaml id='1' --params-file F",
    "plan s.yaml id='00000001' --select --templates T",
    "splits s.yaml -o F --check",
    "splits sampled.yaml",
];

#[cfg(unix)]
#[test]
fn devices_pipes_and_folders_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    write(at, "s.yaml", SCHEMA);
    write(at, "sampled.yaml", SCHEMA.replace("explicit: ['5']", "sampled: { keys: fifo, regions: 3 }"));
    fs::create_dir_all(at.join("T/hive")).expect("a folder");
    for path in ["fifo", "T/hive/union_all.sql"] {
        let pipe = std::process::Command::new("mkfifo").arg(at.join(path)).status().expect("a pipe");
        assert!(pipe.success());
    }
    for (file, reason) in [
        ("/dev/zero", "a pipe or a device, not a regular file"),
        ("fifo", "a pipe or a device, not a regular file"),
        ("T", "it is a folder"),
    ] {
        for command in COMMANDS {
            let words: Vec<&str> =
                command.split(' ').map(|word| if word == "F" { file } else { word }).collect();
            let run = saltplan(at, &words);
            let reason = if words.contains(&"F") { reason } else { &run.stderr };
            assert_eq!(run.code, Some(2), "{words:?}: {}", run.said());
            assert!(run.stderr.contains(reason) && run.stdout.is_empty(), "{words:?}: {}", run.said());
        }
    }
    for command in ["plan s.yaml id='00000001' --select --templates T", "splits sampled.yaml"] {
        let run = saltplan(at, &command.split(' ').collect::<Vec<_>>());
        assert!(run.stderr.contains("a pipe or a device, not a regular file"), "{command}: {}", run.stderr);
    }
}

#[test]
fn endless_lines_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    write(at, "s.yaml", SCHEMA);
    // A sparse file: a terabyte without disk space.
    let hole = fs::File::create(at.join("hole")).expect("a file");
    hole.set_len(1 << 40).expect("its length");
    write(at, "sampled.yaml", SCHEMA.replace("explicit: ['5']", "sampled: { keys: hole, regions: 3 }"));
    fs::create_dir_all(at.join("T/hive")).expect("a folder");
    fs::hard_link(at.join("hole"), at.join("T/hive/union_all.sql")).expect("a link");
    for command in COMMANDS {
        let words: Vec<&str> =
            command.split(' ').map(|word| if word == "F" { "hole" } else { word }).collect();
        let run = saltplan(at, &words);
        assert_eq!(run.code, Some(2), "{words:?}: {}", run.said());
        let reasons = ["line 1 is longer than 131068 bytes", "it is larger than "];
        let told = reasons.iter().any(|reason| run.stderr.contains(reason));
        assert!(told && run.stdout.is_empty(), "{words:?}: {}", run.said());
    }
}

#[test]
fn standard_input_is_a_file_like_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    write(at, "s.yaml", SCHEMA);
    let long = vec![b'0'; 300_000];
    for command in COMMANDS.iter().filter(|command| command.contains("keys") || command.contains("--input")) {
        let words: Vec<&str> = command.split(' ').map(|word| if word == "F" { "-" } else { word }).collect();
        let run = saltplan_with(at, &words, &long);
        assert_eq!(run.code, Some(2), "{words:?}: {}", run.said());
        assert!(run.stderr.contains("`<stdin>`: line 1 is longer"), "{words:?}: {}", run.stderr);
    }
    let decoded = saltplan_with(at, &["key", "decode", "s.yaml", "--input", "-"], b"00000001\r\n\n00000002");
    assert_eq!(decoded.stdout, "{\"id\":\"00000001\"}\n{\"id\":\"00000002\"}\n", "{}", decoded.stderr);
    let too_long = format!("{}\n", "0".repeat(32_768));
    for command in ["key decode s.yaml", "splits --from-keys - --regions 2", "simulate s.yaml --keys-from -"]
    {
        let run = saltplan_with(at, &command.split(' ').collect::<Vec<_>>(), too_long.as_bytes());
        assert!(run.stderr.contains("<stdin>:1: longer than a row key can be"), "{command}: {}", run.stderr);
    }
}

/// The output of a query that failed.
#[test]
fn empty_files_hold_no_keys() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    write(at, "s.yaml", SCHEMA);
    write(at, "empty", "\n\n");
    for command in
        ["splits --from-keys empty --regions 3", "splits --from-splits empty", "init --from-keys empty"]
    {
        let run = saltplan(at, &command.split(' ').collect::<Vec<_>>());
        assert!(run.code != Some(0) && run.stdout.is_empty(), "{command}: {}", run.said());
    }
}

#[test]
fn a_faulty_line_is_reported_and_the_others_are_processed() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    write(at, "s.yaml", SCHEMA);
    let mut file = fs::File::create(at.join("keys")).expect("a file");
    file.write_all(b"00000001\n\xff\nxyz\n00000002\n").expect("its lines");
    let run = saltplan(at, &["key", "decode", "s.yaml", "--input", "keys"]);
    assert_eq!((run.code, run.stdout.lines().count()), (Some(2), 2), "{}", run.said());
    assert!(
        run.stderr.contains("keys:2: not UTF-8 text") && run.stderr.contains("keys:3: "),
        "{}",
        run.stderr
    );
}
