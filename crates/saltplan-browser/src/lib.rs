//! What the documentation's page "Try it without installing" shows of a schema and a predicate.
//!
//! The page runs this crate as WebAssembly: for each change it writes a request to standard input and reads the answer from standard
//! output. It reads no files, and nothing leaves the browser.

use saltplan_core::ddl;
use saltplan_core::files::named::Memory;
use saltplan_core::limits::Limits;
use saltplan_core::messages::{Diagnostic, Source};
use saltplan_core::queries::Templates;
use saltplan_core::render::RenderError;
use saltplan_core::render::size::DEFAULT_MAX_BYTES;
use saltplan_core::table::PlanFault;
use saltplan_core::{Parameters, PlanOptions, Table};
use saltplan_document::diag::{Style, render};
use saltplan_report::{Explanation, PlanReport, PlanVersion, Report, Statement, TableReport};
use serde::{Deserialize, Serialize};

/// The maximum number of bytes of a request.
pub const MAX_REQUEST_BYTES: usize = 1 << 20;

/// The name of the schema in messages.
const SCHEMA: &str = "schema.yaml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    /// The text of a schema file.
    schema: String,
    /// A predicate, or only white space.
    predicate: String,
    /// Columns of a terminal, in which messages are drawn.
    #[serde(default = "default_width")]
    width: usize,
}

fn default_width() -> usize {
    Style::default().width
}

/// What the page shows.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// What the command says on standard error.
    pub messages: String,
    /// The page that `report` writes; none if the schema is invalid.
    pub page: Option<String>,
    /// What `ddl` prints, or why it prints nothing; none if the schema is invalid.
    pub ddl: Option<String>,
}

/// The answer to a request, as JSON.
///
/// # Errors
/// What is wrong with the request itself; an invalid schema is an answer.
pub fn answer(request: &[u8]) -> Result<String, String> {
    if request.len() > MAX_REQUEST_BYTES {
        return Err(format!("the request is longer than {MAX_REQUEST_BYTES} bytes"));
    }
    let request: Request = serde_json::from_slice(request)
        .map_err(|error| format!("the request is not as expected: {error}"))?;
    serde_json::to_string(&answer_to(&request))
        .map_err(|error| format!("the answer cannot be written: {error}"))
}

fn answer_to(request: &Request) -> Answer {
    let style = Style { color: false, width: request.width };
    let source = Source::new(SCHEMA, request.schema.as_str());
    let table = match Table::read(&source, Memory::default()) {
        Ok(table) => table,
        Err(errors) => return Answer { messages: render(&errors.0, style), ..Answer::default() },
    };
    let mut messages: Vec<Diagnostic> = table.warnings().to_vec();
    let templates = Templates::new(None);
    let planned = match request.predicate.trim() {
        "" => None,
        predicate => Some((predicate, plan(&table, predicate, &templates))),
    };
    let plans = match planned {
        Some((_, Err(PlanFault::Invalid(errors)))) => {
            messages.extend(errors.0);
            Vec::new()
        }
        Some((predicate, now)) => {
            let now = now.map_err(Explanation::from);
            vec![PlanReport { name: "plan".into(), predicate: predicate.into(), now, before: None }]
        }
        None => Vec::new(),
    };
    let mut findings = saltplan_lint::audit_table(&table, &|_| true);
    findings.limit();
    let shown = TableReport {
        table: &table,
        example: None,
        plans,
        more_plans: 0,
        findings: Some(&findings),
        base: None,
        load: None,
        growth: None,
    };
    let report = Report { title: table.name(), tables: vec![shown], queries: Vec::new(), more_queries: 0 };
    Answer {
        messages: render(&messages, style),
        page: Some(report.html()),
        ddl: Some(ddl_of(&table, &templates)),
    }
}

fn plan(table: &Table, predicate: &str, templates: &Templates) -> Result<PlanVersion, PlanFault> {
    let statements = |planned: &_| Statement::of_engines(planned, Limits::default(), templates);
    let asked = (predicate, &Parameters::default());
    PlanVersion::of(table, asked, &PlanOptions::default(), Explanation::refused_by_plan, statements)
}

/// All statements that create the tables, or why there are none.
fn ddl_of(table: &Table, templates: &Templates) -> String {
    let parts = ddl::parts_of(table.schema());
    let text = match table.split_keys_of(&parts) {
        Ok(split_keys) => {
            ddl::all(table.schema(), table.places(), &parts, split_keys, false, DEFAULT_MAX_BYTES, templates)
                .map_err(|error: RenderError| error.to_string())
        }
        Err(error) => Err(error.to_string()),
    };
    text.unwrap_or_else(|reason| reason)
}
