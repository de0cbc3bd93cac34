//! Checks that a rewritten query returns the rows of the original: random query blocks over random rows, both
//! run by `SQLite`.
//!
//! `SALTPLAN_REWRITE_CASES=20000` runs more of them. This test finds the mutations of the rules
//! (`tests/mutations`): conditions of ON that move anywhere, conditions that are true for NULL, conditions around a query that
//! pass a LIMIT, a window or a group, or hold for one of several uses, and arms of an OR that say nothing.

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
             CREATE TABLE plain (day INT, id TEXT, x INT, y TEXT);
             CREATE TABLE other (w INT, v TEXT, m INT);",
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
        let row = (day, random.chance(80).then(|| *random.one_of(&IDS)), small(random));
        database.execute("INSERT INTO other VALUES (?, ?, ?)", row).expect("a row");
    }
    database
}

fn small(random: &mut Random) -> Option<i64> {
    random.chance(75).then(|| random.below(3) as i64)
}

fn text(random: &mut Random) -> Option<&'static str> {
    random.chance(75).then(|| *random.one_of(&IDS))
}

/// A relation with its columns: `day` and `w` are days, `x` and `m` small numbers, the others texts.
#[derive(Clone)]
struct Relation {
    alias: &'static str,
    columns: Vec<&'static str>,
}

fn kind(column: &str) -> &'static str {
    match column {
        "day" | "w" => "day",
        "x" | "m" => "number",
        _ => "text",
    }
}

const OF_CALLS: [&str; 4] = ["day", "id", "x", "y"];
const OF_OTHER: [&str; 3] = ["w", "v", "m"];

/// A query in HiveQL that `SQLite` also accepts.
struct Block<'r> {
    random: &'r mut Random,
    relations: Vec<Relation>,
    /// How many of them a condition can name.
    seen: usize,
    /// Those of an outer block.
    outer: Vec<Relation>,
    /// The columns of the WITH query `q`, if there is one.
    with: Option<Vec<&'static str>>,
    depth: usize,
}

