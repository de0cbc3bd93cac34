//! Short predicates cannot take all memory, whatever they nest: the program runs with a limit.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use saltplan_law::sample::sampled;

use super::write;

/// For the address space of one command, in KiB. An ordinary plan takes less than a quarter of it.
const LIMIT: usize = 1_000_000;

/// Fields of every type, some of them as wide as they may be.
const FIELDS: [&str; 16] = [
    "{ name: f, type: date, format: yyyyMMdd }",
    "{ name: f, type: string, width: 11, chars: digits }",
    "{ name: f, type: string, width: 30000, chars: alnum }",
    "{ name: f, type: string, chars: alnum, then: '|' }",
    "{ name: f, type: string, width: 6, chars: utf8 }",
    "{ name: f, type: string, values: ['a', 'bc', 'def'], then: '|' }",
    "{ name: f, type: string, width: 40, chars: hex, reverse: true }",
    "{ name: f, type: string, nullable: true, chars: alnum, then: '|' }",
    "{ name: f, type: bytes, width: 3 }",
    "{ name: f, type: bytes, width: 5000 }",
    "{ name: f, type: bigint, encoding: decimal, width: 64, min: 0 }",
    "{ name: f, type: bigint, encoding: decimal, then: '|' }",
    "{ name: f, type: bigint, encoding: be }",
    "{ name: f, type: timestamp, format: yyyyMMddHHmmss }",
    "{ name: f, type: timestamp, epoch: ms, encoding: be_sortable, descending: true }",
    "{ name: f, type: timestamp, epoch: s, encoding: decimal, width: 10 }",
];

fn schema(field: &str, salt: &str) -> String {
    format!(
        "saltplan: 1\nhbase: {{ table: t, families: {{ f: {{}} }} }}\ntime_zone: Asia/Shanghai\nkey:\n  {salt}\n  fields:\n  \
         - {{ name: day, type: date, format: yyyyMMdd }}\n  - {field}\n  \
         - {{ name: z, type: string, width: 4, chars: digits }}\n\
         columns: [{{ name: x, type: int, hbase: 'f:x' }}]\n\
         hive: {{ mapping: {{ table: m, key_column: rowkey }}, target: {{ table: t, partition: [day] }} }}\n"
    )
}

/// What the program said, and whether it ended by itself.
fn limited(folder: &Path, words: &[&str]) -> (bool, String) {
    let run = Command::new("sh")
        .current_dir(folder)
        .args([
            "-c",
            &format!("ulimit -v {LIMIT}; exec timeout 60 \"$@\""),
            "sh",
            env!("CARGO_BIN_EXE_saltplan"),
        ])
        .args(words)
        .output()
        .expect("a run");
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    (matches!(run.status.code(), Some(0..=2)) && !said.contains("panicked"), said)
}

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

const A: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

/// A call of `name` on itself, six times.
fn nested(call: impl Fn(&str) -> String) -> String {
    (0..6).fold(format!("'{A}'"), |inner, _| call(&inner))
}

#[test]
fn functions_of_constants_make_no_long_texts() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "s.yaml", schema(FIELDS[3], ""));
    for text in [
        nested(|inner| format!("replace({inner}, 'a', '{A}')")),
        nested(|inner| format!("regexp_replace({inner}, 'a', '{A}')")),
        nested(|inner| format!("regexp_replace({inner}, '[a-]', '{A}')")),
        nested(|inner| format!("translate({inner}, 'a', '{A}')")),
        nested(|inner| format!("repeat({inner}, 40)")),
        nested(|inner| format!("concat_ws(replace({inner}, 'a', 'aaaaaaaaaa'), 'a', 'a', 'a', 'a')")),
        nested(|inner| format!("lpad({inner}, 2000000000, 'a')")),
        nested(|inner| format!("rpad(reverse({inner}), 999999999, 'a')")),
        "cast(1e-2000000000 AS string)".into(),
        "concat(1e2000000000, 'a')".into(),
        "space(2000000000)".into(),
    ] {
        for words in [
            vec!["explain", "s.yaml", "P"],
            vec!["plan", "s.yaml", "P", "--allow-full-scan", "--select"],
            vec!["scan", "s.yaml", "P", "--allow-full-scan"],
        ] {
            let predicate = format!("day = 20200406 AND f = {text}");
            let words: Vec<&str> =
                words.iter().map(|word| if *word == "P" { predicate.as_str() } else { word }).collect();
            let (ended, said) = limited(folder.path(), &words);
            assert!(ended, "{words:?}: {said}");
        }
    }
}

