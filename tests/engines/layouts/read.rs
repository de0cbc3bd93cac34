//! Reads the files of `tests/engines/layouts`: a table, its rows, and predicates with the number of their
//! rows.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use chrono_tz::Tz;
use serde_json::Value as Json;

use crate::engine::Engine;

#[derive(Default)]
pub struct Layout {
    /// The file's name without `.txt`.
    pub name: String,
    /// From the root of the project.
    pub schema: PathBuf,
    pub table: String,
    pub family: String,
    pub zone: Option<Tz>,
    pub fields: Vec<Field>,
    /// Columns outside the key.
    pub columns: Vec<Field>,
    pub cases: Vec<Case>,
}

impl Layout {
    pub fn has_values_of(&self, name: &str) -> bool {
        self.fields.iter().chain(&self.columns).any(|field| field.name == name)
    }
}

pub struct Field {
    pub name: String,
    pub kind: Kind,
    pub values: Vec<Json>,
}

pub enum Kind {
    Text,
    Number,
    /// The unit in milliseconds.
    Epoch(i64),
    /// Java's date pattern letters.
    Calendar(String),
}

#[derive(Clone, Default)]
pub struct Case {
    pub name: String,
    pub predicate: String,
    /// Additional arguments for `saltplan scan`.
    pub arguments: Vec<String>,
    /// Text that the printed scans must contain.
    pub prints: String,
    /// The number of rows that satisfy the predicate.
    pub rows: usize,
    /// The number of rows that the scans return, before a residual is checked. Default: `rows`.
    pub handed: Option<usize>,
    /// The number of rows that HBase may look at. Default: `handed`.
    pub reads: Option<u64>,
    /// The number of printed scans and gets.
    pub scans: Option<usize>,
    /// HBase must look at fewer rows than in a full scan.
    pub skips: bool,
    /// Engines that the printed INSERT OVERWRITE runs on.
    pub hive: Vec<Engine>,
    /// The message with which `saltplan plan` refuses the predicate.
    pub refuses: String,
}

pub fn read_all(directory: &Path) -> Result<Vec<Layout>> {
    let mut paths: Vec<PathBuf> =
        directory.read_dir()?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    ensure!(!paths.is_empty(), "no layouts (*.txt) in {}", directory.display());
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> Result<Layout> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut layout = Layout { name, ..Layout::default() };
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            read_line(&mut layout, line).with_context(|| format!("{}:{}", path.display(), index + 1))?;
        }
    }
    finish(&layout).with_context(|| path.display().to_string())?;
    Ok(layout)
}

fn read_line(layout: &mut Layout, line: &str) -> Result<()> {
    let (word, rest) = line.split_once(' ').context("expected `name: value` or `case NAME`")?;
    match word {
        "case" => layout.cases.push(Case { name: rest.trim().to_owned(), ..Case::default() }),
        "field" => layout.fields.push(field(rest)?),
        "column" => layout.columns.push(field(rest)?),
        _ => {
            let (name, value) = line.split_once(':').context("expected `name: value` or `case NAME`")?;
            match layout.cases.last_mut() {
                None => set_head(layout, name, value.trim())?,
                Some(case) => set_case(case, name, value.trim())?,
            }
        }
    }
    Ok(())
}

/// `NAME KIND [VALUE, …]`
fn field(text: &str) -> Result<Field> {
    let mut words = text.splitn(3, ' ');
    let (Some(name), Some(kind), Some(values)) = (words.next(), words.next(), words.next()) else {
        bail!("expected a name, a kind and a list of values in JSON");
    };
    let kind = match kind {
        "text" => Kind::Text,
        "number" => Kind::Number,
        "epoch_ms" => Kind::Epoch(1),
        "epoch_s" => Kind::Epoch(1_000),
        pattern => Kind::Calendar(pattern.replace('T', " ")),
    };
    Ok(Field { name: name.to_owned(), kind, values: serde_json::from_str(values)? })
}

fn set_head(layout: &mut Layout, name: &str, value: &str) -> Result<()> {
    match name {
        "schema" => layout.schema = value.into(),
        "table" => layout.table = value.to_owned(),
        "family" => layout.family = value.to_owned(),
        "zone" => layout.zone = Some(value.parse().map_err(|_| anyhow::anyhow!("no zone `{value}`"))?),
        _ => bail!("unknown name `{name}`; the head takes schema, table, family, zone, field, column"),
    }
    Ok(())
}

fn set_case(case: &mut Case, name: &str, value: &str) -> Result<()> {
    match name {
        "predicate" => case.predicate = value.to_owned(),
        "arguments" => case.arguments = value.split_whitespace().map(str::to_owned).collect(),
        "prints" => case.prints = value.to_owned(),
        "rows" => case.rows = value.parse()?,
        "handed" => case.handed = Some(value.parse()?),
        "reads" => case.reads = Some(value.parse()?),
        "scans" => case.scans = Some(value.parse()?),
        "skips" => case.skips = value == "yes",
        "hive" => case.hive = value.split_whitespace().map(str::parse).collect::<Result<_>>()?,
        "refuses" => case.refuses = value.to_owned(),
        _ => bail!(
            "unknown name `{name}`; a case takes predicate, arguments, prints, rows, handed, reads, scans, skips, hive, refuses"
        ),
    }
    Ok(())
}

fn finish(layout: &Layout) -> Result<()> {
    let head = [
        ("schema", layout.schema.as_os_str().is_empty()),
        ("table", layout.table.is_empty()),
        ("family", layout.family.is_empty()),
        ("field", layout.fields.is_empty()),
    ];
    for (name, missing) in head {
        ensure!(!missing, "the head does not say `{name}`");
    }
    ensure!(!layout.cases.is_empty(), "the file has no case");
    for case in &layout.cases {
        ensure!(!case.predicate.is_empty(), "case `{}` has no predicate", case.name);
    }
    Ok(())
}
