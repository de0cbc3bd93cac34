//! Reads the case files under `cases/`.
//!
//! A file is about one schema. Its head says which, then come the cases, as `name: value` lines below `case NAME`:
//!
//! ```text
//! schema: schemas/examples/md5_nibble_day.yaml
//! hbase: multi:t_wx_recommend_log_test
//! mapping: trace.t_test_wx_recommend_log_map
//! target: trace.t_test_wx_recommend_log
//! splits: 001 002 003
//!
//! case one_day
//!   predicate: opera_day = 20200406
//! ```
//!
//! `docs/engines.md` lists the names.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::engine::Engine;

#[derive(Default)]
pub struct CaseFile {
    /// The file's name without `.txt`.
    pub name: String,
    /// From the root of the project.
    pub schema: PathBuf,
    /// The tables that the schema names.
    pub hbase: String,
    pub mapping: String,
    pub target: String,
    /// The split keys that HBase must have, in order.
    pub splits: Vec<String>,
    pub cases: Vec<Case>,
}

#[derive(Clone)]
pub struct Case {
    pub name: String,
    pub predicate: String,
    /// Additional arguments for `saltplan plan`.
    pub arguments: Vec<String>,
    pub engines: Vec<Engine>,
    /// A condition on the native copy: the expected rows. Default: the predicate.
    pub rows: String,
    /// A condition on the native copy: the rows that HBase may read. Default: `rows`.
    pub reads: String,
    pub expect: Expect,
    /// The printed scans also run in the HBase shell.
    pub scan: bool,
    /// The mapping table uses the storage handler of `storage-handler/`.
    pub one_scan: bool,
}

impl Case {
    /// The case only tests the SELECT.
    pub fn selects(&self) -> bool {
        self.arguments.iter().any(|argument| argument == "--select")
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Expect {
    /// The right rows, and no more rows read than the ranges contain.
    Pruned,
    /// The right rows, from a scan of the whole table.
    FullScan,
    /// Every branch returns the whole table: the failure that guards prevent.
    Multiplied { branches: usize },
    /// No row, and the old rows of the day's partition are gone.
    Emptied { day: u32 },
}

pub fn read_all(directory: &Path) -> Result<Vec<CaseFile>> {
    let mut paths: Vec<PathBuf> =
        directory.read_dir()?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    ensure!(!paths.is_empty(), "no case files (*.txt) in {}", directory.display());
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> Result<CaseFile> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut file = CaseFile { name, ..CaseFile::default() };
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            read_line(&mut file, line).with_context(|| format!("{}:{}", path.display(), index + 1))?;
        }
    }
    finish(&mut file).with_context(|| path.display().to_string())?;
    Ok(file)
}

fn read_line(file: &mut CaseFile, line: &str) -> Result<()> {
    if let Some(name) = line.strip_prefix("case ") {
        let name = name.trim().to_owned();
        ensure!(file.cases.iter().all(|case| case.name != name), "there are two cases `{name}`");
        file.cases.push(Case {
            name,
            predicate: String::new(),
            arguments: Vec::new(),
            engines: Engine::ALL.to_vec(),
            rows: String::new(),
            reads: String::new(),
            expect: Expect::Pruned,
            scan: false,
            one_scan: false,
        });
        return Ok(());
    }
    let (name, value) = line.split_once(':').context("expected `name: value` or `case NAME`")?;
    let value = value.trim();
    match file.cases.last_mut() {
        None => set_head(file, name, value),
        Some(case) => set_case(case, name, value),
    }
}

fn set_head(file: &mut CaseFile, name: &str, value: &str) -> Result<()> {
    match name {
        "schema" => file.schema = value.into(),
        "hbase" => file.hbase = value.to_owned(),
        "mapping" => file.mapping = value.to_owned(),
        "target" => file.target = value.to_owned(),
        "splits" => file.splits = words(value),
        _ => bail!("unknown name `{name}`; the head of a file takes schema, hbase, mapping, target, splits"),
    }
    Ok(())
}

fn set_case(case: &mut Case, name: &str, value: &str) -> Result<()> {
    match name {
        "predicate" => case.predicate = value.to_owned(),
        "arguments" => case.arguments = words(value),
        "engines" => case.engines = value.split_whitespace().map(str::parse).collect::<Result<_>>()?,
        "rows" => case.rows = value.to_owned(),
        "reads" => case.reads = value.to_owned(),
        "expect" => case.expect = expect(value)?,
        "scan" => case.scan = value == "yes",
        "one_scan" => case.one_scan = value == "yes",
        _ => bail!(
            "unknown name `{name}`; a case takes predicate, arguments, engines, rows, reads, expect, scan, one_scan"
        ),
    }
    Ok(())
}

fn expect(value: &str) -> Result<Expect> {
    match words(value).iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["pruned"] => Ok(Expect::Pruned),
        ["full_scan"] => Ok(Expect::FullScan),
        ["multiplied", branches] => Ok(Expect::Multiplied { branches: branches.parse()? }),
        ["emptied", day] => Ok(Expect::Emptied { day: day.parse()? }),
        _ => bail!(
            "unknown expectation `{value}`; there are `pruned`, `full_scan`, `multiplied BRANCHES`, `emptied DAY`"
        ),
    }
}

fn finish(file: &mut CaseFile) -> Result<()> {
    let head = [
        ("schema", file.schema.as_os_str().is_empty()),
        ("hbase", file.hbase.is_empty()),
        ("mapping", file.mapping.is_empty()),
        ("target", file.target.is_empty()),
        ("splits", file.splits.is_empty()),
    ];
    for (name, missing) in head {
        ensure!(!missing, "the head does not say `{name}`");
    }
    ensure!(!file.cases.is_empty(), "the file has no case");
    for case in &mut file.cases {
        ensure!(!case.predicate.is_empty(), "case `{}` has no predicate", case.name);
        if case.rows.is_empty() {
            case.rows.clone_from(&case.predicate);
        }
        if case.reads.is_empty() {
            case.reads.clone_from(&case.rows);
        }
    }
    Ok(())
}

fn words(value: &str) -> Vec<String> {
    value.split_whitespace().map(str::to_owned).collect()
}
