//! The result of a check, from which a build takes the days to load again.

use std::collections::{BTreeMap, BTreeSet};

use super::build::Build;
use super::model::JobKind;
use saltplan_core::hive::check::MEANINGS;
use saltplan_document::diag::{Diagnostic, counted};
use saltplan_document::wording::excerpt;

/// The name under which a check shows the salt.
const SALT: &str = "salt";

/// A group that a check found.
#[derive(Debug, PartialEq, Eq)]
pub struct Group {
    pub value: String,
    /// The word with which its meaning begins.
    pub meaning: &'static str,
    pub line: usize,
}

/// A line that is not of the result of a check.
#[derive(Debug, PartialEq, Eq)]
pub struct ResultFault {
    pub line: usize,
    pub reason: String,
}

/// Reads what `hive` and `beeline` (tsv2, csv2) print for a check by a field: the value, the meaning, the counts; with or without
/// the names of the columns above.
///
/// # Errors
/// A line is not of such a result, or its group has no value.
pub fn groups(text: &str) -> Result<Vec<Group>, ResultFault> {
    let mut found: Vec<Group> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let fault = |reason: &str| ResultFault { line: index + 1, reason: reason.into() };
        // The statement above the query that checks values of run time has a result of its own.
        let is_of_check = found.is_empty() && (line == "NULL" || line == "_c0");
        if line.trim().is_empty() || is_of_check {
            continue;
        }
        let cells = cells(line).ok_or_else(|| fault("a quote is not closed"))?;
        let (Some(value), Some(meaning)) = (cells.first(), cells.get(1)) else {
            return Err(fault("this is not the result of a check by a field: the meaning is missing"));
        };
        // A client may name the column with its table.
        let name = |cell: &str| cell.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        if found.is_empty() && name(meaning) == "meaning" {
            if name(value) == SALT {
                return Err(fault(
                    "these rows are counted by salt: a statement loads whole days, of all salts",
                ));
            }
            continue;
        }
        let word = meaning.split_once(':').map_or("", |(word, _)| word);
        let Some(meaning) = MEANINGS.into_iter().find(|known| *known == word) else {
            return Err(fault(&format!("`{}` is not a meaning of a check", excerpt(meaning))));
        };
        if value.is_empty() || value == "NULL" || value == "\\N" {
            return Err(fault("these rows have no value of the field"));
        }
        found.push(Group { value: value.clone(), meaning, line: index + 1 });
    }
    Ok(found)
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

/// A day or month in the digits that all its forms have, and any other value as it is.
fn digits(value: &str) -> String {
    let is_like = |form: &str| {
        let alike = |(own, form): (u8, u8)| if form == b'0' { own.is_ascii_digit() } else { own == form };
        value.len() == form.len() && value.bytes().zip(form.bytes()).all(alike)
    };
    if is_like("0000-00-00") || is_like("0000-00") { value.replace('-', "") } else { value.into() }
}

impl Build {
    /// Selects, of the selected files, the plans whose `for_each` has a value that a check found. Returns warnings.
    ///
    /// # Errors
    /// A group has no plan, or its rows would be lost or doubled by loading them again.
    pub fn choose_missing(&mut self, groups: &[Group], file: &str) -> Result<Vec<Diagnostic>, Diagnostic> {
        let at = |group: &Group| format!("{file}:{}: ", group.line);
        let shown = |group: &Group| excerpt(&group.value);
        if let Some(group) = groups.iter().find(|group| group.meaning == "foreign") {
            let message = format!(
                "{}HBase has no rows of `{}`: loading them again would delete them",
                at(group),
                shown(group)
            );
            let help = "remove the line, and delete the rows yourself if they are wrong";
            return Err(Diagnostic::error(message).with_help(help));
        }
        let mut wanted: BTreeMap<String, Vec<&Group>> = BTreeMap::new();
        for group in groups {
            wanted.entry(digits(&group.value)).or_default().push(group);
        }
        let (mut found, mut variables) = (BTreeSet::new(), BTreeSet::new());
        let mut chosen = Vec::new();
        for index in &self.chosen {
            let item = &self.items[*index];
            let JobKind::Plan(plan) = &self.job(item).kind else { continue };
            if plan.select {
                continue;
            }
            let mut is_wanted = false;
            for (variable, value) in &item.values {
                let value = digits(value);
                let Some(groups) = wanted.get(&value) else { continue };
                if let Some(group) = groups.iter().find(|group| plan.into && group.meaning != "missing") {
                    let message = format!(
                        "{}the job `{}` adds rows with `into`: those of `{}` that are there would be there twice",
                        at(group),
                        item.title,
                        shown(group)
                    );
                    let help = "remove the line, or the `into` of the job";
                    return Err(Diagnostic::error(message).with_help(help));
                }
                is_wanted = true;
                found.insert(value);
                variables.insert(format!("`{variable}`"));
            }
            chosen.extend(is_wanted.then_some(*index));
        }
        let mut without = groups.iter().filter(|group| found.insert(digits(&group.value)));
        if let Some(group) = without.next() {
            let more = without.count();
            let others = match more {
                0 => String::new(),
                more => format!(", and for {} more", counted(more as u128, "group", "groups")),
            };
            let message = format!("{}no job plans a statement for `{}`{others}", at(group), shown(group));
            let help = "`for_each` of a job must have the days that the check counts, such as `for_each: { day: 20200401..20200430 }`";
            return Err(Diagnostic::error(message).with_help(help));
        }
        if variables.len() > 1 {
            let variables = Vec::from_iter(variables).join(", ");
            let message =
                format!("{file}: groups are values of several variables of `for_each`: {variables}");
            let help = "name the jobs that load what the check counted: `build --job NAME --missing FILE`";
            return Err(Diagnostic::error(message).with_help(help));
        }
        self.chosen = chosen;
        self.count_schemas();
        let more = groups.iter().filter(|group| group.meaning == "more");
        let lost = more.map(|group| {
            let message = format!(
                "{}of `{}` the target has more rows than HBase, and the statement deletes those that HBase does not have",
                at(group),
                shown(group)
            );
            Diagnostic::warning(message)
        });
        Ok(lost.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        groups(text).expect(text).into_iter().map(|group| group.value).collect()
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
        // What a check of values of run time prints above it.
        assert_eq!(values("NULL\n20200402\tfewer: the target lacks rows\t24\t20\t1\t2\n"), ["20200402"]);
        let of_beeline = "_c0\nNULL\nday\tmeaning\n20200402\tempty: x\n";
        assert_eq!(groups(of_beeline).expect(of_beeline)[0].meaning, "empty");
        assert_eq!(values("\"a,\"\"b\",fewer: x,1\n"), ["a,\"b"]);
    }

    #[test]
    fn only_days_have_several_forms() {
        let forms = ["20200402", "2020-04-02", "2020-04", "a-b", "1-1", "2020-4-2"].map(digits);
        assert_eq!(forms, ["20200402", "20200402", "202004", "a-b", "1-1", "2020-4-2"]);
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
            ("salt\tmeaning\thbase_rows\n007\tfewer: x\t1\n", 1),
            ("groups.salt,groups.meaning\n007,fewer: x,1\n", 1),
        ] {
            assert_eq!(groups(text).expect_err(text).line, line, "{text}");
        }
    }
}
