//! What Spark SQL reads with hbase-spark 1.0.1, the connector that is published: the ranges of simple conditions, and
//! wrong rows without an error for others. These traps are in docs/engines.md; `plan --engine spark` is refused for
//! them.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Failed, Trial};
use serde_json::{Map, Value, json};

use crate::engine::Engines;
use crate::helper::Helper;
use crate::rows::hex;

const TABLE: &str = "saltplan_connector";
const PARTS: &str = "saltplan_connector_parts";
const BYTES: &str = "saltplan_connector_bytes";
const QUERY: Duration = Duration::from_secs(300);
const SALTS: usize = 16;
const DAYS: usize = 10;
const IDS: usize = 20;
const ROWS: usize = SALTS * DAYS * IDS;

pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    let (root, engines) = (root.to_owned(), engines.clone());
    let check = move || check(&root, &engines).map_err(|error| Failed::from(format!("{error:#}")));
    vec![Trial::test("spark::connector", check)]
}

/// A condition, its rows, the rows that are returned, and those that HBase reads.
struct Case {
    condition: String,
    rows: usize,
    returned: usize,
    reads: usize,
}

/// A condition whose rows are right.
fn right(condition: impl Into<String>, rows: usize, reads: usize) -> Case {
    Case { condition: condition.into(), rows, returned: rows, reads }
}

/// A condition whose rows are wrong, without an error.
fn wrong(condition: impl Into<String>, rows: usize, returned: usize) -> Case {
    Case { condition: condition.into(), rows, returned, reads: returned }
}

/// The range of a day in a salt.
fn range(salt: usize, day: usize) -> String {
    format!("(k >= '{salt:03}202004{day:02}' AND k < '{salt:03}202004{:02}')", day + 1)
}

fn ranges(day: usize, salts: usize) -> String {
    (0..salts).map(|salt| range(salt, day)).collect::<Vec<_>>().join(" OR ")
}

fn check(root: &Path, engines: &Engines) -> Result<()> {
    let lab = root.join("tests/engines/lab");
    for fetched in ["python", "connector"] {
        // Can take minutes.
        ensure!(Command::new(&lab).arg(fetched).output()?.status.success(), "`lab {fetched}` failed");
    }
    create(engines)?;
    let mut spark = Spark { helper: Helper::start(&lab, "spark-connector", &[])?, engines };

    // In a new session, with the connector's own settings.
    let fresh = spark.view("fresh", TABLE, &key("string"), &["hbase.spark.use.hbasecontext"]);
    let message = fresh.err().map(|error| format!("{error:#}")).unwrap_or_default();
    ensure!(message.contains("NullPointerException"), "without `hbase.spark.use.hbasecontext`: {message}");
    spark.view("pushed", TABLE, &key("string"), &["hbase.spark.pushdown.columnfilter"])?;
    spark.fails("SELECT k FROM pushed WHERE k >= '003' AND k < '004'", "NoClassDefFoundError")?;

    spark.view("t", TABLE, &key("string"), &[])?;
    let day = SALTS * IDS;
    let (one, other) = ("00320200406", "00520200406");
    let guarded = format!(
        "({} AND concat(k, '') >= '{one}') OR ({} AND concat(k, '') >= '{other}')",
        range(3, 6),
        range(5, 6)
    );
    let cases = [
        right(range(3, 6), IDS, IDS),
        right(ranges(6, SALTS), day, day),
        right(format!("({}) AND v = '7'", ranges(6, SALTS)), SALTS, day),
        right(format!("k = '{one}05'"), 1, 1),
        right(format!("k = '{one}05' OR k = '{other}06'"), 2, 2),
        right(format!("k LIKE '{one}%'"), IDS, IDS),
        // The whole table is read.
        right(format!("k IN ('{one}05', '{other}06')"), 2, ROWS),
        right(guarded, 2 * IDS, ROWS),
        right(format!("({} AND length(v) = 1) OR {}", range(3, 6), range(4, 6)), 10 + IDS, ROWS),
        // Rows are returned twice.
        wrong([range(3, 7), range(3, 5), range(3, 6)].join(" OR "), 3 * IDS, 4 * IDS),
        wrong(format!("k = '{one}05' OR {}", range(3, 6)), IDS, IDS + 1),
        wrong(format!("k = '{one}00' OR (k > '{one}00' AND k < '{one}10')"), 10, 11),
        // Rows are lost.
        wrong(format!("(k = '{one}05' OR {}) AND (k = '{other}07' OR {})", range(5, 6), range(3, 6)), 2, 0),
        wrong(
            format!("(k = '{one}05' OR (k >= '005' AND k < '006')) AND (k >= '{one}05' AND k < '004')"),
            1,
            0,
        ),
    ];
    for case in cases {
        spark.check("t", TABLE, &case)?;
    }
    let union: Vec<String> =
        (0..SALTS).map(|salt| format!("SELECT k FROM t WHERE {}", range(salt, 6))).collect();
    let found = spark.count(TABLE, &union.join(" UNION ALL "))?;
    ensure!(found == (day, day), "{found:?} rows and reads of a UNION ALL");

    // A row key of two fields: one character, then two digits.
    let field =
        |name: &str, length: &str| json!({"cf": "rowkey", "col": name, "type": "string", "length": length});
    let fields =
        json!({"rowkey": "s:n", "columns": {"s": field("s", "1"), "n": field("n", "2"), "v": value()}});
    spark.view("parts", PARTS, &fields, &[])?;
    for (condition, rows, returned) in
        [("s = '3'", IDS, 0), ("s <= '3'", 3 * IDS, 2 * IDS), ("n >= '05' AND n < '09'", 16, 0)]
    {
        let (found, _) = spark.count(PARTS, &format!("SELECT s, n FROM parts WHERE {condition}"))?;
        ensure!(found == returned, "{condition} has {rows} rows; {found} were returned, {returned} expected");
    }

    spark.view("texts", BYTES, &key("string"), &[])?;
    let keys = spark.rows("SELECT hex(k) FROM texts ORDER BY 1")?;
    // `a\x001` is cut after `a`, and `b\xFF1` is not UTF-8.
    ensure!(keys == "61\n6131\n62EFBFBD31\n", "keys as texts: {keys}");
    spark.view("bytes", BYTES, &key("binary"), &[])?;
    ensure!(spark.rows("SELECT hex(k) FROM bytes ORDER BY 1")? == "610031\n6131\n62FF31\n", "keys as bytes");
    spark.fails("SELECT hex(k) FROM bytes WHERE k < X'62'", "ClassCastException")?;
    spark.fails("SELECT hex(k) FROM bytes WHERE k >= X'62'", "ClassCastException")
}

