//! Filters as Hive sends them to its storage handler: trees of classes with their types, as JSON.
//!
//! A random predicate is asked of the view: each key field is the expression with which the view decodes it. The tree is that of Hive's
//! type check, which `tests/engines` compares with Hive's own. The oracle evaluates the predicate over rows whose values are of Hive's
//! types, so a day that the key stores as digits is a number, and not a date.

use std::cell::{Cell as Counter, RefCell};

use chrono_tz::Tz;
use saltplan_core::analyze::analyze;
use saltplan_core::analyze::bind::{Setting, TypedColumns, bind, hive_form};
use saltplan_core::hive::key::KeyColumn;
use saltplan_core::key::field::FieldKind;
use saltplan_core::key::range::{KeyRange, KeyRanges, from_hex};
use saltplan_core::plan::{Options, plan};
use saltplan_core::schema::model::Schema;
use saltplan_document::diag::Source;
use saltplan_sql::ast::{Expr, Node};
use saltplan_sql::hive_type::{HiveType, Type};
use saltplan_sql::version::HiveVersion;
use saltplan_sql::{Parameters, parse};
use serde_json::{Value as Json, json};

use crate::calendar;
use crate::check::{Case, FullRow, key_text};
use crate::sql::{Row, V, holds};

/// The name of the key column.
const KEY: &str = "rowkey";

/// What was found in the cases so far.
#[derive(Debug, Default)]
pub struct Tally {
    /// Filters that a Hive has.
    pub asked: Counter<usize>,
    /// Filters that get ranges.
    pub narrowed: Counter<usize>,
    /// Filters whose predicate has ranges in `plan`.
    pub planned: Counter<usize>,
    /// Filters that get the same ranges as their predicate.
    pub same: Counter<usize>,
    /// The others.
    pub differences: RefCell<Vec<String>>,
}

impl Case {
    /// The first predicate as a filter on the view: each row for which it is true has its key in the ranges that `answer` gives for the
    /// request, an object as JSON.
    ///
    /// # Errors
    /// A row is lost, or there is no answer.
    pub fn check_pushdown(
        &self,
        version: HiveVersion,
        answer: &dyn Fn(&str) -> Result<String, String>,
        tally: &Tally,
    ) -> Result<(), String> {
        let schema = self.schema();
        let predicate = &self.predicates[0];
        let Some(filter) = filter(&schema, predicate, version) else { return Ok(()) };
        // Hive 2 and 3 take an equality of a number with a text that is none for FALSE, and the oracle takes it for NULL.
        if version != HiveVersion::Hive4 && has_truth(&filter) {
            return Ok(());
        }
        let zones = Zones::of_case(predicate, self.table.tz());
        let request = request(&filter, version, &self.table.yaml(), &zones);
        let answered = answer(&request)?;
        let fail = |what: String| Err(format!("{what}\n{predicate}\n{request}\n{answered}"));
        let Some(ranges) = ranges_of(&answered) else { return fail("no answer".into()) };
        for (row, key) in self.rows_with_keys() {
            let values = of_hive(row, &schema);
            let row = Row { values: &values, zone: Some(zones.of_functions(version)) };
            if holds(predicate, &row) && !ranges.contains(&key) {
                return fail(format!("no range has the key {} of {values:?}", key_text(&key)));
            }
        }
        let count = |counter: &Counter<usize>| counter.set(counter.get() + 1);
        count(&tally.asked);
        let has_ranges = ranges != KeyRanges::all();
        if has_ranges {
            count(&tally.narrowed);
        }
        let Some(planned) = planned(&schema, predicate) else { return Ok(()) };
        if planned != KeyRanges::all() {
            count(&tally.planned);
            if planned == ranges {
                count(&tally.same);
            } else {
                let read = if has_ranges { "other ranges" } else { "all keys" };
                let shown: String = answered.chars().take(400).collect();
                tally.differences.borrow_mut().push(format!("{read}: {predicate}\n{request}\n{shown}"));
            }
        }
        Ok(())
    }
}

/// Whether a filter has a truth value that is not the first argument of BETWEEN, where it says whether that is negated.
fn has_truth(node: &Json) -> bool {
    let arguments = node["arguments"].as_array().map_or(&[][..], Vec::as_slice);
    let is_between = node["call"].as_str().is_some_and(|class| class.ends_with("Between"));
    node["type"] == "boolean" && node["constant"].is_string()
        || arguments.iter().skip(usize::from(is_between)).any(has_truth)
}

