//! Text for the HBase shell, which is Ruby.

use crate::hbase::fuzzy::{FuzzyScan, shell_filter};
use crate::key::range::KeyRange;
use crate::plan::Plan;
use crate::refusal::Refusal;
use crate::render::CommentLine;
use crate::render::size::Room;
use saltplan_document::diag::{grouped, visible};
use saltplan_sql::ast::Expr;

/// Bytes as a single-quoted string of the shell. The shell's commands turn `\xNN` into a byte, single quotes keep
/// Ruby from doing so itself; quotes and backslashes are written as bytes.
pub fn bytes_literal(bytes: &[u8]) -> String {
    let mut quoted = String::with_capacity(bytes.len() + 2);
    quoted.push('\'');
    for &byte in bytes {
        if (b' '..=b'~').contains(&byte) && byte != b'\'' && byte != b'\\' {
            quoted.push(char::from(byte));
        } else {
            quoted.push_str(&format!("\\x{byte:02X}"));
        }
    }
    quoted.push('\'');
    quoted
}

/// The member of the shell's `create` that splits the table.
pub fn split_list(keys: &[Vec<u8>]) -> String {
    let keys: Vec<String> = keys.iter().map(|key| bytes_literal(key)).collect();
    format!("SPLITS => [{}]", keys.join(", "))
}

/// A name or a value as a Ruby string: in single quotes, or with escapes if it has invisible characters.
pub fn string_literal(text: &str) -> String {
    if !text.chars().any(visible::is_sign) {
        return format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"));
    }
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' | '#' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{1B}' => quoted.push_str("\\e"),
            c if visible::is_sign(c) => quoted.push_str(&format!("\\u{{{:X}}}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Bytes as a double-quoted Ruby string, for commands that take a string's bytes as they are (`scan`, `get`).
pub fn ruby_bytes(bytes: &[u8]) -> String {
    let mut quoted = String::with_capacity(bytes.len() + 2);
    quoted.push('"');
    for &byte in bytes {
        if (b' '..=b'~').contains(&byte) && !b"\"\\#".contains(&byte) {
            quoted.push(char::from(byte));
        } else {
            quoted.push_str(&format!("\\x{byte:02X}"));
        }
    }
    quoted.push('"');
    quoted
}

/// The gets and scans of a plan, one command a line, below a comment with the conditions that the ranges do not check.
/// `filter` is a Ruby expression that scans use to skip rows. `one_scan` is a single scan in place of many ranges; it
/// has their number.
///
/// # Errors
/// They are more than `max_bytes`.
pub fn commands(
    table: &str,
    plan: &Plan,
    filter: Option<&str>,
    one_scan: Option<&FuzzyScan>,
    max_bytes: usize,
) -> Result<String, Refusal> {
    let mut text = String::new();
    let is_alone = plan.branches.len() == 1;
    if let Some(scan) = one_scan.filter(|_| is_alone) {
        let ranges = grouped(scan.ranges);
        text.push_str(&format!(
            "# the FuzzyRowFilter stands for {ranges} ranges: HBase seeks from one to the next\n"
        ));
    }
    let mut room = Room::new(max_bytes);
    let mut last_residual: Option<&Expr> = None;
    for (index, branch) in plan.branches.iter().enumerate() {
        let before = text.len();
        let residual = plan.residual_of(branch).map(|residual| &residual.expr);
        let is_same = match (residual, last_residual) {
            (Some(one), Some(other)) => std::ptr::eq(one, other) || one == other,
            (one, other) => one.is_none() && other.is_none(),
        };
        if !is_same {
            match residual.map(ToString::to_string) {
                Some(residual) => {
                    let lines = residual.lines().map(CommentLine::new);
                    text.extend(lines.map(|line| format!("# residual: {line}\n")));
                }
                None => text.push_str("# no residual\n"),
            }
            last_residual = residual;
        }
        text.push_str(&command(table, &branch.range, filter.filter(|_| branch.residual.is_some())));
        text.push('\n');
        let bytes = text.len() - before;
        room.take(bytes, before + bytes.saturating_mul(plan.branches.len() - index))?;
    }
    if let Some(scan) = one_scan.filter(|_| !is_alone) {
        let before = text.len();
        text.push_str(&format!(
            "# or one scan, with a FuzzyRowFilter that stands for {} ranges; check its rows against the predicate:\n# {}\n",
            grouped(scan.ranges),
            command(table, &scan.range, Some(&shell_filter(&scan.patterns)))
        ));
        room.take(text.len() - before, text.len())?;
    }
    Ok(text)
}

fn command(table: &str, range: &KeyRange, filter: Option<&str>) -> String {
    let table = string_literal(table);
    if range.is_point() {
        return format!("get {table}, {}", ruby_bytes(&range.start));
    }
    let mut settings = Vec::new();
    if !range.start.is_empty() {
        settings.push(format!("STARTROW => {}", ruby_bytes(&range.start)));
    }
    if let Some(stop) = &range.stop {
        settings.push(format!("STOPROW => {}", ruby_bytes(stop)));
    }
    settings.extend(filter.map(|filter| format!("FILTER => {filter}")));
    if settings.is_empty() {
        format!("scan {table}")
    } else {
        format!("scan {table}, {{{}}}", settings.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        assert_eq!(bytes_literal(b"001"), "'001'");
        assert_eq!(bytes_literal(b"a'b\\\xff\n"), r"'a\x27b\x5C\xFF\x0A'");
        assert_eq!(ruby_bytes(b"a\"#{b}\\\x00"), r#""a\x22\x23{b}\x5C\x00""#);
        assert_eq!(string_literal("it's \\"), r"'it\'s \\'");
        assert_eq!(string_literal("a\n\u{1B}\"#{b}\\\u{85}"), r#""a\n\e\"\#{b}\\\u{85}""#);
    }
}
