//! Scripts: statements of HiveQL as files hold them, with everything that stands between and around them.
//!
//! A [`Script`] has the [tokens](Tokens) of a text, and reads its statements one by one into a [tree](Statement): queries, blocks,
//! relations, joins, and conditions and select items as [expressions](crate::ast::Expr) with their places. Every byte of the text is
//! in a token, or in a blank or a comment between two tokens.
//!
//! A *block* is one `SELECT … FROM … WHERE …`, or one `FROM … INSERT … INSERT …` with an arm for each insert. A part that is not
//! understood makes its block [unclear](Block::unclear). An expression that the grammar does not have is
//! [unread](crate::ast::Unread): it may have any value.

mod blocks;
mod clauses;
mod expressions;
mod reader;
mod relations;
#[cfg(test)]
mod tests;
mod tokens;
mod tree;
mod values;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

pub use reader::begins_query;
pub use tokens::{Kind, ScriptFault, Tokens};
pub use tree::{
    Arm, Block, BlockId, Cte, Destination, Fixed, GroupBy, Insert, Join, JoinKind, LateralView, NamedWindow,
    PartitionColumn, Query, QueryId, QueryPlace, Relation, RelationSource, Select, SelectItem, SelectValue,
    SetKind, SetOperator, Statement, StatementKind, Tail, Term, TermBody, Unclear, WhyUnclear,
};

use saltplan_document::diag;

/// A script whose statements can be read.
#[derive(Debug)]
pub struct Script<'s> {
    pub source: &'s Arc<diag::Source>,
    pub tokens: Tokens<'s>,
    /// Texts that are filled in when the script runs, each with the name of its parameter.
    runtime: HashMap<String, String>,
    statements: Vec<Range<usize>>,
}

impl<'s> Script<'s> {
    /// Splits a text into tokens and statements. `runtime` has the texts that are filled in when the script runs, such as
    /// `${hivevar:day}`, each with the name of its parameter: as a whole literal or outside of quotes they are values of run time.
    ///
    /// # Errors
    /// A quote, a comment or a bracket is not closed.
    pub fn read(
        source: &'s Arc<diag::Source>,
        runtime: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ScriptFault> {
        let tokens = Tokens::new(&source.text)?;
        let statements = reader::statements(&tokens);
        Ok(Script { source, tokens, runtime: runtime.into_iter().collect(), statements })
    }

    /// The number of statements.
    pub fn len(&self) -> usize {
        self.statements.len()
    }

    pub fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }

    /// The tokens of each statement, without semicolons.
    pub fn statement_tokens(&self) -> &[Range<usize>] {
        &self.statements
    }

    /// The tree of the statement with these tokens.
    pub fn statement(&self, tokens: &Range<usize>) -> Statement {
        reader::read(self, tokens.clone(), true)
    }

    /// What the statement with these tokens is, without its queries.
    pub fn outline(&self, tokens: &Range<usize>) -> Statement {
        reader::read(self, tokens.clone(), false)
    }

    /// The trees of the statements. Each is read when it is asked for, so that a long script needs only the memory of one.
    pub fn statements(&self) -> impl Iterator<Item = Statement> {
        self.statements.iter().map(|tokens| self.statement(tokens))
    }
}
