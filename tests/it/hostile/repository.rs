//! A stranger's repository: a jobs file, settings, templates and links that try to read or write other
//! people's files.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use saltplan_law::sample::sampled;

use super::{Run, saltplan, write};

const SECRET: &str = "url = https://user:eC1hY2Nlc3M@example.org\n";
const SCHEMA: &str = "\
saltplan: 1
hbase: { table: t, families: { f: {} } }
key: { fields: [{ name: id, type: string }] }
regions: { sampled: { keys: keys.txt, regions: 2 } }
columns: [{ name: c, type: string, hbase: 'f:c' }]
hive: { mapping: { table: m, key_column: rowkey }, target: { table: t, partition: [id] } }
";

/// A schema with a logical table.
const VIEW: &str = "\
saltplan: 1
hbase: { table: v, families: { f: {} } }
key: { fields: [{ name: id, type: string }] }
columns: [{ name: c, type: string, hbase: 'f:c' }]
hive: { mapping: { table: m, key_column: rowkey }, view: db.v }
";

/// The parts of a command line.
fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

/// A jobs file that writes one statement to a path.
fn jobs(out: &str) -> String {
    format!("version: 1\njobs:\n  - {{ name: a, schema: s.yaml, predicate: \"id = 'u'\", out: '{out}' }}\n")
}

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Place(tempfile::tempdir().expect("a folder"));
        write(place.outer(), "secret", SECRET);
        write(&place.at(), ".git/config", SECRET);
        write(&place.at(), "s.yaml", SCHEMA);
        write(&place.at(), "keys.txt", "a\nb\n");
        place
    }

    fn outer(&self) -> &Path {
        self.0.path()
    }

    fn at(&self) -> std::path::PathBuf {
        self.0.path().join("repository")
    }

    fn run(&self, words: &[&str]) -> Run {
        saltplan(&self.at(), words)
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.at().join(path)).expect("a file")
    }
}

fn assert_refused(what: &str, run: &Run, reason: &str) {
    assert_eq!(run.code, Some(2), "{what}: {}", run.said());
    assert!(run.stderr.contains(reason), "{what}: {}", run.said());
    assert!(!run.said().contains("eC1h"), "{what} shows the secret: {}", run.said());
}

#[test]
fn outputs_do_not_follow_links_out() {
    for (target, reason) in [
        (".git/config", "is hidden"),
        ("../secret", "is not written: it is outside the folder"),
        ("../made.sql", "has no target"),
        (".git/hooks/pre-commit", "has no target"),
    ] {
        let place = Place::new();
        symlink(target, place.at().join("c1.sql")).expect("a link");
        write(&place.at(), "jobs.yaml", jobs("c1.sql"));
        for words in [
            &["build", "jobs.yaml", "--check"][..],
            &["build", "jobs.yaml"],
            &["build", "jobs.yaml", "--output", "."],
        ] {
            assert_refused(&format!("{words:?} to {target}"), &place.run(words), reason);
        }
        assert_eq!(place.text(".git/config"), SECRET);
        assert_eq!(fs::read_to_string(place.outer().join("secret")).expect("a file"), SECRET);
        assert!(!place.outer().join("made.sql").exists() && !place.at().join(".git/hooks").exists());
    }
}

