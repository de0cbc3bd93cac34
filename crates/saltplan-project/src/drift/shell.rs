//! The output of the HBase shell.
//!
//! Both commands print keys with `Bytes.toStringBinary`. `get_splits` (`shell/commands/get_splits.rb`) prints
//! `Total number of splits = N`, where N is the number of regions, followed by one key per line.
//! `list_regions` (`shell/commands/list_regions.rb`) prints a table with fixed columns, whose widths follow
//! from a line of dashes, and the number of its rows. It strips blanks from the ends of `START_KEY`, so the
//! region's name is the better source.

use super::dump::RegionName;
use super::{Dump, LiveRegion};
use crate::fault::{Fault, fault};
use saltplan_core::files::kind::{TextKind, is_log, is_prompt, is_timing, mark};
use saltplan_core::key::range::from_string_binary;

/// The unit of the column SIZE (`RegionLoad.getStorefileSizeMB`).
const MEGABYTE: u64 = 1 << 20;

const SPLITS_HEADER: &str = "Total number of splits = ";

/// Which command of the shell printed the text, by its list, or by an error, a prompt or a time.
pub(crate) fn kind(text: &str) -> Option<&'static str> {
    let is_output = |line: &str| line.starts_with("ERROR: ") || is_prompt(line) || is_timing(line);
    kind_of_list(text).or_else(|| text.lines().any(is_output).then_some("the output of the HBase shell"))
}

/// The command that printed a list of regions. In the log of a session the last one counts.
pub(super) fn kind_of_list(text: &str) -> Option<&'static str> {
    text.lines().rev().find_map(|line| {
        let list = [
            (line.starts_with(SPLITS_HEADER), "the output of `get_splits`"),
            (is_table_header(line), "the output of `list_regions`"),
        ];
        list.into_iter().find_map(|(is, name)| is.then_some(name))
    })
}

pub fn read(text: &str) -> Result<Dump, Fault> {
    let lines: Vec<&str> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    // In the log of a session the last one counts.
    let table = lines.iter().rposition(|line| is_table_header(line));
    let splits = lines.iter().rposition(|line| line.starts_with(SPLITS_HEADER));
    match (table, splits) {
        (Some(header), splits) if splits.is_none_or(|splits| splits < header) => {
            list_regions(&lines[header..], asked(&lines[..header], "list_regions"))
        }
        (_, Some(header)) => get_splits(&lines[header..], asked(&lines[..header], "get_splits")),
        _ => fault(
            format!("{} has no list of `get_splits` or `list_regions`", kind_of(&lines)),
            "save what `hbase shell -n` prints for `get_splits 'ns:table'` or `list_regions 'ns:table'`",
        ),
    }
}

/// What the shell printed instead of a list of regions.
fn kind_of(lines: &[&str]) -> String {
    let kinds = lines.iter().filter_map(|line| mark(line, u64::MAX)).map(|mark| mark.kind);
    let is_telling = |kind: &TextKind| matches!(kind, TextKind::Scan | TextKind::Describe);
    let kind = kinds.into_iter().find(is_telling);
    kind.map_or_else(|| "the HBase shell output".to_string(), |kind| kind.to_string())
}

/// The table for which the last command with this name was typed, if the log of the session has it:
/// `hbase:001:0> get_splits 't'`.
fn asked(lines: &[&str], command: &str) -> Option<String> {
    let typed = lines.iter().rev().find(|line| line.starts_with("hbase") && line.contains(command))?;
    let arguments = typed.split_once(command)?.1.trim_start().trim_start_matches('(').trim_start();
    let quote = arguments.chars().next().filter(|sign| matches!(sign, '\'' | '"'))?;
    arguments[1..].split_once(quote).map(|(table, _)| table.to_string())
}

// ---- get_splits

fn get_splits(lines: &[&str], table: Option<String>) -> Result<Dump, Fault> {
    let (header, rest) = lines.split_first().map_or(("", &[][..]), |(header, rest)| (*header, rest));
    let regions: usize = header[SPLITS_HEADER.len()..].trim().parse().map_err(|_| {
        (format!("`{}` has no number", header.trim()), "save the whole output of `get_splits`".into())
    })?;
    let keys: Vec<&str> = rest.iter().copied().filter(|line| !is_noise(line)).collect();
    let keys: Vec<Vec<u8>> =
        keys.iter().take(regions.saturating_sub(1)).map(|key| from_string_binary(key)).collect();
    if keys.len() + 1 < regions {
        return fault(
            format!(
                "`get_splits` announces {regions} regions, but the number of split keys is {}",
                keys.len()
            ),
            "save the whole output",
        );
    }
    let ascending = keys.windows(2).all(|pair| pair[0] < pair[1]);
    if !ascending {
        return fault(
            "the split keys do not ascend: there is other output between them",
            "save only the standard output of the shell, without stderr",
        );
    }
    let starts = std::iter::once(Vec::new()).chain(keys);
    Ok(Dump { regions: starts.map(LiveRegion::starting_at).collect(), table, is_list: false })
}

/// Lines of the JVM, of the logger, and of the interactive shell itself. `get_splits` never prints an empty
/// key.
fn is_noise(line: &str) -> bool {
    const STARTS: [&str; 9] = [
        "WARNING: ",
        "OpenJDK ",
        "Java HotSpot",
        "SLF4J: ",
        "log4j:",
        "hbase:",
        "hbase(",
        "=> [",
        "Picked up ",
    ];
    line.trim().is_empty()
        || STARTS.iter().any(|start| line.starts_with(start))
        || is_log(line)
        || is_timing(line)
}

