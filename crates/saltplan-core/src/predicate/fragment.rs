//! Conditions as text: pieces that each engine writes in its own way.

use std::collections::BTreeSet;
use std::fmt;

use super::reading::{ClockReading, Unclear};
use crate::hiveql::literal;
use crate::key::field::FieldId;
use crate::schema::model::ColumnId;

/// SQL text with its names resolved and its string literals taken apart, so that it can be written for an engine.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SqlText(pub Vec<SqlPiece>);

/// As what Hive gets a key field at one place of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FieldReading {
    /// The value in the field's Hive type.
    #[default]
    Value,
    /// The text that the key stores.
    Stored,
    /// The DATE or the TIMESTAMP of a calendar field.
    Date,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SqlPiece {
    Text(String),
    /// `CASE` or `if`, which choose between values.
    Choice(String),
    /// A key field, as spelled in the predicate.
    Field {
        id: FieldId,
        reading: FieldReading,
        spelled: String,
    },
    /// A column outside the key, as spelled in the predicate.
    Column {
        id: ColumnId,
        spelled: String,
    },
    /// The row key, as spelled in the predicate.
    Key {
        spelled: String,
    },
    /// The value of a string literal.
    Literal(String),
    /// What the clock shows, as spelled in the predicate.
    Clock {
        reading: ClockReading,
        spelled: String,
    },
    /// What means something else in every zone, and why it cannot be written otherwise.
    Unclear {
        why: Unclear,
        spelled: String,
    },
    /// A condition in which rows of values are compared, other than as the planner takes them apart.
    Rows {
        spelled: String,
    },
}

impl SqlText {
    /// The columns in it, where it is about columns alone.
    pub fn columns(&self) -> Option<BTreeSet<ColumnId>> {
        let mut columns = BTreeSet::new();
        for piece in &self.0 {
            match piece {
                SqlPiece::Column { id, .. } => drop(columns.insert(*id)),
                SqlPiece::Text(_) | SqlPiece::Choice(_) | SqlPiece::Literal(_) => {}
                _ => return None,
            }
        }
        (!columns.is_empty()).then_some(columns)
    }

    pub fn text(text: impl Into<String>) -> Self {
        SqlText(vec![SqlPiece::Text(text.into())])
    }

    /// Length of the text in bytes, escapes in literals aside.
    pub fn bytes(&self) -> usize {
        let of = |piece: &SqlPiece| match piece {
            SqlPiece::Text(text) | SqlPiece::Choice(text) => text.len(),
            SqlPiece::Field { spelled, .. }
            | SqlPiece::Column { spelled, .. }
            | SqlPiece::Key { spelled }
            | SqlPiece::Clock { spelled, .. }
            | SqlPiece::Rows { spelled }
            | SqlPiece::Unclear { spelled, .. } => spelled.len(),
            SqlPiece::Literal(value) => value.len() + 2,
        };
        self.0.iter().map(of).sum()
    }

    #[must_use]
    pub fn negated(&self) -> Self {
        self.wrapped("NOT (", ")")
    }

    #[must_use]
    pub fn wrapped(&self, before: &str, after: &str) -> Self {
        let mut pieces = vec![SqlPiece::Text(before.into())];
        pieces.extend(self.0.iter().cloned());
        pieces.push(SqlPiece::Text(after.into()));
        SqlText(pieces)
    }

    /// Joins fragments with a connective; each is put in brackets when there are several.
    pub fn joined<'a>(parts: impl IntoIterator<Item = &'a SqlText>, connective: &str) -> Self {
        let parts: Vec<&SqlText> = parts.into_iter().collect();
        if let [only] = parts.as_slice() {
            return (*only).clone();
        }
        let mut pieces = Vec::new();
        for (i, part) in parts.into_iter().enumerate() {
            pieces.push(SqlPiece::Text(if i == 0 { "(".into() } else { format!(" {connective} (") }));
            pieces.extend(part.0.iter().cloned());
            pieces.push(SqlPiece::Text(")".into()));
        }
        SqlText(pieces)
    }
}

impl fmt::Display for SqlText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in &self.0 {
            match piece {
                SqlPiece::Text(text) | SqlPiece::Choice(text) => f.write_str(text)?,
                SqlPiece::Field { spelled, .. }
                | SqlPiece::Column { spelled, .. }
                | SqlPiece::Key { spelled }
                | SqlPiece::Clock { spelled, .. }
                | SqlPiece::Rows { spelled }
                | SqlPiece::Unclear { spelled, .. } => f.write_str(spelled)?,
                SqlPiece::Literal(value) => f.write_str(&literal(value))?,
            }
        }
        Ok(())
    }
}
