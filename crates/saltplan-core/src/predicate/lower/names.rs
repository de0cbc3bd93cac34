//! Names of a predicate: looked up in the schema, and kept apart in its text.

use sqlparser::ast::Expr;

use super::{Lowering, like_pattern};
use crate::diag::{Diagnostic, Span};
use crate::predicate::parse::{Leaf, Lexeme, Tree};
use crate::predicate::{Fragment, Piece};

impl Lowering<'_> {
    pub(super) fn check_names(&mut self, names: &[(String, Span)]) {
        for (name, span) in names {
            if self.schema.field(name).is_some() || self.schema.column(name).is_some() {
                continue;
            }
            let fields = self.schema.key.fields.iter().map(|field| field.name.as_str());
            let columns = self.schema.columns.iter().map(|column| column.name.as_str());
            let error = Diagnostic::error(format!("unknown column `{name}`"))
                .at(&self.parsed.source, *span, "not a key field and not a column of the schema")
                .with_suggestion(name, fields.chain(columns));
            self.errors.push(if error.help.is_some() {
                error
            } else {
                let fields: Vec<_> = self.schema.key.fields.iter().map(|f| format!("`{}`", f.name)).collect();
                error.with_help(format!("the key fields are {}", fields.join(", ")))
            });
        }
    }

    pub(super) fn all_names(&self, tree: &Tree) -> Vec<(String, Span)> {
        match tree {
            Tree::And(arms) | Tree::Or(arms) => arms.iter().flat_map(|arm| self.all_names(arm)).collect(),
            Tree::Not(inner) => self.all_names(inner),
            Tree::Leaf(leaf) => self.parsed.names(&leaf.expr),
        }
    }

    pub(super) fn fragment(&self, span: Span, names: &[(String, Span)]) -> Fragment {
        let pieces = self.parsed.lexemes(span, names).into_iter().map(|lexeme| match lexeme {
            Lexeme::Other(text) => Piece::Text(text.to_string()),
            Lexeme::Literal(value) => Piece::Literal(value),
            Lexeme::Name(spelled, _) => {
                let (name, spelled) = (spelled.trim_matches('`'), spelled.to_string());
                match (self.schema.field(name), self.schema.column(name)) {
                    (Some(index), _) => Piece::Field { index, spelled },
                    (None, Some(index)) => Piece::Column { index, spelled },
                    (None, None) => Piece::Text(spelled),
                }
            }
        });
        Fragment(pieces.collect())
    }

    /// The text of a condition; `ESCAPE`, which Hive has not, becomes a pattern with backslashes.
    pub(super) fn leaf_text(&self, leaf: &Leaf, names: &[(String, Span)]) -> Fragment {
        let mut text = self.fragment(leaf.span, names);
        if let Expr::Like { pattern, escape_char: Some(escape), .. } = &leaf.expr
            && let Some(pattern) = like_pattern(pattern, Some(escape))
            && let [.., Piece::Literal(_), Piece::Text(_), Piece::Literal(_)] = text.0.as_slice()
        {
            text.0.truncate(text.0.len() - 3);
            text.0.push(Piece::Literal(pattern.hive));
        }
        text
    }
}