/// The zones of the tasks that evaluate a filter.
struct Zones {
    session: Tz,
    jvm: Tz,
    /// Whether the server knows the zone of the session.
    is_known: bool,
}

impl Zones {
    /// Session and server in the zone of the schema, in another zone, or in two zones.
    fn of_case(predicate: &Expr, schema: Option<Tz>) -> Self {
        let own = schema.unwrap_or(Tz::UTC);
        let (session, jvm) = match predicate.to_string().len() % 8 {
            0..=3 => (own, own),
            4 => (Tz::Asia__Tokyo, Tz::Asia__Tokyo),
            5 => (Tz::America__New_York, Tz::America__New_York),
            6 => (own, Tz::Asia__Tokyo),
            _ => (Tz::America__New_York, own),
        };
        Zones { session, jvm, is_known: !predicate.to_string().len().is_multiple_of(5) }
    }

    /// The zone in which `from_unixtime` shows an instant: `TZ=Asia/Tokyo tests/engines/lab values hive2
    /// hive.local.time.zone=America/New_York` prints `09:00` for 1586131200 there, `00:00` with hive3, `20:00` with hive4.
    fn of_functions(&self, version: HiveVersion) -> Tz {
        match version {
            HiveVersion::Hive2 => self.jvm,
            HiveVersion::Hive3 => Tz::UTC,
            HiveVersion::Hive4 => self.session,
        }
    }
}

fn request(filter: &Json, version: HiveVersion, schema: &str, zones: &Zones) -> String {
    // Hive 2 has no zone of sessions.
    let session = if version == HiveVersion::Hive2 { zones.jvm } else { zones.session };
    let session = if zones.is_known { session.name() } else { "" };
    json!({
        "protocol": 1,
        "hive": version.release(),
        "dialect": "hive",
        "schema": schema,
        "key_column": KEY,
        "zone": { "session": session, "jvm": zones.jvm.name(), "transitions": transitions(zones.jvm.name()) },
        "filter": filter,
    })
    .to_string()
}

/// As the storage handler sends them: from 1900 to 2100.
fn transitions(zone: &str) -> Vec<(i64, i32)> {
    let (from, to) = (-2_208_988_800, 4_102_444_800);
    let Ok(zone) = zone.parse::<saltplan_sql::time::zone::Zone>() else { return Vec::new() };
    let changes = zone.changes(from, to).into_iter().map(|change| (change.at, change.offset));
    std::iter::once((from, zone.offset_at(from))).chain(changes).filter(|(at, _)| *at < to).collect()
}

fn ranges_of(answer: &str) -> Option<KeyRanges> {
    let answer: Json = serde_json::from_str(answer).ok()?;
    if answer["all"].is_string() {
        return Some(KeyRanges::all());
    }
    let range = |range: &Json| {
        let end = |at: usize| from_hex(range[at].as_str()?);
        let stop = end(1)?;
        Some(KeyRange::new(end(0)?, Some(stop).filter(|stop| !stop.is_empty())))
    };
    let ranges = answer["ranges"].as_array()?.iter().map(range).collect::<Option<Vec<_>>>()?;
    Some(KeyRanges::from_intervals(ranges))
}

/// The keys that the plan of a predicate reads; `None` of one that is refused.
fn planned(schema: &Schema, predicate: &Expr) -> Option<KeyRanges> {
    let source = Source::new("predicate", predicate.to_string());
    let analysis = analyze(schema, &parse(&source, &Parameters::new()).ok()?).ok()?;
    let plan = plan(schema, &analysis, Options { max_branches: 4_096, ..Options::default() });
    Some(KeyRanges::from_intervals(plan.branches.into_iter().map(|branch| branch.range).collect()))
}

