//! Row keys compared with Apache Phoenix: the client of Phoenix compiles UPSERT statements and makes the rows of salted tables, of
//! every type and order that a schema file can describe; `saltplan key encode` makes the same keys of the same values, and
//! `saltplan key decode` reads the values back.
//!
//! `phoenix::keys` needs Java and the jars of `lab fetch`, but no HBase. In `server.rs` the tables are in the HBase of the lab.

mod server;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};

use crate::engine::Engines;
use crate::keys::{self, Fields, Random};
use crate::saltplan;

const TABLES: usize = 120;
const ROWS: usize = 12;
const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];
const NANOS: [&str; 5] = ["a_nanos", "b_nanos", "c_nanos", "d_nanos", "e_nanos"];

pub fn trials(root: &Path, engines: &Engines) -> Result<Vec<Trial>> {
    let mut trials = server::trials(root, engines)?;
    let root = root.to_owned();
    trials.push(Trial::test("phoenix::keys", move || {
        check(&root).map_err(|error| Failed::from(format!("{error:#}")))
    }));
    Ok(trials)
}

/// A column type of Phoenix, with the field of a schema file that stores the same bytes.
struct ColumnType {
    sql: &'static str,
    field: &'static str,
    values: Values,
}

enum Values {
    /// Whole numbers between two bounds.
    Numbers(i64, i64),
    /// 0 and 1.
    Flags,
    /// Milliseconds since 1970.
    Times,
    /// The same, and nanoseconds below a millisecond in a field of their own.
    Nanoseconds,
    /// ASCII text of at most this many characters, without blanks at its end; in Phoenix an empty text is
    /// NULL.
    Ascii(u64),
    /// Any text but the empty one, without the zero byte and the ends of lines.
    Texts,
    /// This many bytes.
    Bytes(usize),
}

const fn column(sql: &'static str, field: &'static str, values: Values) -> ColumnType {
    ColumnType { sql, field, values }
}

const TYPES: [ColumnType; 21] = [
    column("TINYINT", "type: tinyint, encoding: be_sortable", Values::Numbers(-128, 127)),
    column("SMALLINT", "type: smallint, encoding: be_sortable", Values::Numbers(-32_768, 32_767)),
    column("INTEGER", "type: int, encoding: be_sortable", Values::Numbers(i32::MIN as i64, i32::MAX as i64)),
    column("BIGINT", "type: bigint, encoding: be_sortable", Values::Numbers(i64::MIN, i64::MAX)),
    column("UNSIGNED_TINYINT", "type: tinyint, encoding: be_unsigned", Values::Numbers(0, 127)),
    column("UNSIGNED_SMALLINT", "type: smallint, encoding: be_unsigned", Values::Numbers(0, 32_767)),
    column("UNSIGNED_INT", "type: int, encoding: be_unsigned", Values::Numbers(0, i32::MAX as i64)),
    column("UNSIGNED_LONG", "type: bigint, encoding: be_unsigned", Values::Numbers(0, i64::MAX)),
    column("BOOLEAN", "type: tinyint, encoding: be_unsigned, max: 1", Values::Flags),
    column("DATE", "type: timestamp, epoch: ms, encoding: be_sortable", Values::Times),
    column("TIME", "type: timestamp, epoch: ms, encoding: be_sortable", Values::Times),
    column("UNSIGNED_DATE", "type: timestamp, epoch: ms, encoding: be_unsigned", Values::Times),
    column("TIMESTAMP", "type: timestamp, epoch: ms, encoding: be_sortable", Values::Nanoseconds),
    column("UNSIGNED_TIMESTAMP", "type: timestamp, epoch: ms, encoding: be_unsigned", Values::Nanoseconds),
    column("CHAR(5)", "type: string, chars: ascii, width: 5, pad: ' '", Values::Ascii(5)),
    column("CHAR(1)", "type: string, width: 1, pad: ' '", Values::Ascii(1)),
    column("CHAR(24)", "type: string, width: 24, pad: ' '", Values::Ascii(24)),
    column("BINARY(3)", "type: bytes, width: 3", Values::Bytes(3)),
    column("VARCHAR", "type: string", Values::Texts),
    column("VARCHAR", "type: string", Values::Texts),
    column("VARCHAR(40)", "type: string", Values::Texts),
];

/// A column of a primary key.
struct KeyColumn {
    of: &'static ColumnType,
    descending: bool,
}

