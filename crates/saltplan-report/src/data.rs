//! The data of a page as JSON, which the script draws.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::pack::{Lists, runs};
use super::queries;
use super::sql;
use super::{
    BaseReport, Explanation, MAX_RANGES, PlanReport, PlanVersion, Report, Simulated, Statement, TableReport,
};
use saltplan_core::key::range::to_hex;
use saltplan_core::messages::{Diagnostic, Source};
use saltplan_core::plans::{Branch, KeyRange, Share};
use saltplan_core::{Planned, Table};
use saltplan_lint::FileReport;
use saltplan_lint::rule::{Finding, Rule};
use saltplan_project::diff::SchemaDiff;
use saltplan_simulate::picture::{Bar, Measure, svg};

/// Incremented when a member changes its meaning or is removed.
const FORMAT: u32 = 1;

/// The maximum number of columns; with more regions, neighbours share a column.
const MAX_REGIONS: usize = 4_096;

/// The maximum size of a packed statement in bytes; for a longer one the page only shows its length.
const MAX_STATEMENT: usize = 48 << 10;

/// The maximum size of a schema's text that is shown completely; of a longer one, only the lines around
/// findings are shown.
const MAX_TEXT: usize = 64 << 10;

/// The number of lines before and after a finding.
const AROUND: usize = 4;

/// The maximum number of entries in a list of messages.
pub(super) const MAX_MESSAGES: usize = 200;

pub fn json(report: &Report<'_>) -> Json {
    let mut lists = Lists::default();
    let mut rules = BTreeMap::new();
    let tables: Vec<Json> =
        report.tables.iter().map(|table| table_json(table, &mut lists, &mut rules)).collect();
    let rules: BTreeMap<&str, Json> = rules.into_iter().map(|(code, rule)| (code, rule_json(rule))).collect();
    let queries: Vec<Json> = report.queries.iter().map(|query| queries::json(query, &mut lists)).collect();
    json!({
        "format": FORMAT,
        "made_by": concat!("saltplan ", env!("CARGO_PKG_VERSION")),
        "title": report.title,
        "tables": tables,
        "queries": queries,
        "more_queries": report.more_queries,
        "rules": rules,
        "lists": lists.json(),
    })
}

fn table_json(
    report: &TableReport<'_>,
    lists: &mut Lists,
    rules: &mut BTreeMap<&'static str, &'static Rule>,
) -> Json {
    let table = report.table;
    let mut json = json!({
        "name": table.name(),
        "file": table.file_name(),
        "parts": parts(table),
        "salts": table.salts().len(),
        "regions": regions(table, lists),
        "plans": report.plans.iter().map(|plan| plan_json(plan, lists)).collect::<Vec<_>>(),
        "more_plans": report.more_plans,
    });
    if let Some(key) = &report.example {
        json["example"] = example(table, key);
    }
    if let Some(findings) = report.findings {
        rules.extend(findings.findings.iter().map(|finding| (finding.rule.code, finding.rule)));
        json["audit"] = audit(table.source(), findings);
    }
    if let Some(base) = report.base {
        json["changes"] = changes(base, lists);
    }
    for (name, simulated) in [("load", &report.load), ("growth", &report.growth)] {
        if let Some(simulated) = simulated {
            json[name] = simulated_json(simulated);
        }
    }
    json
}

/// The number of regions whose figures are also listed.
const MAX_FIGURES: usize = 200;

/// The picture, and the figures of its bars as a table for readers who do not see it.
fn simulated_json(simulated: &Simulated) -> Json {
    let Simulated { picture, is_partial, warnings } = simulated;
    let figure = |bar: &Bar| json!([bar.start, picture.measure.text(bar.value as f64)]);
    let (Measure::Count(unit) | Measure::Bytes(unit)) = &picture.measure;
    json!({
        "svg": svg(picture),
        "unit": unit,
        "regions": picture.bars.len(),
        "figures": picture.bars.iter().take(MAX_FIGURES).map(figure).collect::<Vec<_>>(),
        "partial": is_partial,
        "warnings": warnings.iter().map(message).collect::<Vec<_>>(),
    })
}

fn parts(table: &Table) -> Json {
    let part = |part: saltplan_core::layouts::KeyPart| {
        json!({
            "role": part.role.name(),
            "name": part.name,
            "encoding": part.encoding,
            "width": part.width,
            "separator": to_hex(&part.separator),
        })
    };
    table.key_parts().into_iter().map(part).collect()
}

fn example(table: &Table, key: &[u8]) -> Json {
    let cuts = table.cut_key(key).unwrap_or_default();
    let cuts: Vec<[usize; 2]> = cuts.into_iter().map(|part| [part.start, part.end]).collect();
    json!({ "key": to_hex(key), "cuts": cuts })
}

/// The split keys, or one of every few.
fn regions(table: &Table, lists: &mut Lists) -> Json {
    let Ok(Some(keys)) = table.split_keys() else { return Json::Null };
    let each = (keys.len() + 1).div_ceil(MAX_REGIONS).max(1);
    let shown: Vec<&[u8]> = keys.iter().skip(each - 1).step_by(each).map(Vec::as_slice).collect();
    json!({ "count": keys.len() + 1, "each": each, "keys": pack_keys(&shown, lists) })
}