/// With the conditions that made saltplan list every text of eleven digits, and with random ones.
#[test]
fn conditions_of_every_field_take_little_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let salts = ["", "salt: { md5: { of: key, first_hex_digits: 1, write: hex } }"];
    let mut random = Random(7);
    let schemas = FIELDS.iter().flat_map(|field| salts.map(|salt| (field, salt)));
    for (field, salt) in sampled(schemas, 3) {
        write(folder.path(), "s.yaml", schema(field, salt));
        let number = if field.contains("int") || field.contains("epoch") { "" } else { "'" };
        let (one, two) = (format!("{number}11111111111{number}"), format!("{number}22222222222{number}"));
        let listing = format!(
            "day BETWEEN 20200406 AND 20200415 AND (f = {one} AND x = 1 OR f <> {one} AND f <> {two})"
        );
        let predicates = [listing].into_iter().chain((0..3).map(|_| predicate(&mut random, 300)));
        for predicate in predicates.collect::<Vec<_>>() {
            let (ended, said) = limited(folder.path(), &["explain", "s.yaml", &predicate]);
            assert!(ended, "{field} {salt}\n{predicate}: {said}");
        }
    }
}

/// A random condition of at most so many bytes.
fn predicate(random: &mut Random, most: usize) -> String {
    let mut text = String::from("day BETWEEN 20200406 AND 20200415");
    loop {
        let constant = ["'a'", "7", "'12'", "20200406", "''", "'zz9'", "1e40", "NULL", "-1"][random.below(9)];
        let operand = [
            "f",
            "substr(f, 1, 2)",
            "reverse(f)",
            "cast(f AS string)",
            "f + 1",
            "month(day)",
            "z",
            "lower(f)",
        ][random.below(8)];
        let mut next = match random.below(7) {
            0 => format!("{operand} <> {constant}"),
            1 => format!("{operand} NOT IN ({constant}, '5', 9)"),
            2 => format!("{operand} NOT BETWEEN {constant} AND 5"),
            3 => format!("{operand} LIKE '%1%'"),
            4 => format!("NOT {operand} LIKE '1_%'"),
            5 => format!("{operand} RLIKE '^[0-9][a-f](1|2|3)*'"),
            _ => format!("{operand} >= {constant}"),
        };
        if random.below(3) == 0 {
            next = format!("NOT ({next} OR x = 1)");
        }
        if text.len() + next.len() > most {
            return text;
        }
        let _ = write!(text, " {} ({next})", ["AND", "OR", "AND"][random.below(3)]);
    }
}

#[test]
fn build_keeps_its_good_jobs() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "s.yaml", schema(FIELDS[1], ""));
    let bomb = nested(|inner| format!("replace({inner}, 'a', '{A}')"));
    let job = |name: &str, predicate: &str| {
        format!("- {{ name: {name}, kind: scan, predicate: \"{predicate}\", out: {name}.txt }}\n")
    };
    let jobs = [
        "version: 1\ndefaults: { schema: s.yaml }\njobs:\n",
        &job("good", "day = 20200406"),
        &job("bomb", &format!("day = 20200406 AND f = {bomb}")),
    ];
    let jobs = jobs.concat();
    write(folder.path(), "jobs.yaml", jobs);
    let (ended, said) = limited(folder.path(), &["build", "jobs.yaml"]);
    assert!(ended, "{said}");
    assert!(folder.path().join("good.txt").exists(), "{said}");
}
