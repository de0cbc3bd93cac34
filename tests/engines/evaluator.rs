//! The oracle of the property tests behaves like Hive: random conditions over a table with difficult rows
//! have the same truth value in the real Hive as written, in the oracle, in the planner's sets of values, and
//! in Hive as saltplan prints them.
//!
//! `SALTPLAN_EVALUATOR_CASES` sets the number of conditions (default 300), `SALTPLAN_EVALUATOR_SEED` chooses
//! others.

pub(crate) mod random;
mod rows;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context, Result, bail, ensure};
use chrono_tz::Tz;
use libtest_mimic::{Failed, Trial};
use saltplan_core::PlanOptions;
use saltplan_core::Table;
use saltplan_core::analyze::{Constraint, Implied, Meaning, ValueSet};
use saltplan_core::hive::query::{QueryOptions, QueryShape};
use saltplan_core::key::field::FieldId;
use saltplan_core::schema::model::Schema;
use saltplan_document::diag::Source;
use saltplan_sql::Parameters;

use crate::engine::{Engine, Engines};
use random::{Made, Maker};
use rows::{Row, TABLE};
use saltplan_law::sql::{self, V};

const CASES: u64 = 300;
/// The number of conditions per statement.
const AT_ONCE: usize = 100;
/// The number of ranges of a plan: few, so that most of the condition is in the residual.
const MAX_BRANCHES: usize = 5;
/// Longer texts are functions of the clock, which have their own trial.
const MAX_PRINTED: usize = 6_000;
/// The maximum number of differences that a failure shows.
const SHOWN: usize = 60;
/// A text that Hive 2 and 3 read as a day, but Hive 4 does not.
const NO_DAY: &str = "2020-02-31";
const ZONES: [Tz; 2] = [Tz::America__New_York, Tz::Asia__Shanghai];

pub fn trials(engines: &Engines) -> Vec<Trial> {
    let trial = |engine: Engine| {
        let engines = engines.clone();
        Trial::test(format!("evaluator::{engine}"), move || {
            run(&engines, engine).map_err(|error| Failed::from(format!("{error:#}")))
        })
    };
    Engine::COMPILERS.map(trial).into()
}

pub(crate) fn from_environment(name: &str, default: u64) -> Result<u64> {
    match std::env::var(name) {
        Ok(text) => text.parse().with_context(|| format!("{name}={text} is not a number")),
        Err(_) => Ok(default),
    }
}

/// TRUE, FALSE or NULL.
type Truth = Option<bool>;

struct Case {
    made: Made,
    zone: Tz,
    /// A constant that means different things for a field and for a column makes the plan refused.
    is_rejected: bool,
    /// What the planner says about where the condition is true, and where it is false.
    yes: Constraint,
    no: Constraint,
    /// For Hive, the number of branches that return a row; `None` if no plan is printed.
    printed: Option<String>,
    /// By row.
    evaluated: Option<Vec<Truth>>,
    hive: Option<Vec<Truth>>,
    yielded: Option<Vec<usize>>,
}

fn run(engines: &Engines, engine: Engine) -> Result<()> {
    let count = from_environment("SALTPLAN_EVALUATOR_CASES", CASES)?;
    let seed = from_environment("SALTPLAN_EVALUATOR_SEED", 1)?;
    let rows = rows::rows()?;
    engines.begin(engine)?;
    rows::fill(engines, engine, &rows)?;
    let mut differences = Vec::new();
    let mut seen = Counts::default();
    for chunk in 0..count.div_ceil(AT_ONCE as u64) {
        let zone = ZONES[chunk as usize % ZONES.len()];
        let of_chunk = AT_ONCE.min((count - chunk * AT_ONCE as u64) as usize);
        let table = Table::from_yaml(&rows::schema(zone))?;
        let mut cases = cases(&table, zone, seed + chunk * 1_000_003, of_chunk, &rows)?;
        engines.begin(engine)?;
        // A fetch without a job evaluates conditions row by row, not vectorised.
        engines.script(
            engine,
            "set hive.fetch.task.conversion=more;\nset hive.fetch.task.conversion.threshold=-1;\n",
        )?;
        ask(engines, engine, &mut cases)?;
        for case in &mut cases {
            let mut found = case.differences(engine, table.schema(), &rows);
            if !found.is_empty() && ask_as_filter(engines, engine, case)? {
                seen.otherwise_as_filter += 1;
                found = case.differences(engine, table.schema(), &rows);
            }
            seen.add(case);
            differences.extend(found);
        }
    }
    eprintln!("evaluator::{engine}: {seen:?}");
    if differences.is_empty() {
        let is_enough = 3 * seen.asked > 2 * seen.all
            && 4 * seen.evaluated > seen.all
            && 10 * seen.printed > 9 * seen.all;
        ensure!(is_enough, "too few conditions say something: {seen:?}");
        return Ok(());
    }
    differences.sort_by_key(String::len);
    let shown = differences.iter().take(SHOWN).fold(String::new(), |mut text, difference| {
        let _ = write!(text, "\n{difference}");
        text
    });
    bail!("{} differences{shown}", differences.len())
}