/// The filter of a query on the view; `None` where this Hive refuses it, or the view cannot show a field.
fn filter(schema: &Schema, predicate: &Expr, version: HiveVersion) -> Option<Json> {
    let key = KeyColumn::new(schema, KEY);
    let mut columns = vec![(KEY.to_string(), HiveType::from(Type::String))];
    let mut decoded: Vec<(&str, Expr)> = Vec::new();
    for (id, field) in schema.key.fields.entries() {
        if field.stored {
            decoded.push((&field.name, key.typed(id).ok()?));
        } else {
            columns.push((field.name.clone(), field.kind.hive_type().into()));
        }
    }
    let others =
        schema.columns.iter().map(|column| (column.name.clone(), column.hive_type.hive_type().clone()));
    columns.extend(others.filter(|(name, _)| schema.field(name).is_none()));
    let mut on_mapping = Node::from(predicate.clone());
    substitute(&mut on_mapping, &decoded);
    let bound = bind(&on_mapping, &TypedColumns(columns), Setting::Query(Some(version)));
    tree(&hive_form(&bound, version).ok()?)
}

fn substitute(node: &mut Node, decoded: &[(&str, Expr)]) {
    if let Expr::Column(column) = &node.expr {
        if let Some((_, value)) = decoded.iter().find(|(name, _)| name.eq_ignore_ascii_case(&column.name)) {
            node.expr = value.clone().bracketed();
        }
        return;
    }
    node.expr.for_each_part_mut(&mut |part| substitute(part, decoded));
}

/// A tree that is written as its nodes, children before their parents.
fn tree(written: &str) -> Option<Json> {
    let mut nodes: Vec<Json> = Vec::new();
    let fields: Vec<&str> = written.split('\t').collect();
    for node in fields.chunks(4) {
        let [kind, of, text, children] = node else { return None };
        let first = nodes.len().checked_sub(children.parse().ok()?)?;
        let arguments = nodes.split_off(first);
        nodes.push(match *kind {
            "column" => json!({ "column": text, "type": of }),
            "constant" if *text == "\\N" => json!({ "constant": null, "type": of }),
            // As in the lines of the lab, in which a backslash is doubled.
            "constant" => json!({ "constant": text.replace("\\\\", "\\"), "type": of }),
            "function" => json!({ "call": text, "type": of, "arguments": arguments }),
            _ => json!({ "other": "ExprNodeFieldDesc", "type": of }),
        });
    }
    nodes.pop().filter(|_| nodes.is_empty())
}

/// The values of a row in the types that the columns of the view have.
fn of_hive(row: &FullRow, schema: &Schema) -> Vec<(String, V)> {
    let value = |name: &str, value: &V| {
        let kind = schema.field(name).map(|id| &schema.key.fields[id].kind);
        match (kind, value) {
            (Some(FieldKind::Calendar(of)), V::Calendar(at, pattern)) => match of.hive_type.hive_type() {
                Type::Date => V::Date(at.date()),
                Type::Timestamp => V::Timestamp(*at),
                Type::String => V::Text(calendar::format(pattern, *at)),
                _ => calendar::format(pattern, *at).parse().map_or(V::Null, V::integer),
            },
            (_, V::Instant(number, _)) => V::integer(*number),
            (_, value) => value.clone(),
        }
    };
    row.values.iter().map(|(name, own)| (name.clone(), value(name, own))).collect()
}

/// Whether a filter on the view has the ranges of its predicate; `None` where this Hive refuses it, or the view cannot show a field.
///
/// # Errors
/// What the ranges are instead, or the answer that is none.
pub fn same_ranges(
    schema: &Schema,
    yaml: &str,
    predicate: &Expr,
    answer: &dyn Fn(&str) -> Result<String, String>,
) -> Option<Result<(), String>> {
    let filter = filter(schema, predicate, HiveVersion::Hive3)?;
    let zone = schema.time_zone.and_then(|zone| zone.name().parse().ok()).unwrap_or(Tz::UTC);
    let zones = Zones { session: zone, jvm: zone, is_known: true };
    let request = request(&filter, HiveVersion::Hive3, yaml, &zones);
    let planned = planned(schema, predicate)?;
    let shown = std::env::var_os("SALTPLAN_LAW_DIFFERENCES").map_or("", |_| request.as_str());
    Some(answer(&request).and_then(|answered| match ranges_of(&answered) {
        Some(ranges) if ranges == planned => Ok(()),
        Some(ranges) if ranges == KeyRanges::all() => Err(format!("all keys {shown}")),
        Some(ranges) if planned.is_subset(&ranges) => Err(format!("more keys {shown}")),
        Some(ranges) if ranges.is_subset(&planned) => Err("fewer keys".into()),
        _ => Err("other keys".into()),
    }))
}
