//! The result of a check, from which a build takes the days to load again.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::build::Build;
use super::model::JobKind;
use saltplan_core::hive::check::MEANINGS;
use saltplan_document::diag::{Diagnostic, counted};
use saltplan_document::wording::excerpt;

/// The groups that a check found, in the order of its result, each once, with its line.
#[derive(Debug, PartialEq, Eq)]
pub struct Groups(pub Vec<(String, usize)>);

/// A line that is not of the result of a check.
#[derive(Debug, PartialEq, Eq)]
pub struct ResultFault {
    pub line: usize,
    pub reason: String,
}

impl fmt::Display for ResultFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

/// Reads what `hive` and `beeline` (tsv2, csv2) print for a check by a field: the value, the meaning, the counts; with or without
/// the names of the columns above.
///
/// # Errors
/// A line is not of such a result, or its group has no value.
pub fn groups(text: &str) -> Result<Groups, ResultFault> {
    let mut found: Vec<(String, usize)> = Vec::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let fault = |reason: &str| ResultFault { line: index + 1, reason: reason.into() };
        if line.trim().is_empty() {
            continue;
        }
        let cells = cells(line).ok_or_else(|| fault("a quote is not closed"))?;
        let (Some(value), Some(meaning)) = (cells.first(), cells.get(1)) else {
            return Err(fault("this is not the result of a check by a field: the meaning is missing"));
        };
        // A client may name the column with its table.
        let is_header = meaning.rsplit('.').next() == Some("meaning");
        if is_header && found.is_empty() {
            continue;
        }
        let word = meaning.split(':').next().unwrap_or_default();
        if !MEANINGS.contains(&word) || !meaning.contains(':') {
            return Err(fault(&format!("`{}` is not a meaning of a check", excerpt(meaning))));
        }
        if value.is_empty() || value == "NULL" || value == "\\N" {
            return Err(fault("these rows have no value of the field"));
        }
        if known.insert(value.clone()) {
            found.push((value.clone(), index + 1));
        }
    }
    Ok(Groups(found))
}

/// The cells of a line between tabs, or of a line without one between commas, where quotes may stand around a cell; `None` if a quote
/// is not closed.
fn cells(line: &str) -> Option<Vec<String>> {
    if line.contains('\t') {
        return Some(line.split('\t').map(str::to_string).collect());
    }
    let mut cells = vec![String::new()];
    let (mut quoted, mut signs) = (false, line.chars().peekable());
    while let Some(sign) = signs.next() {
        let last = cells.last_mut()?;
        match sign {
            '"' if quoted && signs.peek() == Some(&'"') => {
                signs.next();
                last.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            sign => last.push(sign),
        }
    }
    (!quoted).then_some(cells)
}

/// A day in the digits that all its forms have.
fn digits(value: &str) -> String {
    value.replace('-', "")
}

impl Build {
    /// Selects, of the selected files, the plans whose `for_each` has a value that a check found.
    ///
    /// # Errors
    /// A group has no plan.
    pub fn choose_missing(&mut self, groups: &Groups, file: &str) -> Result<(), Diagnostic> {
        let mut wanted: BTreeMap<String, bool> =
            groups.0.iter().map(|(value, _)| (digits(value), false)).collect();
        let mut chosen = Vec::new();
        for index in &self.chosen {
            let item = &self.items[*index];
            let is_load = matches!(&self.job(item).kind, JobKind::Plan(plan) if !plan.select);
            let mut is_wanted = false;
            for (_, value) in item.values.iter().filter(|_| is_load) {
                if let Some(found) = wanted.get_mut(&digits(value)) {
                    (*found, is_wanted) = (true, true);
                }
            }
            chosen.extend(is_wanted.then_some(*index));
        }
        let mut without = groups.0.iter().filter(|(value, _)| !wanted[&digits(value)]);
        if let Some((value, line)) = without.next() {
            let more = without.count();
            let others = match more {
                0 => String::new(),
                more => format!(", and for {} more", counted(more as u128, "group", "groups")),
            };
            let message = format!("{file}:{line}: no job plans a statement for `{}`{others}", excerpt(value));
            let help = "`for_each` of a job must have the days that the check counts, such as `for_each: { day: 20200401..20200430 }`";
            return Err(Diagnostic::error(message).with_help(help));
        }
        self.chosen = chosen;
        self.count_schemas();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        groups(text).expect(text).0.into_iter().map(|(value, _)| value).collect()
    }

    #[test]
    fn results_of_clients() {
        let tsv = "opera_day\tmeaning\thbase_rows\ttarget_rows\thbase_checksum\ttarget_checksum\n\
                   20200402\tmissing: the target has none of the rows\t24\t0\t1\t0\n\
                   20200405\tvalues: as many rows, with other values\t24\t24\t1\t2\n";
        assert_eq!(values(tsv), ["20200402", "20200405"]);
        let csv = "groups.opera_day,groups.meaning,groups.hbase_rows\r\n\
                   2020-04-02,missing: the target has none of the rows,24\r\n\
                   2020-04-05,\"values: as many rows, with other values\",24\r\n";
        assert_eq!(values(csv), ["2020-04-02", "2020-04-05"]);
        // `hive` prints no names of columns.
        assert_eq!(values("20200402\tfewer: the target lacks rows\t24\t20\t1\t2\n"), ["20200402"]);
        assert!(values("").is_empty() && values("\n\n").is_empty());
        assert_eq!(values("\"a,\"\"b\",fewer: x,1\n"), ["a,\"b"]);
    }

    #[test]
    fn other_texts_are_refused() {
        for (text, line) in [
            ("20200402\n", 1),
            ("day\tmeaning\n20200402\tnothing\n", 2),
            ("20200402\tfewer: x\nday\tmeaning\n", 2),
            ("NULL\tfewer: x\n", 1),
            ("a,\"fewer: x\n", 1),
            ("hbase_rows\ttarget_rows\trow_id\n1\t0\tu1\n", 1),
        ] {
            assert_eq!(groups(text).expect_err(text).line, line, "{text}");
        }
    }
}
