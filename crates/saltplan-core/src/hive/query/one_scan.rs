//! All ranges of a plan as one condition on the row key, for the storage handler of `hive/`.

use std::collections::BTreeMap;

use super::asked::Asked;
use super::branch::{BranchContext, Printed, bounds, bounds_as, check_bounds, residual, runtime_of};
use crate::hive::text::hex_digits;
use crate::plan::{Branch, ResidualId};
use crate::refusal::Refusal;
use crate::render::size::Room;
use saltplan_sql::ast::Expr;
use saltplan_sql::build::each_bracketed;

/// One branch for the whole plan. Ranges with the same residual are grouped before it.
pub(super) fn one_scan(asked: &Asked<'_>, columns: &[String]) -> Result<BranchContext, Refusal> {
    let count = asked.plan.branches.len();
    let is_text = check_bounds(asked).is_ok();
    let hex = Expr::call("hex", [asked.key.bare().clone()]);
    let mut room = Room::new(asked.options.max_bytes);
    let mut groups: BTreeMap<Option<ResidualId>, Vec<Option<Expr>>> = BTreeMap::new();
    for (index, branch) in asked.plan.branches.iter().enumerate() {
        let range =
            if is_text { bounds(asked, asked.key.bare(), branch)? } else { hex_bounds(asked, &hex, branch)? };
        let bytes = range.as_ref().map_or(0, |range| range.to_string().len() + " OR ()".len());
        room.take(bytes, room.used() + bytes.saturating_mul(count - index))?;
        groups.entry(branch.residual).or_default().push(range);
    }
    let mut alternatives = Vec::with_capacity(groups.len());
    for (id, ranges) in groups {
        // A branch without bounds contains all keys.
        let ranges = ranges.into_iter().collect::<Option<Vec<Expr>>>().map(any);
        let residual = id.map(|id| residual(asked, id, &room, || 1)).transpose()?;
        let bytes = residual.as_ref().map_or(0, |text| text.to_string().len());
        room.take(bytes, room.used() + bytes)?;
        alternatives.push(ranges.into_iter().chain(residual).collect::<Vec<Expr>>());
    }
    let conditions = match <[Vec<Expr>; 1]>::try_from(alternatives) {
        Ok([only]) => only,
        Err(several) => vec![any(several.into_iter().map(Expr::all).collect())],
    };
    Ok(BranchContext::new("`b000`".into(), columns.to_vec(), conditions.iter().map(Printed::from).collect()))
}

fn any(conditions: Vec<Expr>) -> Expr {
    Expr::any(each_bracketed(conditions))
}

/// The bounds of a branch on the hex digits of the key, which sort like its bytes; `None` for all keys.
fn hex_bounds(asked: &Asked<'_>, hex: &Expr, branch: &Branch) -> Result<Option<Expr>, Refusal> {
    match runtime_of(asked, branch) {
        Some(range) => range.hex_bounds(hex, &branch.range.start).map(Some),
        None => Ok(bounds_as(hex, branch, hex_digits, |bytes| Some(hex_digits(bytes)))),
    }
}
