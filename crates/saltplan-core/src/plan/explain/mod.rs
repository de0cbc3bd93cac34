//! A plan as text and as JSON.

mod fold;
mod text;

use serde_json::{Value as Json, json};

use super::notes::count_text;
use super::{Branch, NearlyAll, Plan, PlanKind, Share, WidenedValues, Widening};
use crate::key::range::{to_hex, to_string_binary};
use saltplan_document::diag::{Diagnostic, counted, grouped, json as message_json};

pub use text::to_text;

/// The version of the JSON form.
pub const FORMAT_VERSION: u32 = 1;

/// One line: what is read, how much of the table that is, and whether there are residuals.
pub fn summary(plan: &Plan) -> String {
    match summary_of_ranges(plan) {
        None => "nothing to read: the predicate is never true".into(),
        Some(ranges) => format!("{ranges}, {}", residual_summary(&plan.branches)),
    }
}

/// What is read, without residuals; `None` if nothing is.
pub fn summary_of_ranges(plan: &Plan) -> Option<String> {
    let mut parts = Vec::new();
    let salts = plan.salts.map(|salts| share(salts, "salts"));
    let points = plan.branches.iter().filter(|branch| branch.range.is_point()).count();
    let scans = plan.branches.len() - points;
    match plan.kind {
        PlanKind::Empty => return None,
        PlanKind::FullScan => {
            let salts = salts.map(|salts| format!(", {salts}")).unwrap_or_default();
            parts.push(format!("full scan: no pruning{salts}"));
        }
        PlanKind::FanOut => parts.push(format!("fan-out over {}", salts.unwrap_or_default())),
        PlanKind::Point | PlanKind::Range => parts.extend(salts),
    }
    if plan.kind != PlanKind::FullScan {
        parts.extend((scans > 0).then(|| counted(scans as u128, "range scan", "range scans")));
        parts.extend((points > 0).then(|| counted(points as u128, "point read", "point reads")));
    }
    parts
        .extend(plan.nearly_all().and_then(|nearly| Some(format!("{} of the key space", nearly.percent()?))));
    parts.extend(plan.regions.map(|regions| share(regions, "regions")));
    Some(parts.join(", "))
}

fn residual_summary(branches: &[Branch]) -> String {
    let with = branches.iter().filter(|branch| branch.residual.is_some()).count();
    match with {
        0 => "no residual".into(),
        all if all == branches.len() => "with residual".into(),
        some => {
            format!("residual on {} of {} branches", grouped(some as u128), grouped(branches.len() as u128))
        }
    }
}

fn share(share: Share, of_what: &str) -> String {
    format!("{} of {} {of_what}", count_text(share.part), count_text(share.of))
}

/// The versioned JSON representation, including the warnings about the predicate.
pub fn to_json(plan: &Plan, warnings: &[Diagnostic]) -> Json {
    let mut json = json!({ "format_version": FORMAT_VERSION, "kind": plan.kind.name() });
    if let Some(salts) = plan.salts {
        json["salts"] = salts_json(salts);
    }
    json["branches"] = plan.branches.iter().map(|branch| branch_json(plan, branch)).collect();
    if let Some(regions) = plan.regions {
        json["regions"] = regions_json(regions);
    }
    json["widening"] = plan.widening().map_or(Json::Null, widening_json);
    json["nearly_all"] = plan.nearly_all().map_or(Json::Null, nearly_all_json);
    let notes = plan.notes.iter().map(|note| json!({ "code": note.code(), "message": note.to_string() }));
    json["notes"] = notes.collect();
    json["warnings"] = warnings.iter().map(message_json::message).collect();
    json
}

/// The ranges alone, for any program that scans: bounds in hex, and what the rows must still be checked for.
pub fn ranges_json(table: &str, plan: &Plan, warnings: &[Diagnostic]) -> Json {
    let range = |branch: &Branch| {
        json!({
            "start": to_hex(&branch.range.start),
            "stop": branch.range.stop.as_deref().map(to_hex),
            "point": branch.range.is_point(),
            "residual": plan.condition_of(branch),
        })
    };
    json!({
        "format_version": FORMAT_VERSION,
        "table": table,
        "kind": plan.kind.name(),
        "ranges": plan.branches.iter().map(range).collect::<Vec<_>>(),
        "warnings": warnings.iter().map(message_json::message).collect::<Vec<_>>(),
    })
}

/// How many salts a plan reads.
pub(crate) fn salts_json(salts: Share) -> Json {
    json!({ "reached": number(salts.part), "of": number(salts.of) })
}

/// The values that merged ranges contain in addition to those requested; without numbers if they cannot be
/// counted.
pub(crate) fn widening_json(widening: &Widening) -> Json {
    let (read, asked, unit) = match widening.values {
        WidenedValues::Counted { read, asked, unit } => (number(read), number(asked), unit.into()),
        WidenedValues::Uncounted { .. } => (Json::Null, Json::Null, Json::Null),
    };
    json!({ "field": widening.field, "unit": unit, "asked": asked, "read": read, "factor": widening.ratio() })
}

/// What a plan leaves out that reads nearly everything; `of` is null for texts, which cannot be counted.
fn nearly_all_json(nearly: &NearlyAll) -> Json {
    let NearlyAll { field, unit, left_out, of } = nearly;
    json!({ "field": field, "unit": unit, "left_out": number(*left_out), "of": of.map(number) })
}

/// How many regions a plan touches.
pub(crate) fn regions_json(regions: Share) -> Json {
    json!({ "touched": number(regions.part), "of": number(regions.of) })
}

fn number(count: u128) -> Json {
    u64::try_from(count).map_or_else(|_| Json::from(count.to_string()), Json::from)
}

fn branch_json(plan: &Plan, branch: &Branch) -> Json {
    let bound = |bytes: &[u8]| json!({ "text": to_string_binary(bytes), "hex": to_hex(bytes) });
    let mut json = json!({});
    if let Some(salt) = &branch.salt {
        json["salt"] = to_string_binary(salt).into();
    }
    json["start"] = bound(&branch.range.start);
    json["stop"] = branch.range.stop.as_deref().map_or(Json::Null, bound);
    json["residual"] =
        plan.residual_of(branch).map_or(Json::Null, |residual| residual.expr.to_string().into());
    if let Some(regions) = &branch.regions {
        json["regions"] = regions.len().into();
    }
    json
}

#[cfg(test)]
mod tests;
