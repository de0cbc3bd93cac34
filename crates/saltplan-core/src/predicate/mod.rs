//! Predicates: from SQL text to conditions on the schema's fields.
//!
//! [`parse`](parse::parse) cuts the text into conditions, [`lower`](lower::lower) turns each into the exact set of
//! field values for which it is true, or keeps its text where it cannot.

pub mod compare;
pub mod constant;
mod function;
pub mod like;
pub mod lower;
pub mod parse;
mod term;
pub mod values;
pub mod words;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

pub use lower::{Lowered, lower};
pub use parse::{Parameters, Parsed, parse};
pub use values::ValueSet;

use crate::diag::Span;

/// A predicate in negation normal form. It says when a row is *true*; rows for which SQL would say NULL are out.
#[derive(Debug, Clone)]
pub enum Predicate {
    /// True for every row when empty.
    All(Vec<Predicate>),
    /// True for no row when empty.
    Any(Vec<Predicate>),
    Condition(Arc<Condition>),
}

impl Predicate {
    pub fn always() -> Self {
        Predicate::All(Vec::new())
    }

    pub fn never() -> Self {
        Predicate::Any(Vec::new())
    }

    pub fn condition(meaning: Meaning, text: Fragment, span: Span) -> Self {
        Predicate::Condition(Arc::new(Condition { meaning, text, span, implied: false }))
    }
}

/// One condition.
#[derive(Debug, Clone)]
pub struct Condition {
    pub meaning: Meaning,
    /// The condition in the words of the predicate.
    pub text: Fragment,
    pub span: Span,
    /// Another condition of the same conjunction says more; this one only helps to find ranges and salts.
    pub implied: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Meaning {
    /// True exactly for the rows whose field has one of these values.
    Field { field: usize, values: ValueSet },
    /// True only for rows of which the salt's input (index into [`Salt::inputs`]) is one of these.
    ///
    /// [`Salt::inputs`]: crate::schema::model::Salt::inputs
    SaltInput { input: usize, values: BTreeSet<Vec<u8>> },
    /// Not understood by the planner; the engine evaluates the text.
    Opaque {
        /// Why the planner could not use a condition on a key field; `None` for conditions on other columns.
        reason: Option<String>,
    },
}

/// SQL text with its names resolved and its string literals taken apart, so that it can be written for an engine.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fragment(pub Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    /// A key field, as spelled in the predicate.
    Field {
        index: usize,
        spelled: String,
    },
    /// A column outside the key, as spelled in the predicate.
    Column {
        index: usize,
        spelled: String,
    },
    /// The value of a string literal.
    Literal(String),
}

impl Fragment {
    pub fn text(text: impl Into<String>) -> Self {
        Fragment(vec![Piece::Text(text.into())])
    }

    /// Length of the text in bytes, escapes in literals aside.
    pub fn bytes(&self) -> usize {
        let of = |piece: &Piece| match piece {
            Piece::Text(text) => text.len(),
            Piece::Field { spelled, .. } | Piece::Column { spelled, .. } => spelled.len(),
            Piece::Literal(value) => value.len() + 2,
        };
        self.0.iter().map(of).sum()
    }

    #[must_use]
    pub fn negated(&self) -> Self {
        self.wrapped("NOT (", ")")
    }

    #[must_use]
    pub fn wrapped(&self, before: &str, after: &str) -> Self {
        let mut pieces = vec![Piece::Text(before.into())];
        pieces.extend(self.0.iter().cloned());
        pieces.push(Piece::Text(after.into()));
        Fragment(pieces)
    }

    /// Joins fragments with a connective; each is put in brackets when there are several.
    pub fn joined<'a>(parts: impl IntoIterator<Item = &'a Fragment>, connective: &str) -> Self {
        let parts: Vec<&Fragment> = parts.into_iter().collect();
        if let [only] = parts.as_slice() {
            return (*only).clone();
        }
        let mut pieces = Vec::new();
        for (i, part) in parts.into_iter().enumerate() {
            pieces.push(Piece::Text(if i == 0 { "(".into() } else { format!(" {connective} (") }));
            pieces.extend(part.0.iter().cloned());
            pieces.push(Piece::Text(")".into()));
        }
        Fragment(pieces)
    }
}

impl fmt::Display for Fragment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => f.write_str(text)?,
                Piece::Field { spelled, .. } | Piece::Column { spelled, .. } => f.write_str(spelled)?,
                Piece::Literal(value) => write!(f, "'{}'", value.replace('\\', "\\\\").replace('\'', "\\'"))?,
            }
        }
        Ok(())
    }
}
