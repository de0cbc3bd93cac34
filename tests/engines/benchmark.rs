//! One day of a large table in every way in which Hive can read it: wall time and reads, as a table in Markdown.
//! `tests/engines/benchmark` runs it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use chrono::NaiveDate;
use libtest_mimic::{Failed, Trial};

use crate::engine::{Engine, Engines, lab_directory};
use crate::rows::native_table;
use crate::saltplan;

/// The variable with the number of rows; without it there is no trial.
const ROWS: &str = "SALTPLAN_BENCHMARK";
const DAYS: u64 = 100;
const SALTS: u32 = 16;
/// The first round warms the processes up and is not counted.
const ROUNDS: usize = 4;
const ENGINES: [Engine; 2] = [Engine::Tez, Engine::Mr];
const DAY: &str = "20200515";
const NEXT_DAY: &str = "20200516";

pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    let Ok(rows) = std::env::var(ROWS) else { return Vec::new() };
    let (root, engines) = (root.to_owned(), engines.clone());
    let run = move || -> Result<()> {
        let rows: u64 = rows.parse().context("the number of rows")?;
        ensure!(rows.is_multiple_of(DAYS), "{rows} rows are not the same number for each of {DAYS} days");
        Benchmark { root, engines, rows }.run()
    };
    vec![Trial::test("benchmark::one_day", move || run().map_err(|error| Failed::from(format!("{error:#}"))))]
}

/// A way to read the day.
struct Way {
    name: &'static str,
    /// A script, or the query of a check.
    text: Text,
}

enum Text {
    /// Statements that fill the partition.
    Load(String),
    /// Settings, and a query whose result is empty if all rows arrived.
    Check { settings: String, query: String },
}

struct Benchmark {
    root: PathBuf,
    engines: Engines,
    rows: u64,
}

#[derive(Default)]
struct Measured {
    rows: Vec<u64>,
    reads: Vec<u64>,
    seconds: Vec<f64>,
}

impl Benchmark {
    fn run(&self) -> Result<()> {
        let begin = Instant::now();
        self.fill()?;
        println!("{} rows bulk loaded in {:.0} s", self.rows, begin.elapsed().as_secs_f64());
        let mut measured: BTreeMap<(usize, usize), Measured> = BTreeMap::new();
        let mut names = Vec::new();
        for round in 0..ROUNDS {
            for (place, engine) in ENGINES.into_iter().enumerate() {
                let ways = self.ways(engine)?;
                names = ways.iter().map(|way| way.name).collect();
                for (index, way) in ways.iter().enumerate() {
                    let (rows, reads, elapsed) = self.measure(engine, &way.text)?;
                    println!(
                        "{round} {engine} {}: {rows} rows, {reads} reads, {:.1} s",
                        way.name,
                        elapsed.as_secs_f64()
                    );
                    if round > 0 {
                        let all = measured.entry((index, place)).or_default();
                        all.rows.push(rows);
                        all.reads.push(reads);
                        all.seconds.push(elapsed.as_secs_f64());
                    }
                }
            }
        }
        println!("{}", table(&names, &mut measured)?);
        Ok(())
    }

    fn measure(&self, engine: Engine, text: &Text) -> Result<(u64, u64, Duration)> {
        let engines = &self.engines;
        engines.begin(engine)?;
        // Tez divides the memory of a task by what its inputs ask for: behind sixteen of them nothing of the lab's 8 MB is left to sort.
        engines.script(engine, "set tez.runtime.io.sort.mb=128;\n")?;
        let target = "benchmark_target";
        match text {
            Text::Load(script) => {
                engines.script(
                    engine,
                    &format!("ALTER TABLE {target} DROP IF EXISTS PARTITION (day = {DAY});\n"),
                )?;
                let (before, begin) = (self.reads()?, Instant::now());
                engines.script(engine, script)?;
                let (elapsed, reads) = (begin.elapsed(), self.reads()? - before);
                let count = format!("SELECT count(*) FROM {target} WHERE day = {DAY}");
                let rows = engines.query(engine, &count)?.concat().parse()?;
                Ok((rows, reads, elapsed))
            }
            Text::Check { settings, query } => {
                engines.script(engine, settings)?;
                let (before, begin) = (self.reads()?, Instant::now());
                let rows = engines.query(engine, query)?;
                ensure!(rows.is_empty(), "the check names {rows:?}");
                Ok((0, self.reads()? - before, begin.elapsed()))
            }
        }
    }