/// How many conditions were checked in which way.
#[derive(Debug, Default)]
struct Counts {
    all: usize,
    asked: usize,
    evaluated: usize,
    printed: usize,
    no_hive: usize,
    otherwise_as_filter: usize,
}

impl Counts {
    fn add(&mut self, case: &Case) {
        self.all += 1;
        self.asked += usize::from(case.hive.is_some());
        self.evaluated += usize::from(case.evaluated.is_some());
        self.printed += usize::from(case.yielded.is_some());
        self.no_hive += usize::from(case.made.of_hive.is_some() && case.hive.is_none());
    }
}

fn cases(table: &Table, zone: Tz, seed: u64, count: usize, rows: &[Row]) -> Result<Vec<Case>> {
    let mut maker = Maker::new(seed);
    let mut cases = Vec::new();
    while cases.len() < count {
        let made = maker.condition();
        match case(table, zone, made, rows) {
            // A row of values compared with something that is not a list of values is refused, because Hive
            // has no such form.
            Err(error) if format!("{error:#}").contains("a row is compared with something else") => {}
            case => cases.push(case?),
        }
    }
    Ok(cases)
}

fn case(table: &Table, zone: Tz, made: Made, rows: &[Row]) -> Result<Case> {
    let analysis = |text: String| {
        let source = Source::new("predicate", text.clone());
        table.analyze(&source, &Parameters::new()).with_context(|| text)
    };
    let (yes, no) = (analysis(made.asked.clone())?, analysis(format!("NOT ({})", made.asked))?);
    let printed = printed(table, &yes)?;
    let evaluated = made.is_evaluated.then(|| {
        let expr = sql::parse(&made.asked);
        let of = |row: &Row| match (sql::Row { values: &row.values, zone: Some(zone) }).eval(&expr) {
            V::Bool(truth) => Some(truth),
            _ => None,
        };
        rows.iter().map(of).collect()
    });
    Ok(Case {
        zone,
        is_rejected: !yes.rejected.is_empty() || !no.rejected.is_empty(),
        yes: yes.constraint,
        no: no.constraint,
        printed,
        evaluated,
        made,
        hive: None,
        yielded: None,
    })
}

/// The conditions of the printed query, each a range with its residual.
fn printed(table: &Table, analysis: &saltplan_core::analyze::Analysis) -> Result<Option<String>> {
    let mut options = PlanOptions::accepting_all();
    options.max_branches = MAX_BRANCHES;
    let planned = table.plan_analysis(analysis, &options)?;
    let mut options = QueryOptions::default();
    options.select_only = true;
    options.shape = Some(QueryShape::UnionAll);
    options.max_bytes = MAX_PRINTED;
    let Ok(query) = planned.hive_sql(&options) else { return Ok(None) };
    count_of_branches(&query.sql, TABLE).map(Some)
}

/// The number of branches of a UNION ALL that return a row of the table, as an expression over the row.
pub(crate) fn count_of_branches(sql: &str, table: &str) -> Result<String> {
    let from = format!("  FROM `{table}`\n");
    let branches = sql.split(&from).skip(1);
    let counted = branches.map(|branch| match branch.strip_prefix("  WHERE ") {
        None => Ok("1".to_string()),
        Some(condition) => {
            let end = condition.find("\n  UNION ALL\n").or_else(|| condition.find("\n) `branches`"));
            Ok(format!("if({}, 1, 0)", &condition[..end.context("no end of a branch")?]))
        }
    });
    let counted = counted.collect::<Result<Vec<_>>>()?;
    ensure!(!counted.is_empty(), "no branch is printed:\n{sql}");
    Ok(counted.join(" + "))
}