fn plan_json(plan: &PlanReport, lists: &mut Lists) -> Json {
    let mut json = json!({
        "name": plan.name,
        "predicate": plan.predicate,
        "now": version(&plan.now, lists),
    });
    if let Some(before) = &plan.before {
        json["before"] = version(before, lists);
    }
    json
}

fn version(version: &Result<PlanVersion, Explanation>, lists: &mut Lists) -> Json {
    match version {
        Ok(version) => version_json(version, lists),
        Err(explanation) => json!({ "fault": explanation }),
    }
}

fn version_json(version: &PlanVersion, lists: &mut Lists) -> Json {
    let planned = &version.planned;
    let plan = planned.plan();
    let notes = plan.notes.iter().take(MAX_MESSAGES);
    let mut json = json!({
        "kind": plan.kind.name(),
        "summary": planned.summary(),
        "salts": plan.salts.map(share),
        "touched": plan.regions.map(share),
        "count": plan.branches.len(),
        "notes": notes.map(|note| json!([note.code(), note.to_string()])).collect::<Vec<_>>(),
        "warnings": planned.warnings().iter().take(MAX_MESSAGES).map(message).collect::<Vec<_>>(),
        "statements": version.statements.iter().map(|one| statement(one, lists)).collect::<Vec<_>>(),
    });
    if let Some(refused) = &version.refused {
        json["refused"] = json!(refused);
    }
    // The keys are known before the statement runs.
    match planned.limited_json(&[], usize::MAX) {
        Ok(_) => json["ranges"] = ranges(planned, lists),
        Err(_) => json["not_known"] = true.into(),
    }
    json
}

/// How the stop row of a range follows from its start row; such a stop row is not written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// The first key that does not start with the start row.
    NextPrefix = 0,
    /// The range is a single key, its start row.
    OneKey = 1,
    /// The end of the table.
    Open = 2,
    Written = 3,
}

impl Stop {
    fn of(range: &KeyRange) -> Self {
        match &range.stop {
            None => Stop::Open,
            _ if range.is_point() => Stop::OneKey,
            stop if *stop == KeyRange::prefix(range.start.clone()).stop => Stop::NextPrefix,
            _ => Stop::Written,
        }
    }
}

fn ranges(planned: &Planned, lists: &mut Lists) -> Json {
    let plan = planned.plan();
    let branches = &plan.branches[..plan.branches.len().min(MAX_RANGES)];
    let starts: Vec<&[u8]> = branches.iter().map(|branch| branch.range.start.as_slice()).collect();
    let is_written = |branch: &&Branch| Stop::of(&branch.range) == Stop::Written;
    let written = branches.iter().filter(is_written);
    let written: Vec<&[u8]> = written.filter_map(|branch| branch.range.stop.as_deref()).collect();
    let mut residuals: Vec<String> = Vec::new();
    let numbers: Vec<Option<usize>> = branches
        .iter()
        .map(|branch| {
            let text = plan.condition_of(branch)?;
            // Neighbours usually have the same residual.
            let known = residuals.iter().rposition(|known| *known == text);
            Some(known.unwrap_or_else(|| {
                residuals.push(text);
                residuals.len() - 1
            }))
        })
        .collect();
    let mut json = json!({
        "start": pack_keys(&starts, lists),
        "stop": runs(branches.iter().map(|branch| Stop::of(&branch.range) as u8)),
        "salt": runs(branches.iter().map(|branch| branch.salt.as_ref().map_or(0, Vec::len))),
    });
    if !written.is_empty() {
        json["written"] = pack_keys(&written, lists);
    }
    if !residuals.is_empty() {
        json["residual"] = runs(numbers.into_iter());
        json["residuals"] = residuals.into();
    }
    json
}

fn statement(statement: &Statement, lists: &mut Lists) -> Json {
    let engine = statement.engine.name();
    let query = match &statement.query {
        Ok(query) => query,
        Err(explanation) => return json!({ "engine": engine, "fault": explanation }),
    };
    let mut json = json!({
        "engine": engine,
        "shape": query.shape.name(),
        "scans": query.cost.scans,
        "jobs": query.cost.jobs,
        "bytes": query.sql.len(),
        "lines": query.sql.lines().count(),
        "warnings": query.warnings.iter().map(|warning| message(&warning.into())).collect::<Vec<_>>(),
    });
    if let Some(note) = &statement.note {
        json["note"] = json!(note);
    }
    if let Some(packed) = pack_sql(&query.sql, lists) {
        json["sql"] = packed;
    }
    json
}

/// SQL as a whole or not at all: a truncated statement would read only some of the rows.
pub(super) fn pack_sql(text: &str, lists: &mut Lists) -> Option<Json> {
    let mut own = Lists::default();
    let size = sql::pack(text, &mut own).to_string().len() + own.json().to_string().len();
    (size <= MAX_STATEMENT).then(|| sql::pack(text, lists))
}