impl KeyColumn {
    /// In descending order, Phoenix ends a NULL with another byte than a text.
    fn is_nullable(&self) -> bool {
        matches!(self.of.values, Values::Texts) && !self.descending
    }

    /// The fields of a value: nanoseconds are two.
    fn fields(&self, at: usize, value: Value) -> Fields {
        match (&self.of.values, value.as_i64()) {
            (Values::Nanoseconds, Some(all)) => {
                vec![(NAMES[at], json!(all / 1_000_000)), (NANOS[at], json!(all % 1_000_000))]
            }
            _ => vec![(NAMES[at], value)],
        }
    }
}

/// A salted table.
struct PhoenixTable {
    number: usize,
    columns: Vec<KeyColumn>,
    buckets: u64,
}

impl PhoenixTable {
    /// The types take turns, so that each occurs in both orders and at every position.
    fn new(random: &mut Random, number: usize) -> Self {
        let count = 1 + random.below(NAMES.len() as u64) as usize;
        let column = |random: &mut Random, at: usize| {
            let of = if at == 0 { number } else { random.below(TYPES.len() as u64) as usize };
            KeyColumn { of: &TYPES[of % TYPES.len()], descending: random.below(2) == 1 }
        };
        let columns = (0..count).map(|at| column(random, at)).collect();
        // At most 256, and mostly few.
        let buckets = if number.is_multiple_of(5) { 256 } else { 1 + random.below(20) };
        PhoenixTable { number, columns, buckets }
    }

    fn create(&self) -> String {
        self.create_with(KeyColumn::is_nullable)
    }

    fn create_with(&self, is_nullable: fn(&KeyColumn) -> bool) -> String {
        let (mut columns, mut key) = (Vec::new(), Vec::new());
        for (name, column) in NAMES.iter().zip(&self.columns) {
            let nullable = if is_nullable(column) { "" } else { " NOT NULL" };
            columns.push(format!("{name} {}{nullable}", column.of.sql));
            key.push(format!("{name}{}", if column.descending { " DESC" } else { "" }));
        }
        format!(
            "CREATE TABLE t{} ({}, v VARCHAR CONSTRAINT pk PRIMARY KEY ({})) SALT_BUCKETS = {}",
            self.number,
            columns.join(", "),
            key.join(", "),
            self.buckets
        )
    }

    fn schema(&self) -> String {
        let mut yaml = format!(
            "saltplan: 1\nhbase: {{ table: t, families: {{ f: {{}} }} }}\nkey:\n  \
             salt: {{ bytes_hash: {{ of: key, abs: after, modulo: {}, write: be8 }} }}\n  fields:\n",
            self.buckets
        );
        for (at, (name, column)) in NAMES.iter().zip(&self.columns).enumerate() {
            let mut field = format!("name: {name}, {}", column.of.field);
            if column.descending {
                field += ", descending: true";
            } else if matches!(column.of.values, Values::Texts) && at + 1 < self.columns.len() {
                field += r", then: '\x00'";
            }
            yaml += &format!("    - {{ {field} }}\n");
            if let Values::Nanoseconds = column.of.values {
                let descending = column.descending;
                yaml += &format!(
                    "    - {{ name: {name}_nanos, type: int, encoding: be_unsigned, max: 999999, descending: {descending} }}\n"
                );
            }
        }
        yaml
    }

    fn row(&self, random: &mut Random, row: usize) -> (Fields, String) {
        let (mut fields, mut literals) = (Fields::new(), Vec::new());
        for (at, (name, column)) in NAMES.iter().zip(&self.columns).enumerate() {
            // Phoenix drops NULLs at the end of a key with their separators; in the middle they are the empty text.
            if column.is_nullable() && at + 1 < self.columns.len() && random.below(6) == 0 {
                fields.push((name, json!("")));
                literals.push("NULL".into());
                continue;
            }
            let (value, literal) = column.of.values.draw(random, row);
            fields.extend(column.fields(at, value));
            literals.push(literal);
        }
        let upsert = format!("UPSERT INTO t{} VALUES ({}, 'v')", self.number, literals.join(", "));
        (fields, upsert)
    }
}

