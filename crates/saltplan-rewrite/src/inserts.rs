//! The INSERTs of a statement, and what they replace.

use std::ops::Range;

use saltplan_core::hive::query::{PartitionText, partition_name};

use crate::tokens::{Kind, Tokens};

/// An INSERT.
#[derive(Debug)]
pub struct Insert {
    /// From the INSERT to the end of what it names.
    pub tokens: Range<usize>,
    pub to: Destination,
    /// Whether it replaces what is there: INSERT OVERWRITE without IF NOT EXISTS.
    pub overwrites: bool,
    /// The tokens of its rows' query; of a leading FROM, only its own part.
    pub rows: Range<usize>,
    /// The index of its part after a leading FROM.
    pub arm: Option<usize>,
}

#[derive(Debug)]
pub enum Destination {
    /// `is_local` if it is on the machine of the client or the server.
    Directory { is_local: bool },
    Table {
        /// The parts of the name in lower case; empty if a variable is in it.
        name: Vec<String>,
        /// The columns of PARTITION in lower case, with their values; one that is found from the rows is unknown.
        partition: Vec<(String, PartitionText)>,
    },
}

impl Insert {
    /// The INSERTs of a statement.
    pub fn of(t: &Tokens<'_>, statement: &Range<usize>) -> Vec<Insert> {
        if t.is_word(statement.start, "explain") {
            return Vec::new();
        }
        let starts: Vec<usize> = t.outside(statement.clone()).filter(|at| t.is_word(*at, "insert")).collect();
        let from_first = starts.first().is_some_and(|first| {
            let mut before = t.outside(statement.start..*first);
            before.any(|at| t.is_word(at, "from"))
        });
        let mut inserts = Vec::new();
        for (index, start) in starts.iter().enumerate() {
            let end = match from_first {
                true => starts.get(index + 1).copied().unwrap_or(statement.end),
                false => statement.end,
            };
            let (to, behind) = destination(t, start + 2);
            let is_spared = t.is_word(behind, "if") && t.is_word(behind + 1, "not");
            inserts.push(Insert {
                tokens: *start..behind,
                to,
                overwrites: t.is_word(start + 1, "overwrite") && !is_spared,
                rows: *start..end,
                arm: from_first.then_some(index),
            });
        }
        inserts
    }

    pub fn is_local(&self) -> bool {
        matches!(self.to, Destination::Directory { is_local: true })
    }

    /// Whether some of its partitions are found from its rows: Hive then replaces only those with a row.
    pub fn is_dynamic(&self) -> bool {
        match &self.to {
            Destination::Directory { .. } => false,
            Destination::Table { partition, .. } => {
                partition.iter().any(|(_, given)| *given == PartitionText::Unknown)
            }
        }
    }
}

/// What the tokens after INSERT OVERWRITE or INSERT INTO name, and the token behind.
fn destination(t: &Tokens<'_>, start: usize) -> (Destination, usize) {
    let mut at = start;
    if t.is_word(at, "local") || t.is_word(at, "directory") {
        let behind = if t.is_word(at, "local") { at + 3 } else { at + 2 };
        return (Destination::Directory { is_local: t.is_word(at, "local") }, behind);
    }
    if t.is_word(at, "table") {
        at += 1;
    }
    let (mut name, mut is_known) = (Vec::new(), true);
    loop {
        match t.kind(at) {
            Some(Kind::Word | Kind::Quoted) => name.push(t.name(at)),
            _ => is_known = false,
        }
        at += 1;
        // A variable is a part of the name that it touches.
        while t.kind(at) == Some(Kind::Variable)
            || t.kind(at - 1) == Some(Kind::Variable) && t.touch(at - 1) && t.is_name(at)
        {
            is_known = false;
            at += 1;
        }
        if !t.is_sign(at, ".") {
            break;
        }
        at += 1;
    }
    if !is_known {
        name.clear();
    }
    let mut partition = Vec::new();
    if t.is_word(at, "partition")
        && let Some(inside) = t.inside(at + 1)
    {
        at = inside.end + 1;
        partition = partition_columns(t, inside);
    }
    (Destination::Table { name, partition }, at)
}

fn partition_columns(t: &Tokens<'_>, inside: Range<usize>) -> Vec<(String, PartitionText)> {
    let mut columns = Vec::new();
    let mut start = inside.start;
    while start < inside.end {
        let end = t.until(start..inside.end, |at| t.is_sign(at, ","));
        if t.is_name(start) {
            let is_given = t.is_sign(start + 1, "=") || t.is_sign(start + 1, "==");
            let given = match is_given {
                true => value(t, start + 2..end),
                false => PartitionText::Unknown,
            };
            columns.push((t.name(start), given));
        }
        start = end + 1;
    }
    columns
}

/// The value of a partition: a literal as in the name of the partition, or a text that is filled in later.
fn value(t: &Tokens<'_>, tokens: Range<usize>) -> PartitionText {
    let place = t.place(&tokens);
    let later = || PartitionText::Later(t.text[place.start..place.end].to_string());
    let raw = t.raw(tokens.start);
    match t.kind(tokens.start) {
        _ if tokens.len() != 1 => later(),
        Some(Kind::Number) => PartitionText::Known(raw.to_string()),
        Some(Kind::Text) => {
            let text = &raw[1..raw.len() - 1];
            let is_filled = ["{{", "${", "$["].iter().any(|sign| text.contains(sign));
            match is_filled || text.contains('\\') {
                true => later(),
                false => PartitionText::Known(partition_name(text)),
            }
        }
        _ => later(),
    }
}
