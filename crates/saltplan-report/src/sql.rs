//! Compresses statements: lines that are repeated for each range become a template with lists of the parts
//! that differ.
//!
//! A packed statement is a list of texts and of blocks `{ "n": times, "t": [text, list, text, …] }`.

use serde_json::{Value as Json, json};

use super::pack::Lists;

/// The maximum number of lines per range in a statement.
const MAX_PERIOD: usize = 48;

/// Fewer repetitions are not packed.
const LEAST_TIMES: usize = 4;

/// Packs a statement.
pub fn pack(sql: &str, lists: &mut Lists) -> Json {
    let lines: Vec<&str> = sql.split_inclusive('\n').collect();
    let shapes: Vec<Vec<Piece<'_>>> = lines.iter().map(|line| pieces(line)).collect();
    let mut parts: Vec<Json> = Vec::new();
    let mut plain = String::new();
    let mut at = 0;
    while at < lines.len() {
        let Some((period, times)) = repetition(&shapes[at..]) else {
            plain.push_str(lines[at]);
            at += 1;
            continue;
        };
        if !plain.is_empty() {
            parts.push(std::mem::take(&mut plain).into());
        }
        parts.push(block(&shapes[at..at + period * times], period, times, lists));
        at += period * times;
    }
    if !plain.is_empty() {
        parts.push(plain.into());
    }
    parts.into()
}

/// A part of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece<'a> {
    Same(&'a str),
    /// A literal or a number, which differs between ranges.
    Value(&'a str),
}

impl<'a> Piece<'a> {
    fn text(self) -> &'a str {
        match self {
            Piece::Same(text) | Piece::Value(text) => text,
        }
    }

    fn is_like(&self, other: &Piece<'_>) -> bool {
        match (self, other) {
            (Piece::Same(one), Piece::Same(other)) => one == other,
            (Piece::Value(_), Piece::Value(_)) => true,
            _ => false,
        }
    }
}

/// Splits a line at its quoted literals and numbers.
fn pieces(line: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut same, mut at) = (0, 0);
    let bytes = line.as_bytes();
    while at < bytes.len() {
        let end = match bytes[at] {
            b'\'' => quoted_end(bytes, at),
            b'0'..=b'9' => at + bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count(),
            _ => {
                at += 1;
                continue;
            }
        };
        if same < at {
            pieces.push(Piece::Same(&line[same..at]));
        }
        pieces.push(Piece::Value(&line[at..end]));
        (same, at) = (end, end);
    }
    if same < line.len() {
        pieces.push(Piece::Same(&line[same..]));
    }
    pieces
}

fn quoted_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'\'' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn is_like(one: &[Piece<'_>], other: &[Piece<'_>]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.is_like(other))
}

/// How many lines, from the first one on, are repeated, and how often.
fn repetition(lines: &[Vec<Piece<'_>>]) -> Option<(usize, usize)> {
    (1..=MAX_PERIOD.min(lines.len() / LEAST_TIMES)).find_map(|period| {
        let alike = lines.iter().zip(&lines[period..]).take_while(|(one, other)| is_like(one, other)).count();
        let times = 1 + alike / period;
        (times >= LEAST_TIMES).then_some((period, times))
    })
}

fn block(lines: &[Vec<Piece<'_>>], period: usize, times: usize, lists: &mut Lists) -> Json {
    let mut template: Vec<Json> = Vec::new();
    let mut text = String::new();
    for (row, first) in lines.iter().take(period).enumerate() {
        for (column, _) in first.iter().enumerate() {
            let values: Vec<&str> =
                (0..times).map(|time| lines[time * period + row][column].text()).collect();
            if values.iter().all(|value| *value == values[0]) {
                text.push_str(values[0]);
            } else {
                // Texts are at even positions, lists at odd ones.
                template.push(std::mem::take(&mut text).into());
                template.push(lists.pack(&values));
            }
        }
    }
    template.push(text.into());
    json!({ "n": times, "t": template })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::tests::unpacked;
    use proptest::prelude::*;

    /// As in the script.
    fn unpack(packed: &Json, lists: &Json) -> String {
        let mut sql = String::new();
        for part in packed.as_array().expect("parts") {
            let Some(times) = part["n"].as_u64() else {
                sql.push_str(part.as_str().expect("a text"));
                continue;
            };
            let template = part["t"].as_array().expect("a template");
            let columns: Vec<Vec<String>> =
                template.iter().skip(1).step_by(2).map(|list| unpacked(list, lists)).collect();
            for time in 0..times as usize {
                for (index, text) in template.iter().step_by(2).enumerate() {
                    sql.push_str(text.as_str().expect("a text"));
                    sql.push_str(columns.get(index).map_or("", |column| &column[time]));
                }
            }
        }
        sql
    }

    #[test]
    fn repeated_lines_are_stored_once() {
        let lines = (0..256).map(|salt| {
            format!(
                "  SELECT a\n  WHERE k >= '{salt:02x}|20200406' AND k < '{salt:02x}|20200407'\n  UNION ALL\n"
            )
        });
        let sql = format!("INSERT x\n{}) b;\n", lines.collect::<String>());
        let mut lists = Lists::default();
        let packed = pack(&sql, &mut lists);
        let lists = lists.json();
        assert_eq!(unpack(&packed, &lists), sql);
        assert!(packed.to_string().len() + lists.to_string().len() < 1_200);
    }

    proptest! {
        #[test]
        fn packed_statements_can_be_unpacked(lines in prop::collection::vec("[ab'\\\\1 é]{0,6}", 0..40), period in 1usize..4) {
            let sql: String = lines.chunks(period).map(|chunk| format!("x {}\n", chunk.join("\n"))).collect();
            let mut lists = Lists::default();
            let packed = pack(&sql, &mut lists);
            prop_assert_eq!(unpack(&packed, &lists.json()), sql);
        }
    }
}