fn audit(source: &Source, report: &FileReport) -> Json {
    let findings: Vec<Json> = report.findings.iter().map(|finding| finding_json(source, finding)).collect();
    let marked = report.findings.iter().map(|finding| lines_of(source, finding));
    json!({ "findings": findings, "text": excerpts(&source.text, marked.collect()) })
}

/// The first and the last line that a finding marks.
fn lines_of(source: &Source, finding: &Finding) -> (usize, usize) {
    let span = finding.span();
    (source.line_column(span.start).0, source.line_column(span.end.max(span.start)).0)
}

fn finding_json(source: &Source, finding: &Finding) -> Json {
    let (line, end_line) = lines_of(source, finding);
    let diagnostic = &finding.diagnostic;
    let mut json = message(diagnostic);
    json["rule"] = finding.rule.code.into();
    json["line"] = line.into();
    json["end_line"] = end_line.into();
    json["column"] = source.line_column(finding.span().start).1.into();
    json["label"] = diagnostic.labels.first().map_or("", |label| label.text.as_str()).into();
    if let Some(fix) = &diagnostic.fix {
        json["fix"] = fix.title.clone().into();
    }
    json
}

/// The text in pieces, each with the number of its first line.
fn excerpts(text: &str, marked: Vec<(usize, usize)>) -> Json {
    let lines: Vec<&str> = text.lines().collect();
    if text.len() <= MAX_TEXT {
        return json!({ "lines": lines.len(), "pieces": [[1, lines.join("\n")]] });
    }
    let mut wanted: Vec<(usize, usize)> = marked
        .into_iter()
        .map(|(first, last)| {
            let last = last.min(first + AROUND);
            (first.saturating_sub(AROUND).max(1), (last + AROUND).min(lines.len()))
        })
        .collect();
    wanted.sort_unstable();
    let mut pieces: Vec<(usize, usize)> = Vec::new();
    for (first, last) in wanted {
        match pieces.last_mut() {
            Some((_, end)) if first <= *end + 1 => *end = last.max(*end),
            _ => pieces.push((first, last)),
        }
    }
    let piece = |(first, last): (usize, usize)| json!([first, lines[first - 1..last].join("\n")]);
    json!({ "lines": lines.len(), "pieces": pieces.into_iter().map(piece).collect::<Vec<_>>() })
}

fn rule_json(rule: &Rule) -> Json {
    json!({
        "name": rule.name,
        "summary": rule.summary,
        "why": rule.why,
        "learned": rule.learned,
        "corrected": rule.corrected,
    })
}

fn changes(base: &BaseReport, lists: &mut Lists) -> Json {
    let SchemaDiff { changes, entries, evidence, .. } = &base.changes;
    let entries = entries.iter().take(MAX_MESSAGES).map(|entry| {
        let parts = entry.changes.iter().filter_map(|index| changes.get(*index));
        let parts = parts.map(|change| json!([change.path, change.old.value, change.new.value]));
        let worst = entry.changes.iter().filter_map(|index| changes.get(*index));
        let consequence =
            worst.filter(|change| change.class == entry.class).find_map(|change| change.consequence);
        json!({
            "class": entry.class.name(),
            "path": entry.path,
            "headline": entry.headline.text(),
            "target": entry.target,
            "consequence": consequence.map(|found| json!([found.text, found.source])),
            "parts": parts.collect::<Vec<_>>(),
        })
    });
    let evidence = evidence.iter().map(|one| {
        let new_key = one.new_key.as_ref().map_or_else(ToString::to_string, Clone::clone);
        json!([one.row, one.old_key, new_key, one.reads_as])
    });
    json!({
        "base": base.name,
        "entries": entries.collect::<Vec<_>>(),
        "more": base.changes.entries.len().saturating_sub(MAX_MESSAGES),
        "evidence": evidence.collect::<Vec<_>>(),
        "regions": regions(&base.table, lists),
    })
}

pub(super) fn message(diagnostic: &Diagnostic) -> Json {
    let severity = diagnostic.severity.to_string();
    let mut json = json!({ "severity": severity, "message": diagnostic.message });
    if let Some(help) = &diagnostic.help {
        json["help"] = help.clone().into();
    }
    json
}

fn share(share: Share) -> Json {
    json!([share.part.to_string(), share.of.to_string()])
}

/// Text keys as text, others as hex digits with a mark. A text contains no backslash, which starts an escape
/// in the HBase shell's form.
fn pack_keys(keys: &[&[u8]], lists: &mut Lists) -> Json {
    let is_text = |key: &&[u8]| key.iter().all(|byte| (b' '..=b'~').contains(byte) && *byte != b'\\');
    if keys.iter().all(is_text) {
        let texts: Vec<String> = keys.iter().map(|key| String::from_utf8_lossy(key).into_owned()).collect();
        return lists.pack(&texts);
    }
    let texts: Vec<String> = keys.iter().map(|key| to_hex(key)).collect();
    json!({ "hex": lists.pack(&texts) })
}
