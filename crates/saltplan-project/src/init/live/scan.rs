//! The output of the HBase shell's `scan`: row keys with their cells.
//!
//! ```text
//! ROW                COLUMN+CELL
//!  3f_20200406_u1    column=f:uid, timestamp=2020-04-06T01:02:03.004, value=u1
//! 1 row(s)
//! ```

use std::collections::BTreeMap;

use crate::fault::{Fault, fault};
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

/// Parses the output of `scan`. Other lines, such as prompts, are ignored.
///
/// # Errors
/// No line has a cell.
pub fn scan(text: &str) -> Result<Scanned, Fault> {
    let mut rows: BTreeMap<Vec<u8>, Cells> = BTreeMap::new();
    for (key, column, value) in text.lines().filter_map(cell) {
        let cells = rows.entry(from_string_binary(key)).or_default();
        // Of several versions the newest comes first.
        cells.entry(column).or_insert_with(|| from_string_binary(value));
    }
    if rows.is_empty() {
        return fault("no line has a cell: this is not the output of `scan`", HELP);
    }
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

/// ` KEY   column=f:q, timestamp=…, value=V`
fn cell(line: &str) -> Option<(&str, (String, String), &str)> {
    let (key, rest) = line.trim_end_matches('\r').split_once(" column=")?;
    let (column, rest) = rest.split_once(", timestamp=")?;
    let (_, value) = rest.split_once(", value=")?;
    let (family, qualifier) = column.split_once(':')?;
    Some((key.trim(), (family.to_string(), qualifier.to_string()), value))
}
