//! What Spark reads through the mapping tables of Hive 2.3.9, whose classes it has: all rows for every scan,
//! and by default not the rows of regions without files. This is why `plan --engine spark` is refused; if it
//! changes, correct docs/engines.md.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Failed, Trial};

use crate::engine::{Engine, Engines, Home};
use crate::helper::Helper;
use crate::rows::hex;

const TABLE: &str = "saltplan_spark";
const MAPPED: &str = "saltplan_spark_map";
const WITH_JAR: &str = "saltplan_spark_one_scan";
const QUERY: Duration = Duration::from_secs(300);
const SALTS: usize = 3;
const DAYS: [&str; 3] = ["20200405", "20200406", "20200407"];
const IDS: usize = 10;
const ROWS: usize = SALTS * DAYS.len() * IDS;

pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    let (root, engines) = (root.to_owned(), engines.clone());
    let check = move || check(&root, &engines).map_err(|error| Failed::from(format!("{error:#}")));
    vec![Trial::test("spark::mapping_tables", check)]
}

fn check(root: &Path, engines: &Engines) -> Result<()> {
    let lab = root.join("tests/engines/lab");
    // Fetches PySpark, which can take minutes.
    ensure!(Command::new(&lab).arg("python").output()?.status.success(), "PySpark is not installed");
    create(engines)?;
    // Only one process can use the metastore.
    engines.stop(Home::Hive2);
    let mut spark = Spark { helper: Helper::start(&lab, "spark", &[])?, engines };

    spark.set("spark.hadoopRDD.ignoreEmptySplits=false")?;
    let range = |salt| format!("`key` >= '{salt}20200406' AND `key` < '{salt}20200407'");
    let ranges: Vec<String> = (0..SALTS).map(|salt| format!("({})", range(salt))).collect();
    let branches: Vec<String> =
        (0..SALTS).map(|salt| format!("SELECT v FROM {MAPPED} WHERE {}", range(salt))).collect();
    let queries = [
        (format!("SELECT v FROM {MAPPED}"), ROWS, 1),
        (format!("SELECT v FROM {MAPPED} WHERE {}", range(1)), IDS, 1),
        (format!("SELECT v FROM {MAPPED} WHERE `key` = '120200406id3'"), 1, 1),
        (branches.join(" UNION ALL "), SALTS * IDS, SALTS),
        (format!("SELECT v FROM {MAPPED} WHERE {}", ranges.join(" OR ")), SALTS * IDS, 1),
        (format!("SELECT v FROM {WITH_JAR} WHERE {}", ranges.join(" OR ")), SALTS * IDS, 1),
    ];
    for (query, rows, scans) in queries {
        let (found, reads) = spark.count(&query)?;
        ensure!((found, reads) == (rows, scans * ROWS), "{found} rows and {reads} reads of {query}");
    }

    // The rows of two salts are in files, those of the last one are not.
    let of_files = ROWS / SALTS * 2;
    for (value, rows) in [("false", ROWS), ("true", of_files)] {
        spark.set(&format!("spark.hadoopRDD.ignoreEmptySplits={value}"))?;
        let (found, _) = spark.count(&format!("SELECT v FROM {MAPPED}"))?;
        let of_hbase: usize = spark.helper.ask("rdd", TABLE, QUERY)??.trim().parse()?;
        ensure!((found, of_hbase) == (rows, rows), "{value}: {found} and {of_hbase} rows, expected {rows}");
    }
    Ok(())
}

/// A region for each salt, and rows. Only the rows of the last region are not in files.
fn create(engines: &Engines) -> Result<()> {
    engines.client("drop", TABLE)?;
    engines.shell(&format!("create '{TABLE}', 'f', SPLITS => ['1', '2']\n"))?;
    let put = |salt: usize| {
        let keys = DAYS.iter().flat_map(|day| (0..IDS).map(move |id| format!("{salt}{day}id{id}")));
        let cells: String = keys.map(|key| format!("\n{}\tf:v=78", hex(key.as_bytes()))).collect();
        engines.client("put", &format!("{TABLE}{cells}"))
    };
    put(0)?;
    put(1)?;
    engines.shell(&format!("flush '{TABLE}'\n"))?;
    put(2)?;
    let engine = Engine::Mr2;
    engines.begin(engine)?;
    let handlers = [
        (MAPPED, "org.apache.hadoop.hive.hbase.HBaseStorageHandler"),
        (WITH_JAR, "io.saltplan.hive.RangesStorageHandler"),
    ];
    for (table, handler) in handlers {
        engines.script(
            engine,
            &format!(
                "DROP TABLE IF EXISTS {table};
CREATE EXTERNAL TABLE {table} (`key` string, v string) STORED BY '{handler}'
WITH SERDEPROPERTIES ('hbase.columns.mapping' = ':key,f:v') TBLPROPERTIES ('hbase.table.name' = '{TABLE}');
"
            ),
        )?;
    }
    Ok(())
}

struct Spark<'a> {
    helper: Helper,
    engines: &'a Engines,
}

impl Spark<'_> {
    fn set(&mut self, setting: &str) -> Result<()> {
        self.helper.ask("set", setting, QUERY)??;
        Ok(())
    }

    /// The rows of a query, and those that HBase read for it.
    fn count(&mut self, query: &str) -> Result<(usize, usize)> {
        let reads = || -> Result<usize> { Ok(self.engines.client("reads", TABLE)?.parse()?) };
        let before = reads()?;
        let rows = self.helper.ask("query", query, QUERY)?.with_context(|| query.to_string())?;
        Ok((rows.lines().count(), reads()? - before))
    }
}