    /// In their order: the last load is right, so that the checks behind it find nothing.
    fn ways(&self, engine: Engine) -> Result<Vec<Way>> {
        let day = format!("day = {DAY}");
        let load = |query: &str| {
            Text::Load(format!("INSERT OVERWRITE TABLE benchmark_target PARTITION (day = {DAY})\n{query};\n"))
        };
        let ranges: Vec<String> = (0..SALTS)
            .map(|salt| {
                format!(
                    "SELECT rowkey, amount, note FROM benchmark_map WHERE rowkey >= '{salt:03}{DAY}' AND rowkey < '{salt:03}{NEXT_DAY}'"
                )
            })
            .collect();
        let by_hand = format!(
            "SELECT substr(rowkey, 12), amount, note FROM (\n{}\n) branches",
            ranges.join("\nUNION ALL\n")
        );
        let of_view = |view: &str| load(&format!("SELECT row_id, amount, note FROM {view} WHERE {day}"));
        let printed = |command: &str, shape: &str| -> Result<String> {
            // Only the handler of the jar reads all ranges in one scan.
            let schema = self.schema(shape == "one_scan")?;
            let arguments =
                [command, &schema, &day, "--engine", engine.option(), "--shape", shape, "--no-header"];
            saltplan::run(&self.root, &arguments, "")
        };
        let check = |shape: &str| -> Result<Text> {
            let sql = printed("check", shape)?;
            let (settings, query) = sql.split_once("\nSELECT").context("no query")?;
            let query = format!("SELECT{}", query.trim_end().trim_end_matches(';'));
            Ok(Text::Check { settings: format!("{settings}\n"), query })
        };
        Ok(vec![
            Way { name: "UNION ALL of ranges, by hand", text: load(&by_hand) },
            Way { name: "view without ranges", text: of_view("benchmark_plain") },
            Way { name: "view that plans", text: of_view("benchmark_view") },
            Way { name: "`plan`", text: Text::Load(printed("plan", "auto")?) },
            Way { name: "`plan --shape one_scan`", text: Text::Load(printed("plan", "one_scan")?) },
            Way { name: "`check`", text: check("auto")? },
            Way { name: "`check --shape one_scan`", text: check("one_scan")? },
        ])
    }

    fn reads(&self) -> Result<u64> {
        Ok(self.engines.client("reads", "benchmark")?.parse()?)
    }

    fn schema(&self, planned: bool) -> Result<String> {
        let (map, view, property) = match planned {
            true => ("benchmark_planned", "benchmark_view", ", planned: true"),
            false => ("benchmark_map", "benchmark_plain", ""),
        };
        let text = format!(
            "saltplan: 1
hbase: {{ table: benchmark, families: {{ f: {{}} }} }}
key:
  salt: {{ md5: {{ of: key, first_hex_digits: 1, write: {{ decimal: 3 }} }} }}
  fields:
    - {{ name: day, type: date, format: yyyyMMdd }}
    - {{ name: row_id, type: string }}
regions: {{ per_salt: {{}} }}
columns:
  - {{ name: amount, type: int, hbase: 'f:a' }}
  - {{ name: note, type: string, hbase: 'f:n' }}
hive:
  mapping: {{ table: {map}, key_column: rowkey{property} }}
  view: {view}
  target: {{ table: benchmark_target, partition: [{{ name: day, type: int }}] }}
"
        );
        let path = saltplan::folder()?.join(format!("{map}.yaml"));
        fs::write(&path, text)?;
        Ok(path.to_string_lossy().into_owned())
    }