// ---- list_regions

fn is_table_header(line: &str) -> bool {
    let mut names = cells_by_bars(line).peekable();
    line.trim_end().ends_with('|') && names.peek().is_some() && names.all(|name| COLUMNS.contains(&name))
}

/// The columns of `list_regions`; a user may request only some of them.
const COLUMNS: [&str; 7] = ["SERVER_NAME", "REGION_NAME", "START_KEY", "END_KEY", "SIZE", "REQ", "LOCALITY"];

fn cells_by_bars(line: &str) -> impl Iterator<Item = &str> {
    line.trim_end().trim_end_matches('|').split('|').map(str::trim)
}

fn list_regions(lines: &[&str], table: Option<String>) -> Result<Dump, Fault> {
    let [header, dashes, rows @ ..] = lines else { return Err(cut_off()) };
    let columns = ShellTable::new(header, dashes).ok_or_else(cut_off)?;
    let mut found = Vec::new();
    let mut announced = None;
    for line in rows {
        if let Some(cells) = columns.cells(line) {
            found.push(cells);
        } else if let Some(count) = row_count(line) {
            announced = Some(count);
            break;
        }
    }
    match announced {
        Some(count) if count == found.len() => {}
        Some(count) => {
            let message = format!("`list_regions` announces {count} rows, but {} can be read", found.len());
            return fault(message, "save the output with unwrapped lines and without stderr");
        }
        None => return Err(cut_off()),
    }
    columns.dump(&found, table)
}

fn cut_off() -> Fault {
    ("the output of `list_regions` is incomplete".into(), "save all of it, up to the line `N rows`".into())
}

fn row_count(line: &str) -> Option<usize> {
    line.trim().strip_suffix(" rows").or_else(|| line.trim().strip_suffix(" row"))?.parse().ok()
}

/// The positions of the cells in a row, from the line of dashes.
struct ShellTable<'a> {
    names: Vec<&'a str>,
    /// The offset of the bar after each cell.
    bars: Vec<usize>,
}

impl<'a> ShellTable<'a> {
    fn new(header: &'a str, dashes: &str) -> Option<Self> {
        let names: Vec<&str> = cells_by_bars(header).collect();
        let bars: Vec<usize> = dashes.match_indices('|').map(|(at, _)| at).collect();
        let is_ruler = dashes.bytes().all(|byte| b" -|".contains(&byte));
        (is_ruler && bars.len() == names.len()).then_some(ShellTable { names, bars })
    }

    /// The cells of a row, which are right-aligned; `None` for other lines.
    fn cells(&self, line: &'a str) -> Option<Vec<&'a str>> {
        let mut start = 0;
        let mut cells = Vec::with_capacity(self.bars.len());
        for bar in &self.bars {
            if line.as_bytes().get(*bar) != Some(&b'|') {
                return None;
            }
            cells.push(line.get(start..*bar)?.trim());
            start = bar + 1;
        }
        line.get(start..)?.trim().is_empty().then_some(cells)
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|column| *column == name)
    }

    fn dump(&self, rows: &[Vec<&str>], table: Option<String>) -> Result<Dump, Fault> {
        let (name, start, end) = (self.place("REGION_NAME"), self.place("START_KEY"), self.place("END_KEY"));
        if name.is_none() && start.is_none() {
            return fault(
                "the output of `list_regions` lacks the columns REGION_NAME and START_KEY",
                "dump all columns: `list_regions 'ns:table'`",
            );
        }
        let mut dump = Dump { regions: Vec::new(), table: None, is_list: false };
        let mut ends = Vec::new();
        for row in rows {
            let parsed = name.and_then(|at| RegionName::parse(row[at]));
            if parsed.as_ref().is_some_and(|name| name.is_replica) {
                continue;
            }
            let start = match (&parsed, start) {
                (Some(name), _) => name.start,
                (None, Some(at)) => row[at],
                (None, None) => return Err(unreadable(row[name.unwrap_or_default()])),
            };
            if let Some(name) = &parsed {
                dump.is_of(name.table)?;
            }
            let cell = |at: Option<usize>| at.map(|at| row[at]).filter(|cell| !cell.is_empty());
            dump.regions.push(LiveRegion {
                start: from_string_binary(start),
                encoded: parsed.map(|name| name.encoded.to_string()),
                server: cell(self.place("SERVER_NAME")).map(str::to_string),
                bytes: cell(self.place("SIZE"))
                    .and_then(|size| size.parse::<u64>().ok()?.checked_mul(MEGABYTE)),
            });
            ends.extend(end.map(|at| row[at]));
        }
        check_chain(&dump, &ends)?;
        dump.table = dump.table.or(table);
        Ok(dump)
    }
}

fn unreadable(name: &str) -> Fault {
    (format!("`{name}` is not the name of a region"), "dump all columns: `list_regions 'ns:table'`".into())
}

/// Every region except the last ends where another one starts. Otherwise some are missing, for example
/// because of a filter by server.
fn check_chain(dump: &Dump, ends: &[&str]) -> Result<(), Fault> {
    // Blanks at the end of an END_KEY are lost.
    let starts: std::collections::BTreeSet<Vec<u8>> =
        dump.regions.iter().map(|region| region.start.trim_ascii().to_vec()).collect();
    let open = ends.iter().find(|end| !end.is_empty() && !starts.contains(&from_string_binary(end)));
    match open {
        None => Ok(()),
        Some(end) => fault(
            format!("a region ends at `{end}`, but no region starts there"),
            "dump all regions: call `list_regions` without a server and without LOCALITY_THRESHOLD",
        ),
    }
}
