//! All ranges of a plan as one condition on the row key, for the storage handler of `storage-handler/`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::asked::Asked;
use super::branch::{BranchContext, Condition, bounds, check_bounds, residual};
use crate::hive::text::KeyForm;
use crate::plan::ResidualId;
use crate::refusal::Refusal;
use crate::render::size::Room;
use saltplan_sql::ast::Expr;
use saltplan_sql::build::each_bracketed;
use saltplan_sql::functions::HEX;
use saltplan_sql::statement::Item;

/// One branch for the whole plan. Ranges with the same residual are grouped before it.
pub(super) fn one_scan(asked: &Asked<'_>, columns: &Arc<[Item]>) -> Result<BranchContext, Refusal> {
    let count = asked.plan.branches.len();
    let key = asked.key.bare();
    let (form, key) = match check_bounds(asked) {
        Ok(()) => (KeyForm::Text, key.clone()),
        Err(_) => (KeyForm::Hex, Expr::call(&HEX, [key.clone()])),
    };
    let mut room = Room::new(asked.options.max_bytes);
    let mut groups: BTreeMap<Option<ResidualId>, Vec<Option<Expr>>> = BTreeMap::new();
    for (index, branch) in asked.plan.branches.iter().enumerate() {
        let range = bounds(asked, &key, form, branch)?;
        let bytes = range.as_ref().map_or(0, |range| range.to_string().len() + " OR ()".len());
        room.take(bytes, room.used() + bytes.saturating_mul(count - index))?;
        groups.entry(branch.residual).or_default().push(range);
    }
    let has_residual = groups.keys().any(Option::is_some);
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
    // Hive folds bounds to literals before rows are read, even those with an `if`.
    let chooses =
        |condition: Condition| Condition { chooses: condition.chooses && has_residual, ..condition };
    let conditions = conditions.into_iter().map(Condition::from).map(chooses).collect();
    Ok(BranchContext::new("b000", columns, conditions))
}

fn any(conditions: Vec<Expr>) -> Expr {
    Expr::any(each_bracketed(conditions))
}
