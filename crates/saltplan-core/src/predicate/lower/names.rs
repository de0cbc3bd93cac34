//! Names of a predicate: looked up in the schema, and kept apart in its text.

use std::ops::Range;

use super::Lowering;
use crate::diag::{Diagnostic, Span};
use crate::predicate::parse::{Lexeme, Replacement, Rewrite};
use crate::predicate::{SqlPiece, SqlText};

impl Lowering<'_> {
    /// Whether every name among the tokens is a key field or a column.
    pub(super) fn check_names(&mut self, tokens: &Range<usize>) -> bool {
        let parsed = self.parsed;
        let unknown: Vec<Diagnostic> = parsed
            .names(tokens)
            .filter(|(name, _)| self.schema.field(name).is_none() && self.schema.column(name).is_none())
            .map(|(name, span)| self.unknown_column(name, span))
            .collect();
        let is_known = unknown.is_empty();
        self.errors.extend(unknown);
        is_known
    }

    fn unknown_column(&self, name: &str, span: Span) -> Diagnostic {
        let fields = self.schema.key.fields.iter().map(|field| field.name.as_str());
        let columns = self.schema.columns.iter().map(|column| column.name.as_str());
        let error = Diagnostic::error(format!("unknown column `{name}`"))
            .at(&self.parsed.source, span, "not a key field and not a column of the schema")
            .with_suggestion(name, fields.chain(columns));
        if error.help.is_some() {
            return error;
        }
        let fields: Vec<_> = self.schema.key.fields.iter().map(|f| format!("`{}`", f.name)).collect();
        error.with_help(format!("the key fields are {}", fields.join(", ")))
    }

    /// The tokens as Hive can read them, without comments and line ends.
    pub(super) fn fragment(&self, tokens: Range<usize>) -> SqlText {
        self.written(tokens, true)
    }

    /// The same as the predicate spells it.
    pub(super) fn spelled(&self, tokens: Range<usize>) -> String {
        self.written(tokens, false).to_string()
    }

    fn written(&self, tokens: Range<usize>, with_clocks: bool) -> SqlText {
        let mut pieces = SqlTextBuilder::default();
        let mut at = tokens.start;
        while at < tokens.end {
            if at > tokens.start && self.parsed.is_apart(at) {
                pieces.text(" ");
            }
            pieces.text(self.opened.get(&at).copied().unwrap_or_default());
            pieces.text(self.parsed.brackets(at).0);
            if let Some((piece, end)) = with_clocks.then(|| self.clock(at, tokens.end)).flatten() {
                pieces.0.push(piece);
                at = end;
                pieces.text(self.parsed.brackets(at - 1).1);
                continue;
            }
            match self.parsed.rewrite(at) {
                Some(Rewrite { tokens, by: Replacement::Text(text) }) => {
                    pieces.text(text);
                    at = tokens.end;
                }
                Some(Rewrite { tokens, by: Replacement::Like { .. } }) if self.likes.contains_key(&at) => {
                    pieces.0.extend(self.likes[&at].iter().cloned());
                    at = tokens.end;
                }
                _ => {
                    self.write(at, &mut pieces);
                    at += 1;
                }
            }
            pieces.text(self.parsed.brackets(at - 1).1);
            if let Some(text) = self.closed.get(&(at - 1)) {
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

    fn write(&self, token: usize, pieces: &mut SqlTextBuilder) {
        match self.parsed.lexeme(token) {
            Lexeme::Choice(word) => pieces.0.push(SqlPiece::Choice(word.to_string())),
            Lexeme::Other(text) => pieces.text(text),
            Lexeme::Quoted(name) => pieces.text(&format!("`{name}`")),
            Lexeme::Literal(value) => pieces.0.push(SqlPiece::Literal(value.to_string())),
            Lexeme::Name { name, spelled, .. } => {
                let spelled = spelled.to_string();
                match (self.schema.field(name), self.schema.column(name)) {
                    (Some(index), _) => pieces.0.push(SqlPiece::Field { index, spelled }),
                    (None, Some(index)) => pieces.0.push(SqlPiece::Column { index, spelled }),
                    (None, None) => pieces.text(&spelled),
                }
            }
        }
    }
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