/// Evaluates all conditions in Hive, as written and as printed.
fn ask(engines: &Engines, engine: Engine, cases: &mut [Case]) -> Result<()> {
    let of_hive = |case: &Case| case.made.of_hive.clone();
    for (index, cells) in answers(engines, engine, cases, of_hive)? {
        let truths = cells.iter().map(|cell| match cell.as_str() {
            "true" => Ok(Some(true)),
            "false" => Ok(Some(false)),
            "\\N" => Ok(None),
            other => bail!("{}: {other}", cases[index].made.asked),
        });
        cases[index].hive = Some(truths.collect::<Result<_>>()?);
    }
    for (index, cells) in answers(engines, engine, cases, |case| case.printed.clone())? {
        let counts = cells.iter().map(|cell| cell.parse().with_context(|| cell.clone()));
        cases[index].yielded = Some(counts.collect::<Result<_>>()?);
    }
    Ok(())
}

/// Evaluates one condition as saltplan prints it, in a WHERE. In a select list with others, Hive changes the
/// meaning of some: 3.1.3 casts the constants of a list to the type of the value there (`i IN (0, 5.5)` finds
/// 5, which no WHERE does). Returns whether the result differs.
fn ask_as_filter(engines: &Engines, engine: Engine, case: &mut Case) -> Result<bool> {
    let (Some(condition), Some(of_list)) = (&case.made.of_hive, &case.hive) else { return Ok(false) };
    let mut truths: Vec<Truth> = vec![None; rows::COUNT];
    for (truth, condition) in [(true, condition.clone()), (false, format!("NOT ({condition})"))] {
        let statement = format!("SELECT id FROM {TABLE} WHERE {condition}");
        for line in engines.query(engine, &statement)? {
            truths[line.parse::<usize>()?] = Some(truth);
        }
    }
    let is_another = truths != *of_list;
    case.hive = Some(truths);
    Ok(is_another)
}

/// Hive's values of expressions, by row; absent for those that it does not compile.
fn answers(
    engines: &Engines,
    engine: Engine,
    cases: &[Case],
    text: impl Fn(&Case) -> Option<String>,
) -> Result<BTreeMap<usize, Vec<String>>> {
    let texts = cases.iter().enumerate().filter_map(|(index, case)| Some((index, text(case)?))).collect();
    values_by_row(engines, engine, texts, TABLE, rows::COUNT)
}

/// The values of expressions over a table whose rows have an `id` from 0 on, by row; absent for those that
/// Hive does not compile.
pub(crate) fn values_by_row(
    engines: &Engines,
    engine: Engine,
    texts: Vec<(usize, String)>,
    from: &str,
    count: usize,
) -> Result<BTreeMap<usize, Vec<String>>> {
    let mut found = BTreeMap::new();
    let mut parts = vec![texts.as_slice()];
    while let Some(part) = parts.pop() {
        if part.is_empty() {
            continue;
        }
        let each: Vec<String> = part.iter().map(|(_, text)| format!("({text})")).collect();
        let statement = format!("SELECT id, {} FROM {from}", each.join(",\n"));
        match engines.query(engine, &statement) {
            Ok(lines) => {
                ensure!(lines.len() == count, "{} rows", lines.len());
                for line in lines {
                    let mut cells = line.split('\t');
                    let id: usize = cells.next().context("no number")?.parse()?;
                    for ((index, _), cell) in part.iter().zip(cells) {
                        let of_case = found.entry(*index).or_insert_with(|| vec![String::new(); count]);
                        of_case[id] = cell.to_owned();
                    }
                }
            }
            // Hive does not compile it.
            Err(_) if part.len() == 1 => {}
            Err(_) => {
                let (left, right) = part.split_at(part.len() / 2);
                parts.extend([left, right]);
            }
        }
    }
    Ok(found)
}

impl Case {
    /// Hive's LIKE gives two results for texts with line breaks and with characters above U+FFFF: `like::`
    /// tests those patterns that saltplan writes differently.
    fn is_asked(&self, row: &Row) -> bool {
        let is_odd = |value: &V| matches!(value, V::Text(text) if text.contains(|c: char| c == '\n' || c.len_utf16() > 1));
        !self.made.asked.contains(" LIKE ") || !self.uses_value(row, is_odd)
    }

    /// Whether a day that does not exist is used. Hive 4 reads it as NULL or as another date, depending on
    /// how it reads the row; the other versions continue into March.
    fn has_no_day(&self, row: &Row) -> bool {
        self.made.asked.contains(NO_DAY)
            || self.uses_value(row, |value| matches!(value, V::Text(text) if text == NO_DAY))
    }

