//! The output of the HBase shell's `scan`: row keys with their cells.
//!
//! ```text
//! ROW  COLUMN+CELL
//!  3f_20200406_u1 column=f:uid, timestamp=2020-04-06T01:02:03.004, value=u1
//! 1 row(s)
//! ```
//!
//! `hbase shell -n` prints a cell in one line. At a terminal the shell prints two columns, the first with a quarter of the width,
//! and continues keys and cells in further lines (`shell/formatter.rb`). The heading shows where the second column begins, so
//! keys are put together exactly; only blanks at their ends are lost. The number of rows at the end tells whether this went well.

use std::collections::{BTreeMap, BTreeSet};

use super::instead;
use crate::fault::{Fault, fault};
use saltplan_core::files::kind::{is_log, is_prompt, is_timing};
use saltplan_core::key::range::from_string_binary;

const HELP: &str = "save the output of `echo \"scan 'ns:table', {LIMIT => 500}\" | hbase shell -n`";

/// Rows in key order.
#[derive(Debug, Clone, Default)]
pub struct Scanned {
    pub keys: Vec<Vec<u8>>,
    /// The columns that every row has.
    pub columns: Vec<ScannedColumn>,
}

/// A column and its value in every row.
#[derive(Debug, Clone)]
pub struct ScannedColumn {
    pub family: String,
    pub qualifier: String,
    pub values: Vec<Vec<u8>>,
}

type Cells = BTreeMap<(String, String), Vec<u8>>;

/// Parses the output of one or several scans of a table. Other lines, such as prompts, are ignored.
///
/// # Errors
/// No line has a cell, or keys or cells are cut off or broken in a way that cannot be undone.
pub fn scan(text: &str) -> Result<Scanned, Fault> {
    let rows = rows(text)?;
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    for column in rows.values().flat_map(BTreeMap::keys) {
        *counts.entry(column.clone()).or_default() += 1;
    }
    let everywhere = counts.into_iter().filter(|(_, count)| *count == rows.len()).map(|(column, _)| column);
    let columns = everywhere.map(|column| ScannedColumn {
        values: rows.values().filter_map(|cells| cells.get(&column).cloned()).collect(),
        family: column.0,
        qualifier: column.1,
    });
    Ok(Scanned { columns: columns.collect(), keys: rows.into_keys().collect() })
}

fn rows(text: &str) -> Result<BTreeMap<Vec<u8>, Cells>, Fault> {
    let mut scans = Scans::default();
    for (at, line) in text.lines().enumerate() {
        scans.read(at + 1, line.trim_end_matches('\r'))?;
    }
    scans.end(None)?;
    match scans.rows.is_empty() {
        true => fault(format!("no line has a cell: {}", instead(text, "the output of `scan`")), HELP),
        false => Ok(scans.rows),
    }
}

/// The values of a column in the rows that have it, in the output of a scan.
///
/// # Errors
/// As [`scan`].
pub fn values_of_scan(text: &str, family: &str, qualifier: &str) -> Result<Vec<Vec<u8>>, Fault> {
    let column = (family.to_string(), qualifier.to_string());
    Ok(rows(text)?.into_values().filter_map(|mut cells| cells.remove(&column)).collect())
}

/// How the cells of a scan are printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Layout {
    /// Each cell in one line; there was no heading.
    #[default]
    NoHeading,
    /// Each cell in one line, after one blank.
    Lines,
    /// In two columns; the number of characters of the first.
    Columns(usize),
}

/// A cell whose lines are being put together.
#[derive(Debug)]
struct Broken {
    line: usize,
    keys: Vec<String>,
    texts: Vec<String>,
}

#[derive(Debug, Default)]
struct Scans {
    rows: BTreeMap<Vec<u8>, Cells>,
    /// The table of the scans, if a session shows it.
    table: Option<String>,
    layout: Layout,
    /// The keys of the current scan.
    keys: BTreeSet<Vec<u8>>,
    broken: Vec<Broken>,
}

