//! One HTML page about tables: the row key, plans, findings, and how rows spread over regions.
//!
//! The page needs no network, because style, script and data are inside it. Its sources are
//! `page/report.html`, `report.css` and `report.js`; the script draws the keys and the plans. The data is JSON in which
//! texts that many plans share are stored once (`pack.rs`). The charts of simulations are those of `simulate --svg` and `grow --svg`.
//!
//! The caller fills [`Report`], and [`Report::html`] writes it. The same values give the same bytes.

mod data;
mod html;
mod pack;
mod plans;
mod queries;
mod sql;
#[cfg(test)]
mod tests;

use saltplan_core::messages::Diagnostic;
use saltplan_core::queries::{Engine, Query};
use saltplan_core::{Planned, Table};
use saltplan_lint::FileReport;
use saltplan_project::diff::SchemaDiff;
use saltplan_rewrite::{Rewritten, WhyLeft};
use saltplan_simulate::picture::Picture;
use serde::Serialize;

/// The maximum number of ranges of a plan that the page lists; it always shows their total.
pub const MAX_RANGES: usize = 10_000;

/// The content of a page.
#[derive(Debug)]
pub struct Report<'a> {
    pub title: String,
    pub tables: Vec<TableReport<'a>>,
    pub queries: Vec<QueryReport>,
    /// Queries that were left out for their number.
    pub more_queries: usize,
}

/// A query on logical tables.
#[derive(Debug)]
pub struct QueryReport {
    pub name: String,
    /// The query with its key ranges, or why there are none.
    pub rewritten: Result<Rewritten, Explanation>,
    /// The remedy for a table that is not replaced, with the names of the command line.
    pub help: fn(&WhyLeft) -> String,
}

/// A table and everything about it.
#[derive(Debug)]
pub struct TableReport<'a> {
    pub table: &'a Table,
    /// A row key as an example for the layout.
    pub example: Option<Vec<u8>>,
    pub plans: Vec<PlanReport>,
    /// The number of plans that were left out because there are too many.
    pub more_plans: usize,
    pub findings: Option<&'a FileReport>,
    pub base: Option<&'a BaseReport>,
    /// Rows per region.
    pub load: Option<Simulated>,
    /// Bytes per region, and how they grew.
    pub growth: Option<Simulated>,
}

/// What `simulate` or `grow` drew.
#[derive(Debug)]
pub struct Simulated {
    pub picture: Picture,
    /// Whether the simulation was interrupted.
    pub is_partial: bool,
    /// What the command warned of.
    pub warnings: Vec<Diagnostic>,
}

/// An earlier version of a table.
#[derive(Debug)]
pub struct BaseReport {
    /// The name of the version, such as `git:main:schemas/calls.yaml`.
    pub name: String,
    pub table: Table,
    pub changes: SchemaDiff,
}

/// A predicate and its plan.
#[derive(Debug)]
pub struct PlanReport {
    pub name: String,
    pub predicate: String,
    /// The plan, or why there is none.
    pub now: Result<PlanVersion, Explanation>,
    /// The same for the base version.
    pub before: Option<Result<PlanVersion, Explanation>>,
}

/// A plan with its statements.
#[derive(Debug)]
pub struct PlanVersion {
    pub planned: Planned,
    /// Why `saltplan plan` refuses it.
    pub refused: Option<Explanation>,
    pub statements: Vec<Statement>,
}

/// The statement of a plan for one engine.
#[derive(Debug)]
pub struct Statement {
    pub engine: Engine,
    /// The statement, or why there is none.
    pub query: Result<Query, Explanation>,
    /// Why it differs from the requested statement.
    pub note: Option<Explanation>,
}

/// A message and its remedy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explanation {
    pub message: String,
    pub help: Option<String>,
}

impl Explanation {
    pub fn new(message: impl Into<String>, help: Option<String>) -> Self {
        Explanation { message: message.into(), help }
    }
}

impl Report<'_> {
    /// The HTML of the page.
    pub fn html(&self) -> String {
        html::page(&self.title, &data::json(self))
    }
}
