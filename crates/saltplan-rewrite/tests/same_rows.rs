//! Checks that a rewritten query returns the rows of the original: random query blocks over random rows, both
//! run by `SQLite`.
//!
//! `SALTPLAN_REWRITE_CASES=20000` runs more of them. This test finds the mutations of the rules
//! (`tests/mutations`): conditions of ON that move anywhere, and conditions that are true for NULL.

#![expect(clippy::expect_used, reason = "a test")]
#![allow(clippy::panic, clippy::print_stdout, reason = "a test that says what it did")]

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::Value;
use saltplan_core::Table;
use saltplan_core::queries::Engine;
use saltplan_rewrite::{Catalog, Options, rewrite};

const SCHEMA: &str = "
saltplan: 1
hbase: { table: calls, families: { f: {} } }
key:
  salt: { md5: { of: key, first_hex_digits: 1, write: { decimal: 3 } } }
  fields:
    - { name: day, type: date, format: yyyyMMdd }
    - { name: id, type: string, chars: alnum }
columns:
  - { name: x, type: int, hbase: 'f:x' }
  - { name: y, type: string, hbase: 'f:y' }
hive:
  mapping: { table: calls_map, key_column: k }
  view: calls
";

const DAYS: [i64; 3] = [20_200_406, 20_200_407, 20_200_408];
/// Databases with different rows; each query runs on two of them.
const DATABASES: u64 = 6;

const IDS: [&str; 3] = ["a", "b", "c"];

/// The numbers of a generator that are the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    fn one_of<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// A database with the mapping table, its view, and a plain table with the same columns.
fn database(table: &Table, random: &mut Random) -> Connection {
    let database = Connection::open_in_memory().expect("a database");
    let concat = |context: &mut rusqlite::functions::Context<'_>| -> rusqlite::Result<Option<String>> {
        let parts: Option<Vec<String>> =
            (0..context.len()).map(|index| context.get(index)).collect::<Result<_, _>>()?;
        Ok(parts.map(|parts| parts.concat()))
    };
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    database.create_scalar_function("concat", -1, flags, concat).expect("a function");
    database
        .execute_batch(
            "CREATE TABLE calls_map (k TEXT, x INT, y TEXT);
             CREATE VIEW calls AS SELECT cast(substr(k, 4, 8) as int) AS day, substr(k, 12) AS id, x, y FROM calls_map;
             CREATE TABLE plain (day INT, id TEXT, x INT, y TEXT);",
        )
        .expect("tables");
    for day in DAYS {
        for id in IDS {
            for _ in 0..usize::from(random.chance(70)) {
                let (x, y) = (small(random), text(random));
                let row = serde_json::json!({ "day": day.to_string(), "id": id });
                let key = table.encode(row.as_object().expect("an object")).expect("a key");
                let key = String::from_utf8(key).expect("text");
                database.execute("INSERT INTO calls_map VALUES (?, ?, ?)", (key, x, y)).expect("a row");
            }
        }
    }
    for _ in 0..random.below(6) {
        let day = random.chance(80).then(|| *random.one_of(&DAYS));
        let id = random.chance(80).then(|| *random.one_of(&IDS));
        let row = (day, id, small(random), text(random));
        database.execute("INSERT INTO plain VALUES (?, ?, ?, ?)", row).expect("a row");
    }
    database
}

fn small(random: &mut Random) -> Option<i64> {
    random.chance(75).then(|| random.below(3) as i64)
}

fn text(random: &mut Random) -> Option<&'static str> {
    random.chance(75).then(|| *random.one_of(&IDS))
}

/// A query in HiveQL that `SQLite` also accepts.
struct Block<'r> {
    random: &'r mut Random,
    aliases: Vec<&'static str>,
    /// The aliases of an outer block.
    outer: Vec<&'static str>,
    depth: usize,
}