impl Scans {
    fn read(&mut self, number: usize, line: &str) -> Result<(), Fault> {
        if let Some(layout) = heading(line) {
            self.end(None)?;
            self.layout = layout;
        } else if is_prompt(line) {
            self.end(None)?;
            self.check_command(line)?;
        } else if let Some(count) = row_count(line) {
            self.end(Some(count))?;
        } else if let Layout::Columns(width) = self.layout {
            self.piece(number, line, width)?;
        } else if let Some((key, cell)) = self.cell_of_line(number, line)? {
            self.add(key, cell, number)?;
        } else if line.starts_with(' ') && (self.layout == Layout::Lines || !self.keys.is_empty()) {
            return if line.contains(" column=") { cut_off(number) } else { broken(number) };
        }
        Ok(())
    }

    /// The command must be for the same table, and must not change how keys and values are printed.
    fn check_command(&mut self, line: &str) -> Result<(), Fault> {
        let Some((_, arguments)) = line.split_once("> scan ") else { return Ok(()) };
        for word in ["MAXLENGTH", "FORMATTER"] {
            if arguments.contains(word) {
                return fault(
                    format!("the scan has {word}, so keys or values may be cut off or changed"),
                    "scan without MAXLENGTH and FORMATTER",
                );
            }
        }
        let table = arguments.split(['\'', '"']).nth(1).map(str::to_string);
        match (&self.table, table) {
            (Some(one), Some(other)) if *one != other => fault(
                format!("the output has scans of two tables, `{one}` and `{other}`"),
                "give the scans of one table only",
            ),
            (_, table) => {
                self.table = table.or(self.table.take());
                Ok(())
            }
        }
    }

    /// A line of two columns.
    fn piece(&mut self, number: usize, line: &str, width: usize) -> Result<(), Fault> {
        if line.trim().is_empty() && !line.starts_with("  ") || is_noise(line) {
            return Ok(());
        }
        // The shell gives a quarter of the terminal to the keys.
        let widest = 4 * width + 3;
        let signs: Vec<char> = line.chars().collect();
        let is_piece = signs.first() == Some(&' ') && signs.get(width + 1).is_none_or(|sign| *sign == ' ');
        if !is_piece || signs.len() > widest {
            return broken(number);
        }
        let part = |from: usize, to: usize| -> String {
            signs.get(from.min(signs.len())..to.min(signs.len())).unwrap_or_default().iter().collect()
        };
        let (key, text) = (part(1, width + 1), part(width + 2, usize::MAX));
        if text.starts_with("column=") && !key.trim().is_empty() {
            self.broken.push(Broken { line: number, keys: vec![key], texts: vec![text] });
            return Ok(());
        }
        let Some(cell) = self.broken.last_mut() else { return broken(number) };
        cell.keys.push(key);
        cell.texts.push(text);
        Ok(())
    }

    /// Ends a scan, which announces its number of rows.
    fn end(&mut self, count: Option<usize>) -> Result<(), Fault> {
        let pieces = std::mem::take(&mut self.broken);
        if let Layout::Columns(width) = std::mem::take(&mut self.layout)
            && !pieces.is_empty()
        {
            if count.is_none() {
                return fault(
                    "the output of `scan` does not end with its number of rows, so the last key may be cut off",
                    "save all of it, up to the line `N row(s)`",
                );
            }
            let lengths = pieces.iter().flat_map(|cell| &cell.texts).map(|text| text.chars().count());
            let text_width = lengths.max().unwrap_or(0);
            for cell in pieces {
                let Some((column, value)) = cell_of(&joined(&cell.texts, text_width)) else {
                    return cut_off(cell.line);
                };
                self.add(joined(&cell.keys, width), (column, value), cell.line)?;
            }
        }
        let found = std::mem::take(&mut self.keys).len();
        match count {
            Some(count) if found > 0 && found != count => fault(
                format!("`scan` announces {count} rows, but the lines have {found} different keys"),
                HELP,
            ),
            _ => Ok(()),
        }
    }

    fn add(&mut self, key: String, (column, value): Cell, line: usize) -> Result<(), Fault> {
        if key.contains(char::REPLACEMENT_CHARACTER) {
            return fault(
                format!("line {line}: the row key has bytes that are not text"),
                "scan without FORMATTER: the shell then writes them as `\\xNN`",
            );
        }
        let key = from_string_binary(&key);
        self.keys.insert(key.clone());
        let cells = self.rows.entry(key).or_default();
        if let Some(value) = value {
            // Of several versions the newest comes first.
            cells.entry(column).or_insert_with(|| from_string_binary(&value));
        }
        Ok(())
    }

