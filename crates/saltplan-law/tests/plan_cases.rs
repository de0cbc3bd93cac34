//! Plans as text: `tests/testdata/plan/*.txt` contain predicates and their plans.
//!
//! A case is a line `plan schema=NAME [max_branches=N] [now=TIME]`, the predicate, `----`, and the expected
//! output up to an empty line. NAME is a file of `tests/testdata/schemas` or `schemas/examples`. Lines that
//! start with `#` say what a case shows. `BLESS=1 cargo test` writes the actual outputs into the files; read
//! the difference before you keep it.
//!
//! The output is the summary, the branches in the HBase shell's form (`[start, stop)`, or `[key]` for a
//! single key) with their residuals, then notes and warnings. Salts whose branches differ only in the salt
//! are shown once.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::fmt::Write as _;
use std::path::PathBuf;

use saltplan_core::analyze::bind::{Bound, BoundNode, SchemaScope, Setting, bind};
use saltplan_core::analyze::{analyze, analyze_bound};
use saltplan_core::key::range::KeyRange;
use saltplan_core::key::range::{prefix_successor, to_string_binary};
use saltplan_core::plan::{Branch, DEFAULT_MAX_BRANCHES, Options, Plan, explain::summary, plan};
use saltplan_core::schema::{load, model::Schema, read_file};
use saltplan_document::diag::{Diagnostics, Source};
use saltplan_sql::{Parameters, Parsed, parse};

use saltplan_law::expect::{CaseForm, Expectations, answered, repository, schema_file};

/// The maximum number of branches per salt, or lines of one kind, that are shown.
const MAX_LINES: usize = 20;

#[test]
fn plans() {
    let mut expectations = Expectations::default();
    let mut count = 0;
    for file in files() {
        let before = std::fs::read_to_string(&file).expect("a readable file");
        let (after, cases) = answered(&before, CaseForm { word: "plan", end: "" }, |header, predicate| {
            Request::read(header).answer(predicate.trim_end_matches('\n'))
        });
        expectations.file(&file, &after);
        count += cases;
    }
    expectations.check();
    assert!(count >= 150, "only {count} cases");
}

fn files() -> Vec<PathBuf> {
    let folder = repository().join("tests/testdata/plan");
    let entries = std::fs::read_dir(folder).expect("the folder of cases");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

struct Request {
    schema: Schema,
    max_branches: usize,
    parameters: Parameters,
}

impl Request {
    fn read(header: &str) -> Self {
        let mut request = Request {
            schema: schema("plain_concat"),
            max_branches: DEFAULT_MAX_BRANCHES,
            parameters: Parameters::new(),
        };
        for setting in header.split_whitespace() {
            match setting.split_once('=') {
                Some(("schema", name)) => request.schema = schema(name),
                Some(("max_branches", limit)) => request.max_branches = limit.parse().expect("a number"),
                Some(("now", now)) => {
                    request.parameters = request.parameters.at(&now.replace('T', " ")).expect("a time");
                }
                _ => panic!("unknown setting `{setting}`"),
            }
        }
        request
    }

    fn answer(&self, predicate: &str) -> String {
        match self.plan(predicate) {
            Ok(answer) => answer,
            Err(errors) => format!("{errors}\n"),
        }
    }

    /// A predicate that was not read from text has the same ranges: the values of its constants are what counts.
    fn check_without_text(&self, parsed: &Parsed, expected: &Plan) {
        let mut predicate = bind(&parsed.tree, &SchemaScope(&self.schema), Setting::Predicate);
        forget_spelling(&mut predicate);
        // Columns of partitions are known in text only.
        let analysis = parsed.runtime.is_empty().then(|| analyze_bound(&self.schema, predicate));
        let Some(Ok(analysis)) = analysis else { return };
        let options = Options { max_branches: self.max_branches, ..Options::default() };
        let found = plan(&self.schema, &analysis, options);
        let ranges =
            |plan: &Plan| plan.branches.iter().map(|branch| branch.range.clone()).collect::<Vec<_>>();
        assert_eq!(ranges(&found), ranges(expected), "{} without its text", parsed.source.text);
    }

    fn plan(&self, predicate: &str) -> Result<String, Diagnostics> {
        let parsed = parse(&Source::new("predicate", predicate), &self.parameters)?;
        let analysis = analyze(&self.schema, &parsed)?;
        let plan =
            plan(&self.schema, &analysis, Options { max_branches: self.max_branches, ..Options::default() });
        self.check_without_text(&parsed, &plan);
        let mut answer = format!("{}\n", summary(&plan));
        for line in branch_lines(&self.schema, &plan) {
            let _ = writeln!(answer, "{line}");
        }
        for note in &plan.notes {
            let _ = writeln!(answer, "{}: {}", note.code(), note);
        }
        for warning in &analysis.warnings {
            let _ = writeln!(answer, "{warning}");
        }
        Ok(answer)
    }
}

/// Leaves out how constants are spelled.
fn forget_spelling(node: &mut BoundNode) {
    match &mut node.what {
        Bound::Constant(constant) if constant.given.is_some() => constant.written = None,
        _ => {}
    }
    node.for_each_part_mut(&mut forget_spelling);
}

fn schema(name: &str) -> Schema {
    let file = schema_file(name).unwrap_or_else(|| panic!("no schema {name}"));
    let loaded = read_file(&file).and_then(|source| load(&source));
    loaded.unwrap_or_else(|errors| panic!("{errors}")).schema
}

fn branch_lines(schema: &Schema, plan: &Plan) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = plan.branches.as_slice();
    while let Some(first) = rest.first() {
        let group = branches_of_one_salt(rest);
        let alike = salts_alike(schema, plan, group, &rest[group.len()..]);
        lines.extend(group.iter().take(MAX_LINES).map(|branch| line(plan, branch)));
        if group.len() > MAX_LINES {
            lines.push(format!("… {} more", group.len() - MAX_LINES));
        }
        if alike > 0 {
            let salts: Vec<String> = rest[group.len()..]
                .chunks(group.len())
                .take(alike)
                .map(|chunk| to_string_binary(chunk[0].salt.as_deref().unwrap_or_default()))
                .collect();
            let shown = match salts.as_slice() {
                [first, .., last] if salts.len() > 3 => format!("{first} … {last} ({})", salts.len()),
                few => few.join(" "),
            };
            lines.push(format!("… the same behind {shown}"));
        }
        debug_assert_eq!(group[0].salt, first.salt);
        rest = &rest[group.len() * (alike + 1)..];
    }
    lines
}

