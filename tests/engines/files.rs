//! `HFiles` instead of region servers: Hive reads a snapshot with the printed queries, and writes the rows of
//! the printed `load` as `HFiles` for HBase.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use serde_json::json;

use crate::engine::{Engine, Engines, lab_directory, trials_on};
use crate::rows::{hex, native_table};
use crate::saltplan;

const SNAPSHOT: &str = "saltplan_files_snapshot";
/// Split keys of three salts.
const SPLITS: &str = "'1', '2'";
const DAYS: [&str; 4] = ["20200405", "20200406", "20200407", "20200408"];
const DAY: &str = DAYS[1];
const IDS: usize = 12;

/// The HBase 1.7 classes of Hive 2.3.9 cannot open the files of this HBase.
const ENGINES: [Engine; 2] = [Engine::Tez, Engine::Mr];

pub fn trials(root: &Path, engines: &Engines) -> Vec<Trial> {
    let mut trials =
        trials_on(ENGINES, root, engines, |engine| format!("{engine}::files::snapshot"), snapshot);
    trials.extend(trials_on(ENGINES, root, engines, |engine| format!("{engine}::files::hfiles"), hfiles));
    trials
}

/// A schema of an HBase table, and its mapping table.
struct Tables {
    schema: String,
    mapping: String,
}

fn tables(name: &str, one_scan: bool) -> Result<Tables> {
    let mapping = if one_scan { format!("{name}_one_scan") } else { format!("{name}_map") };
    let text = format!(
        "saltplan: 1
hbase: {{ table: {name}, families: {{ f: {{}} }} }}
key:
  salt: {{ java_hash: {{ of: [day, id], abs: after, modulo: 3, write: decimal }} }}
  fields:
    - {{ name: day, type: date, format: yyyyMMdd }}
    - {{ name: id, type: string, chars: ascii }}
columns:
  - {{ name: v, type: string, hbase: 'f:v' }}
  - {{ name: w, type: string, hbase: 'f:w' }}
hive:
  mapping: {{ table: {mapping}, key_column: rowkey, one_scan: {one_scan} }}
  target: {{ table: {name}_target, columns: [{{ name: id, from: key.id }}] }}
"
    );
    let path = saltplan::folder()?.join(format!("{mapping}.yaml"));
    fs::write(&path, text)?;
    Ok(Tables { schema: path.to_string_lossy().into_owned(), mapping })
}

fn rows() -> impl Iterator<Item = (&'static str, String)> {
    DAYS.iter().flat_map(|day| (0..IDS).map(move |id| (*day, format!("id{id}"))))
}

fn create(engines: &Engines, table: &str) -> Result<()> {
    engines.client("drop", table)?;
    engines.shell(&format!("create '{table}', 'f', SPLITS => [{SPLITS}]\n"))?;
    Ok(())
}

fn map(root: &Path, engines: &Engines, engine: Engine, tables: &Tables) -> Result<()> {
    let ddl = saltplan::run(root, &["ddl", &tables.schema, "--only", "mapping"], "")?;
    engines.script(engine, &format!("DROP TABLE IF EXISTS {};\n{ddl}", tables.mapping))?;
    Ok(())
}