impl Block<'_> {
    fn operand(&mut self, alias: &str) -> String {
        let column = *self.random.one_of(&["day", "day", "day", "id", "x", "y"]);
        match self.aliases.len() + self.outer.len() == 1 && self.random.chance(40) {
            true => column.to_string(),
            false => format!("{alias}.{column}"),
        }
    }

    fn constant(&mut self, operand: &str) -> String {
        if operand.ends_with("day") {
            self.random.one_of(&DAYS).to_string()
        } else if operand.ends_with('x') {
            self.random.below(3).to_string()
        } else {
            format!("'{}'", self.random.one_of(&IDS))
        }
    }

    fn alias(&mut self) -> &'static str {
        let count = self.aliases.len();
        match self.outer.is_empty() || self.random.chance(70) {
            true => self.aliases[self.random.below(count)],
            false => self.random.one_of::<&str>(&self.outer),
        }
    }

    /// A condition without AND or OR.
    fn leaf(&mut self) -> String {
        let alias = self.alias();
        let left = self.operand(alias);
        let constant = self.constant(&left);
        let other = self.constant(&left);
        match self.random.below(16) {
            0..=4 => format!("{left} = {constant}"),
            5 => format!("{left} <> {constant}"),
            6 => format!("{left} >= {constant}"),
            7 => format!("{left} IN ({constant}, {other})"),
            8 => format!("{left} NOT IN ({constant}, {other})"),
            9 => format!("{left} BETWEEN {constant} AND {other}"),
            10 => format!("{left} IS NULL"),
            11 => format!("{left} IS NOT NULL"),
            12 => format!("coalesce({left}, {constant}) = {constant}"),
            13 => format!("CASE WHEN {left} = {constant} THEN 1 ELSE 0 END = {}", self.random.below(2)),
            _ => {
                let column = left.rsplit('.').next().unwrap_or_default().to_string();
                let other = self.alias();
                format!("{left} = {other}.{column}")
            }
        }
    }

    fn condition(&mut self) -> String {
        let mut parts = Vec::new();
        for _ in 0..=self.random.below(3) {
            parts.push(match self.random.below(12) {
                0 => format!("({} OR {})", self.leaf(), self.leaf()),
                1 => format!("NOT ({})", self.leaf()),
                2 => format!("({} AND {})", self.leaf(), self.leaf()),
                3 => format!("({} AND {} OR {})", self.leaf(), self.leaf(), self.leaf()),
                _ => self.leaf(),
            });
        }
        let word = if self.random.chance(90) { " AND " } else { " OR " };
        parts.join(word)
    }

    /// `[NOT] EXISTS` or `IN` with a subquery.
    fn subquery(&mut self) -> String {
        let outer = self.aliases.iter().chain(&self.outer).copied().collect();
        let mut inner = Block { random: self.random, aliases: Vec::new(), outer, depth: self.depth + 1 };
        let from = inner.from();
        let filter = inner.condition();
        let first = inner.aliases[0];
        let not = if self.random.chance(50) { "NOT " } else { "" };
        match self.random.chance(60) {
            true => format!("{not}EXISTS (SELECT 1 FROM {from} WHERE {filter})"),
            false => format!("{}.id {not}IN (SELECT {first}.id FROM {from} WHERE {filter})", self.aliases[0]),
        }
    }

    fn relation(&mut self) -> String {
        const ALIASES: [[&str; 4]; 2] = [["a", "b", "c", "d"], ["e", "f", "g", "h"]];
        let alias = ALIASES[self.depth.min(1)][self.aliases.len()];
        self.aliases.push(alias);
        match self.random.below(10) {
            0..=5 => format!("calls {alias}"),
            6..=8 => format!("plain AS {alias}"),
            _ => format!("(SELECT * FROM calls WHERE {}) {alias}", {
                let mut inner =
                    Block { random: self.random, aliases: vec!["calls"], outer: Vec::new(), depth: 1 };
                inner.condition()
            }),
        }
    }

    fn from(&mut self) -> String {
        let mut from = self.relation();
        let joins = if self.depth > 0 { self.random.below(2) } else { self.random.below(4) };
        for _ in 0..joins {
            let relation = self.relation();
            from += &match self.random.below(9) {
                0 => format!(", {relation}"),
                1 => format!(" CROSS JOIN {relation}"),
                kind => {
                    let kind = [
                        "JOIN",
                        "INNER JOIN",
                        "LEFT JOIN",
                        "LEFT OUTER JOIN",
                        "RIGHT JOIN",
                        "FULL OUTER JOIN",
                    ][(kind - 2) % 6];
                    format!(" {kind} {relation} ON {}", self.condition())
                }
            };
        }
        from
    }

    fn query(&mut self) -> String {
        let from = self.from();
        let mut filter = self.condition();
        if self.depth == 0 && self.random.chance(25) {
            filter = format!("{filter} AND {}", self.subquery());
        }
        let wanted = if self.random.chance(80) { format!(" WHERE {filter}") } else { String::new() };
        let first = self.aliases[0];
        match self.random.below(4) {
            0 => format!("SELECT {first}.id, count(*) FROM {from}{wanted} GROUP BY {first}.id"),
            1 => format!("SELECT count(*), max({first}.day) FROM {from}{wanted} HAVING count(*) > 1"),
            2 => format!("SELECT DISTINCT {first}.x, {first}.y FROM {from}{wanted}"),
            _ => format!("SELECT * FROM {from}{wanted}"),
        }
    }
}