    fn uses_value(&self, row: &Row, is_meant: impl Fn(&V) -> bool) -> bool {
        row.values.iter().any(|(name, value)| is_meant(value) && uses(&self.made.asked, name))
    }

    /// The differing results, each with its rows.
    fn differences(&self, engine: Engine, schema: &Schema, rows: &[Row]) -> Vec<String> {
        let mut found = Vec::new();
        if self.is_rejected {
            return found;
        }
        let mut tell = |what: &str, wrong: &dyn Fn(usize) -> Option<String>| {
            let wrong: Vec<(usize, String)> = (0..rows.len())
                .filter(|row| self.is_asked(&rows[*row]))
                .filter(|row| engine != Engine::Hive4 || !self.has_no_day(&rows[*row]))
                .filter_map(|row| Some((row, wrong(row)?)))
                .collect();
            if let Some((row, how)) = wrong.first() {
                let values: Vec<String> = rows[*row]
                    .values
                    .iter()
                    .filter(|(name, _)| uses(&self.made.asked, name))
                    .map(|(name, value)| format!("{name}={value:?}"))
                    .collect();
                found.push(format!(
                    "{what}: {} [{}] row {row} ({}): {how}; {} rows",
                    self.made.asked,
                    self.zone,
                    values.join(" "),
                    wrong.len()
                ));
            }
        };
        let show = |truth: Truth| truth.map_or("NULL".to_string(), |truth| truth.to_string());
        if let (Some(hive), Some(evaluated)) = (&self.hive, &self.evaluated) {
            tell("evaluator", &|row| {
                // In Hive 4 it can be FALSE.
                let is_otherwise = engine == Engine::Hive4 && self.made.asked.contains(" BETWEEN NULL AND ");
                (!is_otherwise && hive[row] != evaluated[row])
                    .then(|| format!("Hive {}, evaluator {}", show(hive[row]), show(evaluated[row])))
            });
        }
        let Some(wanted) = self.hive.as_ref().or(self.evaluated.as_ref()) else { return found };
        for (side, constraint, truth) in [("planner", &self.yes, true), ("planner's NOT", &self.no, false)] {
            tell(side, &|row| {
                let wanted = wanted[row] == Some(truth);
                let (may, must) = (
                    holds(schema, constraint, &rows[row], true),
                    holds(schema, constraint, &rows[row], false),
                );
                ((wanted && !may) || (must && !wanted))
                    .then(|| format!("wanted {wanted}, may {may}, must {must}"))
            });
        }
        if let Some(yielded) = &self.yielded {
            tell("printed", &|row| {
                let wanted = usize::from(wanted[row] == Some(true));
                (yielded[row] != wanted).then(|| format!("wanted {wanted}, yielded {}", yielded[row]))
            });
        }
        if self.printed.is_some() && self.yielded.is_none() && self.hive.is_some() {
            found.push(format!("not compiled as printed: {}", self.made.asked));
        }
        found
    }
}

fn uses(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

/// Whether a row is kept if conditions that Hive checks are `unknown`.
fn holds(schema: &Schema, constraint: &Constraint, row: &Row, unknown: bool) -> bool {
    match constraint {
        Constraint::All(arms) => arms.iter().all(|arm| holds(schema, arm, row, unknown)),
        Constraint::Any(arms) => arms.iter().any(|arm| holds(schema, arm, row, unknown)),
        Constraint::Condition(condition) => match &condition.meaning {
            Meaning::Tight { field, values } => has_value(schema, *field, values, row),
            Meaning::Checked(checked) => {
                unknown && checked.implied.as_ref().is_none_or(|implied| may_hold(schema, implied, row))
            }
        },
    }
}

/// Whether a row may have what a condition implies; of salt inputs that is not known.
fn may_hold(schema: &Schema, implied: &Implied, row: &Row) -> bool {
    match implied {
        Implied::All(parts) => parts.iter().all(|part| may_hold(schema, part, row)),
        Implied::Any(parts) => parts.iter().any(|part| may_hold(schema, part, row)),
        Implied::Field(field, values) => has_value(schema, *field, values, row),
        Implied::SaltInput { .. } => true,
    }
}

fn has_value(schema: &Schema, field: FieldId, values: &ValueSet, row: &Row) -> bool {
    values.contains(&schema.key.fields[field].kind, &row.fields[field])
}
