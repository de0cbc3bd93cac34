//! Values that only the expressions of scripts have: placeholders, EXISTS and windows.

use super::super::ast::{Expr, Over, ScriptExpr, Window};
use super::super::grammar::{Operand, Parser};
use saltplan_document::diag::Diagnostic;

type Parse<T> = Result<T, Diagnostic>;

impl Parser<'_> {
    /// The name of a text that is filled in when the script runs.
    pub(in super::super) fn runtime_name(&self, text: &str) -> Option<String> {
        self.script?.runtime.get(text).cloned()
    }

    /// `?` or `:name`.
    pub(in super::super) fn placeholder(&mut self) -> Parse<Operand> {
        let start = self.at;
        let is_named = self.at_sign(":");
        self.at += 1;
        if is_named {
            self.expect_name()?;
        }
        let place = self.span(&(start..self.at));
        let text = self.source.text[place.start..place.end].to_string();
        Ok(self.operand(start, Expr::Script(ScriptExpr::Placeholder(text)), 0))
    }

    pub(in super::super) fn exists(&mut self) -> Parse<Operand> {
        let start = self.at;
        self.at += 1;
        match self.take_query() {
            Some(query) => Ok(self.operand(start, Expr::Script(ScriptExpr::Exists(query)), 0)),
            None => Err(self.expected("`(SELECT …)`")),
        }
    }

    /// A call with the window that follows it in a script, if one does.
    pub(in super::super) fn windowed(&mut self, call: Operand, start: usize) -> Parse<Operand> {
        if self.script.is_none() || !self.take_word("OVER") {
            return Ok(call);
        }
        let deep = call.deep;
        let mut over = Over::default();
        let deep = match self.take_sign("(") {
            true => deep.max(self.inside(|parser| parser.window_in_brackets(&mut over))?),
            false => {
                over.name = Some(self.expect_name()?.to_lowercase());
                deep
            }
        };
        let window = Window { function: *call.node, over };
        self.checked(self.operand(start, Expr::Script(ScriptExpr::Window(Box::new(window))), deep))
    }

    /// What follows the opening bracket of a window. Returns the greatest depth.
    pub(super) fn window_in_brackets(&mut self, over: &mut Over) -> Parse<usize> {
        let mut deep = 0;
        let starts_clause = |own: &Self| {
            ["PARTITION", "ORDER", "DISTRIBUTE", "SORT", "CLUSTER", "ROWS", "RANGE"]
                .iter()
                .any(|word| own.at_word(word))
        };
        if !starts_clause(self) && !self.at_sign(")") {
            over.name = Some(self.expect_name()?.to_lowercase());
        }
        while self.word_at(1, "BY") {
            let is_order = self.at_word("ORDER") || self.at_word("SORT");
            self.at += 2;
            loop {
                let part = self.expr()?;
                deep = deep.max(part.deep);
                match is_order {
                    true => over.order_by.push(*part.node),
                    false => over.partition_by.push(*part.node),
                }
                self.skip_direction();
                if !self.take_sign(",") {
                    break;
                }
            }
        }
        // A frame changes which rows the function sees, not which there are.
        if self.at_word("ROWS") || self.at_word("RANGE") {
            while self.at < self.tokens.len() && !self.at_sign(")") {
                self.at += 1;
            }
        }
        self.expect_sign(")")?;
        Ok(deep)
    }

    /// Skips `ASC`, `DESC` and `NULLS FIRST` or `LAST` behind a sort key.
    pub(super) fn skip_direction(&mut self) {
        let _ = self.take_word("ASC") || self.take_word("DESC");
        if self.at_word("NULLS") && (self.word_at(1, "FIRST") || self.word_at(1, "LAST")) {
            self.at += 2;
        }
    }
}