/// Only files are read: the rows of the snapshot, and nothing from the servers.
fn snapshot(root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
    let table = "saltplan_files";
    let (own, jar) = (tables(table, false)?, tables(table, true)?);
    create(engines, table)?;
    let json: String = rows().map(|(day, id)| format!("{}\n", json!({ "day": day, "id": id }))).collect();
    let keys = saltplan::run(root, &["key", "encode", &own.schema], &json)?;
    let puts: String =
        keys.lines().map(|key| format!("\n{}\tf:v={}", hex(key.as_bytes()), hex(b"x"))).collect();
    engines.client("put", &format!("{table}{puts}"))?;
    engines.shell(&format!(
        "delete_snapshot '{SNAPSHOT}' rescue nil\nflush '{table}'\nsnapshot '{table}', '{SNAPSHOT}'\n"
    ))?;
    // A row that came later.
    engines.client("put", &format!("{table}\n{}\tf:v=78", hex(format!("1{DAY}later").as_bytes())))?;

    engines.begin(engine)?;
    map(root, engines, engine, &own)?;
    map(root, engines, engine, &jar)?;
    let mut expected: Vec<String> = rows().filter(|(day, _)| *day == DAY).map(|(_, id)| id).collect();
    expected.sort_unstable();
    let restored = lab_directory(root).join("data/restored");
    let before = engines.client("reads", table)?;
    for tables in [&own, &jar] {
        let sql = saltplan::run(
            root,
            &[
                "plan",
                &tables.schema,
                &format!("day = {DAY}"),
                "--select",
                "--no-header",
                "--engine",
                engine.option(),
            ],
            "",
        )?;
        let (settings, _) = sql.split_once("SELECT").context("no query is printed")?;
        let query = sql[settings.len()..].trim_end().trim_end_matches(';');
        engines.begin(engine)?;
        engines.script(engine, &format!("{}{settings}", of_snapshot(&restored)))?;
        let mut found = engines.query(engine, query)?;
        found.sort_unstable();
        ensure!(found == expected, "{found:?}, expected {expected:?}\n{sql}");
    }
    // Why guards are needed: the bounds are removed from the plan, and nothing applies them.
    let bounds = format!("`rowkey` >= '1{DAY}' AND `rowkey` < '1{}'", DAYS[2]);
    let found = engines.query(engine, &format!("SELECT `rowkey` FROM {} WHERE {bounds}", own.mapping))?;
    let after = engines.client("reads", table)?;
    ensure!(
        found.len() == DAYS.len() * IDS,
        "Hive's own handler gave {} rows of a snapshot for one range: correct docs/engines.md",
        found.len()
    );
    ensure!(before == after, "the servers have read rows: {before} before, {after} after");
    Ok(())
}

fn of_snapshot(restored: &Path) -> String {
    format!(
        "set hive.hbase.snapshot.name={SNAPSHOT};\nset hive.hbase.snapshot.restoredir=file://{};\n",
        restored.display()
    )
}

/// The same rows, written by puts and as files.
fn hfiles(root: &Path, engines: &Engines, engine: Engine) -> Result<()> {
    let (puts, files) = ("saltplan_files_puts", "saltplan_files_hfiles");
    let source = source()?;
    engines.begin(Engine::Mr)?;
    engines.script(Engine::Mr, &source)?;
    let folder = lab_directory(root).join("data/hfiles");
    for table in [puts, files] {
        let tables = tables(table, false)?;
        create(engines, table)?;
        engines.begin(engine)?;
        map(root, engines, engine, &tables)?;
        let load =
            saltplan::run(root, &["load", &tables.schema, "--from", "default.saltplan_files_source"], "")?;
        if table == puts {
            engines.script(engine, &load)?;
            continue;
        }
        let end = ") `checked_rows`;";
        ensure!(load.matches(end).count() == 1, "the statement ends in another way:\n{load}");
        let load = load.replace(end, ") `checked_rows`\nCLUSTER BY `rowkey`;");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let settings = format!(
            "set hive.hbase.generatehfiles=true;\nset hfile.family.path=file://{}/f;\n",
            folder.display()
        );
        engines.script(engine, &format!("{settings}{load}"))?;
        let none = engines.client("scan", table)?;
        ensure!(none.is_empty(), "rows came by puts:\n{none}");
        engines.client("bulkload", &format!("{table}\n{}", folder.display()))?;
    }
    let (by_puts, by_files) = (engines.client("scan", puts)?, engines.client("scan", files)?);
    ensure!(by_puts.lines().count() == DAYS.len() * IDS, "{by_puts}");
    ensure!(by_puts == by_files, "by puts\n{by_puts}\nby files\n{by_files}");
    Ok(())
}

/// One of the columns is sometimes NULL.
fn source() -> Result<String> {
    let path: PathBuf = saltplan::folder()?.join("saltplan_files_source.txt");
    let lines = rows().enumerate().map(|(n, (day, id))| format!("{day},{id},{n}\n"));
    fs::write(&path, lines.collect::<String>())?;
    let selected = ["`day`", "`id`", "`n` AS `v`", "if(`n` % 3 = 0, NULL, concat('ü', `n`)) AS `w`"];
    Ok(native_table("saltplan_files_source", &["day", "id", "n"], &path, &selected.map(str::to_owned)))
}