impl Block<'_> {
    /// A column of a relation, sometimes without its alias if no other relation has the name.
    fn operand(&mut self, relation: &Relation) -> String {
        let mut column = *self.random.one_of(&relation.columns);
        if self.random.chance(40) {
            column = relation.columns.iter().find(|column| kind(column) == "day").unwrap_or(&column);
        }
        self.named(relation, column)
    }

    fn named(&mut self, relation: &Relation, column: &str) -> String {
        let have =
            |relations: &[Relation]| relations.iter().filter(|other| other.columns.contains(&column)).count();
        let is_own = self.relations.iter().any(|own| own.alias == relation.alias);
        let is_plain = match is_own {
            true => have(&self.relations) == 1,
            false => have(&self.relations) == 0 && have(&self.outer) == 1,
        };
        match is_plain && self.random.chance(60) {
            true => column.to_string(),
            false => format!("{}.{column}", relation.alias),
        }
    }

    fn constant(&mut self, operand: &str) -> String {
        match kind(operand.rsplit('.').next().unwrap_or_default()) {
            "day" => self.random.one_of(&DAYS).to_string(),
            "number" => self.random.below(3).to_string(),
            _ => format!("'{}'", self.random.one_of(&IDS)),
        }
    }

    fn some_relation(&mut self) -> Relation {
        match self.outer.is_empty() || self.random.chance(70) {
            true => {
                let index = self.random.below(self.seen);
                self.relations[index].clone()
            }
            false => {
                let index = self.random.below(self.outer.len());
                self.outer[index].clone()
            }
        }
    }

    /// A condition without AND or OR.
    fn leaf(&mut self) -> String {
        let relation = self.some_relation();
        let left = self.operand(&relation);
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
                let wanted = kind(left.rsplit('.').next().unwrap_or_default());
                let other = self.some_relation();
                let columns: Vec<&str> =
                    other.columns.iter().copied().filter(|column| kind(column) == wanted).collect();
                match columns.is_empty() {
                    true => format!("{left} = {constant}"),
                    false => {
                        let column = *self.random.one_of(&columns);
                        format!("{left} = {}", self.named(&other, column))
                    }
                }
            }
        }
    }

    fn condition(&mut self) -> String {
        let mut parts = Vec::new();
        for _ in 0..=self.random.below(3) {
            parts.push(match self.random.below(14) {
                0 => format!("({} OR {})", self.leaf(), self.leaf()),
                1 => format!("NOT ({})", self.leaf()),
                2 => format!("({} AND {})", self.leaf(), self.leaf()),
                3 => format!("({} AND {} OR {})", self.leaf(), self.leaf(), self.leaf()),
                4 | 5 => {
                    format!("({} AND {} OR {} AND {})", self.leaf(), self.leaf(), self.leaf(), self.leaf())
                }
                _ => self.leaf(),
            });
        }
        let word = if self.random.chance(90) { " AND " } else { " OR " };
        parts.join(word)
    }

    /// A block inside this one.
    fn inner(&mut self, outer: Vec<Relation>) -> Block<'_> {
        Block {
            random: self.random,
            relations: Vec::new(),
            seen: 0,
            outer,
            with: self.with.clone(),
            depth: self.depth + 1,
        }
    }

    /// `[NOT] EXISTS` or `IN` with a subquery.
    fn subquery(&mut self) -> String {
        let id = self.text_of_first();
        let outer = self.relations.iter().chain(&self.outer).cloned().collect();
        let mut inner = self.inner(outer);
        let from = inner.from();
        let filter = inner.condition();
        let first = inner.text_of_first();
        let not = if self.random.chance(50) { "NOT " } else { "" };
        match self.random.chance(60) {
            true => format!("{not}EXISTS (SELECT 1 FROM {from} WHERE {filter})"),
            false => format!("{id} {not}IN (SELECT {first} FROM {from} WHERE {filter})"),
        }
    }

    /// A column of the first relation that is a text.
    fn text_of_first(&mut self) -> String {
        let first = &self.relations[0];
        let columns: Vec<&str> =
            first.columns.iter().copied().filter(|column| kind(column) == "text").collect();
        format!("{}.{}", first.alias, self.random.one_of(&columns))
    }

    /// A condition on one table.
    fn condition_on(&mut self, alias: &'static str, columns: &[&'static str]) -> String {
        let mut inner = self.inner(Vec::new());
        inner.relations.push(Relation { alias, columns: columns.to_vec() });
        inner.seen = 1;
        inner.condition()
    }

    /// A query in brackets, and its columns.
    fn derived(&mut self) -> (String, Vec<&'static str>) {
        let filter = self.condition_on("calls", &OF_CALLS);
        let of_other = self.condition_on("other", &OF_OTHER);
        let three = vec!["day", "id", "x"];
        let key = *self.random.one_of(&["day", "id", "x", "day, id"]);
        let query = match self.random.below(28) {
            0 => return (format!("SELECT * FROM calls WHERE {filter}"), OF_CALLS.to_vec()),
            1 => return ("SELECT * FROM calls".into(), OF_CALLS.to_vec()),
            2 => return ("SELECT * FROM calls ORDER BY day, id LIMIT 2".into(), OF_CALLS.to_vec()),
            3 => format!("SELECT day, id, x FROM calls UNION ALL SELECT w, v, m FROM other WHERE {of_other}"),
            // The columns of the second arm have the names of the others.
            4 | 20 => "SELECT day, id, x FROM calls UNION ALL SELECT day AS x, id, x AS day FROM calls".into(),
            5 => format!("SELECT day, id, x FROM calls WHERE {filter} UNION SELECT day, id, x FROM calls"),
            6 => "SELECT day, id, x FROM calls EXCEPT SELECT day, id, x FROM plain".into(),
            7 => "SELECT day, id, x FROM plain INTERSECT SELECT day, id, x FROM calls".into(),
            8 => format!("SELECT day, id, count(*) AS x FROM calls WHERE {filter} GROUP BY day, id"),
            9 => "SELECT max(day) AS day, id, min(x) AS x FROM calls GROUP BY id".into(),
            10 | 21..=23 => format!("SELECT day, id, x, row_number() OVER (PARTITION BY {key} ORDER BY day, id) AS m FROM calls"),
            11 => "SELECT max(day) AS day, 'a' AS id, count(*) AS x FROM calls".into(),
            12 => "SELECT 20200406 AS day, 'a' AS id, count(x) AS x FROM calls".into(),
            13 => "SELECT day, v AS id, m AS x FROM other LEFT JOIN calls ON id = v".into(),
            14 => "SELECT coalesce(day, 20200406) AS day, v AS id, x FROM other LEFT JOIN calls ON id = v".into(),
            15 => format!("SELECT DISTINCT day, id, x FROM calls, other WHERE v = id AND {of_other}"),
            16 => format!("SELECT s.day, s.id, x + 1 AS x FROM (SELECT * FROM calls) s WHERE {}", {
                self.condition_on("s", &OF_CALLS)
            }),
            17 => "SELECT day, id, sum(x) AS x FROM calls GROUP BY day, id HAVING day <> 20200407 AND count(*) > 0".into(),
            // What is made of keys.
            25 => format!("SELECT day - 1 + 1 AS day, substr(id, 1, 1) AS id, count(*) AS x FROM calls WHERE {filter} GROUP BY day, substr(id, 1, 1)"),
            26 => "SELECT day + x AS day, id, x FROM calls GROUP BY id, day + x, x HAVING day + x <> 20200407".into(),
            27 => format!("SELECT day + 0 AS day, id, x, row_number() OVER (PARTITION BY {key} ORDER BY day, id) AS m FROM calls"),
            // Texts that functions make.
            24 => "SELECT day, concat(id, '') AS id, x FROM calls UNION ALL SELECT day, substr(y, 1, 1), x FROM calls".into(),
            18 => "SELECT day, id, x FROM calls UNION ALL SELECT day, y, x FROM calls ORDER BY 1, 2, 3 LIMIT 3".into(),
            _ => "SELECT x AS day, day AS x, id FROM calls".into(),
        };
        let columns = match &query {
            query if query.contains("row_number") => vec!["day", "id", "x", "m"],
            _ => three,
        };
        (query, columns)
    }

    fn relation(&mut self) -> String {
        const ALIASES: [[&str; 4]; 3] = [["a", "b", "c", "d"], ["e", "f", "g", "h"], ["i", "j", "k", "l"]];
        let alias = ALIASES[self.depth.min(2)][self.relations.len()];
        let (text, columns) = match (self.random.below(12), self.with.clone()) {
            (0..=3, _) => (format!("calls {alias}"), OF_CALLS.to_vec()),
            (4 | 5, _) => (format!("plain AS {alias}"), OF_CALLS.to_vec()),
            (6 | 7, _) => (format!("other {alias}"), OF_OTHER.to_vec()),
            (8 | 9, Some(columns)) => (format!("q {alias}"), columns),
            _ => {
                let (query, columns) = self.derived();
                (format!("({query}) {alias}"), columns)
            }
        };
        self.relations.push(Relation { alias, columns });
        text
    }

    fn from(&mut self) -> String {
        let joins = if self.depth > 0 { self.random.below(2) } else { self.random.below(4) };
        let texts: Vec<String> = (0..=joins).map(|_| self.relation()).collect();
        let mut from = texts[0].clone();
        for (index, relation) in texts.iter().enumerate().skip(1) {
            self.seen = index + 1;
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
        self.seen = self.relations.len();
        from
    }

    /// A HAVING on keys that are expressions, by their names, too, beside conditions on whole groups.
    fn on_keys_of_groups(&mut self, day: &str, text: &str, from: &str) -> String {
        let (one, other) = (*self.random.one_of(&DAYS) + 1, *self.random.one_of(&DAYS) + 1);
        let start = *self.random.one_of(&IDS);
        let having = match self.random.below(7) {
            0 => format!("{day} + 1 = {one}"),
            1 => format!("next = {one} AND count(*) > 1"),
            2 => format!("next = {one} AND count(*) > 1 OR {day} + 1 = {other} AND latest > 20200406"),
            3 => format!("next = {one} OR count(*) > 1"),
            4 => format!("substr({text}, 1, 1) = '{start}' AND next <> {one}"),
            5 => format!("start IN ('{start}', 'b') AND latest = {one} - 1"),
            // No key, which Hive refuses.
            _ => format!("{day} = {one} - 1 AND next > 20200406"),
        };
        format!(
            "SELECT {day} + 1 AS next, substr({text}, 1, 1) AS start, max({day}) AS latest, count(*) {from} GROUP BY {day} + 1, \
             substr({text}, 1, 1) HAVING {having}"
        )
    }

    fn query(&mut self) -> String {
        let from = self.from();
        let mut filter = self.condition();
        if self.depth == 0 && self.random.chance(25) {
            filter = format!("{filter} AND {}", self.subquery());
        }
        let wanted = if self.random.chance(80) { format!(" WHERE {filter}") } else { String::new() };
        let first = self.relations[0].clone();
        let text = self.text_of_first();
        let day = format!("{}.{}", first.alias, first.columns[0]);
        match self.random.below(6) {
            5 => self.on_keys_of_groups(&day, &text, &format!("FROM {from}{wanted}")),
            0 => format!("SELECT {text}, count(*) FROM {from}{wanted} GROUP BY {text}"),
            1 => format!("SELECT count(*), max({day}) FROM {from}{wanted} HAVING count(*) > 1"),
            2 => format!("SELECT DISTINCT {day}, {text} FROM {from}{wanted}"),
            3 => {
                let constant = self.constant(&day);
                let test =
                    *self.random.one_of(&["=", "<>", ">=", "IS NOT DISTINCT FROM", "IS DISTINCT FROM"]);
                let having = match self.random.chance(80) {
                    true => format!("{day} {test} {constant} AND count(*) > 0"),
                    false => format!("{day} {test} {constant} OR count(*) > 1"),
                };
                format!("SELECT {day}, count(*) FROM {from}{wanted} GROUP BY {day} HAVING {having}")
            }
            _ => format!("SELECT * FROM {from}{wanted}"),
        }
    }
}