    /// ` KEY column=f:q, timestamp=…, value=V`
    fn cell_of_line(&self, number: usize, line: &str) -> Result<Option<(String, Cell)>, Fault> {
        let starts = line.match_indices(" column=").map(|(at, _)| at);
        let mut found = starts.filter_map(|at| Some((&line[..at], cell_of(&line[at + 1..])?)));
        let Some((key, cell)) = found.next() else { return Ok(None) };
        if found.next().is_some() {
            return fault(
                format!("line {number} can be read in two ways: the key or the value has ` column=`"),
                "leave this row out of the sample",
            );
        }
        let key = match self.layout {
            Layout::Lines => key.strip_prefix(' ').unwrap_or(key),
            _ => key.trim(),
        };
        Ok(Some((key.to_string(), cell)))
    }
}

/// The column, and the value if it is no delete marker.
type Cell = ((String, String), Option<String>);

/// `column=f:q, timestamp=…, value=V`
fn cell_of(text: &str) -> Option<Cell> {
    let (column, rest) = text.strip_prefix("column=")?.split_once(", timestamp=")?;
    let (family, qualifier) = column.split_once(':')?;
    let (time, rest) = rest.split_once(", ")?;
    let is_time = time.bytes().all(|byte| byte.is_ascii_digit() || b"-T:.Z+".contains(&byte));
    let value = match rest.strip_prefix("value=") {
        Some(value) => Some(value.to_string()),
        None => rest.starts_with("type=").then_some(None)?,
    };
    (is_time && !time.is_empty()).then(|| ((family.to_string(), qualifier.to_string()), value))
}

/// The layout of the cells below a heading: `ROW  COLUMN+CELL`.
fn heading(line: &str) -> Option<Layout> {
    /// The column of `COLUMN+CELL` if the shell knows no width for its lines: after `ROW` and two blanks.
    const LINES: usize = 5;
    let blanks = line.trim_end().strip_prefix("ROW")?.strip_suffix("COLUMN+CELL")?;
    let is_heading = !blanks.is_empty() && blanks.bytes().all(|byte| byte == b' ');
    let at = "ROW".len() + blanks.len();
    is_heading.then_some(if at == LINES { Layout::Lines } else { Layout::Columns(at.saturating_sub(2)) })
}

/// The parts of a text, all of which but the last one have the width; blanks at the end are lost.
fn joined(parts: &[String], width: usize) -> String {
    let whole: String = parts.iter().map(|part| format!("{part:width$}")).collect();
    whole.trim_end_matches(' ').to_string()
}

/// `13 row(s)`, in older versions with the time that it took.
fn row_count(line: &str) -> Option<usize> {
    let (count, rest) = line.trim_end().split_once(" row(s)")?;
    (rest.is_empty() || rest.starts_with(" in ")).then_some(())?;
    count.parse().ok()
}

/// Lines between those of the shell.
fn is_noise(line: &str) -> bool {
    const STARTS: [&str; 4] = ["WARNING: ", "OpenJDK ", "SLF4J: ", "log4j:"];
    STARTS.iter().any(|start| line.starts_with(start)) || is_log(line) || is_timing(line)
}

fn broken<T>(line: usize) -> Result<T, Fault> {
    fault(format!("line {line} is no cell: lines are broken or other text is between them"), HELP)
}

