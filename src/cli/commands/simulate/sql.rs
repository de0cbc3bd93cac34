//! `simulate --emit-sql` and `--from-counts`: counts a real table with Hive.

use std::path::Path;

use super::SimulateArgs;
use crate::cli::{Failure, Outcome, Refused, Reporter};
use saltplan_core::Table;
use saltplan_core::hive;
use saltplan_core::hive::counts::{CountQuery, FIRST_REGION};
use saltplan_core::key::range::from_hex;
use saltplan_core::render::templates::Templates;
use saltplan_core::render::{parse_column_name, parse_table_name};
use saltplan_document::diag::Diagnostic;
use saltplan_simulate::counts::RowCounts;
use saltplan_simulate::loads;
use saltplan_simulate::report::PutReport;

pub fn emit(table: &Table, args: &SimulateArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let key_column = args.count.key_column.as_deref().map(parse_column_name).transpose()?;
    let query = CountQuery {
        split_keys: known_split_keys(table)?,
        table: args.count.from.as_deref().map(parse_table_name).transpose()?,
        key_column: key_column.as_deref(),
    };
    args.output.deliver(&hive::counts::render(table.schema(), &query, &Templates::new(None))?, reporter)
}

fn known_split_keys(table: &Table) -> Result<&[Vec<u8>], Failure> {
    let help = "add `regions:`, such as `regions: { explicit: [...] }`";
    Ok(table.split_keys()?.ok_or_else(|| Refused::no_regions("", help))?)
}

/// Reads the result of the query: start row in hex, number of rows, shortest key, bytes of all keys, longest
/// key.
pub fn read_back(table: &Table, path: &Path, reporter: &Reporter) -> Result<PutReport, Failure> {
    let mut lines = reporter.inputs.lines(path)?;
    let split_keys = known_split_keys(table)?;
    let mut counts = RowCounts::new(split_keys.len() + 1);
    let mut seen = vec![false; split_keys.len() + 1];
    while let Some((number, line)) = lines.next_line()? {
        let row = match std::str::from_utf8(line) {
            Err(_) => Err("not UTF-8 text".to_string()),
            Ok(line) if line.trim().is_empty() => continue,
            Ok(line) => match CountRow::read(line) {
                // The line with column names, if the client prints it.
                Err(_) if number == 1 && line.contains("start_row") => continue,
                row => row,
            },
        };
        row.and_then(|row| row.add(split_keys, &mut counts, &mut seen))
            .map_err(|reason| lines.fault(number, &reason))?;
    }
    if !seen.contains(&true) {
        return Err(Diagnostic::error(format!("{} contains no counts", lines.name))
            .with_help("run the query of `simulate --emit-sql` and save its result")
            .into());
    }
    Ok(loads::report(table.schema(), split_keys, &counts))
}

/// One line of the result.
struct CountRow {
    start: String,
    rows: u64,
    shortest: usize,
    bytes: u128,
    longest: usize,
}

impl CountRow {
    fn read(line: &str) -> Result<Self, String> {
        let cells: Vec<&str> = line.split(['\t', ',']).map(|cell| cell.trim().trim_matches('"')).collect();
        let [start, rows, shortest, bytes, longest] = cells[..] else {
            return Err(format!("{} columns, but the query has 5", cells.len()));
        };
        let wrong = |cell: &str| format!("`{cell}` is not a number");
        Ok(CountRow {
            start: start.to_ascii_lowercase(),
            rows: rows.parse().map_err(|_| wrong(rows))?,
            shortest: shortest.parse().map_err(|_| wrong(shortest))?,
            bytes: bytes.parse().map_err(|_| wrong(bytes))?,
            longest: longest.parse().map_err(|_| wrong(longest))?,
        })
    }

    fn add(self, split_keys: &[Vec<u8>], counts: &mut RowCounts, seen: &mut [bool]) -> Result<(), String> {
        let region = if self.start == FIRST_REGION {
            0
        } else {
            let found = from_hex(&self.start).and_then(|start| split_keys.binary_search(&start).ok());
            found.ok_or_else(|| format!("`{}` is not a start row of the schema's regions", self.start))? + 1
        };
        if let Some(seen) = seen.get_mut(region)
            && std::mem::replace(seen, true)
        {
            return Err(format!("the region from `{}` occurs twice", self.start));
        }
        if let Some(puts) = counts.puts.get_mut(region) {
            *puts = self.rows;
        }
        counts.add_lengths(self.shortest, self.longest, self.bytes);
        Ok(())
    }
}