/// Conditions on a query that is read once or twice.
fn around(random: &mut Random, query: &str, columns: Vec<&'static str>) -> String {
    let relation = |alias| Relation { alias, columns: columns.clone() };
    let is_once = random.chance(60);
    let relations = if is_once { vec![relation("a")] } else { vec![relation("a"), relation("b")] };
    let mut block =
        Block { random, seen: relations.len(), relations, outer: Vec::new(), with: None, depth: 0 };
    if is_once {
        return format!("SELECT * FROM ({query}) a WHERE {}", block.condition());
    }
    let mut of = |alias: &'static str| {
        let (day, x) = (block.constant("day"), block.constant("x"));
        match block.random.below(6) {
            0..=2 => format!("{alias}.day = {day}"),
            // What is made of groups in some of the queries.
            3 => format!("{alias}.day = {day} AND {alias}.x > {x}"),
            4 => format!("({alias}.day = {day} AND {alias}.x = {x} OR {alias}.x = 1)"),
            _ => format!("{alias}.x <> {x}"),
        }
    };
    let (first, second) = (of("a"), of("b"));
    format!("WITH q AS ({query}) SELECT * FROM q a JOIN q b ON a.id = b.id WHERE {first} AND {second}")
}

/// Equal columns of joins and of subqueries, with a condition on one of them.
fn equal(random: &mut Random) -> String {
    const JOINS: [&str; 4] = ["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"];
    let day = *random.one_of(&DAYS);
    let test = *random.one_of(&["=", "=", "<>", "<="]);
    let not = if random.chance(50) { "NOT " } else { "" };
    let (first, second) = (*random.one_of(&JOINS), *random.one_of(&JOINS));
    let (one, other) = (*random.one_of(&["a", "b", "c"]), *random.one_of(&["a", "b"]));
    let id = *random.one_of(&IDS);
    let other_day = *random.one_of(&DAYS);
    let compared = *random.one_of(&["=", "=", "<>", "<="]);
    match random.below(9) {
        // In the arms of an OR.
        6 => format!(
            "SELECT * FROM calls a {first} calls b ON a.id = b.id WHERE (a.day {test} {day} AND a.day {compared} b.day AND a.id <> '{id}') \
             OR (b.day = {other_day} AND a.day = b.day)"
        ),
        7 => format!(
            "SELECT * FROM calls a {first} calls b ON (b.day = a.day AND {other}.day = {day}) OR (a.day {compared} b.day AND {other}.day = \
             {other_day} AND a.id = b.id)"
        ),
        8 => format!(
            "SELECT * FROM calls a, calls b WHERE (a.day = {day} AND a.day = b.day) OR (a.day = {other_day} AND a.id = b.id{})",
            *random.one_of(&["", " AND b.day = a.day", " AND b.day = 20200407"])
        ),
        0 | 1 => format!(
            "SELECT * FROM calls a WHERE a.day = {day} AND a.day {not}IN (SELECT e.day FROM (SELECT '{id}' AS v) o LEFT JOIN calls e ON e.id = o.v)"
        ),
        2 => format!(
            "SELECT * FROM calls a {first} calls b ON a.id = b.id WHERE a.day {test} {day} AND {not}EXISTS (SELECT 1 FROM calls e WHERE \
             e.day = {other}.day AND e.id <> '{id}')"
        ),
        3 => format!(
            "SELECT * FROM calls a {first} calls b ON a.id = b.id AND {other}.day {test} {day} {second} calls c ON c.day = {other}.day"
        ),
        4 => format!(
            "SELECT * FROM calls a {first} calls b ON a.day = b.day AND {other}.day {test} {day} {second} calls c ON c.id = {other}.id"
        ),
        _ => format!(
            "SELECT * FROM calls a {first} calls b ON a.day = b.day {second} calls c ON c.day = {other}.day WHERE {one}.day {test} {day}"
        ),
    }
}

fn query(random: &mut Random) -> String {
    if random.chance(10) {
        return equal(random);
    }
    let mut block = Block { random, relations: Vec::new(), seen: 0, outer: Vec::new(), with: None, depth: 2 };
    let (named, columns) = block.derived();
    if random.chance(35) {
        return around(random, &named, columns);
    }
    let with = Some(columns);
    let mut block = Block { random, relations: Vec::new(), seen: 0, outer: Vec::new(), with, depth: 0 };
    let first = block.query();
    match random.below(10) {
        0 => format!(
            "WITH q AS ({named}), w AS ({first}) SELECT * FROM w, calls p WHERE p.day = 20200406 AND p.id = 'a'"
        ),
        1 => format!(
            "WITH q AS ({named}) SELECT count(*) FROM ({first}) u UNION ALL SELECT x FROM calls WHERE day = 20200407"
        ),
        _ if first.contains("q ") => format!("WITH q AS ({named}) {first}"),
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
        std::env::var("SALTPLAN_REWRITE_CASES").ok().map_or(1_000, |cases| cases.parse().expect("a number"));
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