fn query(random: &mut Random) -> String {
    let mut block =
        |depth| Block { random: &mut *random, aliases: Vec::new(), outer: Vec::new(), depth }.query();
    let first = block(0);
    match random.below(10) {
        0 => format!("WITH w AS ({first}) SELECT * FROM w, calls q WHERE q.day = 20200406 AND q.id = 'a'"),
        1 => format!("SELECT count(*) FROM ({first}) u UNION ALL SELECT x FROM calls WHERE day = 20200407"),
        _ => first,
    }
}

fn rows(database: &Connection, sql: &str) -> rusqlite::Result<Vec<String>> {
    let mut statement = database.prepare(sql)?;
    let columns = statement.column_count();
    let row = |row: &rusqlite::Row<'_>| {
        (0..columns).map(|index| row.get::<_, Value>(index)).collect::<rusqlite::Result<Vec<_>>>()
    };
    let rows = statement.query_map([], row)?;
    let mut rows = rows.map(|row| row.map(|row| format!("{row:?}"))).collect::<rusqlite::Result<Vec<_>>>()?;
    rows.sort();
    Ok(rows)
}

#[test]
fn rewritten_queries_give_the_same_rows() {
    let cases: u64 =
        std::env::var("SALTPLAN_REWRITE_CASES").ok().map_or(600, |cases| cases.parse().expect("a number"));
    let table = || Table::from_yaml(SCHEMA).expect("a schema");
    let mut catalog = Catalog::default();
    catalog.add(table(), Engine::Tez).expect("a table");
    let plain = table();
    let databases: Vec<Connection> = (0..DATABASES).map(|seed| database(&plain, &mut Random(seed))).collect();
    let (mut narrowed, mut compared, mut with_rows) = (0, 0, 0);
    for case in 0..cases {
        let mut random = Random(case);
        let sql = query(&mut random);
        let rewritten = rewrite("query", &sql, &catalog, &Options::default())
            .unwrap_or_else(|told| panic!("{sql}\n{told}"));
        assert_eq!(rewritten.without_splices(), sql);
        narrowed += u64::from(rewritten.text != sql);
        if rewritten.text == sql {
            continue;
        }
        let first = random.below(databases.len());
        for database in [&databases[first], &databases[(first + 1) % databases.len()]] {
            let Ok(expected) = rows(database, &sql) else { panic!("no engine reads read {sql}") };
            let found =
                rows(database, &rewritten.text).unwrap_or_else(|error| panic!("{error}: {}", rewritten.text));
            assert_eq!(found, expected, "case {case}: {sql}\nbecomes {}", rewritten.text);
            compared += 1;
            with_rows += u64::from(!expected.is_empty());
        }
    }
    println!("{cases} queries, {narrowed} narrowed, {compared} compared, {with_rows} with rows");
    assert!(narrowed * 3 > cases, "only {narrowed} of {cases} queries were narrowed");
    assert!(with_rows * 4 > compared, "only {with_rows} of {compared} results have rows");
}