/// Every command that walks a folder: a link out of it is not followed, with a git repository and without one.
#[test]
fn folders_are_not_left_when_they_are_read() {
    for (link, target) in [
        ("cred", "../../secret"),
        ("cred", "../.git/config"),
        ("cred", "../repository/../../secret"),
        ("cred", "../s.yaml"),
        ("cred", ".token"),
        ("sub/cred", "../../../secret"),
    ] {
        let place = Place::new();
        let outside = place.outer().join("outside");
        for folder in [place.at(), outside] {
            write(&folder, "s.yaml", SCHEMA.replace("keys.txt", "../keys.txt"));
            write(&folder, "keys.txt", "a\nb\n");
            write(&folder, "f/s.yaml", SCHEMA.replace("keys.txt", "k.txt"));
            write(&folder, "f/k.txt", "a\nb\n");
            write(&folder, "f/q.sql", "SELECT 1 FROM other;\n");
            write(&folder, "f/.token", SECRET);
            write(&folder, "old/s.yaml", SCHEMA.replace("keys.txt", "k.txt"));
            write(&folder, "old/k.txt", "a\nb\n");
            write(&folder, "view.yaml", VIEW);
            fs::create_dir(folder.join("f/sub")).expect("a folder");
            symlink(target, folder.join(format!("f/{link}.yaml"))).expect("a link");
            symlink(target, folder.join(format!("f/{link}.sql"))).expect("a link");
            if !folder.join(format!("f/{link}.sql")).exists() {
                continue; // Only one of the folders is a repository.
            }
            for line in [
                "audit f",
                "audit f --output-format json",
                "audit f --fix",
                "diff old f",
                "diff f old",
                "report f -o page.html",
                "report f --base old -o page.html",
                "rewrite --schemas view.yaml f --check",
                "rewrite --schemas view.yaml f --in-place",
                "rewrite --schemas view.yaml f -o out",
                "rewrite --schemas view.yaml f --output-format json",
                "rewrite --schemas f f/q.sql",
            ] {
                let run = saltplan(&folder, &words(line));
                assert!(run.code.is_some_and(|code| code > 0), "{line}, {target}: {}", run.said());
                let reason = format!("f/{link}.{}", if line.contains("view") { "sql" } else { "yaml" });
                assert!(
                    run.said().contains(&format!("{reason}` is a symbolic link that leaves the folder `f`")),
                    "{line}, {target}: {}",
                    run.said()
                );
                assert!(!run.said().contains("eC1h"), "{line}, {target}: {}", run.said());
                let made = ["out", "page.html"].iter().any(|made| folder.join(made).exists());
                assert!(!made, "{line}, {target} has written");
            }
        }
    }
}

/// A pattern of the shell names links, too; without a repository they are the user's choice.
#[test]
fn named_links_out_of_the_repository() {
    let place = Place::new();
    write(&place.at(), "view.yaml", VIEW);
    write(place.outer(), "folder/a.sql", SECRET);
    symlink("../secret", place.at().join("cred.sql")).expect("a link");
    symlink("../folder", place.at().join("linked")).expect("a link");
    for line in [
        "rewrite --schemas view.yaml cred.sql",
        "rewrite --schemas view.yaml cred.sql view.yaml --check",
        "rewrite --schemas view.yaml linked --check",
        "rewrite --schemas view.yaml linked/ --check",
        "rewrite --schemas linked cred.sql",
        "audit linked",
        "diff linked linked",
        "report linked",
        "report view.yaml --query cred.sql",
        "splits --from-keys cred.sql --regions 2",
        "init --from-keys cred.sql",
        "key decode view.yaml --input cred.sql",
        "plan view.yaml @cred.sql",
        "plan view.yaml id=:id --params-file cred.sql",
        "plan view.yaml id=:id --param-file id=cred.sql",
        "audit view.yaml --baseline cred.sql",
        "diff view.yaml view.yaml --accept cred.sql",
        "build cred.sql",
        "simulate view.yaml --from-keys cred.sql",
        "drift s.yaml --from-splits cred.sql",
    ] {
        assert_refused(line, &place.run(&words(line)), "is a symbolic link that leaves its git repository");
    }
}