impl Values {
    /// A value as a row has it, and as a literal of Phoenix.
    fn draw(&self, random: &mut Random, row: usize) -> (Value, String) {
        match self {
            Values::Numbers(least, greatest) => {
                let all = i128::from(*greatest) - i128::from(*least) + 1;
                let number = match row {
                    0 => *least,
                    1 => *greatest,
                    _ => (i128::from(random.long(row)).rem_euclid(all) + i128::from(*least)) as i64,
                };
                // A literal is read without its sign, and the least number has no positive counterpart.
                let literal = match number {
                    i64::MIN => format!("({} - 1)", i64::MIN + 1),
                    number => number.to_string(),
                };
                (json!(number), literal)
            }
            Values::Flags => {
                let flag = random.below(2);
                (json!(flag), if flag == 1 { "TRUE" } else { "FALSE" }.into())
            }
            Values::Times => {
                let milliseconds = random.below(4_000_000_000_000) as i64;
                let at = chrono::DateTime::from_timestamp_millis(milliseconds).unwrap_or_default();
                (json!(milliseconds), format!("TO_DATE('{}')", at.format("%Y-%m-%d %H:%M:%S%.3f")))
            }
            Values::Nanoseconds => {
                let nanoseconds = random.below(4_000_000_000_000_000_000) as i64;
                let at = chrono::DateTime::from_timestamp_nanos(nanoseconds);
                (json!(nanoseconds), format!("TIMESTAMP '{}'", at.format("%Y-%m-%d %H:%M:%S%.9f")))
            }
            Values::Ascii(most) => {
                let length = 1 + random.below(*most);
                let text: String = (0..length).map(|_| char::from(b' ' + random.below(0x5F) as u8)).collect();
                let text = match text.trim_end_matches(' ') {
                    "" => "x",
                    text => text,
                };
                (json!(text), quoted(text))
            }
            Values::Texts => {
                // A statement is a line.
                let text = random.text().replace(['\0', '\n', '\r'], "");
                let text = if text.is_empty() { "x".to_string() } else { text };
                (json!(text), quoted(&text))
            }
            Values::Bytes(count) => {
                let hex: String = (0..*count).map(|_| format!("{:02x}", random.below(256))).collect();
                let literal = format!("DECODE('{hex}', 'HEX')");
                (json!(hex), literal)
            }
        }
    }
}

/// A literal of Phoenix, in which a backslash escapes.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', r"\\").replace('\'', "''"))
}

fn check(root: &Path) -> Result<()> {
    let mut random = Random::new("phoenix");
    let tables: Vec<PhoenixTable> =
        (0..TABLES).map(|number| PhoenixTable::new(&mut random, number)).collect();
    let mut statements = String::new();
    let mut rows = Vec::new();
    for table in &tables {
        writeln!(statements, "{}", table.create())?;
        let drawn: Vec<_> = (0..ROWS).map(|row| table.row(&mut random, row)).collect();
        drawn.iter().for_each(|(_, upsert)| statements += &format!("{upsert}\n"));
        rows.push(drawn.into_iter().map(|(fields, _)| fields).collect::<Vec<_>>());
    }
    let of_phoenix = phoenix_keys(root, &statements)?;
    ensure!(
        of_phoenix.len() == TABLES * ROWS,
        "{} keys of Phoenix for {} rows",
        of_phoenix.len(),
        TABLES * ROWS
    );
    let folder = tempfile::tempdir()?;
    for ((table, rows), expected) in tables.iter().zip(&rows).zip(of_phoenix.chunks(ROWS)) {
        let schema = folder.path().join(format!("t{}.yaml", table.number));
        std::fs::write(&schema, table.schema())?;
        let schema = schema.to_string_lossy();
        let json: String = rows.iter().map(|row| format!("{}\n", Value::from(keys::object(row)))).collect();
        let made = saltplan::run(root, &["key", "encode", &schema, "--keys", "hex"], &json)?;
        let made: Vec<&str> = made.lines().collect();
        keys::compare(&made, expected, rows)
            .and_then(|()| keys::check_decoding(root, &schema, &made, rows))
            .with_context(|| format!("{}\n{}", table.create(), table.schema()))?;
    }
    Ok(())
}

/// The row keys that Phoenix makes of statements, in hex.
fn phoenix_keys(root: &Path, statements: &str) -> Result<Vec<String>> {
    let mut child = Command::new(root.join("tests/engines/lab"))
        .arg("phoenix")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot run tests/engines/lab")?;
    // Phoenix prints nothing before it has read everything, so the two sides cannot deadlock.
    child.stdin.take().context("no stdin")?.write_all(statements.as_bytes())?;
    let output = child.wait_with_output()?;
    ensure!(
        output.status.success(),
        "lab phoenix: {}; see phoenix.log in the lab's directory",
        output.status
    );
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
}
