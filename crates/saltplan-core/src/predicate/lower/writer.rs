//! Conditions as text in which names, literals and readings of clocks are kept apart.

use std::ops::Range;

use super::boolean::{Enclosed, enclosed};
use super::instant::{Readings, readings};
use super::likes::Likes;
use super::meaning::{FieldReadings, field_readings};
use crate::hiveql::{Lexeme, Parsed, Replacement, Rewrite};
use crate::predicate::{SqlPiece, SqlText};
use crate::schema::model::Schema;

/// Writes conditions from their tokens.
pub(super) struct ConditionWriter<'a> {
    schema: &'a Schema,
    parsed: &'a Parsed,
    likes: Likes,
    readings: Readings,
    fields: FieldReadings,
    enclosed: Enclosed,
}

impl<'a> ConditionWriter<'a> {
    pub(super) fn new(schema: &'a Schema, parsed: &'a Parsed, likes: Likes) -> Self {
        let (readings, mut enclosed) = (readings(schema, parsed), enclosed(schema, &parsed.tree));
        for (start, last) in &likes.cast {
            enclosed.opened.insert(*start, "cast(");
            enclosed.closed.insert(*last, " AS string)".into());
        }
        let fields = field_readings(schema, &parsed.tree);
        ConditionWriter { schema, parsed, likes, readings, fields, enclosed }
    }

    /// The tokens as Hive can read them, without comments and line ends.
    pub(super) fn text(&self, tokens: &Range<usize>) -> SqlText {
        self.written(tokens.clone(), Clocks::Read)
    }

    /// The same as the predicate spells it.
    fn spelled(&self, tokens: Range<usize>) -> String {
        self.written(tokens, Clocks::AsSpelled).to_string()
    }

    fn written(&self, tokens: Range<usize>, clocks: Clocks) -> SqlText {
        let mut pieces = SqlTextBuilder::default();
        let mut at = tokens.start;
        let mut is_behind_nothing = true;
        while at < tokens.end {
            if !is_behind_nothing && self.parsed.is_apart(at) {
                pieces.text(" ");
            }
            is_behind_nothing =
                matches!(self.parsed.rewrite(at), Some(Rewrite { by: Replacement::Text(""), .. }));
            pieces.text(self.enclosed.opened.get(&at).copied().unwrap_or_default());
            pieces.text(self.parsed.brackets(at).0);
            if let Some((piece, end)) = self.clock(at, tokens.end, clocks) {
                pieces.0.push(piece);
                at = end;
                pieces.text(self.parsed.brackets(at - 1).1);
                pieces.text(self.enclosed.closed.get(&(at - 1)).map_or("", String::as_str));
                continue;
            }
            match self.parsed.rewrite(at) {
                Some(Rewrite { tokens, by: Replacement::Text(text) }) => {
                    pieces.text(text);
                    at = tokens.end;
                }
                Some(Rewrite { tokens, by: Replacement::Like { .. } })
                    if self.likes.written.contains_key(&at) =>
                {
                    pieces.0.extend(self.likes.written[&at].iter().cloned());
                    at = tokens.end;
                }
                _ => {
                    self.write(at, &mut pieces);
                    at += 1;
                }
            }
            pieces.text(self.parsed.brackets(at - 1).1);
            if let Some(text) = self.enclosed.closed.get(&(at - 1)) {
                pieces.text(text);
                // `(…)OR` may stand together, and a word may not.
                let is_word = |text: &str| text.starts_with(char::is_alphabetic);
                if at < tokens.end
                    && !self.parsed.is_apart(at)
                    && matches!(self.parsed.lexeme(at), Lexeme::Other(text) if is_word(text))
                {
                    pieces.text(" ");
                }
            }
        }
        SqlText(pieces.0)
    }

    /// What stands for the tokens from this one on, and where they end.
    fn clock(&self, token: usize, end: usize, clocks: Clocks) -> Option<(SqlPiece, usize)> {
        if clocks == Clocks::AsSpelled {
            return None;
        }
        let (stop, reading) = self.readings.get(&token).filter(|(stop, _)| *stop <= end)?;
        let spelled = self.spelled(token..*stop);
        let piece = match reading {
            Ok(reading) => SqlPiece::Clock { reading: reading.clone(), spelled },
            Err(why) => SqlPiece::Unclear { why: why.clone(), spelled },
        };
        Some((piece, *stop))
    }

    fn write(&self, token: usize, pieces: &mut SqlTextBuilder) {
        match self.parsed.lexeme(token) {
            Lexeme::Choice(word) => pieces.0.push(SqlPiece::Choice(word.to_string())),
            Lexeme::Other(text) => pieces.text(text),
            Lexeme::Quoted(name) => pieces.text(&format!("`{name}`")),
            Lexeme::Literal(value) => pieces.0.push(SqlPiece::Literal(value.to_string())),
            Lexeme::Name { name, spelled, .. } => {
                let spelled = spelled.to_string();
                match (self.schema.field(name), self.schema.column(name)) {
                    (Some(id), _) => {
                        let reading = self.fields.get(&token).copied().unwrap_or_default();
                        pieces.0.push(SqlPiece::Field { id, reading, spelled });
                    }
                    (None, Some(id)) => pieces.0.push(SqlPiece::Column { id, spelled }),
                    (None, None) if self.schema.is_key_column(name) => {
                        pieces.0.push(SqlPiece::Key { spelled });
                    }
                    (None, None) => pieces.text(&spelled),
                }
            }
        }
    }
}

/// What is written of functions that read a clock.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Clocks {
    /// What the clock of the schema's zone shows.
    Read,
    AsSpelled,
}

/// Pieces with text joined.
#[derive(Default)]
struct SqlTextBuilder(Vec<SqlPiece>);

impl SqlTextBuilder {
    fn text(&mut self, more: &str) {
        if more.is_empty() {
            return;
        }
        match self.0.last_mut() {
            Some(SqlPiece::Text(text)) => text.push_str(more),
            _ => self.0.push(SqlPiece::Text(more.to_string())),
        }
    }
}