/// A column of the tables.
fn value() -> Value {
    json!({"cf": "f", "col": "v", "type": "string"})
}

/// A row key of one field.
fn key(hive_type: &str) -> Value {
    json!({"rowkey": "k", "columns": {"k": {"cf": "rowkey", "col": "k", "type": hive_type}, "v": value()}})
}

fn create(engines: &Engines) -> Result<()> {
    let splits: Vec<String> = (1..SALTS).map(|salt| format!("'{salt:03}'")).collect();
    for (table, more) in [
        (TABLE, format!(", SPLITS => [{}]", splits.join(", "))),
        (PARTS, String::new()),
        (BYTES, String::new()),
    ] {
        engines.client("drop", table)?;
        engines.shell(&format!("create '{table}', 'f'{more}\n"))?;
    }
    let put = |table: &str, rows: Vec<(Vec<u8>, String)>| {
        let cells: String = rows
            .iter()
            .map(|(key, value)| format!("\n{}\tf:v={}", hex(key), hex(value.as_bytes())))
            .collect();
        engines.client("put", &format!("{table}{cells}"))
    };
    for salt in 0..SALTS {
        let ids = (1..=DAYS).flat_map(|day| (0..IDS).map(move |id| (day, id)));
        let rows =
            ids.map(|(day, id)| (format!("{salt:03}202004{day:02}{id:02}").into_bytes(), id.to_string()));
        put(TABLE, rows.collect())?;
    }
    let parts =
        (1..5).flat_map(|s| (0..IDS).map(move |n| (format!("{s}{n:02}").into_bytes(), String::from("x"))));
    put(PARTS, parts.collect())?;
    put(BYTES, [&b"a1"[..], b"a\x001", b"b\xFF1"].map(|key| (key.to_vec(), String::from("x"))).to_vec())?;
    Ok(())
}

struct Spark<'a> {
    helper: Helper,
    engines: &'a Engines,
}

impl Spark<'_> {
    /// Makes a view of a table by a catalog, without some of the options that the connector needs.
    fn view(&mut self, name: &str, table: &str, catalog: &Value, without: &[&str]) -> Result<()> {
        let mut catalog = catalog.clone();
        catalog["table"] = json!({"namespace": "default", "name": table});
        let needed = ["hbase.spark.use.hbasecontext", "hbase.spark.pushdown.columnfilter"];
        let mut options: Map<String, Value> = needed
            .iter()
            .filter(|option| !without.contains(option))
            .map(|option| (option.to_string(), Value::from("false")))
            .collect();
        options.insert("catalog".into(), Value::from(catalog.to_string()));
        self.helper.ask("view", &format!("{name} {}", Value::from(options)), QUERY)??;
        Ok(())
    }

    fn rows(&mut self, query: &str) -> Result<String> {
        self.helper.ask("query", query, QUERY)?.with_context(|| query.to_string())
    }

    /// The rows of a query, and those that HBase read of a table for it.
    fn count(&mut self, table: &str, query: &str) -> Result<(usize, usize)> {
        let reads = || -> Result<usize> { Ok(self.engines.client("reads", table)?.parse()?) };
        let before = reads()?;
        let rows = self.rows(query)?;
        Ok((rows.lines().count(), reads()? - before))
    }

    fn check(&mut self, view: &str, table: &str, case: &Case) -> Result<()> {
        let Case { condition, rows, returned, reads } = case;
        let found = self.count(table, &format!("SELECT k FROM {view} WHERE {condition}"))?;
        ensure!(
            found == (*returned, *reads),
            "{condition} has {rows} rows; {found:?} are returned and read, {returned} and {reads} expected"
        );
        Ok(())
    }

    fn fails(&mut self, query: &str, error: &str) -> Result<()> {
        let message = match self.helper.ask("query", query, QUERY)? {
            Ok(rows) => format!("{} rows", rows.lines().count()),
            Err(message) => format!("{message:#}"),
        };
        ensure!(message.contains(error), "{query}: expected {error}: {message}");
        Ok(())
    }
}