    /// Hive writes the files of HBase, which takes them as they are.
    fn fill(&self) -> Result<()> {
        let Benchmark { root, engines, rows } = self;
        let (plain, planned) = (self.schema(false)?, self.schema(true)?);
        engines.client("drop", "benchmark")?;
        engines.shell(&saltplan::run(root, &["ddl", &plain, "--only", "hbase"], "")?)?;
        let path = saltplan::folder()?.join("benchmark.txt");
        let mut lines = BufWriter::new(fs::File::create(&path)?);
        let first = NaiveDate::from_ymd_opt(2020, 4, 1).context("a day")?;
        for day in first.iter_days().take(DAYS as usize) {
            for id in 0..rows / DAYS {
                writeln!(lines, "{},r{id},{}", day.format("%Y%m%d"), id * 7)?;
            }
        }
        lines.flush()?;
        let selected = [
            "`day`",
            "`id` AS `row_id`",
            "cast(`n` AS int) AS `amount`",
            "concat('a note of ', `id`) AS `note`",
        ];
        let source =
            native_table("benchmark_source", &["day", "id", "n"], &path, &selected.map(str::to_owned));
        engines.begin(Engine::Mr)?;
        let mut script = source;
        for name in ["benchmark_plain", "benchmark_view"] {
            let _ = writeln!(script, "DROP VIEW IF EXISTS {name};");
        }
        for name in ["benchmark_map", "benchmark_planned", "benchmark_target"] {
            let _ = writeln!(script, "DROP TABLE IF EXISTS {name};");
        }
        script += &saltplan::run(root, &["ddl", &plain, "--only", "mapping,view,target"], "")?;
        script += &saltplan::run(root, &["ddl", &planned, "--only", "mapping,view"], "")?;
        engines.script(Engine::Mr, &script)?;

        let load = saltplan::run(root, &["load", &plain, "--from", "default.benchmark_source"], "")?;
        let end = ") `checked_rows`;";
        ensure!(load.matches(end).count() == 1, "the statement ends in another way:\n{load}");
        let load = load.replace(end, ") `checked_rows`\nCLUSTER BY `rowkey`;");
        let folder = lab_directory(root).join("data/hfiles");
        let _ = fs::remove_dir_all(&folder);
        let settings = format!(
            "set hive.hbase.generatehfiles=true;\nset hfile.family.path=file://{}/f;\nset mapreduce.task.io.sort.mb=256;\n",
            folder.display()
        );
        engines.script(Engine::Mr, &format!("{settings}{load}"))?;
        engines.client("bulkload", &format!("benchmark\n{}", folder.display()))?;
        Ok(())
    }
}

/// The medians, as the table of the page: times are multiples of that of `plan` on the same engine.
fn table(names: &[&str], measured: &mut BTreeMap<(usize, usize), Measured>) -> Result<String> {
    let of = names.iter().position(|name| *name == "`plan`").context("no plan")?;
    let mut units = Vec::new();
    for place in 0..ENGINES.len() {
        units.push(median(&mut measured.get_mut(&(of, place)).context("not measured")?.seconds));
    }
    let mut text = "| way |".to_string();
    for (engine, unit) in ENGINES.iter().zip(&units) {
        write!(text, " `{engine}` rows, reads, time (1 is {unit:.1} s) |")?;
    }
    text += "\n|---|---|---|\n";
    for (index, name) in names.iter().enumerate() {
        write!(text, "| {name} |")?;
        for (place, unit) in units.iter().enumerate() {
            let all = measured.get_mut(&(index, place)).context("not measured")?;
            all.reads.sort_unstable();
            let rows = if name.contains("check") { "no group".to_string() } else { all.rows[0].to_string() };
            let time = median(&mut all.seconds) / unit;
            write!(text, " {rows}, {}, {time:.2} |", all.reads[all.reads.len() / 2])?;
        }
        text.push('\n');
    }
    Ok(text)
}

fn median(seconds: &mut [f64]) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds.get(seconds.len() / 2).copied().unwrap_or_default()
}
