//! One page of HTML that shows tables: the row key, plans, findings, and how rows spread over regions.
//!
//! The page needs no network: style, script and data stand in it. `page/report.html`, `report.css` and `report.js` are its
//! source; the script draws what the data say. The data are JSON, in which texts that many plans share stand once (`pack.rs`).
//!
//! A caller gathers [`Report`], and [`Report::html`] writes it. The same values give the same bytes.

mod data;
mod html;
mod load;
mod pack;
mod sql;
#[cfg(test)]
mod tests;

use saltplan_core::queries::{Engine, Query};
use saltplan_core::{Planned, Table};
use saltplan_lint::FileReport;
use saltplan_project::diff::SchemaDiff;
use saltplan_simulate::grow::Growth;
use saltplan_simulate::report::PutReport;

/// Most ranges of a plan that the page lists; it says how many there are.
pub const MAX_RANGES: usize = 10_000;

/// What a page shows.
#[derive(Debug)]
pub struct Report<'a> {
    pub title: String,
    pub tables: Vec<TableReport<'a>>,
}

/// A table and what was found of it.
#[derive(Debug)]
pub struct TableReport<'a> {
    pub table: &'a Table,
    /// A row key to show the layout with.
    pub example: Option<Vec<u8>>,
    pub plans: Vec<PlanReport<'a>>,
    /// Plans that were left out for their number.
    pub more_plans: usize,
    pub findings: Option<&'a FileReport>,
    pub base: Option<BaseReport<'a>>,
    /// Rows per region.
    pub load: Option<&'a PutReport>,
    /// Bytes per region over time.
    pub growth: Option<&'a Growth>,
}

/// An earlier version of a table.
#[derive(Debug)]
pub struct BaseReport<'a> {
    /// How the version is named, such as `git:main:schemas/calls.yaml`.
    pub name: String,
    pub table: &'a Table,
    pub changes: SchemaDiff,
}

/// A predicate and its plan.
#[derive(Debug)]
pub struct PlanReport<'a> {
    pub name: String,
    pub predicate: String,
    /// The plan, or why there is none.
    pub now: Result<PlanVersion<'a>, Told>,
    /// The same of the base.
    pub before: Option<Result<PlanVersion<'a>, Told>>,
}

/// A plan with its statements.
#[derive(Debug)]
pub struct PlanVersion<'a> {
    pub planned: Planned<'a>,
    /// Why `saltplan plan` refuses it.
    pub refused: Option<Told>,
    pub statements: Vec<Statement>,
}

/// The statement of a plan for one engine.
#[derive(Debug)]
pub struct Statement {
    pub engine: Engine,
    /// The statement, or why there is none.
    pub query: Result<Query, Told>,
    /// Why it is another one than was asked for.
    pub note: Option<Told>,
}

/// A message and the way out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    pub message: String,
    pub help: Option<String>,
}

impl Told {
    pub fn new(message: impl Into<String>, help: Option<String>) -> Self {
        Told { message: message.into(), help }
    }
}

impl Report<'_> {
    /// The page.
    pub fn html(&self) -> String {
        html::page(&self.title, &data::json(self))
    }
}
