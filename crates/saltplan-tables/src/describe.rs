//! The output of DESCRIBE, DESCRIBE FORMATTED and DESCRIBE EXTENDED: lines with a name, a type and a comment, between borders or tabs.
//!
//! Plain DESCRIBE lists the columns of the partitions among the others and again below `# Partition Information`; DESCRIBE FORMATTED
//! lists them only there. No form has the name of the table among its columns: it comes from the command, if the text has it (`hive>
//! DESCRIBE dim.users;`), from `Table(tableName:…` of DESCRIBE EXTENDED, or from the name of the file (`dim.users.txt`).

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use saltplan_document::diag::{Diagnostic, Source, Span};

use super::lines::{Cell, Line};
use super::table::{HiveColumn, HiveTable, TableName, shortened, type_of};
use super::{Unread, not_recognised};

/// Whether a text is the output of DESCRIBE: it has the heading of its columns, or its first line is a column with its type.
pub(crate) fn is_description(lines: &[Line<'_>]) -> bool {
    let mut is_first = true;
    for line in lines {
        if line.text.trim().is_empty() || line.is_remark() || command(line).is_some() {
            continue;
        }
        let cells = line.cells();
        if is_heading(&cells) || is_first && cells.len() > 1 && is_column(&cells) {
            return true;
        }
        is_first = false;
    }
    false
}

fn is_heading(cells: &[Cell<'_>]) -> bool {
    let is = |at: usize, word: &str| {
        cells.get(at).is_some_and(|cell| cell.text.trim_start_matches(['#', ' ']) == word)
    };
    is(0, "col_name") && is(1, "data_type")
}

fn is_column(cells: &[Cell<'_>]) -> bool {
    let [name, hive_type, ..] = cells else { return false };
    !name.text.is_empty() && !name.text.contains([' ', '(', ')']) && type_of(hive_type.text).is_ok()
}

/// The table of a command `DESCRIBE name`, and its place.
fn command(line: &Line<'_>) -> Option<(TableName, Span)> {
    let text = line.without_prompt().trim().trim_end_matches(';').trim_end();
    let mut words = text.split_whitespace();
    let first = words.next()?;
    if !["DESCRIBE", "DESC"].iter().any(|word| first.eq_ignore_ascii_case(word)) {
        return None;
    }
    let is_option = |word: &&str| {
        ["FORMATTED", "EXTENDED", "TABLE"].iter().any(|option| word.eq_ignore_ascii_case(option))
    };
    let name = words.find(|word| !is_option(word))?;
    Some((TableName::parse(&name.replace('`', ""))?, line.span_of(name)))
}

/// Where in the description of a table a line is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Columns,
    Partitions,
    /// Everything below the columns.
    Details,
}

pub(crate) fn read(source: &Arc<Source>, lines: &[Line<'_>]) -> Result<Vec<HiveTable>, Unread> {
    let mut reader = DescribeReader { source, tables: Vec::new(), names: HashSet::new(), open: None };
    for line in lines {
        reader.line(line)?;
    }
    reader.end()?;
    match reader.tables.is_empty() {
        true => Err(not_recognised(source)),
        false => Ok(reader.tables),
    }
}

struct DescribeReader<'s> {
    source: &'s Arc<Source>,
    tables: Vec<HiveTable>,
    names: HashSet<TableName>,
    open: Option<Open>,
}

/// A table whose description is being read.
struct Open {
    name: Option<TableName>,
    /// The database that DESCRIBE FORMATTED tells.
    database: Option<String>,
    part: Part,
    place: Option<Span>,
    columns: Vec<HiveColumn>,
    partitions: Vec<HiveColumn>,
}

impl Open {
    fn new(name: Option<TableName>, place: Option<Span>) -> Self {
        Open { name, database: None, part: Part::Columns, place, columns: Vec::new(), partitions: Vec::new() }
    }
}

impl DescribeReader<'_> {
    fn line(&mut self, line: &Line<'_>) -> Result<(), Diagnostic> {
        if let Some((name, place)) = command(line) {
            self.end()?;
            self.open = Some(Open::new(Some(name), Some(place)));
            return Ok(());
        }
        if line.text.trim().is_empty() || line.is_remark() {
            return Ok(());
        }
        let cells = line.cells();
        let is_blank = |cell: &Cell<'_>| cell.text.is_empty() || cell.text == "NULL";
        if cells.iter().all(is_blank) {
            return Ok(());
        }
        let first = cells[0].text;
        if is_heading(&cells) {
            let is_next = self.open.as_ref().is_some_and(|open| {
                !open.columns.is_empty() && open.part != Part::Partitions
                    || open.part == Part::Partitions && !first.starts_with('#')
            });
            if is_next {
                self.end()?;
            }
            self.open.get_or_insert_with(|| Open::new(None, None));
            return Ok(());
        }
        let open = self.open.get_or_insert_with(|| Open::new(None, None));
        match first {
            "# Partition Information" => open.part = Part::Partitions,
            _ if first.starts_with("# ") || first == "Detailed Table Information" => {
                open.part = Part::Details;
            }
            _ => {}
        }
        if first.starts_with("# ") {
            return Ok(());
        }
        if open.part == Part::Details {
            details(open, &cells);
            return Ok(());
        }
        // The rest of a comment of several lines.
        if cells.iter().take(2).all(is_blank) {
            return Ok(());
        }
        let column = self.column(&cells)?;
        if let Some(open) = &mut self.open {
            open.place.get_or_insert(column.place);
            match open.part {
                Part::Partitions => open.partitions.push(column),
                _ => open.columns.push(column),
            }
        }
        Ok(())
    }

    fn column(&self, cells: &[Cell<'_>]) -> Result<HiveColumn, Diagnostic> {
        let help = "give the whole output of DESCRIBE, as Beeline (`--outputformat=table` or `tsv2`) or the `hive` command prints it";
        let (name, of) = match cells {
            [name, of, ..] if !name.text.is_empty() => (name, of),
            _ => {
                let cell = cells[0];
                let message = "a column and its type are expected, with a tab or `|` between them";
                return Err(Diagnostic::error(message).at(self.source, cell.span, "here").with_help(help));
            }
        };
        let hive_type = type_of(of.text).map_err(|reason| {
            Diagnostic::error(format!("`{}` is no type of Hive: {}", shortened(of.text), shortened(&reason)))
                .at(self.source, of.span, "not a type")
                .with_help(help)
        })?;
        Ok(HiveColumn { name: name.text.to_lowercase(), hive_type, place: name.span })
    }

    /// Ends the description of a table.
    fn end(&mut self) -> Result<(), Diagnostic> {
        let Some(open) = self.open.take() else { return Ok(()) };
        if open.columns.is_empty() && open.partitions.is_empty() {
            return Ok(());
        }
        let place = open.place.unwrap_or_default();
        let mut name = match open.name {
            Some(name) => name,
            None => self.name_of_file(place)?,
        };
        if name.database.is_none() {
            name.database = open.database;
        }
        if !self.names.insert(name.clone()) {
            let message = format!("`{name}` is described twice");
            return Err(Diagnostic::error(message).at(self.source, place, "the second time").with_help(
                "put the command, such as `DESCRIBE dim.users;`, in a line above the output of each table",
            ));
        }
        let mut table = HiveTable::new(name, place);
        let partitions: HashSet<&str> = open.partitions.iter().map(|column| column.name.as_str()).collect();
        let data: Vec<HiveColumn> =
            open.columns.into_iter().filter(|column| !partitions.contains(column.name.as_str())).collect();
        table.data_columns = data;
        table.partition_columns = open.partitions;
        let mut seen = HashSet::new();
        if let Some(twice) = table.columns().find(|column| !seen.insert(&column.name)) {
            let message = format!("`{}` has two columns `{}`", table.name, twice.name);
            return Err(Diagnostic::error(message).at(self.source, twice.place, "the second one").with_help(
                "put the command, such as `DESCRIBE dim.users;`, in a line above the output of each table",
            ));
        }
        self.tables.push(table);
        Ok(())
    }

    fn name_of_file(&self, place: Span) -> Result<TableName, Diagnostic> {
        let stem = Path::new(&self.source.name).file_stem().unwrap_or_default().to_string_lossy();
        TableName::parse(&stem).ok_or_else(|| {
            Diagnostic::error("the output of DESCRIBE does not tell the name of its table")
                .at(self.source, place, "the first column")
                .with_help(
                    "name the file after the table, such as `dim.users.txt`, or put the command, such as `DESCRIBE dim.users;`, in a line above it",
                )
        })
    }
}

/// What the lines below the columns tell of the name.
fn details(open: &mut Open, cells: &[Cell<'_>]) {
    let [first, second, ..] = cells else { return };
    if first.text == "Database:" && !second.text.is_empty() {
        open.database = Some(second.text.to_lowercase());
    }
    if first.text == "Detailed Table Information" {
        let value = |key: &str| {
            let (_, rest) = second.text.split_once(key)?;
            rest.split([',', ')']).next().map(str::trim).filter(|value| !value.is_empty())
        };
        if let Some(name) = value("tableName:").and_then(TableName::parse)
            && open.name.is_none()
        {
            open.name = Some(name);
        }
        open.database = value("dbName:").map(str::to_lowercase).or(open.database.take());
    }
}
