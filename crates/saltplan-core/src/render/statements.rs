//! Statements of Hive as text: printed from their tree, or by a template of the user, which gets their parts.

use serde::Serialize;

use super::size::limited;
use super::templates::Templates;
use super::{CommentLine, RenderError};
use saltplan_sql::statement::{self, Statement};

/// Statements, with the comment above them.
pub(crate) struct Script<'a> {
    /// The template that a user may put in the place of the trees.
    pub template: &'static str,
    pub header: &'a [CommentLine],
    pub statements: &'a [Statement],
}

impl Script<'_> {
    /// The text. `parts` are the variables of a template.
    ///
    /// # Errors
    /// A fault of the user's template.
    pub fn print(&self, parts: &impl Serialize, templates: &Templates) -> Result<String, RenderError> {
        match templates.replaces(self.template)? {
            true => Ok(templates.render(self.template, parts)?),
            false => Ok(self.text()),
        }
    }

    /// As [`Script::print`], with a maximum of bytes.
    ///
    /// # Errors
    /// A fault of the user's template, or the text is longer than `limit` bytes.
    pub fn print_within(
        &self,
        parts: &impl Serialize,
        templates: &Templates,
        limit: usize,
    ) -> Result<String, RenderError> {
        match templates.replaces(self.template)? {
            true => templates.render_within(self.template, parts, limit),
            false => Ok(limited(self.text(), limit)?),
        }
    }

    fn text(&self) -> String {
        let comment: String = self.header.iter().map(|line| format!("-- {line}\n")).collect();
        comment + &statement::print(self.statements, "\n") + "\n"
    }
}
