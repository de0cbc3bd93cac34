//! Row keys compared with Java: the same random rows go through `saltplan key encode` and through
//! `java/src/oracle/KeyOracle.java`, which computes keys with Java's own classes, like the programs that fill
//! such tables.
//!
//! These trials need Java, but no HBase: `cargo test --release --test engines -- keys::`.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Failed, Trial};
use serde_json::{Map, Value, json};

use crate::rows::hex;
use crate::saltplan;

const ROWS: usize = 10_000;
/// Keys whose salt is replaced and must be found.
const WRONG_SALTS: usize = 50;

/// A design with the rows for its trial.
struct Design {
    name: &'static str,
    /// From the root of the project.
    folder: &'static str,
    row: fn(&mut Random, usize) -> Fields,
    /// The fields that are stored in the key, and not only inputs of the salt.
    stored: bool,
    salt: Salt,
}

/// The number of leading bytes of a key that the fields determine.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Salt {
    Computed,
    Random,
    None,
}

/// Names and values in the order that the oracle expects.
pub type Fields = Vec<(&'static str, Value)>;

const EXAMPLES: &str = "schemas/examples";
const FREE_TEXT: &str = "tests/engines/keys";

const fn design(name: &'static str, row: fn(&mut Random, usize) -> Fields, salt: Salt) -> Design {
    Design { name, folder: EXAMPLES, row, stored: true, salt }
}

const fn free_text(name: &'static str) -> Design {
    Design { name, folder: FREE_TEXT, row: two_texts, stored: true, salt: Salt::Computed }
}

const DESIGNS: [Design; 16] = [
    design(
        "md5_nibble_day",
        |random, _| vec![("opera_day", json!(random.day())), ("row_id", json!(random.text()))],
        Salt::Computed,
    ),
    design("hash_prefix_short", contract, Salt::Computed),
    design("md5_prefix", contract, Salt::Computed),
    Design { stored: false, ..design("md5_whole", contract, Salt::Computed) },
    design("plain_concat", contract, Salt::None),
    design(
        "region_number",
        |random, _| vec![("tel", json!(random.digits(11))), ("call_time", json!(random.second()))],
        Salt::Computed,
    ),
    design(
        "reversed_id_time",
        |random, row| vec![("user_id", json!(random.digits(10))), ("order_time", json!(random.long(row)))],
        Salt::None,
    ),
    design(
        "random_two_digits",
        |random, row| {
            vec![
                ("_salt", json!(random.digits(2))),
                ("event_id", json!(random.digits(8))),
                ("event_day", json!(random.day())),
                ("kafka_offset", json!(random.long(row) & i64::MAX)),
            ]
        },
        Salt::Random,
    ),
    design(
        "random_digit",
        |random, _| {
            vec![
                ("_salt", json!(random.digits(1))),
                ("click_time", json!(random.second())),
                ("session_id", json!(random.alnum())),
            ]
        },
        Salt::Random,
    ),
    design("md5_sampled", |random, row| vec![("id", json!(random.long(row)))], Salt::Computed),
    design(
        "modulo_partition",
        |random, row| vec![("id", json!(random.long(row) & i64::MAX))],
        Salt::Computed,
    ),
    Design { row: |random, row| vec![("id", json!(random.long(row)))], ..free_text("modulo_signed") },
    free_text("hash_abs_before"),
    free_text("hash_abs_after"),
    free_text("hash_signed"),
    Design { row: two_cased_texts, ..free_text("md5_lower_case") },
];

fn contract(random: &mut Random, _: usize) -> Fields {
    vec![("customer_id", json!(random.digits(10))), ("contract_id", json!(random.alnum()))]
}

fn two_texts(random: &mut Random, row: usize) -> Fields {
    // Its hash is Integer.MIN_VALUE.
    let first = if row == 1 { "polygenelubricants".to_owned() } else { random.text().replace('_', "") };
    let second = if row < 2 { String::new() } else { random.text().replace('_', "") };
    vec![("a", json!(first)), ("b", json!(second))]
}

/// Java 17 knows the letters of Unicode 13, other programs those of later versions, so only old letters have
/// a unique lower case. Deseret letters are surrogate pairs.
fn two_cased_texts(random: &mut Random, row: usize) -> Fields {
    let old = |c: char| match u32::from(c) {
        0..0x600 => c,
        code => char::from_u32(0x1_0400 + code % 0x50).unwrap_or(c),
    };
    let texts = two_texts(random, row).into_iter();
    texts.map(|(name, value)| (name, json!(plain(&value).chars().map(old).collect::<String>()))).collect()
}

/// A random row of a design.
pub fn row(design: &str, random: &mut Random, number: usize) -> Fields {
    let design = DESIGNS.iter().find(|known| known.name == design);
    design.map(|design| (design.row)(random, number)).unwrap_or_default()
}

/// One trial for each design.
pub fn trials(root: &Path) -> Vec<Trial> {
    DESIGNS
        .iter()
        .map(|design| {
            let root = root.to_owned();
            Trial::test(format!("keys::{}", design.name), move || {
                check(&root, design).map_err(|error| Failed::from(format!("{error:#}")))
            })
        })
        .collect()
}

fn check(root: &Path, design: &Design) -> Result<()> {
    let mut random = Random::new(design.name);
    let rows: Vec<Fields> = (0..ROWS).map(|row| (design.row)(&mut random, row)).collect();
    let schema = format!("{}/{}.yaml", design.folder, design.name);
    let json: String = rows.iter().map(|row| format!("{}\n", Value::from(object(row)))).collect();
    let keys = saltplan::run(root, &["key", "encode", &schema, "--keys", "hex"], &json)?;
    let keys: Vec<&str> = keys.lines().collect();
    compare(&keys, &java_keys(root, design, &rows)?, &rows)?;
    if design.stored {
        check_decoding(root, &schema, &keys, &rows)?;
    }
    if design.salt == Salt::Computed && design.stored {
        check_wrong_salts(root, &schema, &keys)?;
    }
    Ok(())
}

/// A row in the form for `key encode`.
pub fn object(row: &Fields) -> Map<String, Value> {
    row.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

fn java_keys(root: &Path, design: &Design, rows: &[Fields]) -> Result<Vec<String>> {
    let mut input = String::new();
    for row in rows {
        let fields: Vec<String> = row.iter().map(|(_, value)| hex(plain(value).as_bytes())).collect();
        writeln!(input, "{}", fields.join("\t"))?;
    }
    let mut child = Command::new("java")
        .arg(root.join("tests/engines/java/src/oracle/KeyOracle.java"))
        .arg(design.name)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot run java; the suite needs Java 17")?;
    // The oracle prints nothing before it has read everything, so the two sides cannot deadlock.
    std::io::Write::write_all(&mut child.stdin.take().context("no stdin")?, input.as_bytes())?;
    let output = child.wait_with_output()?;
    ensure!(output.status.success(), "KeyOracle: {}", output.status);
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
}

pub fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

pub fn compare(keys: &[&str], oracle: &[String], rows: &[Fields]) -> Result<()> {
    ensure!(
        keys.len() == rows.len() && oracle.len() == rows.len(),
        "{} keys, Java has {}",
        keys.len(),
        oracle.len()
    );
    for ((key, expected), row) in keys.iter().zip(oracle).zip(rows) {
        ensure!(key == expected, "{}: {key}, Java has {expected}", Value::from(object(row)));
    }
    Ok(())
}

pub fn check_decoding(root: &Path, schema: &str, keys: &[&str], rows: &[Fields]) -> Result<()> {
    let decoded =
        saltplan::run(root, &["key", "decode", schema, "--keys", "hex"], &(keys.join("\n") + "\n"))?;
    let decoded: Vec<&str> = decoded.lines().collect();
    ensure!(decoded.len() == rows.len(), "{} of {} keys were decoded", decoded.len(), rows.len());
    for (line, row) in decoded.iter().zip(rows) {
        let mut found: Map<String, Value> = serde_json::from_str(line)?;
        if row.iter().all(|(name, _)| *name != "_salt") {
            found.remove("_salt");
        }
        ensure!(found == object(row), "{line}, encoded was {}", Value::from(object(row)));
    }
    Ok(())
}

/// The salt of one row on another row is found, unless both are the same.
fn check_wrong_salts(root: &Path, schema: &str, keys: &[&str]) -> Result<()> {
    let first = &keys[0][..2];
    let different: Vec<&&str> = keys.iter().filter(|key| &key[..2] != first).take(WRONG_SALTS).collect();
    // One byte is replaced, which gives the salt of another row or an invalid one.
    let planted: Vec<String> = different.iter().map(|key| format!("{first}{}\n", &key[2..])).collect();
    for key in &planted {
        let answer = saltplan::run(root, &["key", "decode", schema, "--keys", "hex"], key);
        let Err(error) = answer else { anyhow::bail!("{key} has a wrong salt and was not found") };
        let message = format!("{error:#}");
        ensure!(message.contains("salt"), "{key}: {message}");
    }
    Ok(())
}

/// The same numbers on every machine (SplitMix64).
pub struct Random(u64);

impl Random {
    pub fn new(name: &str) -> Self {
        Self(name.bytes().fold(0u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte))))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// Extremes first, then numbers of every size and sign.
    pub fn long(&mut self, row: usize) -> i64 {
        const EXTREMES: [i64; 9] =
            [0, 1, -1, i64::MAX, i64::MIN, i64::MIN + 1, 1 << 31, -(1 << 31), 1_586_140_000_000];
        let shift = self.below(64);
        EXTREMES.get(row).copied().unwrap_or_else(|| (self.next() as i64) >> shift)
    }

    pub fn digits(&mut self, count: usize) -> String {
        (0..count).map(|_| char::from(b'0' + self.below(10) as u8)).collect()
    }

    fn alnum(&mut self) -> String {
        const ALNUM: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        (0..self.below(24)).map(|_| char::from(ALNUM[self.below(62) as usize])).collect()
    }

    fn day(&mut self) -> String {
        format!("{:04}{:02}{:02}", 1 + self.below(9999), 1 + self.below(12), 1 + self.below(28))
    }

    fn second(&mut self) -> String {
        let day = self.day();
        format!("{day}{:02}{:02}{:02}", self.below(24), self.below(60), self.below(60))
    }

    /// Any characters: ASCII, multi-byte, surrogate pairs; sometimes empty.
    pub fn text(&mut self) -> String {
        (0..self.below(12)).map(|_| self.character()).collect()
    }

    fn character(&mut self) -> char {
        let code = match self.below(5) {
            0 | 1 => 0x20 + self.below(0x5F),
            2 => self.below(0x800),
            3 => self.below(0x1_0000),
            _ => self.below(0x11_0000),
        };
        // Surrogates are not characters.
        u32::try_from(code).ok().and_then(char::from_u32).unwrap_or('漢')
    }
}