/// Every command that writes into a folder.
#[test]
fn folders_are_not_left_when_they_are_written() {
    for (link, target) in [
        ("hive", "../../outside"),
        ("man/saltplan.1", "../../../secret"),
        ("man/saltplan.1", "../../../new"),
        ("man/saltplan.1", "../../s.yaml"),
        ("built/a.sql", "../../s.yaml"),
        ("built/a.sql", "../../../secret"),
        ("built", "../../outside"),
    ] {
        let place = Place::new();
        let schema = place.text("s.yaml");
        fs::create_dir_all(place.outer().join("outside")).expect("a folder");
        let link = place.at().join("out").join(link);
        fs::create_dir_all(link.parent().expect("a folder")).expect("a folder");
        symlink(target, &link).expect("a link");
        write(&place.at(), "jobs.yaml", jobs("built/a.sql"));
        let lines = match link.to_string_lossy() {
            path if path.contains("hive") => &["generate templates out"][..],
            path if path.contains("man") => &["generate man out/man"],
            _ => &["build jobs.yaml --out out --check", "build jobs.yaml --out out"],
        };
        for line in lines {
            assert_refused(&format!("{line}, {target}"), &place.run(&words(line)), "is not written");
        }
        assert_eq!(place.text("s.yaml"), schema);
        assert_eq!(fs::read_to_string(place.outer().join("secret")).expect("a file"), SECRET);
        assert!(!place.outer().join("new").exists());
        assert_eq!(fs::read_dir(place.outer().join("outside")).expect("a folder").count(), 0);
    }
}

#[test]
fn a_build_overwrites_nothing_that_it_reads() {
    for (out, what) in [
        ("jobs.yaml", "an input of this build"),
        ("saltplan.toml", "an input of this build"),
        ("s.yaml", "is the schema of the job"),
        ("./keys.txt", "a sample of keys"),
        ("ids.txt", "a list of parameters"),
        ("templates/hive/union_all.sql", "a template of this build"),
        ("linked/ids.txt", "a list of parameters"),
        // This template does not exist yet.
        ("templates/hive/isolated.sql", "a template of this build"),
    ] {
        let place = Place::new();
        let more = ", param_files: { ids: ids.txt }, templates: templates";
        let jobs = jobs(out).replace("id = 'u'", "id IN (:ids)").replace(", out:", &format!("{more}, out:"));
        write(&place.at(), "jobs.yaml", &jobs);
        write(&place.at(), "saltplan.toml", "engine = \"mr\"\n");
        write(&place.at(), "ids.txt", "u1\nu2\n");
        write(&place.at(), "templates/hive/union_all.sql", "SELECT 1;\n");
        symlink(".", place.at().join("linked")).expect("a link");
        let run = place.run(&["build", "jobs.yaml"]);
        assert_refused(out, &run, what);
        assert!(run.stderr.contains("write to another file"), "{}", run.stderr);
        assert_eq!(place.text("jobs.yaml"), jobs);
        assert_eq!(place.text("keys.txt"), "a\nb\n");
        assert_eq!(place.text("ids.txt"), "u1\nu2\n");
        assert_eq!(place.text("saltplan.toml"), "engine = \"mr\"\n");
    }
}

/// A file that another command would find by its name: settings and jobs files.
#[test]
fn no_result_becomes_settings() {
    for out in ["saltplan.toml", "sql/saltplan.toml", "linked/saltplan.toml", "sql/jobs.yaml"] {
        let place = Place::new();
        fs::create_dir(place.at().join("sql")).expect("a folder");
        symlink("sql", place.at().join("linked")).expect("a link");
        write(&place.at(), "a.yaml", jobs(out));
        for line in ["build a.yaml", "build a.yaml --check", "build a.yaml --out made"] {
            assert_refused(out, &place.run(&words(line)), "which saltplan would read");
        }
        assert!(!place.at().join(out).exists());
        let run = place.run(&["splits", "s.yaml", "-o", "saltplan.toml"]);
        assert_refused("-o", &run, "`saltplan.toml` is the name of the settings file");
        assert!(!place.at().join("saltplan.toml").exists());
    }
}

