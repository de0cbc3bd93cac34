//! What is asked for: a plan as a query, and how.

use super::cost::Budget;
use super::shape::QueryShape;
use crate::plan::Plan;
use crate::render::CommentLine;
use crate::render::hive_key::KeyColumn;
use crate::render::size::DEFAULT_MAX_BYTES;
use crate::schema::model::{Engine, Hive, MappingTable, Schema};

/// How a query is printed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct QueryOptions {
    pub engine: Engine,
    /// `None` chooses by engine.
    pub shape: Option<QueryShape>,
    /// Repeats every bound in a form that the storage handler cannot take out of the query. Without it a lost
    /// pushdown multiplies rows.
    pub guards: bool,
    /// Prints the query without the INSERT.
    pub select_only: bool,
    /// The columns of the logical table in place of those of the target: for a bare query.
    pub logical: bool,
    /// Reads the rows of the ranges and leaves the residual out: for a caller that checks the predicate itself.
    pub ranges_only: bool,
    /// The query is a part of a statement that reads other tables too, or this one again. A job of MapReduce that reads
    /// several tables does not apply the range of any of them.
    pub beside_tables: bool,
    /// Most bytes of the query.
    pub max_bytes: usize,
    /// Lines of the comment above the query, without dashes. Where there are any, a line says what the query costs.
    pub header: Vec<CommentLine>,
    /// The most that the query may cost.
    pub budget: Budget,
}

impl Default for QueryOptions {
    /// An INSERT for Tez, with guards and without a comment.
    fn default() -> Self {
        QueryOptions {
            engine: Engine::Tez,
            shape: None,
            guards: true,
            select_only: false,
            logical: false,
            ranges_only: false,
            beside_tables: false,
            max_bytes: DEFAULT_MAX_BYTES,
            header: Vec::new(),
            budget: Budget::default(),
        }
    }
}

/// What a query is made of.
pub(super) struct Asked<'a> {
    pub schema: &'a Schema,
    pub plan: &'a Plan,
    pub options: &'a QueryOptions,
    pub hive: &'a Hive,
    pub mapping: &'a MappingTable,
    pub key: &'a KeyColumn<'a>,
    pub shape: QueryShape,
}

impl Asked<'_> {
    pub(crate) fn is_several_statements(&self) -> bool {
        self.shape == QueryShape::Statements && self.plan.branches.len() > 1
    }
}
