//! A plan in words and as JSON.

use serde_json::{Value as Json, json};

use super::notes::count_text;
use super::{Branch, Kind, Plan};
use crate::key::range::{to_hex, to_string_binary};

/// Version of the JSON form.
pub const FORMAT_VERSION: u32 = 1;

/// One line: what is read, how much of the table that is, and whether rows have to be checked.
pub fn summary(plan: &Plan) -> String {
    let mut parts = Vec::new();
    let salts =
        plan.salts.map(|salts| format!("{} of {} salts", count_text(salts.part), count_text(salts.of)));
    let points = plan.branches.iter().filter(|branch| branch.range.is_point()).count();
    let scans = plan.branches.len() - points;
    match plan.kind {
        Kind::Empty => return "nothing to read: no row can satisfy the predicate".into(),
        Kind::FullScan => {
            let salts = salts.map(|salts| format!(", {salts}")).unwrap_or_default();
            parts.push(format!("full scan: no pruning{salts}"));
        }
        Kind::FanOut => parts.push(format!("fan-out over {}", salts.unwrap_or_default())),
        Kind::Point | Kind::Range => parts.extend(salts),
    }
    if plan.kind != Kind::FullScan {
        parts.extend((scans > 0).then(|| counted(scans, "range scan", "range scans")));
        parts.extend((points > 0).then(|| counted(points, "point read", "point reads")));
    }
    parts.extend(plan.regions.map(|regions| format!("{} of {} regions", regions.part, regions.of)));
    parts.push(residual_summary(&plan.branches));
    parts.join(", ")
}

fn residual_summary(branches: &[Branch]) -> String {
    let with = branches.iter().filter(|branch| branch.residual.is_some()).count();
    match with {
        0 => "no residual".into(),
        all if all == branches.len() => "with residual".into(),
        some => format!("residual on {some} of {} branches", branches.len()),
    }
}

pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// The summary, a table of branches and the notes.
pub fn to_text(plan: &Plan) -> String {
    let mut text = summary(plan);
    text.push('\n');
    if !plan.branches.is_empty() {
        text.push('\n');
        text.push_str(&branch_table(plan));
    }
    if !plan.notes.is_empty() {
        text.push_str("\nnotes\n");
        let width = plan.notes.iter().map(|note| note.code.len()).max().unwrap_or(0);
        for note in &plan.notes {
            text.push_str(&format!("  {:width$}  {}\n", note.code, note.message));
        }
    }
    text
}

fn branch_table(plan: &Plan) -> String {
    let mut rows =
        vec![vec!["salt".to_string(), "start".into(), "stop".into(), "regions".into(), "residual".into()]];
    rows.extend(plan.branches.iter().map(|branch| {
        let bounds = if branch.range.is_point() {
            (to_string_binary(&branch.range.start), "(one key)".to_string())
        } else {
            let start = to_string_binary(&branch.range.start);
            let stop = branch.range.stop.as_deref().map_or("(open end)".into(), to_string_binary);
            (if start.is_empty() { "(first key)".into() } else { start }, stop)
        };
        vec![
            branch.salt.as_deref().map(to_string_binary).unwrap_or_default(),
            bounds.0,
            bounds.1,
            branch.regions.map(|regions| regions.to_string()).unwrap_or_default(),
            branch.residual.as_ref().map(|residual| one_line(&residual.text.to_string())).unwrap_or_default(),
        ]
    }));
    // Columns without content are left out.
    let kept: Vec<usize> =
        (0..rows[0].len()).filter(|&c| rows[1..].iter().any(|row| !row[c].is_empty())).collect();
    let widths: Vec<usize> =
        kept.iter().map(|&c| rows.iter().map(|row| row[c].chars().count()).max().unwrap_or(0)).collect();
    let mut text = String::new();
    for row in &rows {
        let cells = kept.iter().zip(&widths).map(|(&c, &width)| format!("{:width$}", row[c]));
        let line = cells.collect::<Vec<_>>().join("  ");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The stable, versioned form for programs.
pub fn to_json(plan: &Plan) -> Json {
    let mut json = json!({ "format_version": FORMAT_VERSION, "kind": plan.kind.name() });
    if let Some(salts) = plan.salts {
        json["salts"] = json!({ "reached": number(salts.part), "of": number(salts.of) });
    }
    json["branches"] = plan.branches.iter().map(branch_json).collect();
    if let Some(regions) = plan.regions {
        json["regions"] = json!({ "touched": number(regions.part), "of": number(regions.of) });
    }
    let notes = plan.notes.iter().map(|note| json!({ "code": note.code, "message": note.message }));
    json["notes"] = notes.collect();
    json
}

fn number(count: u128) -> Json {
    u64::try_from(count).map_or_else(|_| Json::from(count.to_string()), Json::from)
}

fn branch_json(branch: &Branch) -> Json {
    let bound = |bytes: &[u8]| json!({ "text": to_string_binary(bytes), "hex": to_hex(bytes) });
    let mut json = json!({});
    if let Some(salt) = &branch.salt {
        json["salt"] = to_string_binary(salt).into();
    }
    json["start"] = bound(&branch.range.start);
    json["stop"] = branch.range.stop.as_deref().map_or(Json::Null, bound);
    json["residual"] =
        branch.residual.as_ref().map_or(Json::Null, |residual| residual.text.to_string().into());
    if let Some(regions) = branch.regions {
        json["regions"] = regions.into();
    }
    json
}