fn branches_of_one_salt(branches: &[Branch]) -> &[Branch] {
    let count = branches.iter().take_while(|branch| branch.salt == branches[0].salt).count();
    &branches[..count]
}

/// The number of following salts with the same branches.
fn salts_alike(schema: &Schema, plan: &Plan, group: &[Branch], following: &[Branch]) -> usize {
    let wanted: Option<Vec<_>> = group.iter().map(|branch| behind_salt(schema, plan, branch)).collect();
    let Some(wanted) = wanted else { return 0 };
    following
        .chunks(group.len())
        .take_while(|chunk| {
            let unsalted: Option<Vec<_>> =
                chunk.iter().map(|branch| behind_salt(schema, plan, branch)).collect();
            branches_of_one_salt(chunk).len() == chunk.len() && unsalted.as_ref() == Some(&wanted)
        })
        .count()
}

/// A branch without its salt.
fn behind_salt(schema: &Schema, plan: &Plan, branch: &Branch) -> Option<(Vec<u8>, Option<Vec<u8>>, String)> {
    let prefix = [branch.salt.as_deref()?, &schema.key.salt.as_ref()?.separator].concat();
    let start = branch.range.start.strip_prefix(prefix.as_slice())?.to_vec();
    let stop = match &branch.range.stop {
        stop if *stop == prefix_successor(&prefix) => None,
        stop => Some(stop.as_ref()?.strip_prefix(prefix.as_slice())?.to_vec()),
    };
    Some((start, stop, residual(plan, branch)))
}

fn line(plan: &Plan, branch: &Branch) -> String {
    let KeyRange { start, stop } = &branch.range;
    let start = to_string_binary(start);
    let range = if branch.range.is_point() {
        format!("[{start}]")
    } else {
        format!("[{start}, {})", stop.as_deref().map_or("end".to_string(), to_string_binary))
    };
    format!("{range}{}", residual(plan, branch))
}

fn residual(plan: &Plan, branch: &Branch) -> String {
    let text = plan.residual_of(branch).map(|residual| residual.expr.to_string());
    text.map_or(String::new(), |text| format!(" where {}", shortened(&text)))
}

/// Long texts are shortened in the middle.
fn shortened(text: &str) -> String {
    let count = text.chars().count();
    if count <= 200 {
        return text.to_string();
    }
    let start: String = text.chars().take(80).collect();
    let end: String = text.chars().skip(count - 40).collect();
    format!("{start} … {end} ({count} characters)")
}
