//! The input of the query printer: a plan, and how it is to be printed.

use super::cost::Budget;
use super::shape::QueryShape;
use crate::hive::key::KeyColumn;
use crate::plan::Plan;
use crate::render::CommentLine;
use crate::render::size::DEFAULT_MAX_BYTES;
use crate::schema::model::{Engine, Hive, MappingTable, Schema};

/// How a query is printed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct QueryOptions {
    pub engine: Engine,
    /// `None` chooses by engine.
    pub shape: Option<QueryShape>,
    /// Repeats every bound in a form that the storage handler cannot remove from the query. Without it, a range that is not pushed
    /// down multiplies rows.
    pub guards: bool,
    /// Prints the query without the INSERT.
    pub select_only: bool,
    /// Prints an INSERT INTO, which adds rows to those that the target has, instead of an INSERT OVERWRITE.
    pub into: bool,
    /// Accepts an INSERT OVERWRITE of rows that are only a part of what it replaces.
    pub allow_partial: bool,
    /// Selects the columns of the logical table instead of the target's, in a query without INSERT.
    pub logical: bool,
    /// Selects the columns of the mapping table, the row key among them, in a query without INSERT.
    #[doc(hidden)]
    pub of_mapping: bool,
    /// Leaves the residual out, for a caller that checks the predicate itself.
    #[doc(hidden)]
    pub ranges_only: bool,
    /// Whether the statement around the query reads other tables, or this one again. A MapReduce job that reads several tables does
    /// not apply the ranges of any of them.
    #[doc(hidden)]
    pub beside_tables: bool,
    /// Whether the query becomes a part of a statement with a CASE or an `if` that may return a text. Vectorized Hive 3.1.3 would
    /// overwrite it.
    #[doc(hidden)]
    pub beside_case: bool,
    /// Selects the partition columns of the target, too, in a query without INSERT: the rows are compared with the target's.
    #[doc(hidden)]
    pub compared: bool,
    /// The maximum bytes of the query.
    pub max_bytes: usize,
    /// Lines of the comment above the query, without dashes. If there are any, a line with the cost is added.
    #[doc(hidden)]
    pub header: Vec<CommentLine>,
    /// The maximum cost.
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
            into: false,
            allow_partial: false,
            logical: false,
            of_mapping: false,
            ranges_only: false,
            beside_tables: false,
            beside_case: false,
            compared: false,
            max_bytes: DEFAULT_MAX_BYTES,
            header: Vec::new(),
            budget: Budget::default(),
        }
    }
}

/// The plan of a query and what belongs to it.
pub(super) struct Asked<'a> {
    pub schema: &'a Schema,
    pub plan: &'a Plan,
    pub options: &'a QueryOptions,
    pub hive: &'a Hive,
    pub mapping: &'a MappingTable,
    pub key: &'a KeyColumn<'a>,
    pub shape: QueryShape,
}