#[test]
fn two_jobs_do_not_write_one_file_behind_a_link() {
    let place = Place::new();
    fs::create_dir(place.at().join("sql")).expect("a folder");
    symlink("sql", place.at().join("other")).expect("a link");
    let two = "version: 1
defaults: { schema: s.yaml }
jobs:
  - { name: a, predicate: \"id = 'u'\", out: sql/x.sql }
  - { name: b, predicate: \"id = 'v'\", out: other/x.sql }
";
    write(&place.at(), "jobs.yaml", two);
    assert_refused("a linked folder", &place.run(&["build", "jobs.yaml"]), "two jobs write");
    assert!(!place.at().join("sql/x.sql").exists());
}

#[test]
fn templates_of_a_repository_stay_in_it_and_end() {
    let endless = "{% for a in range(100000) %}{% for b in range(100000) %}{% for c in range(100000) %}{% endfor %}{% endfor %}{% endfor %}";
    for (link, reason) in [
        (Some("../../.git/config"), "is outside its git repository"),
        (Some("../../../secret"), "is outside its git repository"),
        (None, "does not end within"),
    ] {
        let place = Place::new();
        fs::create_dir_all(place.at().join("templates/hive")).expect("a folder");
        match link {
            Some(link) => symlink(link, place.at().join("templates/hive/union_all.sql")).expect("a link"),
            None => write(&place.at(), "templates/hive/union_all.sql", endless),
        }
        write(&place.at(), "jobs.yaml", jobs("a.sql").replace(", out:", ", templates: templates, out:"));
        assert_refused("build", &place.run(&["build", "jobs.yaml"]), reason);
        write(&place.at(), "saltplan.toml", "templates = \"templates\"\n");
        assert_refused("plan", &place.run(&["plan", "s.yaml", "id = 'u'"]), reason);
        assert!(!place.at().join("a.sql").exists());
        if link.is_some() {
            // The folder of a flag may be anywhere, but its links must stay in it.
            let run = place.run(&["plan", "s.yaml", "id = 'u'", "--templates", "templates"]);
            assert_refused("--templates", &run, "is outside its folder");
            write(place.outer(), "elsewhere/hive/mine.sql", "SELECT 'mine';\n");
            symlink("mine.sql", place.outer().join("elsewhere/hive/union_all.sql")).expect("a link");
            let run = place.run(&["plan", "s.yaml", "id = 'u'", "--templates", "../elsewhere"]);
            assert!(run.stdout.contains("'mine'"), "{}", run.said());
        }
    }
}

/// Templates that take all memory unless what they make is counted. The program has an address space of 2 GB.
#[test]
fn templates_cannot_take_all_memory() {
    const START: &str = "{% set ns = namespace(x='aaaaaaaaaaaaaaaa', l=['a']) %}";
    let again = |body: &str| format!("{START}{{% for i in range(1000) %}}{body}{{% endfor %}}");
    let raw = "some text of a template ".repeat(40);
    let loops =
        format!("{{% for i in range(10000) %}}{{% for j in range(400) %}}{raw}{{% endfor %}}{{% endfor %}}");
    let (makes, prints) = ("it makes more than 256 MiB of texts and lists", "the result would have about");
    let templates = [
        (again("{% set ns.x = ns.x ~ ns.x %}"), makes),
        (again("{% set ns.x = ns.x + ns.x %}"), makes),
        (again("{% set ns.x = ns.x * 1000 %}"), makes),
        (again("{% set ns.x = ns.x | replace('a', 'aaaa') %}"), makes),
        (again("{% set ns.x = ns.x | upper ~ ns.x %}"), makes),
        (again("{% set ns.x = [ns.x, ns.x] | join(ns.x) %}"), makes),
        (again("{% set ns.x = '%s%s' | format(ns.x, ns.x) %}"), makes),
        (again("{% set ns.x %}{{ ns.x }}{{ ns.x }}{% endset %}"), makes),
        (
            again("{% set ns.x = [ns.x, ns.x] %}{% if i > 60 %}{% set ns.x = ns.x | string %}{% endif %}"),
            makes,
        ),
        (again("{% set ns.l = ns.l + ns.l %}"), makes),
        (again("{% set ns.l = ns.l * 1000 %}"), makes),
        (again("{% set ns.l = ns.l | chain(ns.l) | list %}"), makes),
        (again("{% set ns.x = ns.x ~ ns.x[:] %}"), makes),
        (
            format!("{START}{{% set big = 'a' * 20000000 %}}{}", again("{% set ns.l = ns.l + [big[1:]] %}")),
            makes,
        ),
        (format!("{START}{{% set ns.l = ('a' * 50000000) | list %}}"), makes),
        (format!("{START}{{% set ns.l = ('a' * 50000000) | split('a') %}}"), makes),
        ("{% macro f(s) %}{{ f(s ~ s) }}{% endmacro %}{{ f('aaaaaaaaaaaaaaaa') }}".into(), makes),
        ("{{ '%2000000000d' | format(1) }}".into(), makes),
        ("{{ '%*d' | format(2000000000, 1) }}".into(), makes),
        ("{{ '%.2000000000f' | format(1) }}".into(), makes),
        ("{{ '%(a)2000000000d' | format(a=1) }}".into(), makes),
        ("{{ 'a' | indent(1900000000) }}".into(), makes),
        ("{{ 'a' | indent(width=1900000000, first=true) }}".into(), makes),
        ("{{ range(100000) | join('x' * 100000) }}".into(), makes),
        ("{{ [1] | batch(1000000000, 'x') | length }}".into(), makes),
        ("{{ [1] | slice(1000000000) | length }}".into(), makes),
        ("{{ ((1, 2) * 50000000) | length }}".into(), makes),
        (format!("{{% set big %}}{loops}{{% endset %}}"), makes),
        (format!("{{% filter upper %}}{loops}{{% endfilter %}}"), makes),
        (loops, prints),
        (again("{{ 'a' * 100000 }}"), prints),
        ("{{ dict(*range(100000)) }}".into(), "cannot be a list that is spread"),
    ];
    for (at, (template, reason)) in sampled(templates.into_iter().enumerate(), 16) {
        let place = Place::new();
        write(&place.at(), "templates/hive/union_all.sql", &template);
        write(&place.at(), "jobs.yaml", jobs("a.sql").replace(", out:", ", templates: templates, out:"));
        write(&place.at(), "saltplan.toml", "templates = \"templates\"\n");
        let lines = ["plan s.yaml id='u'", "build jobs.yaml", "plan s.yaml id='u' --templates templates"];
        // All ways for the first one, and one way for each of the others.
        for line in lines.iter().take(if at == 0 { lines.len() } else { 1 }) {
            let program = env!("CARGO_BIN_EXE_saltplan");
            let limited = Command::new("sh")
                .args(["-c", "ulimit -v 2000000 && exec \"$@\"", "sh", program])
                .args(words(line).iter().map(|word| word.replace("id='u'", "id = 'u'")))
                .current_dir(place.at())
                .output()
                .expect("a run");
            let said = String::from_utf8_lossy(&limited.stderr).into_owned();
            let code = if reason == prints { Some(1) } else { Some(2) };
            assert_eq!(
                limited.status.code(),
                code,
                "{line}, {}: {said}",
                &template[..template.len().min(160)]
            );
            assert!(said.contains(reason), "{line}, {}: {said}", &template[..template.len().min(160)]);
        }
        assert!(!place.at().join("a.sql").exists());
    }
}

#[test]
fn settings_and_jobs_files_cannot_be_links_out_of_the_repository() {
    for target in [".git/config", "../secret"] {
        let place = Place::new();
        symlink(target, place.at().join("jobs.yaml")).expect("a link");
        for line in ["build", "build jobs.yaml", "build .", "build ./"] {
            assert_refused(line, &place.run(&words(line)), "is a symbolic link that leaves");
        }
        symlink(target, place.at().join("saltplan.toml")).expect("a link");
        for words in [&["audit", "."][..], &["plan", "s.yaml", "id = 'u'"], &["config"]] {
            assert_refused(&format!("{words:?}"), &place.run(words), "is a symbolic link that leaves");
        }
    }
    // Settings are found, not named: without a repository they must not leave their folder.
    let place = Place::new();
    let folder = place.outer().join("alone");
    write(&folder, "s.yaml", SCHEMA);
    write(&folder, "keys.txt", "a\nb\n");
    symlink("../secret", folder.join("saltplan.toml")).expect("a link");
    for line in ["audit .", "config", "splits s.yaml"] {
        let run = saltplan(&folder, &words(line));
        assert!(!run.said().contains("eC1h"), "{line}: {}", run.said());
    }
    assert_refused("config", &saltplan(&folder, &["config"]), "is a symbolic link that leaves");
    // And so is the jobs file of a folder.
    fs::remove_file(folder.join("saltplan.toml")).expect("its end");
    symlink("../secret", folder.join("jobs.yaml")).expect("a link");
    assert_refused("build", &saltplan(&folder, &["build", "."]), "is a symbolic link that leaves");
}

/// Findings count even if the reader closes the pipe before they are printed.
#[test]
fn a_closed_pipe_does_not_change_the_exit_code() {
    let place = Place::new();
    write(&place.at(), "jobs.yaml", jobs("a.sql"));
    write(&place.at(), "faulty.yaml", SCHEMA.replace("name: c,", "name: id,"));
    write(&place.at(), "other.yaml", SCHEMA.replace("table: t,", "table: u,"));
    for (words, code) in [
        (&["build", "jobs.yaml", "--check"][..], 1),
        (&["plan", "s.yaml", "id = 'u'", "-o", "a.sql", "--check"], 1),
        (&["audit", "faulty.yaml"], 1),
        (&["audit", "faulty.yaml", "--output-format", "json"], 1),
        (&["diff", "s.yaml", "other.yaml"], 1),
        (&["plan", "s.yaml", "id = 'u'"], 0),
    ] {
        let seen = place.run(words);
        assert_eq!(seen.code, Some(code), "{words:?}: {}", seen.said());
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let unseen = Command::new(env!("CARGO_BIN_EXE_saltplan"))
            .args(words)
            .current_dir(place.at())
            .stdin(Stdio::null())
            .stdout(writer)
            .output()
            .expect("a run");
        assert_eq!(
            unseen.status.code(),
            Some(code),
            "{words:?}: {}",
            String::from_utf8_lossy(&unseen.stderr)
        );
    }
}

#[test]
fn a_byte_order_mark_is_not_part_of_a_value() {
    let place = Place::new();
    write(&place.at(), "ids.txt", "\u{feff}u1\nu2\n");
    write(&place.at(), "keys2.txt", "\u{feff}a\nb\nc\nd\n");
    write(&place.at(), "rows.jsonl", "\u{feff}{\"id\": \"u1\"}\n");
    write(&place.at(), "params.txt", "\u{feff}id=u1\n");
    write(&place.at(), "predicate.sql", "\u{feff}id = 'u1'");
    for words in [
        &["plan", "s.yaml", "id IN (:ids)", "--param-list", "ids=ids.txt", "--select"][..],
        &["plan", "s.yaml", "id = :id", "--params-file", "params.txt", "--select"],
        &["plan", "s.yaml", "@predicate.sql", "--select"],
        &["splits", "--from-keys", "keys2.txt", "--regions", "4"],
        &["key", "encode", "s.yaml", "--input", "rows.jsonl"],
        &["key", "decode", "s.yaml", "--input", "keys2.txt"],
    ] {
        let run = place.run(words);
        assert_eq!(run.code, Some(0), "{words:?}: {}", run.said());
        assert!(!run.stdout.contains('\u{feff}') && !run.stdout.contains("xEF"), "{words:?}: {}", run.stdout);
    }
}

/// Endless input is refused after a bounded number of keys, with bounded memory.
#[test]
fn endless_keys_are_refused() {
    let place = Place::new();
    let commands = [&["splits", "--from-keys", "-", "--regions", "3"][..], &["init", "--from-keys", "-"]];
    for words in sampled(commands, 4) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_saltplan"))
            .args(words)
            .current_dir(place.at())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a run");
        let mut input = child.stdin.take().expect("its input");
        let lines = "y\n".repeat(1 << 16);
        let mut written = 0_usize;
        while input.write_all(lines.as_bytes()).is_ok() {
            written += lines.len();
            assert!(written < 1 << 28, "{words:?} reads on");
        }
        let output = child.wait_with_output().expect("its end");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains("MiB of keys"), "{words:?}: {said}");
    }
}