fn cut_off<T>(line: usize) -> Result<T, Fault> {
    fault(
        format!("line {line}: the cell is cut off"),
        "scan without MAXLENGTH, and save the whole output of `hbase shell -n`",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADING: &str = "ROW                   COLUMN+CELL                                               ";

    fn keys(text: &str) -> Result<Vec<String>, String> {
        let scanned = scan(text).map_err(|(message, _)| message)?;
        Ok(scanned.keys.iter().map(|key| String::from_utf8_lossy(key).into_owned()).collect())
    }

    /// What the shell of HBase 2.4.17 printed for the same rows, at terminals of two widths and without one.
    #[test]
    fn the_width_of_the_terminal_does_not_matter() {
        let file = |name: &str| {
            let path = format!("{}/../../tests/testdata/live/{name}.txt", env!("CARGO_MANIFEST_DIR"));
            std::fs::read_to_string(path).expect("a dump")
        };
        let narrow = keys(&file("scan_of_80_columns")).unwrap();
        assert_eq!(narrow, keys(&file("scan_of_200_columns")).unwrap());
        assert_eq!(narrow.len(), 13);
        assert!(narrow.contains(&format!("exactly{}", "b".repeat(71))), "{narrow:?}");
        assert!(narrow.contains(&"spaces     inside         the    key          and      more".to_string()));
        // A blank at the end is lost at a terminal. The row with ` column=` in its key is not in this file.
        let of_lines = keys(&file("scan_without_terminal")).unwrap();
        assert!(of_lines.contains(&" lead and trail ".to_string()));
        let bare = |keys: &[String]| keys.iter().map(|key| key.trim_end().to_string()).collect::<Vec<_>>();
        assert_eq!(bare(&of_lines), bare(&narrow[1..]));
        let values = |name: &str| scan(&file(name)).unwrap().columns[0].values.clone();
        assert_eq!(values("scan_of_80_columns"), values("scan_of_200_columns"));
        assert_eq!(values("scan_without_terminal")[1], values("scan_of_80_columns")[2]);
    }

    #[test]
    fn keys_in_one_line_keep_their_blanks() {
        let text = "ROW  COLUMN+CELL\n  a  column=f:q, timestamp=1, value=v \n b column=f:q, timestamp=1, value=\n2 row(s)\n";
        assert_eq!(keys(text).unwrap(), [" a ", "b"]);
        let scanned = scan(text).unwrap();
        assert_eq!(scanned.columns[0].values, [b"v ".to_vec(), Vec::new()]);
    }

    #[test]
    fn broken_lines_are_put_together_or_refused() {
        let cell = "column=f:v, timestamp=2026-11-26T13:26:34.522, value=some ";
        let text = format!(
            "{HEADING}\n exactlybbbbbbbbbbbbb {cell}\n bbb                  long value\n x                    {cell}\n"
        );
        assert_eq!(keys(&format!("{text}2 row(s)\n")).unwrap(), ["exactlybbbbbbbbbbbbbbbb", "x"]);
        assert!(keys(&text).unwrap_err().contains("does not end"));
        assert!(keys(&format!("{text}3 row(s)\n")).unwrap_err().contains("3 rows, but the lines have 2"));
        // As some terminals copy it: two lines in one.
        let one_line = text.replace("\n bbb", " bbb");
        assert!(keys(&format!("{one_line}2 row(s)\n")).unwrap_err().contains("line 2 is no cell"));
        let without_heading = text.replace(HEADING, "");
        assert!(keys(&without_heading).unwrap_err().contains("line 3 is no cell"));
        let moved = text.replace(" x  ", " x");
        assert!(keys(&format!("{moved}2 row(s)\n")).is_err());
    }

    #[test]
    fn what_is_cut_off_or_ambiguous_is_refused() {
        let lines = |lines: &str| keys(&format!("ROW  COLUMN+CELL\n{lines}\n"));
        assert!(lines(" a column=f:v, timestamp=2026-11-26T13").unwrap_err().contains("cut off"));
        let twice = " k column=f:q, timestamp=1, value=z column=f:v, timestamp=1, value=v";
        assert!(lines(twice).unwrap_err().contains("two ways"));
        let session =
            |command: &str| keys(&format!("hbase:002:0> {command}\n a column=f:v, timestamp=1, value=v\n"));
        assert!(session("scan 't', {MAXLENGTH=>30}").unwrap_err().contains("MAXLENGTH"));
        assert_eq!(session("scan 't'").unwrap(), ["a"]);
    }

    #[test]
    fn a_delete_marker_has_a_key_and_no_value() {
        let text =
            " a column=f:v, timestamp=1, type=DeleteColumn\n a column=f:v, timestamp=1, value=v\n1 row(s)\n";
        assert_eq!(scan(text).unwrap().columns.len(), 1);
    }
}
